// The check of a staged set: each file by the rules of its kind.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { loadFormat } from '../../src/formats/registry.ts';
import { OutputSet } from '../../src/output/outputSet.ts';
import { verifySet } from '../../src/output/verify.ts';
import { fixture } from '../formats/untold/edit.ts';
import { FORMAT, texture } from '../formats/utex/textures.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'untold-verify-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** The codes that the check of a set throws. */
async function codesOf(files: Readonly<Record<string, Uint8Array>>): Promise<string[]> {
  const set = OutputSet.open({ base, main: 'city.untold', earlier: () => new Map(), force: false });
  try {
    for (const [path, bytes] of Object.entries(files)) set.write(path, bytes);
    await verifySet(set, await loadFormat('untold'), () => {});
    return [];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics.map(({ code, file }) => `${code} ${file.slice(base.length + 1)}`);
  } finally {
    set.discard();
  }
}

test('payloads and cooked textures are checked, other files are read back', async () => {
  const tile = fixture('valid-v4-lz4.untold');
  const wall = texture(FORMAT.astc4x4Srgb);
  const image = Uint8Array.of(1, 2, 3);
  expect(await codesOf({ 'city.untold': tile, 'Textures/wall.utex': wall, 'Textures/a.png': image })).toEqual([]);
  expect(await codesOf({ 'city.untold': tile.slice(0, 300), 'Textures/wall.utex': wall })).not.toEqual([]);
  expect(await codesOf({ 'city.untold': tile, 'Textures/wall.utex': wall.slice().fill(0, 200, 300) })).toEqual([
    'UC3301 Textures/wall.utex',
  ]);
  // Warnings do not stop a set.
  expect(await codesOf({ 'Textures/wall.utex': texture(FORMAT.astc4x4Srgb, { mips: 2 }) })).toEqual([]);
});
