// The examples of docs/api.md: each one runs, and prints what the page says.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { put, temporaryFolder } from '../support/files.ts';
import { environment } from '../support/process.ts';
import { squareGltf } from '../support/squareGltf.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/api.md'), 'utf8');

/** A script, and what the page shows of its output; '' where it shows nothing. */
const examples = [...page.matchAll(/```js\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g)].map(
  ([, script, output = '']) => [script.split('\n')[0], script, output] as const,
);

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  // A package of that name, as an import finds it.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/untold-cook'), 'junction');
  put(folder, 'town.gltf', squareGltf());
  put(folder, 'square.gltf', squareGltf());
  put(folder, 'ball.usda', '#usda 1.0\ndef Xform "Town"\n{\n  def Sphere "Ball"\n  {\n  }\n}\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('there are examples, two cooks at once among them', () => {
  expect(examples.length).toBeGreaterThanOrEqual(9);
  const together = examples.filter(([, script]) => /Promise\.all\(\[\s*cook\([\s\S]*cook\(/.test(script));
  expect(together).toHaveLength(1);
  expect(examples.filter(([, , output]) => output !== '').length).toBeGreaterThanOrEqual(8);
});

test.each(examples)('%s', (_, script, output) => {
  expect(inject('bundleFault')).toBe('');
  put(folder, 'example.mjs', script);
  const { stdout, stderr, status } = spawnSync(process.execPath, ['example.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
  });
  expect([status, stderr, stdout]).toEqual([0, '', output]);
});
