// A writer of OpenEXR files for the tests: rows and tiles, every compression that the reader takes, every sample type. Written
// from the published layout; the packers are the other direction of the readers, not their code.

import { deflateSync } from 'node:zlib';

export const COMPRESSIONS = ['none', 'rle', 'zips', 'zip', 'piz', 'pxr24'] as const;
export type Compression = (typeof COMPRESSIONS)[number];
const ROWS: Readonly<Record<Compression, number>> = { none: 1, rle: 1, zips: 1, zip: 16, piz: 32, pxr24: 16 };

export interface ExrPlane {
  readonly name: string;
  /** 0 uint, 1 half, 2 float. */
  readonly type: number;
  /** Of half the bits, of others the value. */
  value(x: number, y: number): number;
}

export interface ExrOptions {
  readonly width: number;
  readonly height: number;
  readonly compression: Compression;
  /** In the order of their names. */
  readonly planes: readonly ExrPlane[];
  /** x0, y0, x1, y1 of the window that is shown; the stored one otherwise. */
  readonly display?: readonly number[];
  readonly origin?: readonly [number, number];
  readonly tile?: readonly [number, number];
  readonly flags?: number;
  /** Replaces the packed chunk. */
  readonly pack?: (rows: Buffer) => Buffer;
  /** The number of the compression in the header. */
  readonly code?: number;
}

const size = (type: number): number => (type === 1 ? 2 : 4);

function i32(...values: number[]): Buffer {
  const out = Buffer.alloc(values.length * 4);
  values.forEach((v, i) => {
    out.writeInt32LE(v | 0, i * 4);
  });
  return out;
}

