// Cooks sources to GLB and to .untold in a folder of the test's own, and compares what both draw.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { CookSettings, CookTarget } from '../../../src/config/types.ts';
import { cookSource } from '../../../src/cook/cookSource.ts';
import type { CookJob } from '../../../src/cook/types.ts';
import { LENIENT } from '../../../src/diagnostics/policy.ts';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { WorkerPool } from '../../../src/workers/workerPool.ts';
import { type Triangle, trianglesOf } from '../../cook/cooked.ts';
import { drawnTriangles, openGlb } from './glb.ts';
import { expectValid } from './khronos.ts';

export const SAMPLES = resolve(import.meta.dirname, '../../../samples');

export let folder: string;

/** A folder for the tests of a file, which calls it once: this module is loaded once for all files. */
export function useFolder(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'untold-glb-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

export const PNG = {
  mode: 'png',
  quality: null,
  maxSize: null,
  pot: 'nearest',
  mipFilter: 'linear',
  blocks: 'auto',
  psnr: 42,
  encoder: 'wasm',
  encoderVersion: null,
} as const;

export async function cook(
  source: string,
  target: CookTarget,
  settings: Partial<CookSettings> = {},
  pool = new WorkerPool(1),
  search: CookJob['search'] = { folders: [], remaps: [] },
) {
  const job = {
    source,
    root: null,
    target,
    settings: { missingTexture: 'error', tileSize: 25, compress: 'lz4', textures: PNG, ...settings },
    search,
    policy: LENIENT,
    force: true,
  } as const;
  const outcome = await cookSource(job, { pool });
  expect(outcome.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(outcome.status).toBe('ok');
  if (target.kind === 'file' && settings.format === 'glb') await expectValid(new Uint8Array(readFileSync(target.path)));
  return outcome;
}

export const fileOf = (name: string) => join(folder, name);
export const bytesOf = (name: string) => new Uint8Array(readFileSync(fileOf(name)));
export const toGlb = (source: string, name: string, settings: Partial<CookSettings> = {}) =>
  cook(source, { kind: 'file', path: fileOf(name) }, { format: 'glb', ...settings });
export const toUntold = (
  source: string,
  name: string,
  settings: Partial<CookSettings> = {},
  search?: CookJob['search'],
) => cook(source, { kind: 'file', path: fileOf(name) }, settings, undefined, search);

interface Row {
  readonly position: string;
  readonly values: readonly number[];
}

/** Triangles in an order of their own, each beginning with its least corner; UVs V up. */
export function sorted(
  triangles: readonly (readonly { position: readonly number[]; values: readonly number[] }[])[],
): Row[] {
  return triangles
    .map((corners) => {
      const texts = corners.map(({ position }) => position.map((value) => value + 0).join(' '));
      const first = texts.indexOf([...texts].sort()[0]);
      const order = [0, 1, 2].map((k) => (first + k) % 3);
      return { position: order.map((k) => texts[k]).join('|'), values: order.flatMap((k) => corners[k].values) };
    })
    .sort(
      (a, b) =>
        (a.position < b.position ? -1 : a.position > b.position ? 1 : 0) ||
        a.values[0] - b.values[0] ||
        a.values[1] - b.values[1] ||
        a.values[3] - b.values[3] ||
        a.values[4] - b.values[4],
    );
}

export const ofGlb = (bytes: Uint8Array) =>
  sorted(
    drawnTriangles(openGlb(bytes)).map(({ corners }) =>
      corners.map(({ position, normal, uv }) => ({ position, values: [...normal, uv[0], 1 - uv[1]] })),
    ),
  );
export const ofUntold = (triangles: readonly Triangle[]) =>
  sorted(
    triangles.map(({ corners }) =>
      corners.map(({ position, normal, uv }) => ({ position, values: [...normal, ...uv] })),
    ),
  );

/** The positions of both are the same; normals and UVs differ by what ten bits and halves round. */
export function expectAlike(a: readonly Row[], b: readonly Row[]): void {
  expect(a.length).toBe(b.length);
  expect(a.map(({ position }) => position)).toEqual(b.map(({ position }) => position));
  let worst = 0;
  // Corners that differ in values alone may stand in another order: the whole of a position is compared.
  const sums = (rows: readonly Row[]) => {
    const all = new Map<string, number[]>();
    for (const { position, values } of rows) {
      const sum = all.get(position) ?? values.map(() => 0);
      all.set(
        position,
        sum.map((value, k) => value + values[k]),
      );
    }
    return all;
  };
  const theirs = sums(b);
  for (const [position, values] of sums(a)) {
    const other = theirs.get(position) as number[];
    values.forEach((value, k) => {
      // Textures repeat: what only halves cannot hold is moved by whole numbers.
      const off = Math.abs(value - other[k]);
      const isUv = k % 5 > 2;
      worst = Math.max(worst, (isUv ? Math.abs(off - Math.round(off)) : off) / Math.max(1, Math.abs(value)));
    });
  }
  expect(worst).toBeLessThan(4e-3);
}

/** Cooks a source to GLB, to .untold, and from there to GLB, and compares all three. */
export async function expectSameTriangles(name: string, source: string): Promise<void> {
  const bake = { instances: 'bake', flatten: true } as const;
  await toUntold(source, `${name}.untold`, bake);
  await toGlb(source, `${name}.glb`, bake);
  await toGlb(fileOf(`${name}.untold`), `${name}2.glb`, bake);
  const untold = ofUntold(trianglesOf(await readUntold(bytesOf(`${name}.untold`), name)));
  expectAlike(ofGlb(bytesOf(`${name}.glb`)), untold);
  expectAlike(ofGlb(bytesOf(`${name}2.glb`)), untold);
  const materials = (file: string) =>
    openGlb(bytesOf(file))
      .json.materials.map((one: { name: string }) => one.name)
      .sort();
  expect(materials(`${name}2.glb`)).toEqual(materials(`${name}.glb`));
  await toGlb(source, `${name}3.glb`, bake);
  expect(Buffer.from(bytesOf(`${name}3.glb`)).equals(Buffer.from(bytesOf(`${name}.glb`)))).toBe(true);
}
