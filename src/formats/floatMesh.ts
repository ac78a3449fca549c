// Meshes as GLB and Urho3D hold them: every value as float32, colours as bytes, V down, vertices welded and ordered.

import { type Diagnostics, fail } from '../diagnostics/diagnostic.ts';
import { bakePlacements, bakePositions } from '../geometry/instances/bakePlacements.ts';
import {
  type AttributeArray,
  type Attributes,
  attributesFrom,
  COLOR_SETS,
  type ColorSemantic,
  isUvs,
  type Semantic,
} from '../geometry/mesh/attributes.ts';
import type { SourceLocation } from '../geometry/mesh/location.ts';
import { mergeMeshes } from '../geometry/mesh/merge.ts';
import { bitsOf, type Float32Mesh, type Mesh, valuesOf } from '../geometry/mesh/mesh.ts';
import { dropDegenerate } from '../geometry/mesh/optimise.ts';
import { placeMesh } from '../geometry/mesh/transform.ts';
import type { UvLimits } from '../geometry/uv/limits.ts';
import { boundsOfPoints } from '../scene/bounds.ts';
import { identity, isIdentity } from '../scene/matrix.ts';
import type { Bounds, Mat4 } from '../scene/types.ts';
import type { InstanceCandidate, PlacedMesh } from './format.ts';
import { rounded } from './rounded.ts';

export const STORED_ATTRIBUTES: readonly Semantic[] = ['normal', 'tangent', 'uv0', ...COLOR_SETS];

/** float32. */
export const FLOAT_UVS: UvLimits = { largest: 2 ** 23, fractionBits: 23, minStep: 2 ** -149 };

/** Texture coordinates have V up; the file has the origin of images at the upper left. */
export interface FloatMesh extends Float32Mesh {
  readonly bounds: Bounds;
  /** Of a mesh with morph targets: the numbers by which these list the points of the vertices; 0: none moves it. */
  readonly points?: Uint32Array;
}

/** V as the other side counts it: glTF (3.8.3) and Urho3D have 0 at the top of the image. The same both ways. */
export function flippedUvs(uvs: ArrayLike<number>): Float32Array {
  return Float32Array.from(uvs, (value, i) => (i % 2 === 1 ? 1 - value : value));
}

/**
 * The sets of colours of a mesh up to the last one that is not white at every vertex: what has no colour is white. Files number
 * their sets, so a set that is missing before another is made.
 */
export function countedColors(mesh: Mesh): Uint8Array[] {
  const isColored = (set: ColorSemantic) => mesh.attributes[set]?.some((value) => value !== 255) ?? false;
  const last = COLOR_SETS.findLastIndex(isColored);
  return COLOR_SETS.slice(0, last + 1).map((set) => valuesOf(mesh, set));
}

/** The attributes of a mesh, its colours as countedColors() gives them. */
function withCountedColors(mesh: Mesh): Attributes {
  const colors = new Map<Semantic, Uint8Array>(countedColors(mesh).map((values, i) => [COLOR_SETS[i], values]));
  const isColor = (semantic: Semantic) => COLOR_SETS.some((set) => set === semantic);
  return attributesFrom((semantic) => (isColor(semantic) ? colors.get(semantic) : mesh.attributes[semantic]));
}

/** The values of an attribute as a file gives them back: V loses the digits that 1 - V has no room for. */
export function roundValues(semantic: Semantic, values: AttributeArray): AttributeArray {
  return isUvs(semantic) ? flippedUvs(flippedUvs(values)) : values;
}

/** A mesh as it is. */
export function storeMesh(mesh: Float32Mesh): FloatMesh {
  const bounds = boundsOfPoints(mesh.positions);
  if (bounds === null) throw new Error('a mesh to be stored has no position');
  return { ...mesh, bounds };
}

/** One mesh of all parts. Empties `parts`. Throws UC2011; reports UC2000, UC2001 and UC2010. */
export async function storeParts(
  parts: PlacedMesh[],
  diagnostics: Diagnostics,
  location: SourceLocation,
): Promise<FloatMesh | null> {
  const { file, path } = location;
  const merged = mergeMeshes(
    parts.map(({ mesh, world }) => placeMesh(mesh, world ?? identity(), diagnostics, location)),
  );
  parts.length = 0;
  if (!merged.positions.every(Number.isFinite)) {
    fail('UC2011', file, path, 'a position in world space is beyond what float32 can hold');
  }
  const indices = merged.indices.slice();
  const count = dropDegenerate(indices, merged.positions);
  if (count === 0) {
    diagnostics.report('UC2000', file, path, 'no triangle has an area where it is placed');
    return null;
  }
  if (count < indices.length) {
    const all = indices.length === 3 ? '1 triangle' : `${indices.length / 3} triangles`;
    diagnostics.report('UC2001', file, path, `left out ${(indices.length - count) / 3} of ${all}: they have no area`);
  }
  const attributes = withCountedColors(merged);
  return withPoints(await rounded({ ...merged, attributes, indices: indices.slice(0, count) }, roundValues));
}

/** The numbers of points are no part of what is stored. */
function withPoints(mesh: Float32Mesh): FloatMesh {
  const { point, ...attributes } = mesh.attributes;
  return point ? { ...storeMesh({ ...mesh, attributes }), points: bitsOf(point) } : storeMesh(mesh);
}

/** What is drawn of a stored mesh, in world space. */
export async function drawnMesh(stored: FloatMesh, placements: readonly Mat4[] | null): Promise<Float32Mesh> {
  const { bounds: _, points: __, ...mesh } = stored;
  if (placements === null || (placements.length === 1 && isIdentity(placements[0]))) return mesh;
  return rounded(bakePlacements(placements.map((world) => ({ mesh, world }))), roundValues);
}

export function drawnPositions({ positions }: FloatMesh, placements: readonly Mat4[] | null): Float32Array {
  return placements === null ? positions : bakePositions(positions, placements);
}

/** A node takes few bytes and a file has room for any number: whatever is placed twice is stored once. */
export const isWorthInstances = ({ placements }: Pick<InstanceCandidate, 'placements'>): boolean => placements > 1;

export const chooseInstances = (candidates: readonly InstanceCandidate[]): boolean[] =>
  candidates.map(isWorthInstances);
