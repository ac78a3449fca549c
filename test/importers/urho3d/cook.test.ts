// `untold cook` of models of Urho3D: poses against the engine of the source, packages as folders, and the options.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { writeAnimation } from '../../../src/formats/urho3d/animation/write.ts';
import { apart, farthest, SHARES, tracks } from '../../animation/compare.ts';
import { enginePose } from '../../animation/engine.ts';
import { posedVertices } from '../../formats/urho3d/target/poses.ts';
import { untold } from '../../support/command.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { RED_PNG } from '../../support/squareGltf.ts';
import { limb, mdl, modelOf, wave } from './models.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MATERIAL = `<material><technique name="Techniques/PBR/PBRMetallicRoughDiffSpec.xml"/>
  <texture unit="diffuse" name="Textures/red.png"/></material>`;

function putData(): void {
  put(folder, 'Data/Models/Jack.mdl', Buffer.from(mdl(limb())));
  put(folder, 'Data/Models/Jack.txt', 'Materials/Jack.xml\nMaterials/Jack.xml\n');
  put(folder, 'Data/Materials/Jack.xml', MATERIAL);
  put(folder, 'Data/Textures/red.png', RED_PNG);
  put(folder, 'Data/Models/Wave.ani', Buffer.from(writeAnimation(wave())));
}
const bytes = (path: string) => new Uint8Array(readFileSync(join(folder, path)));
const cook = (...args: string[]) => untold(folder, ['cook', ...args, '--no-cache', '--textures', 'keep']);

test('a model with an animation stands in every pose as Urho3D poses it', async () => {
  putData();
  const done = await cook('Data/Models/Jack.mdl', '--animation', 'Data/Models/Wave.ani', '--out', 'out/jack.untold');
  expect([done.code, done.stderr.match(/UC\d{4}/g)]).toEqual([0, null]);
  expect((await untold(folder, ['validate', '--strict', 'out'])).code).toBe(0);
  const scene = await readUntold(bytes('out/jack.untold'), 'jack');
  const clip = (await readUntold(bytes('out/Animations/Wave/Wave.untoldanim'), 'Wave')).clips![0];
  expect(clip.duration).toBeCloseTo(2, 6);
  const model = modelOf(limb());
  const theirs = tracks(SHARES.map((share) => posedVertices(model, wave(), share * 2)));
  const ours = tracks(SHARES.map((share) => enginePose(scene, clip, share * 2)));
  const still = theirs.map((track) => track.map(() => track[0]));
  expect(Math.max(...theirs.map((track, i) => apart(track, still[i])))).toBeGreaterThan(0.5);
  expect(farthest(ours, theirs)).toBeLessThan(2e-4);
});

test('.mdl to .untold and back to .mdl keeps triangles, materials and bones', async () => {
  putData();
  expect(
    (await cook('Data/Models/Jack.mdl', '--animation', 'Data/Models/Wave.ani', '--out', 'a/jack.untold')).code,
  ).toBe(0);
  expect((await untold(folder, ['cook', 'a/jack.untold', '--out', 'b/jack.mdl', '--no-cache'])).code).toBe(0);
  const back = JSON.parse((await untold(folder, ['inspect', 'b/jack.mdl', '--json'])).stdout);
  const first = JSON.parse((await untold(folder, ['inspect', 'Data/Models/Jack.mdl', '--json'])).stdout);
  const facts = ({ totals }: { totals: Record<string, number> }) => [totals.triangles, totals.bones];
  expect(facts(back)).toEqual(facts(first));
  expect(readFileSync(join(folder, 'b/jack.txt'), 'utf8')).toMatch(/^Materials\/Jack/);
});

test.each([
  ['pak', []],
  ['pak', ['--compress']],
  ['bpx', ['--layout', 'spec']],
])('a model in a package (%s %j) is cooked as it is in a folder', async (kind, options) => {
  putData();
  expect((await untold(folder, ['pack', 'Data', '--out', `Data.${kind}`, ...options])).code).toBe(0);
  expect((await cook('Data/Models/Jack.mdl', '--out', 'a/jack.untold')).code).toBe(0);
  const packed = await cook(`Data.${kind}[Models/Jack.mdl]`, '--out', 'b/jack.untold', '--json');
  expect(packed.code).toBe(0);
  expect(bytes('b/jack.untold')).toEqual(bytes('a/jack.untold'));
  const [result] = (JSON.parse(packed.stdout) as { results: { source: string; filesRead: string[] }[] }).results;
  expect(result.source).toBe(`Data.${kind}/Models/Jack.mdl`);
  const shown = JSON.parse((await untold(folder, ['inspect', `Data.${kind}[Models/Jack.mdl]`, '--json'])).stdout);
  expect([shown.source, shown.type]).toEqual([`Data.${kind}/Models/Jack.mdl`, 'model']);
  const none = await cook(`Data.${kind}[Models/None.mdl]`, '--out', 'c/none.untold');
  expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('UC1200')]);
  expect((await cook(`Data.${kind}[../x.mdl]`, '--out', 'c/none.untold')).code).not.toBe(0);
  const whole = await cook(`Data.${kind}`, '--out', 'c/none.untold');
  expect([whole.code, whole.stderr]).toEqual([1, expect.stringMatching(/UC(1201|2496)[\s\S]*\[Models\/Jack\.mdl\]/)]);
});

test('a damaged package has the codes of its format, and names of the package stay in it', async () => {
  putData();
  expect((await untold(folder, ['pack', 'Data', '--out', 'Data.pak'])).code).toBe(0);
  const damaged = Buffer.from(bytes('Data.pak'));
  damaged[damaged.length - 20] ^= 1;
  put(folder, 'Bad.pak', damaged);
  const { code, stderr } = await cook('Bad.pak[Models/Jack.mdl]', '--out', 'a/jack.untold');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/UC395\d/)]);
});

test('--animation acts on models with bones in one file, which is said of all else', async () => {
  putData();
  put(folder, 'still.mdl', Buffer.from(mdl()));
  put(
    folder,
    'a.usda',
    '#usda 1.0\ndef Mesh "m" {\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\npoint3f[] points = [(0,0,0), (1,0,0), (0,1,0)]\n}\n',
  );
  for (const [source, out] of [
    ['still.mdl', 'o/still.untold'],
    ['Data/Models/Jack.mdl', 'o/tiles'],
    ['a.usda', 'o/a.untold'],
  ]) {
    const { code, stderr } = await cook(source, '--animation', 'Data/Models/Wave.ani', '--out', out);
    expect([source, code, stderr.includes('UC1015')]).toEqual([source, 0, true]);
  }
  const gone = await cook('Data/Models/Jack.mdl', '--animation', 'no.ani', '--out', 'o/x.untold');
  expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining('UC1200')]);
});

test('--animation takes a folder or a pattern, and clips of one inner name keep apart', async () => {
  putData();
  for (const name of ['Walk', 'Run', 'Sit']) {
    put(folder, `Data/Clips/${name}.ani`, Buffer.from(writeAnimation({ ...wave(), name: 'Take 001' })));
  }
  const clipsOf = async (word: string, out: string) => {
    const done = await cook('Data/Models/Jack.mdl', '--animation', word, '--out', `${out}/jack.untold`);
    expect([done.code, done.stderr.match(/^error.*/gm)]).toEqual([0, null]);
    return readdirSync(join(folder, out, 'Animations')).sort();
  };
  expect(await clipsOf('Data/Clips', 'a')).toEqual(['Run', 'Sit', 'Walk']);
  expect(await clipsOf('Data/Clips/[RS]*.ani', 'b')).toEqual(['Run', 'Sit']);
  const none = await cook('Data/Models/Jack.mdl', '--animation', 'Data/Clips/*.glb', '--out', 'c/jack.untold');
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('UC1004')]);
});

test('an unchanged model is not cooked again; another animation is', async () => {
  putData();
  const cached = async () => {
    const args = ['cook', 'Data/Models/Jack.mdl', '--animation', 'Data/Models/Wave.ani', '--out', 'o/jack.untold'];
    return (await untold(folder, [...args, '--cache-dir', 'cache', '--textures', 'keep'])).stderr;
  };
  await cached();
  expect(await cached()).toContain('up to date');
  const { tracks: moved, ...clip } = wave();
  put(folder, 'Data/Models/Wave.ani', Buffer.from(writeAnimation({ ...clip, tracks: [moved[0]] })));
  expect(await cached()).not.toContain('up to date');
});
