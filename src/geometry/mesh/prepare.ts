// Prepare: the polygons of one subset as a mesh of triangles in mesh space, which serves all its placements.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { kernel } from '../../kernel/kernel.ts';
import { texCoordOf } from '../../scene/gltfMaterial.ts';
import { type Attribute, MAX_SETS, type PolygonMesh, type UvChoice, type Vec4 } from '../../scene/types.ts';
import { drawnTriangles } from '../polygons/drawnTriangles.ts';
import { makeNormals, unitNormals } from '../shading/normals.ts';
import { addTangents, turnTangents } from '../shading/tangents.ts';
import { type BakedColors, withBakedColors } from '../uv/colorCharts.ts';
import { type UvLimits, uvPrecision, uvStep } from '../uv/limits.ts';
import { type ChosenUvs, chosenUvs, keptUvs, shiftIslands, transformedUvs, uvReach } from '../uv/uvs.ts';
import { ATTRIBUTES, type Semantic, UV_SETS, type UvSemantic } from './attributes.ts';
import { CornerColors, colorSetsOf, type Palette, paletteCells } from './colors.ts';
import type { SourceLocation } from './location.ts';
import { type Mesh, valuesOf } from './mesh.ts';
import { buildVertices, type PackedValues } from './vertices.ts';

/** The texture coordinates along which tangents lie: the set of that number in glTF, with V up, and an affine on it. */
export interface KeptTangents {
  readonly set: number;
  readonly transform: UvChoice['transform'];
}

/** How to prepare a mesh. */
export interface MeshRequest {
  /** Index of the face subset, -1 for the faces that none claims. */
  readonly subset: number;
  readonly uv: UvChoice;
  /**
   * The material is written as it is: all sets of texture coordinates keep their numbers in glTF and their values, and `uv` is not
   * used. `sets`: the numbers of those that its textures use. `tangents`: what tangents are made of where the source has none; null:
   * nobody needs them. Absent: textures were made for `uv`.
   */
  readonly keeps?: { readonly sets: readonly number[]; readonly tangents: KeptTangents | null } | undefined;
  /**
   * Where the colours that materials draw go. 'white': nowhere (there are none, or a constant went into the material).
   * 'store': into color0, if that is made. palette: uv0 of each triangle becomes the centre of its colour's cell
   * (scene/palette.ts) and `uv` is not used. baked: uv0 leads into the pictures of its charts, and `uv` is not used either.
   */
  readonly color: 'white' | 'store' | { readonly palette: Palette } | { readonly baked: BakedColors };
  /** Whether what reads the file draws the colours that are stored. */
  readonly drawsColors?: boolean;
  /** Whether the output has textures. */
  readonly hasTextures?: boolean;
  /**
   * The attributes that are made besides normals, texture coordinates and what a skeleton needs. Tangents are made where none
   * are authored; without UVs, or where colours have become a texture, there are none to make.
   */
  readonly attributes: readonly Semantic[];
  /**
   * How the normal map was turned into the tangent space of uv0. `[tx, ty, bx, by]`: the new axes in the old tangent and
   * bitangent; authored tangents are turned to them. `'anew'`: tangents are made again from uv0. Null or absent: authored
   * tangents are kept.
   */
  readonly tangentTurn?: Vec4 | 'anew' | null;
  /** Which UVs can be stored. */
  readonly uvLimits: UvLimits;
  /** Width and height of the largest texture sampled with these UVs, for the warning about their precision. */
  readonly textureSize?: readonly [number, number] | null;
}

/**
 * Makes the triangles of one subset: polygons cut, triangles without area dropped, normals made or repaired, UVs chosen
 * and moved towards 0, colours as asked, tangents per corner. In mesh space; may share arrays with `mesh`. Null when the
 * subset has no triangle with an area. Reports UC2000-UC2009, UC2012-UC2015 and UC2341 at `location`.
 */
