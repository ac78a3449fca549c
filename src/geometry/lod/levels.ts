// Levels of a tile: each made from the one before, its error measured against the tile itself. A level that hardly
// shrinks or strays too far is left out, with what stopped it.

import type { Vec3 } from '../../scene/types.ts';
import { loosenCells } from '../hlod/cells.ts';
import { connectedParts } from '../mesh/components.ts';
import { PlaceNumbers } from '../mesh/positionIds.ts';
import { type TileGeometry, uniteMeshes } from '../mesh/tileGeometry.ts';
import type { PackedMesh } from '../mesh/types.ts';
import { ErrorMeter } from './deviation.ts';
import { type Obstacle, PartSimplifier, type SimplifiedPart } from './simplify.ts';

/** A level has at most this share of the triangles of the one before. */
export const MOST_OF_BEFORE = 0.85;
/** How often a level is made, at most, until it strays no further than it may. */
const ATTEMPTS = 3;

export interface LevelRequest {
  /** Most triangles wanted, as a share of the tile's. */
  readonly ratio: number;
  /** Error in metres that the level may have. */
  readonly limit: number;
}

export interface Level {
  /** One for each part of what the level was made from; null where nothing is left. */
  readonly meshes: readonly (PackedMesh | null)[];
  readonly triangles: number;
  /** Measured, in metres. */
  readonly error: number;
}

export interface LeftOut {
  readonly obstacle: Obstacle;
  /** Triangles that would have remained. */
  readonly triangles: number;
  /** Of the level before, which it was compared with. */
  readonly before: number;
}

/** Makes levels of one tile and compares them with it. */
export class LevelMaker {
  readonly #triangles: number;
  readonly #numbers: PlaceNumbers;
  readonly #meter: ErrorMeter;
  readonly #lockedVertices: (words: Uint32Array) => Uint8Array;

  constructor(tile: readonly SimplifiedPart[], lockedVertices: (words: Uint32Array) => Uint8Array) {
    this.#triangles = triangleCount(tile);
    const { words, positions, indices, vertexCount } = uniteMeshes(
      tile.filter(({ cards }) => !cards).map(({ mesh }) => mesh),
    );
    this.#numbers = new PlaceNumbers(vertexCount);
    this.#meter = new ErrorMeter({ positions, indices, places: this.#numbers.of(words) });
    this.#lockedVertices = lockedVertices;
  }

