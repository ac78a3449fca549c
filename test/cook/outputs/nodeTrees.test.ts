// What files keep of node trees: names, parents, pivots and empty nodes, and that all is drawn where it was.

import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nodeTree } from '../../../src/cook/outputs/nodeTree.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { identity, multiply } from '../../../src/scene/matrix.ts';
import type { Mat4, Scene } from '../../../src/scene/types.ts';
import { bytesOf, cook, fileOf, toGlb, toUntold, useFolder } from '../../formats/glb/cooking.ts';
import { openGlb } from '../../formats/glb/glb.ts';
import { buildGlb, type SceneInput } from '../../importers/gltf/build.ts';
import { apart, box, drawn, namedNodes, PARENTS, PIVOTS, readScene, TOWN, worldError } from './treeScenes.ts';

useFolder();

/** Half a millimetre of float32 at ten metres is less. */
const ROUNDING = 1e-5;

function source(name: string, scene: SceneInput): string {
  writeFileSync(fileOf(name), buildGlb(scene));
  return fileOf(name);
}

/** A file has the tree, the pivots and the triangles of the source. */
async function expectTree(path: string, original: string): Promise<void> {
  const [scene, before] = [await readScene(path), await readScene(original)];
  const nodes = namedNodes(scene);
  for (const [name, pivot] of Object.entries(PIVOTS)) {
    const found = nodes.get(name);
    expect(found, name).toBeDefined();
    found?.pivot.forEach((value, k) => {
      expect(value, name).toBeCloseTo(pivot[k], 5);
    });
    expect([name, found?.parent]).toEqual([name, PARENTS[name]]);
  }
  expect(apart(await drawn(scene), await drawn(before))).toBeLessThan(ROUNDING);
  expect(worldError(scene)).toBeLessThan(ROUNDING);
}

describe('a house with a door and a car', () => {
  test.each(['untold', 'glb'])('keeps its tree through .%s and back', async (extension) => {
    const original = source(`town_${extension}.glb`, TOWN);
    const first = fileOf(`first.${extension}`);
    const settings = extension === 'glb' ? ({ format: 'glb' } as const) : {};
    const again = extension === 'glb' ? toGlb : toUntold;
    const { diagnostics } = await again(original, `first.${extension}`, settings);
    expect(diagnostics.map(({ code }) => code)).toEqual([]);
    await expectTree(first, original);
    await again(first, `second.${extension}`, settings);
    await expectTree(fileOf(`second.${extension}`), original);
    // From the other kind of file to this one.
    await toGlb(first, `back_${extension}.glb`);
    await expectTree(fileOf(`back_${extension}.glb`), original);
    // What was written once does not change any more.
    await again(fileOf(`second.${extension}`), `third.${extension}`, settings);
    expect((await readScene(fileOf(`third.${extension}`))).nodes.length).toBe(
      (await readScene(fileOf(`second.${extension}`))).nodes.length,
    );
  });

  test('has wheels of one stored mesh, whose scale is that of the source', async () => {
    const original = source('wheels.glb', TOWN);
    await toGlb(original, 'wheels_out.glb');
    const { json } = openGlb(bytesOf('wheels_out.glb'));
    const wheels = json.nodes.filter(({ name }: { name: string }) => name.startsWith('Wheel'));
    expect(wheels.map(({ mesh, scale }: { mesh: number; scale: number[] }) => [mesh, scale])).toEqual(
      Array.from({ length: 4 }, () => [wheels[0].mesh, [0.5, 0.5, 0.25]]),
    );
    await toUntold(original, 'wheels.untold');
    const { entities, meshes } = await readUntold(bytesOf('wheels.untold'), 'wheels');
    const records = entities.filter(({ name }) => name.startsWith('Wheel')).map(({ firstMesh }) => meshes[firstMesh]);
    expect(records.length).toBe(4);
    expect(new Set(records.map(({ vertices }) => vertices)).size).toBe(1);
  });

  test('stands flat with --flatten, and has no empty nodes', async () => {
    const original = source('flat.glb', TOWN);
    await toUntold(original, 'flat.untold', { flatten: true, instances: 'bake' });
    const { entities } = await readUntold(bytesOf('flat.untold'), 'flat');
    expect(entities.filter(({ meshCount }) => meshCount === 0)).toEqual([]);
    expect(new Set(entities.map(({ parent }) => parent)).size).toBe(1);
    expect(entities.every(({ localTransform }) => localTransform[12] === 0)).toBe(true);
    await toGlb(original, 'flat_out.glb', { flatten: true });
    expect(openGlb(bytesOf('flat_out.glb')).json.nodes.some(({ children }: { children?: number[] }) => children)).toBe(
      false,
    );
    const scenes = [await readScene(original), await readScene(fileOf('flat.untold'))];
    expect(apart(await drawn(scenes[0]), await drawn(scenes[1]))).toBeLessThan(ROUNDING);
  });
});

