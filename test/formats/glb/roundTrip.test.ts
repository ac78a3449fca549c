// Sources cooked to GLB, and to .untold and from there to GLB: the same triangles, materials, poses and bytes; and read by
// gltf-transform.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer';
import { describe, expect, test } from 'vitest';
import { character } from '../../animation/characters.ts';
import { GltfPoses, partsOfGlb } from '../../animation/gltfPoses.ts';
import { buildGlb, type Json, TRIANGLE } from '../../importers/gltf/build.ts';
import {
  bytesOf,
  cook,
  expectSameTriangles,
  fileOf,
  folder,
  ofGlb,
  PNG,
  SAMPLES,
  toGlb,
  toUntold,
  useFolder,
} from './cooking.ts';
import { openGlb } from './glb.ts';

useFolder();

test('the courtyard has the same triangles as GLB, as .untold, and as GLB of that', async () => {
  await expectSameTriangles('courtyard', join(SAMPLES, 'courtyard.usdz'));
});

test('instances are nodes of one mesh, and gltf-transform reads the file, compressed or not', async () => {
  const meshes = [{ primitives: [TRIANGLE] }];
  const nodes = [0, 1, 2].map((i) => ({ mesh: 0, name: `n${i}`, translation: [i, 0, 0] }));
  writeFileSync(fileOf('three.glb'), buildGlb({ meshes, nodes }));
  await toGlb(fileOf('three.glb'), 'instances.glb');
  const { json } = openGlb(bytesOf('instances.glb'));
  expect(json.nodes.map(({ mesh, translation }: Json) => [mesh, translation ?? [0, 0, 0]])).toEqual([
    [0, [0, 0, 0]],
    [0, [1, 0, 0]],
    [0, [2, 0, 0]],
  ]);
  const source = join(SAMPLES, 'courtyard.usdz');
  await toGlb(source, 'plain.glb');
  await toGlb(source, 'packed.glb', { geometry: 'meshopt' });
  await MeshoptDecoder.ready;
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  const read = async (name: string) => (await io.readBinary(bytesOf(name))).getRoot();
  const [plain, packed] = [await read('plain.glb'), await read('packed.glb')];
  const facts = (root: typeof plain) => ({
    nodes: root.listNodes().map((node) => [node.getName(), node.getMesh()?.getName()]),
    positions: root.listMeshes().map((mesh) => [...mesh.listPrimitives()[0].getAttribute('POSITION')!.getArray()!]),
    images: root.listTextures().map((texture) => [texture.getMimeType(), texture.getSize()]),
  });
  expect(facts(packed)).toEqual(facts(plain));
  expect(bytesOf('packed.glb').length).toBeLessThan(bytesOf('plain.glb').length);
});

test('a set of tiles becomes one file with its full detail, lights and textures', async () => {
  const source = join(SAMPLES, 'courtyard.usdz');
  const bake = { instances: 'bake', flatten: true } as const;
  const set = { kind: 'folder', folder: join(folder, 'set'), sceneName: 'yard' } as const;
  await cook(source, set, { ...bake, tileSize: 5, lods: [0.5], hlod: 0.1 });
  await toGlb(join(folder, 'set/yard.json'), 'set.glb', bake);
  await toGlb(source, 'whole.glb', bake);
  const [tiles, whole] = [openGlb(bytesOf('set.glb')), openGlb(bytesOf('whole.glb'))];
  const area = (bytes: Uint8Array) => ofGlb(bytes).length;
  expect(area(bytesOf('set.glb'))).toBeGreaterThanOrEqual(area(bytesOf('whole.glb')));
  expect(tiles.json.images.length).toBe(whole.json.images.length);
  expect(tiles.json.extensions?.KHR_lights_punctual?.lights.length).toBe(
    whole.json.extensions?.KHR_lights_punctual?.lights.length,
  );
  expect(tiles.json.cameras?.length).toBe(whole.json.cameras?.length);
});

