// The public face of the cook: polygons of one subset -> triangles in mesh space -> placed and merged -> packed bytes.
// A prepared mesh serves all its placements.

import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import type { Mat4, PolygonMesh, UvChoice, Vec4 } from '../../scene/types.ts';
import { type Triangulation, triangulate } from '../polygons/triangulate.ts';
import { makeNormals, unitNormals } from '../shading/normals.ts';
import { addTangents, turnTangents } from '../shading/tangents.ts';
import { chosenUvs, MAX_HALF, shiftIslands, uvPrecision, uvReach } from '../uv/uvs.ts';
import { CornerColors, type Palette, paletteCells } from './colors.ts';
import { dropDegenerate, hasArea, orderForCache, orderForFetch } from './optimise.ts';
import { packedBounds, packIndices, packVertices, reorderVertices, VERTEX_WORDS } from './pack.ts';
import { placeMesh, placement } from './transform.ts';
import type { PackedMesh, SourceElement, TriangleMesh } from './types.ts';
import { buildVertices, sameVertices } from './vertices.ts';
import { weldRows } from './weld.ts';

export { cornerUvs } from '../uv/uvs.ts';
export {
  analyseColors,
  type ColorUse,
  type Palette,
  unitePalettes,
} from './colors.ts';
export { mergeMeshes } from './merge.ts';
export { placeMesh } from './transform.ts';
export type { PackedMesh, SourceElement, TriangleMesh } from './types.ts';

/** What to make of a mesh. */
export interface MeshRequest {
  /** Index of the face subset, -1 for the faces that none claims. */
  readonly subset: number;
  readonly uv: UvChoice;
  /**
   * 'white': no colours (there are none, or a constant went into the material). 'store': into color0. palette: uv0 of
   * each triangle becomes the centre of its colour's cell (scene/palette.ts) and `uv` is not used.
   */
  readonly color: 'white' | 'store' | { readonly palette: Palette };
  /** Make tangents where none are authored. Without UVs or with a palette there are none to make. */
  readonly needsTangents: boolean;
  /**
   * The normal map was turned into the tangent space of uv0: authored tangents turn along ([tx, ty, bx, by], the new axes
   * in the plane of tangent and bitangent), or are made anew from uv0. Null or absent: they are kept.
   */
  readonly tangentTurn?: Vec4 | 'anew' | null;
  /** Width and height of the largest texture sampled with these UVs, for the warning about their precision. */
  readonly textureSize?: readonly [number, number] | null;
}

/** A prepared mesh and where it goes; null: where it is. */
export interface PlacedMesh {
  readonly mesh: TriangleMesh;
  readonly world: Mat4 | null;
}

/** Triangles that stand where they belong, their vertices as they will be stored: 8 words each. */
export interface PackedPart {
  readonly words: Uint32Array;
  readonly indices: Uint32Array;
}

/** A placed mesh as a part for packPlaced. */
export function packPart(mesh: TriangleMesh): PackedPart {
  const words = new Uint32Array(mesh.vertexCount * VERTEX_WORDS);
  packVertices(mesh, null, words, 0);
  return { words, indices: mesh.indices };
}

/**
 * Makes the triangles of one subset: polygons cut, triangles without area dropped, normals made or repaired, UVs chosen
 * and moved towards 0, colours as asked, tangents per corner. In mesh space; may share arrays with `mesh`. Null when the
 * subset has no triangle with an area. Reports UC2000-UC2009 and UC2012-UC2014 at `element`.
 */