test('a pack keeps the tree of each model, and gets no deeper when it is cooked again', async () => {
  const original = source('pack.glb', TOWN);
  const target = (name: string) => {
    const path = fileOf(`${name}/town.untoldpack`);
    return { kind: 'file', path, shared: { folder: fileOf(`${name}/Textures`), uri: '../Textures/' } } as const;
  };
  await cook(original, target('pack'));
  await expectTree(target('pack').path, original);
  await cook(target('pack').path, target('again'));
  await expectTree(target('again').path, original);
  const counts = ['pack', 'again'].map(async (name) => (await readScene(target(name).path)).nodes.length);
  expect(await counts[1]).toBe(await counts[0]);
  await cook(original, target('flatpack'), { flatten: true });
  const { nodes } = await readScene(target('flatpack').path);
  expect(nodes.filter(({ name }) => name === 'Spawn')).toEqual([]);
});

describe('an empty node with a name is kept', () => {
  const meshes = [{ primitives: [box([0, 0, 0], [1, 2, 0.1])] }];
  const root = {
    cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1, zfar: 100, aspectRatio: 1 } }],
    extensionsUsed: ['KHR_lights_punctual'],
    extensions: { KHR_lights_punctual: { lights: [{ type: 'point' }] } },
  };
  test.each([
    ['an empty node without one', {}],
    ['a camera', { name: 'Below', camera: 0 }],
    ['a light', { name: 'Below', extensions: { KHR_lights_punctual: { light: 0 } } }],
  ])('above %s', async (_, below) => {
    const nodes = [{ name: 'Wall', mesh: 0 }, { name: 'Spot', translation: [1, 2, 3], children: [2] }, below];
    const original = source('above.glb', { meshes, nodes, root });
    await toGlb(original, 'above_out.glb');
    const kept = openGlb(bytesOf('above_out.glb')).json.nodes;
    // A GLB has what is below it, too.
    const spots = kept.filter(({ name }: { name: string }) => name === 'Spot');
    expect(spots).toEqual([{ name: 'Spot', translation: [1, 2, 3], children: [2] }]);
    expect(kept[2]).toEqual({ ...below, name: 'name' in below ? 'Below' : 'node' });
    await toUntold(original, 'above.untold');
    const { entities } = await readUntold(bytesOf('above.untold'), 'above');
    expect(entities.map(({ name }) => name)).toEqual(['Wall', 'Spot']);
  });
});

test('nodes below many left ones find their place in a few steps each', () => {
  const COUNT = 1000;
  let reads = 0;
  // Top, a chain of left nodes, and as many below the last of these.
  const nodes = Array.from({ length: 2 * COUNT + 1 }, (_, i) => ({
    name: `n${i}`,
    path: `nodes/${i}`,
    get parent() {
      reads++;
      return Math.min(i - 1, COUNT);
    },
    local: identity(),
    world: identity(),
    mesh: 0,
  }));
  const scene = { nodes, upAxis: 'Y', metersPerUnit: 1 } as unknown as Scene;
  const left = (node: number) => node > 0 && node <= COUNT;
  const drawn = new Set([0, ...nodes.keys()].filter((node) => !left(node)));
  const tree = nodeTree(scene, { drawn, left, keepsScale: true });
  expect(tree.map(({ parent }) => parent)).toEqual([-1, ...Array.from({ length: COUNT }, () => 0)]);
  expect(reads).toBeLessThan(20 * nodes.length);
});

