// Which files of a folder or pattern are sources, through the command line.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TRIANGLE =
  'int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\npoint3f[] points = [(0,0,0), (1,0,0), (0,1,0)]';
const mesh = (name = 'm') => `#usda 1.0\n( defaultPrim = "${name}" )\ndef Mesh "${name}" {\n${TRIANGLE}\n}\n`;
const cook = (...args: string[]) => untold(folder, ['cook', ...args, '--out', 'o', '--no-cache']);
/** The scenes in the output. */
function scenes(): string[] {
  if (!existsSync(join(folder, 'o'))) return [];
  const names = readdirSync(join(folder, 'o')).filter((name) => name.endsWith('.json'));
  rmSync(join(folder, 'o'), { recursive: true });
  return names.map((name) => name.slice(0, -'.json'.length)).sort();
}

describe('a folder', () => {
  test('leaves out layers that others reference, include or have as a variant', async () => {
    put(
      folder,
      'town.usda',
      '#usda 1.0\n( subLayers = [@parts/sub.usda@] )\ndef "a" ( references = @parts/ref.usda@ ) {}\n',
    );
    put(
      folder,
      'car.usda',
      '#usda 1.0\ndef "c" ( payload = @parts/pay.usda@\n variants = { string v = "x" }\n add variantSets = "v" )\n{ variantSet "v" = { "x" { }\n "y" ( references = @parts/other.usda@ ) { } } }\n',
    );
    for (const name of ['sub', 'ref', 'pay', 'other']) put(folder, `parts/${name}.usda`, mesh());
    put(folder, 'parts/alone.usda', mesh());
    // A layer that is no source leads on to one that is.
    put(folder, 'parts/ref.usda', '#usda 1.0\n( defaultPrim = "m" )\ndef "m" ( references = @.hidden/x.usda@ ) {}\n');
    put(
      folder,
      'parts/.hidden/x.usda',
      '#usda 1.0\n( defaultPrim = "m" )\ndef "m" ( references = @../deep.usda@ ) {}\n',
    );
    put(folder, 'parts/deep.usda', mesh());
    const ran = await cook('.');
    expect([ran.code, scenes()]).toEqual([0, ['alone', 'car', 'town']]);
    expect(ran.stderr).toMatch(
      /^parts\/deep\.usda, parts\/other\.usda, parts\/pay\.usda and 2 more are not cooked: other/m,
    );
    expect([(await cook('**/*.usda')).code, scenes()]).toEqual([0, ['alone', 'car', 'town']]);
    expect([(await cook('.', 'parts/pay.usda')).code, scenes()]).toEqual([0, ['alone', 'car', 'pay', 'town']]);
    expect([(await cook('.', '--include-dependencies')).code, scenes()]).toEqual([
      0,
      ['alone', 'car', 'deep', 'other', 'pay', 'ref', 'sub', 'town'],
    ]);
  });

  test('keeps one of the layers that bring each other in', async () => {
    for (const [name, other] of ['ab', 'bc', 'ca']) {
      put(
        folder,
        `${name}.usda`,
        `${mesh(name)}over "v" ( variants = { string s = "no" }\n add variantSets = "s" )\n{ variantSet "s" = { "no" { }\n "yes" ( references = @${other}.usda@ ) { } } }\n`,
      );
    }
    expect([(await cook('.')).code, scenes()]).toEqual([0, ['a']]);
  });

  test('passes over what holds no geometry, with a line; named by itself it is an error', async () => {
    put(folder, 'materials.usda', '#usda 1.0\ndef Material "m" {}\n');
    put(folder, 'x.usda', mesh());
    const ran = await cook('.');
    expect([ran.code, scenes()]).toEqual([0, ['x']]);
    expect(ran.stderr).toMatch(/materials\.usda: skipped: there is nothing to draw in it/);
    expect(ran.stderr).toMatch(/1 of 2 sources cooked, 1 skipped/);
    const { results } = JSON.parse((await cook('.', '--json')).stdout);
    const [first, second] = results as { status: string; diagnostics: { code: string }[] }[];
    expect([first.status, first.diagnostics.map(({ code }) => code), second.status]).toEqual([
      'skipped',
      ['UC1021'],
      'ok',
    ]);
    scenes();
    const named = await cook('materials.usda', 'x.usda');
    expect([named.code, scenes()]).toEqual([1, ['x']]);
    expect(named.stderr).toContain('UC2200');
    rmSync(join(folder, 'x.usda'));
    const none = await cook('.');
    expect([none.code, scenes()]).toEqual([1, []]);
    expect(none.stderr).toContain('UC1022');
  });
});

describe('files that are passed over', () => {
  beforeEach(() => {
    for (const path of ['a.gltf', 'old/b.gltf', 'new/old/c.gltf', 'new/d.gltf', 'new/e_lod.gltf', 'x y.gltf']) {
      put(folder, path, squareGltf());
    }
  });

  test.each<[string, readonly string[]]>([
    ['', ['a', 'b', 'c', 'd', 'e_lod', 'x_y']],
    ['# none\n\n\\#a.gltf\n', ['a', 'b', 'c', 'd', 'e_lod', 'x_y']],
    ['old', ['a', 'd', 'e_lod', 'x_y']],
    ['/old/', ['a', 'c', 'd', 'e_lod', 'x_y']],
    ['new/old', ['a', 'b', 'd', 'e_lod', 'x_y']],
    ['a.gltf/', ['a', 'b', 'c', 'd', 'e_lod', 'x_y']],
    ['*_lod.*\r\nx\\ y.gltf  \r\n', ['a', 'b', 'c', 'd']],
    ['new/**', ['a', 'b', 'x_y']],
    ['**/old', ['a', 'd', 'e_lod', 'x_y']],
    ['new/**/c.gltf', ['a', 'b', 'd', 'e_lod', 'x_y']],
    ['*.gltf\n!d.gltf\n!a.*', ['a', 'd']],
    // What lies in a folder that is passed over cannot be taken back.
    ['new/\n!new/d.gltf', ['a', 'b', 'x_y']],
    ['new/*\n!new/d.gltf', ['a', 'b', 'd', 'x_y']],
  ])('by .untoldignore of %j', async (text, left) => {
    put(folder, '.untoldignore', text);
    expect([(await cook('.')).code, scenes()]).toEqual([0, left]);
    expect([(await cook('**/*.gltf')).code, scenes()]).toEqual([0, left]);
  });

  test('by the files of deeper folders, by those above, and by --ignore, which is the strongest', async () => {
    put(folder, '.untoldignore', '*.gltf\n');
    put(folder, 'new/.untoldignore', '!d.gltf\n');
    expect([(await cook('.')).code, scenes()]).toEqual([0, ['d']]);
    expect([(await cook('new')).code, scenes()]).toEqual([0, ['d']]);
    expect([(await cook('.', '--ignore', '!a.gltf,!new/old/c.gltf', '--ignore', 'd.gltf')).code, scenes()]).toEqual([
      0,
      ['a', 'c'],
    ]);
    const none = await cook('old');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('that is not ignored')]);
    // Named by itself a file is cooked.
    expect([(await cook('old/b.gltf')).code, scenes()]).toEqual([0, ['b']]);
    put(folder, 'p.json', JSON.stringify({ ignore: ['!b.gltf'] }));
    expect([(await cook('.', '--pipeline', './p.json')).code, scenes()]).toEqual([0, ['b', 'd']]);
  });
});
