// Which objects are cut, and into what: objects too wide for cells, where they have triangles enough to stream piece by
// piece, and objects that break a budget alone. Pieces replace their object before the scene is partitioned.

import { fail } from '../../diagnostics/diagnostic.ts';
import type { CutPlanes } from '../../scene/planes.ts';
import type { Bounds } from '../../scene/types.ts';
import type { CutObject, PlannedObject } from '../types.ts';
import { type Budgets, estimate } from './budgets.ts';
import { cellCount, hasRoom, MAX_CELLS, type PlanesAt } from './cellPlanes.ts';

export interface SplitOptions {
  /** auto: by the rules below; always: every object that spans, even one of few triangles. */
  readonly split: 'auto' | 'always' | 'never';
  readonly budgets: Budgets;
}

/** Limits of cuts that cannot be found from counts and bounds. */
export interface CutLimits {
  /** The source's name in messages. */
  readonly source: string;
  /** The greatest fineness (PlanesAt) that an object may be cut at, by node; null: it stays whole. */
  readonly finest: ReadonlyMap<number, number | null>;
}

export const NO_CUT_LIMITS: CutLimits = { source: '', finest: new Map() };

/** A spanning object with fewer triangles is not cut. */
const MIN_TRIANGLES = 1024;
/**
 * An object is cut only if its pieces get this many triangles on average: an object of few large triangles costs less in
 * the shared bucket than in many tiles.
 */
const MIN_TRIANGLES_A_PIECE = 16;

/** The fineness of planes four cells apart: an object that is no wider does not span. */
const COARSEST = -2;
/**
 * The fineness of planes sixteen cells apart. An object that needs coarser ones has a wrong unit, or the cell size is
 * wrong.
 */
const COARSEST_OF_ALL = -4;
/** All objects together are cut into no more pieces: four for each tile that a manifest may list. */
const MAX_PIECES = 262_144;

export interface Split {
  /** Sorted; pieces replace the objects that were cut. */
  readonly objects: readonly PlannedObject[];
  readonly cut: readonly CutObject[];
}

/**
 * Cuts sorted objects; `spans` finds those too wide for the mode's cells, `planesAt` the borders of cells. Throws UC2202
 * before there are too many pieces.
 */
export function splitObjects(
  objects: readonly PlannedObject[],
  spans: (object: PlannedObject) => boolean,
  planesAt: PlanesAt,
  options: SplitOptions,
  limits: CutLimits,
): Split {
  if (options.split === 'never') return { objects, cut: [] };
  const cut: CutObject[] = [];
  const all: PlannedObject[] = [];
  let count = 0;
  for (const object of objects) {
    const found = isDivisible(object) ? choosePlanes(object, spans(object), planesAt, options) : null;
    const cutTo = found && coarsened(object, found, planesAt, limits.finest.get(object.node));
    if (cutTo === null) {
      all.push(object);
      continue;
    }
    const { planes, fineness, limited } = cutTo;
    if (limited && fineness < COARSEST_OF_ALL && isFull(planes)) refuseCoarse(object, fineness, limits.source);
    count += cellCount(planes);
    if (count > MAX_PIECES) {
      const message = `objects are cut into ${count} pieces or more; ${MAX_PIECES} is the limit`;
      fail('UC2202', limits.source, '', message);
    }
    const pieces = piecesOf(object, planes);
    cut.push({
      object,
      pieces: pieces.length,
      fineness,
      limited,
      planes: coarserPlanes(object, cutTo, planesAt, options),
    });
    for (const piece of pieces) all.push(piece);
  }
  return { objects: all, cut };
}

/** Never-merged objects stay one to be picked; force_local keeps an object in one tile. */
function isDivisible({ node, draws, tags }: PlannedObject): boolean {
  return tags?.policy !== 'force_local' && !draws.some((draw) => draw.startsWith(`${node}|`));
}

interface ChosenPlanes {
  readonly planes: CutPlanes;
  readonly fineness: number;
  readonly limited: boolean;
}

/** The chosen planes, or coarser ones if the object may only be cut at those; null: it stays whole. */
function coarsened(
  { bounds }: PlannedObject,
  chosen: ChosenPlanes,
  planesAt: PlanesAt,
  finest: number | null | undefined,
): ChosenPlanes | null {
  if (finest === undefined || finest === chosen.fineness) return chosen;
  const planes = finest === null ? null : planesAt(bounds, finest);
  return planes === null ? null : { ...chosen, planes, fineness: finest as number };
}

/** The planes of a cut, then coarser and coarser ones that could be used instead. */
function coarserPlanes(
  object: PlannedObject,
  { planes, fineness }: ChosenPlanes,
  planesAt: PlanesAt,
  { budgets }: SplitOptions,
): CutPlanes[] {
  const all = [planes];
  // Pieces that span too are useful only to keep the budgets.
  const lowest = keepsBudgets(object, 1, budgets) ? COARSEST : -Infinity;
  for (let next = fineness - 1; next >= lowest; next--) {
    const coarser = planesAt(object.bounds, next);
    if (coarser === null || cellCount(coarser) === 1) break;
    all.push(coarser);
  }
  return all;
}

/** Whether the next finer planes could make more than MAX_CELLS cells, and not only cells that are too small. */
const isFull = (planes: CutPlanes): boolean => cellCount(planes) > MAX_CELLS / 4;

function refuseCoarse({ name }: PlannedObject, fineness: number, source: string): never {
  const times = 2 ** -fineness;
  const limit = `${MAX_CELLS} pieces of at most ${2 ** -COARSEST_OF_ALL} times is the limit`;
  return fail('UC2202', source, '', `"${name.trim()}" would need pieces ${times} times as long as cells; ${limit}`);
}

/** The planes that an object is cut at, and how they were found; null: it stays whole. */
function choosePlanes(
  object: PlannedObject,
  spanning: boolean,
  planesAt: PlanesAt,
  { split, budgets }: SplitOptions,
): ChosenPlanes | null {
  const heavy = !keepsBudgets(object, 1, budgets);
  if ((!spanning && !heavy) || !hasRoom(object.bounds)) return null;
  let fineness = 0;
  let planes = planesAt(object.bounds, fineness);
  while (planes === null) planes = planesAt(object.bounds, --fineness);
  const limited = fineness < 0;
  // Too few triangles for the mode's cells: larger pieces, as long as no piece spans itself.
  while (split === 'auto' && !heavy && fineness > COARSEST && !isDense(object, planes)) {
    const coarser = planesAt(object.bounds, fineness - 1);
    if (coarser === null || cellCount(coarser) === 1) break;
    planes = coarser;
    fineness--;
  }
  while (heavy && !keepsBudgets(object, largestShare(object.bounds, planes), budgets)) {
    const finer = planesAt(object.bounds, fineness + 1);
    if (finer === null || !isDense(object, finer)) break;
    planes = finer;
    fineness++;
  }
  if (cellCount(planes) === 1) return null;
  if (split === 'always' && spanning) return { planes, fineness, limited };
  const worthIt = heavy || object.triangles >= MIN_TRIANGLES;
  return worthIt && isDense(object, planes) ? { planes, fineness, limited } : null;
}

const isDense = ({ triangles }: PlannedObject, planes: CutPlanes): boolean =>
  triangles >= MIN_TRIANGLES_A_PIECE * cellCount(planes);

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
  const widest = (ends: readonly number[]) => shares(ends).reduce((highest, share) => Math.max(highest, share), 0);
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