describe('entities of a .untold file', () => {
  test('stand behind their parents, turned and moved alone, with the bounds of what is below', async () => {
    await toUntold(source('rules.glb', TOWN), 'rules.untold');
    const { entities } = await readUntold(bytesOf('rules.untold'), 'rules');
    const place = new Map(entities.map(({ id }, i) => [id, i]));
    for (const [i, { parent, localTransform: m, name }] of entities.entries()) {
      if (place.has(parent)) expect(place.get(parent)).toBeLessThan(i);
      const lengths = [0, 4, 8].map((c) => Math.hypot(m[c], m[c + 1], m[c + 2]));
      const [a, b, c] = name.startsWith('Wheel') ? [0.5, 0.5, 0.25] : [1, 1, 1];
      expect(lengths[0], name).toBeCloseTo(a, 6);
      expect(lengths[1], name).toBeCloseTo(b, 6);
      expect(lengths[2], name).toBeCloseTo(c, 6);
    }
    const car = entities.find(({ name }) => name === 'Car');
    expect(car?.meshCount).toBe(0);
    // The body reaches from -6 to -2; the wheels less far.
    expect([car?.worldBounds.min[0], car?.worldBounds.max[0]]).toEqual([-6, -2]);
    const spawn = entities.find(({ name }) => name === 'Spawn');
    expect(spawn?.worldBounds).toEqual({ min: [0, 0, 0], max: [0, 0, 0] });
  });

  test('are two where a lone mesh has a pivot: the engine gives a single one to the caller', async () => {
    const meshes = [{ name: 'Leaf', primitives: [box([0, 0, 0], [1, 2, 0.1])] }];
    await toUntold(
      source('lone.glb', { meshes, nodes: [{ name: 'Door', mesh: 0, translation: [3, 0, 0] }] }),
      'lone.untold',
    );
    const lone = await readUntold(bytesOf('lone.untold'), 'lone');
    expect(lone.entities.map(({ name, parent, localTransform }) => [name, parent, localTransform[12]])).toEqual([
      ['root', 0xffffffff, 0],
      ['Door', 0, 3],
    ]);
    await toUntold(source('origin.glb', { meshes, nodes: [{ name: 'Door', mesh: 0 }] }), 'origin.untold');
    const origin = await readUntold(bytesOf('origin.untold'), 'origin');
    expect(origin.entities.map(({ name, parent }) => [name, parent])).toEqual([['Door', 0xffffffff]]);
  });
});

describe('a .mdl of Urho3D', () => {
  const toModel = (from: string, name: string, settings: Parameters<typeof toUntold>[2] = {}) =>
    cook(from, { kind: 'file', path: fileOf(name) }, { format: 'urho3d', ...settings });

  /** Bones by name: where they stand at rest, and what is above. */
  const bones = ({ skeletons = [] }: Scene) =>
    new Map(
      skeletons.flatMap(({ joints, root }) => {
        const worlds: Mat4[] = [];
        return joints.map(({ name, parent, rest }, j) => {
          worlds[j] = multiply(parent < 0 ? root : worlds[parent], rest);
          return [name, { pivot: [...worlds[j].subarray(12, 15)], parent: joints[parent]?.name }] as const;
        });
      }),
    );

  test('has a bone for each node, which its meshes follow', async () => {
    const original = source('model.glb', TOWN);
    expect((await toModel(original, 'town.mdl')).diagnostics).toEqual([]);
    await toModel(fileOf('town.mdl'), 'town2.mdl');
    for (const name of ['town.mdl', 'town2.mdl']) {
      const scene = await readScene(fileOf(name), true);
      const found = bones(scene);
      for (const [bone, pivot] of Object.entries(PIVOTS)) {
        found.get(bone)?.pivot.forEach((value, k) => {
          expect(value, bone).toBeCloseTo(pivot[k], 5);
        });
        // A model has one root, above the house and the car.
        expect([bone, found.get(bone)?.parent]).toEqual([bone, PARENTS[bone] ?? 'Root']);
      }
      expect(apart(await drawn(await readScene(fileOf(name))), await drawn(await readScene(original)))).toBeLessThan(
        ROUNDING,
      );
      // Each vertex follows the bone of its node alone.
      const weighed = scene.meshes.flatMap(({ primitives }) => primitives.map(({ bound }) => bound?.read()));
      const rows = (await Promise.all(weighed)).flatMap((mesh) => [...(mesh?.skinning?.weights ?? [0.5])]);
      expect(new Set(rows)).toEqual(new Set([0, 1]));
    }
    await toModel(original, 'flat.mdl', { flatten: true });
    expect((await readScene(fileOf('flat.mdl'), true)).skeletons ?? []).toEqual([]);
  });

  test('of more than 64 nodes stands flat, which is said', async () => {
    const nodes = Array.from({ length: 65 }, (_, i) => ({ name: `n${i}`, mesh: 0, translation: [i, 0, 0] }));
    const many = source('many.glb', { meshes: [{ primitives: [box([0, 0, 0], [0.5, 1, 1])] }], nodes });
    const { diagnostics } = await toModel(many, 'many.mdl');
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['UC2469', 'it has 65 nodes, and 64 become bones at most'],
    ]);
    expect((await readScene(fileOf('many.mdl'), true)).skeletons ?? []).toEqual([]);
  });
});
