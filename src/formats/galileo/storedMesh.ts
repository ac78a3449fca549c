// Meshes as Galileo files hold them, but in the engine's space: values as float32, texture coordinates and weights in steps of
// 1/65535, and colours as bytes; vertices welded and ordered.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { bakePlacements, bakePositions } from '../../geometry/instances/bakePlacements.ts';
import {
  type AttributeArray,
  acrossNormal,
  attributesFrom,
  COLOR_SETS,
  isUvs,
  type Semantic,
  UV_SETS,
  type UvSemantic,
} from '../../geometry/mesh/attributes.ts';
import type { SourceLocation } from '../../geometry/mesh/location.ts';
import { type Float32Mesh, valuesOf } from '../../geometry/mesh/mesh.ts';
import { dropDegenerate } from '../../geometry/mesh/optimise.ts';
import type { UvLimits } from '../../geometry/uv/limits.ts';
import { isIdentity } from '../../scene/matrix.ts';
import type { Mat4 } from '../../scene/types.ts';
import { type FloatMesh, storeParts as floatParts, storeMesh } from '../floatMesh.ts';
import type { MeshMaterial, PlacedMesh } from '../format.ts';
import { counted } from '../losses.ts';
import { rounded } from '../rounded.ts';
import { WEIGHT_SUM } from './layout.ts';
import { inUnitSquares, movedBySet } from './uvSquares.ts';

export const STORED_ATTRIBUTES: readonly Semantic[] = ['normal', 'tangent', ...UV_SETS, ...COLOR_SETS];

/** What 1 is stored as. */
export const UNORM = 65535;
/** Steps of 2^-16 wherever a coordinate is: whole numbers come off. */
export const UNORM_UVS: UvLimits = { largest: 2 ** 23, fractionBits: 39, minStep: 2 ** -16 };

/** Triangles that a small group may be cut into; a larger one into twice as many as it has. */
const SMALL_GROUP = 2 ** 16;
/** A group that is cut into more than so many times its triangles is named. */
const GROWTH = 1.5;
/** Joints and weights of a vertex. */
const INFLUENCES = 4;

export interface GalileoStored extends FloatMesh {
  /** Where the texture coordinates need more triangles than a group may be cut into; null: they are from 0 to 1. */
  readonly tooFar: SourceLocation | null;
}

/** V as a file counts it, and back: it has 0 at the top of the image. */
export const unormV = (v: number): number => Math.round((1 - v) * UNORM);
export const unormU = (u: number): number => Math.round(u * UNORM);

/**
 * Weights as a file has them: the four of a vertex add up to WEIGHT_SUM. What rounding down leaves goes to those that lost most, of
 * equal ones to the first.
 */
export function unormWeights(weights: ArrayLike<number>): Uint16Array {
  const out = new Uint16Array(weights.length);
  const lost = new Float64Array(INFLUENCES);
  for (let at = 0; at < weights.length; at += INFLUENCES) {
    let sum = 0;
    for (let k = 0; k < INFLUENCES; k++) sum += weights[at + k];
    let rest = WEIGHT_SUM;
    for (let k = 0; k < INFLUENCES; k++) {
      const exact = sum > 0 ? (weights[at + k] / sum) * WEIGHT_SUM : 0;
      out[at + k] = Math.floor(exact);
      lost[k] = exact - out[at + k];
      rest -= out[at + k];
    }
    // Nothing moves the vertex: all of it follows the joint that is named first.
    if (sum === 0) out[at] = rest;
    else
      for (; rest > 0; rest--) {
        const most = lost.indexOf(Math.max(...lost));
        out[at + most]++;
        lost[most] = -1;
      }
  }
  return out;
}

/**
 * A mesh whose influences are as a file has them: the largest first, of equal ones the lower joint, and joint 0 where the weight
 * that is stored is 0. So a file that is read and cooked again has the same.
 */
function withStoredInfluences(mesh: Float32Mesh): Float32Mesh {
  const { joints, weights } = mesh.attributes;
  if (!joints || !weights) return mesh;
  const stored = unormWeights(weights);
  const outJoints = new Float32Array(joints.length);
  const outWeights = new Float32Array(weights.length);
  for (let at = 0; at < stored.length; at += INFLUENCES) {
    const order = [at, at + 1, at + 2, at + 3].sort((a, b) => stored[b] - stored[a] || joints[a] - joints[b]);
    for (const [k, from] of order.entries()) {
      outJoints[at + k] = stored[from] > 0 ? joints[from] : 0;
      outWeights[at + k] = stored[from] / WEIGHT_SUM;
    }
  }
  return { ...mesh, attributes: { ...mesh.attributes, joints: outJoints, weights: outWeights } };
}

/** Parts of 1 in which numbers of directions are stored: float32 has no more of them below 1. */
const DIRECTION_STEPS = 2 ** 24;
/** At most so often a direction is made of length 1 again; it settles after two or three times. */
const DIVISIONS = 8;

