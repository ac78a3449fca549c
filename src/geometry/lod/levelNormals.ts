// Normals of a level: a collapse moves a triangle's corner to another vertex, and the normal stored there may belong to
// another side of a hard edge. Each corner whose normal leans too far from its triangle takes that of another vertex at
// the same position, or a new one from the triangles around it (the mean weighted by angle, Thürmer & Wüthrich 1998);
// vertices are split where their corners then differ. The loops are the kernel's (kernel/assembly/levelShading.ts).

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';
import { kindOf, SEMANTICS, type Semantic } from '../mesh/attributes.ts';
import type { PickedMesh, UnitedMeshes } from '../mesh/united.ts';
import { rowWords } from '../mesh/weld.ts';
import { placeRowsById } from './rows.ts';
import { type PlacedVertices, pickParts, splitVertices } from './splitVertices.ts';

const DEGREE = Math.PI / 180;

/**
 * How far a normal may lean from a triangle of a level: SLACK more than from its triangles in the source, or TOLERATED and
 * twice as far as there, up to MOST. Where the source is curved and has no hard edge, its normals are better than any that
 * coarse triangles have: they may lean as far as CURVED.
 */
const SLACK = 5 * DEGREE;
const TOLERATED = 15 * DEGREE;
const MOST = 50 * DEGREE;
const CURVED = 57 * DEGREE;
/** A normal that leans at least as far from its triangles in the source is that of a curved surface. */
const COS_FLAT = Math.cos(2 * DEGREE);
const COS_TOLERATED = Math.cos(TOLERATED);

/** Triangles that meet at a smaller angle are smooth across their edge, … */
const CREASE = Math.cos(50 * DEGREE);
/** … at positions with a hard edge in the source at a much smaller one. */
const HARD_CREASE = Math.cos(25 * DEGREE);
/** Normals at one position further apart than this are those of a hard edge. */
const HARD_EDGE = Math.cos(15 * DEGREE);
/** No new normal leans further than this from its triangle. */
const LEANING = 52 * DEGREE;

/** New normals are rounded to multiples of this, so that those of coplanar triangles are equal. */
const STEP = 1 / 4096;

/** The numbers of Shading (kernel/assembly/levelShading.ts). */
const LIMITS: readonly number[] = [
  ...[SLACK, TOLERATED, MOST, CURVED, COS_FLAT, COS_TOLERATED],
  ...[CREASE, HARD_CREASE, Math.cos(LEANING), Math.sin(LEANING), STEP],
];

/**
 * The meshes of a level of `source`, ordered, with normals that follow its triangles; null where no triangle is left. Their
 * vertices have the numbers of those of the source's meshes whose attributes they have, but for normal and tangent.
 * `ids`: the position id of each vertex, below `idCount`. `textured`: 1 for each mesh whose UVs reach a texture.
 */
export function shadedMeshes(
  source: UnitedMeshes,
  ids: Uint32Array,
  idCount: number,
  textured: Uint8Array,
  triangles: Uint32Array,
): (PickedMesh | null)[] {
  return kernel.within((memory) => {
    const attributes: { [S in Semantic]?: Address } = {};
    for (const semantic of SEMANTICS) {
      const values = source.attributes[semantic];
      if (values && kindOf(semantic).shading !== null) attributes[semantic] = memory.put(values);
    }
    const placed: PlacedVertices = {
      positions: memory.put(source.positions),
      meshOf: memory.put(source.meshOf),
      attributes,
    };
    const indices = memory.put(triangles);
    const made = memory.allocate(triangles.length * 12);
    const given = { ids, idCount, textured };
    const isMade = memory.within(() => shade(memory, source, placed, given, indices, triangles.length, made));
    const corners = { indices, count: triangles.length };
    return pickParts(memory, source, placed, splitVertices(memory, source, placed, corners, isMade ? made : 0));
  });
}

/**
 * Replaces corners of a level whose normals lean too far, in place, and writes new normals of corners to `made`, xyz each;
 * zeros where they stay. False, and nothing in `made`, where all stay.
 */
function shade(
  memory: Kernel,
  source: UnitedMeshes,
  placed: PlacedVertices,
  given: { readonly ids: Uint32Array; readonly idCount: number; readonly textured: Uint8Array },
  indices: Address,
  indexCount: number,
  made: Address,
): boolean {
  const { calls } = memory;
  const { idCount } = given;
  const { positions, meshOf } = placed;
  const { normal = 0, uv0 = 0 } = placed.attributes;
  const ids = memory.put(given.ids);
  const vertices = placeRowsById(memory, ids, source.vertexCount, 0, idCount);
  // What the source has: the cosine of the greatest angle between each vertex's normal and one of its triangles, and 1 for
  // each position id where vertices of one mesh have normals of both sides of a hard edge.
  const leans = memory.allocate(source.vertexCount * 4);
  const hard = memory.allocate(idCount);
  memory.within(() => {
    const count = source.indices.length;
    const own = memory.put(source.indices);
    const faces = memory.allocate(count * 4);
    calls.faceNormals(positions, own, count, faces);
    calls.greatestLeans(own, count, normal, faces, source.vertexCount, leans);
    calls.hardPositions(normal, meshOf, vertices.starts, vertices.rows, idCount, HARD_EDGE, hard);
  });

  const faces = memory.allocate(indexCount * 4);
  calls.faceNormals(positions, indices, indexCount, faces);
  const isBad = memory.allocate(indexCount);
  const appearances = appearancesOf(memory, placed, source.vertexCount);
  const shading = memory.record(LIMITS, [
    ...[positions, normal, ids, meshOf, memory.put(given.textured), uv0, appearances, vertices.starts, vertices.rows],
    ...[leans, hard, indices, indexCount, faces, isBad],
  ]);
  if (calls.replaceLeaning(shading) === 0) return false;

  // The corners at the positions of bad ones.
  const idOf = memory.allocate(indexCount * 4);
  const wanted = memory.zeros(idCount);
  calls.idsAtBad(shading, idOf, wanted);
  const { starts, rows } = placeRowsById(memory, idOf, indexCount, wanted, idCount);
  const max = calls.maxRows(starts, idCount);
  memory.uint8(made, indexCount * 12).fill(0);
  calls.makeNormals(shading, starts, rows, idCount, max, memory.allocate(calls.shadingFanBytes(max)), made);
  return true;
}

/** A word a vertex, equal where all attributes agree that must; 0: there are none. */
function appearancesOf(memory: Kernel, { attributes }: PlacedVertices, vertexCount: number): Address {
  const columns = SEMANTICS.flatMap((semantic) => {
    const address = attributes[semantic];
    const { array, components, shading } = kindOf(semantic);
    const size = (components * array.BYTES_PER_ELEMENT) / 4;
    return address !== undefined && shading === 'seen' ? [{ address, size }] : [];
  });
  return columns.length === 0 ? 0 : rowWords(memory, columns, vertexCount);
}