  /**
   * A level from the parts of the one before, or of the tile. `limit` holds for what is measured: the library's own
   * measure, which sees planes and not where they end, is only where the search begins. Where something strays further,
   * its furthest vertices are held, or those nearest to where they were, and the level is made again, then all that
   * stray; where that is no way or not enough, under a stricter limit. Cards are not measured; their area is kept
   * instead. Palette cells are no borders (cells.ts).
   */
  async make(before: readonly SimplifiedPart[], { ratio, limit }: LevelRequest): Promise<Level | LeftOut> {
    const triangles = Math.max(1, Math.floor(this.#triangles * ratio));
    const lockedVertices = this.#lockedVertices;
    const { parts, bind } = loosenCells(before);
    const simplifier = await PartSimplifier.of(parts, this.#numbers, { triangles, lockedVertices });
    const { geometry, places } = simplifier;
    const had = triangleCount(before);
    let allowed = limit;
    let held: Uint8Array | null = null;
    for (let attempt = 1; ; attempt++) {
      const collapsed = simplifier.collapse(allowed, held);
      const leftOut = { triangles: collapsed.triangles, before: had };
      if (collapsed.triangles > had * MOST_OF_BEFORE || collapsed.triangles === 0) {
        return { obstacle: attempt > 1 ? 'limit' : (collapsed.obstacle ?? 'locks'), ...leftOut };
      }
      const surface = { positions: geometry.positions, indices: collapsed.indices, places };
      const { error, strays } = this.#meter.measure(surface, limit);
      if (error <= limit) {
        const { meshes } = await simplifier.pack(collapsed);
        return { meshes: await bind(meshes), triangles: collapsed.triangles, error };
      }
      if (attempt === ATTEMPTS) return { obstacle: 'limit', ...leftOut };
      held ??= new Uint8Array(geometry.vertexCount);
      const stray = strays !== null && (attempt === 1 ? furthestOfParts(simplifier, strays) : strays);
      const lost = strays !== null && holdLost(held, simplifier, this.#numbers, strays);
      const more = (stray && hold(held, places, stray)) || lost;
      if (!more || attempt > 1) allowed *= Math.min(0.5, (0.9 * limit) / error);
    }
  }
}

/**
 * 1 for the place of each connected part that strays most: a post that would vanish becomes a sliver where that is held,
 * and would keep every side of it if all were.
 */
function furthestOfParts({ geometry, places }: PartSimplifier, strays: Float64Array): Uint8Array {
  const { indices, vertexCount } = geometry;
  const { count, partOf } = connectedParts(geometry, indices, places, new Uint8Array(vertexCount));
  const most = new Float64Array(count);
  const furthest = new Uint32Array(count);
  for (let i = 0; i < indices.length; i++) {
    const place = places[indices[i]];
    const part = partOf[Math.floor(i / 3)];
    if (place >= strays.length || strays[place] <= most[part]) continue;
    most[part] = strays[place];
    furthest[part] = place;
  }
  const chosen = new Uint8Array(strays.length);
  for (let part = 0; part < count; part++) if (most[part] > 0) chosen[furthest[part]] = 1;
  return chosen;
}

/** Of the places that stray and that the level before has no more, so many are looked after. */
const LOST = 16;

/** Adds the vertices nearest to the furthest places that stray and are gone; false where those were held before. */
function holdLost(
  held: Uint8Array,
  { geometry, places }: PartSimplifier,
  numbers: PlaceNumbers,
  strays: Float64Array,
): boolean {
  const gone = strays.slice();
  for (let v = 0; v < places.length; v++) if (places[v] < gone.length) gone[places[v]] = 0;
  const lost: number[] = [];
  for (let place = 0; place < gone.length; place++) if (gone[place] > 0) lost.push(place);
  lost.sort((a, b) => gone[b] - gone[a] || a - b);
  let more = false;
  for (const place of lost.slice(0, LOST)) {
    const nearest = nearestVertex(geometry, numbers.position(place));
    if (held[nearest] === 1) continue;
    for (let v = 0; v < held.length; v++) if (places[v] === places[nearest]) held[v] = 1;
    more = true;
  }
  return more;
}

function nearestVertex({ positions }: TileGeometry, [x, y, z]: Vec3): number {
  let least = Infinity;
  let nearest = 0;
  for (let v = 0, at = 0; at < positions.length; v++, at += 3) {
    const d = (positions[at] - x) ** 2 + (positions[at + 1] - y) ** 2 + (positions[at + 2] - z) ** 2;
    if (d >= least) continue;
    least = d;
    nearest = v;
  }
  return nearest;
}

/** Adds the vertices at the places that are not 0 to those held; false where that are no more than before. */
function hold(held: Uint8Array, places: Uint32Array, strays: Float64Array | Uint8Array): boolean {
  let more = false;
  for (let v = 0; v < held.length; v++) {
    if (held[v] === 1 || places[v] >= strays.length || strays[places[v]] === 0) continue;
    held[v] = 1;
    more = true;
  }
  return more;
}

/** The parts that are left of `before` in a level. */
export function partsOf(
  before: readonly SimplifiedPart[],
  meshes: readonly (PackedMesh | null)[],
): readonly SimplifiedPart[] {
  return before.flatMap((part, i) => {
    const mesh = meshes[i];
    return mesh === null ? [] : [{ ...part, mesh }];
  });
}

function triangleCount(parts: readonly SimplifiedPart[]): number {
  return parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
}
