// Levels of a tile: each made from the one before, its deviation measured against the tile itself. A level that hardly
// shrinks or deviates too far is left out, with what stopped it.

import type { Vec3 } from '../../scene/types.ts';
import { loosenCells } from '../hlod/cells.ts';
import { connectedComponents } from '../mesh/components.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { PositionIds } from '../mesh/positionIds.ts';
import { uniteMeshes } from '../mesh/united.ts';
import { DeviationFrom } from './deviation.ts';
import type { SimplifiedPart } from './simplifiedPart.ts';
import { type Obstacle, PartSimplifier } from './simplify.ts';

/** A level has at most this share of the triangles of the one before. */
export const MOST_OF_BEFORE = 0.85;
/** How often a level is made, at most, until its deviation is within the limit. */
const ATTEMPTS = 3;
/** How often it is made again, at most, because it has lost colour features. */
const FEATURE_ATTEMPTS = 2;
/** Features of more than two pixels are kept. */
const SEEN = 1;

export interface LevelRequest {
  /** Most triangles wanted, as a share of the tile's. */
  readonly ratio: number;
  /** Deviation in metres that the level may have. */
  readonly limit: number;
  /** Metres that two pixels cover from the nearest distance at which the level may be shown; absent: the limit. */
  readonly twoPixels?: number;
  /** Triangles of the level before; absent: those of its parts. Cards there are those of full detail. */
  readonly before?: number;
}

export interface Level {
  /** One for each part of what the level was made from; null where nothing is left. */
  readonly meshes: readonly (Float32Mesh | null)[];
  readonly triangles: number;
  /** Measured deviation in metres. */
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
  readonly #ids: PositionIds;
  readonly #deviation: DeviationFrom;
  readonly #lockedVertices: (positions: Float32Array) => Uint8Array;

  /** `lockedVertices`: 1 for each vertex that every level keeps, by its position. */
  constructor(tile: readonly SimplifiedPart[], lockedVertices: (positions: Float32Array) => Uint8Array) {
    this.#triangles = triangleCount(tile);
    const { positions, indices, vertexCount } = uniteMeshes(tile.filter(({ cards }) => !cards).map(({ mesh }) => mesh));
    this.#ids = new PositionIds(vertexCount);
    this.#deviation = new DeviationFrom({ positions, indices, ids: this.#ids.of(positions) });
    this.#lockedVertices = lockedVertices;
  }

