// One broken mesh for every code of the chapter of Galileo files. Each is a sound one with one thing changed, and must give exactly
// the codes that stand beside it.

import { expect, test } from 'vitest';
import { GALILEO } from '../../../src/diagnostics/codes/output/galileo.ts';
import { validateGalileo } from '../../../src/formats/galileo/validate.ts';
import { type GalileoContent, writeGalileo } from '../../../src/formats/galileo/write.ts';
import { mesh, rehash, TRIANGLE } from './meshes.ts';

type Change = (view: DataView, file: Uint8Array) => Uint8Array | undefined;
type Case = [codes: string, what: string, change: Change, base?: GalileoContent];

const codesOf = async (bytes: Uint8Array) => (await validateGalileo(bytes, 'wall.gali')).map(({ code }) => code);

/** Where fields are: header from 0, manifest from 36, groups from 80. A slice of the triangle has 132 bytes. */
const MANIFEST = { extents: 48, groups: 60, extensions: 64, bufferSize: 68, next: 76 };
const group = (index: number, field: number) => 80 + index * 56 + field;
const GROUP = { center: 0, extents: 12, begin: 24, size: 32, indices: 40, vertices: 44, channels: 48, next: 52 };
/** In the file of one group. */
const SLICE = { indices: 136, positions: 148, normals: 184, tangents: 220 };

const put =
  (at: number, ...values: number[]): Change =>
  (view) => {
    for (const [i, value] of values.entries()) view.setUint32(at + i * 4, value, true);
    return undefined;
  };
const putFloat =
  (at: number, value: number): Change =>
  (view) => {
    view.setFloat32(at, value, true);
    return undefined;
  };
const all =
  (...changes: Change[]): Change =>
  (view, file) => {
    for (const change of changes) change(view, file);
    return undefined;
  };

const two = mesh([TRIANGLE, TRIANGLE]);
const skinned = mesh([
  {
    ...TRIANGLE,
    joints: [new Uint16Array(12)],
    weights: [Uint16Array.from({ length: 12 }, (_, i) => (i % 4 ? 0 : 65535))],
  },
]);
const extended = mesh([TRIANGLE], {
  extensions: [
    { name: 'first', version: 1, data: Uint8Array.of(1), next: 1 },
    { name: 'second', version: 1, data: Uint8Array.of(2), next: null },
  ],
  firstExtension: 0,
});
/** Entries of extensions follow the one group. */
const extension = (index: number, field: number) => 136 + index * 32 + field;

