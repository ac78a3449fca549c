// Simplify: the meshes of one tile with fewer triangles, as one surface, so that materials go on meeting. Vertices are a
// choice of the tile's own, never moved: what is locked stays bit for bit. By meshoptimizer's edge collapse with the
// attributes in its error (Garland and Heckbert's quadrics; Hoppe, New Quadric Metric for Simplifying Meshes with
// Appearance Attributes), loaded when first used.

import type { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import { kernel } from '../../kernel/kernel.ts';
import { MAX_GROWTH, type PlantedCards, plantedCards, thinCards } from '../hlod/cards.ts';
import { type Components, connectedComponents, withoutSmallComponents } from '../mesh/components.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { dropDegenerate } from '../mesh/optimise.ts';
import { PositionIds } from '../mesh/positionIds.ts';
import { type PickedMesh, type UnitedMeshes, uniteMeshes } from '../mesh/united.ts';
import { ColorFeatures } from './features.ts';
import { shadedMeshes } from './levelNormals.ts';
import { type QuadricAttributes, quadricAttributes, texturedOf } from './quadricAttributes.ts';
import type { SimplifiedMesh } from './simplifiedMesh.ts';
import { addLocks, LOCK, lockAround, losesLocked, protectSeams } from './vertexLocks.ts';

/** A normal that turns by 1 counts as this share of the limit, */
const NORMAL_WEIGHT = 0.5;
/** and as so many times the limit where shading is kept: measured over three towns, of 1 to 40 times as much. */
const KEPT_NORMAL_WEIGHT = 6;

/** The surface keeps this much of its share of the triangles although cards take more than theirs. */
const MIN_SHARE = 0.8;

export interface SimplifyRequest {
  /** Triangles wanted, over all meshes. */
  readonly triangles: number;
  /** The share of the cards that is to stay; absent: that of the triangles wanted. */
  readonly cardRatio?: number;
  /**
   * Whether normals count as much as they do for pictures: there a roof that is shaded otherwise is seen sooner than one
   * whose surface lies half a pixel off. Absent: no.
   */
  readonly keepsShading?: boolean;
  /** Triangles that `triangles` is a share of; absent: those of the parts. */
  readonly before?: number;
  /** Error in metres that no collapse may exceed, and size of the components that may go. */
  readonly limit: number;
  /** 1 for each vertex that must stay, by its position. `ids`: the position ids, where they are known. */
  readonly lockedVertices: (positions: Float32Array, ids?: Uint32Array) => Uint8Array;
  /** The plants of meshes of cards, filled here, so that all levels of a tile share them. */
  readonly planted?: Map<Float32Mesh, PlantedCards>;
  /** The parts that are no cards as one, with its position ids, where the caller has them. */
  readonly united?: { readonly geometry: UnitedMeshes; readonly ids: Uint32Array } | undefined;
}

/** What kept a level from having fewer triangles. */
export type Obstacle = 'limit' | 'locks' | 'seams';

export interface Simplified {
  /** One for each part; null where nothing is left. */
  readonly meshes: readonly (PickedMesh | null)[];
  readonly triangles: number;
  /** Null: the wanted number was reached. */
  readonly obstacle: Obstacle | null;
}

/**
 * Simplifies the parts together. Material borders and UV seams keep their sides together, normals may be joined; parts up
 * to the limit in size go where no vertex is locked; cards are thinned and grown. Every locked position that is used
 * stays in use.
 */
export async function simplifyParts(parts: readonly SimplifiedMesh[], request: SimplifyRequest): Promise<Simplified> {
  const simplifier = await PartSimplifier.of(parts, new PositionIds(), request);
  return simplifier.pick(simplifier.collapse(request.limit, null));
}

/** The surface of the parts that are no cards, with fewer triangles. */
export interface Collapsed {
  /** Of the geometry's vertices. */
  readonly indices: Uint32Array;
  /** The number of triangles, including those of the cards that stay. */
  readonly triangles: number;
  readonly obstacle: Obstacle | null;
  /** What it was made with. */
  readonly limit: number;
  readonly held: Uint8Array | null;
}

/** Triangles to make fewer of. */
interface Source {
  readonly indices: Uint32Array;
  /** So many corners are of an earlier collapse. */
  readonly kept: number;
}

/** Simplifies parts to one number of triangles, under different limits if need be, and gives the meshes of one result. */
export class PartSimplifier {
  /** The parts that are no cards. */
  readonly geometry: UnitedMeshes;
  /** The position id of each of its vertices. */
  readonly ids: Uint32Array;
  readonly #idCount: number;
  /** Numbers of those that are no cards. */
  readonly #solid: readonly number[];
  /** Cards thinned already. */
  readonly #meshes: readonly (PickedMesh | null)[];
  readonly #cardTriangles: number;
  readonly #solidParts: readonly SimplifiedMesh[];
  /** All triangles wanted, and those of the surface. */
  readonly #wanted: number;
  readonly #wantedSolid: number;
  readonly #normalWeight: number;
  readonly #locked: Uint8Array;
  readonly #seams: Uint8Array;
  /** 1 for each mesh of the geometry whose UVs reach a texture. */
  readonly #textured: Uint8Array;
  #attributes: { readonly limit: number; readonly of: QuadricAttributes } | null = null;
  #components: Components | null = null;
  #extent: number | null = null;
  readonly #library: typeof MeshoptSimplifier;
  #features: ColorFeatures | null = null;

  /** `positionIds`: those that the caller compares levels by. */
  static async of(
    parts: readonly SimplifiedMesh[],
    positionIds: PositionIds,
    {
      triangles,
      cardRatio,
      keepsShading = false,
      before,
      lockedVertices,
      planted,
      united,
    }: Omit<SimplifyRequest, 'limit'>,
  ): Promise<PartSimplifier> {
    const count = before ?? parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
    const ratio = Math.min(1, triangles / Math.max(1, count));
    const meshes: (PickedMesh | null)[] = [];
    for (const { mesh, cards, maxGrowth = MAX_GROWTH } of parts) {
      if (!cards) {
        meshes.push(null);
        continue;
      }
      const plants = planted?.get(mesh) ?? plantedCards(mesh, lockedVertices(mesh.positions));
      planted?.set(mesh, plants);
      meshes.push(await thinCards(plants, { ratio: cardRatio ?? ratio, maxGrowth }));
    }
    const { MeshoptSimplifier: library } = await import('meshoptimizer/simplifier');
    await library.ready;
    const settings = { triangles, ratio, keepsShading, lockedVertices, united, library };
    return new PartSimplifier(parts, meshes, positionIds, settings);
  }

  private constructor(
    parts: readonly SimplifiedMesh[],
    meshes: readonly (PickedMesh | null)[],
    positionIds: PositionIds,
    {
      triangles,
      ratio,
      keepsShading,
      lockedVertices,
      united,
      library,
    }: Pick<SimplifyRequest, 'triangles' | 'lockedVertices' | 'united'> & {
      readonly ratio: number;
      readonly keepsShading: boolean;
      readonly library: typeof MeshoptSimplifier;
    },
  ) {
    this.#meshes = meshes;
    this.#library = library;
    this.#solid = parts.map((_, i) => i).filter((i) => !parts[i].cards);
    const solid = this.#solid.map((i) => parts[i]);
    this.geometry = united?.geometry ?? uniteMeshes(solid.map(({ mesh }) => mesh));
    this.ids = united?.ids ?? positionIds.of(this.geometry.positions);
    this.#idCount = positionIds.count;
    this.#wanted = triangles;
    this.#normalWeight = keepsShading ? KEPT_NORMAL_WEIGHT : NORMAL_WEIGHT;
    this.#cardTriangles = meshes.reduce((sum, picked) => sum + (picked ? picked.mesh.indices.length / 3 : 0), 0);
    // Where cards have to stay to cover enough, the surface gives some of its share.
    const share = (this.geometry.indices.length / 3) * ratio;
    this.#wantedSolid = Math.floor(Math.min(share, Math.max(MIN_SHARE * share, triangles - this.#cardTriangles)));
    this.#locked = lockedVertices(this.geometry.positions, this.ids);
    this.#solidParts = solid;
    this.#textured = texturedOf(solid);
    this.#seams = protectSeams(this.geometry, solid, this.ids, this.#idCount);
  }

  /** The connected components of the geometry. */
  get components(): Components {
    const { positions, indices } = this.geometry;
    this.#components ??= connectedComponents(positions, indices, this.ids, this.#idCount, this.#locked);
    return this.#components;
  }

  /**
   * `limit` in metres; `held`: 1 for each vertex of the geometry that must stay besides the locked ones. `earlier`: what was
   * collapsed with fewer held or a looser limit; components that this does not concern stay as they are there.
   */
  collapse(limit: number, held: Uint8Array | null, earlier: Collapsed | null = null): Collapsed {
    const made = { limit, held: held?.slice() ?? null };
    const { geometry } = this;
    if (geometry.indices.length === 0) {
      const triangles = this.#cardTriangles;
      const obstacle = triangles > this.#wanted ? 'locks' : null;
      return { ...made, indices: geometry.indices, triangles, obstacle };
    }
    const { locked, locks } = addLocks(this.#locked, held, this.#seams);
    const source = earlier && held ? this.#mended(earlier, limit, held) : this.#large(limit, locked);
    // What is left of an earlier collapse gives way where the limit lets it, no more than the components made again need.
    const target = Math.min(Math.max(this.#wantedSolid * 3, source.kept), source.indices.length);
    const indices = this.#keepingLocked(source.indices, target, limit, locked, locks);
    const isReached = indices.length <= Math.max(this.#wantedSolid * 3, 3);
    const obstacle = isReached ? null : obstacleOf(indices, locks);
    return { ...made, indices, triangles: this.#cardTriangles + indices.length / 3, obstacle };
  }

  /** What is seen of the geometry by its colours. */
  get features(): ColorFeatures {
    this.#features ??= new ColorFeatures(this.geometry, this.ids, this.#idCount, this.#textured);
    return this.#features;
  }

  /** One mesh for each part. */
  async pick({ indices, triangles, obstacle }: Collapsed): Promise<Simplified> {
    const surface = shadedMeshes(this.geometry, this.ids, this.#idCount, this.#textured, indices);
    const meshes = [...this.#meshes];
    this.#solid.forEach((i, k) => {
      meshes[i] = surface[k];
    });
    return { meshes, triangles, obstacle };
  }

  /** The geometry without the components that may go. */
  #large(limit: number, locked: Uint8Array): Source {
    const indices = withoutSmallComponents(this.geometry.indices, this.components, locked, limit);
    return { indices, kept: 0 };
  }

  /** The earlier triangles, and in full the components that hold more vertices than there, or under another limit any. */
  #mended(earlier: Collapsed, limit: number, held: Uint8Array): Source {
    const { indices, vertexCount } = this.geometry;
    const { componentOf, count } = this.components;
    const heldBefore = limit === earlier.limit ? earlier.held : null;
    return kernel.within((memory) => {
      const { calls } = memory;
      const source = memory.allocate((indices.length + earlier.indices.length) * 4);
      // No vertex of a triangle is in two components.
      const isOfChanged = memory.zeros(vertexCount);
      const surface = [memory.put(indices), componentOf.length, memory.put(componentOf)] as const;
      const holding = [memory.put(held), heldBefore ? memory.put(heldBefore) : 0] as const;
      const changed = calls.changedCorners(...surface, ...holding, memory.zeros(count), isOfChanged, source);
      const others = [memory.put(earlier.indices), earlier.indices.length, isOfChanged] as const;
      const kept = calls.unflaggedCorners(...others, source + changed * 4);
      return { indices: memory.uint32(source, changed + kept).slice(), kept };
    });
  }

  /**
   * The library may let a corner go over to another material where seams meet in knots, and may end a border strip or a
   * component that nothing else holds. Both are looked for, and the cook goes back to what cannot happen then.
   */
  #keepingLocked(
    source: Uint32Array,
    target: number,
    limit: number,
    locked: Uint8Array,
    locks: Uint8Array,
  ): Uint32Array {
    const { ids } = this;
    const indices = this.#keepingMeshes(source, target, limit, locks);
    if (!losesLocked(source, indices, ids, this.#idCount, locked)) return indices;
    lockAround(source, ids, this.#idCount, locked, locks);
    const again = this.#keepingMeshes(source, target, limit, locks);
    if (losesLocked(source, again, ids, this.#idCount, locked)) throw new Error('a locked vertex was lost');
    return again;
  }

  #keepingMeshes(source: Uint32Array, target: number, limit: number, locks: Uint8Array): Uint32Array {
    for (const permissive of [true, false]) {
      const indices = this.#run(source, target, limit, locks, permissive);
      if (!mixesMeshes(indices, this.geometry.meshOf)) return indices;
    }
    throw new Error('simplifying joined two materials');
  }

  #run(source: Uint32Array, target: number, limit: number, locks: Uint8Array, permissive: boolean): Uint32Array {
    if (source.length <= target) return source;
    const { positions } = this.geometry;
    const { values, stride } = this.#attributesUnder(limit);
    // The library wants shares of the extent.
    this.#extent ??= extentOf(positions);
    const weights = new Array<number>(stride).fill(1 / this.#extent);
    const [indices] = this.#library.simplifyWithAttributes(
      source,
      positions,
      3,
      values,
      stride,
      weights,
      locks,
      target,
      limit,
      permissive ? ['ErrorAbsolute', 'Permissive'] : ['ErrorAbsolute'],
    );
    return indices.subarray(0, dropDegenerate(indices, positions));
  }

  #attributesUnder(limit: number): QuadricAttributes {
    if (this.#attributes?.limit !== limit) {
      const of = quadricAttributes(this.geometry, this.#solidParts, limit, this.#normalWeight);
      this.#attributes = { limit, of };
    }
    return this.#attributes.of;
  }
}

/** The longest edge of the box of positions, in metres. */
function extentOf(positions: Float32Array): number {
  return kernel.within((memory) => {
    const box = memory.allocate(48);
    memory.calls.boxOfRows(memory.put(positions), 12, positions.length / 3, box);
    const [lowX, lowY, lowZ, highX, highY, highZ] = memory.float64(box, 6);
    return Math.max(highX - lowX, highY - lowY, highZ - lowZ);
  });
}

/** What holds most of the triangles that are left. */
function obstacleOf(indices: Uint32Array, locks: Uint8Array): Obstacle {
  let locked = 0;
  let held = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const any = locks[indices[i]] | locks[indices[i + 1]] | locks[indices[i + 2]];
    if (any & LOCK) locked++;
    if (any) held++;
  }
  if (locked * 6 > indices.length) return 'locks';
  return held * 6 > indices.length ? 'seams' : 'limit';
}

function mixesMeshes(indices: Uint32Array, meshOf: Uint32Array): boolean {
  return kernel.within((memory) => {
    return memory.calls.mixesMeshes(memory.put(indices), indices.length, memory.put(meshOf)) === 1;
  });
}
