// What the samples of a chart show of full detail (geometry/hlod/chartSamples.ts says what that is): the triangles of the
// proxy give each sample a depth, and full detail within reach of it is drawn with a depth test.

import { addToBox, beginSearchOn, emptyBox, nextLeaf, widenBox } from './around.ts';
import {
  alongNormal,
  alongU,
  alongV,
  beginCorners,
  beginTriangle,
  nextSpan,
  secondStep,
  snapped,
  spanCount,
  spanFirst,
  spanScale,
  spanSecond,
  spanThird,
  thirdStep,
} from './grid.ts';
import { LEAF } from './hierarchy.ts';
import { Hierarchy, NONE, Plane, Sampling } from './layout.ts';
import { word } from './words.ts';

/** The range of depths within reach of the chart. */
let lowest: f64 = 0;
let highest: f64 = 0;

/** Fills in the samples of a chart: `count` triangles of the proxy. */
export function sampleChart(sampling: Sampling, plane: Plane, triangles: usize, count: u32): void {
  const bytes = (<usize>sampling.columns * <usize>sampling.rows) << 2;
  // All bits set are NaN and NONE.
  memory.fill(sampling.depths, 0xff, bytes);
  memory.fill(sampling.triangles, 0xff, bytes);
  emptyBox();
  lowest = Infinity;
  highest = -Infinity;
  for (let i: u32 = 0; i < count; i++) addDepths(sampling, plane, word(triangles, i));
  const reach = plane.reach;
  widenBox(reach * abs<f64>(plane.nx), reach * abs<f64>(plane.ny), reach * abs<f64>(plane.nz));
  lowest -= reach;
  highest += reach;
  addDetailAround(sampling, plane);
}

/** The depth of a triangle of the proxy itself. */
function addDepths(sampling: Sampling, plane: Plane, t: u32): void {
  const corners = sampling.indices + <usize>t * 12;
  const a = sampling.positions + <usize>load<u32>(corners) * 12;
  const b = sampling.positions + <usize>load<u32>(corners, 4) * 12;
  const c = sampling.positions + <usize>load<u32>(corners, 8) * 12;
  const depth = reached(plane, a);
  const second = reached(plane, b) - depth;
  const third = reached(plane, c) - depth;
  beginCorners(plane, a, b, c, sampling.columns, sampling.rows);
  while (nextSpan()) {
    const to = sampling.depths + (spanFirst << 2);
    for (let i: u32 = 0; i < spanCount; i++) {
      const ofB = (spanSecond + <f64>i * secondStep) / spanScale;
      const ofC = (spanThird + <f64>i * thirdStep) / spanScale;
      store<f32>(to + ((<usize>i) << 2), <f32>(depth + ofB * second + ofC * third));
    }
  }
}

/** Widens what lies within reach by a vertex, and gives its depth. */
function reached(plane: Plane, p: usize): f64 {
  addToBox(<f64>load<f32>(p), <f64>load<f32>(p, 4), <f64>load<f32>(p, 8));
  const depth = alongNormal(plane, p);
  lowest = min<f64>(lowest, depth);
  highest = max<f64>(highest, depth);
  return depth;
}

/** Draws the triangles of all leaves whose boxes meet what lies within reach. */
function addDetailAround(sampling: Sampling, plane: Plane): void {
  const tree = changetype<Hierarchy>(sampling.tree);
  const step = plane.step;
  beginSearchOn(plane, <f64>sampling.columns * step, <f64>sampling.rows * step, lowest, highest);
  for (let leaf = nextLeaf(tree); leaf !== NONE; leaf = nextLeaf(tree)) {
    const first = (leaf - tree.leafCount) * LEAF;
    const end = min<u32>(tree.triangleCount, first + LEAF);
    for (let i = first; i < end; i++) addDetail(sampling, plane, tree, i);
  }
}

/** A triangle of full detail, by its number in Morton order: the outermost stays, of equal ones the first in `indices`. */
function addDetail(sampling: Sampling, plane: Plane, tree: Hierarchy, i: u32): void {
  // 1. Out of reach, or beside the grid: most triangles end here.
  const a = tree.triangles + <usize>i * 36;
  const d0 = alongNormal(plane, a);
  const d1 = alongNormal(plane, a + 12);
  const d2 = alongNormal(plane, a + 24);
  if ((d0 < lowest && d1 < lowest && d2 < lowest) || (d0 > highest && d1 > highest && d2 > highest)) return;
  const step = plane.step;
  const u0 = (alongU(plane, a) - plane.lowU) / step;
  const u1 = (alongU(plane, a + 12) - plane.lowU) / step;
  const u2 = (alongU(plane, a + 24) - plane.lowU) / step;
  const columns = <f64>sampling.columns;
  if ((u0 < 0 && u1 < 0 && u2 < 0) || (u0 > columns && u1 > columns && u2 > columns)) return;
  const v0 = (alongV(plane, a) - plane.lowV) / step;
  const v1 = (alongV(plane, a + 12) - plane.lowV) / step;
  const v2 = (alongV(plane, a + 24) - plane.lowV) / step;
  const rows = <f64>sampling.rows;
  if ((v0 < 0 && v1 < 0 && v2 < 0) || (v0 > rows && v1 > rows && v2 > rows)) return;

  // 2. What faces away is the back of something: it is not seen from out there.
  const scale = (u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0);
  if (!(scale > 0)) return;

  // 3. Its samples.
  const t = word(tree.order, i);
  const corners = tree.indices + <usize>t * 12;
  const uvA = sampling.uv0 + ((<usize>load<u32>(corners)) << 3);
  const uvB = sampling.uv0 + ((<usize>load<u32>(corners, 4)) << 3);
  const uvC = sampling.uv0 + ((<usize>load<u32>(corners, 8)) << 3);
  const ua = <f64>load<f32>(uvA);
  const va = <f64>load<f32>(uvA, 4);
  const ub = <f64>load<f32>(uvB) - ua;
  const vb = <f64>load<f32>(uvB, 4) - va;
  const uc = <f64>load<f32>(uvC) - ua;
  const vc = <f64>load<f32>(uvC, 4) - va;
  const area = <f32>(abs<f64>(ub * vc - uc * vb) / scale);
  const reach = plane.reach;
  beginTriangle(
    snapped(u0),
    snapped(v0),
    snapped(u1),
    snapped(v1),
    snapped(u2),
    snapped(v2),
    sampling.columns,
    sampling.rows,
  );
  while (nextSpan()) {
    for (let k: u32 = 0; k < spanCount; k++) {
      const sample = (spanFirst + k) << 2;
      const second = (spanSecond + <f64>k * secondStep) / spanScale;
      const third = (spanThird + <f64>k * thirdStep) / spanScale;
      const height = <f32>(d0 + second * (d1 - d0) + third * (d2 - d0));
      if (!(abs<f64>(<f64>height - <f64>load<f32>(sampling.depths + sample)) <= reach)) continue;
      const known = load<u32>(sampling.triangles + sample);
      if (known !== NONE) {
        const before = load<f32>(sampling.heights + sample);
        if (height < before || (height === before && known < t)) continue;
      }
      store<f32>(sampling.heights + sample, height);
      store<u32>(sampling.triangles + sample, t);
      store<f32>(sampling.u + sample, <f32>(ua + second * ub + third * uc));
      store<f32>(sampling.v + sample, <f32>(va + second * vb + third * vc));
      store<f32>(sampling.uvArea + sample, area);
    }
  }
}
