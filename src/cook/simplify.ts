// Simplify: the meshes of one tile with fewer triangles, as one surface, so that materials go on meeting. Vertices are a
// choice of the tile's own, never moved: what is locked stays bit for bit. By meshoptimizer's edge collapse with the
// attributes in its error (Garland and Heckbert's quadrics; Hoppe, New Quadric Metric for Simplifying Meshes with
// Appearance Attributes), loaded when first used.

import { thinCards } from './cards.ts';
import type { CellColors } from './cells.ts';
import { triangleArea } from './error.ts';
import { dropDegenerate } from './optimise.ts';
import { VERTEX_WORDS } from './pack.ts';
import { withoutSmallParts } from './parts.ts';
import { partMeshes, positionClasses, type TileGeometry, uniteMeshes } from './tileGeometry.ts';
import type { PackedMesh } from './types.ts';

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
  const before = parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
  const ratio = Math.min(1, request.triangles / Math.max(1, before));
  const meshes: (PackedMesh | null)[] = parts.map(() => null);
  const solid: number[] = [];
  let triangles = 0;
  let wanted = 0;
  for (const [i, { mesh, cards }] of parts.entries()) {
    if (cards) {
      const { words } = uniteMeshes([mesh]);
      const thinned = await thinCards(mesh, request.lockedVertices(words), ratio);
      meshes[i] = thinned;
      triangles += thinned.indices.length / 3;
    } else {
      solid.push(i);
      wanted += mesh.indices.length / 3;
    }
  }
  if (solid.length === 0) return { meshes, triangles, obstacle: triangles > request.triangles ? 'locks' : null };
  const surface = await simplifySolid(
    solid.map((i) => parts[i]),
    Math.floor(wanted * ratio),
    request,
  );
  solid.forEach((i, k) => {
    meshes[i] = surface.meshes[k];
  });
  return { meshes, triangles: triangles + surface.triangles, obstacle: surface.obstacle };
}

async function simplifySolid(
  parts: readonly SimplifiedPart[],
  wanted: number,
  { limit, lockedVertices }: SimplifyRequest,
): Promise<Simplified> {
  const { MeshoptSimplifier } = await import('meshoptimizer/simplifier');
  await MeshoptSimplifier.ready;
  const geometry = uniteMeshes(parts.map(({ mesh }) => mesh));
  const { positions, vertexCount } = geometry;
  const { classOf, count: classCount } = positionClasses(geometry);
  const locked = lockedVertices(geometry.words);
  const source = withoutSmallParts(geometry, geometry.indices, classOf, locked, limit);
  const target = Math.min(wanted * 3, source.length);
  const { attributes, weights } = attributesOf(geometry, parts, limit);
  const locks = protectSeams(geometry, classOf, classCount);
  for (let v = 0; v < vertexCount; v++) if (locked[v] === 1) locks[v] |= LOCK;

  const collapse = (permissive: boolean) => {
    if (source.length <= target) return source;
    const stride = weights.length;
    const flags = permissive ? (['ErrorAbsolute', 'Permissive'] as const) : (['ErrorAbsolute'] as const);
    const [indices] = MeshoptSimplifier.simplifyWithAttributes(
      source,
      positions,
      3,
      attributes,
      stride,
      weights,
      locks,
      target,
      limit,
      [...flags],
    );
    return indices.subarray(0, dropDegenerate(indices, positions, 3));
  };

  // The library may let a corner go over to another material where seams meet in knots, and may end a border strip that
  // nothing else holds. Both are looked for, and the cook goes back to what cannot happen then.
  let indices = collapse(true);
  if (mixesMeshes(indices, geometry.meshOf)) indices = collapse(false);
  if (mixesMeshes(indices, geometry.meshOf)) throw new Error('simplifying joined two materials');
  if (losesLocked(source, indices, classOf, classCount, locked)) {
    lockAround(source, classOf, classCount, locked, locks);
    indices = collapse(false);
    if (mixesMeshes(indices, geometry.meshOf)) throw new Error('simplifying joined two materials');
    if (losesLocked(source, indices, classOf, classCount, locked)) throw new Error('a locked vertex was lost');
  }
  const triangles = indices.length / 3;
  const meshes = await partMeshes(geometry, indices);
  if (indices.length <= Math.max(target, 3)) return { meshes, triangles, obstacle: null };
  return { meshes, triangles, obstacle: obstacleOf(indices, locks) };
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
  classOf: Uint32Array,
  classCount: number,
  locked: Uint8Array,
): boolean {
  const used = new Uint8Array(classCount);
  for (let i = 0; i < after.length; i++) used[classOf[after[i]]] = 1;
  for (let i = 0; i < before.length; i++) if (locked[before[i]] === 1 && used[classOf[before[i]]] === 0) return true;
  return false;
}

