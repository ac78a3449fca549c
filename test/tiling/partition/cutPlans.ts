// What holds for plans of all ways to cut, over scenes of all sizes.

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TILING, type TilingOptions } from '../../../src/tiling/options.ts';
import { estimate } from '../../../src/tiling/partition/budgets.ts';
import { planScene } from '../../../src/tiling/plan.ts';
import type { PlannedObject, PlannedTile, ScenePlan } from '../../../src/tiling/types.ts';
import { generatedScene, random, shuffled } from '../objects.ts';

export const payloads = (plan: ScenePlan): PlannedTile[] =>
  plan.shared ? [...plan.tiles, plan.shared] : [...plan.tiles];
export const planned = (plan: ScenePlan): PlannedObject[] => payloads(plan).flatMap((tile) => tile.objects);
export const piecesIn = (plan: ScenePlan) => planned(plan).filter((o) => o.piece);

/** Scenes of all sizes, some far from the origin, with grounds and heavy things; odd sizes of tiles. */
export const CASES = [2, 30, 150, 600, 2000].flatMap((extent, i) =>
  [0, 1, 2].map((j) => {
    const next = random(100 * i + j);
    const shift = j === 2 ? 1000 * (next() - 0.5) : 0;
    const scattered = generatedScene(31 * i + j, extent, 120).map(
      (o): PlannedObject => ({
        ...o,
        bounds: {
          min: [o.bounds.min[0] + shift, o.bounds.min[1], o.bounds.min[2] - shift],
          max: [o.bounds.max[0] + shift, o.bounds.max[1], o.bounds.max[2] - shift],
        },
        draws: o.node % 17 === 0 ? [`${o.node}|0`] : o.draws,
      }),
    );
    const size = [25, extent / 9.7, extent / 33.3][j];
    return { name: `${extent} m, tiles of ${size.toFixed(2)} m`, objects: scattered, size };
  }),
);

/** One way to cut. */
type Mode = Pick<TilingOptions, 'partition' | 'split'>;

export function describeCuts({ partition, split }: Mode): void {
  const options = { ...DEFAULT_TILING, partition, split };

  describe(`${partition}, split ${split}`, () => {
    const plans = CASES.map((one) => ({ ...one, plan: planScene(one.objects, one.size, 's', options) }));

    it('cuts something', () => {
      expect(plans.filter(({ plan }) => plan.cut.length > 0).length).toBeGreaterThan(8);
    });

    it('cuts what it cuts into all cells of its planes, without gap or overlap', () => {
      for (const { objects, plan } of plans) {
        const bySource = new Map<number, PlannedObject[]>();
        for (const o of piecesIn(plan)) bySource.set(o.node, [...(bySource.get(o.node) ?? []), o]);
        expect([...bySource.keys()].sort((a, b) => a - b)).toEqual(plan.cut.map(({ object: { node } }) => node));
        for (const { object: whole, pieces: count } of plan.cut) {
          expect(objects[whole.node]).toEqual(whole);
          const pieces = bySource.get(whole.node) ?? [];
          expect(pieces.length).toBe(count);
          const planes = pieces[0].piece?.planes ?? { x: [], z: [] };
          const { min, max } = whole.bounds;
          const x = [min[0], ...planes.x, max[0]];
          const z = [min[2], ...planes.z, max[2]];
          for (const ends of [x, z]) {
            // An object that is flat along an axis is not cut across it.
            const rising = ends.slice(1).filter((end, i) => end > ends[i]).length;
            expect(rising === ends.length - 1 || ends.length === 2).toBe(true);
          }
          for (const plane of [...planes.x, ...planes.z]) expect(Object.is(Math.fround(plane), plane)).toBe(true);
          expect(pieces.length).toBe((x.length - 1) * (z.length - 1));
          const places = new Set<string>();
          let area = 0;
          // Thousands of pieces an object: expect() is asked once for all of them.
          const wrong = pieces.filter(({ bounds, piece }) => {
            if (piece?.planes !== planes) return true;
            const { column, row } = piece;
            places.add(`${column} ${row}`);
            area += (bounds.max[0] - bounds.min[0]) * (bounds.max[2] - bounds.min[2]);
            const ends = [x[column], min[1], z[row], x[column + 1], max[1], z[row + 1]];
            return [...bounds.min, ...bounds.max].some((end, k) => end !== ends[k]);
          });
          expect(wrong).toEqual([]);
          expect(places.size).toBe(count);
          const all = (max[0] - min[0]) * (max[2] - min[2]);
          expect(Math.abs(area - all)).toBeLessThanOrEqual(1e-9 * all);
          const triangles = pieces.reduce((sum, o) => sum + o.triangles, 0);
          expect(triangles).toBeGreaterThanOrEqual(whole.triangles);
          expect(triangles).toBeLessThanOrEqual(whole.triangles + count);
        }
      }
    });

    it('cuts nothing that has a name of its own or is kept local, and leaves alone what it does not cut', () => {
      for (const { objects, plan } of plans) {
        const cut = new Set(plan.cut.map(({ object: { node } }) => node));
        for (const node of cut) {
          expect(objects[node].draws).not.toContain(`${node}|0`);
          expect(objects[node].tags?.policy).toBeUndefined();
        }
        const whole = planned(plan).filter((o) => !o.piece);
        expect(whole.sort((a, b) => a.node - b.node)).toEqual(objects.filter(({ node }) => !cut.has(node)));
      }
    });

    it('gives no piece to the bucket', () => {
      for (const { plan } of plans) {
        for (const tile of payloads(plan)) {
          if (tile.range.kind === 'shared') for (const o of tile.objects) expect(o.piece).toBeUndefined();
        }
      }
    });

    it('lets no single object break a byte or vertex budget but those that are not to be cut', () => {
      let met = 0;
      for (const { plan } of plans) {
        for (const { objects, over } of plan.tiles) {
          if (over?.why !== 'one object' || over.broken.every((words) => words.includes('meshes'))) continue;
          const [one] = objects;
          const { min, max } = one.bounds;
          // Of 1 m and less, far from the origin, there may be no half that float32 tells apart.
          if (Math.max(max[0] - min[0], max[2] - min[2]) <= 1) continue;
          const kept = one.tags?.policy === 'force_local' || one.draws[0].includes('|');
          expect([kept, one.piece]).toEqual([true, undefined]);
          met++;
        }
      }
      expect(met).toBeGreaterThan(0);
    });

    it('plans the same for objects in any order, and lists them by node, row and column', () => {
      for (const { objects, size, plan } of plans) {
        // Of plans as large as these toEqual() takes many times as long.
        expect(isDeepStrictEqual(planScene(shuffled(objects, 5), size, 's', options), plan)).toBe(true);
        for (const tile of plan.tiles) {
          const order = tile.objects.map((o) => [o.node, o.piece?.row ?? 0, o.piece?.column ?? 0]);
          const sorted = [...order].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
          expect(order).toEqual(sorted);
          expect(tile.estimate).toEqual(estimate(tile.objects));
        }
      }
    });
  });
}