export async function prepareMesh(
  mesh: PolygonMesh,
  request: MeshRequest,
  diagnostics: Diagnostics,
  element: SourceElement,
): Promise<TriangleMesh | null> {
  const report = (code: Parameters<Diagnostics['report']>[0], message: string) =>
    diagnostics.report(code, element.file, element.path, message);

  // 1. Triangles.
  const cut = triangulate(mesh, request.subset);
  if (cut.shortFaces > 0) report('UC2002', `left out ${count(cut.shortFaces, 'face')} with fewer than three corners`);
  if (cut.fannedFaces > 0)
    report('UC2003', `cut ${count(cut.fannedFaces, 'face')} as fans: the outline crosses itself`);
  const triangles = withArea(mesh, cut);
  if (triangles.count === 0) {
    if (cut.count > 0) report('UC2000', `${count(cut.count, 'triangle')}, none with an area`);
    return null;
  }
  reportDropped(cut.count - triangles.count, cut.count, diagnostics, element);

  // 2. Values.
  const authored = mesh.normals ? unitNormals(mesh.normals) : null;
  if (authored && authored.invalid > 0) report('UC2004', `repaired ${count(authored.invalid, 'normal')}`);
  const cells = typeof request.color === 'object' ? paletteCells(request.color.palette) : null;
  const colored = mesh.colors !== null || mesh.opacities !== null;
  const colors = cells || (request.color === 'store' && colored) ? new CornerColors(mesh) : null;
  const uvs = cells ? null : chosenUvs(mesh, request.uv);
  if (uvs && uvs.invalid > 0) report('UC2006', `set ${count(uvs.invalid, 'texture coordinate')} to 0`);
  if (uvs?.attribute === null && request.uv.set !== null) report('UC2012', `there is no UV set '${request.uv.set}'`);

  // 3. Vertices. Tangents without the normals they belong to are ignored, as glTF 2.0, 3.7.2.1 demands.
  const turn = request.tangentTurn ?? null;
  const isAnew = turn === 'anew' && uvs !== null && uvs.attribute !== null;
  const { mesh: built, invalidTangents } = buildVertices(mesh, triangles, {
    normals: authored ? authored.attribute : makeNormals(mesh),
    uvs: uvs ? uvs.attribute : null,
    cells,
    colors,
    tangents: mesh.normals && !cells && !isAnew ? mesh.tangents : null,
  });
  if (invalidTangents > 0) report('UC2005', `replaced ${count(invalidTangents, 'tangent')}`);
  if (colors && colors.invalid > 0) report('UC2014', `${count(colors.invalid, 'colour')} with a component set to 0`);
  if (colors && !cells) {
    const message = 'vertex colours are stored, but the engine does not draw them';
    diagnostics.once(element.file, 'UC2013', element.file, element.path, message);
  }

  // 4. Tangents before the islands move: their float32 differences are those that the author saw.
  let made = built;
  if (made.tangents && turn !== null && turn !== 'anew') {
    made = { ...made, tangents: turnTangents(made.tangents, made.normals, turn) };
  }
  if (made.tangents === null && request.needsTangents && uvs?.attribute) made = generateTangents(made);

  // 5. UVs as half floats will hold them.
  const uv0 = placeUvs(made, request, diagnostics, element);
  return uv0 === made.uv0 ? made : { ...made, uv0 };
}

/** The mesh with MikkTSpace tangents made from its positions, normals and UVs; vertices that get several are split. */
export function generateTangents(mesh: TriangleMesh): TriangleMesh {
  return addTangents(mesh, sameVertices(mesh));
}

/** The bytes of one mesh; as packPlaced. */
export function packMesh(
  mesh: TriangleMesh,
  diagnostics: Diagnostics,
  element: SourceElement,
): Promise<PackedMesh | null> {
  return packPlaced([{ mesh, world: null }], diagnostics, element);
}

/**
 * Places, merges and packs without arrays in between: vertices as stored, equal ones welded, triangles that lost their
 * area in float32 dropped, ordered for the vertex cache and for fetching. The same bytes as packMesh of mergeMeshes of
 * placeMesh. Null when nothing is left. Empties `parts`, so that meshes that nobody else needs can be let go. Throws
 * UC2011; reports UC2000, UC2001 and UC2010.
 */
export async function packPlaced(
  parts: (PlacedMesh | PackedPart)[],
  diagnostics: Diagnostics,
  element: SourceElement,
): Promise<PackedMesh | null> {
  // 1. Vertices as they will be stored.
  const { words, all } = placeParts(parts, diagnostics, element);
  parts.length = 0;

  // 2. Weld by bytes: what is stored alike is one vertex.
  const { count: vertexCount, remap } = weldRows(words, VERTEX_WORDS);
  const vertices = words.subarray(0, vertexCount * VERTEX_WORDS);
  if (remap) renumber(all, remap);

  // 3. Drop, order, narrow.
  const bounds = packedBounds(vertices);
  if (bounds === null) {
    fail('UC2011', element.file, element.path, 'a position in world space is beyond what float32 can hold');
  }
  const kept = dropDegenerate(all, new Float32Array(words.buffer), VERTEX_WORDS);
  if (kept === 0) {
    diagnostics.report('UC2000', element.file, element.path, 'no triangle has an area where it is placed');
    return null;
  }
  reportDropped((all.length - kept) / 3, all.length / 3, diagnostics, element);
  const indices = all.subarray(0, kept);
  await orderForCache(indices, vertexCount);
  const order = orderForFetch(indices, vertexCount);
  const stored = reorderVertices(vertices, order);
  return {
    vertexCount: order.length,
    vertices: new Uint8Array(stored.buffer),
    indices: packIndices(indices, order.length),
    bounds: order.length === vertexCount ? bounds : packedBounds(stored)!,
  };
}

