// Whole scenes of other people, cooked through the command line. They are not part of the project; without them this is
// skipped.

import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';

const USD = resolve(import.meta.dirname, '../../../shared/assets/usd');
const CARS = 'vehicles/USD_Mini_Car_Kit/assets';

/** Scenes that are composed of many layers: variants of vehicles and wheels, and every vehicle with its wheels. */
function scenes(): string[] {
  const found = ['teapot/Teapot.usd', 'mcusd/McUsd.usda', `${CARS}/wheels/wheelVariants.usda`];
  const folder = join(USD, CARS, 'vehicles');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/(?:FullAsset|Variants)\.usda$/.test(file)) found.push(`${CARS}/vehicles/${file}`);
  }
  return found;
}

const isThere = existsSync(USD);

describe.skipIf(!isThere)('scenes of many layers (skipped without the assets beside the project)', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(isThere ? scenes() : [])('%s is cooked, and what was written is valid', async (scene) => {
    const name = basename(scene).replace(/\.\w+$/, '');
    const cooked = await untold(folder, [
      'cook',
      join(USD, scene),
      '--out',
      name,
      '--lod',
      'none',
      '--hlod',
      'none',
      '--json',
    ]);
    expect([cooked.code, cooked.stderr.match(/^error.*/gm)]).toEqual([0, null]);
    const [{ totals, outputs }] = JSON.parse(cooked.stdout).results;
    expect(totals.trianglesOut).toBeGreaterThan(100);
    expect(outputs.length).toBeGreaterThanOrEqual(2);
    const checked = await untold(folder, ['validate', '--json', name]);
    expect([checked.code, JSON.parse(checked.stdout).files.every((file: { ok: boolean }) => file.ok)]).toEqual([
      0,
      true,
    ]);
  });

  test('other variants of the teapot give other triangles', async () => {
    const triangles = async (...args: string[]) => {
      const { stdout } = await untold(folder, ['inspect', '--json', join(USD, 'teapot/Teapot.usd'), ...args]);
      return JSON.parse(stdout).totals.triangles as number;
    };
    const utah = await triangles();
    expect(await triangles('--variant', '/Teapot:modelVariant=Utah')).toBe(utah);
    expect(await triangles('--variant', '/Teapot:modelVariant=Fancy')).not.toBe(utah);
  });

  test('a layer that is missing ends the cook, or is left out when that is asked for', async () => {
    const copy = join(folder, 'copy');
    cpSync(join(USD, 'vehicles/USD_Mini_Car_Kit'), copy, { recursive: true });
    rmSync(join(copy, 'assets/wheels/wheelNormal/geo/wheelNormalGeo.usda'));
    const scene = 'copy/assets/vehicles/sedan/asset/sedanFullAsset.usda';
    const failed = await untold(folder, ['cook', scene, '--out', 'lost', '--json']);
    expect(failed.code).toBe(1);
    const [{ status, outputs, diagnostics }] = JSON.parse(failed.stdout).results;
    expect([status, outputs, existsSync(join(folder, 'lost'))]).toEqual(['failed', [], false]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('wheelNormalGeo.usda') }),
    );
    const dropped = await untold(folder, ['cook', scene, '--out', 'lost', '--json', '--missing-asset', 'drop']);
    expect(dropped.code).toBe(0);
    const said = JSON.parse(dropped.stdout).results[0].diagnostics as { code: string; severity: string }[];
    expect(said).toContainEqual(expect.objectContaining({ code: 'UC1719', severity: 'warning' }));
    expect(said.filter((item) => item.severity === 'error')).toEqual([]);
    expect((await untold(folder, ['validate', 'lost'])).code).toBe(0);
  });
});
