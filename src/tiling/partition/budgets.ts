// Budgets of a payload: estimates its content from counts, halves groups of objects until they keep the budgets, and
// describes budgets that are still exceeded.

import { BATCH_CELL_VERTICES, OUT_OF_CORE_MESHES } from '../../engine/budgets.ts';
import { center } from '../../scene/bounds.ts';
import type { Estimate, OverBudget, PlannedObject } from '../types.ts';
import { byNode } from './order.ts';

export interface Budgets {
  readonly bytes: number;
  /** Entities, each a draw call. */
  readonly meshes: number;
  readonly vertices: number;
}

/**
 * 15 MB: the engine parses a file of that size in one or two seconds. Meshes: a tile with this many is loaded out-of-core.
 * Vertices: a batch cell holds no more.
 */
export const DEFAULT_BUDGETS: Budgets = {
  bytes: 15_000_000,
  meshes: OUT_OF_CORE_MESHES,
  vertices: BATCH_CELL_VERTICES,
};

/** A group that fills less than this share of the byte and vertex budgets is joined with a neighbour, */
export const FAR_UNDER = 1 / 256;
/** if both together fill at most this share of every budget. */
export const JOINED_AT_MOST = 1 / 4;
/** A group that fills this share of any budget is a tile of its own, even with few objects. */
export const FULL_ENOUGH = 1 / 8;

/** 32 bytes for each vertex; for each triangle three indices of two bytes (four in meshes of 65,536 vertices or more). */
const VERTEX_BYTES = 32;
const SHORT_INDEX_LIMIT = 65_536;
/** Header and chunk table; and entity, mesh record, material and names of one mesh. */
const FILE_BYTES = 600;
const MESH_BYTES = 400;

export function estimate(objects: readonly PlannedObject[]): Estimate {
  let triangles = 0;
  let vertices = 0;
  let indexBytes = 0;
  const draws = new Set<string>();
  for (const object of objects) {
    triangles += object.triangles;
    vertices += object.vertices;
    indexBytes += object.triangles * 3 * (object.vertices < SHORT_INDEX_LIMIT ? 2 : 4);
    for (const draw of object.draws) draws.add(draw);
  }
  const bytes = FILE_BYTES + draws.size * MESH_BYTES + vertices * VERTEX_BYTES + indexBytes;
  return { triangles, vertices, meshes: draws.size, bytes };
}

/** The largest share of a budget that is filled; above 1 is over budget. */
export function fullness({ bytes, meshes, vertices }: Omit<Estimate, 'triangles'>, budgets: Budgets): number {
  return Math.max(bytes / budgets.bytes, meshes / budgets.meshes, vertices / budgets.vertices);
}

/** Whether a group is too small for a tile of its own. Meshes do not count: the smallest prop has one. */
export function isFarUnder({ bytes, vertices }: Omit<Estimate, 'triangles'>, budgets: Budgets): boolean {
  return bytes < budgets.bytes * FAR_UNDER && vertices < budgets.vertices * FAR_UNDER;
}

const grouped = (n: number): string => String(Math.ceil(n)).replace(/\B(?=(\d{3})+$)/g, ',');

/** The exceeded budgets as text for messages. */
export function brokenBudgets(what: Omit<Estimate, 'triangles'>, budgets: Budgets): string[] {
  return (['bytes', 'meshes', 'vertices'] as const)
    .filter((key) => what[key] > budgets[key])
    .map((key) => `${grouped(what[key])} ${key} of ${grouped(budgets[key])}`);
}

export interface BudgetedGroup {
  /** '' for a group that was not cut; else 0 and 1 for each cut on the way. */
  readonly cuts: string;
  readonly objects: readonly PlannedObject[];
  readonly estimate: Estimate;
  readonly over: OverBudget | null;
}

/** Cuts that only serve the mesh budget must not multiply meshes by more than this. */
const MESH_GROWTH = 1.5;

/**
 * Halves a group until each part keeps the budgets or cannot be cut. Each cut crosses the axis with the largest extent of
 * the objects' centres, at half of the weight. Independent of the order of `objects`.
 */
