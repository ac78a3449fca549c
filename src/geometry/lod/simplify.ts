// Simplify: the meshes of one tile with fewer triangles, as one surface, so that materials go on meeting. Vertices are a
// choice of the tile's own, never moved: what is locked stays bit for bit. By meshoptimizer's edge collapse with the
// attributes in its error (Garland and Heckbert's quadrics; Hoppe, New Quadric Metric for Simplifying Meshes with
// Appearance Attributes), loaded when first used.

import type { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import { kernel } from '../../kernel/kernel.ts';
import { MOST_GROWTH, type PlantedCards, plantedCards, thinCards } from '../hlod/cards.ts';
import {
  type AttributeArray,
  type AttributeKind,
  kindOf,
  SEMANTICS,
  type Semantic,
  type SimplifyRule,
} from '../mesh/attributes.ts';
import { withoutSmallComponents } from '../mesh/components.ts';
import { bitsOf, type Float32Mesh } from '../mesh/mesh.ts';
import { dropDegenerate } from '../mesh/optimise.ts';
import { PositionIds } from '../mesh/positionIds.ts';
import { type PickedMesh, type UnitedMeshes, uniteMeshes } from '../mesh/united.ts';
import { ColorFeatures } from './features.ts';
import { shadedMeshes } from './levelNormals.ts';
import type { SimplifiedPart } from './simplifiedPart.ts';

/** Bits of meshoptimizer's vertex_lock. */
const LOCK = 1;
const PROTECT = 2;

/** A texture that slides by a metre counts as this many metres of error. */
const UV_WEIGHT = 0.5;

/** A normal that turns by 1 counts as this share of the limit, */
const NORMAL_WEIGHT = 0.5;
/** and as so many times the limit where shading is kept: measured over three towns, of 1 to 40 times as much. */
const KEPT_NORMAL_WEIGHT = 6;

/** The surface keeps this much of its share of the triangles although cards take more than theirs. */
const LEAST_SHARE = 0.8;

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
export async function simplifyParts(parts: readonly SimplifiedPart[], request: SimplifyRequest): Promise<Simplified> {
  const simplifier = await PartSimplifier.of(parts, new PositionIds(), request);
  return simplifier.pick(simplifier.collapse(request.limit, null));
}

/** The surface of the parts that are no cards, with fewer triangles. */
export interface Collapsed {
  /** Of the geometry's vertices. */
  readonly indices: Uint32Array;
  /** With those of the cards that stay. */
  readonly triangles: number;
  readonly obstacle: Obstacle | null;
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
  /** All triangles wanted, and those of the surface. */
  readonly #wanted: number;
  readonly #wantedSolid: number;
  readonly #normalWeight: number;
  readonly #locked: Uint8Array;
  readonly #seams: Uint8Array;
  /** 1 for each mesh of the geometry whose UVs reach a texture. */
  readonly #textured: Uint8Array;
  readonly #attributes: Attributes;
  readonly #library: typeof MeshoptSimplifier;
  #features: ColorFeatures | null = null;

  /** `positionIds`: those that the caller compares levels by. */
  static async of(
    parts: readonly SimplifiedPart[],
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
    for (const { mesh, cards, mostGrowth = MOST_GROWTH } of parts) {
      if (!cards) {
        meshes.push(null);
        continue;
      }
      const plants = planted?.get(mesh) ?? plantedCards(mesh, lockedVertices(mesh.positions));
      planted?.set(mesh, plants);
      meshes.push(await thinCards(plants, { ratio: cardRatio ?? ratio, mostGrowth }));
    }
    const { MeshoptSimplifier: library } = await import('meshoptimizer/simplifier');
    await library.ready;
    const settings = { triangles, ratio, keepsShading, lockedVertices, united, library };
    return new PartSimplifier(parts, meshes, positionIds, settings);
  }

  private constructor(
    parts: readonly SimplifiedPart[],
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
    this.#wantedSolid = Math.floor(Math.min(share, Math.max(LEAST_SHARE * share, triangles - this.#cardTriangles)));
    this.#locked = lockedVertices(this.geometry.positions, this.ids);
    this.#attributes = attributesOf(this.geometry, solid);
    this.#textured = texturedOf(solid);
    this.#seams = protectSeams(this.geometry, solid, this.ids, this.#idCount);
  }

  /** `limit` in metres; `held`: 1 for each vertex of the geometry that must stay besides the locked ones. */
  collapse(limit: number, held: Uint8Array | null): Collapsed {
    const { geometry, ids } = this;
    if (geometry.indices.length === 0) {
      const triangles = this.#cardTriangles;
      return { indices: geometry.indices, triangles, obstacle: triangles > this.#wanted ? 'locks' : null };
    }
    const idCount = this.#idCount;
    const locked = held ? this.#locked.map((is, v) => is | held[v]) : this.#locked;
    const source = withoutSmallComponents(geometry.positions, geometry.indices, ids, locked, limit);
    const target = Math.min(this.#wantedSolid * 3, source.length);
    const locks = this.#seams.slice();
    for (let v = 0; v < locks.length; v++) if (locked[v] === 1) locks[v] |= LOCK;
    const run = (): Uint32Array => {
      for (const permissive of [true, false]) {
        const indices = this.#run(source, target, limit, locks, permissive);
        if (!mixesMeshes(indices, geometry.meshOf)) return indices;
      }
      throw new Error('simplifying joined two materials');
    };

    // The library may let a corner go over to another material where seams meet in knots, and may end a border strip that
    // nothing else holds. Both are looked for, and the cook goes back to what cannot happen then.
    let indices = run();
    if (losesLocked(source, indices, ids, idCount, locked)) {
      lockAround(source, ids, idCount, locked, locks);
      indices = run();
      if (losesLocked(source, indices, ids, idCount, locked)) throw new Error('a locked vertex was lost');
    }
    const obstacle = indices.length <= Math.max(target, 3) ? null : obstacleOf(indices, locks);
    return { indices, triangles: this.#cardTriangles + indices.length / 3, obstacle };
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

  #run(source: Uint32Array, target: number, limit: number, locks: Uint8Array, permissive: boolean): Uint32Array {
    if (source.length <= target) return source;
    const { positions } = this.geometry;
    const { values, stride, measures, extent } = this.#attributes;
    const turnWeight = (i: number) => limit * (i < 3 ? this.#normalWeight : 1);
    const weights = measures.map((measure, i) => (measure === 'turn' ? turnWeight(i) : UV_WEIGHT) / extent);
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
  for (let i = 0; i < indices.length; i += 3) {
    const mesh = meshOf[indices[i]];
    if (meshOf[indices[i + 1]] !== mesh || meshOf[indices[i + 2]] !== mesh) return true;
  }
  return false;
}

/** Whether a locked position that `before` uses is no longer used by `after`. */
function losesLocked(
  before: Uint32Array,
  after: Uint32Array,
  ids: Uint32Array,
  idCount: number,
  locked: Uint8Array,
): boolean {
  const used = new Uint8Array(idCount);
  for (let i = 0; i < after.length; i++) used[ids[after[i]]] = 1;
  for (let i = 0; i < before.length; i++) if (locked[before[i]] === 1 && used[ids[before[i]]] === 0) return true;
  return false;
}

/** Locks every corner of the triangles at locked positions: those triangles stay as they are. */
function lockAround(
  indices: Uint32Array,
  ids: Uint32Array,
  idCount: number,
  locked: Uint8Array,
  locks: Uint8Array,
): void {
  const held = new Uint8Array(idCount);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    if ((locked[a] | locked[b] | locked[c]) === 0) continue;
    held[ids[a]] = held[ids[b]] = held[ids[c]] = 1;
  }
  for (let v = 0; v < locks.length; v++) if (held[ids[v]] === 1) locks[v] |= LOCK;
}

/** The attributes of a mesh that simplification counts, in the order of the table. */
function counted(mesh: Float32Mesh): readonly (SimplifyRule & {
  readonly values: AttributeArray;
  readonly size: number;
})[] {
  return SEMANTICS.flatMap((semantic: Semantic) => {
    const { simplify, components, fallback } = kindOf(semantic);
    const values = mesh.attributes[semantic];
    if (!simplify || !values) return [];
    return simplify.optional && isConstant(values, fallback) ? [] : [{ ...simplify, values, size: components }];
  });
}

/** Whether every vertex has the fallback. */
function isConstant(values: AttributeArray, fallback: AttributeKind['fallback']): boolean {
  if (fallback === 'acrossNormal') return false;
  for (let at = 0; at < values.length; at += fallback.length) {
    for (let k = 0; k < fallback.length; k++) if (values[at + k] !== fallback[k]) return false;
  }
  return true;
}

const NOTHING_SLIDES = { values: new Float32Array(0), size: 0 } as const;

/** 1 for each part whose UVs reach a texture. */
function texturedOf(parts: readonly SimplifiedPart[]): Uint8Array {
  return Uint8Array.from(parts, ({ textured }) => (textured ? 1 : 0));
}

/** Protects vertices at positions where materials differ, or values that slide over a texture. */
function protectSeams(
  united: UnitedMeshes,
  parts: readonly SimplifiedPart[],
  ids: Uint32Array,
  idCount: number,
): Uint8Array {
  const { meshOf, vertexCount } = united;
  const sliding = counted(united).filter(({ measure }) => measure === 'slide');
  const seam = kernel.within((memory) => {
    const vertices = [memory.put(ids), vertexCount, memory.put(meshOf), memory.put(texturedOf(parts))] as const;
    const marked = memory.zeros(idCount);
    for (const { values, size } of sliding.length > 0 ? sliding : [NOTHING_SLIDES]) {
      memory.within(() => {
        const placed = size > 0 ? memory.put(bitsOf(values)) : 0;
        memory.calls.markSeams(...vertices, placed, size, memory.zeros(idCount * 4), marked);
      });
    }
    return memory.uint8(marked, idCount).slice();
  });
  const locks = new Uint8Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) if (seam[ids[v]] === 1) locks[v] = PROTECT;
  return locks;
}

/** What a vertex has besides its position, for the library. */
interface Attributes {
  /**
   * Directions and colours as they are, UVs in metres of surface. Weights turn a difference into a share of the extent, as
   * the library wants them: a normal or colour that turns by 1 counts as the limit.
   */
  readonly values: Float32Array;
  readonly stride: number;
  /** How each of a vertex's values counts. */
  readonly measures: readonly SimplifyRule['measure'][];
  /** The longest edge of the geometry's box in metres. */
  readonly extent: number;
}

function attributesOf(united: UnitedMeshes, parts: readonly SimplifiedPart[]): Attributes {
  const { positions, firstVertex, vertexCount } = united;
  const columns = counted(united);
  const measures = columns.flatMap(({ components, measure }) => new Array<typeof measure>(components).fill(measure));
  const stride = measures.length;
  const values = kernel.within((memory) => {
    const rows = memory.zeros(vertexCount * stride * 4);
    let column = 0;
    for (const { values: source, size, components, measure, unit } of columns) {
      const metres = measure === 'slide' ? metresOfUv(united, parts, source, size) : null;
      memory.within(() => {
        const placed = memory.put(source);
        for (let mesh = 0; mesh < parts.length; mesh++) {
          const scale = metres ? metres[mesh] : 1;
          // Zeros stay where UVs reach no texture.
          if (!(scale > 0)) continue;
          const first = firstVertex[mesh];
          const from = placed + first * size * source.BYTES_PER_ELEMENT;
          const to = rows + (first * stride + column) * 4;
          const vertices = [from, size, components, firstVertex[mesh + 1] - first] as const;
          if (source instanceof Uint8Array) memory.calls.copyBytes(...vertices, unit / scale, to, stride);
          else memory.calls.copyFloats(...vertices, scale / unit, to, stride);
        }
      });
      column += components;
    }
    return memory.float32(rows, vertexCount * stride).slice();
  });
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < 3; k++) {
    for (let i = k; i < positions.length; i += 3) {
      if (positions[i] < low[k]) low[k] = positions[i];
      if (positions[i] > high[k]) high[k] = positions[i];
    }
  }
  return { values, stride, measures, extent: Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) };
}

/** Metres that one unit of UV stretches over, of each mesh as a whole; 0 where its UVs reach no texture. */
function metresOfUv(
  { positions, indices, meshOf }: UnitedMeshes,
  parts: readonly SimplifiedPart[],
  uvs: AttributeArray,
  size: number,
): number[] {
  const [areas, uvAreas] = kernel.within((memory) => {
    const surface = [memory.put(positions), memory.put(indices), indices.length, memory.put(meshOf)] as const;
    const textures = [memory.put(texturedOf(parts)), memory.put(uvs), size] as const;
    const sums = [memory.zeros(parts.length * 8), memory.zeros(parts.length * 8)] as const;
    memory.calls.sumUvAreas(...surface, ...textures, ...sums);
    return sums.map((at) => memory.float64(at, parts.length).slice());
  });
  return parts.map((_, mesh) => (uvAreas[mesh] > 0 ? Math.sqrt(areas[mesh] / uvAreas[mesh]) : 0));
}
