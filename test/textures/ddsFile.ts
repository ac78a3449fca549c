// DDS files for tests, put together from what they hold.

export interface DdsParts {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  /** Four characters of the pixel format. */
  readonly fourCC?: string;
  /** DXGI_FORMAT in a header of Direct3D 10. */
  readonly dxgi?: number;
  /** Of that header: flags, layers, alpha mode. */
  readonly misc?: number;
  readonly layers?: number;
  readonly alphaMode?: number;
  /** Bits of a texel, and masks of red, green, blue and alpha. */
  readonly bits?: number;
  readonly masks?: readonly [number, number, number, number];
  /** Of the pixel format, beside what the others ask for. */
  readonly flags?: number;
  readonly caps2?: number;
  readonly depth?: number;
}

export function dds({ width, height, data, fourCC, dxgi, ...more }: DdsParts): Uint8Array {
  const is10 = dxgi !== undefined;
  const bytes = new Uint8Array(128 + (is10 ? 20 : 0) + data.length);
  const view = new DataView(bytes.buffer);
  const u32 = (at: number, value: number) => view.setUint32(at, value, true);
  const text = (at: number, word: string) => {
    for (let i = 0; i < word.length; i++) bytes[at + i] = word.charCodeAt(i);
  };
  text(0, 'DDS ');
  for (const [at, value] of [
    [4, 124],
    [8, 0x1007],
    [12, height],
    [16, width],
    [24, more.depth ?? 0],
    [76, 32],
    [108, 0x1000],
    [112, more.caps2 ?? 0],
  ])
    u32(at, value);
  if (is10 || fourCC) {
    u32(80, 0x4);
    text(84, is10 ? 'DX10' : (fourCC as string));
  } else {
    u32(80, more.flags ?? 0x41);
    u32(88, more.bits ?? 0);
    for (const [i, mask] of (more.masks ?? []).entries()) u32(92 + i * 4, mask);
  }
  if (is10) {
    u32(128, dxgi);
    u32(132, 3);
    u32(136, more.misc ?? 0);
    u32(140, more.layers ?? 1);
    u32(144, more.alphaMode ?? 0);
  }
  bytes.set(data, bytes.length - data.length);
  return bytes;
}
