// The tree modes: floors, a tree on each floor, and in each node a tile for each tier. Small groups move up to their
// parents, groups over budget are cut.

import { FLOOR_GATE } from '../../engine/streaming.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import type { TilingOptions } from '../options.ts';
import { type StreamingRange, tierPriority } from '../streaming/radii.ts';
import type { CutObject, Partitioned, PlannedObject, SemanticTier } from '../types.ts';
import { type Budgets, cutToBudgets, estimate, FULL_ENOUGH, fullness, isFarUnder } from './budgets.ts';
import { gridPlanes, type PlanesAt, quadtreePlanes } from './cellPlanes.ts';
import { type Floors, floorOf, planFloors } from './floors.ts';
import { gridOrigin, SPANNING_CELLS } from './grid.ts';
import { byNode } from './order.ts';
import { type CutLimits, splitObjects } from './split.ts';
import { boundsOf, makeTile } from './tile.ts';
import {
  type CutBorders,
  placeInKdtree,
  placeInQuadtree,
  QUADTREE_DEPTH,
  type TreeNode,
  type TreePlacement,
} from './trees.ts';

const TIER_CODES: Readonly<Record<SemanticTier, string>> = {
  ExteriorShell: 'ES',
  StructuralInterior: 'SI',
  RoomContents: 'RC',
  FineProps: 'FP',
};

interface Group {
  readonly floor: number;
  readonly node: TreeNode;
  readonly tier: SemanticTier;
  readonly objects: PlannedObject[];
  spanning: boolean;
}

/** Plans a tree over sorted objects; `tiers` stand beside them. Objects wide for tiles of `size` metres are cut. */
export function planTree(
  objects: readonly PlannedObject[],
  tiers: readonly SemanticTier[],
  scene: Bounds,
  profile: 'indoor' | 'outdoor',
  size: number,
  options: TilingOptions,
  limits: CutLimits,
): Partitioned {
  const { budgets, partition } = options;
  const floors = planFloors(objects, scene, profile, { count: options.floorCount, band: options.floorBand });
  const tierOfNode = new Map(objects.map((object, i) => [object.node, tiers[i]]));
  const place = (list: readonly PlannedObject[], borders: readonly CutBorders[]) =>
    placeOnFloors(list, tierOfNode, scene, floors, (floor, onFloor) =>
      partition === 'kdtree' ? placeInKdtree(onFloor, scene, floor, borders) : placeInQuadtree(onFloor, scene, floor),
    );

  const whole = place(objects, []);
  const widest = new Set(whole.wide);
  const [originX, , originZ] = gridOrigin(scene, size);
  const planesAt =
    partition === 'kdtree' ? gridPlanes(scene, [originX, originZ], size) : quadtreePlanes(scene, size, QUADTREE_DEPTH);
  const spans = (object: PlannedObject) => widest.has(object) || isWide(object, size);
  const { objects: divided, cut } = splitObjects(objects, spans, planesAt, options, limits);
  const { placed, wide } = cut.length === 0 ? whole : place(divided, cutBorders(cut, planesAt));
  const groups = placed.flatMap(({ floor, placements }) =>
    groupUp(placements, tierOfNode, floor, { minObjects: options.minObjects, budgets, widest: WIDEST_JOINED * size }),
  );

  const tiles = groups.flatMap(({ floor, node, tier, objects: owned, spanning }) => {
    const given = options.tierRadii.get(tier);
    const range: StreamingRange = given ? { kind: 'given', radii: given } : { kind: 'tier', tier, profile };
    return cutToBudgets(owned, budgets).map((part) => {
      const content = boundsOf(part.objects);
      const cellBounds = spanning || part.cuts !== '' ? content : nodeBounds(node, content);
      // A tile taller than the gate would miss its full detail at its own foot.
      const interior =
        profile === 'indoor' && tier !== 'ExteriorShell' && content.max[1] - content.min[1] <= 2 * FLOOR_GATE;
      return makeTile(`${node.id}_${TIER_CODES[tier]}`, part, {
        cell: null,
        tree: { floor, nodeId: node.id, tier, cellBounds, spanning, interior },
        priority: given?.priority ?? tierPriority(tier, profile),
        range,
      });
    });
  });
  tiles.sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    mode: partition === 'kdtree' ? 'kdtree_floor' : 'quadtree_floor',
    floors: floors.count,
    tiles,
    cut,
    spanning: wide,
    root: partition === 'kdtree' ? 'F01_K' : 'F01_Q',
  };
}

interface Placed {
  /** From the lowest floor up. */
  readonly placed: readonly { readonly floor: number; readonly placements: readonly TreePlacement[] }[];
  /** The objects of the exterior shell that cross the root's border. */
  readonly wide: readonly PlannedObject[];
}

