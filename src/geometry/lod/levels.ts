// Levels of a tile: each made from the one before, its deviation measured against the tile itself. A level that hardly
// shrinks or deviates too far is left out, with what stopped it.

import { kernel } from '../../kernel/kernel.ts';
import type { Vec3 } from '../../scene/types.ts';
import type { PlantedCards } from '../hlod/cards.ts';
import { loosenCells } from '../hlod/cells.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { PositionIds } from '../mesh/positionIds.ts';
import type { PickedMesh } from '../mesh/united.ts';
import { type UnitedMeshes, uniteMeshes } from '../mesh/united.ts';
import { DeviationFrom, type WeldedTriangles } from './deviation.ts';
import { ColorFeatures, KEPT, MIN_KEPT } from './features.ts';
import { minOfOwn, minOfTile } from './movedSurface.ts';
import type { SimplifiedMesh } from './simplifiedMesh.ts';
import { type Collapsed, type Obstacle, PartSimplifier } from './simplify.ts';

/** A level has at most this share of the triangles of the one before. */
export const MAX_OF_BEFORE = 0.85;
/** The same where pictures decide: a level may have more triangles than asked for there, but is markedly smaller. */
export const MAX_OF_BEFORE_JUDGED = 0.8;
/** How often a level is made, at most, until its deviation is within the limit. */
const ATTEMPTS = 3;
/** How often it is made again, at most, because it has lost colour features. */
const FEATURE_ATTEMPTS = 2;
/** This share of their surface stays within a pixel, or the level is made again; this one, or it is left out. */
const KEPT_NEAR = 0.9;
const MIN_IN_REACH = 0.72;

export interface LevelRequest {
  /** Most triangles wanted, as a share of the tile's. */
  readonly ratio: number;
  /** Deviation in metres that the level may have. */
  readonly limit: number;
  /** Metres that two pixels cover from the nearest distance at which the level may be shown; absent: the limit. */
  readonly twoPixels?: number;
  /** Triangles of the level before; absent: those of its parts. Cards there are those of full detail. */
  readonly before?: number;
  /**
   * Whether pictures of the level decide afterwards. Cards stay then, normals count more (SimplifyRequest), and a level that
   * could not keep its colour features is made all the same. Absent: no.
   */
  readonly judged?: boolean;
  /** The share of the cards that is to stay; absent: all where pictures decide, else as of the triangles. */
  readonly cardRatio?: number;
}

export interface Level {
  /** One for each part of what the level was made from; null where nothing is left. */
  readonly meshes: readonly (Float32Mesh | null)[];
  readonly triangles: number;
  /** Measured deviation in metres. */
  readonly error: number;
}

/** A level before its meshes have the colours of their cells. */
interface Unbound extends Omit<Level, 'meshes'> {
  readonly meshes: readonly (PickedMesh | null)[];
}

/** What attempts at a level are asked for. */
interface Attempted extends Required<Pick<LevelRequest, 'limit' | 'twoPixels' | 'judged'>> {
  /** Triangles of the level before, and the most of them that it may keep, as a share. */
  readonly had: number;
  readonly maxOfBefore: number;
  /** Whether it is made from the tile itself. */
  readonly isTile: boolean;
}

export interface LeftOut {
  readonly obstacle: Obstacle;
  /** Triangles that would have remained. */
  readonly triangles: number;
  /** Of the level before, which it was compared with. */
  readonly before: number;
}

/** What a level has moved. */
interface Moved {
  /** The least share of a wide feature that is within reach. */
  readonly min: number;
  /** 1 for each position id at a corner of a moved triangle; null where enough of all features is within reach. */
  readonly moved: Uint8Array | null;
}

const NOTHING_MOVED: Moved = { min: 1, moved: null };