const attribute = (name: string, type: string, data: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${name}\0${type}\0`), i32(data.length), data]);

/** Rows of samples: in each row channel after channel. */
function rowsOf(planes: readonly ExrPlane[], x0: number, y0: number, width: number, height: number): Buffer {
  const out = Buffer.alloc(width * height * planes.reduce((sum, p) => sum + size(p.type), 0));
  let at = 0;
  for (let y = y0; y < y0 + height; y++) {
    for (const plane of planes) {
      for (let x = x0; x < x0 + width; x++) {
        const v = plane.value(x, y);
        if (plane.type === 1) out.writeUInt16LE(v, at);
        else if (plane.type === 2) out.writeFloatLE(v, at);
        else out.writeUInt32LE(v, at);
        at += size(plane.type);
      }
    }
  }
  return out;
}

function predicted(rows: Buffer): Buffer {
  const half = Math.ceil(rows.length / 2);
  const split = Buffer.alloc(rows.length);
  rows.forEach((byte, i) => {
    split[i % 2 === 0 ? i / 2 : half + (i - 1) / 2] = byte;
  });
  return Buffer.from(split.map((byte, i) => (i === 0 ? byte : (byte - split[i - 1] + 128) & 255)));
}

function runs(bytes: Buffer): Buffer {
  const out: number[] = [];
  for (let i = 0; i < bytes.length; ) {
    let run = 1;
    while (run < 127 && i + run < bytes.length && bytes[i + run] === bytes[i]) run++;
    // A count below zero means stored bytes.
    if (run > 2) out.push(run - 1, bytes[i]);
    else out.push(256 - run, ...bytes.subarray(i, i + run));
    i += run;
  }
  return Buffer.from(out);
}

function pxr24(rows: Buffer, planes: readonly ExrPlane[], width: number, height: number): Buffer {
  const out: number[] = [];
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (const { type } of planes) {
      const kept = type === 1 ? 2 : type === 2 ? 3 : 4;
      const line: number[][] = Array.from({ length: kept }, () => []);
      let last = 0;
      for (let x = 0; x < width; x++) {
        let v = type === 1 ? rows.readUInt16LE(at) : rows.readUInt32LE(at);
        if (type === 2) v >>>= 8;
        const difference = v - last;
        last = v;
        for (let k = 0; k < kept; k++) line[k].push((difference >> (8 * (kept - 1 - k))) & 255);
        at += size(type);
      }
      out.push(...line.flat());
    }
  }
  return deflateSync(Buffer.from(out));
}

// PIZ ---------------------------------------------------------------------------------------------------------------

function wave(data: Uint16Array, at: number, nx: number, ox: number, ny: number, oy: number, max: number): void {
  const isSmall = max < 1 << 14;
  const signed = (v: number) => (v << 16) >> 16;
  const code = (a: number, b: number): [number, number] => {
    if (isSmall) return [((signed(a) + signed(b)) >> 1) & 0xffff, (signed(a) - signed(b)) & 0xffff];
    const offset = (a + 0x8000) & 0xffff;
    let mean = (offset + b) >> 1;
    const difference = offset - b;
    if (difference < 0) mean = (mean + 0x8000) & 0xffff;
    return [mean, difference & 0xffff];
  };
  const swap = (p: number, q: number): void => {
    [data[p], data[q]] = code(data[p], data[q]);
  };
  for (let p = 1, p2 = 2; p2 <= Math.min(nx, ny); p = p2, p2 *= 2) {
    let y = 0;
    for (; y + p2 <= ny; y += p2) {
      let x = 0;
      for (; x + p2 <= nx; x += p2) {
        const a = at + y * oy + x * ox;
        swap(a, a + p * ox);
        swap(a + p * oy, a + p * oy + p * ox);
        swap(a, a + p * oy);
        swap(a + p * ox, a + p * oy + p * ox);
      }
      if (nx & p) swap(at + y * oy + x * ox, at + (y + p) * oy + x * ox);
    }
    if (!(ny & p)) continue;
    for (let x = 0; x + p2 <= nx; x += p2) swap(at + y * oy + x * ox, at + y * oy + (x + p) * ox);
  }
}

/** Lengths of a Huffman code by repeatedly joining the two rarest trees. */
function codeLengths(counts: ReadonlyMap<number, number>): Map<number, number> {
  let trees = [...counts].map(([symbol, count]) => ({ count, symbols: [symbol] }));
  const lengths = new Map([...counts.keys()].map((symbol) => [symbol, 0]));
  while (trees.length > 1) {
    trees.sort((a, b) => a.count - b.count || a.symbols[0] - b.symbols[0]);
    const [a, b, ...rest] = trees;
    for (const symbol of [...a.symbols, ...b.symbols]) lengths.set(symbol, (lengths.get(symbol) ?? 0) + 1);
    trees = [...rest, { count: a.count + b.count, symbols: [...a.symbols, ...b.symbols] }];
  }
  return lengths;
}

function huffman(data: Uint16Array): Buffer {
  const counts = new Map<number, number>();
  for (const v of data) counts.set(v, (counts.get(v) ?? 0) + 1);
  const first = Math.min(...counts.keys());
  const repeat = Math.max(...counts.keys()) + 1;
  counts.set(repeat, 1);
  const lengths = codeLengths(counts);
  // Canonical codes, from the longest.
  const codes = new Map<number, bigint>();
  let code = 0n;
  for (let length = 58; length > 0; length--) {
    for (const symbol of [...lengths.keys()].sort((a, b) => a - b)) {
      if (lengths.get(symbol) === length) codes.set(symbol, code++);
    }
    code >>= 1n;
  }
  const put = (bits: string[], value: number | bigint, count: number) =>
    bits.push(value.toString(2).padStart(count, '0'));
  const table: string[] = [];
  for (let symbol = first; symbol <= repeat; ) {
    const length = lengths.get(symbol);
    if (length !== undefined) {
      put(table, length, 6);
      symbol++;
      continue;
    }
    let run = 1;
    while (run < 261 && !lengths.has(symbol + run)) run++;
    if (run >= 6) {
      put(table, 63, 6);
      put(table, run - 6, 8);
    } else if (run >= 2) put(table, 59 + run - 2, 6);
    else put(table, 0, 6);
    symbol += run;
  }
  const body: string[] = [];
  const symbolOf = (symbol: number) => put(body, codes.get(symbol) ?? 0n, lengths.get(symbol) ?? 0);
  for (let i = 0; i < data.length; ) {
    let run = 0;
    while (run < 255 && i + run + 1 < data.length && data[i + run + 1] === data[i]) run++;
    symbolOf(data[i]);
    if (run > 3) {
      symbolOf(repeat);
      put(body, run, 8);
      i += run;
    }
    i++;
  }
  const bytesOf = (bits: string) =>
    Buffer.from(bits.match(/.{1,8}/g)?.map((b) => Number.parseInt(b.padEnd(8, '0'), 2)) ?? []);
  const packedTable = bytesOf(table.join(''));
  const bits = body.join('');
  return Buffer.concat([i32(first, repeat, packedTable.length, bits.length, 0), packedTable, bytesOf(bits)]);
}

function piz(rows: Buffer, planes: readonly ExrPlane[], width: number, height: number): Buffer {
  const sizes = planes.map(({ type }) => size(type) / 2);
  const data = new Uint16Array(rows.length / 2);
  let at = 0;
  for (let y = 0; y < height; y++) {
    let begin = 0;
    for (const words of sizes) {
      for (let i = 0; i < width * words; i++, at += 2) data[begin + y * width * words + i] = rows.readUInt16LE(at);
      begin += width * height * words;
    }
  }
  const bitmap = Buffer.alloc(8192);
  for (const v of data) if (v !== 0) bitmap[v >> 3] |= 1 << (v & 7);
  const used = [...bitmap.keys()].filter((i) => bitmap[i] !== 0);
  const [first, last] = used.length ? [used[0], used[used.length - 1]] : [8191, 0];
  const numbers = new Uint16Array(65536);
  let count = 1;
  for (let v = 1; v < 65536; v++) if (bitmap[v >> 3] & (1 << (v & 7))) numbers[v] = count++;
  data.forEach((v, i) => {
    data[i] = numbers[v];
  });
  let begin = 0;
  for (const words of sizes) {
    for (let word = 0; word < words; word++) wave(data, begin + word, width, words, height, width * words, count - 1);
    begin += width * height * words;
  }
  const head = Buffer.alloc(4);
  head.writeUInt16LE(first, 0);
  head.writeUInt16LE(last, 2);
  const coded = huffman(data);
  return Buffer.concat([head, bitmap.subarray(first, last + 1), i32(coded.length), coded]);
}

function packed(rows: Buffer, o: ExrOptions, width: number, height: number): Buffer {
  if (o.pack) return o.pack(rows);
  const bytes = {
    none: () => rows,
    rle: () => runs(predicted(rows)),
    zips: () => deflateSync(predicted(rows)),
    zip: () => deflateSync(predicted(rows)),
    piz: () => piz(rows, o.planes, width, height),
    pxr24: () => pxr24(rows, o.planes, width, height),
  }[o.compression]();
  return bytes.length < rows.length ? bytes : rows;
}

export function exr(o: ExrOptions): Uint8Array {
  const { width, height, tile } = o;
  const [x0, y0] = o.origin ?? [0, 0];
  const list = Buffer.concat([
    ...o.planes.map(({ name, type }) => Buffer.concat([Buffer.from(`${name}\0`), i32(type, 0, 1, 1)])),
    Buffer.of(0),
  ]);
  const window = i32(x0, y0, x0 + width - 1, y0 + height - 1);
  const head = Buffer.concat([
    Buffer.of(0x76, 0x2f, 0x31, 0x01),
    i32(2 | (tile ? 0x200 : 0) | (o.flags ?? 0)),
    attribute('channels', 'chlist', list),
    attribute('compression', 'compression', Buffer.of(o.code ?? COMPRESSIONS.indexOf(o.compression))),
    attribute('dataWindow', 'box2i', window),
    attribute('displayWindow', 'box2i', o.display ? i32(...o.display) : window),
    attribute('lineOrder', 'lineOrder', Buffer.of(0)),
    ...(tile ? [attribute('tiles', 'tiledesc', Buffer.concat([i32(...tile), Buffer.of(0)]))] : []),
    Buffer.of(0),
  ]);
  const [across, down] = tile ?? [width, ROWS[o.compression]];
  const chunks: Buffer[] = [];
  for (let y = 0; y < height; y += down) {
    for (let x = 0; x < width; x += across) {
      const [w, h] = [Math.min(across, width - x), Math.min(down, height - y)];
      const data = packed(rowsOf(o.planes, x, y, w, h), o, w, h);
      const place = tile ? i32(x / across, y / down, 0, 0) : i32(y0 + y);
      chunks.push(Buffer.concat([place, i32(data.length), data]));
    }
  }
  const table = Buffer.alloc(chunks.length * 8);
  let at = head.length + table.length;
  chunks.forEach((chunk, i) => {
    table.writeBigUInt64LE(BigInt(at), i * 8);
    at += chunk.length;
  });
  return Buffer.concat([head, table, ...chunks]);
}
