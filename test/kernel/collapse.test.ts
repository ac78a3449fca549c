// The kernel's loops around edge collapse and welding against plain loops, over random surfaces.

import { describe, expect, test } from 'vitest';
import type { WeldedTriangles } from '../../src/geometry/lod/deviation.ts';
import { addLocks, losesLocked } from '../../src/geometry/lod/vertexLocks.ts';
import { connectedComponents, withoutSmallComponents } from '../../src/geometry/mesh/components.ts';
import { mergeMeshes } from '../../src/geometry/mesh/merge.ts';
import { dropDegenerate } from '../../src/geometry/mesh/optimise.ts';
import { weldedVertices } from '../../src/geometry/mesh/weldMesh.ts';
import { kernel } from '../../src/kernel/kernel.ts';
import { randomWords } from './astcBlocks.ts';

const VERTICES = 60;
const TRIANGLES = 40;
const IDS = 30;

function randomSurface(next: () => number): WeldedTriangles {
  return {
    positions: Float32Array.from({ length: VERTICES * 3 }, () => (next() % 7) - 3),
    indices: Uint32Array.from({ length: TRIANGLES * 3 }, () => next() % VERTICES),
    ids: Uint32Array.from({ length: VERTICES }, () => next() % IDS),
  };
}

const flags = (count: number, next: () => number, oneIn: number) =>
  Uint8Array.from({ length: count }, () => (next() % oneIn === 0 ? 1 : 0));

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

describe('edge collapse', () => {
  test.each(SEEDS)('locks what is locked or held, beside the bits of seams (%i)', (seed) => {
    const next = randomWords(seed);
    const locked = flags(VERTICES, next, 3);
    const held = flags(VERTICES, next, 3);
    const seams = flags(VERTICES, next, 2).map((flag) => flag * 2);
    const before = locked.slice();
    for (const more of [null, held]) {
      const all = locked.map((flag, v) => flag | (more ? more[v] : 0));
      expect(addLocks(locked, more, seams)).toEqual({ locked: all, locks: seams.map((bits, v) => bits | all[v]) });
    }
    expect(locked).toEqual(before);
  });

  test.each(SEEDS)('tells whether a locked position is lost (%i)', (seed) => {
    const next = randomWords(seed);
    const { indices, ids } = randomSurface(next);
    const locked = flags(VERTICES, next, 20);
    for (const share of [3, 10, 20, 30, 39]) {
      const after = indices.slice(0, share * 3);
      const used = new Set([...after].map((v) => ids[v]));
      const isLost = [...indices].some((v) => locked[v] === 1 && !used.has(ids[v]));
      expect(losesLocked(indices, after, ids, IDS, locked)).toBe(isLost);
    }
  });

  test.each(SEEDS)('leaves out the small components without a locked vertex (%i)', (seed) => {
    const next = randomWords(seed);
    // Few triangles, so that they make several components.
    const { positions, indices: all } = randomSurface(next);
    const indices = all.slice(0, 60);
    const ids = Uint32Array.from({ length: VERTICES }, (_, v) => v);
    const locked = flags(VERTICES, next, 12);
    const components = connectedComponents(positions, indices, ids, VERTICES, locked);
    const { boxes, componentOf, count } = components;
    const sizes = Array.from({ length: count }, (_, c) => {
      const [x, y, z, toX, toY, toZ] = boxes.subarray(c * 6, c * 6 + 6);
      return Math.hypot(toX - x, toY - y, toZ - z);
    });
    for (const size of [0, 3, 6, 9, 100]) {
      const isKept = sizes.map((own, c) => own > size || components.locked[c] === 1);
      const kept = [...indices].filter((_, i) => isKept[componentOf[Math.floor(i / 3)]]);
      expect([...withoutSmallComponents(indices, components, locked, size)]).toEqual(
        kept.length === 0 ? [...indices] : kept,
      );
    }
  });

  test.each(SEEDS)('takes whole triangles of changed components, and of others earlier corners (%i)', (seed) => {
    const next = randomWords(seed);
    const { indices } = randomSurface(next);
    const componentOf = Uint32Array.from({ length: TRIANGLES }, () => next() % 9);
    const held = flags(VERTICES, next, 25);
    const heldBefore = flags(VERTICES, next, 2);
    const earlier = indices.slice(30, 90);
    for (const before of [null, heldBefore]) {
      const isChanged = (t: number) =>
        [...indices].some(
          (v, i) => componentOf[Math.floor(i / 3)] === componentOf[t] && held[v] === 1 && before?.[v] !== 1,
        );
      const changed = [...indices].filter((_, i) => isChanged(Math.floor(i / 3)));
      const others = [...earlier].filter((v) => !changed.includes(v));
      const source = kernel.within((memory) => {
        const to = memory.allocate((indices.length + earlier.length) * 4);
        const isOfChanged = memory.zeros(VERTICES);
        const surface = [memory.put(indices), TRIANGLES, memory.put(componentOf)] as const;
        const holding = [memory.put(held), before ? memory.put(before) : 0] as const;
        const count = memory.calls.changedCorners(...surface, ...holding, memory.zeros(9), isOfChanged, to);
        expect(count).toBe(changed.length);
        const at = to + count * 4;
        const kept = memory.calls.unflaggedCorners(memory.put(earlier), earlier.length, isOfChanged, at);
        return [...memory.uint32(to, count + kept)];
      });
      expect(source).toEqual([...changed, ...others]);
    }
  });

  test.each(SEEDS)('finds triangles of several meshes, flags by number and the nearest vertex (%i)', (seed) => {
    const next = randomWords(seed);
    const { positions, indices } = randomSurface(next);
    kernel.within((memory) => {
      const { calls } = memory;
      const put = memory.put(indices);
      for (const meshOf of [
        new Uint32Array(VERTICES).fill(3),
        Uint32Array.from(indices.keys()).subarray(0, VERTICES),
      ]) {
        expect(calls.mixesMeshes(put, indices.length, memory.put(meshOf))).toBe(meshOf[0] === 3 ? 0 : 1);
      }
      // One corner alone, in the last triangle.
      const last = Uint32Array.of(0, 1, 2, 0, 1, 3);
      for (const odd of [0, 1, 2]) {
        const meshOf = Uint32Array.of(0, 0, 0, 0);
        meshOf[[0, 1, 3][odd]] = 1;
        expect(calls.mixesMeshes(memory.put(last.subarray(3)), 3, memory.put(meshOf))).toBe(1);
      }

      const values = flags(IDS, next, 2);
      const numbers = Uint32Array.from({ length: VERTICES }, () => next() % IDS);
      const to = memory.allocate(VERTICES);
      const given = [memory.put(values), IDS, memory.put(numbers), VERTICES, 2, to] as const;
      expect(calls.pickFlags(...given)).toBe(1);
      expect([...memory.uint8(to, VERTICES)]).toEqual([...numbers].map((number) => values[number] * 2));
      expect(calls.pickFlags(given[0], Math.max(...numbers), given[2], VERTICES, 2, to)).toBe(0);

      const ofVertices = [...numbers].map((number) => values[number]);
      const back = memory.zeros(IDS);
      calls.spreadFlags(memory.put(Uint8Array.from(ofVertices)), given[2], VERTICES, back);
      expect([...memory.uint8(back, IDS)]).toEqual([...values].map((flag, id) => (numbers.includes(id) ? flag : 0)));

      const [x, y, z] = [0.3, -1.2, 2.6];
      const distances = Array.from({ length: VERTICES }, (_, v) => {
        const [dx, dy, dz] = [positions[v * 3] - x, positions[v * 3 + 1] - y, positions[v * 3 + 2] - z];
        return dx * dx + dy * dy + dz * dz;
      });
      expect(calls.nearestVertex(memory.put(positions), VERTICES, x, y, z)).toBe(
        distances.indexOf(Math.min(...distances)),
      );
    });
  });
});

