// Writers of TGA, BMP and HDR files for the tests, in every variant that the readers take. Each follows the format's
// own text; none shares code with the readers.

export interface TgaOptions {
  readonly type: number;
  readonly depth: number;
  readonly width: number;
  readonly height: number;
  /** Stored bytes of the pixels, in the order of the file. */
  readonly pixels: readonly number[];
  readonly descriptor?: number;
  readonly map?: { readonly first?: number; readonly depth: number; readonly bytes: readonly number[] };
  readonly id?: string;
  readonly footer?: boolean;
}

export function tga(o: TgaOptions): Uint8Array {
  const { map, id = '' } = o;
  const head = Buffer.alloc(18);
  head[0] = id.length;
  head[1] = map ? 1 : 0;
  head[2] = o.type;
  if (map) {
    head.writeUInt16LE(map.first ?? 0, 3);
    head.writeUInt16LE(map.bytes.length / Math.ceil(map.depth / 8), 5);
    head[7] = map.depth;
  }
  head.writeUInt16LE(o.width, 12);
  head.writeUInt16LE(o.height, 14);
  head[16] = o.depth;
  head[17] = o.descriptor ?? 0x20;
  const footer = o.footer
    ? Buffer.concat([Buffer.alloc(8), Buffer.from('TRUEVISION-XFILE.\0', 'latin1')])
    : Buffer.alloc(0);
  return Buffer.concat([head, Buffer.from(id), Buffer.from(map?.bytes ?? []), Buffer.from(o.pixels), footer]);
}

/** Runs of TGA: every run of equal pixels as one packet, all others as stored packets of one pixel. */
export function tgaRuns(pixels: readonly number[], bytes: number): number[] {
  const out: number[] = [];
  const pixel = (i: number) => pixels.slice(i * bytes, (i + 1) * bytes);
  const count = pixels.length / bytes;
  for (let i = 0; i < count; ) {
    let run = 1;
    while (run < 128 && i + run < count && pixel(i + run).join() === pixel(i).join()) run++;
    out.push(run > 1 ? 0x80 | (run - 1) : 0, ...pixel(i));
    i += run;
  }
  return out;
}

export interface BmpOptions {
  /** Bytes of the header: 40, 52, 56, 108 or 124; 12 and 64 are those of OS/2, whose fields do not matter here. */
  readonly header: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly compression?: number;
  /** Colours as blue, green, red and a zero. */
  readonly palette?: readonly number[];
  readonly masks?: readonly number[];
  readonly pixels: readonly number[];
  readonly colors?: number;
}

export function bmp(o: BmpOptions): Uint8Array {
  const header = Buffer.alloc(o.header);
  header.writeUInt32LE(o.header, 0);
  let behind = Buffer.alloc(0);
  if (o.header >= 40) {
    header.writeInt32LE(o.width, 4);
    header.writeInt32LE(o.height, 8);
    header.writeUInt16LE(1, 12);
    header.writeUInt16LE(o.depth, 14);
    header.writeUInt32LE(o.compression ?? 0, 16);
    header.writeUInt32LE(o.colors ?? 0, 32);
    const words = Buffer.alloc((o.masks?.length ?? 0) * 4);
    o.masks?.forEach((mask, i) => {
      words.writeUInt32LE(mask, i * 4);
    });
    if (o.header >= 52) words.copy(header, 40, 0, o.header >= 56 ? 16 : 12);
    else behind = words;
  }
  const palette = Buffer.from(o.palette ?? []);
  const at = 14 + header.length + behind.length + palette.length;
  const file = Buffer.alloc(14);
  file.write('BM', 'latin1');
  file.writeUInt32LE(at + o.pixels.length, 2);
  file.writeUInt32LE(at, 10);
  return Buffer.concat([file, header, behind, palette, Buffer.from(o.pixels)]);
}

/** A Radiance file with the given header lines, resolution and bytes of scanlines. */
export function hdr(resolution: string, scanlines: readonly number[], format = '32-bit_rle_rgbe'): Uint8Array {
  const text = `#?RADIANCE\n# made by hand\nFORMAT=${format}\nEXPOSURE=1\n\n${resolution}\n`;
  return Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from(scanlines)]);
}

/** A scanline of the newer encoding, from pixels of RGBE. */
export function hdrRuns(pixels: readonly (readonly number[])[]): number[] {
  const out = [2, 2, pixels.length >> 8, pixels.length & 255];
  for (let c = 0; c < 4; c++) {
    for (let i = 0; i < pixels.length; ) {
      let run = 1;
      while (run < 127 && i + run < pixels.length && pixels[i + run][c] === pixels[i][c]) run++;
      out.push(...(run > 1 ? [128 + run] : [1]), pixels[i][c]);
      i += run;
    }
  }
  return out;
}
