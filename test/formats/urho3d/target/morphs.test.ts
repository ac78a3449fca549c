// Morphs of models: what is written for targets of other sources, and that a model comes back as it was.

import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Model, Morph } from '../../../../src/formats/urho3d/model/layout.ts';
import { readModel } from '../../../../src/formats/urho3d/model/read.ts';
import { vertexColumn } from '../../../../src/formats/urho3d/model/vertices.ts';
import { writeModel } from '../../../../src/formats/urho3d/model/write.ts';
import { Morphs, morphDeltas } from '../../../../src/formats/urho3d/target/morphs.ts';
import { limb, modelOf } from '../../../importers/urho3d/models.ts';
import { untold } from '../../../support/command.ts';
import { put, temporaryFolder } from '../../../support/files.ts';

const HEAD = resolve(import.meta.dirname, '../../../../samples/glb/head.glb');

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const f32 = (...values: number[]) => Float32Array.from(values);
const deltas = (vertex: number[], position: number[], normal: number[] | null = null): Morph['buffers'][number] => ({
  vertexBuffer: 0,
  deltas: {
    vertex: Uint32Array.from(vertex),
    position: f32(...position),
    normal: normal && f32(...normal),
    tangent: null,
  },
});

/** The limb with two morphs; the second moves vertices that both geometries share. */
const MORPHED = modelOf({
  ...limb(),
  morphs: [
    { name: 'Up', buffers: [deltas([8, 11], [0, 0.5, 0, 0, 0.25, -0.125], [0, 0, 1, 0.5, 0, 0])] },
    { name: 'Wide', buffers: [deltas([4, 5, 6, 7], [-1, 0, 0, 1, 0, 0, 1, 0, 0.5, -1, 0, 0.5])] },
  ],
});
const read = (path: string): Model => readModel(new Uint8Array(readFileSync(join(folder, path))), path);

/** By name of a morph, what it adds at each place: each once, however often the vertex is stored. */
function movesOf({ morphs, vertexBuffers }: Model): Record<string, string[]> {
  const words = (values: ArrayLike<number> | null, row: number) =>
    values === null ? '-' : [0, 1, 2].map((k) => Math.round(values[row * 3 + k] * 1000) / 1000 + 0).join(' ');
  const moves = morphs.map(({ name, buffers }) => {
    const found = buffers.flatMap(({ vertexBuffer, deltas: { vertex, position, normal } }) => {
      const places = vertexColumn(vertexBuffers[vertexBuffer], 'position')!.values;
      return [...vertex].map((v, row) => `${words(places, v)} | ${words(position, row)} | ${words(normal, row)}`);
    });
    return [name, [...new Set(found)].sort()] as const;
  });
  return Object.fromEntries(moves);
}

const cook = async (...args: string[]) => {
  const { code, stderr } = await untold(folder, ['cook', ...args, '--no-cache']);
  return [code, [...new Set(stderr.match(/UC\d{4}/g) ?? [])]] as const;
};

test('a model comes back as it was, from itself, from .untold and from GLB', async () => {
  put(folder, 'a.mdl', Buffer.from(writeModel(MORPHED)));
  put(folder, 'a.txt', 'a.xml\nb.xml\n');
  for (const name of ['a', 'b'])
    put(folder, `${name}.xml`, '<material><technique name="Techniques/PBR/PBRNoTexture.xml"/></material>');
  const before = movesOf(MORPHED);
  expect(Object.values(before).map(({ length }) => length)).toEqual([2, 4]);
  for (const [source, out] of [
    ['a.mdl', 'own/a.mdl'],
    ['a.mdl', 'file/a.untold'],
    ['file/a.untold', 'back/a.mdl'],
    ['a.mdl', 'file/a.glb'],
    ['file/a.glb', 'glb/a.mdl'],
  ]) {
    expect([out, await cook(source, '--out', out)]).toEqual([out, [0, []]]);
  }
  for (const path of ['own/a.mdl', 'back/a.mdl', 'glb/a.mdl']) {
    const after = read(path);
    expect([path, movesOf(after)]).toEqual([path, before]);
    // All vertices may move, and the box has room for where they go.
    expect(after.vertexBuffers.map(({ morphCount, vertexCount }) => morphCount === vertexCount)).not.toContain(false);
    expect(after.box[4]).toBeGreaterThanOrEqual(2.5);
    expect(after.bones.length).toBe(2);
  }
  const picture = (morphs: string[]) => untold(folder, ['render', 'own/a.mdl', '--out', 'a.png', ...morphs]);
  expect((await picture(['--morph', 'Wide=1'])).code).toBe(0);
  expect((await picture(['--morph', 'None=1'])).code).not.toBe(0);
});

