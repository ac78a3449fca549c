// Models with clips through the command line: where clips lie, whose they are, and which are written.

import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { turn } from '../animation/arithmetic.ts';
import { character, type Key, WALK } from '../animation/characters.ts';
import { buildGlb, type SceneInput } from '../importers/gltf/build.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A character with several clips of these names. */
function hero(...names: string[]): Uint8Array {
  const scene = character() as SceneInput & { root: { animations: object[] } };
  const [walk] = scene.root.animations;
  return buildGlb({ ...scene, root: { ...scene.root, animations: names.map((name) => ({ ...walk, name })) } });
}

const cook = (...args: string[]) => untold(folder, ['cook', 'hero.glb', '--no-cache', ...args]);
const clips = () => (existsSync(join(folder, 'Animations')) ? readdirSync(join(folder, 'Animations')).sort() : []);
const nameOf = async (clip: string) => {
  const path = join(folder, 'Animations', clip, `${clip}.untoldanim`);
  return (await readUntold(new Uint8Array(readFileSync(path)), path)).clips![0].name;
};

test('a model has its clips beside it, one a file, and all of it is valid', async () => {
  put(folder, 'hero.glb', hero('Walk', 'Run/Fast', ''));
  const { code, stderr } = await cook('--out', 'hero.untold');
  expect([code, stderr.includes('warning')]).toEqual([0, false]);
  // Names that a file may have: no slash leads anywhere.
  expect(clips()).toEqual(['Run_Fast', 'Walk', 'clip']);
  expect(await nameOf('Run_Fast')).toBe('hero|Run/Fast');
  const checked = await untold(folder, ['validate', '--strict', '.']);
  expect([checked.code, checked.stderr]).toEqual([0, expect.stringContaining('4 files: valid')]);
  const { stdout } = await untold(folder, ['inspect', 'Animations/Walk/Walk.untoldanim', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ fileType: 'animation', clips: [{ name: 'hero|Walk', duration: 2 }] });
});

describe('--animations', () => {
  beforeEach(() => put(folder, 'hero.glb', hero('Walk', 'Run', 'Wave')));

  test('chooses by name, and a cook without a clip takes away what an earlier one wrote', async () => {
    expect((await cook('--out', 'hero.untold')).code).toBe(0);
    expect(clips()).toEqual(['Run', 'Walk', 'Wave']);
    expect((await cook('--out', 'hero.untold', '--animations', 'Wave,Run')).code).toBe(0);
    expect(clips()).toEqual(['Run', 'Wave']);
    expect((await cook('--out', 'hero.untold', '--animations', 'none')).code).toBe(0);
    expect(clips()).toEqual([]);
  });

  test('refuses a name that no clip has, all beside names, and is of no effect on tiles', async () => {
    const unknown = await cook('--out', 'hero.untold', '--animations', 'Jump');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('UC2074')]);
    expect(unknown.stderr).toContain('"Walk", "Run", "Wave"');
    expect(existsSync(join(folder, 'hero.untold'))).toBe(false);
    expect((await cook('--out', 'hero.untold', '--animations', 'all,Walk')).code).toBe(2);
    const tiles = await cook('--out', 'tiles', '--animations', 'none');
    expect([tiles.code, tiles.stderr]).toEqual([0, expect.stringContaining('UC1015')]);
    expect(tiles.stderr).toContain('UC1341');
  });
});

test('a clip that another model has is not replaced: the new one has the model in its name, which is said', async () => {
  put(folder, 'hero.glb', hero('Walk'));
  put(folder, 'troll.glb', hero('Walk'));
  expect((await cook('--out', 'hero.untold')).code).toBe(0);
  const before = readFileSync(join(folder, 'Animations/Walk/Walk.untoldanim'));
  const troll = await untold(folder, ['cook', 'troll.glb', '--no-cache', '--out', 'troll.untold', '--verbose']);
  expect([troll.code, troll.stderr]).toEqual([0, expect.stringContaining('UC2075')]);
  expect(clips()).toEqual(['Walk', 'troll_Walk']);
  expect(Buffer.compare(before, readFileSync(join(folder, 'Animations/Walk/Walk.untoldanim')))).toBe(0);
  expect([await nameOf('Walk'), await nameOf('troll_Walk')]).toEqual(['hero|Walk', 'troll|Walk']);
  // Again: each model finds its own.
  expect((await untold(folder, ['cook', 'troll.glb', '--no-cache', '--out', 'troll.untold'])).code).toBe(0);
  expect((await cook('--out', 'hero.untold')).code).toBe(0);
  expect(clips()).toEqual(['Walk', 'troll_Walk']);
});

