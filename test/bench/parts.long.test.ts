import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cookFiles, inspectKit, planCrate } from '../../bench/commands.ts';
import { crateTerrain } from '../../bench/crate.ts';
import { bundleImporter, importOnce } from '../../bench/importer.ts';
import { textTown } from '../../bench/stages.ts';

let folder = '';

beforeAll(() => {
  expect(inject('bundleFault')).toBe('');
  folder = mkdtempSync(join(tmpdir(), 'untold bench parts-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the bundled importer reads a text layer that is large enough for the kernel', async () => {
  const bundle = join(folder, 'bundle');
  mkdirSync(bundle);
  const importer = await bundleImporter(bundle);
  const { bytes, triangles } = textTown(1.2e6);
  expect(bytes.length).toBeGreaterThan(2 ** 20);
  const source = join(folder, 'town.usda');
  writeFileSync(source, bytes);
  const once = importOnce(importer, source);
  expect(once).toMatchObject({ opened: 1, bytes: bytes.length, triangles });
});

test('many small files are cooked with two syncs each and one for all', () => {
  // On a disk: file systems in memory are synced file by file.
  const parent = join(import.meta.dirname, '../../node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const disk = mkdtempSync(join(parent, 'untold bench files-'));
  try {
    const { figures } = cookFiles(disk, 8);
    expect(Number(figures[1])).toBeGreaterThanOrEqual(2);
    expect(Number(figures[1])).toBeLessThan(3);
  } finally {
    rmSync(disk, { recursive: true, force: true });
  }
});

test('the commands that the bench times end well', () => {
  expect(inspectKit(folder, 2, 4).line).toContain('inspect --stage of 0.0 M triangles');
  const crate = join(folder, 'terrain.usdc');
  writeFileSync(crate, crateTerrain(800).bytes);
  expect(planCrate(crate, folder).figures).toHaveLength(1);
});