test('textures that were cooked for the GPU come back as PNG of their size', async () => {
  const source = join(SAMPLES, 'courtyard.usdz');
  await toUntold(source, 'utex.untold', { textures: { ...PNG, mode: 'utex', pot: 'keep' } });
  await toGlb(fileOf('utex.untold'), 'utex.glb');
  const { json } = openGlb(bytesOf('utex.glb'));
  expect(json.images.length).toBeGreaterThan(0);
  expect(new Set(json.images.map(({ mimeType }: { mimeType: string }) => mimeType))).toEqual(new Set(['image/png']));
});

describe('a character', () => {
  const SHARES = [0, 0.2, 0.5, 0.75, 1];

  /** The largest distance of a vertex from the nearest track of the other side, over all times. */
  function farthest(a: readonly number[][][], b: readonly number[][][]): number {
    let worst = 0;
    for (const v of a[0].keys()) {
      let nearest = Number.POSITIVE_INFINITY;
      for (const w of b[0].keys()) {
        const off = Math.max(...a.map((pose, t) => Math.hypot(...pose[v].map((x, k) => x - b[t][w][k]))));
        nearest = Math.min(nearest, off);
      }
      worst = Math.max(worst, nearest);
    }
    return worst;
  }

  const posesOf = (bytes: Uint8Array) => {
    const { json, bin } = partsOfGlb(bytes);
    const poses = new GltfPoses(json, bin);
    const [start, end] = poses.span(0);
    return SHARES.map((share) => poses.pose(0, start + share * (end - start)));
  };

  test('moves as its source does, from glTF and from the cooked model with its clips', async () => {
    const bytes = buildGlb(character());
    writeFileSync(fileOf('source.glb'), bytes);
    await toGlb(fileOf('source.glb'), 'hero.glb');
    await toUntold(fileOf('source.glb'), 'jack.untold');
    await toGlb(fileOf('jack.untold'), 'jack.glb');
    const theirs = posesOf(bytes);
    for (const name of ['hero.glb', 'jack.glb']) {
      const ours = posesOf(bytesOf(name));
      expect(farthest(ours, theirs)).toBeLessThan(1e-3);
      expect(farthest(theirs, ours)).toBeLessThan(1e-3);
    }
    const [hero, jack] = [openGlb(bytesOf('hero.glb')).json, openGlb(bytesOf('jack.glb')).json];
    expect(jack.animations.map(({ name }: { name: string }) => name)).toEqual(
      hero.animations.map(({ name }: { name: string }) => name),
    );
    // What stands above the joints is a node of the source, and part of the root joint of a model.
    const names = ({ nodes }: Json) =>
      nodes.map(({ name }: Json) => name).filter((name: string) => name !== 'Armature');
    expect(names(jack).sort()).toEqual(names(hero).sort());
  });

  test('stands still in tiles, which is said', async () => {
    writeFileSync(fileOf('still.glb'), buildGlb(character()));
    await toUntold(fileOf('still.glb'), 'still.untold');
    const { diagnostics } = await cook(fileOf('still.untold'), {
      kind: 'folder',
      folder: join(folder, 'still'),
      sceneName: 'still',
    });
    expect(diagnostics.map(({ code }) => code)).toContain('UC2400');
  });
});

test('an unlit material stays unlit, with its base colour', async () => {
  const source = fileOf('unlit.glb');
  const paint = {
    pbrMetallicRoughness: { baseColorFactor: [0.5, 0.25, 0, 1] },
    extensions: { KHR_materials_unlit: {} },
  };
  const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  writeFileSync(source, buildGlb({ meshes: [{ primitives: [{ positions, material: 0 }] }], materials: [paint] }));
  await toGlb(source, 'unlit-again.glb');
  const { json } = openGlb(bytesOf('unlit-again.glb'));
  expect(json.extensionsUsed).toEqual(['KHR_materials_unlit']);
  expect(json.materials).toMatchObject([
    { extensions: { KHR_materials_unlit: {} }, pbrMetallicRoughness: { baseColorFactor: [0.5, 0.25, 0, 1] } },
  ]);
  expect(json.materials[0].emissiveFactor).toBeUndefined();
});
