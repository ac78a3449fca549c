// Compares what two targets draw: triangles as multisets, corner by corner. A target that cuts triangles at the borders of
// repeats has others for them, of the same area.

import { expect } from 'vitest';
import type { UntoldScene } from '../../src/formats/untold/types.ts';
import { type Triangle, trianglesOf } from '../cook/cooked.ts';

/** A triangle in the engine's space, V up. */
export interface Drawn {
  readonly corners: readonly { position: readonly number[]; normal: readonly number[]; uv: readonly number[] }[];
  readonly material: string;
}

export const drawnOfUntold = (scene: UntoldScene): Drawn[] =>
  trianglesOf(scene).map(({ corners, material }: Triangle) => ({ corners, material: scene.materials[material].name }));

/** Corners from the least on, in their order: the winding stays. */
function keyed({ corners, material }: Drawn) {
  const texts = corners.map(({ position }) => position.map((value) => value + 0).join(' '));
  const first = texts.indexOf([...texts].sort()[0]);
  const order = [0, 1, 2].map((k) => (first + k) % 3);
  return { key: `${material}|${order.map((k) => texts[k]).join('|')}`, corners: order.map((k) => corners[k]) };
}

function area({ corners }: Drawn): number {
  const [a, b, c] = corners.map(({ position }) => position);
  const edge = (p: readonly number[]) => p.map((value, k) => value - a[k]);
  const [e, f] = [edge(b), edge(c)];
  return Math.hypot(e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]) / 2;
}

function areas(triangles: readonly Drawn[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const one of triangles) all.set(one.material, (all.get(one.material) ?? 0) + area(one));
  return all;
}

const away = (value: number): number => Math.abs(value - Math.round(value));

/**
 * Expects that both draw the same: the same triangles with equal materials, normals and texture coordinates but for whole
 * numbers and for what the formats round. Of `cut`, triangles over borders of repeats have pieces instead. Gives how many
 * triangles were the same.
 */
export function expectSameDrawing(ours: readonly Drawn[], theirs: readonly Drawn[], { cut = false } = {}): number {
  const known = new Map<string, { one: Drawn; corners: Drawn['corners'] }[]>();
  for (const one of theirs) {
    const { key, corners } = keyed(one);
    const list = known.get(key) ?? [];
    known.set(key, list);
    list.push({ one, corners });
  }
  const pieces: Drawn[] = [];
  let same = 0;
  let worst = 0;
  for (const one of ours) {
    const { key, corners } = keyed(one);
    const list = known.get(key) ?? [];
    const off = list.map((other) =>
      Math.max(
        ...corners.flatMap(({ normal, uv }, k) => [
          ...normal.map((value, c) => Math.abs(value - other.corners[k].normal[c])),
          ...uv.map((value, c) => away(value - other.corners[k].uv[c]) / Math.max(1, Math.abs(other.corners[k].uv[c]))),
        ]),
      ),
    );
    if (list.length === 0) {
      pieces.push(one);
      continue;
    }
    const best = off.indexOf(Math.min(...off));
    worst = Math.max(worst, off[best]);
    list.splice(best, 1);
    same++;
  }
  expect(worst).toBeLessThan(4e-3);
  const left = [...known.values()].flat().map(({ one }) => one);
  if (!cut) expect([pieces.length, left.length]).toEqual([0, 0]);
  for (const { corners } of left) {
    const spans = [0, 1].map((k) => {
      const values = corners.map(({ uv }) => uv[k]);
      return Math.max(...values) - Math.floor(Math.min(...values) + 1e-2);
    });
    expect(Math.max(...spans)).toBeGreaterThan(0.99);
  }
  const [own, other] = [areas(pieces), areas(left)];
  expect([...own.keys()].sort()).toEqual([...other.keys()].sort());
  for (const [material, sum] of own) {
    expect(Math.abs(sum / (other.get(material) as number) - 1), material).toBeLessThan(1e-4);
  }
  return same;
}
