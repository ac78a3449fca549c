// Outputs that lie among sources, through the command line: what a cook has written is no source of the next one.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'gl/a.gltf', squareGltf({}));
  put(folder, 'gl/b.gltf', squareGltf({ size: 2 }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => untold(folder, args, { UNTOLD_CACHE_DIR: join(folder, 'cache') });
const EACH = ['--out-each', 'gl/{name}.glb'];
const LEFT = 'gl/a.glb, gl/b.glb are not cooked: untold has written them\n';
const INSIDE = 'warning UC1082 --out-each: gl is searched for sources, and outputs go there\n';

interface Cooked {
  readonly results: readonly { readonly source: string; readonly status: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
}

/** Sources and codes of the call. */
async function cooked(...args: string[]) {
  const { code, stdout } = await run('cook', ...args, '--json');
  const { results, diagnostics }: Cooked = JSON.parse(stdout);
  return [code, results.map(({ source }) => source), diagnostics.map((item) => item.code)];
}

describe('GLB files beside their sources', () => {
  const both = ['gl/a.gltf', 'gl/b.gltf'];

  test('are written again and again, with a cache and without', async () => {
    expect(await cooked('gl', ...EACH)).toEqual([0, both, ['UC1082']]);
    expect(await cooked('gl', ...EACH)).toEqual([0, both, ['UC1081', 'UC1082']]);
    expect(await cooked('gl', ...EACH, '--no-cache')).toEqual([0, both, ['UC1081', 'UC1082']]);
    const { stderr } = await run('cook', 'gl/*', ...EACH);
    expect(stderr).toContain(LEFT);
    expect(stderr).toContain(INSIDE.replace('gl is', 'gl/* is'));
  });

  test('are no sources of other cooks while they are as recorded, unless they are named', async () => {
    await run('cook', 'gl', ...EACH);
    expect(await cooked('gl', '--out', 'tiles')).toEqual([0, both, ['UC1081']]);
    expect(await cooked('gl/a.glb', '--out', 'named')).toEqual([0, ['gl/a.glb'], []]);
    // One that was replaced by another program's, or by a copy of another cook's, is somebody's.
    rmSync(join(folder, 'gl/a.gltf'));
    writeFileSync(join(folder, 'gl/a.glb'), readFileSync(join(folder, 'gl/b.glb')));
    expect(await cooked('gl', '--out', 'tiles')).toEqual([0, ['gl/a.glb', 'gl/b.gltf'], ['UC1081']]);
    rmSync(join(folder, 'gl/b.gltf'));
    rmSync(join(folder, 'gl/a.glb'));
    const { code, stderr } = await run('cook', 'gl', '--out', 'tiles');
    expect([code, stderr]).toEqual([
      2,
      'error UC1004: 1 found, all written by untold\n  name the ones to be cooked by themselves\n',
    ]);
  });

  test('are removed by clean when their source is gone', async () => {
    await run('cook', 'gl', ...EACH);
    rmSync(join(folder, 'gl/a.gltf'));
    expect((await run('clean', 'gl', '--sources', 'gl', ...EACH)).code).toBe(0);
    expect([existsSync(join(folder, 'gl/a.glb')), existsSync(join(folder, 'gl/b.glb'))]).toEqual([false, true]);
  });
});

test('sets inside of a folder of sources are a warning, unless it is passed over or is the working folder', async () => {
  const warned = async (...args: string[]) => {
    const { code, stderr } = await run('cook', ...args, '--dry-run');
    return [code, /^warning UC1082 (.*)$/m.exec(stderr)?.[1]];
  };
  const message = '--out: gl is searched for sources, and outputs go to gl/tiles in it';
  expect(await warned('gl', '--out', 'gl/tiles')).toEqual([0, message]);
  expect(await warned('gl', '--out', 'gl/tiles', '--ignore', 'tiles/')).toEqual([0, undefined]);
  expect(await warned('gl', '--out', 'gl2')).toEqual([0, undefined]);
  expect(await warned('gl/a.gltf', '--out', 'gl/tiles')).toEqual([0, undefined]);
  expect(await warned('.', '--out', 'gl/tiles')).toEqual([0, undefined]);
  expect(await warned('gl', '--out-each', 'gl/{name}.untold')).toEqual([0, undefined]);
  put(folder, 'gl/.untoldignore', 'tiles/\n');
  expect(await warned('gl', '--out', 'gl/tiles')).toEqual([0, undefined]);
});
