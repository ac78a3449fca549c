// `untold cook` of scenes of Urho3D: triangles, skeletons, clips, lights and cameras in `.untold`, GLB and tiles, in poses of the
// engine of the source, and scenes that this program wrote.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { writeAnimation } from '../../../src/formats/urho3d/animation/write.ts';
import { identity, transformPoint } from '../../../src/scene/matrix.ts';
import { farthest, SHARES, tracks } from '../../animation/compare.ts';
import { enginePose } from '../../animation/engine.ts';
import { trianglesOf } from '../../cook/cooked.ts';
import { posedVertices } from '../../formats/urho3d/target/poses.ts';
import { untold } from '../../support/command.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { limb, mdl, modelOf, wave } from './models.ts';

const COURTYARD = resolve(import.meta.dirname, '../../../samples/courtyard.usdz');

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'Data/Models/Square.mdl', Buffer.from(mdl()));
  put(folder, 'Data/Models/Limb.mdl', Buffer.from(mdl(limb())));
  // Exporters call the animation of every file so.
  for (const name of ['Walk', 'Run'])
    put(folder, `Data/Clips/${name}.ani`, Buffer.from(writeAnimation({ ...wave(), name: 'Take 001' })));
  put(folder, 'Data/Materials/Red.xml', '<material><technique name="Techniques/PBR/PBRNoTexture.xml"/></material>');
  put(folder, 'Data/Objects/Sign.xml', `<node>${attribute('Name', 'Sign')}${model('StaticModel', 'Square')}</node>`);
  put(
    folder,
    'Data/Scenes/Town.xml',
    `<scene><node>${attribute('Name', 'Walker')}${attribute('Position', '1 2 3')}${attribute('Rotation', '0.5 0.5 0.5 0.5')}
      ${attribute('Scale', '2 2 2')}${model('AnimatedModel', 'Limb')}
      <node>${attribute('Name', 'Arm')}${attribute('Position', '0 0 0.1')}<node>${attribute('Name', 'Held')}${SIGN}</node></node></node>
      <node>${attribute('Position', '0 0 5')}${SIGN}</node>
      <node>${attribute('Name', 'Lamp')}<component type="Light">${attribute('Light Type', 'Directional')}</component></node>
      <node>${attribute('Name', 'Eye')}<component type="Camera"/></node></scene>`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const attribute = (name: string, value: string) => `<attribute name="${name}" value="${value}"/>`;
const model = (type: string, name: string) =>
  `<component type="${type}">${attribute('Model', `Model;Models/${name}.mdl`)}${attribute('Material', 'Material;Materials/Red.xml;Materials/Red.xml')}</component>`;
const SIGN = `<component type="PrefabReference">${attribute('Prefab', 'PrefabResource;Objects/Sign.xml')}</component>`;
const bytes = (path: string) => new Uint8Array(readFileSync(join(folder, path)));

async function cook(...args: string[]) {
  const { code, stderr } = await untold(folder, ['cook', ...args, '--no-cache']);
  return [code, [...new Set(stderr.match(/UC\d{4}/g) ?? [])]];
}

/** Where the walker's node puts a point: scaled, turned by a third about (1, 1, 1), moved, and mirrored at Z. */
function walkerWorld(): Float64Array {
  const world = identity();
  // Of Urho3D, x is turned to y, y to z, and z to x; the mirror of both sides negates one of row and column Z.
  world.set([0, 2, 0, 0, 0, 0, -2, 0, -2, 0, 0, 0, 1, 2, -3, 1]);
  return world;
}

test('what moves stands in every pose as Urho3D poses it, where its node stands', async () => {
  const done = await cook(
    'Data/Scenes/Town.xml',
    '--animation',
    'Data/Clips',
    '--animate-nodes',
    '--out',
    'a/t.untold',
  );
  expect(done).toEqual([0, []]);
  expect(readdirSync(join(folder, 'a/Animations')).sort()).toEqual(['Run', 'Walk']);
  expect((await untold(folder, ['validate', '--strict', 'a'])).code).toBe(0);
  const scene = await readUntold(bytes('a/t.untold'), 't');
  expect([scene.lights?.length, scene.cameras?.length, trianglesOf(scene).length]).toEqual([1, 1, 16 + 2 + 2]);
  expect(scene.materials.map(({ name }) => name)).toEqual(['Red']);
  // The sign in the hand is a joint of its own.
  expect(scene.skeletons?.map(({ joints }) => joints.map(({ path }) => path))).toEqual([
    ['/Arm', '/Arm/Fore', '/Arm/Held'],
  ]);
  const clip = (await readUntold(bytes('a/Animations/Walk/Walk.untoldanim'), 'Walk')).clips![0];
  const world = walkerWorld();
  const source = modelOf(limb());
  const theirs = tracks(
    SHARES.map((share) =>
      posedVertices(source, wave(), share * 2).map((p) => [...transformPoint(world, p as [number, number, number])]),
    ),
  );
  const all = (share: number) => enginePose(scene, clip, share * 2);
  // The limb is one mesh: what is held and the sign are squares of four vertices.
  const limbs = scene.meshes.flatMap(({ name, vertexCount }) => Array(vertexCount).fill(name === 'Limb'));
  const ours = tracks(SHARES.map((share) => all(share).filter((_, i) => limbs[i])));
  expect(ours.length).toBe(12);
  expect(farthest(ours, theirs)).toBeLessThan(3e-4);
});

test('motion below a scale that differs by axis is named', async () => {
  const one = `<node>${attribute('Scale', '1 2 1')}${model('AnimatedModel', 'Limb')}</node>`;
  put(folder, 'Data/Objects/Tall.xml', one);
  expect(await cook('Data/Objects/Tall.xml', '--out', 'c/tall.untold')).toEqual([0, []]);
  expect(await cook('Data/Objects/Tall.xml', '--animation', 'Data/Clips/Run.ani', '--out', 'c/tall.untold')).toEqual([
    0,
    ['UC2488'],
  ]);
});

test('a GLB has the same triangles, skin and clips; tiles stand still', async () => {
  expect(
    await cook('Data/Scenes/Town.xml', '--animation', 'Data/Clips', '--animate-nodes', '--out', 'b/t.glb'),
  ).toEqual([0, []]);
  const glb = bytes('b/t.glb');
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  expect(json.animations.map(({ name }: { name: string }) => name).sort()).toEqual(['Run', 'Walk']);
  expect(json.skins.length).toBeGreaterThan(0);
  const shown = JSON.parse((await untold(folder, ['inspect', 'b/t.glb', '--json'])).stdout);
  expect(shown.totals.triangles).toBe(20);
  mkdirSync(join(folder, 'tiles'));
  expect(await cook('Data/Scenes/Town.xml', '--out', 'tiles')).toEqual([0, ['UC2453']]);
  expect((await untold(folder, ['validate', '--strict', 'tiles'])).code).toBe(0);
});

test('a set for Urho3D is a source again: the triangles of its tiles, its lights and cameras', async () => {
  expect((await cook(COURTYARD, '--target', 'urho3d', '--tile-size', '5', '--out', 'set'))[0]).toBe(0);
  expect((await cook('set/Scenes/courtyard.xml', '--out', 'back/yard.untold'))[0]).toBe(0);
  expect((await cook(COURTYARD, '--out', 'yard.untold'))[0]).toBe(0);
  const [back, first] = [
    await readUntold(bytes('back/yard.untold'), 'back'),
    await readUntold(bytes('yard.untold'), 'yard'),
  ];
  const near = (a: number[], b: number[]) => a.every((value, i) => Math.abs(value - b[i]) < 1e-3);
  const light = ({ lights = [] }: typeof back) => lights.map(({ name }) => name).sort();
  expect(light(back)).toEqual(light(first));
  const eyes = ({ cameras = [] }: typeof back) => cameras.map(({ name }) => name).sort();
  expect(eyes(back)).toEqual(eyes(first));
  const area = (scene: typeof back) =>
    trianglesOf(scene).reduce((sum, { corners: [a, b, c] }) => {
      const [u, v] = [b, c].map(({ position }) => position.map((value, k) => value - a.position[k]));
      return sum + Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
    }, 0);
  expect(near([area(back)], [area(first)])).toBe(true);
});
