// Rays from random eyes in a zone, against the triangles of the source and of what was cooked for the zone: plain ray casting, which
// shares no code with the pictures that the cook looks at.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { height, writeTown } from '../../bench/town.ts';
import type { ZoneSettings } from '../../src/config/zoneSettings.ts';
import { type Cooked, cookFiles, trianglesOf } from '../cook/cooked.ts';
import { box, grid, type Placed, room, sceneOf, zone } from '../cook/zoneScenes.ts';
import { random } from '../geometry/meshes.ts';
import { buildGlb, type PrimitiveInput } from '../importers/gltf/build.ts';
import { Rays } from '../support/rays.ts';

const folder = mkdtempSync(join(tmpdir(), 'untold-rays-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RAYS = 200_000;
const PIXELS_A_DEGREE = 20;
/** Depths are the same within this share. */
const SAME = 0.01;

function raysOf(cooked: Cooked): Rays {
  const triangles = trianglesOf(cooked.scene);
  const positions = new Float64Array(triangles.length * 9);
  for (const [t, { corners }] of triangles.entries()) {
    for (const [k, { position }] of corners.entries()) positions.set(position, t * 9 + k * 3);
  }
  return new Rays(
    positions,
    Uint32Array.from({ length: triangles.length * 3 }, (_, i) => i),
  );
}

/** Directions around one, up to an angle away. */
function* beside(direction: readonly number[], angle: number): Generator<number[]> {
  const [x, y, z] = direction;
  const side = Math.abs(y) < 0.9 ? [z, 0, -x] : [0, -z, y];
  const length = Math.hypot(...side);
  const u = side.map((value) => value / length);
  const v = [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]];
  for (const share of [0.35, 0.7, 1]) {
    for (let i = 0; i < 12; i++) {
      const turn = (i / 12) * 2 * Math.PI;
      const [a, b] = [Math.cos(turn) * angle * share, Math.sin(turn) * angle * share];
      yield direction.map((value, k) => value + u[k] * a + v[k] * b);
    }
  }
}

interface Compared {
  readonly share: number;
  /** The first few rays that do not agree. */
  readonly wrong: readonly string[];
  /** Rays that hit something. */
  readonly hits: number;
}

/** How many of the rays from a box of eyes meet the same in both. `angle`: radians that a surface may lie off. */
function compare(source: Rays, result: Rays, { min, max }: ZoneSettings['boxes'][number], angle: number): Compared {
  const next = random(20_260);
  const wrong: string[] = [];
  let bad = 0;
  let hits = 0;
  for (let i = 0; i < RAYS; i++) {
    const eye = [0, 1, 2].map((k) => min[k] + (max[k] - min[k]) * next());
    const [y, turn] = [2 * next() - 1, next() * 2 * Math.PI];
    const across = Math.sqrt(1 - y * y);
    const direction = [Math.cos(turn) * across, y, Math.sin(turn) * across];
    // Eyes are held a centimetre away from surfaces.
    const depth = source.nearest(eye, direction, 0.02).t;
    if (depth < Infinity) hits++;
    const agrees = (way: readonly number[]): boolean => {
      const there = result.nearest(eye, way, 0.02).t;
      return there === depth || Math.abs(there - depth) <= depth * SAME;
    };
    let isSame = agrees(direction);
    if (!isSame) {
      for (const way of beside(direction, angle)) {
        isSame = agrees(way);
        if (isSame) break;
      }
    }
    if (isSame) continue;
    bad++;
    const there = result.nearest(eye, direction, 0.02).t;
    if (wrong.length < 12) {
      const place = (list: readonly number[]) => list.map((value) => value.toFixed(3)).join(' ');
      wrong.push(`from ${place(eye)} along ${place(direction)}: ${depth.toFixed(3)} m, then ${there.toFixed(3)} m`);
    }
  }
  return { share: 1 - bad / RAYS, wrong, hits };
}

async function expectSeen(glb: Uint8Array, viewerZone: ZoneSettings, most: number): Promise<void> {
  const source = await cookFiles({ 'scene.glb': glb });
  const result = await cookFiles({ 'scene.glb': glb }, { viewerZone });
  const figures = result.outcome.totals?.zone;
  if (!figures) throw new Error(`it was not cooked: ${result.codes}`);
  const angle = ((figures.error + 1) / viewerZone.pixelsPerDegree) * (Math.PI / 180);
  const { share, wrong, hits } = compare(raysOf(source), raysOf(result), viewerZone.boxes[0], angle);
  process.stderr.write(
    `of ${figures.trianglesBefore} triangles ${figures.trianglesAfter} are left; ${(share * 100).toFixed(3)} % of rays agree\n`,
  );
  expect(share, wrong.join('\n')).toBeGreaterThanOrEqual(0.9998);
  expect(hits).toBeGreaterThan(RAYS / 4);
  expect(figures.trianglesAfter).toBeLessThan(figures.trianglesBefore * most);
}

/** A ball of `rows` x 2 `rows` squares. */
function ball([x, y, z]: readonly number[], radius: number, rows: number): PrimitiveInput {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= rows; i++) {
    for (let k = 0; k <= rows * 2; k++) {
      const [up, turn] = [(i / rows) * Math.PI, (k / rows) * Math.PI];
      const across = Math.sin(up) * radius;
      positions.push(x + Math.cos(turn) * across, y + Math.cos(up) * radius, z + Math.sin(turn) * across);
    }
  }
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < rows * 2; k++) {
      const a = i * (rows * 2 + 1) + k;
      const b = a + rows * 2 + 1;
      if (i > 0) indices.push(a, a + 1, b);
      if (i < rows - 1) indices.push(a + 1, b + 1, b);
    }
  }
  return { positions, indices: Uint32Array.from(indices) };
}