/** Makes levels of one tile and compares them with it. */
export class LevelMaker {
  readonly #triangles: number;
  readonly #ids = new PositionIds();
  readonly #deviation: DeviationFrom;
  readonly #lockedVertices: (positions: Float32Array) => Uint8Array;
  /** 1 for each position id of `#solid` that every level keeps; null before a level needs it. */
  #lockedIds: Uint8Array | null = null;
  readonly #planted = new Map<Float32Mesh, PlantedCards>();
  readonly #solidMeshes: readonly Float32Mesh[];
  readonly #solid: UnitedMeshes;
  readonly #solidIds: Uint32Array;
  readonly #solidIdCount: number;
  /** 1 for each mesh of `#solid` whose UVs reach a texture. */
  readonly #textured: Uint8Array;
  #features: ColorFeatures | null = null;

  /** `lockedVertices`: 1 for each vertex that every level keeps, by its position. */
  constructor(tile: readonly SimplifiedMesh[], lockedVertices: (positions: Float32Array) => Uint8Array) {
    this.#triangles = triangleCount(tile);
    const solid = tile.filter(({ cards }) => !cards);
    this.#solidMeshes = solid.map(({ mesh }) => mesh);
    this.#solid = uniteMeshes(this.#solidMeshes);
    const { positions, indices } = this.#solid;
    this.#solidIds = this.#ids.of(positions);
    this.#solidIdCount = this.#ids.count;
    this.#textured = Uint8Array.from(solid, ({ textured }) => (textured ? 1 : 0));
    this.#deviation = new DeviationFrom({ positions, indices, ids: this.#solidIds });
    this.#lockedVertices = lockedVertices;
  }

  /** 1 for each vertex that every level keeps. Levels have positions of the tile, which are looked up once. */
  #lockedOf(positions: Float32Array, ids: Uint32Array): Uint8Array {
    this.#lockedIds ??= byId(this.#lockedVertices(this.#solid.positions), this.#solidIds, this.#solidIdCount);
    return pickById(this.#lockedIds, ids) ?? this.#lockedVertices(positions);
  }