describe('meshes', () => {
  const normal = (count: number) => new Float32Array(count * 3).fill(1);

  test.each(SEEDS)('weld what is equal, in the order first seen (%i)', (seed) => {
    const next = randomWords(seed);
    const { positions, indices } = randomSurface(next);
    const coarse = positions.map((x) => Math.sign(x));
    const uv0 = Float32Array.from({ length: VERTICES * 2 }, () => next() % 2);
    const mesh = { vertexCount: VERTICES, positions: coarse, attributes: { normal: normal(VERTICES), uv0 }, indices };
    const keys = Array.from({ length: VERTICES }, (_, v) =>
      [...coarse.subarray(v * 3, v * 3 + 3), ...uv0.subarray(v * 2, v * 2 + 2)]
        .map((x) => (Object.is(x, -0) ? '-' : x))
        .join(),
    );
    const different = [...new Set(keys)];
    expect(different.length).toBeLessThan(VERTICES);
    expect(weldedVertices(mesh)).toEqual({
      first: Uint32Array.from(different, (key) => keys.indexOf(key)),
      indices: indices.map((v) => different.indexOf(keys[v])),
    });
  });

  test('that differ everywhere, or have no vertex, are not welded', () => {
    const positions = Float32Array.from({ length: 12 }, (_, i) => i);
    const indices = Uint32Array.of(0, 1, 2, 1, 2, 3);
    expect(weldedVertices({ vertexCount: 4, positions, attributes: { normal: normal(4) }, indices })).toBeNull();
    const none = { vertexCount: 0, positions: new Float32Array(0), attributes: { normal: normal(0) } };
    expect(weldedVertices({ ...none, indices: new Uint32Array(0) })).toBeNull();
  });

  test.each(SEEDS)('lose triangles without area alike in both precisions (%i)', (seed) => {
    const { positions, indices } = randomSurface(randomWords(seed));
    const single = indices.slice();
    const double = indices.slice();
    const kept = dropDegenerate(single, positions);
    expect(kept).toBe(dropDegenerate(double, Float64Array.from(positions)));
    expect(kept).toBeLessThan(indices.length);
    expect(single.subarray(0, kept)).toEqual(double.subarray(0, kept));
  });

  test('merge with their triangles counted on', () => {
    const one = (vertexCount: number, indices: readonly number[]) => ({
      vertexCount,
      positions: new Float32Array(vertexCount * 3),
      attributes: { normal: normal(vertexCount) },
      indices: Uint32Array.from(indices),
    });
    const merged = mergeMeshes([one(3, [2, 0, 1]), one(0, []), one(4, [0, 1, 2, 3, 2, 1]), one(3, [0, 1, 2])]);
    expect([...merged.indices]).toEqual([2, 0, 1, 3, 4, 5, 6, 5, 4, 7, 8, 9]);
  });
});
