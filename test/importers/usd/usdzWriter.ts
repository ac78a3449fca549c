// Writes USDZ packages for tests.

import { crc32 } from '../../../src/bytes/crc32.ts';

const TEXT = new TextEncoder();

/** A stored zip with every file at a multiple of 64 bytes (USDZ specification, "Layout"). */
export function usdz(files: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  const put = (bytes: Uint8Array) => {
    parts.push(bytes);
    at += bytes.length;
  };
  for (const [name, content] of files) {
    const nameBytes = TEXT.encode(name);
    const header = at;
    const padding = 4 + ((64 - ((at + 30 + nameBytes.length + 4) % 64)) % 64);
    const common = (view: DataView, o: number) => {
      view.setUint16(o, 20, true);
      view.setUint32(o + 10, crc32(content), true);
      view.setUint32(o + 14, content.length, true);
      view.setUint32(o + 18, content.length, true);
      view.setUint16(o + 22, nameBytes.length, true);
    };
    const local = new DataView(new ArrayBuffer(30));
    local.setUint32(0, 0x04034b50, true);
    common(local, 4);
    local.setUint16(28, padding, true);
    const extra = new DataView(new ArrayBuffer(padding));
    extra.setUint16(0, 0x1986, true);
    extra.setUint16(2, padding - 4, true);
    put(new Uint8Array(local.buffer));
    put(nameBytes);
    put(new Uint8Array(extra.buffer));
    put(content);
    const central = new DataView(new ArrayBuffer(46));
    central.setUint32(0, 0x02014b50, true);
    central.setUint16(4, 20, true);
    common(central, 6);
    central.setUint32(42, header, true);
    directory.push(new Uint8Array(central.buffer), nameBytes);
  }
  const start = at;
  for (const part of directory) put(part);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(12, at - start, true);
  end.setUint32(16, start, true);
  put(new Uint8Array(end.buffer));
  const out = new Uint8Array(at);
  let o = 0;
  for (const part of parts) {
    out.set(part, o);
    o += part.length;
  }
  return out;
}