/** Gives each object its floor, by its centre, and its node there. */
function placeOnFloors(
  objects: readonly PlannedObject[],
  tierOfNode: ReadonlyMap<number, SemanticTier>,
  scene: Bounds,
  floors: Floors,
  place: (floor: number, objects: readonly PlannedObject[]) => readonly TreePlacement[],
): Placed {
  const onFloor = new Map<number, PlannedObject[]>();
  for (const object of objects) {
    const floor = floorOf(object, scene, floors);
    const list = onFloor.get(floor);
    if (list) list.push(object);
    else onFloor.set(floor, [object]);
  }
  const wide: PlannedObject[] = [];
  const placed = [...onFloor]
    .sort((a, b) => a[0] - b[0])
    .map(([floor, list]) => {
      const placements = place(floor, list).filter(({ object, node, spanning }) => {
        const shell = tierOfNode.get(object.node) === 'ExteriorShell';
        if (!spanning || node.depth > 0 || !shell || object.tags?.policy === 'force_local') return true;
        wide.push(object);
        return false;
      });
      return { floor, placements };
    });
  return { placed, wide: wide.sort(byNode) };
}

/** Whether an object is so wide that it would span the cells of a grid. */
function isWide({ bounds: { min, max } }: PlannedObject, size: number): boolean {
  return Math.max(max[0] - min[0], max[2] - min[2]) > SPANNING_CELLS * size;
}

/** The borders of cells that objects were cut at; then those that lie between them, for pieces of less than a cell. */
function cutBorders(cut: readonly CutObject[], planesAt: PlanesAt): CutBorders[] {
  const borders = (finenessOf: (fineness: number) => number): CutBorders => {
    const planes = cut.map(({ object, fineness }) => planesAt(object.bounds, finenessOf(fineness)));
    const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
    return [
      ascending(planes.flatMap((found) => found?.x ?? [])),
      ascending(planes.flatMap((found) => found?.z ?? []).map((z) => 0 - z)),
    ];
  };
  return [borders((fineness) => Math.min(fineness, 0)), borders((fineness) => fineness)];
}

interface JoinOptions {
  readonly minObjects: number;
  readonly budgets: Budgets;
  /** No group moves into a node with a longer side. */
  readonly widest: number;
}

/** Small groups are joined in nodes at most this many tile sizes wide: wider groups would be loaded from too far away. */
const WIDEST_JOINED = 4;

/**
 * Groups by node and tier. A group of less than `minObjects` objects, or far under budget, moves up parent by parent
 * until neither holds or the parent is too wide. A group that fills an eighth of a budget does not move. A group with a
 * piece of a cut object moves only if it is far under budget.
 */
function groupUp(
  placements: readonly TreePlacement[],
  tierOfNode: ReadonlyMap<number, SemanticTier>,
  floor: number,
  { minObjects, budgets, widest }: JoinOptions,
): Group[] {
  const groups = new Map<string, Group>();
  let deepest = 0;
  const add = (node: TreeNode, tier: SemanticTier, objects: readonly PlannedObject[], spanning: boolean) => {
    const key = `${node.id} ${tier}`;
    const group = groups.get(key);
    if (group) {
      for (const object of objects) group.objects.push(object);
      group.spanning ||= spanning;
    } else groups.set(key, { floor, node, tier, objects: [...objects], spanning });
    deepest = Math.max(deepest, node.depth);
  };
  for (const { object, node, spanning } of placements) {
    add(node, tierOfNode.get(object.node) as SemanticTier, [object], spanning);
  }
  for (let depth = deepest; depth > 0; depth--) {
    for (const [key, group] of [...groups]) {
      const { parent } = group.node;
      if (
        !parent ||
        longerSide(parent) > widest ||
        group.node.depth !== depth ||
        !isUnderfilled(group.objects, minObjects, budgets)
      )
        continue;
      groups.delete(key);
      // Objects that cross the borders of a node's children lie inside the node's parent.
      add(parent, group.tier, group.objects, false);
    }
  }
  return [...groups.values()];
}

function longerSide({ rectangle: { min, max } }: TreeNode): number {
  return Math.max(max[0] - min[0], max[1] - min[1]);
}

function isUnderfilled(objects: readonly PlannedObject[], minObjects: number, budgets: Budgets): boolean {
  const expected = estimate(objects);
  if (isFarUnder(expected, budgets)) return true;
  if (objects.some(({ piece }) => piece)) return false;
  return objects.length < minObjects && fullness(expected, budgets) < FULL_ENOUGH;
}

/** The node's rectangle with the content's heights, and what the content reaches beyond it. */
function nodeBounds({ rectangle: { min, max } }: TreeNode, content: Bounds): Bounds {
  const node: Bounds = { min: [min[0], content.min[1], -max[1]], max: [max[0], content.max[1], -min[1]] };
  return unite(node, content) ?? node;
}
