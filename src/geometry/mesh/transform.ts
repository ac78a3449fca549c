// Place: a mesh moved into world space by a matrix, in float64 until the float32 that a vertex stores. Mirrored matrices
// turn the winding and the tangents' signs, so that fronts stay fronts and normal maps keep their green.

import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import { cofactor3, determinant3, isFiniteMatrix, isIdentity } from '../../scene/matrix.ts';
import type { Mat4 } from '../../scene/types.ts';
import { repairNormals } from '../shading/normals.ts';
import { type AttributeArray, type Attributes, acrossNormal, attributesFrom, kindOf, SEMANTICS } from './attributes.ts';
import type { SourceLocation } from './location.ts';
import type { Float32Mesh, Mesh } from './mesh.ts';
import { dropDegenerate } from './optimise.ts';

/** A determinant below this share of the product of the axes' lengths is 0 but for rounding. */
const FLAT = 1e-12;

/** A world matrix with what follows from it. */
export interface Placement {
  readonly world: Mat4;
  /** For normals: the inverse transpose but for a positive factor, column-major 9. */
  readonly normal: Float64Array;
  /** Left becomes right. */
  readonly mirrored: boolean;
  /** Space is squeezed to a plane, a line or a point. */
  readonly flattened: boolean;
  /** Changes nothing. */
  readonly identity: boolean;
}

/** The arrays for placed vertices: positions, and those attributes that a matrix changes and the caller wants. */
export interface VertexTarget {
  readonly positions: Float32Array;
  readonly attributes: Partial<Attributes>;
}

/** The attributes that a matrix changes. */
const TRANSFORMED = SEMANTICS.filter((semantic) => kindOf(semantic).transform !== null);

/** Room for the placed values of `count` vertices of a mesh. */
export function vertexTarget(mesh: Pick<Mesh, 'attributes'>, count: number): VertexTarget {
  const attributes = attributesFrom((semantic, { array, components, transform }) =>
    transform && mesh.attributes[semantic] ? new array(count * components) : undefined,
  );
  return { positions: new Float32Array(count * 3), attributes };
}

/** Throws UC2011 when the matrix is not finite; warns (UC2010) when it flattens. */
export function placement(world: Mat4, diagnostics: Diagnostics, location: SourceLocation): Placement {
  if (!isFiniteMatrix(world)) {
    fail('UC2011', location.file, location.path, 'the world matrix has an element that is not a finite number');
  }
  const to = placementOf(world);
  if (to.flattened) {
    diagnostics.report('UC2010', location.file, location.path, 'the world matrix squeezes the mesh flat');
  }
  return to;
}

/** A finite matrix, with values that are derived from it. */
export function placementOf(world: Mat4): Placement {
  const determinant = determinant3(world);
  const axis = (c: number) => Math.hypot(world[c * 4], world[c * 4 + 1], world[c * 4 + 2]);
  const flattened = !(Math.abs(determinant) > FLAT * axis(0) * axis(1) * axis(2));
  const mirrored = !flattened && determinant < 0;
  const normal = cofactor3(world);
  if (mirrored) for (let i = 0; i < 9; i++) normal[i] = -normal[i];
  return { world, normal, mirrored, flattened, identity: isIdentity(world) };
}

/**
 * The mesh in world space, with positions in float32: p' = M p, normals by the inverse transpose, tangents by M; unit
 * length again. Mirrored: winding and tangent signs turn. Flattened: triangles that lost their area go, normals that
 * lost their direction take their faces'. Gives `mesh` itself when nothing changes. Throws UC2011, warns UC2010.
 */
