// Damaged samples through the whole cook, and damaged output through the validator: 2,000 seeded byte flips and
// truncations. Whatever happens must end in a complete cook or in a coded error that leaves nothing behind.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookSource } from '../../src/cook/cookSource.ts';
import { CODES } from '../../src/diagnostics/codes.ts';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { validateUntold } from '../../src/formats/untold/check/validate.ts';
import { memoryContent } from '../../src/importers/content.ts';
import { openUsdz } from '../../src/importers/usdz/openUsdz.ts';

const samples = resolve(import.meta.dirname, '../../samples');
const ROUNDS = 400;
/** No single damaged file may take longer; generous, for slow machines. */
const LONGEST = 10_000;
const MAX_MEMORY = 2 ** 30;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untold-hostile-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Numerical Recipes' linear congruential generator: the same damage in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function damage(bytes: Uint8Array, round: number, random: (below: number) => number): Uint8Array {
  if (round % 4 === 3) return bytes.slice(0, random(bytes.length));
  const copy = bytes.slice();
  // Structure lies at the ends more often than in the middle: half of the flips go there.
  for (let flips = 1 + random(4); flips > 0; flips--) {
    const near = Math.min(copy.length, 2048);
    const at = random(2) === 0 ? random(copy.length) : random(2) === 0 ? random(near) : copy.length - 1 - random(near);
    copy[at] ^= 1 << random(8);
  }
  return copy;
}

async function cookAll(name: string, original: Uint8Array, seed: number): Promise<void> {
  const random = generator(seed);
  const source = join(folder, name);
  const out = join(folder, 'out');
  const failures: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    writeFileSync(source, damage(original, round, random));
    const begin = performance.now();
    try {
      const outcome = await cookSource({
        source,
        root: folder,
        target: { kind: 'folder', folder: out, sceneName: 'scene' },
        settings: { missingTexture: 'drop', tileSize: 25, compress: 'lz4' },
        policy: LENIENT,
        force: false,
      });
      const errors = outcome.diagnostics.filter((d) => d.severity === 'error');
      if (outcome.status === 'ok' && errors.length > 0) failures.push(`${round}: ok with errors`);
      if (outcome.status === 'failed' && errors.length === 0) failures.push(`${round}: failed without a word`);
      for (const { code, file } of errors)
        if (!(code in CODES) || file === '') failures.push(`${round}: ${code} '${file}'`);
    } catch (error) {
      failures.push(`${round}: ${(error as Error).stack}`);
    }
    if (performance.now() - begin > LONGEST) failures.push(`${round}: too slow`);
    if (readdirSync(folder).some((entry) => entry.includes('cooking')))
      failures.push(`${round}: staging folder left behind`);
    rmSync(out, { recursive: true, force: true });
  }
  expect(failures).toEqual([]);
  expect(process.memoryUsage().rss).toBeLessThan(MAX_MEMORY);
}

/** In memory of its own: slices of a Buffer would share it, and the damage would add up. */
const sample = (path: string) => Uint8Array.from(readFileSync(join(samples, path)));
const usdz = sample('courtyard.usdz');
const crate = () =>
  Uint8Array.from(openUsdz(memoryContent(usdz), 'courtyard.usdz', new Diagnostics()).open('courtyard.usdc').whole!);

describe('damaged samples', () => {
  it('GLB', () => cookAll('scene.glb', sample('glb/courtyard.glb'), 1), 300_000);
  it('USDZ', () => cookAll('scene.usdz', usdz, 2), 300_000);
  it('USD crate', () => cookAll('scene.usdc', crate(), 3), 300_000);
  it('USD text', () => cookAll('scene.usda', sample('usda/courtyard.usda'), 4), 300_000);

  it('.untold', async () => {
    const out = join(folder, 'whole.untold');
    const job = { source: join(samples, 'courtyard.usdz'), root: null, policy: LENIENT, force: false } as const;
    const settings = { missingTexture: 'error', tileSize: 25, compress: 'lz4' } as const;
    expect((await cookSource({ ...job, settings, target: { kind: 'file', path: out } })).status).toBe('ok');
    const original = Uint8Array.from(readFileSync(out));
    const random = generator(5);
    for (let round = 0; round < ROUNDS; round++) {
      const found = await validateUntold(damage(original, round, random), 'a.untold', { engine: true });
      for (const { code } of found) expect(code in CODES).toBe(true);
    }
  }, 300_000);
});
