// The sums of `untold verify` are those of the files on the disk, each counted once and for what it is.

import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { VerifyDocument } from '../../src/index.ts';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
const run = (...args: string[]) => untold(folder, [...args, '--cache-dir', 'cache']);
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, '.git/HEAD', '');
  put(folder, 'art/red.png', RED_PNG);
  for (const name of ['town', 'props/chair']) {
    put(folder, `art/${name}.gltf`, squareGltf({ image: name === 'town' ? 'red.png' : '../red.png' }));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BUILDS: Readonly<Record<string, object>> = {
  sets: { out: 'out/' },
  'sets that share textures': { out: 'out/', 'share-textures': true },
  'single files': { 'out-each': 'out/{dir}/{name}.untold' },
  'GLB files': { 'out-each': 'out/{dir}/{name}.glb' },
  'a pack': { sources: 'art/town.gltf', out: 'out/town.untoldpack' },
};

/** The counts of the project, with what lies in its folder of outputs. */
async function counted(...args: string[]) {
  const { stdout, stderr } = await run('verify', ...args, '--json');
  const { counts, files, sound }: VerifyDocument = JSON.parse(stdout);
  expect(counts.files).toBe(filesBelow(join(folder, 'out')).length);
  expect(counts.files).toBe(counts.sound + counts.unsound + counts.withoutSource + counts.unlisted);
  const codes = [...stdout.matchAll(/"code": "(UC32\d\d)"/g)].map((match) => match[1]);
  return { counts, sound, files, codes: [...new Set(codes)].sort(), last: stderr.trimEnd().split('\n').at(-1) };
}

test.each(Object.keys(BUILDS))('of %s: all files, those without a source, and those of no output', async (name) => {
  put(folder, 'untold.config.json', JSON.stringify({ sources: 'art/', root: 'art', ...BUILDS[name] }));
  expect((await run('cook', '-q')).code).toBe(0);
  const whole = filesBelow(join(folder, 'out')).length;
  const fresh = await counted();
  expect(fresh.counts).toEqual({ files: whole, sound: whole, unsound: 0, withoutSource: 0, unlisted: 0 });
  expect([fresh.codes, fresh.last]).toEqual([[], expect.stringContaining(`${whole} files: sound; up to date, `)]);

  // Beside a pack, which is a file, lies what is not its own.
  if (name === 'a pack') return;
  put(folder, 'out/notes.txt', 'mine');
  const noted = await counted();
  expect(noted.counts).toEqual({ files: whole + 1, sound: whole, unsound: 0, withoutSource: 0, unlisted: 1 });
  expect(noted.last).toContain(`${whole + 1} files: ${whole} sound, 1 of no output; up to date`);
});

test('a texture that nobody names is told, and is not sound', async () => {
  put(
    folder,
    'untold.config.json',
    JSON.stringify({ sources: 'art/', root: 'art', out: 'out/', 'share-textures': true }),
  );
  expect((await run('cook', '-q')).code).toBe(0);
  const whole = filesBelow(join(folder, 'out')).length;
  const textures = join(folder, 'out/Textures');
  const [texture] = readdirSync(textures);
  cpSync(join(textures, texture), join(textures, `other.${texture}`));
  const { counts, codes, files } = await counted();
  expect([counts.sound, counts.unlisted, codes]).toEqual([whole, 1, ['UC3240']]);
  const warned = files.filter(({ diagnostics }) => diagnostics.length > 0);
  expect(warned.map(({ path }) => path)).toEqual([`out/Textures/other.${texture}`]);
});

test('the sets of a source that is gone, and files that are no longer whole', async () => {
  put(folder, 'untold.config.json', JSON.stringify({ sources: 'art/', root: 'art', out: 'out/' }));
  expect((await run('cook', '-q')).code).toBe(0);
  const ofChair = filesBelow(join(folder, 'out/props')).length;
  rmSync(join(folder, 'art/props'), { recursive: true });
  const gone = await counted();
  expect([gone.counts.withoutSource, gone.codes]).toEqual([ofChair, ['UC3246']]);
  expect(gone.last).toContain(`${ofChair} of outputs without a source`);
  const tile = filesBelow(join(folder, 'out')).find((path) => /^town\/tile.*untold$/.test(path)) as string;
  writeFileSync(join(folder, 'out', tile), 'broken');
  const broken = await counted();
  expect([broken.counts.unsound > 0, broken.sound]).toEqual([true, false]);
  // A single file in a folder of sets has no source either.
  expect((await run('cook', 'art/town.gltf', '--out', 'out/one.untold', '-q')).code).toBe(0);
  const more = filesBelow(join(folder, 'out')).filter((path) => /^one\.untold|^Textures\//.test(path));
  expect((await counted()).counts.withoutSource).toBe(ofChair + more.length);
});

test('in a folder that holds the sources, only files of outputs count', async () => {
  put(folder, 'untold.config.json', JSON.stringify({ sources: 'art/**/*.gltf', 'out-each': '{dir}/{name}.untold' }));
  expect((await run('cook', '-q')).code).toBe(0);
  const { stdout } = await run('verify', '--json');
  const { counts }: VerifyDocument = JSON.parse(stdout);
  const written = filesBelow(folder).filter((path) => /\.(untold|utex)$/.test(path));
  expect(counts).toEqual({ files: written.length, sound: written.length, unsound: 0, withoutSource: 0, unlisted: 0 });
});

test('warnings of one code are shown a few times, and counted', async () => {
  put(folder, 'untold.config.json', JSON.stringify({ sources: 'art/', root: 'art', out: 'out/' }));
  expect((await run('cook', '-q')).code).toBe(0);
  for (let i = 0; i < 9; i++) put(folder, `out/town/note${i}.txt`, '');
  const { stderr } = await run('verify');
  expect(stderr.match(/^warning UC3240/gm)).toHaveLength(5);
  expect(stderr).toMatch(/^UC3240 {2}9 warnings {2}in 9 files {2}/m);
  expect((await run('verify', '--verbose')).stderr.match(/^warning UC3240/gm)).toHaveLength(9);
});
