// What a browser fetches before it can draw, and what decoders weigh that few files need: compressed, as packages are.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';

const dist = resolve(import.meta.dirname, '../../dist');

/** Names of scripts that a script imports when it is loaded, or with `lazy` when it needs them. */
function importsOf(name: string, lazy: boolean): string[] {
  const text = readFileSync(join(dist, 'viewer', name), 'utf8');
  const pattern = lazy ? /\bimport\(["']\.\/([\w-]+\.js)["']\)/g : /(?:\bfrom|\bimport)\s*["']\.\/([\w-]+\.js)["']/g;
  return [...text.matchAll(pattern)].map(([, found]) => found);
}

function withImports(names: readonly string[]): Set<string> {
  const all = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (all.has(name)) continue;
    all.add(name);
    open.push(...importsOf(name, false));
  }
  return all;
}

const weight = (path: string): number => gzipSync(readFileSync(join(dist, path)), { level: 9 }).length;
const sum = (names: Iterable<string>): number =>
  [...names].reduce((bytes, name) => bytes + weight(`viewer/${name}`), 0);

test('the page weighs 350 kB at most, and decoders on demand 300 kB more', () => {
  expect(inject('bundleFault')).toBe('');
  const always = withImports(['page.js', 'reader.js']);
  const onDemand = withImports([...always].flatMap((name) => importsOf(name, true)));
  for (const name of always) onDemand.delete(name);
  // Nothing in the folder is forgotten.
  const plain = ['index.html', 'page.css', 'icon.svg'];
  expect([...always, ...onDemand, ...plain].sort()).toEqual(readdirSync(join(dist, 'viewer')).sort());
  expect(onDemand.size).toBeGreaterThan(0);
  expect(sum(always) + sum(plain) + weight('kernel.wasm')).toBeLessThanOrEqual(350_000);
  expect(sum(onDemand)).toBeLessThanOrEqual(300_000);
});

test('nothing in it asks another host for scripts, styles or fonts', () => {
  const html = readFileSync(join(dist, 'viewer/index.html'), 'utf8');
  expect(html).not.toMatch(/https?:|\/\//);
  expect(readFileSync(join(dist, 'viewer/page.css'), 'utf8')).not.toMatch(/url\(|@import|@font-face/);
});
