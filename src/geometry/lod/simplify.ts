// Simplify: the meshes of one tile with fewer triangles, as one surface, so that materials go on meeting. Vertices are a
// choice of the tile's own, never moved: what is locked stays bit for bit. By meshoptimizer's edge collapse with the
// attributes in its error (Garland and Heckbert's quadrics; Hoppe, New Quadric Metric for Simplifying Meshes with
// Appearance Attributes), loaded when first used.

import type { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import { thinCards } from '../hlod/cards.ts';
import type { CellColors } from '../hlod/cells.ts';
import { withoutSmallParts } from '../mesh/components.ts';
import { dropDegenerate } from '../mesh/optimise.ts';
import { VERTEX_WORDS } from '../mesh/pack.ts';
import { PlaceNumbers } from '../mesh/positionIds.ts';
import { partMeshes, type TileGeometry, uniteMeshes } from '../mesh/tileGeometry.ts';
import type { PackedMesh } from '../mesh/types.ts';
import { alignedWords } from './borders.ts';
import { triangleArea } from './deviation.ts';

/** Bits of meshoptimizer's vertex_lock. */
const LOCK = 1;
const PROTECT = 2;

/** A texture that slides by a metre counts as this many metres of error. */
const UV_WEIGHT = 0.5;

/** One mesh of a tile. */
export interface SimplifiedPart {
  readonly mesh: PackedMesh;
  /** Foliage cards (cards.ts): thinned, not simplified. */
  readonly cards: boolean;
  /** Whether its UVs reach a texture at all. */
  readonly textured: boolean;
  /** Triangles whose UVs only say which cell of a palette they have (cells.ts); for LevelMaker. */
  readonly cells?: CellColors | undefined;
}

export interface SimplifyRequest {
  /** Triangles wanted, over all meshes. */
  readonly triangles: number;
  /** Error in metres that no collapse may pass, and size of the parts that may go. */
  readonly limit: number;
  /** 1 for each vertex that must stay, of vertices of 8 words each. */
  readonly lockedVertices: (words: Uint32Array) => Uint8Array;
}

/** What kept a level from having fewer triangles. */
export type Obstacle = 'limit' | 'locks' | 'seams';

export interface Simplified {
  /** One for each part; null where nothing is left. */
  readonly meshes: readonly (PackedMesh | null)[];
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
  const vertexCount = parts.reduce((sum, { mesh }) => sum + mesh.vertexCount, 0);
  const simplifier = await PartSimplifier.of(parts, new PlaceNumbers(vertexCount), request);
  return simplifier.pack(simplifier.collapse(request.limit, null));
}

/** The surface of the parts that are no cards, with fewer triangles. */
export interface Collapsed {
  /** Of the geometry's vertices. */
  readonly indices: Uint32Array;
  /** With those of the cards that stay. */
  readonly triangles: number;
  readonly obstacle: Obstacle | null;
}

/** Simplifies parts to one number of triangles, under different limits if need be; packs what is taken in the end. */
export class PartSimplifier {
  /** The parts that are no cards. */
  readonly geometry: TileGeometry;
  /** The place of each of its vertices. */
  readonly places: Uint32Array;
  readonly #placeCount: number;
  /** Numbers of those that are no cards. */
  readonly #solid: readonly number[];
  /** Cards thinned already. */
  readonly #meshes: readonly (PackedMesh | null)[];
  readonly #cardTriangles: number;
  /** All triangles wanted, and those of the surface. */
  readonly #wanted: number;
  readonly #wantedSolid: number;
  readonly #locked: Uint8Array;
  readonly #seams: Uint8Array;
  readonly #attributes: Attributes;
  readonly #library: typeof MeshoptSimplifier;

  /** `numbers`: those of places that are known by number outside as well. */
  static async of(
    parts: readonly SimplifiedPart[],
    numbers: PlaceNumbers,
    { triangles, lockedVertices }: Pick<SimplifyRequest, 'triangles' | 'lockedVertices'>,
  ): Promise<PartSimplifier> {
    const before = parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
    const ratio = Math.min(1, triangles / Math.max(1, before));
    const meshes: (PackedMesh | null)[] = [];
    for (const { mesh, cards } of parts) {
      meshes.push(cards ? await thinCards(mesh, lockedVertices(alignedWords(mesh.vertices)), ratio) : null);
    }
    const { MeshoptSimplifier: library } = await import('meshoptimizer/simplifier');
    await library.ready;
    return new PartSimplifier(parts, meshes, numbers, { triangles, ratio, lockedVertices, library });
  }

  private constructor(
    parts: readonly SimplifiedPart[],
    meshes: readonly (PackedMesh | null)[],
    numbers: PlaceNumbers,
    {
      triangles,
      ratio,
      lockedVertices,
      library,
    }: Pick<SimplifyRequest, 'triangles' | 'lockedVertices'> & {
      readonly ratio: number;
      readonly library: typeof MeshoptSimplifier;
    },
  ) {
    this.#meshes = meshes;
    this.#library = library;
    this.#solid = parts.map((_, i) => i).filter((i) => !parts[i].cards);
    const solid = this.#solid.map((i) => parts[i]);
    this.geometry = uniteMeshes(solid.map(({ mesh }) => mesh));
    this.places = numbers.of(this.geometry.words);
    this.#placeCount = numbers.count;
    this.#wanted = triangles;
    this.#wantedSolid = Math.floor((this.geometry.indices.length / 3) * ratio);
    this.#cardTriangles = meshes.reduce((sum, mesh) => sum + (mesh ? mesh.indices.length / 3 : 0), 0);
    this.#locked = lockedVertices(this.geometry.words);
    this.#attributes = attributesOf(this.geometry, solid);
    this.#seams = protectSeams(this.geometry, solid, this.places, this.#placeCount);
  }

  /** `limit` in metres; `held`: 1 for each vertex of the geometry that must stay besides the locked ones. */
  collapse(limit: number, held: Uint8Array | null): Collapsed {
    const { geometry, places } = this;
    if (geometry.indices.length === 0) {
      const triangles = this.#cardTriangles;
      return { indices: geometry.indices, triangles, obstacle: triangles > this.#wanted ? 'locks' : null };
    }
    const placeCount = this.#placeCount;
    const locked = held ? this.#locked.map((is, v) => is | held[v]) : this.#locked;
    const source = withoutSmallParts(geometry, geometry.indices, places, locked, limit);
    const target = Math.min(this.#wantedSolid * 3, source.length);
    const locks = this.#seams.slice();
    for (let v = 0; v < locks.length; v++) if (locked[v] === 1) locks[v] |= LOCK;
    const run = (permissive: boolean) => this.#run(source, target, limit, locks, permissive);

    // The library may let a corner go over to another material where seams meet in knots, and may end a border strip that
    // nothing else holds. Both are looked for, and the cook goes back to what cannot happen then.
    let indices = run(true);
    if (mixesMeshes(indices, geometry.meshOf)) indices = run(false);
    if (mixesMeshes(indices, geometry.meshOf)) throw new Error('simplifying joined two materials');
    if (losesLocked(source, indices, places, placeCount, locked)) {
      lockAround(source, places, placeCount, locked, locks);
      indices = run(false);
      if (mixesMeshes(indices, geometry.meshOf)) throw new Error('simplifying joined two materials');
      if (losesLocked(source, indices, places, placeCount, locked)) throw new Error('a locked vertex was lost');
    }
    const obstacle = indices.length <= Math.max(target, 3) ? null : obstacleOf(indices, locks);
    return { indices, triangles: this.#cardTriangles + indices.length / 3, obstacle };
  }

  /** One mesh for each part. */
  async pack({ indices, triangles, obstacle }: Collapsed): Promise<Simplified> {
    const surface = await partMeshes(this.geometry, indices);
    const meshes = [...this.#meshes];
    this.#solid.forEach((i, k) => {
      meshes[i] = surface[k];
    });
    return { meshes, triangles, obstacle };
  }

  #run(source: Uint32Array, target: number, limit: number, locks: Uint8Array, permissive: boolean): Uint32Array {
    if (source.length <= target) return source;
    const { positions } = this.geometry;
    const { values, stride, extent } = this.#attributes;
    const turn = limit / extent;
    const slide = UV_WEIGHT / extent;
    const weights = [turn, turn, turn, slide, slide, turn, turn, turn].slice(0, stride);
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
    return indices.subarray(0, dropDegenerate(indices, positions, 3));
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
  places: Uint32Array,
  placeCount: number,
  locked: Uint8Array,
): boolean {
  const used = new Uint8Array(placeCount);
  for (let i = 0; i < after.length; i++) used[places[after[i]]] = 1;
  for (let i = 0; i < before.length; i++) if (locked[before[i]] === 1 && used[places[before[i]]] === 0) return true;
  return false;
}

/** Locks every corner of the triangles at locked positions: those triangles stay as they are. */
function lockAround(
  indices: Uint32Array,
  places: Uint32Array,
  placeCount: number,
  locked: Uint8Array,
  locks: Uint8Array,
): void {
  const held = new Uint8Array(placeCount);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    if ((locked[a] | locked[b] | locked[c]) === 0) continue;
    held[places[a]] = held[places[b]] = held[places[c]] = 1;
  }
  for (let v = 0; v < locks.length; v++) if (held[places[v]] === 1) locks[v] |= LOCK;
}

/** Protects vertices at places where materials differ, or UVs that reach a texture. */
function protectSeams(
  { words, meshOf, vertexCount }: TileGeometry,
  parts: readonly SimplifiedPart[],
  places: Uint32Array,
  placeCount: number,
): Uint8Array {
  const uvWord = 5;
  const first = new Uint32Array(placeCount);
  const seam = new Uint8Array(placeCount);
  const textured = Uint8Array.from(parts, (part) => (part.textured ? 1 : 0));
  for (let v = 0; v < vertexCount; v++) {
    const place = places[v];
    // From 1, so that 0 says unseen.
    if (first[place] === 0) {
      first[place] = v + 1;
      continue;
    }
    const u = first[place] - 1;
    const mesh = meshOf[v];
    if (meshOf[u] !== mesh) seam[place] = 1;
    else if (textured[mesh] === 1 && words[u * VERTEX_WORDS + uvWord] !== words[v * VERTEX_WORDS + uvWord]) {
      seam[place] = 1;
    }
  }
  const locks = new Uint8Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) if (seam[places[v]] === 1) locks[v] = PROTECT;
  return locks;
}

/** What a vertex has besides its position, for the library. */
interface Attributes {
  /**
   * Normal, UV in metres of surface, and colour where there is any. Weights turn a difference into a share of the extent,
   * as the library wants them: a normal or colour that turns by 1 counts as the limit.
   */
  readonly values: Float32Array;
  readonly stride: number;
  /** The longest edge of the geometry's box in metres. */
  readonly extent: number;
}

function attributesOf(geometry: TileGeometry, parts: readonly SimplifiedPart[]): Attributes {
  const { words, positions, firstVertex, vertexCount } = geometry;
  let colored = false;
  for (let v = 0; v < vertexCount && !colored; v++) colored = words[v * VERTEX_WORDS + 7] !== 0xffffffff;
  const stride = colored ? 8 : 5;
  const values = new Float32Array(vertexCount * stride);
  const metres = metresOfUv(geometry, parts);
  for (let mesh = 0; mesh < parts.length; mesh++) {
    const scale = metres[mesh];
    for (let v = firstVertex[mesh]; v < firstVertex[mesh + 1]; v++) {
      const normal = words[v * VERTEX_WORDS + 3];
      const at = v * stride;
      values[at] = fromSnorm10(normal & 0x3ff);
      values[at + 1] = fromSnorm10((normal >>> 10) & 0x3ff);
      values[at + 2] = fromSnorm10((normal >>> 20) & 0x3ff);
      if (scale > 0) {
        const uv = words[v * VERTEX_WORDS + 5];
        values[at + 3] = halves[uv & 0xffff] * scale;
        values[at + 4] = halves[uv >>> 16] * scale;
      }
      if (!colored) continue;
      const color = words[v * VERTEX_WORDS + 7];
      for (let k = 0; k < 3; k++) values[at + 5 + k] = ((color >>> (8 * k)) & 255) / 255;
    }
  }
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < 3; k++) {
    for (let i = k; i < positions.length; i += 3) {
      if (positions[i] < low[k]) low[k] = positions[i];
      if (positions[i] > high[k]) high[k] = positions[i];
    }
  }
  return { values, stride, extent: Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) };
}

