// One broken texture for every code of the chapter of .utex files. Each is a sound one with one thing changed, and must give
// exactly the codes that stand beside it.

import { describe, expect, test } from 'vitest';
import { UTEX } from '../../../src/diagnostics/codes/output/utex.ts';
import { UTEX_FLAGS } from '../../../src/formats/utex/layout.ts';
import { validateUtex } from '../../../src/formats/utex/validate.ts';
import { randomWords } from '../../kernel/astcBlocks.ts';
import { BAKED, FORMAT, solidBlock, texture } from './textures.ts';

/** Changes a file in place, or gives another one. */
type Change = (view: DataView, file: Uint8Array) => unknown;

const codesOf = (file: Uint8Array) => validateUtex(file, 'wall.utex').map(({ code }) => code);

/** A texture of 20 by 12 texels with 5 mips: 15, 6, 2, 1 and 1 blocks from byte 144 on. */
const sound = () => texture(FORMAT.astc4x4Srgb);
const word =
  (at: number, value: number): Change =>
  (view) =>
    view.setUint32(at, value, true);
const mip = (level: number, field: number) => 64 + level * 16 + field;
const PAYLOAD = 64 + 5 * 16;

test.each(BAKED)('what the baker of the engine writes for %s has nothing wrong with it', (_, file) => {
  expect(codesOf(file)).toEqual([]);
});

type Case = [codes: string, what: string, change: Change, base?: Uint8Array];

const cases: Case[] = [
  ['UC3300', 'another magic', (view) => view.setUint8(3, 0x59)],
  ['UC3300', 'an empty file', () => new Uint8Array(0)],
  ['UC3301', 'cut off inside the header', (_, file) => file.slice(0, 63)],
  ['UC3301', 'cut off inside the table of mips', (_, file) => file.slice(0, PAYLOAD - 1)],
  ['UC3302', 'version 2', word(8, 2)],
  ['UC3303', 'no mip', word(24, 0)],
  ['UC3303', '33 mips', word(24, 33)],
  ['UC3303', 'more mips than any file holds', word(24, 0xffffffff)],
  // 191 is a hole between two footprints; 187 is 5x4, with other blocks.
  ['UC3303', 'a pixel format that is none', word(28, 191)],
  ['UC3303', 'BC7', word(28, 152)],
  ['UC3303', 'blocks of 4x5', (view) => view.setUint8(33, 5)],
  ['UC3303', 'blocks without a size', (view) => view.setUint8(32, 0)],
  ['UC3303', 'blocks in a format without', (view) => view.setUint8(32, 4), texture(FORMAT.r16Unorm)],
  ['UC3306 UC3303', 'no width', word(16, 0)],
  ['UC3306 UC3303 UC3335', 'more texels than a GPU takes', word(20, 16385)],
  ['UC3303 UC3301 UC3330', 'a payload that begins in the header', word(36, 48)],
  ['UC3301', 'the last mip beyond the file', (_, file) => file.slice(0, file.length - 1)],
  ['UC3301', 'the last padding beyond the file', (_, file) => file.slice(0, file.length - 1), texture(FORMAT.r16Unorm)],
  ['UC3301 UC3303 UC3303', 'a mip far beyond the file', word(mip(4, 0), 0xfffffff0)],
  ['UC3303 UC3301 UC3303 UC3303 UC3303 UC3303 UC3303', 'a mip larger than all', word(mip(0, 4), 0xfffffff0)],
  ['UC3303 UC3330', 'a last mip of half a block', word(mip(4, 4), 8)],
  ['UC3303 UC3303', 'a first mip of one block less', word(mip(0, 4), 14 * 16)],
  ['UC3303', 'a second mip of odd size', word(mip(1, 8), 9)],
  ['UC3303', 'one texel after one texel', (view, file) => oneMore(view, file)],
  ['UC3303', 'a header of another width', word(16, 21)],
  ['UC3303 UC3301', 'a mip that is not aligned', word(mip(4, 0), 24 * 16 - 8)],
  ['UC3303 UC3303', 'a mip in the bytes of another', word(mip(4, 0), 23 * 16)],
  ['UC3303 UC3303', 'two mips in each other’s place', swapMips],
  ['UC3303 UC3303', 'a hole before the last mip', (view, file) => hole(view, file)],
  [
    'UC3301 UC3303 UC3330',
    'a payload without its last bytes',
    word(40, 24 * 16 + 8),
    texture(FORMAT.astc4x4Srgb, { mips: 5 }),
  ],
  ['UC3301', 'a reserved block in the second mip', (_, file) => file.fill(0, PAYLOAD + 16 * 16, PAYLOAD + 17 * 16)],
  ['UC3330', 'a byte of the first reserve', (view) => view.setUint8(35, 1)],
  ['UC3330', 'a byte of the last reserve', (view) => view.setUint8(63, 1)],
  ['UC3330', 'a fourth flag', word(12, 8)],
  ['UC3332', 'premultiplied alpha', word(12, UTEX_FLAGS.premultipliedAlpha)],
  ['UC3330', 'a byte behind the end', (_, file) => Uint8Array.from([...file, 0])],
  // The third mip has 5 by 3 texels of 2 bytes: 30, and 2 of padding.
  [
    'UC3330',
    'padding that is not 0',
    (_, file) => file.fill(1, PAYLOAD + 480 + 128 + 30, PAYLOAD + 480 + 128 + 31),
    texture(FORMAT.r16Unorm),
  ],
  ['UC3335', 'a chain without its end', () => texture(FORMAT.astc4x4Srgb, { mips: 4 })],
  ['UC3335', 'one mip of a format that is no LUT', () => texture(FORMAT.astc4x4Srgb, { mips: 1 })],
  ['UC3336', 'packed normals in sRGB', word(12, UTEX_FLAGS.normalPackedXY)],
  ['UC3336', 'packed normals in grey', word(12, UTEX_FLAGS.normalPackedXY), texture(FORMAT.r16Unorm)],
  [
    'UC3330',
    'a number that is none',
    (view, file) => view.setUint16(file.length - 8, 0x7e00, true),
    texture(FORMAT.rgba16Float, { width: 4, height: 4, mips: 1 }),
  ],
];

