// A quadtree or k-d tree over the ground plane for each floor, numbered as the engine's exporter numbers them. An object
// descends by its centre until it crosses a border of children that are less than twice as wide as it is. (The exporter
// stops at the first border that it crosses, so every house on the scene's middle lines ends in the root.) Pieces of
// objects end at borders and descend to the nodes between them. The plane's axes are engine +X and engine -Z.

import { center } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import type { PlannedObject } from '../types.ts';
import { sideOfPlane } from './cellPlanes.ts';

/** A rectangle of the ground plane: [u, v] from engine [x, -z]. */
export interface Rectangle {
  readonly min: readonly [number, number];
  readonly max: readonly [number, number];
}

export interface TreeNode {
  /** `F02_Q_0_3`, `F01_K_1`: the engine takes a node's parent to be what stands before the last `_`. */
  readonly id: string;
  readonly parent: TreeNode | null;
  readonly depth: number;
  readonly rectangle: Rectangle;
}

/** An object and its node; `spanning` when it lies across the borders of the node's children, and may leave the node. */
export interface TreePlacement {
  readonly object: PlannedObject;
  readonly node: TreeNode;
  readonly spanning: boolean;
}

export const footprint = ({ min, max }: Bounds): Rectangle => ({ min: [min[0], -max[2]], max: [max[0], -min[2]] });

export const QUADTREE_DEPTH = 6;
const KDTREE_DEPTH = 7;
/** A node of a k-d tree with no more objects is not divided. */
const KDTREE_LEAF = 4;

/** An object across a border still descends if it is at most this share as wide as the child (a loose tree). */
const LOOSE = 0.5;

const floorPrefix = (floor: number): string => `F${String(floor).padStart(2, '0')}`;

/** One floor's objects over the whole scene's rectangle; children 0 (-u, -v), 1 (+u, -v), 2 (-u, +v), 3 (+u, +v). */
export function placeInQuadtree(objects: readonly PlannedObject[], scene: Bounds, floor: number): TreePlacement[] {
  const nodes = new Map<string, TreeNode>();
  const root: TreeNode = { id: `${floorPrefix(floor)}_Q`, parent: null, depth: 0, rectangle: footprint(scene) };
  const child = (node: TreeNode, number: number): TreeNode => {
    const id = `${node.id}_${number}`;
    const known = nodes.get(id);
    if (known) return known;
    const { min, max } = node.rectangle;
    const middle = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2] as const;
    const right = number % 2 === 1;
    const upper = number >= 2;
    const made: TreeNode = {
      id,
      parent: node,
      depth: node.depth + 1,
      rectangle: {
        min: [right ? middle[0] : min[0], upper ? middle[1] : min[1]],
        max: [right ? max[0] : middle[0], upper ? max[1] : middle[1]],
      },
    };
    nodes.set(id, made);
    return made;
  };
  return objects.map((object) => {
    const box = footprint(object.bounds);
    let node = root;
    while (node.depth < QUADTREE_DEPTH) {
      const { min, max } = node.rectangle;
      const side = [0, 1].map((axis) => {
        const middle = (min[axis] + max[axis]) / 2;
        if (object.piece) return sideOfPlane(box.min[axis], box.max[axis], Math.fround(middle));
        // Touching the border is lying on both sides of it.
        if (box.max[axis] < middle) return 0;
        if (box.min[axis] > middle) return 1;
        if (box.max[axis] - box.min[axis] > LOOSE * (max[axis] - middle)) return null;
        return box.min[axis] + box.max[axis] <= 2 * middle ? 0 : 1;
      });
      const [u, v] = side;
      if (u === null || v === null) return { object, node, spanning: !object.piece };
      node = child(node, u + 2 * v);
    }
    return { object, node, spanning: false };
  });
}

/** Planes that objects were cut at: ascending coordinates along each axis. */
export type CutBorders = readonly [readonly number[], readonly number[]];

/**
 * One floor's objects; nodes are divided across their longer side at the median of the centres, those that hold pieces
 * at the plane nearest to it, of the first of `borders` that has one, so that the pieces lie on either side.
 */
export function placeInKdtree(
  objects: readonly PlannedObject[],
  scene: Bounds,
  floor: number,
  borders: readonly CutBorders[] = [],
): TreePlacement[] {
  const placements: TreePlacement[] = [];
  const root: TreeNode = { id: `${floorPrefix(floor)}_K`, parent: null, depth: 0, rectangle: footprint(scene) };
  const open: { node: TreeNode; objects: readonly PlannedObject[] }[] = [{ node: root, objects }];
  for (let group = open.pop(); group; group = open.pop()) {
    const { node } = group;
    const { min, max } = node.rectangle;
    const axis = max[0] - min[0] >= max[1] - min[1] ? 0 : 1;
    const cut = dividingPlane(group.objects, axis, node.rectangle, borders);
    if (node.depth >= KDTREE_DEPTH || group.objects.length <= KDTREE_LEAF || cut === null) {
      for (const object of group.objects) placements.push({ object, node, spanning: false });
      continue;
    }
    const low: PlannedObject[] = [];
    const high: PlannedObject[] = [];
    for (const object of group.objects) {
      const box = footprint(object.bounds);
      const narrower = Math.min(cut - min[axis], max[axis] - cut);
      const wide = box.max[axis] - box.min[axis] > LOOSE * narrower;
      const across = object.piece
        ? sideOfPlane(box.min[axis], box.max[axis], cut) === null
        : box.min[axis] < cut && box.max[axis] > cut;
      if (wide && across) placements.push({ object, node, spanning: !object.piece });
      else (centreOf(object, axis) <= cut ? low : high).push(object);
    }
    const [cutMax, cutMin]: [[number, number], [number, number]] = [[...max], [...min]];
    cutMax[axis] = cut;
    cutMin[axis] = cut;
    const made = (number: 0 | 1, rectangle: Rectangle): TreeNode => ({
      id: `${node.id}_${number}`,
      parent: node,
      depth: node.depth + 1,
      rectangle,
    });
    if (high.length > 0) open.push({ node: made(1, { min: cutMin, max }), objects: high });
    if (low.length > 0) open.push({ node: made(0, { min, max: cutMax }), objects: low });
  }
  return placements;
}

function centreOf(object: PlannedObject, axis: 0 | 1): number {
  const [x, , z] = center(object.bounds);
  return axis === 0 ? x : -z;
}

/**
 * The lower median, so that the upper side is never everything, or for pieces a plane near it that leaves centres on both
 * sides; null when all centres are equal.
 */
function dividingPlane(
  objects: readonly PlannedObject[],
  axis: 0 | 1,
  { min, max }: Rectangle,
  borders: readonly CutBorders[],
): number | null {
  const centres = objects.map((object) => centreOf(object, axis)).sort((a, b) => a - b);
  const last = centres.length - 1;
  if (last < 0 || centres[0] === centres[last]) return null;
  const median = centres[last >> 1];
  if (borders.length === 0 || !objects.some(({ piece }) => piece)) return median;
  for (const planes of borders) {
    let nearest: number | null = null;
    for (const plane of planes[axis]) {
      if (plane <= min[axis] || plane >= max[axis] || plane < centres[0] || plane >= centres[last]) continue;
      if (nearest === null || Math.abs(plane - median) < Math.abs(nearest - median)) nearest = plane;
    }
    if (nearest !== null) return nearest;
  }
  return median;
}