export function cutToBudgets(objects: readonly PlannedObject[], budgets: Budgets): BudgetedGroup[] {
  const parts: BudgetedGroup[] = [];
  const open = [{ cuts: '', objects, estimate: estimate(objects) }];
  for (let group = open.pop(); group; group = open.pop()) {
    const broken = brokenBudgets(group.estimate, budgets);
    if (broken.length === 0) {
      parts.push({ ...group, over: null });
      continue;
    }
    if (group.objects.length < 2) {
      parts.push({ ...group, over: { broken, why: 'one object' } });
      continue;
    }
    const [low, high] = halve(group.objects, budgets);
    const a = { cuts: `${group.cuts}0`, objects: low, estimate: estimate(low) };
    const b = { cuts: `${group.cuts}1`, objects: high, estimate: estimate(high) };
    const onlyMeshes = group.estimate.bytes <= budgets.bytes && group.estimate.vertices <= budgets.vertices;
    if (onlyMeshes && a.estimate.meshes + b.estimate.meshes > MESH_GROWTH * group.estimate.meshes) {
      parts.push({ ...group, over: { broken, why: 'same materials' } });
      continue;
    }
    open.push(b, a);
  }
  return parts;
}

/** Both halves hold at least one object. */
function halve(objects: readonly PlannedObject[], budgets: Budgets): [PlannedObject[], PlannedObject[]] {
  const placed = objects.map((object) => ({
    object,
    at: center(object.bounds),
    weight: Math.max(
      object.vertices / budgets.vertices,
      (object.vertices * VERTEX_BYTES + object.triangles * 6) / budgets.bytes,
      object.draws.length / budgets.meshes,
    ),
  }));
  const extent = [0, 1, 2].map((axis) => {
    let low = Infinity;
    let high = -Infinity;
    for (const { at } of placed) {
      if (at[axis] < low) low = at[axis];
      if (at[axis] > high) high = at[axis];
    }
    return high - low;
  });
  const first = extent.indexOf(Math.max(...extent));
  const order = [first, (first + 1) % 3, (first + 2) % 3];
  placed.sort(
    (a, b) =>
      a.at[order[0]] - b.at[order[0]] ||
      a.at[order[1]] - b.at[order[1]] ||
      a.at[order[2]] - b.at[order[2]] ||
      byNode(a.object, b.object),
  );
  const half = placed.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let cut = 0;
  for (let sum = 0; cut < placed.length - 1 && (cut === 0 || sum + placed[cut].weight / 2 < half); cut++) {
    sum += placed[cut].weight;
  }
  const low = placed.slice(0, cut).map(({ object }) => object);
  const high = placed.slice(cut).map(({ object }) => object);
  return [low, high];
}

/** Batch cells get no smaller than this share of a cell. */
const SMALLEST_BATCH_CELL = 1 / 8;

/**
 * The edge of the engine's batch cells, which the engine reads from the manifest's tile size. Tries the cell's edge, its
 * half, quarter and eighth, and returns the largest with the fewest tiles in batch cells over the vertex budget: the
 * engine draws such cells unbatched. A tile belongs to the cell of its centre; cells are aligned to the world's origin.
 * Tiles over the vertex budget are not counted, because no edge helps them.
 */
export function batchCellSize(
  tiles: readonly { readonly center: readonly number[]; readonly vertices: number }[],
  size: number,
  maxVertices: number,
): number {
  const counted = tiles.filter(({ vertices }) => vertices <= maxVertices);
  let best = { edge: size, unbatched: Infinity };
  for (let edge = size; edge >= size * SMALLEST_BATCH_CELL && best.unbatched > 0; edge /= 2) {
    const cells = new Map<string, { vertices: number; tiles: number }>();
    for (const tile of counted) {
      const key = [0, 1, 2].map((axis) => Math.floor(tile.center[axis] / edge)).join(' ');
      const cell = cells.get(key);
      if (cell) {
        cell.vertices += tile.vertices;
        cell.tiles++;
      } else cells.set(key, { vertices: tile.vertices, tiles: 1 });
    }
    let unbatched = 0;
    for (const cell of cells.values()) if (cell.vertices > maxVertices) unbatched += cell.tiles;
    if (unbatched < best.unbatched) best = { edge, unbatched };
  }
  return best.edge;
}
