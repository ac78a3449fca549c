// A uniform XZ grid. Cells are numbered as the engine's own exporter numbers them: along +X and along -Z, from an
// origin snapped down to a multiple of the cell. Each object belongs to the one cell that holds its centre; objects
// that span many cells are kept apart, unless they are tagged otherwise. Cells that hold next to nothing are joined with a
// neighbour.

import { center } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import type { PlannedObject } from '../types.ts';
import { type Budgets, estimate, fullness, isFarUnder, JOINED_AT_MOST } from './budgets.ts';
import { BORDER_MARGIN, cellBetweenPlanes } from './cellPlanes.ts';

/** An object spans when it is wider than this many cells along X or Z … */
export const SPANNING_CELLS = 4;
/** … or touches more cells than this (the square of the above). */
const SPANNING_OVERLAP = 16;

/**
 * Cells along one axis that [lo, hi] overlaps after shrinking by the margin; an interval flatter than twice the margin
 * is its middle.
 */
function overlappedCells(lo: number, hi: number, origin: number, size: number): number {
  let a = lo + BORDER_MARGIN;
  let b = hi - BORDER_MARGIN;
  if (a > b) a = b = (lo + hi) / 2;
  return Math.floor((b - origin) / size) - Math.floor((a - origin) / size) + 1;
}

/** Whether an object is too wide for its cells and belongs to the shared bucket. */
export function isSpanning(bounds: Bounds, originX: number, originZ: number, size: number): boolean {
  const width = bounds.max[0] - bounds.min[0];
  const depth = bounds.max[2] - bounds.min[2];
  if (width / size > SPANNING_CELLS || depth / size > SPANNING_CELLS) return true;
  const across = overlappedCells(bounds.min[0], bounds.max[0], originX, size);
  const along = overlappedCells(-bounds.max[2], -bounds.min[2], originZ, size);
  return across * along > SPANNING_OVERLAP;
}

/** Where cell (0, 0, 0) begins: X, height, and Z counted backwards (the exporter's depth axis is engine -Z). */
export function gridOrigin(bounds: Bounds, size: number): readonly [number, number, number] {
  return [Math.floor(bounds.min[0] / size) * size, bounds.min[1], Math.floor(-bounds.max[2] / size) * size];
}

const cellAt = (at: number, origin: number, size: number): number => Math.floor((at - origin) / size);

/** The objects of one cell, or of a few joined cells. */
export interface GridCell {
  readonly cell: readonly [number, number, number];
  readonly objects: readonly PlannedObject[];
}

export interface GridCells {
  /** In order of (z, y, x). */
  readonly cells: readonly GridCell[];
  /** Objects too wide for the cells. */
  readonly spanning: readonly PlannedObject[];
}

/** Assigns objects and pieces to square cells of `size` metres; `bounds` are those of all of them. */
export function assignCells(objects: readonly PlannedObject[], bounds: Bounds, size: number): GridCells {
  const [originX, , originZ] = gridOrigin(bounds, size);
  const cells = new Map<string, { cell: [number, number, number]; objects: PlannedObject[] }>();
  const spanning: PlannedObject[] = [];
  for (const object of objects) {
    const { piece } = object;
    if (!piece && object.tags?.policy !== 'force_local' && isSpanning(object.bounds, originX, originZ, size)) {
      spanning.push(object);
      continue;
    }
    const middle = center(object.bounds);
    // A piece ends where the border was rounded to; the cell beyond may begin a hair before.
    const cellOf = piece ? cellBetweenPlanes : cellAt;
    const tx = cellOf(middle[0], originX, size);
    const tz = cellOf(-middle[2], originZ, size);
    const key = `${tx} ${tz}`;
    const cell = cells.get(key);
    if (cell) cell.objects.push(object);
    else cells.set(key, { cell: [tx, 0, tz], objects: [object] });
  }
  return { cells: [...cells.values()].sort(byCell), spanning };
}

