// `--target`: what it says beside the name of the output, what targets refuse, and cooked files as sources.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Document } from '@gltf-transform/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { character } from '../animation/characters.ts';
import { partsOfGlb } from '../animation/gltfPoses.ts';
import { reader } from '../formats/glb/differ.ts';
import { expectValid, issuesOf } from '../formats/glb/khronos.ts';
import { buildGlb, type Json } from '../importers/gltf/build.ts';
import { untold } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

const COURTYARD = resolve(import.meta.dirname, '../../samples/courtyard.usdz');

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'square.gltf'), squareGltf());
  writeFileSync(join(folder, 'hero.glb'), buildGlb(character()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cook = (...args: string[]) => untold(folder, ['cook', ...args, '--no-cache']);
const headOf = (name: string) => readFileSync(join(folder, name)).subarray(0, 6).toString('latin1');

test('the name of the output says what is written', async () => {
  expect(await cook('square.gltf', '--out', 'a.glb')).toMatchObject({ code: 0 });
  expect(headOf('a.glb').startsWith('glTF')).toBe(true);
  expect(await cook('square.gltf', '--out', 'a.untold')).toMatchObject({ code: 0 });
  expect(headOf('a.untold')).toBe('UNTOLD');
  expect((await cook('square.gltf', '--target', 'glb', '--out', 'b.glb', '--meshopt')).code).toBe(0);
  expect(readFileSync(join(folder, 'b.glb')).includes('EXT_meshopt_compression')).toBe(true);
  expect((await cook('square.gltf', '--out-each', 'each/{name}.glb')).code).toBe(0);
  expect(readdirSync(join(folder, 'each'))).toEqual(['square.glb']);
  expect((await untold(folder, ['validate', 'a.glb', 'b.glb', 'each/square.glb'])).code).toBe(0);
});

test.each([
  [['--target', 'glb', '--out', 'tiles'], '--target', 'give --out FILE.glb'],
  [['--target', 'glb', '--dry-run'], '--target', 'give --out FILE.glb'],
  [['--target', 'untold', '--out', 'x.glb'], '--target', '--out names a .glb file'],
  [['--target', 'glb', '--out', 'x.untold'], '--target', '--out names a .untold file'],
  [['--out', 'x.mdl', '--optimize'], '--optimize', 'no meaning with --target urho3d'],
  [['--out', 'x.glb', '--textures', 'utex'], '--textures', 'keep, png, webp or ktx2'],
  [['--out', 'x.untold', '--textures', 'webp'], '--textures', 'utex, png or keep'],
  [['--out', 'x.untold', '--textures', 'ktx2'], '--textures', 'utex, png or keep'],
  [['--out', 'x.mdl', '--textures', 'ktx2'], '--textures', 'give --textures png'],
  [['--out', 'x.glb', '--compress', 'lz4'], '--compress', 'give --compress none, meshopt, quantize or draco'],
  [['--out', 'x.untold', '--compress', 'meshopt'], '--compress', 'give --compress lz4, none, lz4-fast or zstd'],
  [['--out', 'x.mdl', '--compress', 'none'], '--compress', 'no meaning with --target urho3d'],
  [['--out', 'x.glb', '--compress', 'quantize', '--meshopt'], '--meshopt', 'give one of them'],
  [['--out', 'x.glb', '--format-version', '2'], '--format-version', 'no meaning with --target glb'],
  [['--out', 'x.glb', '--textures-dir', 'T'], '--textures-dir', 'no meaning with --target glb'],
  [['--out', 'x.untold', '--meshopt'], '--meshopt', 'no meaning with --target untold'],
])('%j is refused', async (args, option, words) => {
  const { code, stderr } = await cook('square.gltf', ...args);
  expect(code).toBe(2);
  expect(stderr).toContain('UC1012');
  expect(stderr).toContain(option);
  expect(stderr).toContain(words);
  expect(existsSync(join(folder, 'x.glb'))).toBe(false);
});

describe('--compress of a GLB', () => {
  test('meshopt is the same as --meshopt, and loses nothing', async () => {
    expect((await cook(COURTYARD, '--out', 'one.glb', '--meshopt')).code).toBe(0);
    expect((await cook(COURTYARD, '--out', 'two.glb', '--compress', 'meshopt')).code).toBe(0);
    expect((await cook(COURTYARD, '--out', 'none.glb', '--compress', 'none')).code).toBe(0);
    const [one, two, none] = ['one.glb', 'two.glb', 'none.glb'].map((name) => readFileSync(join(folder, name)));
    expect(one.equals(two)).toBe(true);
    expect(two.includes('EXT_meshopt_compression')).toBe(true);
    expect(two.length).toBeLessThan(none.length);
    const io = await reader();
    // The encoder of indices begins each triangle at a corner that it chooses.
    const turned = (values: number[]) =>
      Array.from({ length: values.length / 3 }, (_, t) => values.slice(t * 3, t * 3 + 3)).flatMap((corners) => {
        const first = corners.indexOf(Math.min(...corners));
        return [...corners.slice(first), ...corners.slice(0, first)];
      });
    const [packed, plain] = [await io.readBinary(two), await io.readBinary(none)].map((document) =>
      document
        .getRoot()
        .listMeshes()
        .flatMap((mesh) => mesh.listPrimitives())
        .map((primitive) => [
          ...primitive.listAttributes().map((accessor) => [...accessor.getArray()!]),
          turned([...primitive.getIndices()!.getArray()!]),
        ]),
    );
    expect(packed).toEqual(plain);
  });

  test('quantize keeps positions, turns normals by less than half a degree, and the file is valid', async () => {
    expect((await cook('hero.glb', '--out', 'small.glb', '--compress', 'quantize')).code).toBe(0);
    expect((await cook('hero.glb', '--out', 'whole.glb')).code).toBe(0);
    const [small, whole] = ['small.glb', 'whole.glb'].map((name) => readFileSync(join(folder, name)));
    expect(small.length).toBeLessThan(whole.length);
    expect((await untold(folder, ['validate', 'small.glb'])).code).toBe(0);
    expect(await issuesOf(small)).toEqual(new Map());
    const io = await reader();
    const of = (document: Document, name: string) =>
      document.getRoot().listMeshes()[0].listPrimitives()[0].getAttribute(name)!;
    const [a, b] = [await io.readBinary(whole), await io.readBinary(small)];
    expect([...of(b, 'POSITION').getArray()!]).toEqual([...of(a, 'POSITION').getArray()!]);
    let [worst, sums] = [0, 0];
    for (let v = 0; v < of(a, 'NORMAL').getCount(); v++) {
      const [x, y] = [of(a, 'NORMAL'), of(b, 'NORMAL')].map((accessor) => accessor.getElement(v, []));
      const cosine = x.reduce((sum, value, k) => sum + value * y[k], 0) / Math.hypot(...y);
      worst = Math.max(worst, Math.acos(Math.min(1, cosine)));
      sums = Math.max(
        sums,
        Math.abs(
          of(b, 'WEIGHTS_0')
            .getElement(v, [])
            .reduce((sum, value) => sum + value, 0) - 1,
        ),
      );
    }
    expect((worst * 180) / Math.PI).toBeLessThan(0.5);
    expect(sums).toBeLessThan(1e-6);
    expect(of(b, 'JOINTS_0').getArray()).toBeInstanceOf(Uint8Array);
  });

  test.each([
    ['a building with textures', COURTYARD, 0.55],
    ['a skinned mesh', 'hero.glb', 0.7],
  ])(
    'draco moves no vertex of %s by more than half a step of 14 bits, and the file is smaller',
    async (_, source, share) => {
      expect((await cook(source, '--out', 'plain.glb')).code).toBe(0);
      for (const name of ['draco.glb', 'again.glb'])
        expect((await cook(source, '--out', name, '--compress', 'draco')).code).toBe(0);
      const [plain, draco, again] = ['plain.glb', 'draco.glb', 'again.glb'].map((name) =>
        readFileSync(join(folder, name)),
      );
      expect(again.equals(draco)).toBe(true);
      expect(draco.length).toBeLessThan(plain.length * share);
      await expectValid(draco);
      expect((await untold(folder, ['validate', 'draco.glb'])).code).toBe(0);
      const io = await reader();
      const trianglesOf = (document: Document) =>
        document
          .getRoot()
          .listMeshes()
          .map((mesh) => {
            const [primitive] = mesh.listPrimitives();
            const [positions, normals] = ['POSITION', 'NORMAL'].map((name) => primitive.getAttribute(name)!);
            const corners = [...primitive.getIndices()!.getArray()!];
            const rows = corners.map((v) => [positions.getElement(v, []), normals.getElement(v, [])]);
            return { rows, min: positions.getMin([]), max: positions.getMax([]) };
          });
      const [a, b] = [trianglesOf(await io.readBinary(plain)), trianglesOf(await io.readBinary(draco))];
      expect(b.map(({ rows }) => rows.length)).toEqual(a.map(({ rows }) => rows.length));
      for (const [m, { rows, min, max }] of a.entries()) {
        const half = (0.5 * Math.max(...max.map((most, k) => most - min[k]))) / (2 ** 14 - 1);
        for (const [position, normal] of b[m].rows) {
          const off = rows.map(([p, n]) => {
            const cosine = n.reduce((sum, value, k) => sum + value * normal[k], 0);
            return cosine > Math.cos(Math.PI / 360)
              ? Math.max(...p.map((value, k) => Math.abs(value - position[k])))
              : 1e9;
          });
          expect(Math.min(...off)).toBeLessThanOrEqual(half * 1.01);
        }
      }
      // And it is a source.
      expect((await cook('draco.glb', '--out', 'back.glb', '--force')).code).toBe(0);
      expect(trianglesOf(await io.readBinary(readFileSync(join(folder, 'back.glb')))).length).toBe(a.length);
    },
  );

  test('draco leaves a mesh with morph targets as it is', async () => {
    const shape = (x: number) => ({ POSITION: [x, 0, 0, x + 1, 0, 0, x, 2, 0], NORMAL: [0, 0, 1, 0, 0, 1, 0, 0, 1] });
    const targets = [{ POSITION: [0, 0, 0.3, 0, 0, 0.1, 0, 0, 0.2] }];
    const scene = {
      meshes: [
        { name: 'Still', primitives: [{ attributes: shape(0.1), indices: [0, 1, 2] }] },
        { name: 'Smile', primitives: [{ attributes: shape(5.1), indices: [0, 1, 2], targets }], weights: [0] },
      ],
      nodes: [
        { mesh: 0, name: 'still' },
        { mesh: 1, name: 'smile' },
      ],
    };
    writeFileSync(join(folder, 'morph.glb'), buildGlb(scene));
    expect((await cook('morph.glb', '--out', 'packed.glb', '--compress', 'draco')).code).toBe(0);
    const bytes = readFileSync(join(folder, 'packed.glb'));
    await expectValid(bytes);
    const { json } = partsOfGlb(bytes);
    expect(json.extensionsRequired).toEqual(['KHR_draco_mesh_compression']);
    const isPacked = Object.fromEntries(
      json.meshes.map(({ name, primitives: [{ extensions = {} }] }: Json) => [
        name,
        'KHR_draco_mesh_compression' in extensions,
      ]),
    );
    expect(isPacked).toEqual({ Still: true, Smile: false });
    const smile = (await (await reader()).readBinary(bytes))
      .getRoot()
      .listMeshes()
      .find((mesh) => mesh.getName() === 'Smile')!;
    const [primitive] = smile.listPrimitives();
    expect([...primitive.getAttribute('POSITION')!.getArray()!]).toEqual(shape(5.1).POSITION.map(Math.fround));
    expect([...primitive.listTargets()[0].getAttribute('POSITION')!.getArray()!]).toEqual(
      targets[0].POSITION.map(Math.fround),
    );
  });
});

test('--compress lz4-fast writes the same geometry in blocks of the same kind, larger ones', async () => {
  const sizes: Record<string, number> = {};
  const meshes: unknown[] = [];
  for (const how of ['none', 'lz4', 'lz4-fast']) {
    expect((await cook(COURTYARD, '--out', `${how}.untold`, '--compress', how, '--force')).code).toBe(0);
    const file = new Uint8Array(readFileSync(join(folder, `${how}.untold`)));
    const described = JSON.parse((await untold(folder, ['inspect', `${how}.untold`, '--json'])).stdout);
    const chunks: { name: string; compression: string; compressedSize: number }[] = described.chunks;
    const [chunk] = chunks.filter(({ name }) => name === 'vertexData');
    expect(chunk.compression).toBe(how === 'none' ? 'none' : 'lz4');
    sizes[how] = chunk.compressedSize;
    meshes.push((await readUntold(file, how)).meshes.map(({ vertices, indices }) => [vertices, indices]));
  }
  expect(meshes[1]).toEqual(meshes[0]);
  expect(meshes[2]).toEqual(meshes[0]);
  expect(sizes.lz4).toBeLessThan(sizes['lz4-fast']);
  expect(sizes['lz4-fast']).toBeLessThan(sizes.none);
});

test('an unknown target is refused', async () => {
  expect(await cook('square.gltf', '--target', 'obj', '--out', 'x')).toMatchObject({ code: 2 });
});

test('a GLB of another program is not replaced without --force, one of ours is', async () => {
  writeFileSync(join(folder, 'mine.glb'), readFileSync(join(folder, 'hero.glb')));
  const { code, stderr } = await cook('square.gltf', '--out', 'mine.glb');
  expect([code !== 0, stderr.includes('--force')]).toEqual([true, true]);
  expect(readFileSync(join(folder, 'mine.glb'))).toEqual(readFileSync(join(folder, 'hero.glb')));
  expect((await cook('square.gltf', '--out', 'mine.glb', '--force')).code).toBe(0);
  expect((await cook('square.gltf', '--out', 'mine.glb')).code).toBe(0);
});

test('a model becomes .untold with clips beside it, and from there a GLB that holds them', async () => {
  mkdirSync(join(folder, 'model'));
  expect((await cook('hero.glb', '--out', 'model/jack.untold')).code).toBe(0);
  expect(existsSync(join(folder, 'model/Animations'))).toBe(true);
  expect((await cook('model/jack.untold', '--target', 'glb', '--out', 'model/jack.glb')).code).toBe(0);
  const text = readFileSync(join(folder, 'model/jack.glb')).toString('latin1');
  expect(text).toContain('"animations":[');
  // The clips of the model that is called alike stay.
  expect(readdirSync(join(folder, 'model/Animations')).length).toBeGreaterThan(0);
  const [clip] = readdirSync(join(folder, 'model/Animations'));
  const named = await cook(`model/Animations/${clip}/${clip}.untoldanim`, '--out', 'x.glb');
  expect([named.code, named.stderr.includes('UC2402')]).toEqual([1, true]);
});

test('a set becomes a GLB, and a damaged one ends in its own codes', async () => {
  expect((await cook('square.gltf', '--out', 'set')).code).toBe(0);
  expect((await cook('set/square.json', '--out', 'set.glb')).code).toBe(0);
  expect((await cook('set/square.json', '--out', 'set2.glb', '--scene', '1')).stderr).toContain('UC1015');
  const [tile] = readdirSync(join(folder, 'set/square')).filter((name) => name.endsWith('.untold'));
  writeFileSync(join(folder, 'set/square', tile), 'UNTOLD\0\0');
  expect((await cook('set/square.json', '--out', 'set3.glb')).code).toBe(1);
});

test('every GLB that was written is valid', async () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.glb') && name !== 'hero.glb',
  );
  expect(names).toEqual(expect.arrayContaining(['a.glb', 'b.glb', join('model', 'jack.glb'), 'set.glb']));
  for (const name of names) await expectValid(new Uint8Array(readFileSync(join(folder, name))));
});

test('a GLB is drawn, but not compared', async () => {
  expect((await untold(folder, ['render', 'a.glb', '--out', 'a.png'])).code).toBe(0);
  const { code, stderr } = await untold(folder, ['diff', 'a.glb', 'a.glb']);
  expect([code !== 0, stderr.includes('UC5000')]).toEqual([true, true]);
});
