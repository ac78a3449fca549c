// A uniform XZ grid. Cells are numbered as the engine's own exporter numbers them: along +X and along -Z, from an
// origin snapped down to a multiple of the cell. Each object belongs to the one cell that holds its centre; objects
// that span many cells go to the shared bucket, unless their author says otherwise.

import { center, unite } from '../scene/bounds.ts';
import type { Bounds } from '../scene/types.ts';
import type { GridPlan, PlannedObject, PlannedTile } from './types.ts';

/** An object spans when it is wider than this many cells along X or Z … */
const SPANNING_CELLS = 4;
/** … or touches more cells than this (the square of the above). */
const SPANNING_OVERLAP = 16;
/** Boxes shrink by this on each side before their cells are counted, so that touching a border is not crossing it. */
const OVERLAP_MARGIN = 1e-4;

/** Cells along one axis that [lo, hi] overlaps after shrinking; an interval flatter than twice the margin is its middle. */
function overlappedCells(lo: number, hi: number, origin: number, size: number): number {
  let a = lo + OVERLAP_MARGIN;
  let b = hi - OVERLAP_MARGIN;
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

/** Plans a grid of square cells of `size` metres over the objects, which must not be empty. */
export function planGrid(objects: readonly PlannedObject[], size: number, sceneName: string): GridPlan {
  let bounds: Bounds | null = null;
  for (const object of objects) bounds = unite(bounds, object.bounds);
  if (bounds === null) throw new Error('planGrid needs at least one object');
  const [originX, , originZ] = gridOrigin(bounds, size);

  const cells = new Map<string, { cell: [number, number, number]; objects: PlannedObject[] }>();
  const shared: PlannedObject[] = [];
  for (const object of objects) {
    if (object.tags?.policy !== 'force_local' && isSpanning(object.bounds, originX, originZ, size)) {
      shared.push(object);
      continue;
    }
    const middle = center(object.bounds);
    const tx = Math.floor((middle[0] - originX) / size);
    const tz = Math.floor((-middle[2] - originZ) / size);
    const key = `${tx}_0_${tz}`;
    const cell = cells.get(key);
    if (cell) cell.objects.push(object);
    else cells.set(key, { cell: [tx, 0, tz], objects: [object] });
  }

  const tiles = [...cells.values()]
    .sort((a, b) => a.cell[2] - b.cell[2] || a.cell[1] - b.cell[1] || a.cell[0] - b.cell[0])
    .map(({ cell, objects: owned }): PlannedTile => {
      const id = `tile_${cell.join('_')}`;
      return { id, fileName: `${id}.untold`, cell, objects: owned };
    });
  return {
    bounds,
    tileSize: size,
    tiles,
    shared:
      shared.length === 0
        ? null
        : { id: 'shared', fileName: `${sceneName}_shared.untold`, cell: null, objects: shared },
  };
}
