// Which leaves of a hierarchy lie around a box, on a rectangle of a plane.

import { boxOf } from './hierarchy.ts';
import { Hierarchy, NONE, Plane } from './layout.ts';

/** Nodes that wait: the tree is never deeper than the bits of a triangle number. */
const STACK: usize = memory.data(64 * 4, 4);

/** The last node on the stack. */
let top: usize = 0;

/** The box, in float64, widened point by point. */
export let lowX: f64 = 0;
export let lowY: f64 = 0;
export let lowZ: f64 = 0;
export let highX: f64 = 0;
export let highY: f64 = 0;
export let highZ: f64 = 0;

export function emptyBox(): void {
  lowX = lowY = lowZ = Infinity;
  highX = highY = highZ = -Infinity;
}

export function addToBox(x: f64, y: f64, z: f64): void {
  lowX = min<f64>(lowX, x);
  lowY = min<f64>(lowY, y);
  lowZ = min<f64>(lowZ, z);
  highX = max<f64>(highX, x);
  highY = max<f64>(highY, y);
  highZ = max<f64>(highZ, z);
}

/** Moves all sides of the box outwards. */
export function widenBox(x: f64, y: f64, z: f64): void {
  lowX -= x;
  lowY -= y;
  lowZ -= z;
  highX += x;
  highY += y;
  highZ += z;
}

/** Where leaves must lie besides, along the axes of a plane. */
let planeAt: usize = 0;
let highU: f64 = 0;
let highV: f64 = 0;
let lowest: f64 = 0;
let highest: f64 = 0;

/** Rounding of coordinates, as a share of those that they are made of. */
const ROUNDING: f64 = 1e-12;

/**
 * Begins a search for what lies around the box, without leaves that lie beside a rectangle of the plane, from its low corner on, or
 * with all their depths below or above a range: a box around a chart that stands aslant is much larger than the chart.
 */
export function beginSearchOn(plane: Plane, width: f64, height: f64, minDepth: f64, maxDepth: f64): void {
  top = STACK;
  store<u32>(top, 1);
  planeAt = changetype<usize>(plane);
  highU = plane.lowU + width;
  highV = plane.lowV + height;
  lowest = minDepth;
  highest = maxDepth;
}

/** Whether a box lies on the rectangle. */
function isOnPlane(box: usize): bool {
  const plane = changetype<Plane>(planeAt);
  return (
    isInRange(box, plane.nx, plane.ny, plane.nz, lowest, highest) &&
    isInRange(box, plane.ux, plane.uy, plane.uz, plane.lowU, highU) &&
    isInRange(box, plane.vx, plane.vy, plane.vz, plane.lowV, highV)
  );
}

/** Whether a part of a box has coordinates in a range along a unit vector. */
function isInRange(box: usize, x: f64, y: f64, z: f64, low: f64, high: f64): bool {
  // Twice the centre, and the extent.
  const cx = <f64>load<f32>(box, 24) + <f64>load<f32>(box);
  const cy = <f64>load<f32>(box, 32) + <f64>load<f32>(box, 8);
  const cz = <f64>load<f32>(box, 40) + <f64>load<f32>(box, 16);
  const ex = <f64>load<f32>(box, 24) - <f64>load<f32>(box);
  const ey = <f64>load<f32>(box, 32) - <f64>load<f32>(box, 8);
  const ez = <f64>load<f32>(box, 40) - <f64>load<f32>(box, 16);
  const middle = cx * x + cy * y + cz * z;
  const reach = ex * abs<f64>(x) + ey * abs<f64>(y) + ez * abs<f64>(z);
  const rounding =
    (abs<f64>(cx) + abs<f64>(cy) + abs<f64>(cz) + ex + ey + ez + abs<f64>(low) + abs<f64>(high)) * ROUNDING;
  return middle - reach <= 2 * high + rounding && middle + reach >= 2 * low - rounding;
}

/** The next leaf whose box meets the box, by its node; NONE where there is no more. */
export function nextLeaf(tree: Hierarchy): u32 {
  const leafCount = tree.leafCount;
  while (top >= STACK) {
    const node = load<u32>(top);
    top -= 4;
    const box = boxOf(tree, node);
    if (!(<f64>load<f32>(box) <= highX && <f64>load<f32>(box, 24) >= lowX)) continue;
    if (!(<f64>load<f32>(box, 8) <= highY && <f64>load<f32>(box, 32) >= lowY)) continue;
    if (!(<f64>load<f32>(box, 16) <= highZ && <f64>load<f32>(box, 40) >= lowZ)) continue;
    if (!isOnPlane(box)) continue;
    if (node >= leafCount) return node;
    store<u32>(top, node * 2 + 1, 4);
    store<u32>(top, node * 2, 8);
    top += 8;
  }
  return NONE;
}
