// Plans a scene: cuts wide objects, puts objects into tiles by grid or tree, joins underfilled tiles and divides overfull
// ones. Each object or piece is in exactly one payload; each tile has radii and a priority.

import { isAlwaysLoaded } from '../scene/tags.ts';
import type { Bounds } from '../scene/types.ts';
import { DEFAULT_TILING, type TilingOptions } from './options.ts';
import { brokenBudgets, cutToBudgets, estimate } from './partition/budgets.ts';
import { gridPlanes } from './partition/cellPlanes.ts';
import { assignCells, autoTileSize, gridOrigin, isSpanning, joinCells } from './partition/grid.ts';
import { byNode } from './partition/order.ts';
import { type CutLimits, NO_CUT_LIMITS, splitObjects } from './partition/split.ts';
import { sceneProfile, tierOf } from './partition/tiers.ts';
import { boundsOf, makeTile } from './partition/tile.ts';
import { planTree } from './partition/treePlan.ts';
import { ALWAYS_PRIORITY, DEFAULT_PRIORITY, tilePriority } from './streaming/priority.ts';
import { halfDiagonal, type StreamingRange, type TierRadius, tierPriority } from './streaming/radii.ts';
import type { Partitioned, PlannedObject, PlannedTile, ScenePlan, TreeTile } from './types.ts';

/**
 * Plans the objects, which must not be empty. `tileSize` is the edge of a cell, unless the options ask for an automatic
 * size. Throws UC2202 where objects would be cut into too many pieces.
 */
export function planScene(
  objects: readonly PlannedObject[],
  tileSize: number,
  sceneName: string,
  options: TilingOptions = DEFAULT_TILING,
  limits: CutLimits = NO_CUT_LIMITS,
): ScenePlan {
  // The plan does not depend on the order of the objects.
  const sorted = [...objects].sort(byNode);
  const bounds = boundsOf(sorted);
  const size = options.autoTileSize ? autoTileSize(sorted, bounds, options.budgets) : tileSize;
  const always = sorted.filter(({ tags }) => isAlwaysLoaded(tags));
  const streamed = always.length === 0 ? sorted : sorted.filter(({ tags }) => !isAlwaysLoaded(tags));
  const tiers = sorted.map((object) => tierOf(object, options.untaggedTier));
  const profile =
    options.profile !== 'auto' ? options.profile : sceneProfile(sorted, tiers, halfDiagonal(bounds), size);
  const head = { profile, bounds, tileSize: size, tileSizeMode: options.autoTileSize ? 'auto' : 'manual' } as const;
  const { spanning, ...planned } = planStreamed(streamed, bounds, profile, size, options, limits);
  const wide = planSpanning(spanning, sceneName, options, planned.root);
  const tiles = [...planned.tiles, ...wide.tiles, ...planAlways(always, options, planned.root)];
  return {
    ...head,
    mode: planned.mode,
    defaultRange: options.partition === 'grid' ? gridRange(size, options) : { kind: 'grid', tileSize: size },
    floors: planned.floors,
    tiles,
    cut: planned.cut,
    shared: wide.shared,
    sharedShell: wide.shell,
  };
}

/** Distributes what is loaded when the camera is near. */
function planStreamed(
  objects: readonly PlannedObject[],
  bounds: Bounds,
  profile: ScenePlan['profile'],
  size: number,
  options: TilingOptions,
  limits: CutLimits,
): Partitioned {
  if (options.partition === 'grid' || objects.length === 0) return planGrid(objects, bounds, size, options, limits);
  const tiers = objects.map((object) => tierOf(object, options.untaggedTier));
  return planTree(objects, tiers, bounds, profile, size, options, limits);
}

