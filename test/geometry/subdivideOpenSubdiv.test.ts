// What OpenSubdiv 3.5.0 makes of small meshes with creases, corners, boundaries, fins and seams, recorded with
// fixtures/subdivision/refine.cpp. It numbers children otherwise, so faces of one parent are found by their places.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Subdivision } from '../../src/scene/types.ts';
import { attribute } from './meshes.ts';
import { cage, corners, creases, refined } from './subdivisions.ts';

interface Recorded {
  readonly name: string;
  readonly scheme: Subdivision['scheme'];
  readonly boundary: Subdivision['boundary'];
  readonly faceVarying: Subdivision['faceVarying'];
  readonly triangles: Subdivision['triangles'];
  readonly levels: 1 | 2 | 3;
  readonly points: number[][];
  readonly faces: number[][];
  readonly creases: [number, number, number][];
  readonly corners: [number, number][];
  readonly values: number[][];
  readonly indices: number[];
  readonly refined: { vertices: number; parent: number[]; hole: number[]; points: number[]; values: number[] };
}

const FILE = resolve(import.meta.dirname, '../fixtures/subdivision/opensubdiv.json');
const RECORDED: readonly Recorded[] = JSON.parse(readFileSync(FILE, 'utf8'));

/** Six digits are recorded, of numbers below 10. */
const NEAR = 2e-5;

test.each(RECORDED)('$name, $levels levels', (record) => {
  const { scheme, boundary, faceVarying, triangles, levels } = record;
  const mesh = refined(
    cage(record.points, record.faces, {
      subdivision: { scheme, boundary, faceVarying, triangles, corners: corners(...record.corners) },
      creases: creases(...record.creases.map(([a, b, sharpness]) => [[a, b], sharpness] as const)),
      uvs: new Map([['st', attribute(record.values, 'faceVarying', record.indices)]]),
    }),
    levels,
  );
  const { parent, hole, points, values, vertices } = record.refined;
  const size = scheme === 'loop' ? 3 : 4;
  const st = mesh.uvs.get('st')!;
  expect(mesh.points.length / 3).toBe(vertices);
  expect(mesh.corners.length / size).toBe(parent.length);

  /** Whether our corner is theirs in place and value. */
  const same = (theirs: number, ours: number): boolean => {
    for (let k = 0; k < 3; k++) {
      if (!(Math.abs(points[theirs * 3 + k] - mesh.points[mesh.corners[ours] * 3 + k]) < NEAR)) return false;
    }
    for (let k = 0; k < 2; k++) {
      if (!(Math.abs(values[theirs * 2 + k] - st.data[st.indices![ours] * 2 + k]) < NEAR)) return false;
    }
    return true;
  };
  const missing: number[] = [];
  const taken = new Set<number>();
  parent.forEach((face, f) => {
    const found = parent.findIndex((other, g) => {
      if (other !== face || taken.has(g)) return false;
      const turns = Array.from({ length: size }, (_, k) => k);
      return turns.some((turn) => turns.every((k) => same(f * size + k, g * size + ((k + turn) % size))));
    });
    if (found < 0) missing.push(f);
    else taken.add(found);
    expect(mesh.holes?.[f] ?? 0).toBe(hole[f]);
  });
  expect(missing).toEqual([]);
});