/** Packed vertices and raised indices of all parts, one after the other. */
function placeParts(
  parts: readonly (PlacedMesh | PackedPart)[],
  diagnostics: Diagnostics,
  element: SourceElement,
): { readonly words: Uint32Array; readonly all: Uint32Array } {
  let vertexTotal = 0;
  let indexTotal = 0;
  for (const part of parts) {
    vertexTotal += 'words' in part ? part.words.length / VERTEX_WORDS : part.mesh.vertexCount;
    indexTotal += ('words' in part ? part : part.mesh).indices.length;
  }

  const words = new Uint32Array(vertexTotal * VERTEX_WORDS);
  const all = new Uint32Array(indexTotal);
  let first = 0;
  let at = 0;
  for (const part of parts) {
    if ('words' in part) {
      words.set(part.words, first * VERTEX_WORDS);
      copyIndices(part.indices, first, false, all, at);
      first += part.words.length / VERTEX_WORDS;
      at += part.indices.length;
      continue;
    }
    const { world } = part;
    let { mesh } = part;
    let to = world ? placement(world, diagnostics, element) : null;
    if (to?.flattened) {
      // Some normals can only be repaired where the triangles are known.
      mesh = placeMesh(mesh, to.world, diagnostics, element);
      to = null;
    }
    packVertices(mesh, to, words, first);
    copyIndices(mesh.indices, first, to?.mirrored ?? false, all, at);
    first += mesh.vertexCount;
    at += mesh.indices.length;
  }
  return { words, all };
}

/** Copies indices to `out[at]`, raised by `first`; `turned` swaps the second and third corner of each triangle. */
function copyIndices(indices: Uint32Array, first: number, turned: boolean, out: Uint32Array, at: number): void {
  const second = turned ? 2 : 1;
  const third = turned ? 1 : 2;
  for (let i = 0; i < indices.length; i += 3, at += 3) {
    out[at] = first + indices[i];
    out[at + 1] = first + indices[i + second];
    out[at + 2] = first + indices[i + third];
  }
}

function renumber(indices: Uint32Array, remap: Uint32Array): void {
  for (let i = 0; i < indices.length; i++) indices[i] = remap[indices[i]];
}

/** The triangles with an area; the same ones when all have. */
function withArea(mesh: PolygonMesh, cut: Triangulation): Triangulation {
  const { points, corners } = mesh;
  let kept: Uint32Array | null = null;
  let number = 0;
  for (let t = 0; t < cut.count; t++) {
    const a = cut.corners ? cut.corners[t * 3] : t * 3;
    const b = cut.corners ? cut.corners[t * 3 + 1] : t * 3 + 1;
    const c = cut.corners ? cut.corners[t * 3 + 2] : t * 3 + 2;
    if (hasArea(points, corners[a] * 3, corners[b] * 3, corners[c] * 3)) {
      if (kept) kept[number] = t;
      number++;
    } else if (kept === null) {
      kept = new Uint32Array(cut.count);
      for (let k = 0; k < t; k++) kept[k] = k;
    }
  }
  if (kept === null) return cut;
  const outCorners = new Uint32Array(number * 3);
  const outFaces = new Uint32Array(number);
  for (let i = 0; i < number; i++) {
    const t = kept[i];
    for (let k = 0; k < 3; k++) outCorners[i * 3 + k] = cut.corners ? cut.corners[t * 3 + k] : t * 3 + k;
    outFaces[i] = cut.faces ? cut.faces[t] : t;
  }
  return { ...cut, count: number, corners: outCorners, faces: outFaces };
}

/** uv0 moved by islands and cut to the range of half floats, with a word about what remains coarse. */
function placeUvs(
  mesh: TriangleMesh,
  request: MeshRequest,
  diagnostics: Diagnostics,
  { file, path }: SourceElement,
): Float32Array {
  let uv0 = shiftIslands(mesh.positions, mesh.uv0, mesh.indices);
  let reach = uvReach(uv0);
  if (reach[0] > MAX_HALF || reach[1] > MAX_HALF) {
    uv0 = uv0.map((x) => Math.max(-MAX_HALF, Math.min(MAX_HALF, x)));
    diagnostics.report('UC2007', file, path, `texture coordinates reach ${Math.max(...reach)}`);
    reach = uvReach(uv0);
  }
  if (!request.textureSize) return uv0;
  const [width, height] = request.textureSize;
  const precision = uvPrecision(reach, width, height);
  if (!precision.coarse) return uv0;
  const size = `${width} x ${height} pixels`;
  if (precision.finest) {
    // True of every mesh with such a texture: said once.
    const message = `a texture has ${size}, texture coordinates step by 1/2048 at best`;
    diagnostics.once(file, 'UC2009', file, path, message);
  } else {
    diagnostics.report('UC2008', file, path, `texture coordinates step by ${precision.texels} texels of ${size}`);
  }
  return uv0;
}

function reportDropped(dropped: number, total: number, diagnostics: Diagnostics, element: SourceElement): void {
  if (dropped === 0) return;
  const message = `left out ${dropped} of ${count(total, 'triangle')}: they have no area`;
  diagnostics.report('UC2001', element.file, element.path, message);
}

function count(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`;
}