/** Tiles of what is always loaded, divided until they keep the budgets. */
function planAlways(
  objects: readonly PlannedObject[],
  { budgets }: TilingOptions,
  root: string | null,
): readonly PlannedTile[] {
  if (objects.length === 0) return [];
  return cutToBudgets(objects, budgets).map((part) => {
    const id = root === null ? 'tile_always' : `${root}_ES_always`;
    const tree = root === null ? null : rootTree(root, part.objects);
    return makeTile(id, part, { cell: null, tree, priority: ALWAYS_PRIORITY, range: { kind: 'always' } });
  });
}

/** What lies in no node of a tree is said to be of its root. */
function rootTree(root: string, objects: readonly PlannedObject[]): TreeTile {
  return {
    floor: 1,
    nodeId: root,
    tier: 'ExteriorShell',
    cellBounds: boundsOf(objects),
    spanning: true,
    interior: false,
  };
}

/**
 * A grid has no tiers. The user's radii of ExteriorShell, else those of StructuralInterior, apply to all tiles, as in the
 * exporter.
 */
const gridRadius = ({ tierRadii }: TilingOptions): TierRadius | undefined =>
  tierRadii.get('ExteriorShell') ?? tierRadii.get('StructuralInterior');

function gridRange(tileSize: number, options: TilingOptions): StreamingRange {
  const given = gridRadius(options);
  return given ? { kind: 'given', radii: given } : { kind: 'grid', tileSize };
}

function planGrid(
  objects: readonly PlannedObject[],
  bounds: Bounds,
  size: number,
  options: TilingOptions,
  limits: CutLimits,
): Partitioned {
  const { budgets } = options;
  const [originX, , originZ] = gridOrigin(bounds, size);
  const { objects: divided, cut } = splitObjects(
    objects,
    (object) => isSpanning(object.bounds, originX, originZ, size),
    gridPlanes(bounds, [originX, originZ], size),
    options,
    limits,
  );
  const { cells, spanning } = assignCells(divided, bounds, size);
  const priority = gridRadius(options)?.priority ?? DEFAULT_PRIORITY;
  const range = gridRange(size, options);
  const tiles = joinCells(cells, budgets).flatMap(({ cell, objects: owned }) =>
    cutToBudgets(owned, budgets).map((part) =>
      makeTile(`tile_${cell.join('_')}`, part, { cell, tree: null, priority, range }),
    ),
  );
  return { mode: 'uniform_grid', floors: 1, tiles, cut, spanning, root: null };
}

interface Spanning {
  readonly tiles: readonly PlannedTile[];
  readonly shared: PlannedTile | null;
  readonly shell: Bounds | null;
}

/**
 * One shared bucket with `always`, and with `auto` where it keeps the budgets; otherwise tiles with the bucket's radii,
 * divided until they keep the budgets.
 */
function planSpanning(
  objects: readonly PlannedObject[],
  sceneName: string,
  { sharedBucket, budgets }: TilingOptions,
  root: string | null,
): Spanning {
  if (objects.length === 0) return { tiles: [], shared: null, shell: null };
  const all = estimate(objects);
  const broken = brokenBudgets(all, budgets);
  const bounds = boundsOf(objects);
  const range: StreamingRange = { kind: 'shared' };
  if (sharedBucket === 'always' || (sharedBucket === 'auto' && broken.length === 0)) {
    const shared: PlannedTile = {
      id: 'shared',
      stem: `${sceneName}_shared`,
      cell: null,
      tree: null,
      objects,
      bounds,
      priority: tilePriority(objects),
      range,
      estimate: all,
      over: broken.length > 0 ? { broken, why: 'shared bucket' } : null,
    };
    return { tiles: [], shared, shell: root === null ? null : bounds };
  }
  const base = root === null ? 'tile_spanning' : `${root}_ES_spanning`;
  const tiles = cutToBudgets(objects, budgets).map((part) => {
    const tree = root === null ? null : rootTree(root, part.objects);
    const priority = tree ? tierPriority(tree.tier, 'outdoor') : DEFAULT_PRIORITY;
    return makeTile(base, part, { cell: null, tree, priority, range });
  });
  return { tiles, shared: null, shell: null };
}
