// Which leaves of a hierarchy lie around a box.

import { boxOf } from './hierarchy.ts';
import { Hierarchy, NONE } from './layout.ts';

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

/** Begins a search for what lies around the box. */
export function beginSearch(): void {
  top = STACK;
  store<u32>(top, 1);
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
    if (node >= leafCount) return node;
    store<u32>(top, node * 2 + 1, 4);
    store<u32>(top, node * 2, 8);
    top += 8;
  }
  return NONE;
}