export async function prepareMesh(
  mesh: PolygonMesh,
  request: MeshRequest,
  diagnostics: Diagnostics,
  location: SourceLocation,
): Promise<Mesh | null> {
  const report = (code: Parameters<Diagnostics['report']>[0], message: string) =>
    diagnostics.report(code, location.file, location.path, message);

  // 1. Triangles.
  const { triangles, dropped } = drawnTriangles(mesh, request.subset);
  const { shortFaces, fannedFaces } = triangles;
  if (shortFaces > 0) report('UC2002', `left out ${count(shortFaces, 'face')} with fewer than three corners`);
  if (fannedFaces > 0) report('UC2003', `cut ${count(fannedFaces, 'face')} as fans: the outline crosses itself`);
  if (triangles.count === 0) {
    if (dropped > 0) report('UC2000', `${count(dropped, 'triangle')}, none with an area`);
    return null;
  }
  reportDropped(dropped, triangles.count + dropped, diagnostics, location);

  // 2. Values.
  const authored = mesh.normals ? unitNormals(mesh.normals) : null;
  if (authored && authored.invalid > 0) report('UC2004', `repaired ${count(authored.invalid, 'normal')}`);
  const { color } = request;
  const cells = typeof color === 'object' && 'palette' in color ? paletteCells(color.palette) : null;
  const baked = typeof color === 'object' && 'baked' in color ? color.baked : null;
  const colorSets = colorSetsOf(
    mesh,
    (semantic, { isDrawn }) => request.attributes.includes(semantic) && (!isDrawn || color === 'store'),
  );
  const kept = request.keeps ? keptUvs(mesh, request.attributes, request.keeps.sets) : null;
  const uvs = cells || baked || kept ? null : chosenUvs(mesh, request.uv);
  const others = kept ?? otherUvs(mesh, uvs?.attribute ? request.uv.set : null, request.attributes);
  const invalidUvs = (uvs?.invalid ?? 0) + others.invalid;
  if (invalidUvs > 0) report('UC2006', `set ${count(invalidUvs, 'texture coordinate')} to 0`);
  if (others.left.length > 0) report('UC2341', leftSets(others.left, request));
  const missing = missingUvs(mesh, request, uvs);
  if (missing !== null) report('UC2012', `there is no UV set '${missing}'`);

  // 3. Vertices. Tangents without the normals they belong to are ignored, as glTF 2.0, 3.7.2.1 demands.
  const turn = request.tangentTurn ?? null;
  const isAnew = turn === 'anew' && uvs !== null && uvs.attribute !== null;
  const usesTangents = mesh.normals !== null && !cells && !baked && !isAnew && request.attributes.includes('tangent');
  const values = {
    normal: authored ? authored.attribute : makeNormals(mesh),
    ...firstUvs(uvs, others, request),
    ...others.values,
    ...(usesTangents && mesh.tangents ? { tangent: mesh.tangents } : {}),
    ...skinValues(mesh),
  };
  const painted = cells ? new CornerColors(mesh, ATTRIBUTES.color0.source) : null;
  const source = {
    values,
    packed: { ...colorSets, ...pointValues(mesh) },
    cells: painted && cells ? { of: painted, uvs: cells } : null,
  };
  const { mesh: plain, invalidTangents } = buildVertices(mesh, triangles, source);
  const built = baked ? withBakedColors(plain, mesh, triangles, baked) : plain;
  if (invalidTangents > 0) report('UC2005', `replaced ${count(invalidTangents, 'tangent')}`);
  const sets = [...(painted ? [painted] : []), ...Object.values(colorSets)];
  const invalidColors = sets.reduce((sum, { invalid }) => sum + invalid, 0);
  if (invalidColors > 0) report('UC2014', `${count(invalidColors, 'colour')} with a component set to 0`);
  if (Object.keys(colorSets).length > 0 && !request.drawsColors) {
    const message = 'vertex colours are stored, but the engine does not draw them';
    diagnostics.once(location.file, 'UC2013', location.file, location.path, message);
  }
  const unstored = colorSetsOf(
    mesh,
    (semantic, { isDrawn }) => !request.attributes.includes(semantic) && (!isDrawn || request.color === 'store'),
  );
  for (const semantic of Object.keys(unstored)) {
    const message = `vertex colours ${semantic} are left out: the format has no place for them`;
    diagnostics.once(`${location.file} ${semantic}`, 'UC2013', location.file, location.path, message);
  }

  // 4. Tangents and stored UVs. In one use of the kernel: its memory serves both before it is released.
  const hasUvs = uvs !== null && uvs.attribute !== null;
  if (request.keeps) return withKeptTangents(built, request.keeps.tangents);
  return kernel.within(() => withStoredUvs(withTangents(built, request, hasUvs), request, diagnostics, location));
}

