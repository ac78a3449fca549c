// Which objects are cut, and into what: objects too wide for cells, where they have triangles enough to stream piece by
// piece, and objects that break a budget alone. Pieces take the place of their object before the scene is partitioned.

import type { CutPlanes } from '../scene/planes.ts';
import type { Bounds } from '../scene/types.ts';
import { type Budgets, estimate } from './budgets.ts';
import { cellCount, hasRoom, type PlanesAt } from './cellPlanes.ts';
import type { CutObject, PlannedObject } from './types.ts';

export interface SplitOptions {
  /** auto: by the rules below; always: whatever spans, however few triangles it has. */
  readonly split: 'auto' | 'always' | 'never';
  readonly budgets: Budgets;
}

/** What spans is cut from so many triangles on … */
const LEAST_TRIANGLES = 1024;
/** … and anything only where each piece gets so many on average: a plane is cheaper in a bucket than in many tiles. */
const LEAST_TRIANGLES_A_PIECE = 16;

/** Level of planes four cells apart: what is no wider does not span. */
const COARSEST = -2;

export interface Split {
  /** Sorted, pieces in the place of what was cut. */
  readonly objects: readonly PlannedObject[];
  readonly cut: readonly CutObject[];
}

/** Cuts sorted objects; `spans` says which are too wide for the mode's cells, `planesAt` where these end. */
export function splitObjects(
  objects: readonly PlannedObject[],
  spans: (object: PlannedObject) => boolean,
  planesAt: PlanesAt,
  options: SplitOptions,
): Split {
  if (options.split === 'never') return { objects, cut: [] };
  const cut: CutObject[] = [];
  const all: PlannedObject[] = [];
  for (const object of objects) {
    const found = isDivisible(object) ? choosePlanes(object, spans(object), planesAt, options) : null;
    if (found === null) {
      all.push(object);
      continue;
    }
    const pieces = piecesOf(object, found.planes);
    cut.push({ object, pieces: pieces.length, level: found.level, limited: found.limited });
    for (const piece of pieces) all.push(piece);
  }
  return { objects: all, cut };
}

/** Never-merged objects stay one to be picked; force_local keeps an object in one tile. */
function isDivisible({ node, draws, tags }: PlannedObject): boolean {
  return tags?.policy !== 'force_local' && !draws.some((draw) => draw.startsWith(`${node}|`));
}

/** The planes that an object is cut at, and how they were found; null: it stays whole. */
function choosePlanes(
  object: PlannedObject,
  spanning: boolean,
  planesAt: PlanesAt,
  { split, budgets }: SplitOptions,
): (Pick<CutObject, 'level' | 'limited'> & { readonly planes: CutPlanes }) | null {
  const heavy = !keepsBudgets(object, 1, budgets);
  if ((!spanning && !heavy) || !hasRoom(object.bounds)) return null;
  let level = 0;
  let planes = planesAt(object.bounds, level);
  while (planes === null) planes = planesAt(object.bounds, --level);
  const limited = level < 0;
  // Too few triangles for the mode's cells: larger pieces, as long as no piece spans itself.
  while (split === 'auto' && !heavy && level > COARSEST && !isDense(object, planes)) {
    const coarser = planesAt(object.bounds, level - 1);
    if (coarser === null || cellCount(coarser) === 1) break;
    planes = coarser;
    level--;
  }
  while (heavy && !keepsBudgets(object, largestShare(object.bounds, planes), budgets)) {
    const finer = planesAt(object.bounds, level + 1);
    if (finer === null || !isDense(object, finer)) break;
    planes = finer;
    level++;
  }
  if (cellCount(planes) === 1) return null;
  if (split === 'always' && spanning) return { planes, level, limited };
  const worthIt = heavy || object.triangles >= LEAST_TRIANGLES;
  return worthIt && isDense(object, planes) ? { planes, level, limited } : null;
}

const isDense = ({ triangles }: PlannedObject, planes: CutPlanes): boolean =>
  triangles >= LEAST_TRIANGLES_A_PIECE * cellCount(planes);

/**
 * Whether a share of an object is expected to keep the byte and vertex budgets, alone. Where its materials alone break
 * the byte budget, no cut helps, and vertices count alone.
 */
function keepsBudgets(object: PlannedObject, share: number, budgets: Budgets): boolean {
  const triangles = Math.ceil(object.triangles * share);
  const vertices = Math.ceil(object.vertices * share);
  if (vertices > budgets.vertices) return false;
  const bytes = (counts: Pick<PlannedObject, 'triangles' | 'vertices'>) => estimate([{ ...object, ...counts }]).bytes;
  return bytes({ triangles, vertices }) <= budgets.bytes || bytes({ triangles: 0, vertices: 0 }) > budgets.bytes;
}

/** Ends of the columns or rows that planes cut an interval into. */
const endsOf = (low: number, high: number, planes: readonly number[]): number[] => [low, ...planes, high];

/** The part of an interval that each column or row takes; all of it where it has no length. */
function shares(ends: readonly number[]): number[] {
  const length = ends[ends.length - 1] - ends[0];
  return ends.slice(1).map((end, i) => (length > 0 ? (end - ends[i]) / length : 1));
}

function largestShare({ min, max }: Bounds, { x, z }: CutPlanes): number {
  const widest = (ends: readonly number[]) => shares(ends).reduce((most, share) => Math.max(most, share), 0);
  return widest(endsOf(min[0], max[0], x)) * widest(endsOf(min[2], max[2], z));
}

/**
 * The pieces in order of row and column. Each is expected to hold the share of the object that it has of its footprint,
 * rounded so that all together hold what the object does, but one triangle and vertex at least.
 */
function piecesOf(object: PlannedObject, planes: CutPlanes): PlannedObject[] {
  const { min, max } = object.bounds;
  const x = endsOf(min[0], max[0], planes.x);
  const z = endsOf(min[2], max[2], planes.z);
  const [across, along] = [shares(x), shares(z)];
  const pieces: PlannedObject[] = [];
  let before = 0;
  const counted = (count: number, from: number, to: number) =>
    Math.max(1, Math.round(count * to) - Math.round(count * from));
  for (let row = 0; row < along.length; row++) {
    for (let column = 0; column < across.length; column++) {
      const after = before + across[column] * along[row];
      pieces.push({
        ...object,
        bounds: { min: [x[column], min[1], z[row]], max: [x[column + 1], max[1], z[row + 1]] },
        triangles: counted(object.triangles, before, after),
        vertices: counted(object.vertices, before, after),
        piece: { planes, column, row },
      });
      before = after;
    }
  }
  return pieces;
}