/**
 * Directions in vectors of `size` numbers, of length 1 and in steps, until making them so changes nothing. A reader that makes
 * them of length 1 then changes less than a step, so that a file that is read and cooked again has the same. Zeros stay.
 */
function settledDirections(values: AttributeArray, size: 3 | 4): Float32Array {
  const out = Float32Array.from(values);
  for (let at = 0; at < out.length; at += size) {
    for (let i = 0; i < DIVISIONS; i++) {
      const [x, y, z] = [out[at], out[at + 1], out[at + 2]];
      const length = Math.sqrt(x * x + y * y + z * z);
      if (!(length > 0)) break;
      for (let k = 0; k < 3; k++) {
        // Adding 0 makes 0 of -0.
        out[at + k] = Math.round((out[at + k] / length) * DIRECTION_STEPS) / DIRECTION_STEPS + 0;
      }
      if (out[at] === x && out[at + 1] === y && out[at + 2] === z) break;
    }
  }
  return out;
}

/** The values of an attribute as a file gives them back, where they fit it. */
export function roundValues(semantic: Semantic, values: AttributeArray): AttributeArray {
  if (semantic === 'normal') return settledDirections(values, 3);
  if (semantic === 'tangent') return settledDirections(values, 4);
  if (semantic === 'weights') return Float32Array.from(unormWeights(values), (weight) => weight / WEIGHT_SUM);
  if (!isUvs(semantic)) return values;
  return Float32Array.from(values, (value, i) => (i % 2 === 1 ? 1 - unormV(value) / UNORM : unormU(value) / UNORM));
}

/** The mesh without the triangles that cutting has left no area. */
function withArea(mesh: Float32Mesh): Float32Mesh {
  const indices = mesh.indices.slice();
  const count = dropDegenerate(indices, mesh.positions);
  return count === indices.length ? mesh : { ...mesh, indices: indices.slice(0, count) };
}

/** A mesh without one of its sets of texture coordinates: a file holds zeros for it where another set follows. */
function without(mesh: Float32Mesh, set: UvSemantic): Float32Mesh {
  const { attributes } = mesh;
  return { ...mesh, attributes: attributesFrom((semantic) => (semantic === set ? undefined : attributes[semantic])) };
}

/** The mesh with the sets of which no texture is sampled from 0 to 1, and without those of them that do not fit, which go into `left`. */
function unsampledMoved(mesh: Float32Mesh, sampled: 'uv0' | null, left: UvSemantic[]): Float32Mesh {
  let moved = mesh;
  for (const set of UV_SETS) {
    if (set === sampled || !moved.attributes[set]) continue;
    const fitting = movedBySet(moved, set);
    if (fitting === null) left.push(set);
    moved = fitting ?? without(moved, set);
  }
  return moved;
}

/** A mesh whose triangles stay as they are: texture coordinates are moved by whole numbers where that is enough. */
export function storeAsIs(mesh: Float32Mesh): GalileoStored {
  const moved = movedBySet(mesh, 'uv0');
  const stored = storeMesh(unsampledMoved(moved ?? mesh, 'uv0', []));
  return { ...stored, tooFar: moved === null ? { file: '', path: '' } : null };
}

/**
 * One mesh of all parts. Triangles are cut for the set that textures of `surface` are sampled with, and for no other. Empties
 * `parts`. Throws UC2011; reports UC2000, UC2001, UC2010, UC2339 and UC2340.
 */
export async function storeParts(
  parts: PlacedMesh[],
  diagnostics: Diagnostics,
  location: SourceLocation,
  { material, palette, emission = null }: MeshMaterial,
): Promise<GalileoStored | null> {
  const mesh = await floatParts(parts, diagnostics, location);
  if (mesh === null) return null;
  const { file, path } = location;
  const isSampled = material.uv.set !== null || palette !== null || emission !== null;
  const triangles = mesh.indices.length / 3;
  const cut = isSampled ? inUnitSquares(mesh, 'uv0', Math.max(SMALL_GROUP, triangles * 2)) : mesh;
  if (cut === null) return { ...mesh, tooFar: location };
  const drawn = withArea(cut);
  const grown = drawn.indices.length / 3;
  if (grown > triangles * GROWTH) {
    const message = `${counted(triangles, 'triangle')} became ${grown}`;
    diagnostics.worst(grown - triangles, 'group', 'UC2340', file, path, message);
  }
  const left: UvSemantic[] = [];
  const moved = unsampledMoved(drawn, isSampled ? 'uv0' : null, left);
  if (left.length > 0) {
    // Numbers of the file: sets of the source have others where it leaves numbers out, or textures use another than the first.
    const numbers = left.map((set) => UV_SETS.indexOf(set));
    const channels = `${numbers.length === 1 ? 'channel' : 'channels'} ${numbers.join(', ')} of texture coordinates`;
    diagnostics.report(
      'UC2339',
      file,
      path,
      `left out ${channels} of the group of material ${material.name}, which no texture uses: they leave 0 to 1`,
    );
  }
  return { ...storeMesh(await rounded(withStoredInfluences(moved), roundValues)), tooFar: null };
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