describe('rays from a zone meet what they meet in the source', () => {
  test('in a town', async () => {
    const path = join(folder, 'town.glb');
    expect(writeTown(60_000, path)).toBeGreaterThan(50_000);
    const ground = height(0, 0);
    const street = { min: [-2, ground + 1.2, -2], max: [2, ground + 1.9, 2] } as const;
    const settings = zone({ boxes: [street], pixelsPerDegree: PIXELS_A_DEGREE });
    await expectSeen(new Uint8Array(readFileSync(path)), settings, 0.9);
  });

  test('in a room with furniture and a window', async () => {
    const leg = (x: number, z: number): Placed => ({ shape: box([x, 0, z], [x + 0.05, 0.7, z + 0.05]) });
    const folds = grid(60, 1.6, (x, z) => 0.06 * Math.sin(x * 30) + 0.01 * Math.sin(z * 5));
    const scene = sceneOf({
      Room: { shape: room(true) },
      Table: { shape: box([-0.8, 0.7, -2.4], [0.8, 0.75, -1.4]) },
      Leg0: leg(-0.75, -2.35),
      Leg1: leg(0.7, -2.35),
      Leg2: leg(-0.75, -1.5),
      Leg3: leg(0.7, -1.5),
      Bowl: { shape: ball([0, 0.9, -1.9], 0.15, 48) },
      Globe: { shape: ball([-2.2, 0.4, 1.8], 0.4, 64) },
      Lamp: { shape: ball([1.5, 2, 1.5], 0.2, 32) },
      Curtain: { shape: folds, node: { translation: [-2.8, 1.4, -1], rotation: [0.5, 0.5, 0.5, 0.5] } },
      Shelf: { shape: box([-0.5, 1.8, 2.7], [0.9, 1.83, 2.98]) },
      Garden: { shape: grid(80, 60, (x, z) => 0.4 * Math.sin(x * 0.5) * Math.cos(z * 0.4) - 0.6) },
      Tree: { shape: ball([14, 2, 1], 2.5, 32) },
      House: { shape: box([25, 0, -6], [32, 6, 5]) },
      Behind: { shape: ball([45, 2, 0], 2, 32) },
    });
    const seat = { min: [-0.5, 1.1, -0.5], max: [0.5, 1.6, 0.5] } as const;
    await expectSeen(buildGlb(scene), zone({ boxes: [seat], pixelsPerDegree: PIXELS_A_DEGREE }), 0.7);
  });
});