/** A set of texture coordinates that textures use and the mesh lacks; null: there is none. */
function missingUvs(mesh: PolygonMesh, { uv, keeps }: MeshRequest, uvs: ChosenUvs | null): string | null {
  if (keeps) return keeps.sets.map((set) => `TEXCOORD_${set}`).find((set) => !mesh.uvs.has(set)) ?? null;
  return uvs?.attribute === null ? uv.set : null;
}

/** The mesh with the tangents that its material needs. */
function withKeptTangents(mesh: Mesh, place: KeptTangents | null): Mesh {
  const uvs = place ? mesh.attributes[UV_SETS[place.set]] : undefined;
  if (!place || !uvs || mesh.attributes.tangent) return mesh;
  return kernel.within(() => addTangents(mesh, transformedUvs(uvs, place.transform)));
}

/** The mesh with authored tangents turned as asked, or with tangents made anew. */
function withTangents(mesh: Mesh, { tangentTurn, attributes }: MeshRequest, hasUvs: boolean): Mesh {
  const { normal, tangent } = mesh.attributes;
  if (!tangent) return attributes.includes('tangent') && hasUvs ? addTangents(mesh) : mesh;
  if (!tangentTurn || tangentTurn === 'anew') return mesh;
  return { ...mesh, attributes: { ...mesh.attributes, tangent: turnTangents(tangent, normal, tangentTurn) } };
}

/**
 * The mesh with UVs that can be stored. Call it when tangents are made: those come from the float32 differences that the
 * author saw.
 */
function withStoredUvs(mesh: Mesh, request: MeshRequest, diagnostics: Diagnostics, location: SourceLocation): Mesh {
  if (!mesh.attributes.uv0) return mesh;
  const uv0 = limitUvs(mesh, request, diagnostics, location);
  return { ...mesh, attributes: { ...mesh.attributes, uv0 } };
}

/** What a message says of sets for which there is no place. */
function leftSets(left: readonly string[], { keeps }: MeshRequest): string {
  const limit = `${left.join(', ')}: a vertex has ${MAX_SETS} sets of texture coordinates at most`;
  const sampled = left.filter((name) => keeps?.sets.includes(texCoordOf(name)));
  return sampled.length === 0 ? limit : `${limit}; the textures that use ${sampled.join(', ')} show one texel`;
}

interface OtherUvs {
  readonly values: Partial<Record<UvSemantic, Attribute>>;
  /** Elements that were not finite; zeros now. */
  readonly invalid: number;
  /** The names of sets for which there is no place. */
  readonly left: readonly string[];
}

/**
 * The chosen set as the first one. Where a mesh lacks it, it is 0 if another set follows or a texture is sampled with it, in a format
 * that numbers its sets: glTF allows no gap (3.7.2.1).
 */
function firstUvs(uvs: ChosenUvs | null, others: OtherUvs, request: MeshRequest): { readonly uv0?: Attribute } {
  if (uvs === null) return {};
  if (uvs.attribute) return { uv0: uvs.attribute };
  const isSampled = request.hasTextures === true && (request.textureSize ?? null) !== null;
  const isNeeded = isSampled || Object.keys(others.values).length > 0;
  return isNeeded && request.attributes.includes('uv1') ? { uv0: ZERO_UVS } : {};
}