test('models of one call that share a folder have their names before those of their clips, whichever is first', async () => {
  put(folder, 'props/hero.glb', hero('Walk'));
  put(folder, 'props/troll.glb', hero('Walk'));
  for (const jobs of ['1', '2']) {
    const args = ['cook', 'props', '--no-cache', '--out-each', '{name}.untold', '--jobs', jobs, '--force'];
    expect((await untold(folder, args)).code).toBe(0);
    expect(clips()).toEqual(['hero_Walk', 'troll_Walk']);
  }
});

test('a file that is no clip of ours is never replaced', async () => {
  put(folder, 'hero.glb', hero('Walk'));
  put(folder, 'Animations/Walk/Walk.untoldanim', 'mine');
  expect((await cook('--out', 'hero.untold')).code).toBe(0);
  expect(readFileSync(join(folder, 'Animations/Walk/Walk.untoldanim'), 'utf8')).toBe('mine');
  expect(clips()).toEqual(['Walk', 'hero_Walk']);
});

test('nothing is cooked again while model and clips are as they were; a clip that is gone is made again', async () => {
  put(folder, 'hero.glb', hero('Walk'));
  const old = new Date(Date.now() - 60_000);
  utimesSync(join(folder, 'hero.glb'), old, old);
  const again = () => untold(folder, ['cook', 'hero.glb', '--out', 'hero.untold', '--cache-dir', 'cache']);
  expect((await again()).code).toBe(0);
  const path = join(folder, 'Animations/Walk/Walk.untoldanim');
  const bytes = readFileSync(path);
  const { mtimeMs } = statSync(path);
  expect((await again()).code).toBe(0);
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
  rmSync(path);
  expect((await again()).code).toBe(0);
  expect(Buffer.compare(bytes, readFileSync(path))).toBe(0);
});

test('verify checks the clips of a model, and whether they are up to date', async () => {
  put(folder, 'hero.glb', hero('Walk'));
  put(folder, 'Animations/Walk/Walk.untoldanim', 'mine');
  expect((await cook('--out', 'hero.untold')).code).toBe(0);
  const verify = () => untold(folder, ['verify', 'hero.untold', '--against', 'hero.glb', '--no-cache', '--json']);
  const fresh = await verify();
  expect([fresh.code, JSON.parse(fresh.stdout)]).toMatchObject([0, { sound: true, fresh: true }]);
  expect(JSON.parse(fresh.stdout).files.length).toBe(2);
  put(folder, 'hero.glb', hero('Walk', 'Run'));
  expect([(await verify()).code, clips()]).toEqual([1, ['Walk', 'hero_Walk']]);
});

test('clean takes the clips of a model with it, and no other', async () => {
  put(folder, 'props/hero.glb', hero('Walk'));
  put(folder, 'props/troll.glb', hero('Walk'));
  const each = ['--out-each', 'out/{name}.untold', '--no-cache'];
  expect((await untold(folder, ['cook', 'props', ...each])).code).toBe(0);
  rmSync(join(folder, 'props/troll.glb'));
  const cleaned = await untold(folder, ['clean', 'out', '--sources', 'props', '--out-each', 'out/{name}.untold']);
  expect(cleaned.code).toBe(0);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['Animations', 'hero.untold']);
  expect(readdirSync(join(folder, 'out/Animations'))).toEqual(['hero_Walk']);
});

test('a clip whose joints no model has is said when both are checked: UC3131', async () => {
  const keys: Key[] = [{ ...WALK[1], node: 1, values: [[0, 0, 0, 1], turn([1, 0, 0], 90)] }];
  put(folder, 'hero.glb', buildGlb(character({ keys })));
  expect((await cook('--out', 'hero.untold')).code).toBe(0);
  const joints = [
    { name: 'Root', parent: -1, t: [0, 2, 0] },
    { name: 'Tail', parent: 0, t: [0, -1, 0] },
  ];
  put(folder, 'fish.glb', buildGlb(character({ joints, keys })));
  expect((await untold(folder, ['cook', 'fish.glb', '--no-cache', '--out', 'fish/fish.untold'])).code).toBe(0);
  const wrong = await untold(folder, ['validate', 'fish/fish.untold', 'Animations']);
  expect([wrong.code, wrong.stderr]).toEqual([0, expect.stringContaining('UC3131')]);
  expect(wrong.stderr).toContain('“/Hip”');
  const right = await untold(folder, ['validate', 'hero.untold', 'fish/fish.untold', 'Animations']);
  expect(right.stderr).not.toContain('UC3131');
});