const byCell = (a: GridCell, b: GridCell) => a.cell[2] - b.cell[2] || a.cell[1] - b.cell[1] || a.cell[0] - b.cell[0];

/** Joined cells are at most this many wide and deep. */
const JOINED_CELLS = 2;

/**
 * Joins each cell that holds far too little with the emptiest neighbour across an edge, as long as both together stay
 * small (budgets.ts: FAR_UNDER, JOINED_AT_MOST) and within two cells each way. The neighbour's numbers stay.
 */
export function joinCells(cells: readonly GridCell[], budgets: Budgets): GridCell[] {
  interface Group {
    readonly cell: GridCell['cell'];
    objects: readonly PlannedObject[];
    members: readonly (readonly [number, number])[];
    full: number;
  }
  const at = new Map<string, Group>();
  for (const { cell, objects } of cells) {
    const full = fullness(estimate(objects), budgets);
    at.set(`${cell[0]} ${cell[2]}`, { cell, objects, members: [[cell[0], cell[2]]], full });
  }
  const span = (members: Group['members'], axis: 0 | 1) => {
    const values = members.map((member) => member[axis]);
    return Math.max(...values) - Math.min(...values) + 1;
  };
  for (const { cell } of cells) {
    const group = at.get(`${cell[0]} ${cell[2]}`) as Group;
    if (!isFarUnder(estimate(group.objects), budgets)) continue;
    let best: { to: Group; objects: readonly PlannedObject[]; full: number } | null = null;
    for (const [x, z] of group.members) {
      for (const [dx, dz] of [
        [-1, 0],
        [1, 0],
        [0, -1],
        [0, 1],
      ] as const) {
        const to = at.get(`${x + dx} ${z + dz}`);
        if (!to || to === group || (best && to.full >= best.to.full)) continue;
        const members = [...to.members, ...group.members];
        if (span(members, 0) > JOINED_CELLS || span(members, 1) > JOINED_CELLS) continue;
        const objects = [...to.objects, ...group.objects];
        const full = fullness(estimate(objects), budgets);
        if (full <= JOINED_AT_MOST) best = { to, objects, full };
      }
    }
    if (!best) continue;
    const { to } = best;
    to.objects = best.objects;
    to.full = best.full;
    to.members = [...to.members, ...group.members];
    for (const [x, z] of group.members) at.set(`${x} ${z}`, to);
  }
  return [...new Set(at.values())].sort(byCell);
}

/** Sizes that are tried, in metres, from a footprint that still streams well down to where overhead wins. */
const AUTO_SIZES = [200, 150, 100, 75, 50, 35, 25, 20, 15, 10] as const;
/** Half of all the weight may lie in cells no fuller than this. */
const AUTO_FULLNESS = 0.5;

/**
 * The largest cell at which half of the scene's weight lies in cells that are at most half full: by bytes and vertices,
 * so that neither one heavy object nor a dense corner decides for the whole scene (such cells are cut on their own).
 */
export function autoTileSize(objects: readonly PlannedObject[], bounds: Bounds, budgets: Budgets): number {
  const weight = (group: readonly PlannedObject[]) => {
    const { bytes, vertices } = estimate(group);
    return Math.max(bytes / budgets.bytes, vertices / budgets.vertices);
  };
  // An object that fills a cell alone does so at any size.
  const divisible = objects.filter((object) => weight([object]) <= AUTO_FULLNESS);
  for (const size of AUTO_SIZES) {
    const weights = assignCells(divisible, bounds, size).cells.map((cell) => weight(cell.objects));
    const total = weights.reduce((sum, one) => sum + one, 0);
    const well = weights.reduce((sum, one) => (one <= AUTO_FULLNESS ? sum + one : sum), 0);
    if (well * 2 >= total) return size;
  }
  return AUTO_SIZES[AUTO_SIZES.length - 1];
}