test('targets of a GLB become morphs of their names, and --morphs none leaves them out', async () => {
  expect(await cook(HEAD, '--morphs', 'all', '--out', 'head/head.mdl')).toEqual([0, []]);
  expect(await cook(HEAD, '--morphs', 'all', '--out', 'head/head.glb')).toEqual([0, []]);
  expect(await cook('head/head.glb', '--morphs', 'all', '--out', 'again/head.mdl')).toEqual([0, []]);
  const { morphs } = read('head/head.mdl');
  expect(morphs.length).toBeGreaterThan(0);
  const [first, again] = ['head/head.mdl', 'again/head.mdl'].map((path) => movesOf(read(path)));
  expect(Object.keys(again)).toEqual(Object.keys(first));
  for (const [name, moves] of Object.entries(first)) {
    const parts = (all: readonly string[]) => all.map((move) => move.split(' | '));
    const [before, after] = [parts(moves), parts(again[name])];
    expect(after.map((part) => part.slice(0, 2))).toEqual(before.map((part) => part.slice(0, 2)));
    // The head smiles a little at rest, and one length is known for all normals of a point, of which some points have several.
    for (const [i, part] of before.entries()) {
      const [a, b] = [part[2], after[i][2]].map((words) => words.split(' ').map(Number));
      if (part[2] === '-') expect(after[i][2]).toBe('-');
      else expect(Math.hypot(...a.map((value, k) => value - b[k]))).toBeLessThan(0.005);
    }
  }
  expect((await cook(HEAD, '--morphs', 'none', '--out', 'none/head.mdl'))[0]).toBe(0);
  expect(read('none/head.mdl').morphs).toEqual([]);
});

test('deltas are mirrored at Z, and stand at each vertex of their point', () => {
  const target = { name: 'Smile', weight: 0, vertices: Uint32Array.of(2, 5), positions: f32(1, 2, 3, 4, 5, 6) };
  // Vertices 0 and 3 are point 5, vertex 1 is point 2, and nothing moves vertex 2.
  const [smile, ...others] = morphDeltas(Uint32Array.of(5, 2, 0, 5), [
    { ...target, normals: f32(0, 0, 1, 1, 0, 0) },
    { ...target, name: 'Nothing', vertices: Uint32Array.of(9, 10), normals: null },
  ]);
  expect([others, smile.name]).toEqual([[], 'Smile']);
  expect(smile.deltas).toEqual({
    vertex: Uint32Array.of(0, 1, 3),
    position: f32(4, 5, -6, 1, 2, -3, 4, 5, -6),
    normal: f32(1, 0, 0, 0, 0, -1, 1, 0, 0),
    tangent: null,
  });
});

test('of two meshes with one name, one without normals, there is one morph', () => {
  const morphs = new Morphs();
  morphs.add('A', 0, deltas([1], [1, 0, 0]).deltas);
  morphs.add('A', 0, deltas([7], [0, 1, 0], [0, 0, 1]).deltas);
  morphs.add('A', 1, deltas([0], [0, 0, 1]).deltas);
  expect([morphs.move(0), morphs.move(1), morphs.move(2)]).toEqual([true, true, false]);
  const [{ name, buffers }] = morphs.list();
  expect([name, buffers.map(({ vertexBuffer }) => vertexBuffer)]).toEqual(['A', [0, 1]]);
  expect(buffers[0].deltas).toEqual({
    vertex: Uint32Array.of(1, 7),
    position: f32(1, 0, 0, 0, 1, 0),
    normal: f32(0, 0, 0, 0, 0, 1),
    tangent: null,
  });
  expect(buffers[1].deltas.normal).toBeNull();
});
