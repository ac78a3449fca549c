// Names of --out that look like those of files, and files that stand in the way of an output, through the command line.

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'a.gltf', squareGltf({}));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cook = (...args: string[]) => untold(folder, ['cook', 'a.gltf', '--no-cache', ...args]);

describe('--out', () => {
  test('refuses endings of files that no cook writes, and names the nearest', async () => {
    const files = 'files end in .untold, .glb, .gali, .bpx, .mdl or .untoldpack.';
    const meant: readonly (readonly [string, string])[] = [
      ['town.utold', 'did you mean town.untold?'],
      ['town.UNTOLD', 'did you mean town.untold or town.untoldpack?'],
      ['kit/bench.gltf', 'did you mean kit/bench.glb?'],
      ['town.untoldpak', 'did you mean town.untoldpack or town.untold?'],
      ['out.usd', files],
      ['out.usdz', '`untold pack` makes a .usdz package, of a folder or a layer with all that it brings in.'],
      ['tiles/a.json', 'give the folder that the manifest lies in; the source names the manifest.'],
    ];
    for (const [out, remedy] of meant) {
      const { code, stderr } = await cook('--out', out);
      const ending = out.slice(out.lastIndexOf('.'));
      expect([code, stderr]).toEqual([
        2,
        `error UC1003 --out: "${out}" was given, and no output is a ${ending} file\n` +
          `  ${remedy} A folder of this name is written ${out}/\n`,
      ]);
    }
    expect(readdirSync(folder)).toEqual(['a.gltf']);
  });

  test('takes folders with a dot: with a slash, where they exist, and where no file ends so', async () => {
    mkdirSync(join(folder, 'build.debug'));
    for (const out of ['town.utold/', 'x.untold/', 'build.debug', './v1.2/', 'v1.3', '.hidden']) {
      expect([out, (await cook('--out', out)).code]).toEqual([out, 0]);
      expect(existsSync(join(folder, out, 'a.json'))).toBe(true);
    }
  });

  test('each: the nearest ending is named', async () => {
    for (const [ending, near] of [
      ['gltf', 'glb'],
      ['utold', 'untold'],
      ['xyz', 'untold'],
    ]) {
      const { code, stderr } = await cook('--out-each', `o/{name}.${ending}`);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`  end it as {name}.${near} does\n`)]);
    }
  });

  test('of a project file keeps its slash too', async () => {
    put(folder, 'p.json', '{ "out": "town.utold" }');
    expect((await cook('--config', 'p.json')).code).toBe(2);
    put(folder, 'p.json', '{ "out": "town.utold/" }');
    expect((await cook('--config', 'p.json')).code).toBe(0);
    expect(existsSync(join(folder, 'town.utold/a.json'))).toBe(true);
  });

  test('names folders alone for merge and unpack', async () => {
    for (const args of [
      ['merge', 'parts'],
      ['unpack', 'a.usdz'],
    ]) {
      const { code, stderr } = await untold(folder, [...args, '--out', 'town.untold']);
      expect([code, stderr]).toEqual([
        2,
        'error UC1003 --out: "town.untold" was given, and the command writes a folder\n' +
          '  leave .untold out. A folder of this name is written town.untold/\n',
      ]);
    }
  });

  test('tells which file stands where the output needs a folder', async () => {
    put(folder, 'notes', 'mine');
    for (const out of ['notes', 'notes/tiles', 'notes/a.untold']) {
      const { code, stderr } = await cook('--out', out);
      expect([code, stderr]).toEqual([
        3,
        expect.stringContaining('  notes is a file: give the output a folder, or move the file away\n'),
      ]);
    }
  });
});