  /**
   * A level from the parts of the one before, or of the tile. `limit` holds for the measured deviation: the library's own
   * measure, which sees planes and not where they end, is only where the search begins. If the deviation exceeds the
   * limit, the vertices that deviate most are locked, or those nearest to where they were, and the level is made again;
   * then all that deviate. If colour features are lost, their outermost vertices are locked and the level is made again. Where that adds no lock or is not enough, the level is made under a stricter limit. Cards are
   * not measured; what they cover is kept instead. Borders of palette cells are not kept (cells.ts).
   */
  async make(
    before: readonly SimplifiedPart[],
    { ratio, limit, twoPixels = limit, before: had = triangleCount(before) }: LevelRequest,
  ): Promise<Level | LeftOut> {
    const triangles = Math.max(1, Math.floor(this.#triangles * ratio));
    const lockedVertices = this.#lockedVertices;
    const { parts, bind } = loosenCells(before);
    const simplifier = await PartSimplifier.of(parts, this.#ids, {
      triangles,
      cardRatio: ratio,
      before: had,
      lockedVertices,
    });
    const { geometry, ids } = simplifier;
    let allowed = limit;
    let featureAttempts = 0;
    let held: Uint8Array | null = null;
    for (let attempt = 1; ; attempt++) {
      const collapsed = simplifier.collapse(allowed, held);
      const leftOut = { triangles: collapsed.triangles, before: had };
      if (collapsed.triangles > had * MOST_OF_BEFORE || collapsed.triangles === 0) {
        return { obstacle: attempt > 1 ? 'limit' : (collapsed.obstacle ?? 'locks'), ...leftOut };
      }
      const surface = { positions: geometry.positions, indices: collapsed.indices, ids };
      const { error, beyond } = this.#deviation.measure(surface, limit);
      if (error <= limit) {
        const lost = simplifier.features.lost(collapsed.indices, Math.max(twoPixels, error) * SEEN);
        held ??= new Uint8Array(geometry.vertexCount);
        if (lost.length > 0 && featureAttempts < FEATURE_ATTEMPTS && simplifier.features.hold(held, lost)) {
          featureAttempts++;
          attempt--;
          continue;
        }
        const { meshes } = await simplifier.pick(collapsed);
        return { meshes: await bind(meshes), triangles: collapsed.triangles, error };
      }
      if (attempt === ATTEMPTS) return { obstacle: 'limit', ...leftOut };
      held ??= new Uint8Array(geometry.vertexCount);
      const deviating = beyond !== null && (attempt === 1 ? furthestOfComponents(simplifier, beyond) : beyond);
      const removed = beyond !== null && holdNearRemoved(held, simplifier, this.#ids, beyond);
      const more = (deviating && hold(held, ids, deviating)) || removed;
      if (!more || attempt > 1) allowed *= Math.min(0.5, (0.9 * limit) / error);
    }
  }
}

/**
 * 1 for the position of each connected component that deviates most. With it held, a post that would vanish becomes a
 * sliver; if all its positions were, the level would keep every side of the post.
 */
function furthestOfComponents({ geometry, ids }: PartSimplifier, beyond: Float64Array): Uint8Array {
  const { positions, indices, vertexCount } = geometry;
  const { count, componentOf } = connectedComponents(positions, indices, ids, new Uint8Array(vertexCount));
  const most = new Float64Array(count);
  const furthest = new Uint32Array(count);
  for (let i = 0; i < indices.length; i++) {
    const id = ids[indices[i]];
    const component = componentOf[Math.floor(i / 3)];
    if (id >= beyond.length || beyond[id] <= most[component]) continue;
    most[component] = beyond[id];
    furthest[component] = id;
  }
  const chosen = new Uint8Array(beyond.length);
  for (let c = 0; c < count; c++) if (most[c] > 0) chosen[furthest[c]] = 1;
  return chosen;
}

/** Deviating positions that an earlier level removed: for so many the nearest vertex is held. */
const REMOVED = 16;

/** Holds the vertices nearest to the furthest removed positions; false where those were held before. */
function holdNearRemoved(
  held: Uint8Array,
  { geometry, ids }: PartSimplifier,
  positionIds: PositionIds,
  beyond: Float64Array,
): boolean {
  const missing = beyond.slice();
  for (let v = 0; v < ids.length; v++) if (ids[v] < missing.length) missing[ids[v]] = 0;
  const removed: number[] = [];
  for (let id = 0; id < missing.length; id++) if (missing[id] > 0) removed.push(id);
  removed.sort((a, b) => missing[b] - missing[a] || a - b);
  let more = false;
  for (const id of removed.slice(0, REMOVED)) {
    const nearest = nearestVertex(geometry.positions, positionIds.position(id));
    if (held[nearest] === 1) continue;
    for (let v = 0; v < held.length; v++) if (ids[v] === ids[nearest]) held[v] = 1;
    more = true;
  }
  return more;
}

function nearestVertex(positions: Float32Array, [x, y, z]: Vec3): number {
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

/** Holds the vertices at positions whose value is not 0; false where all of them were held before. */
function hold(held: Uint8Array, ids: Uint32Array, values: Float64Array | Uint8Array): boolean {
  let more = false;
  for (let v = 0; v < held.length; v++) {
    if (held[v] === 1 || ids[v] >= values.length || values[ids[v]] === 0) continue;
    held[v] = 1;
    more = true;
  }
  return more;
}

/** The parts that are left of `before` in a level. */
export function partsOf(
  before: readonly SimplifiedPart[],
  meshes: readonly (Float32Mesh | null)[],
): readonly SimplifiedPart[] {
  return before.flatMap((part, i) => {
    const mesh = meshes[i];
    return mesh === null ? [] : [{ ...part, mesh }];
  });
}

function triangleCount(parts: readonly SimplifiedPart[]): number {
  return parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
}
