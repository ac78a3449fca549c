// Real crates: every field of every spec decodes without a word, and meshes have the counts that OpenUSD finds.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { Diagnostics } from '../../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../../src/importers/content.ts';
import { isCrate, readCrate } from '../../../../src/importers/usd/crate/readCrate.ts';
import { plainLayer } from './plainLayer.ts';

const shared = resolve(import.meta.dirname, '../../../../../shared');
const assets = join(shared, 'assets/usd');
const truth = join(shared, 'truth/usd.jsonl');

/** The crates among stored zip entries, by walking local headers (usdz entries are stored and unencrypted). */
function packagedCrates(bytes: Uint8Array): { name: string; bytes: Uint8Array }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: { name: string; bytes: Uint8Array }[] = [];
  for (let at = 0; at + 30 <= bytes.length && view.getUint32(at, true) === 0x04034b50; ) {
    const size = view.getUint32(at + 18, true);
    const name = at + 30;
    const data = name + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const entry = bytes.subarray(data, data + size);
    if (isCrate(entry)) found.push({ name: new TextDecoder().decode(bytes.subarray(name, name + 40)), bytes: entry });
    at = data + size;
  }
  return found;
}

function crates(): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const names = readdirSync(assets, { recursive: true, encoding: 'utf8' }).filter((name) => /\.usd[cz]?$/.test(name));
  for (const name of names.sort()) {
    const path = join(assets, name);
    const bytes = new Uint8Array(readFileSync(path));
    if (isCrate(bytes)) found.set(`usd/${relative(assets, path)}`, bytes);
    for (const entry of packagedCrates(bytes)) found.set(`usd/${name}[${entry.name}]`, entry.bytes);
  }
  return found;
}

const skip = existsSync(assets) ? false : 'the shared assets are not here';

it.skipIf(skip)(`decodes every field of every real crate${skip ? ` (${skip})` : ''}`, () => {
  const all = crates();
  expect(all.size).toBeGreaterThan(10);
  for (const [name, bytes] of all) {
    const diagnostics = new Diagnostics();
    const specs = plainLayer(readCrate(memoryContent(bytes), name, diagnostics));
    expect(Object.keys(specs).length, name).toBeGreaterThan(1);
    expect(diagnostics.list, name).toEqual([]);
  }
});

it.skipIf(skip || !existsSync(truth))('finds the points and faces that OpenUSD finds', () => {
  const all = crates();
  let compared = 0;
  for (const line of readFileSync(truth, 'utf8').split('\n')) {
    if (line === '') continue;
    const stage = JSON.parse(line) as { file: string; meshList?: { path: string; points: number; faces: number }[] };
    const bytes = all.get(stage.file);
    if (!bytes) continue;
    const { specs } = readCrate(memoryContent(bytes), stage.file, new Diagnostics());
    for (const mesh of stage.meshList ?? []) {
      const points = specs.get(`${mesh.path}.points`)?.peek('default');
      const counts = specs.get(`${mesh.path}.faceVertexCounts`)?.peek('default');
      if (!points || !counts) continue;
      expect([points.count, counts.count], `${stage.file} ${mesh.path}`).toEqual([mesh.points, mesh.faces]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(15);
});
