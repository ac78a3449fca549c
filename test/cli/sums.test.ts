// Every sum that a cook tells is that of the files which lie on the disk after it: over many kinds of call, and in the last lines.

import { describe, expect, test } from 'vitest';
import { formatBytes } from '../../src/bytes/units.ts';
import { untold } from '../support/command.ts';
import { put } from '../support/files.ts';
import {
  CACHE,
  CALLS,
  cook,
  type Document,
  disk,
  FILE,
  FLAT,
  folderOfTest,
  isSlow,
  isTexture,
  KIT,
  listed,
  OUT,
  PLANS,
  ROW,
  sum,
  sumsSuite,
  withSources,
} from './sumsSuite.ts';

withSources();

test('there are forty kinds of call and more', () => {
  expect(Object.keys(CALLS).length + Object.keys(PLANS).length).toBeGreaterThanOrEqual(40);
});

sumsSuite((name) => !isSlow(name));

test('a dry run knows the bytes of textures where all of them are cooked', async () => {
  const { totals }: Document = JSON.parse((await cook(...KIT, '--dry-run', '--json')).stdout);
  await cook(...KIT);
  const textures = [...disk()].filter(([path]) => isTexture(path)).map(([, { bytes }]) => bytes);
  expect(totals.planned?.textures).toEqual(sum(textures));
});

describe('other commands', () => {
  test('inspect counts the files of a set, its payloads and its textures', async () => {
    await cook(...ROW, ...FLAT);
    const { totals } = JSON.parse((await untold(folderOfTest(), ['inspect', `${OUT}/row.json`, '--json'])).stdout);
    const files = [...disk()];
    const sizes = (ending: RegExp) => sum(files.filter(([path]) => ending.test(path)).map(([, { bytes }]) => bytes));
    expect(totals).toEqual({ files: sizes(/./), payloads: sizes(/\.untold$/), textures: sizes(/\.utex$/) });
    const { stdout } = await untold(folderOfTest(), ['inspect', `${OUT}/row.json`]);
    expect(stdout).toContain(`${totals.files.files} files with ${formatBytes(totals.files.bytes)} in all`);
  });

  test('merge counts what it has put together', async () => {
    for (const i of [0, 1])
      await cook(
        'row/row.gltf',
        '--tile-size',
        '100',
        '--lod-check',
        'geometry',
        '--out',
        `p${i}`,
        '--shard',
        `${i}/2`,
      );
    const { stdout, stderr } = await untold(folderOfTest(), ['merge', 'p0', 'p1', '--out', OUT, '--json']);
    const { totals } = JSON.parse(stdout).sets[0];
    const real = sum([...disk().values()].map(({ bytes }) => bytes));
    expect({ files: totals.files, bytes: totals.bytes }).toEqual(real);
    expect(totals.textures).toBe([...disk().keys()].filter(isTexture).length);
    expect([totals.tiles, totals.models]).toEqual([listed().tiles, 0]);
    expect(stderr).toContain(`${formatBytes(real.bytes)} in ${real.files} files`);
  });
});

describe('the last lines', () => {
  test('say that a part is one, and count the sources of one set', async () => {
    expect((await cook(...ROW, ...FLAT, '--shard', '0/2')).stderr).toMatch(
      /^1 of 1 source cooked, only part 1 of 2: 1 tile, /m,
    );
    const { stderr } = await cook('kit', '--as-one', 'all', '--out', OUT);
    expect(stderr).toMatch(/^all: 4 sources as one: /m);
    expect(stderr).toMatch(/^4 of 4 sources cooked as one: /m);
  });

  test('are all that --log summary prints, with errors', async () => {
    const { stderr, code } = await cook('mixed', 'kit', '--out', OUT, '--log', 'summary');
    const lines = stderr.trimEnd().split('\n');
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^error UC1301 mixed\/b\.gltf: /);
    expect(lines.filter((line) => /prop\d/.test(line))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^5 of 7 sources cooked, 1 failed, 1 skipped, \d+ notes? \(-v shows them\): /);
    expect((await cook('kit', '--out', OUT, '--log', 'summary')).stderr.split('\n')).toHaveLength(2);
    const json = (await cook('kit', '--out', OUT, '--log', 'summary', '--log-format', 'json')).stderr.trimEnd();
    expect(JSON.parse(json)).toMatchObject({ event: 'finished', sources: 4, cooked: 4, written: { files: 16 } });
    expect((await cook('kit', '--out', OUT, '--log', 'summary', '-q')).stderr).toContain('UC1012');
  });

  test('of failures are printed with --quiet', async () => {
    const { stderr } = await cook('mixed', '--out', OUT, '-q');
    expect(stderr).toMatch(/^b\.gltf +failed UC1301$/m);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^1 of 3 sources cooked, 1 failed, 1 skipped/);
    expect((await cook('kit', '--out', OUT, '-q')).stderr).toBe('');
  });

  test('count warnings of one code, of which a few are printed', async () => {
    const sky = '#usda 1.0\n(upAxis = "Y"\nmetersPerUnit = 1)\ndef Cube "C" {}\ndef DomeLight "sky" {}\n';
    for (let i = 0; i < 8; i++) put(folderOfTest(), `skies/s${i}.usda`, sky);
    const { stderr } = await cook('skies', '--out', OUT, '--jobs', '1');
    expect(stderr.match(/^warning UC1835 /gm)).toHaveLength(5);
    expect(stderr.match(/and more like this: UC1835 \(counted at the end, --verbose for all\)/g)).toHaveLength(1);
    expect(stderr).toMatch(/^UC1835 +8 warnings +in 8 sources +dome lights left out$/m);
    expect(stderr).toMatch(/^8 of 8 sources cooked, 8 warnings/m);
  });
});

test('an option that has another value is named as it is written, by cook and verify', async () => {
  await cook(...FILE, ...CACHE, '--max-texture-size', '512');
  const changed = ['--max-texture-size', '256', '--strict'];
  const lines = ['--max-texture-size 256, before 512', '--strict given, before not given'];
  const verified = await untold(folderOfTest(), ['verify', FILE[2], '--against', 'one/box.gltf', ...CACHE, ...changed]);
  for (const line of lines) expect(verified.stderr + verified.stdout).toContain(line);
  const { stderr } = await cook(...FILE, ...CACHE, ...changed, '--explain-rebuild');
  for (const line of lines) expect(stderr).toContain(`  ${line}\n`);
  expect((await cook(...FILE, ...CACHE, '--explain-rebuild')).stderr).toContain(
    '--max-texture-size not given, before 256',
  );
});
