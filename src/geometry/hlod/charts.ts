// Charts: the triangles of a proxy in groups that lie flat on a plane without overlap, so that each group has a picture of
// its own in an atlas. Triangles join a chart across their edges as long as they face much the same way as its largest.

import { kernel } from '../../kernel/kernel.ts';
import type { Triangles } from '../mesh/mesh.ts';
import { PositionIds } from '../mesh/positionIds.ts';

/** Samples along a chart's longer side that find overlaps at most. */
const MAX_OVERLAP_SAMPLES = 1024;

/** Numbers of a chart in the kernel (assembly/layout.ts): its axes, its least coordinates, its greatest. */
const AXES = 9;
const PLANE = 13;

export interface Chart {
  /** Numbers of the mesh's triangles, in the order in which they joined. */
  readonly triangles: Uint32Array;
  /** Unit vectors: two axes in the plane, and its normal, which is their cross product. */
  readonly axes: Float64Array;
  /** Least coordinates along the two axes, in metres, … */
  readonly low: readonly [number, number];
  /** … and the extent from there on. */
  readonly size: readonly [number, number];
}

/**
 * Charts that hold each triangle of a surface once. No two triangles of a chart cover the same sample of its plane at two
 * samples a `texel` (metres); what would cover another's becomes a chart of its own. The largest triangles come first.
 */
export function chartsOf({ positions, indices }: Triangles, texel: number): Chart[] {
  const count = indices.length / 3;
  const ids = new PositionIds().of(positions);
  let edgeCount = 16;
  while (edgeCount < indices.length * 2) edgeCount *= 2;
  return kernel.within((memory) => {
    const perTriangle = (bytes: number) => memory.allocate(count * bytes);
    const placed = [memory.put(positions), memory.put(indices), memory.put(ids)];
    const faces = [perTriangle(24), perTriangle(8)];
    const order = perTriangle(4);
    const edges = [perTriangle(12), perTriangle(12), memory.allocate(edgeCount * 4), edgeCount];
    const growing = [perTriangle(1), perTriangle(4), memory.allocate(MAX_OVERLAP_SAMPLES ** 2), MAX_OVERLAP_SAMPLES];
    const triangles = perTriangle(4);
    const ends = perTriangle(4);
    const planes = perTriangle(PLANE * 8);
    const results = [triangles, ends, planes];
    const charting = memory.words(...placed, count, ...faces, order, ...edges, ...growing, ...results);
    const chartCount = memory.calls.chartsOf(charting, texel);
    const charts: Chart[] = [];
    let begin = 0;
    const numbers = memory.float64(planes, chartCount * PLANE);
    const allTriangles = memory.uint32(triangles, count);
    const allEnds = memory.uint32(ends, chartCount);
    for (let i = 0, at = 0; i < chartCount; i++, at += PLANE) {
      const low = [numbers[at + AXES], numbers[at + AXES + 1]] as const;
      charts.push({
        triangles: allTriangles.slice(begin, allEnds[i]),
        axes: numbers.slice(at, at + AXES),
        low,
        size: [numbers[at + AXES + 2] - low[0], numbers[at + AXES + 3] - low[1]],
      });
      begin = allEnds[i];
    }
    return charts;
  });
}
