// Numbers of positions, and positions at borders, against plain maps.

import { expect, test } from 'vitest';
import { borderPositions, insideOne } from '../../src/geometry/lod/borders.ts';
import { PositionIds } from '../../src/geometry/mesh/positionIds.ts';
import type { Bounds } from '../../src/scene/types.ts';
import { lots } from './bruteForce.ts';

/** Points of a coarse grid, many of them more than once, with -0 and +0; and some NaNs. */
function points(count: number, seed: number, step = 0.25): Float32Array {
  const random = lots(seed);
  const positions = Float32Array.from({ length: count * 3 }, () => Math.round((random() * 2 - 1) * 6) * step);
  positions.fill(Number.NaN, 30, 33);
  positions.fill(Number.NaN, 60, 63);
  return positions;
}

/** Equal for positions that are. */
const keysOf = (positions: Float32Array) =>
  Array.from({ length: positions.length / 3 }, (_, v) => positions.subarray(v * 3, v * 3 + 3).join());

test('equal positions have one id, in the order first seen, over several calls', () => {
  const ids = new PositionIds();
  const known = new Map<string, number>();
  // The second call knows some of its positions, the third all, and the last brings many more than the table had room for.
  const calls = [points(900, 3), points(900, 4), points(300, 3), new Float32Array(0), points(20_000, 5, 1 / 3)];
  for (const positions of calls) {
    const wanted = keysOf(positions).map((key) => {
      if (!known.has(key)) known.set(key, known.size);
      return known.get(key);
    });
    expect([...ids.of(positions)]).toEqual(wanted);
    expect(ids.count).toBe(known.size);
  }
  for (const [key, id] of known) {
    expect(
      ids
        .position(id)
        .map((x) => x + 0)
        .join(),
    ).toBe(key);
  }
});

test('border positions are those in a neighbour or on its sides, each once', () => {
  const meshes = [points(2000, 7), new Float32Array(0), points(2000, 8)];
  const neighbours: Bounds[] = [
    { min: [-0.5, -1, 0.25], max: [0.5, 0, 1.5] },
    { min: [1, 1, 1], max: [1, 1, 1] },
    { min: [1e-7, -9, -9], max: [0.2, 9, 9] },
  ];
  const wanted = new Set(
    meshes.flatMap((positions) =>
      keysOf(positions).filter((_, v) =>
        insideOne(neighbours, positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]),
      ),
    ),
  );
  const found = new Float32Array(borderPositions(meshes, neighbours).buffer);
  expect(wanted.size).toBeGreaterThan(50);
  expect(keysOf(found)).toEqual([...wanted]);
  expect([...new Uint32Array(found.buffer)]).not.toContain(0x80000000);
  expect(borderPositions(meshes, []).length).toBe(0);
});
