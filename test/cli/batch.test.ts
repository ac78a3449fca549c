// The end of a cook of many sources.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commonFolder, shortened } from '../../src/cli/terminal/words.ts';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  for (const name of ['a', 'b', 'c']) put(folder, `art/props/kitchen and bath/${name}.gltf`, squareGltf());
  put(folder, 'art/props/kitchen and bath/broken.gltf', '{');
  // A texture that is dropped is a warning.
  for (const name of ['warned', 'a name so long that no narrow terminal has room for the whole of it']) {
    put(folder, `art/props/kitchen and bath/${name}.gltf`, squareGltf({ image: 'nowhere.png' }));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cook = async (args: readonly string[], columns?: string) => {
  const all = ['cook', 'art', '--out', 'o', '--textures', 'keep', '--no-cache', '--missing-texture', 'drop', ...args];
  const { stderr, code } = await untold(folder, all, columns === undefined ? {} : { COLUMNS: columns });
  const lines = stderr.trimEnd().split('\n');
  // What follows the last source.
  return { code, lines: lines.slice(lines.findLastIndex((line) => line.startsWith('[')) + 1) };
};

test('names warnings by code, then the sources that failed or have warnings, below their folder', async () => {
  const { code, lines } = await cook([]);
  expect(code).toBe(1);
  expect(lines[0]).toMatch(/^UC\d{4} {2}2 warnings {2}in 2 sources {2}\S/);
  expect(lines[1]).toMatch(/^art\/props\/kitchen and bath\/ +outcome +tiles/);
  const names = lines.slice(2, -1).map((line) => line.split(/ {2,}/)[0]);
  expect(names).toEqual([
    'a name so long that no narrow terminal has room for the whole of it.gltf',
    'broken.gltf',
    'warned.gltf',
  ]);
  expect(lines.find((line) => line.startsWith('broken'))).toContain('failed UC');
  expect(lines.find((line) => line.startsWith('warned'))).toContain('ok, 1 warning');
  expect(lines.at(-1)).toMatch(/^5 of 6 sources cooked, 1 failed, 2 warnings: /);
});

test('has a row for every source with --verbose', async () => {
  const rows = (await cook(['--verbose'])).lines.filter((line) => /^\S+\.gltf {2,}ok/.test(line));
  expect(rows.map((line) => line[0])).toEqual(['a', 'b', 'c', 'w']);
});

test.each(['60', '80', '200'])('is not wider than %s columns', async (columns) => {
  const { lines } = await cook([], columns);
  const tables = lines.slice(0, -1);
  expect(tables.length).toBeGreaterThanOrEqual(5);
  for (const line of tables) expect(line.length).toBeLessThanOrEqual(Number(columns));
  expect(tables.some((line) => /^a nam.*….*\.gltf {2}/.test(line))).toBe(columns !== '200');
});

test('paths keep their ends, and share whole folders only', () => {
  expect(shortened('art/kitchen/chair.glb', 21)).toBe('art/kitchen/chair.glb');
  expect(shortened('art/kitchen/chair.glb', 16)).toBe('art/k…/chair.glb');
  expect(shortened('abc', 1)).toBe('…');
  expect(commonFolder(['a/b/c.glb', 'a/bc/d.glb'])).toBe('a/');
  expect(commonFolder(['a/b/c.glb', 'a/b/d/e.glb'])).toBe('a/b/');
  expect(commonFolder(['c.glb', 'a/d.glb'])).toBe('');
});

test('an error that many sources have is shown a few times, then counted with the first of them', async () => {
  for (let i = 0; i < 6; i++) put(folder, `same/${i}.gltf`, squareGltf({ image: i === 5 ? 'other.png' : 'wall.png' }));
  const args = ['cook', 'same', '--out', 'o', '--no-cache'];
  const errors = (text: string) => text.split('\n').filter((line) => line.startsWith('error'));
  const { stderr, code } = await untold(folder, args);
  expect([code, errors(stderr)]).toEqual([
    1,
    [
      ...[0, 1, 2].map((i) => `error UC1203 same/${i}.gltf images/0: no such file: same/wall.png`),
      'error UC1203 same/5.gltf images/0: no such file: same/other.png',
      'error UC1203: in 5 sources: no such file: same/wall.png',
    ],
  ]);
  expect(stderr).toContain('\n  same/0.gltf, same/1.gltf, same/2.gltf and 2 more\n');
  expect(stderr.match(/and more like this: UC1203 \(counted at the end/g)).toHaveLength(1);
  expect(stderr).toContain('[4/6] same/3.gltf: failed UC1203\n');
  expect(errors((await untold(folder, [...args, '--verbose'])).stderr)).toHaveLength(6);
  const { stdout } = await untold(folder, [...args, '--json', '-q']);
  expect(stdout.match(/"code": "UC1203"/g)).toHaveLength(6);
});

test('the sums tell the files that stay of a source that fails now, and together they are all on the disk', async () => {
  for (const name of ['a', 'b']) put(folder, `older/${name}.gltf`, squareGltf());
  const args = ['cook', 'older', '--out', 'stays', '--no-cache'];
  expect((await untold(folder, args)).stderr).not.toContain('earlier');
  put(folder, 'older/b.gltf', '{');
  const { stderr } = await untold(folder, args);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
    /^1 of 2 sources cooked, 1 failed: .* in 3 files, .* in 3 files of earlier cooks stay, /,
  );
  const { totals } = JSON.parse((await untold(folder, [...args, '--json', '-q'])).stdout);
  const there = filesBelow(join(folder, 'stays')).map((path) => statSync(join(folder, 'stays', path)).size);
  expect([totals.output.files + totals.earlier.files, totals.output.bytes + totals.earlier.bytes]).toEqual([
    there.length,
    there.reduce((sum, bytes) => sum + bytes, 0),
  ]);
  put(folder, 'older/a.gltf', '{');
  expect((await untold(folder, args)).stderr).toMatch(
    /0 of 2 sources cooked, 2 failed: .* in 6 files of earlier cooks stay, /,
  );
});
