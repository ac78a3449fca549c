// Levels of a tile: each made from the one before, its error measured against the tile itself. A level that hardly
// shrinks or strays too far is left out, with what stopped it.

import { loosenCells } from './cells.ts';
import { ErrorMeter, squaredEdge } from './error.ts';
import { connectedParts } from './parts.ts';
import { PlaceNumbers } from './places.ts';
import { type Obstacle, PartSimplifier, type SimplifiedPart } from './simplify.ts';
import { uniteMeshes } from './tileGeometry.ts';
import { NONE } from './triangleTree.ts';
import type { PackedMesh } from './types.ts';

/** A level has at most this share of the triangles of the one before. */
export const MOST_OF_BEFORE = 0.85;
/** How often a level that strays too far is made. */
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
   * measure, which sees planes and not what lies between them, is only where the search begins. What strays further is
   * held and the level made again; where that is no way or not enough, under a stricter limit. Cards are not measured; their area is
   * kept instead. Palette cells are no borders (cells.ts).
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
      if (error <= limit) return { meshes: await bind((await simplifier.pack(collapsed)).meshes), ...leftOut, error };
      if (attempt === ATTEMPTS) return { obstacle: 'limit', ...leftOut };
      held ??= new Uint8Array(geometry.vertexCount);
      const more = strays !== null && (attempt === 1 ? holdEnds(held, simplifier, strays) : hold(held, places, strays));
      if (!more || attempt > 1) allowed *= Math.min(0.5, (0.9 * limit) / error);
    }
  }
}

/**
 * Of each connected part the vertex that strays most, and the straying one furthest from it: what holds a post at both ends
 * lets it become a sliver, not vanish. False where those were held before.
 */
function holdEnds(held: Uint8Array, simplifier: PartSimplifier, strays: Float64Array): boolean {
  const { geometry, places } = simplifier;
  const { positions, indices } = geometry;
  const { count, partOf } = connectedParts(geometry, indices, places, held);
  const chosen = new Uint8Array(strays.length);
  const ends = new Uint32Array(count).fill(NONE);
  const strayOf = (v: number) => (places[v] < strays.length ? strays[places[v]] : 0);
  // Once for those that stray most, and once for those furthest from them.
  for (let end = 0; end < 2; end++) {
    const best = new Float64Array(count);
    const found = new Uint32Array(count).fill(NONE);
    for (let i = 0; i < indices.length; i++) {
      const v = indices[i];
      const stray = strayOf(v);
      if (stray === 0) continue;
      const part = partOf[Math.floor(i / 3)];
      const value = end === 0 ? stray : squaredEdge(positions, v * 3, ends[part] * 3);
      if (value <= best[part]) continue;
      best[part] = value;
      found[part] = v;
    }
    for (const v of found) if (v !== NONE) chosen[places[v]] = 1;
    ends.set(found);
  }
  return hold(held, places, chosen);
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
