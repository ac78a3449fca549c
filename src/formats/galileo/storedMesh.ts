// Meshes as Galileo files hold them, but in the engine's space: values as float32, texture coordinates in steps of 1/65535 and
// colours as bytes; vertices welded and ordered.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { bakePlacements, bakePositions } from '../../geometry/instances/bakePlacements.ts';
import { type AttributeArray, acrossNormal, COLOR_SETS, type Semantic } from '../../geometry/mesh/attributes.ts';
import type { SourceLocation } from '../../geometry/mesh/location.ts';
import { type Float32Mesh, valuesOf } from '../../geometry/mesh/mesh.ts';
import type { UvLimits } from '../../geometry/uv/limits.ts';
import { isIdentity } from '../../scene/matrix.ts';
import type { Mat4 } from '../../scene/types.ts';
import { type FloatMesh, storeParts as floatParts, storeMesh } from '../floatMesh.ts';
import type { PlacedMesh } from '../format.ts';
import { rounded } from '../rounded.ts';
import { inUnitSquares } from './uvSquares.ts';

export const STORED_ATTRIBUTES: readonly Semantic[] = ['normal', 'tangent', 'uv0', ...COLOR_SETS];

/** What 1 is stored as. */
export const UNORM = 65535;
/** Steps of 2^-16 wherever a coordinate is: whole numbers come off. */
export const UNORM_UVS: UvLimits = { largest: 2 ** 23, fractionBits: 39, minStep: 2 ** -16 };

/** Triangles that a small group may be cut into; a larger one into twice as many as it has. */
const SMALL_GROUP = 2 ** 16;

export interface GalileoStored extends FloatMesh {
  /** Where the texture coordinates need more triangles than a group may be cut into; null: they are from 0 to 1. */
  readonly tooFar: SourceLocation | null;
}

/** V as a file counts it, and back: it has 0 at the top of the image. */
export const unormV = (v: number): number => Math.round((1 - v) * UNORM);
export const unormU = (u: number): number => Math.round(u * UNORM);

/** The values of an attribute as a file gives them back, where they fit it. */
export function roundValues(semantic: Semantic, values: AttributeArray): AttributeArray | null {
  // The format has no skeleton that joints could be of.
  if (semantic === 'joints' || semantic === 'weights') return null;
  if (semantic !== 'uv0') return values;
  return Float32Array.from(values, (value, i) => (i % 2 === 1 ? 1 - unormV(value) / UNORM : unormU(value) / UNORM));
}

/** A mesh whose triangles stay as they are: texture coordinates are moved by whole numbers where that is enough. */
export function storeAsIs(mesh: Float32Mesh): GalileoStored {
  const moved = inUnitSquares(mesh, 0);
  return { ...storeMesh(moved ?? mesh), tooFar: moved === null ? { file: '', path: '' } : null };
}

/** One mesh of all parts. Empties `parts`. Throws UC2011; reports UC2000, UC2001 and UC2010. */
export async function storeParts(
  parts: PlacedMesh[],
  diagnostics: Diagnostics,
  location: SourceLocation,
): Promise<GalileoStored | null> {
  const mesh = await floatParts(parts, diagnostics, location);
  if (mesh === null) return null;
  const max = Math.max(SMALL_GROUP, (mesh.indices.length / 3) * 2);
  const moved = inUnitSquares(mesh, max);
  if (moved === null) return { ...mesh, tooFar: location };
  return { ...storeMesh(await rounded(moved, roundValues)), tooFar: null };
}

export async function drawnMesh(stored: GalileoStored, placements: readonly Mat4[] | null): Promise<Float32Mesh> {
  const { bounds: _, tooFar: __, points: ___, ...mesh } = stored;
  if (placements === null || (placements.length === 1 && isIdentity(placements[0]))) return mesh;
  return rounded(bakePlacements(placements.map((world) => ({ mesh, world }))), roundValues);
}

export function drawnPositions({ positions }: GalileoStored, placements: readonly Mat4[] | null): Float32Array {
  return placements === null ? positions : bakePositions(positions, placements);
}

/** Vectors of `size` numbers, the first three of unit length: every file must have them so. */
export function unitVectors(values: Float32Array, size: 3 | 4, normals: Float32Array): Float32Array {
  const out = values.slice();
  for (let at = 0, n = 0; at < out.length; at += size, n += 3) {
    const length = Math.hypot(out[at], out[at + 1], out[at + 2]);
    if (!(length > 0)) {
      if (size === 4) acrossNormal(normals, n, out, at);
      else out.set([0, 0, 1], at);
    } else if (Math.abs(length - 1) > 1e-4) for (let k = 0; k < 3; k++) out[at + k] /= length;
    if (size === 4) out[at + 3] = out[at + 3] < 0 ? -1 : 1;
  }
  return out;
}

/** Unit normals and tangents of a mesh, the latter made where it has none. */
export function frames(mesh: Float32Mesh): { normals: Float32Array; tangents: Float32Array } {
  const normals = unitVectors(mesh.attributes.normal, 3, mesh.attributes.normal);
  return { normals, tangents: unitVectors(valuesOf(mesh, 'tangent'), 4, normals) };
}