/** What formats store for texture coordinates that are missing. */
const ZERO_UVS: Attribute = {
  data: Float32Array.from(ATTRIBUTES.uv0.fallback),
  size: 2,
  interpolation: 'constant',
  indices: null,
};

/** The sets of texture coordinates besides the chosen one, in their order. All are left alone where the format has none. */
function otherUvs(mesh: PolygonMesh, chosen: string | null, attributes: readonly Semantic[]): OtherUvs {
  const places = UV_SETS.filter((semantic) => semantic !== 'uv0' && attributes.includes(semantic));
  if (places.length === 0) return { values: {}, invalid: 0, left: [] };
  const names = [...mesh.uvs.keys()].filter((name) => name !== chosen);
  const values: Partial<Record<UvSemantic, Attribute>> = {};
  let invalid = 0;
  for (const [i, name] of names.slice(0, places.length).entries()) {
    const found = chosenUvs(mesh, { set: name, transform: null });
    if (found.attribute) values[places[i]] = found.attribute;
    invalid += found.invalid;
  }
  return { values, invalid, left: names.slice(places.length) };
}

/** Influences that a vertex keeps. */
const INFLUENCES = 4;

/** Joints and weights of a mesh that follows a skeleton; its influences are reduced to four already. */
function skinValues({ skinning }: PolygonMesh): { joints: Attribute; weights: Attribute } | null {
  if (!skinning) return null;
  const { joints, weights, influences } = skinning;
  if (influences !== INFLUENCES) throw new Error(`${influences} influences a vertex`);
  const ofVertex = (data: Float32Array): Attribute => ({
    data,
    size: INFLUENCES,
    interpolation: 'vertex',
    indices: null,
  });
  return { joints: ofVertex(Float32Array.from(joints)), weights: ofVertex(weights) };
}

/** The numbers of points that morph targets move. */
function pointValues({ pointNumbers }: PolygonMesh): { readonly point: PackedValues } | null {
  return pointNumbers ? { point: { read: (_corner, vertex) => pointNumbers[vertex], attributes: [] } } : null;
}

/** uv0 moved by islands and clamped to what can be stored; reports what remains coarse. */
/** Up to here half floats miss less than a texel just below 1: a note, no warning. */
const USUAL_PIXELS = 2048;

function limitUvs(
  mesh: Mesh,
  request: MeshRequest,
  diagnostics: Diagnostics,
  { file, path }: SourceLocation,
): Float32Array {
  let uv0 = shiftIslands(mesh.positions, valuesOf(mesh, 'uv0'), mesh.indices);
  let reach = uvReach(uv0);
  const { uvLimits: limits } = request;
  const { largest } = limits;
  if (reach[0] > largest || reach[1] > largest) {
    uv0 = uv0.map((x) => Math.max(-largest, Math.min(largest, x)));
    diagnostics.report('UC2007', file, path, `texture coordinates reach ${Math.max(...reach)}`);
    reach = uvReach(uv0);
  }
  if (!request.textureSize) return uv0;
  const [width, height] = request.textureSize;
  const precision = uvPrecision(reach, width, height, limits);
  if (!precision.coarse) return uv0;
  const size = `${width} x ${height} pixels`;
  if (precision.finest) {
    // True of every mesh with such a texture: reported once.
    const message = `a texture has ${size}, texture coordinates step by 1/${1 / uvStep(1, limits)} at best`;
    const code = Math.max(width, height) > USUAL_PIXELS ? 'UC2015' : 'UC2009';
    diagnostics.once(file, code, file, path, message);
  } else {
    diagnostics.report('UC2008', file, path, `texture coordinates step by ${precision.texels} texels of ${size}`);
  }
  return uv0;
}

function reportDropped(dropped: number, total: number, diagnostics: Diagnostics, location: SourceLocation): void {
  if (dropped === 0) return;
  const message = `left out ${dropped} of ${count(total, 'triangle')}: they have no area`;
  diagnostics.report('UC2001', location.file, location.path, message);
}

function count(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`;
}
