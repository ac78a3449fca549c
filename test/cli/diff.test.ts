// `untold diff`: what changed between two outputs.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DiffDocument } from '../../src/index.ts';
import { put, RED_PNG, squareGltf, temporaryFolder, untold } from './run.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
  cook('a');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function cook(out: string, ...args: string[]): void {
  const { code, stderr } = untold(folder, ['cook', 'town.gltf', '--out', out, '--no-cache', ...args]);
  if (code !== 0) throw new Error(stderr);
}

function diff(a: string, b: string): { code: number | null } & DiffDocument {
  const { code, stdout } = untold(folder, ['diff', a, b, '--json']);
  return { code, ...(JSON.parse(stdout) as DiffDocument) };
}

test('an output is equal to its copy: exit 0', () => {
  cpSync(join(folder, 'a'), join(folder, 'b'), { recursive: true });
  expect(diff('a', 'b')).toMatchObject({ code: 0, equal: true, tiles: [], textures: [], settings: [], bounds: null });
  expect(untold(folder, ['diff', 'a', 'b']).stdout).toBe('A: a\nB: b\nnothing differs\n');
});

test('names do not count: the same scene under another name is equal', () => {
  cpSync(join(folder, 'town.gltf'), join(folder, 'village.gltf'));
  expect(untold(folder, ['cook', 'village.gltf', '--out', 'b', '--no-cache']).code).toBe(0);
  expect(diff('a', 'b')).toMatchObject({ code: 0, equal: true });
});

test('a source that has grown: triangles, bytes and bounds of its tile, to the number', () => {
  put(folder, 'town.gltf', squareGltf({ image: 'red.png', size: 3 }));
  cook('b');
  const { code, equal, totals, tiles, bounds, textures, settings } = diff('a', 'b');
  expect([code, equal, textures, settings]).toEqual([1, false, [], []]);
  expect(totals.a.triangles).toBe(totals.b.triangles);
  const size = (out: string) => {
    const name = readdirSync(join(folder, out, 'town')).find((file) => file.endsWith('.untold')) as string;
    return readFileSync(join(folder, out, 'town', name)).length;
  };
  const changed = tiles.filter(({ change }) => change === 'changed');
  expect(changed.length + tiles.length).toBeGreaterThan(0);
  const of = (box: { max: readonly number[]; min: readonly number[] } | null | undefined) =>
    box ? box.max.map((value, i) => value - box.min[i]) : [];
  const [wide, wider] = [Math.max(...of(bounds?.a)), Math.max(...of(bounds?.b))];
  expect(wider / wide).toBeCloseTo(3, 3);
  expect([totals.a.geometryBytes, totals.b.geometryBytes]).toEqual([size('a'), size('b')]);
});

test('another texture and other settings', () => {
  writeFileSync(join(folder, 'red.png'), Buffer.concat([RED_PNG, Buffer.from([0])]));
  cook('b', '--textures', 'keep', '--compress', 'none');
  const { code, textures, settings } = diff('a', 'b');
  expect(code).toBe(1);
  expect(textures.map(({ change }) => change).sort()).toEqual(['added', 'removed']);
  expect(settings.map(({ name }) => name)).toContain('settings_sha256');
});

test('two files', () => {
  cook('one.untold');
  cook('two.untold', '--compress', 'none');
  expect(diff('one.untold', 'one.untold').code).toBe(0);
  const { code, tiles } = diff('one.untold', 'two.untold');
  expect([code, tiles.map(({ id }) => id)]).toEqual([1, ['file']]);
});

test.each([
  [['a', 'gone'], 'UC1200'],
  [['a', 'town.gltf'], 'UC5000'],
])('%s is refused', (words, code) => {
  const ran = untold(folder, ['diff', ...words]);
  expect([ran.stdout, ran.stderr]).toEqual(['', expect.stringContaining(code)]);
  expect(ran.code).toBeGreaterThan(1);
});

test('one output alone is too few', () => {
  expect(untold(folder, ['diff', 'a'])).toMatchObject({ code: 2, stdout: '' });
});
