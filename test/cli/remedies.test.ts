// Remedies through the command line: they name what helps against the fault that is there, not what the call does already.

import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

/** Messages and remedies of one code. */
async function told(code: string, ...args: string[]): Promise<(readonly [string, string])[]> {
  const { stdout } = await untold(folder, ['cook', ...args, '--no-cache', '--json']);
  const { results, diagnostics }: { results: { diagnostics: Told[] }[]; diagnostics: Told[] } = JSON.parse(stdout);
  const all = [...results.flatMap((one) => one.diagnostics), ...diagnostics];
  return all.filter((item) => item.code === code).map(({ message, remedy }) => [message, remedy] as const);
}

const remedies = async (...args: string[]) => [...new Set((await told('UC1005', ...args)).map(([, remedy]) => remedy))];

/** A triangle at each X of a stage in metres. */
const stage = (...places: readonly number[]) =>
  `#usda 1.0\n(\n  metersPerUnit = 1\n  upAxis = "Y"\n)\n${places
    .map(
      (x, i) =>
        `def Mesh "M${i}" {\n  int[] faceVertexCounts = [3]\n  int[] faceVertexIndices = [0, 1, 2]\n` +
        `  point3f[] points = [(${x}, 0, 0), (${x + 1}, 0, 0), (${x}, 1, 0)]\n` +
        '  uniform token subdivisionScheme = "none"\n}\n',
    )
    .join('')}`;

describe('of outputs that clash', () => {
  const REST = 'rename a source, or cook one of them in a call of its own into another folder';
  const ROOT = 'give --root DIR so that the folders below it are kept';
  const RENAME = 'give --on-clash rename so that names tell the extensions';

  test('name the options that would keep them apart, and that are not given', async () => {
    put(folder, 'a/x.gltf', squareGltf({}));
    put(folder, 'b/x.gltf', squareGltf({}));
    expect(await remedies('a', 'b', '--out', 'o')).toEqual([`${ROOT}, or ${REST}`]);
    expect(await remedies('a', 'b', '--out', 'o', '--on-clash', 'rename')).toEqual([`${ROOT}, or ${REST}`]);
    expect(await remedies('a', 'b', '--out', 'o', '--root', '.')).toEqual([]);
    expect(await remedies('a', 'b', '--out-each', 'o/{name}.untold')).toEqual([
      `put {dir} into the pattern, or ${REST}`,
    ]);
    put(folder, 'a/x.usda', stage(0));
    expect(await remedies('a', '--out', 'o')).toEqual([`${RENAME}, or ${REST}`]);
    expect(await remedies('a', '--out', 'o', '--root', '.')).toEqual([`${RENAME}, or ${REST}`]);
    expect(await remedies('a', '--out-each', 'o/{name}.untold')).toEqual([`put {ext} into the pattern, or ${REST}`]);
    expect(await remedies('a/x.usda', 'b', '--out', 'o')).toEqual([`${ROOT}, or ${RENAME}, or ${REST}`]);
  });

  test('name no option where none helps', async () => {
    put(folder, 'a/x.gltf', squareGltf({}));
    put(folder, 'a/x!.gltf', squareGltf({}));
    expect(await remedies('a', '--out', 'o', '--root', '.', '--on-clash', 'rename')).toEqual([REST]);
    expect(await remedies('a', '--out', 'o')).toEqual([REST]);
  });
});

test('of a source outside of the root tell where the root comes from', async () => {
  put(folder, 'a/x.gltf', squareGltf({}));
  put(folder, 'b/y.gltf', squareGltf({}));
  const remedy = 'give --root the folder that holds all sources, or cook the others in a call of their own';
  const outside = (...args: string[]) => told('UC1011', 'a', 'b', '--out', 'o', ...args);
  expect(await outside('--root', 'a')).toEqual([['the source does not lie below a, which --root names', remedy]]);
  put(folder, 'p.json', '{ "root": "a" }');
  expect(await outside('--pipeline', './p.json')).toEqual([
    ['the source does not lie below a, the root that p.json sets', remedy],
  ]);
  put(folder, 'untold.config.json', '{ "root": "a" }');
  expect(await outside()).toEqual([['the source does not lie below a, the root that untold.config.json sets', remedy]]);
  expect(await outside('--root', '.')).toEqual([]);
});

test('of options without effect name those that do the same for the source', async () => {
  put(folder, 'x.gltf', squareGltf({}));
  const args = ['x.gltf', '--out', 'o', '--textures', 'png'];
  expect(
    await told('UC1015', ...args, '--up-axis', 'Z', '--meters-per-unit', '0.01', '--max-texture-size', '64'),
  ).toEqual([
    [
      'no effect on a glTF source',
      'leave it out: only USD has other units than metres; --scale makes any source larger or smaller',
    ],
    [
      'no effect on a glTF source',
      'leave it out: only USD has another up axis than Y; --rotate X,Y,Z turns any source',
    ],
    ['no effect with --textures png', 'give --textures utex, or leave --max-texture-size out'],
  ]);
  expect(await told('UC1015', ...args, '--rotate', '90,0,0', '--scale', '0.01')).toEqual([]);
});

test('of scenes beyond the reach of the engine tell whether moving helps', async () => {
  put(folder, 'ground.gltf', squareGltf({ size: 10_000 }));
  put(folder, 'far.usda', stage(4000, 4010));
  put(folder, 'wide.usda', stage(-4000, 4000));
  const beyond = async (...args: string[]) => (await told('UC2201', ...args, '--out', 'o')).map(([, remedy]) => remedy);
  expect(await beyond('ground.gltf')).toEqual([
    'an object of 10,000 m cannot be moved inside: cut it to 3,000 m, leave it out with --exclude, or correct its unit with --scale',
  ]);
  expect(await beyond('wide.usda')).toEqual([
    'a scene of 8,001 m cannot be moved inside: cook it in parts with --select, each with an --origin of its own, or correct its unit with --scale',
  ]);
  expect(await beyond('far.usda')).toEqual([
    'move the scene to the origin, with --origin or in its program, or correct its unit with --scale (USD: --meters-per-unit)',
  ]);
  expect(await beyond('ground.gltf', '--scale', '0.1')).toEqual([]);
  expect(await beyond('far.usda', '--origin', '4000,0,0')).toEqual([]);
  expect(await beyond('wide.usda', '--select', '/M0', '--origin=-4000,0,0')).toEqual([]);
});