  /** The features of full detail. */
  #tileFeatures(): ColorFeatures {
    this.#features ??= new ColorFeatures(this.#solid, this.#solidIds, this.#ids.count, this.#textured);
    return this.#features;
  }

  /**
   * What a level has moved too far, of what it was made from and of full detail: levels made from levels might move more
   * and more.
   */
  #moved(
    { geometry, ids }: PartSimplifier,
    features: ColorFeatures,
    level: WeldedTriangles,
    seen: number,
    reach: number,
  ): Moved {
    const moving = { seen, reach, kept: KEPT_NEAR };
    const chosen = new Uint8Array(this.#ids.count);
    const isMoved = new Uint8Array(geometry.indices.length / 3);
    let min = minOfOwn(features, level, moving, isMoved);
    if (min < KEPT_NEAR) chooseCorners(geometry.indices, ids, isMoved, chosen);
    if (features !== this.#features) {
      const { indices } = this.#solid;
      const isMovedOfTile = new Uint8Array(indices.length / 3);
      const minOfFull = minOfTile(this.#tileFeatures(), level, moving, isMovedOfTile);
      if (minOfFull < KEPT_NEAR) chooseCorners(indices, this.#solidIds, isMovedOfTile, chosen);
      min = Math.min(min, minOfFull);
    }
    return { min, moved: min < KEPT_NEAR ? chosen : null };
  }

  /**
   * A level from the parts of the one before, or of the tile. `limit` holds for the measured deviation: the library's own
   * measure, which sees planes and not where they end, is only where the search begins. If the deviation exceeds the
   * limit, the vertices that deviate most are locked, or those nearest to where they were, and the level is made again;
   * then all that deviate. Where that adds no lock or is not enough, the level is made under a stricter limit.
   * If colour features are lost, their outermost vertices are locked, if their surfaces move, the corners of what moved, and
   * the level is made again; where that is not enough, it is left out, unless pictures decide. Cards are not measured; what they cover is kept
   * instead. Borders of palette cells are not kept (cells.ts).
   */
  async make(
    before: readonly SimplifiedMesh[],
    { ratio, limit, twoPixels = limit, before: had = triangleCount(before), judged = false, cardRatio }: LevelRequest,
  ): Promise<Level | LeftOut> {
    const maxOfBefore = judged ? MAX_OF_BEFORE_JUDGED : MAX_OF_BEFORE;
    const triangles = Math.max(1, Math.floor(this.#triangles * ratio));
    const { parts, bind } = loosenCells(before);
    const solid = parts.filter(({ cards }) => !cards);
    const isTile =
      solid.length === this.#solidMeshes.length && solid.every(({ mesh }, i) => mesh === this.#solidMeshes[i]);
    const simplifier = await PartSimplifier.of(parts, this.#ids, {
      triangles,
      // Thinned foliage is seen sooner than any other change of a level.
      cardRatio: cardRatio ?? (judged ? 1 : ratio),
      keepsShading: judged,
      before: had,
      lockedVertices: (positions, ids) => (ids ? this.#lockedOf(positions, ids) : this.#lockedVertices(positions)),
      planted: this.#planted,
      ...(isTile ? { united: { geometry: this.#solid, ids: this.#solidIds } } : {}),
    });
    const asked: Attempted = { limit, twoPixels, had, judged, maxOfBefore, isTile };
    const mended = await this.#attempts(simplifier, asked, !judged);
    // What was kept of an earlier attempt may be why the limit is exceeded.
    const made =
      'obstacle' in mended && mended.obstacle === 'limit' && !judged
        ? await this.#attempts(simplifier, asked, false)
        : mended;
    return 'obstacle' in made ? made : { ...made, meshes: await bind(made.meshes) };
  }

  /** Tries until a level is within the limit. `mends`: an attempt takes over what the one before it has right. */
  async #attempts(
    simplifier: PartSimplifier,
    { limit, twoPixels, had, judged, maxOfBefore, isTile }: Attempted,
    mends: boolean,
  ): Promise<Unbound | LeftOut> {
    const { geometry, ids } = simplifier;
    let allowed = limit;
    let featureAttempts = 0;
    let held: Uint8Array | null = null;
    // What the next attempt takes over, except where more is held.
    let earlier: Collapsed | null = null;
    for (let attempt = 1; ; attempt++) {
      const collapsed: Collapsed = simplifier.collapse(allowed, held, earlier);
      earlier = mends ? collapsed : null;
      const leftOut = { triangles: collapsed.triangles, before: had };
      if (collapsed.triangles > had * maxOfBefore || collapsed.triangles === 0) {
        return { obstacle: attempt > 1 ? 'limit' : (collapsed.obstacle ?? 'locks'), ...leftOut };
      }
      const surface = { positions: geometry.positions, indices: collapsed.indices, ids };
      const { error, beyond } = this.#deviation.measure(surface, limit);
      // Pictures see whether a little more than the limit is too much.
      const isLast = attempt === ATTEMPTS;
      if (error <= limit || (judged && isLast && error <= twoPixels)) {
        const seen = Math.max(twoPixels, error);
        const reach = seen / 2;
        const features = isTile ? this.#tileFeatures() : simplifier.features;
        const lost = features.lost(collapsed.indices, seen, KEPT);
        const { min, moved } = error > reach ? this.#moved(simplifier, features, surface, seen, reach) : NOTHING_MOVED;
        if ((lost.length > 0 || moved) && featureAttempts < FEATURE_ATTEMPTS) {
          held ??= new Uint8Array(geometry.vertexCount);
          const holdsLost = lost.length > 0 && features.hold(held, lost);
          const holdsMoved = moved !== null && hold(held, ids, moved);
          if (holdsLost || holdsMoved) {
            featureAttempts++;
            attempt--;
            continue;
          }
        }
        const isWrong =
          !judged &&
          ((lost.length > 0 && features.lost(collapsed.indices, seen, MIN_KEPT).length > 0) || min < MIN_IN_REACH);
        if (isWrong) return { obstacle: 'limit', ...leftOut };
        const { meshes } = await simplifier.pick(collapsed);
        return { meshes, triangles: collapsed.triangles, error };
      }
      if (isLast) return { obstacle: 'limit', ...leftOut };
      held ??= new Uint8Array(geometry.vertexCount);
      const deviating = beyond !== null && (attempt === 1 ? furthestOfComponents(simplifier, beyond) : beyond);
      const removed = beyond !== null && holdNearRemoved(held, simplifier, this.#ids, beyond);
      const more = (deviating && hold(held, ids, deviating)) || removed;
      if (!more || attempt > 1) allowed *= Math.min(0.5, (0.9 * limit) / error);
      if (!more) earlier = null;
    }
  }
}

/** The values of vertices for each of `idCount` position ids; vertices of one id have the same value. */
function byId(values: Uint8Array, ids: Uint32Array, idCount: number): Uint8Array {
  return kernel.within((memory) => {
    const out = memory.zeros(idCount);
    memory.calls.spreadFlags(memory.put(values), memory.put(ids), ids.length, out);
    return memory.uint8(out, idCount).slice();
  });
}

/** The value of each vertex by its id; null where one has an id without a value. */
function pickById(values: Uint8Array, ids: Uint32Array): Uint8Array | null {
  return kernel.within((memory) => {
    const { length } = ids;
    const out = memory.allocate(length);
    const hasAll = memory.calls.pickFlags(memory.put(values), values.length, memory.put(ids), length, 1, out);
    return hasAll ? memory.uint8(out, length).slice() : null;
  });
}

/**
 * 1 for the position of each connected component that deviates most. With it held, a post that would vanish becomes a
 * sliver; if all its positions were, the level would keep every side of the post.
 */
function furthestOfComponents({ geometry, ids, components }: PartSimplifier, beyond: Float64Array): Uint8Array {
  const { indices } = geometry;
  const { count, componentOf } = components;
  const max = new Float64Array(count);
  const furthest = new Uint32Array(count);
  for (let i = 0; i < indices.length; i++) {
    const id = ids[indices[i]];
    const component = componentOf[Math.floor(i / 3)];
    if (id >= beyond.length || beyond[id] <= max[component]) continue;
    max[component] = beyond[id];
    furthest[component] = id;
  }
  const chosen = new Uint8Array(beyond.length);
  for (let c = 0; c < count; c++) if (max[c] > 0) chosen[furthest[c]] = 1;
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
  const furthest = removed.slice(0, REMOVED).map((id) => positionIds.position(id));
  const chosen = new Uint8Array(positionIds.count);
  for (const vertex of nearestVertices(geometry.positions, furthest)) chosen[ids[vertex]] = 1;
  return hold(held, ids, chosen);
}

/** For each point the vertex nearest to it. */
function nearestVertices(positions: Float32Array, points: readonly Vec3[]): readonly number[] {
  return kernel.within((memory) => {
    const placed = [memory.put(positions), positions.length / 3] as const;
    return points.map(([x, y, z]) => memory.calls.nearestVertex(...placed, x, y, z));
  });
}

/** Marks the position ids of the corners of some triangles. */
function chooseCorners(indices: Uint32Array, ids: Uint32Array, triangles: Uint8Array, chosen: Uint8Array): void {
  for (let i = 0; i < indices.length; i++) if (triangles[Math.floor(i / 3)] === 1) chosen[ids[indices[i]]] = 1;
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
  before: readonly SimplifiedMesh[],
  meshes: readonly (Float32Mesh | null)[],
): readonly SimplifiedMesh[] {
  return before.flatMap((part, i) => {
    const mesh = meshes[i];
    return mesh === null ? [] : [{ ...part, mesh }];
  });
}

function triangleCount(parts: readonly SimplifiedMesh[]): number {
  return parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
}