/** Locks every corner of the triangles at locked positions: those triangles stay as they are. */
function lockAround(
  indices: Uint32Array,
  classOf: Uint32Array,
  classCount: number,
  locked: Uint8Array,
  locks: Uint8Array,
): void {
  const held = new Uint8Array(classCount);
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    if ((locked[a] | locked[b] | locked[c]) === 0) continue;
    held[classOf[a]] = held[classOf[b]] = held[classOf[c]] = 1;
  }
  for (let v = 0; v < locks.length; v++) if (held[classOf[v]] === 1) locks[v] |= LOCK;
}

/** Protects vertices at positions where materials or UVs differ. */
function protectSeams({ words, meshOf, vertexCount }: TileGeometry, classOf: Uint32Array, classCount: number) {
  const uvWord = 5;
  const first = new Uint32Array(classCount);
  const seam = new Uint8Array(classCount);
  for (let v = 0; v < vertexCount; v++) {
    const c = classOf[v];
    // From 1, so that 0 says unseen.
    if (first[c] === 0) {
      first[c] = v + 1;
      continue;
    }
    const u = first[c] - 1;
    if (meshOf[u] !== meshOf[v] || words[u * VERTEX_WORDS + uvWord] !== words[v * VERTEX_WORDS + uvWord]) seam[c] = 1;
  }
  const locks = new Uint8Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) if (seam[classOf[v]] === 1) locks[v] = PROTECT;
  return locks;
}

/** The value of ten bits, two's complement, as -1 to 1. */
const fromSnorm10 = (bits: number): number => ((bits << 22) >> 22) / 511;

function fromHalf(bits: number): number {
  const fraction = bits & 0x3ff;
  const exponent = (bits >>> 10) & 0x1f;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
}

/**
 * Normal, UV in metres of surface, and colour where there is any, with weights that turn a difference into a share of
 * the tile's extent, as the library wants them: a normal or colour that turns by 1 counts as the limit.
 */
function attributesOf(
  { words, positions, firstVertex, vertexCount, indices, meshOf }: TileGeometry,
  parts: readonly SimplifiedPart[],
  limit: number,
): { attributes: Float32Array; weights: number[] } {
  let colored = false;
  for (let v = 0; v < vertexCount && !colored; v++) colored = words[v * VERTEX_WORDS + 7] !== 0xffffffff;
  const stride = colored ? 8 : 5;
  const attributes = new Float32Array(vertexCount * stride);
  for (let v = 0; v < vertexCount; v++) {
    const normal = words[v * VERTEX_WORDS + 3];
    const uv = words[v * VERTEX_WORDS + 5];
    const at = v * stride;
    attributes[at] = fromSnorm10(normal & 0x3ff);
    attributes[at + 1] = fromSnorm10((normal >>> 10) & 0x3ff);
    attributes[at + 2] = fromSnorm10((normal >>> 20) & 0x3ff);
    attributes[at + 3] = fromHalf(uv & 0xffff);
    attributes[at + 4] = fromHalf(uv >>> 16);
    if (!colored) continue;
    const color = words[v * VERTEX_WORDS + 7];
    for (let k = 0; k < 3; k++) attributes[at + 5 + k] = ((color >>> (8 * k)) & 255) / 255;
  }

  // Metres that one unit of UV stretches over, of each mesh as a whole.
  const areas = new Float64Array(parts.length);
  const uvAreas = new Float64Array(parts.length);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < indices.length; i += 3) {
    const mesh = meshOf[indices[i]];
    const [a, b, c] = [indices[i] * stride + 3, indices[i + 1] * stride + 3, indices[i + 2] * stride + 3];
    const cross =
      (attributes[b] - attributes[a]) * (attributes[c + 1] - attributes[a + 1]) -
      (attributes[c] - attributes[a]) * (attributes[b + 1] - attributes[a + 1]);
    uvAreas[mesh] += Math.abs(cross) / 2;
    areas[mesh] += triangleArea(positions, indices, i);
  }
  for (let i = 0; i < positions.length; i++) {
    const k = i % 3;
    low[k] = Math.min(low[k], positions[i]);
    high[k] = Math.max(high[k], positions[i]);
  }
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  parts.forEach(({ textured }, mesh) => {
    const metres = textured && uvAreas[mesh] > 0 ? Math.sqrt(areas[mesh] / uvAreas[mesh]) : 0;
    for (let v = firstVertex[mesh]; v < firstVertex[mesh + 1]; v++) {
      attributes[v * stride + 3] *= metres;
      attributes[v * stride + 4] *= metres;
    }
  });
  const turn = limit / extent;
  const slide = UV_WEIGHT / extent;
  const weights = [turn, turn, turn, slide, slide];
  return { attributes, weights: colored ? [...weights, turn, turn, turn] : weights };
}