const cases: Case[] = [
  ['UC3500', 'another magic', (view) => void view.setUint8(3, 0x4a)],
  ['UC3500', 'an empty file', () => new Uint8Array(0)],
  ['UC3501', 'cut off inside the header', (_, file) => file.slice(0, 35)],
  ['UC3501', 'cut off inside the manifest', (_, file) => file.slice(0, 79)],
  ['UC3502', 'version 1', (view) => void view.setUint8(4, 1)],
  ['UC3514', 'a UUID of version 1', (view) => void view.setUint8(14, 0x16)],
  ['UC3514', 'a UUID of another variant', (view) => void view.setUint8(16, 0x48)],
  ['UC3500', 'an archive', put(24, 5)],
  ['UC3500', 'a type that is none', put(24, 99)],
  ['UC3501', 'a byte behind the end', (_, file) => Uint8Array.from([...file, 0])],
  ['UC3501', 'more groups than any file holds', put(MANIFEST.groups, 0xffffffff)],
  ['UC3501', 'more extensions than any file holds', put(MANIFEST.extensions, 0xffffffff)],
  ['UC3501', 'a buffer of 16 exabytes', put(MANIFEST.bufferSize, 0xffffffff, 0xffffffff)],
  ['UC3501 UC3530', 'a slice far beyond the buffer', put(group(0, GROUP.begin), 0, 1)],
  ['UC3501', 'more vertices than its slice holds', put(group(0, GROUP.vertices), 4)],
  ['UC3501', 'more vertices than any slice holds', put(group(0, GROUP.vertices), 0xffffffff)],
  ['UC3501', 'a channel that is not there', (view) => void view.setUint8(group(0, GROUP.channels), 1)],
  ['UC3510', 'a channel more than it says', (view) => void view.setUint8(group(0, GROUP.channels + 2), 0), skinned],
  ['UC3530 UC3510', 'two groups of the same bytes', put(group(1, GROUP.begin), 0), two],
  [
    'UC3530 UC3530',
    'groups in another order',
    all(put(group(0, GROUP.begin), 132), put(group(1, GROUP.begin), 0)),
    two,
  ],
  ['UC3513', 'an index beyond the vertices', put(SLICE.indices, 3)],
  ['UC3514', 'a position that is none', putFloat(SLICE.positions, Number.NaN)],
  ['UC3514', 'an infinite normal', all(putFloat(SLICE.normals, Number.POSITIVE_INFINITY))],
  ['UC3514', 'a tangent whose sign is none', putFloat(SLICE.tangents + 12, Number.NaN)],
  ['UC3514', 'an infinite box', putFloat(group(0, GROUP.extents), Number.POSITIVE_INFINITY)],
  ['UC3514', 'a short normal', putFloat(SLICE.normals + 8, 0.99)],
  ['UC3514', 'a long tangent', putFloat(SLICE.tangents, 1.01)],
  ['UC3514', 'a sign of 0', putFloat(SLICE.tangents + 12, 0)],
  ['UC3514', 'a box that does not hold its group', putFloat(group(0, GROUP.extents), 0.4)],
  ['UC3514', 'a box that is wider than the mesh', putFloat(MANIFEST.extents, 0.6)],
  [
    'UC3514',
    'a weight of a vertex too little',
    (view, file) => void view.setUint16(file.length - 8, 65534, true),
    skinned,
  ],
  ['UC3513 UC3530 UC3530', 'a mesh that leads to an extension too many', put(MANIFEST.next, 3), extended],
  ['UC3513', 'an extension that leads beyond the table', put(extension(1, 28), 9), extended],
  [
    'UC3513 UC3530 UC3530',
    'an extension of no chain that leads beyond the table',
    all(put(MANIFEST.next, 0), put(extension(0, 28), 9)),
    extended,
  ],
  ['UC3513', 'an extension that leads to itself', put(extension(1, 28), 2), extended],
  ['UC3514', 'a name of no letter', put(extension(0, 0), 0, 0), extended],
  ['UC3514', 'a letter behind the end of a name', (view) => void view.setUint8(extension(0, 15), 0x41), extended],
  ['UC3514', 'a letter that is not of ASCII', (view) => void view.setUint8(extension(0, 0), 0xe4), extended],
  ['UC3501', 'data behind the buffer', put(extension(0, 20), 135), extended],
  ['UC3510', 'channels of no extension', (view) => void view.setUint8(group(0, GROUP.channels + 3), 1)],
  ['UC3530 UC3530', 'a mesh without its chain', put(MANIFEST.next, 0), extended],
  ['UC3532', 'a triangle turned round', put(SLICE.indices, 0, 2, 1)],
];

test.each<Case>(cases)('%s: %s', async (codes, _, change, base = mesh()) => {
  const file = await writeGalileo(base);
  const result = change(new DataView(file.buffer), file) ?? file;
  expect(await codesOf(result.length < 36 ? result : await rehash(result))).toEqual(codes.split(' '));
});

test('UC3505: a byte of the buffer that has changed', async () => {
  const file = await writeGalileo(skinned);
  file[file.length - 25] ^= 1;
  expect(await codesOf(file)).toEqual(['UC3505']);
});

test('UC3530: a slice that is not aligned', async () => {
  const odd = { ...TRIANGLE, extensionChannels: 1, extensionAttributes: Uint8Array.of(1, 2, 3), firstExtension: 0 };
  const file = await writeGalileo(mesh([odd, TRIANGLE], { extensions: extended.extensions }));
  expect(await codesOf(file)).toEqual(['UC3530']);
});

test('a small file with channels of no vertices does not make an array for each', async () => {
  const file = new Uint8Array(80 + 56 * 2000);
  file.set(await writeGalileo(mesh()).then((bytes) => bytes.subarray(0, 80)));
  const view = new DataView(file.buffer);
  view.setUint32(60, 2000, true);
  view.setUint32(68, 0, true);
  for (let i = 0; i < 2000; i++) file.fill(255, 80 + i * 56 + 48, 80 + i * 56 + 52);
  const codes = new Set(await codesOf(await rehash(file)));
  expect([...codes]).toEqual(['UC3510']);
});

test('the chapter has a broken mesh for each code', () => {
  const shown = new Set([...cases.flatMap(([codes]) => codes.split(' ')), 'UC3505', 'UC3510', 'UC3530']);
  expect([...shown].sort()).toEqual(Object.keys(GALILEO).sort());
});
