// Reads the subdivision rules of a Mesh prim (UsdGeomMesh): scheme, boundary rule, face-varying rule and sharp corners.
// They are used by a cook with subdivision. Creases are read with the mesh, because they affect its normals in any
// case.

import type { Subdivision } from '../../../../scene/types.ts';
import type { StagePrim } from '../../compose/stage/stage.ts';
import { integersOf, textOf } from '../../compose/values/values.ts';
import type { Notes } from '../../notes.ts';

const BOUNDARIES = ['none', 'edgeOnly', 'edgeAndCorner'] as const;
const FACE_VARYING = ['none', 'cornersOnly', 'cornersPlus1', 'cornersPlus2', 'boundaries', 'all'] as const;
const TRIANGLES = ['catmullClark', 'smooth'] as const;

/** The token of an attribute, or the fallback of the schema if it is not authored or not allowed (UC1828). */
function tokenOf<T extends string>(prim: StagePrim, name: string, allowed: readonly T[], fallback: T, notes: Notes): T {
  const authored = textOf(prim.attribute(name)?.get()?.value);
  if (authored === null) return fallback;
  const token = allowed.find((word) => word === authored);
  if (token === undefined) notes.report('UC1828', prim.path, `${name} is "${authored}"; "${fallback}" is used`);
  return token ?? fallback;
}

function readCorners(prim: StagePrim, vertexCount: number, notes: Notes): Subdivision['corners'] {
  const vertices = integersOf(prim.attribute('cornerIndices')?.get()?.value);
  if (!vertices || vertices.length === 0) return null;
  const value = prim.attribute('cornerSharpnesses')?.get()?.value;
  const sharpnesses = value?.array && value.type === 'Float' ? (value.value as Float32Array) : new Float32Array(0);
  const inRange = vertices.every((v) => v >= 0 && v < vertexCount);
  if (!inRange || sharpnesses.length !== vertices.length || sharpnesses.some((s) => Number.isNaN(s))) {
    notes.report('UC1813', prim.path, 'the corners do not fit their sharpnesses or the points and are dropped');
    return null;
  }
  return { vertices: Uint32Array.from(vertices), sharpnesses };
}

/** The rules of a subdivision surface; null for polygons: the scheme `none` and unknown schemes. */
export function readSubdivision(prim: StagePrim, vertexCount: number, notes: Notes): Subdivision | null {
  const scheme = textOf(prim.attribute('subdivisionScheme')?.get()?.value) ?? 'catmullClark';
  if (scheme !== 'catmullClark' && scheme !== 'loop' && scheme !== 'bilinear') return null;
  return {
    scheme,
    boundary: tokenOf(prim, 'interpolateBoundary', BOUNDARIES, 'edgeAndCorner', notes),
    faceVarying: tokenOf(prim, 'faceVaryingLinearInterpolation', FACE_VARYING, 'cornersPlus1', notes),
    triangles: tokenOf(prim, 'triangleSubdivisionRule', TRIANGLES, 'catmullClark', notes),
    corners: readCorners(prim, vertexCount, notes),
  };
}
