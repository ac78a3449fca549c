// Whole cooks of the samples against an independent reader. The long test of the same name has the assets of another hand.

import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Corner } from './cooked.ts';
import { byKey, compare, differences, listed, type Ring } from './independentReader.ts';

const SAMPLES = resolve(import.meta.dirname, '../../samples');
const samples = [...listed(join(SAMPLES, 'glb')), ...listed(join(SAMPLES, 'gltf'))];

test('the samples', async () => {
  expect(samples.length).toBeGreaterThan(1);
  await compare(samples);
});

test('the comparison sees what is wrong', () => {
  const corner = (x: number, y: number, u = x): Corner => ({ position: [x, y, 0], normal: [0, 0, 1], uv: [u, y] });
  const ring: Ring = [corner(0, 0), corner(1, 0), corner(0, 1)];
  const of = (...rings: Ring[]) => byKey(rings);
  expect(differences(of([ring[1], ring[2], ring[0]]), of(ring))).toEqual([]);
  expect(differences(of([ring[0], ring[2], ring[1]]), of(ring)).length).toBe(2);
  expect(differences(of(ring, ring), of(ring)).length).toBe(1);
  expect(differences(of(), of(ring)).length).toBe(1);
  const moved = ring.map((c) => ({ ...c, uv: [c.uv[0] + 3, c.uv[1] - 1] })) as unknown as Ring;
  expect(differences(of(moved), of(ring))).toEqual([]);
  const torn: Ring = [ring[0], ring[1], corner(0, 1, 1)];
  expect(differences(of(torn), of(ring)).length).toBe(2);
  const tilted = ring.map((c) => ({ ...c, normal: [Math.sin(0.004), 0, Math.cos(0.004)] })) as unknown as Ring;
  expect(differences(of(tilted), of(ring)).length).toBe(2);
});
