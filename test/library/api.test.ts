// The examples of docs/api.md: each one runs, and prints what the page says.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { put, temporaryFolder } from '../support/files.ts';
import { environment } from '../support/process.ts';
import { squareGltf } from '../support/squareGltf.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/api.md'), 'utf8');

/** A script, and what the page shows of its output; '' where it shows nothing. */
const examples = [...page.matchAll(/```js\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g)].map(
  ([, script, output = '']) => [script.split('\n')[0], script, output] as const,
);

/** Runs the scripts that are named one after another, each in its own folder, and gives what each one writes. */
const RUN = `
  const write = process.stdout.write.bind(process.stdout);
  const said = [];
  for (const folder of process.argv.slice(1)) {
    process.chdir(folder);
    let text = '';
    process.stdout.write = (part) => { text += part; return true; };
    try { await import(folder + '/example.mjs'); } catch (error) { text += error; }
    said.push(text);
  }
  write(JSON.stringify(said));`;

let folder: string;
let said: readonly string[];
beforeAll(() => {
  expect(inject('bundleFault')).toBe('');
  folder = temporaryFolder();
  const folders = examples.map(([, script], i) => {
    const own = join(folder, `${i}`);
    // A package of that name, as an import finds it.
    mkdirSync(join(own, 'node_modules'), { recursive: true });
    symlinkSync(root, join(own, 'node_modules/untold-cook'), 'junction');
    put(own, 'town.gltf', squareGltf());
    put(own, 'square.gltf', squareGltf());
    put(own, 'ball.usda', '#usda 1.0\ndef Xform "Town"\n{\n  def Sphere "Ball"\n  {\n  }\n}\n');
    put(own, 'example.mjs', script);
    return own;
  });
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', RUN, ...folders], {
    encoding: 'utf8',
    env: environment(),
  });
  expect([status, stderr]).toEqual([0, '']);
  said = JSON.parse(stdout);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('there are examples, two cooks at once among them', () => {
  expect(examples.length).toBeGreaterThanOrEqual(9);
  const together = examples.filter(([, script]) => /Promise\.all\(\[\s*cook\([\s\S]*cook\(/.test(script));
  expect(together).toHaveLength(1);
  expect(examples.filter(([, , output]) => output !== '').length).toBeGreaterThanOrEqual(8);
});

test.each(examples.map(([name, , output], i) => [name, i, output] as const))('%s %i', (_, i, output) => {
  expect(said[i]).toBe(output);
});