export function placeMesh(mesh: Mesh, world: Mat4, diagnostics: Diagnostics, location: SourceLocation): Float32Mesh {
  const to = placement(world, diagnostics, location);
  const { vertexCount } = mesh;
  if (to.identity && isFloat32(mesh)) return mesh;
  const out = vertexTarget(mesh, vertexCount);
  placeVertices(mesh, to, 0, vertexCount, out);
  let { indices } = mesh;
  if (to.mirrored) {
    indices = indices.slice();
    for (let i = 0; i < indices.length; i += 3) {
      const b = indices[i + 1];
      indices[i + 1] = indices[i + 2];
      indices[i + 2] = b;
    }
  }
  const attributes = { ...mesh.attributes, ...out.attributes };
  if (to.flattened) {
    indices = indices.slice();
    indices = indices.subarray(0, dropDegenerate(indices, out.positions));
    repairNormals(attributes.normal, out.positions, indices);
  }
  return { vertexCount, positions: out.positions, attributes, indices };
}

const isFloat32 = (mesh: Mesh): mesh is Float32Mesh => mesh.positions instanceof Float32Array;

/** Writes vertices `first` to `first + count` in world space to the front of `out`. */
export function placeVertices(
  mesh: Pick<Mesh, 'positions' | 'attributes'>,
  to: Placement,
  first: number,
  count: number,
  out: VertexTarget,
): void {
  placePositions(mesh.positions, to.world, first, count, out.positions);
  for (const semantic of TRANSFORMED) {
    const values = mesh.attributes[semantic];
    const placed = out.attributes[semantic];
    if (!values || !placed) continue;
    if (kindOf(semantic).transform === 'normal') placeNormals(values, to.normal, first, count, placed);
    else placeTangents(values, to, first, count, placed, out.attributes.normal as Float32Array);
  }
}

/** Writes positions `first` to `first + count`, multiplied by the matrix, to the front of `out`. */
export function placePositions(
  positions: Float32Array | Float64Array,
  m: Mat4,
  first: number,
  count: number,
  out: Float32Array,
): void {
  for (let i = 0, at = first * 3; i < count * 3; i += 3, at += 3) {
    const px = positions[at];
    const py = positions[at + 1];
    const pz = positions[at + 2];
    out[i] = m[0] * px + m[4] * py + m[8] * pz + m[12];
    out[i + 1] = m[1] * px + m[5] * py + m[9] * pz + m[13];
    out[i + 2] = m[2] * px + m[6] * py + m[10] * pz + m[14];
  }
}

/** Transforms three components of each vertex; zeros stay where the matrix leaves no direction. */
function placeNormals(
  normals: AttributeArray,
  n: Float64Array,
  first: number,
  count: number,
  out: AttributeArray,
): void {
  for (let i = 0, at = first * 3; i < count * 3; i += 3, at += 3) {
    const x = normals[at];
    const y = normals[at + 1];
    const z = normals[at + 2];
    const nx = n[0] * x + n[3] * y + n[6] * z;
    const ny = n[1] * x + n[4] * y + n[7] * z;
    const nz = n[2] * x + n[5] * y + n[8] * z;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const scale = length > 0 ? 1 / length : 0;
    out[i] = nx * scale;
    out[i + 1] = ny * scale;
    out[i + 2] = nz * scale;
  }
}

/** Transforms four components of each vertex; writes the placed normal's fallback where the matrix leaves no direction. */
function placeTangents(
  tangents: AttributeArray,
  { world: m, mirrored }: Placement,
  first: number,
  count: number,
  out: AttributeArray,
  placedNormals: Float32Array,
): void {
  for (let i = 0, at = first * 4; i < count * 4; i += 4, at += 4) {
    const x = tangents[at];
    const y = tangents[at + 1];
    const z = tangents[at + 2];
    const tx = m[0] * x + m[4] * y + m[8] * z;
    const ty = m[1] * x + m[5] * y + m[9] * z;
    const tz = m[2] * x + m[6] * y + m[10] * z;
    const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
    if (!(length > 0)) {
      acrossNormal(placedNormals, (i / 4) * 3, out, i);
      continue;
    }
    out[i] = tx / length;
    out[i + 1] = ty / length;
    out[i + 2] = tz / length;
    out[i + 3] = mirrored ? -tangents[at + 3] : tangents[at + 3];
  }
}
