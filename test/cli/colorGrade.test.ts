// `--color-grade` through the command line: where the file lies, who names it, and what is refused.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
const DUSK = `LUT_3D_SIZE 2\nDOMAIN_MAX 1 1 2\n${'0.25 0.5 0.75\n'.repeat(8)}`;
const NAME = `Dusk_look_${createHash('sha256').update(DUSK).digest('hex').slice(0, 8)}.cube`;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf());
  put(folder, 'looks/Dusk look.cube', DUSK);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cook = (...args: string[]) =>
  untold(folder, ['cook', 'town.gltf', '--color-grade', 'looks/Dusk look.cube', ...args]);
const names = (path: string) => readdirSync(join(folder, path));

test('a set names it in its manifest; the file is the same byte for byte', async () => {
  expect((await cook('--out', 'tiles', '--no-cache')).code).toBe(0);
  const manifest = JSON.parse(readFileSync(join(folder, 'tiles/town.json'), 'utf8'));
  const uri = `town/Textures/${NAME}`;
  expect(manifest.colorGradeLUT).toEqual({ lutUri: uri, lutSize: 2, domainMin: [0, 0, 0], domainMax: [1, 1, 2] });
  expect(readFileSync(join(folder, 'tiles', uri), 'utf8')).toBe(DUSK);
  expect((await untold(folder, ['validate', '--strict', 'tiles'])).code).toBe(0);
  expect((await untold(folder, ['verify', 'tiles'])).code).toBe(0);
  // Without it the file goes, and nothing else is left.
  expect((await untold(folder, ['cook', 'town.gltf', '--out', 'tiles', '--no-cache'])).code).toBe(0);
  expect(existsSync(join(folder, 'tiles', uri))).toBe(false);
});

test('a single file names it in a record of its own', async () => {
  expect((await cook('--out', 'town.untold', '--no-cache')).code).toBe(0);
  const { colorGrade } = await readUntold(new Uint8Array(readFileSync(join(folder, 'town.untold'))), '');
  expect(colorGrade).toEqual({ uri: `Textures/${NAME}`, size: 2, domainMin: [0, 0, 0], domainMax: [1, 1, 2] });
  expect(names('Textures')).toContain(NAME);
  expect((await untold(folder, ['validate', '--strict', 'town.untold'])).code).toBe(0);
});

test('parts of a set give the set of one machine', async () => {
  expect((await cook('--out', 'whole', '--no-cache')).code).toBe(0);
  for (const shard of ['0/2', '1/2'])
    expect((await cook('--out', `part${shard[0]}`, '--shard', shard, '--no-cache')).code).toBe(0);
  expect((await untold(folder, ['merge', 'part0', 'part1', '--out', 'merged'])).code).toBe(0);
  const text = (name: string) => readFileSync(join(folder, name, 'town.json'), 'utf8');
  expect(text('merged')).toBe(text('whole'));
});

test('another look cooks again, the same look does not', async () => {
  const old = new Date(Date.now() - 60_000);
  for (const file of ['town.gltf', 'looks/Dusk look.cube']) utimesSync(join(folder, file), old, old);
  const cached = () => cook('--out', 'tiles', '--cache-dir', 'cache');
  expect((await cached()).code).toBe(0);
  const before = readFileSync(join(folder, 'tiles/town.json'), 'utf8');
  expect([(await cached()).code, readFileSync(join(folder, 'tiles/town.json'), 'utf8')]).toEqual([0, before]);
  put(folder, 'looks/Dusk look.cube', DUSK.replace('0.25', '0.5'));
  expect((await cached()).code).toBe(0);
  expect(readFileSync(join(folder, 'tiles/town.json'), 'utf8')).not.toBe(before);
  expect(names('tiles/town/Textures').filter((name) => name.endsWith('.cube')).length).toBe(1);
});

test('a damaged or missing look is an error, an unknown keyword a warning, and GLB has no place for one', async () => {
  put(folder, 'looks/Dusk look.cube', 'LUT_3D_SIZE 2\n');
  const damaged = await cook('--out', 'tiles', '--no-cache');
  expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('UC2120')]);
  expect(existsSync(join(folder, 'tiles/town.json'))).toBe(false);
  put(folder, 'looks/Dusk look.cube', `RANGE 0 0 0\n${DUSK}`);
  const warned = await cook('--out', 'tiles', '--no-cache');
  expect([warned.code, warned.stderr]).toEqual([0, expect.stringContaining('UC2121')]);
  rmSync(join(folder, 'looks/Dusk look.cube'));
  const missing = await cook('--out', 'tiles', '--no-cache');
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('UC1200')]);
  expect((await cook('--out', 'town.glb', '--no-cache')).code).toBe(2);
});
