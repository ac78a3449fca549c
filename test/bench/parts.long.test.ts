import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { bundleImporter, importOnce } from '../../bench/importer.ts';
import { cookFiles, inspectStages } from '../../bench/rows/commands.ts';
import { cookTown } from '../../bench/rows/towns.ts';
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
    const [, syncs] = cookFiles(disk, 1, 8);
    expect(syncs.value).toBeGreaterThanOrEqual(2);
    expect(syncs.value).toBeLessThan(3);
  } finally {
    rmSync(disk, { recursive: true, force: true });
  }
});

test('the commands that the bench times end well', () => {
  expect(inspectStages(folder, 1, 2, 4, 20).map(({ unit }) => unit)).toEqual(['ms', 'ms', 'ms']);
  const goals = { wall: 1, cpu: 1, defaults: 1, peakBytes: 1e9 };
  const names = cookTown(2000, goals, folder, 1, 'no-such-tool').map(({ name }) => name);
  expect(names).toContain('three levels, CPU');
  expect(names.filter((name) => name.includes('no-such-tool'))).toEqual([]);
});