/** Metres that one unit of UV stretches over, of each mesh as a whole; 0 where its UVs reach no texture. */
function metresOfUv({ words, positions, indices, meshOf }: TileGeometry, parts: readonly SimplifiedPart[]): number[] {
  const areas = new Float64Array(parts.length);
  const uvAreas = new Float64Array(parts.length);
  const uvOf = (v: number) => words[v * VERTEX_WORDS + 5];
  for (let i = 0; i < indices.length; i += 3) {
    const mesh = meshOf[indices[i]];
    if (!parts[mesh].textured) continue;
    const a = uvOf(indices[i]);
    const b = uvOf(indices[i + 1]);
    const c = uvOf(indices[i + 2]);
    const [au, av] = [halves[a & 0xffff], halves[a >>> 16]];
    const cross =
      (halves[b & 0xffff] - au) * (halves[c >>> 16] - av) - (halves[c & 0xffff] - au) * (halves[b >>> 16] - av);
    uvAreas[mesh] += Math.abs(cross) / 2;
    areas[mesh] += triangleArea(positions, indices, i);
  }
  return parts.map((_, mesh) => (uvAreas[mesh] > 0 ? Math.sqrt(areas[mesh] / uvAreas[mesh]) : 0));
}

/** The value of ten bits, two's complement, as -1 to 1. */
const fromSnorm10 = (bits: number): number => ((bits << 22) >> 22) / 511;

/** The value of each half-precision number by its bits. */
const halves = Float32Array.from({ length: 65536 }, (_, bits) => {
  const fraction = bits & 0x3ff;
  const exponent = (bits >>> 10) & 0x1f;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
});
