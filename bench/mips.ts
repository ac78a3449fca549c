// `npx tsx bench/mips.ts [SIDE]`: CPU time and memory of the levels of a square texture (2048 texels a side), for each role
// and filter, and how far each level is from one that is made from the image directly. Medians of several runs after one
// that is not counted; nothing here is a test.

import { Kernel } from '../src/kernel/kernel.ts';
import { mipChain, placeMipChain } from '../src/textures/mips/mipChain.ts';
import { placeImage } from '../src/textures/mips/place.ts';
import { resize } from '../src/textures/mips/resize.ts';
import type { MipImage, MipOptions, MipRole } from '../src/textures/mips/types.ts';

const RUNS = 7;
const side = Number(process.argv[2] ?? 2048);
const print = (line: string) => process.stdout.write(`${line}\n`);

function cpuSeconds(work: () => unknown): number {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const begin = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begin);
    if (run > 0) times.push((user + system) / 1e6);
  }
  return times.sort((a, b) => a - b)[RUNS >> 1];
}

/** Waves of many sizes with some noise; `alpha` of a texel's number. */
function picture(alpha: (i: number) => number): Uint8Array {
  const data = new Uint8Array(side * side * 4);
  let state = 1;
  for (let i = 0; i < side * side; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const grain = (state >>> 28) - 8;
    data[i * 4] = 120 + 90 * Math.sin(x / 40 + y / 300) + grain;
    data[i * 4 + 1] = 110 + 70 * Math.cos(y / 9) + grain;
    data[i * 4 + 2] = 128 + 100 * Math.sin((x * y) / 9000) + grain;
    data[i * 4 + 3] = alpha(i);
  }
  return data;
}

const opaque: MipImage = { width: side, height: side, data: picture(() => 255) };
const leaves: MipImage = { width: side, height: side, data: picture((i) => ((i >> 5) % 3 === 0 ? 255 : i % 64)) };
const heights: MipImage = { width: side, height: side, data: Uint16Array.from(opaque.data.subarray(0, side * side)) };
// Unit vectors, as a normal map has them.
const normals: MipImage = { width: side, height: side, data: opaque.data.slice() };
for (let at = 0; at < normals.data.length; at += 4) {
  const x = normals.data[at] / 255 - 0.5;
  const y = normals.data[at + 1] / 255 - 0.5;
  const vector = [x, y, Math.sqrt(1 - x * x - y * y)];
  for (let c = 0; c < 3; c++) normals.data[at + c] = Math.round(vector[c] * 127.5 + 127.5);
}

const plain: MipOptions = { filter: 'linear', alphaCutoff: null, roughness: null };
const lengths = mipChain(normals, 'normal', plain).normals!;
const rows: readonly (readonly [name: string, image: MipImage, role: MipRole, options: MipOptions])[] = [
  ['color, opaque', opaque, 'color', plain],
  ['color with alpha', leaves, 'color', plain],
  ['color, cut-out', leaves, 'color', { ...plain, alphaCutoff: 0.5 }],
  ['normal', normals, 'normal', plain],
  ['data', opaque, 'data', plain],
  ['data, rough', opaque, 'data', { ...plain, roughness: { channel: 1, normals: lengths } }],
  ['height', heights, 'height', plain],
  ['engine, opaque', opaque, 'color', { ...plain, filter: 'engine' }],
  ['engine with alpha', leaves, 'color', { ...plain, filter: 'engine' }],
  ['engine, height', heights, 'height', { ...plain, filter: 'engine' }],
];

print(`levels of ${side} x ${side}: CPU seconds, kernel memory as a multiple of the image as RGBA bytes`);
for (const [name, image, role, options] of rows) {
  const seconds = cpuSeconds(() => mipChain(image, role, options));
  const memory = new Kernel();
  const bytes = memory.within(() => {
    placeMipChain(memory, placeImage(memory, image, role), role, options);
    return memory.bytes;
  });
  print(`${name.padEnd(20)} ${seconds.toFixed(3)} s  ${(bytes / (side * side * 4)).toFixed(2)}`);
}

print('each level from the one before against each level from the image: color, opaque');
const { levels } = mipChain(opaque, 'color', plain);
const direct = () => levels.slice(1).map(({ width, height }) => resize(opaque, width, height, 'color'));
print(`from the image       ${cpuSeconds(direct).toFixed(3)} s`);
direct().forEach(({ width, height, bytes }, i) => {
  let squares = 0;
  let max = 0;
  bytes.forEach((byte, k) => {
    const apart = Math.abs(byte - levels[i + 1].bytes[k]);
    squares += apart * apart;
    max = Math.max(max, apart);
  });
  const noise = 10 * Math.log10((255 * 255 * width * height * 3) / Math.max(1e-9, squares));
  print(`${`${width} x ${height}`.padEnd(20)} ${noise.toFixed(1)} dB, at most ${max}`);
});
