// The tree modes: floors, a tree on each, and in each node a tile for each tier. Groups with too little move up to their
// parents, groups with too much are cut.

import { unite } from '../scene/bounds.ts';
import type { Bounds } from '../scene/types.ts';
import { type Budgets, cutToBudgets, estimate, FULL_ENOUGH, fullness, isFarUnder } from './budgets.ts';
import { floorOf, planFloors } from './floors.ts';
import type { Partitioned, TilingOptions } from './plan.ts';
import { type Reach, tierPriority } from './radii.ts';
import { boundsOf, makeTile } from './tile.ts';
import { placeInKdtree, placeInQuadtree, type TreeNode, type TreePlacement } from './trees.ts';
import type { PlannedObject, SemanticTier } from './types.ts';

const TIER_CODES: Readonly<Record<SemanticTier, string>> = {
  ExteriorShell: 'ES',
  StructuralInterior: 'SI',
  RoomContents: 'RC',
  FineProps: 'FP',
};

/** The engine's floor gate holds a tile back while its centre is further than this above or below the camera. */
const FLOOR_GATE = 5;

interface Group {
  readonly floor: number;
  readonly node: TreeNode;
  readonly tier: SemanticTier;
  readonly objects: PlannedObject[];
  spanning: boolean;
}

/** Plans a tree over sorted objects; `tiers` stand beside them. */
export function planTree(
  objects: readonly PlannedObject[],
  tiers: readonly SemanticTier[],
  scene: Bounds,
  profile: 'indoor' | 'outdoor',
  options: TilingOptions,
): Partitioned {
  const { budgets, partition } = options;
  const floors = planFloors(objects, scene, profile, { count: options.floorCount, band: options.floorBand });
  const tierOfNode = new Map(objects.map((object, i) => [object.node, tiers[i]]));
  const onFloor = new Map<number, PlannedObject[]>();
  for (const object of objects) {
    const floor = floorOf(object, scene, floors);
    const list = onFloor.get(floor);
    if (list) list.push(object);
    else onFloor.set(floor, [object]);
  }

  const wide: PlannedObject[] = [];
  const groups: Group[] = [];
  for (const [floor, list] of [...onFloor].sort((a, b) => a[0] - b[0])) {
    const place = partition === 'kdtree' ? placeInKdtree : placeInQuadtree;
    const local: TreePlacement[] = [];
    for (const placement of place(list, scene, floor)) {
      const { object, node, spanning } = placement;
      const shell = tierOfNode.get(object.node) === 'ExteriorShell';
      if (spanning && node.depth === 0 && shell && object.tags?.policy !== 'force_local') wide.push(object);
      else local.push(placement);
    }
    groups.push(...groupUp(local, tierOfNode, floor, options.minObjects, budgets));
  }

  const tiles = groups.flatMap(({ floor, node, tier, objects: owned, spanning }) => {
    const given = options.tierRadii.get(tier);
    const reach: Reach = given ? { kind: 'given', radii: given } : { kind: 'tier', tier, profile };
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
        reach,
      });
    });
  });
  tiles.sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    mode: partition === 'kdtree' ? 'kdtree_floor' : 'quadtree_floor',
    floors: floors.count,
    tiles,
    spanning: wide.sort((a, b) => a.node - b.node),
    root: partition === 'kdtree' ? 'F01_K' : 'F01_Q',
  };
}

/**
 * Groups by node and tier. A group of less than `minObjects` objects, or far under budget, moves up, parent by parent,
 * until it is neither or has reached the floor's root; one that fills an eighth of a budget stays where it is.
 */
function groupUp(
  placements: readonly TreePlacement[],
  tierOfNode: ReadonlyMap<number, SemanticTier>,
  floor: number,
  minObjects: number,
  budgets: Budgets,
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
      if (!parent || group.node.depth !== depth || !isUnderfilled(group.objects, minObjects, budgets)) continue;
      groups.delete(key);
      // What lies across the borders of a node's children lies well inside the node's parent.
      add(parent, group.tier, group.objects, false);
    }
  }
  return [...groups.values()];
}

function isUnderfilled(objects: readonly PlannedObject[], minObjects: number, budgets: Budgets): boolean {
  const expected = estimate(objects);
  if (isFarUnder(expected, budgets)) return true;
  return objects.length < minObjects && fullness(expected, budgets) < FULL_ENOUGH;
}

/** The node's rectangle with the content's heights, and what the content reaches beyond it. */
function nodeBounds({ rectangle: { min, max } }: TreeNode, content: Bounds): Bounds {
  const node: Bounds = { min: [min[0], content.min[1], -max[1]], max: [max[0], content.max[1], -min[1]] };
  return unite(node, content) ?? node;
}
