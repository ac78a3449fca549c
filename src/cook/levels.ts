// Levels of a tile: each made from the one before, its error measured against the tile itself. A level that hardly
// shrinks or strays too far is left out, with what stopped it.

import { loosenCells } from './cells.ts';
import { ErrorMeter, type MeasuredSurface } from './error.ts';
import { type Obstacle, type SimplifiedPart, simplifyParts } from './simplify.ts';
import { uniteMeshes } from './tileGeometry.ts';
import type { PackedMesh } from './types.ts';

/** A level has at most this share of the triangles of the one before. */
export const MOST_OF_BEFORE = 0.85;
/** How often a level that strays too far is made again under a stricter limit. */
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
  readonly #meter: ErrorMeter;
  readonly #lockedVertices: (words: Uint32Array) => Uint8Array;

  constructor(tile: readonly SimplifiedPart[], lockedVertices: (words: Uint32Array) => Uint8Array) {
    this.#triangles = triangleCount(tile);
    this.#meter = new ErrorMeter(solidSurface(tile));
    this.#lockedVertices = lockedVertices;
  }

  /**
   * A level from the parts of the one before, or of the tile. `limit` holds for what is measured: the library's own
   * measure is only where the search begins. Cards are not measured; their area is kept instead. Palette cells are no
   * borders (cells.ts).
   */
  async make(before: readonly SimplifiedPart[], { ratio, limit }: LevelRequest): Promise<Level | LeftOut> {
    const wanted = Math.max(1, Math.floor(this.#triangles * ratio));
    const had = triangleCount(before);
    let allowed = limit;
    let strayed = false;
    const { parts, bind } = loosenCells(before);
    for (let attempt = 1; ; attempt++) {
      const made = await simplifyParts(parts, {
        triangles: wanted,
        limit: allowed,
        lockedVertices: this.#lockedVertices,
      });
      const { meshes, triangles } = made;
      if (triangles > had * MOST_OF_BEFORE || triangles === 0) {
        return { obstacle: strayed ? 'limit' : (made.obstacle ?? 'locks'), triangles, before: had };
      }
      const error = this.#meter.measure(solidSurface(partsOf(parts, meshes)));
      if (error <= limit) return { meshes: await bind(meshes), triangles, error };
      if (attempt === ATTEMPTS) return { obstacle: 'limit', triangles, before: had };
      strayed = true;
      allowed *= Math.min(0.5, (0.9 * limit) / error);
    }
  }
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

function solidSurface(parts: readonly SimplifiedPart[]): MeasuredSurface {
  return uniteMeshes(parts.filter(({ cards }) => !cards).map(({ mesh }) => mesh));
}