/** Mips 3 and 4, of one block each, change places. */
function swapMips(view: DataView): void {
  view.setUint32(mip(3, 0), 24 * 16, true);
  view.setUint32(mip(4, 0), 23 * 16, true);
}

/** A sixth mip of one block after the fifth of one texel. */
function oneMore(view: DataView, file: Uint8Array): Uint8Array {
  const out = new Uint8Array(file.length + 32);
  out.set(file.subarray(0, PAYLOAD));
  out.set(file.subarray(PAYLOAD), PAYLOAD + 16);
  out.set(solidBlock(0, 0, 0, 255), out.length - 16);
  const changed = new DataView(out.buffer);
  const size = view.getUint32(40, true);
  for (const [at, value] of [
    [24, 6],
    [36, PAYLOAD + 16],
    [40, size + 16],
    [mip(5, 0), size],
    [mip(5, 4), 16],
    [mip(5, 8), 1],
    [mip(5, 12), 1],
  ]) {
    changed.setUint32(at, value, true);
  }
  return out;
}

/** 16 bytes more before the last mip. */
function hole(view: DataView, file: Uint8Array): Uint8Array {
  const out = new Uint8Array(file.length + 16);
  out.set(file.subarray(0, file.length - 16));
  out.set(file.subarray(file.length - 16), out.length - 16);
  const changed = new DataView(out.buffer);
  changed.setUint32(mip(4, 0), 25 * 16, true);
  changed.setUint32(40, view.getUint32(40, true) + 32, true);
  return new Uint8Array([...out, ...Array(16).fill(0)]);
}

test.each<Case>(cases)('%s: %s', (codes, _, change, base = sound()) => {
  const file = base.slice();
  const result = change(new DataView(file.buffer), file);
  expect(codesOf(result instanceof Uint8Array ? result : file)).toEqual(codes.split(' '));
});

describe('the chapter', () => {
  test('has a broken texture for each code of a texture alone', () => {
    const shown = new Set(cases.flatMap(([codes]) => codes.split(' ')));
    const own = Object.keys(UTEX).filter((code) => code < 'UC3350');
    expect(own.filter((code) => !shown.has(code))).toEqual([]);
  });

  test('names the file and the place of a finding', () => {
    const [item] = validateUtex(sound().fill(0, PAYLOAD + 16 * 16, PAYLOAD + 17 * 16), 'wall.utex');
    expect(item).toMatchObject({ file: 'wall.utex', path: 'mips/1', severity: 'error' });
    expect(item.message).toBe('ASTC block that no LDR decoder takes: block 1, 0 at byte 16 of the mip');
  });
});

test('damage of any kind is reported and never thrown', () => {
  const next = randomWords(2026);
  const bases = [sound(), texture(FORMAT.r16Unorm), texture(FORMAT.rgba16Float)];
  let damaged = 0;
  for (let i = 0; i < 3000; i++) {
    const file = bases[i % 3].slice(0, i % 5 === 0 ? next() % bases[i % 3].length : undefined);
    for (let k = 0; k <= next() % 4 && file.length > 0; k++) file[next() % Math.min(file.length, 160)] = next() >>> 9;
    damaged += validateUtex(file, 'f').some(({ severity }) => severity === 'error') ? 1 : 0;
  }
  expect(damaged).toBeGreaterThan(2000);
});
