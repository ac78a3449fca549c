// A mesh in its bind pose: where that lies in engine space, and its polygons there with what each vertex follows.

import { boundsOfPoints, unite } from '../scene/bounds.ts';
import { inverse } from '../scene/inverse.ts';
import { cofactor3, determinant3, multiply, transformPoint } from '../scene/matrix.ts';
import type {
  Attribute,
  Bounds,
  Mat4,
  PolygonMesh,
  Scene,
  SceneNode,
  ScenePrimitive,
  SceneSkin,
  SkinWeights,
} from '../scene/types.ts';

/** Distance in metres, and as a part of the size of a mesh, by which poses may differ and still count as the same. */
export const POSE_TOLERANCE = { metres: 1e-4, ofSize: 1e-4 };
/** Joint indices are 16 bits. */
const MAX_JOINTS = 65_536;

/** A primitive in the pose in which it is stored. */
export interface Bound {
  readonly primitive: ScenePrimitive;
  readonly polygons: PolygonMesh;
  readonly weights: SkinWeights;
  readonly skin: SceneSkin;
}

export const matrixAt = (list: Float64Array, i: number): Mat4 => list.slice(i * 16, i * 16 + 16);

/** The diagonal of a box. */
export const sizeOf = (bounds: Bounds | null): number =>
  bounds ? Math.hypot(...[0, 1, 2].map((k) => bounds.max[k] - bounds.min[k])) : 0;

/** Sum of weights by joint of the skin, at least one of them above 0. */
export function weightSums({ influences, joints, weights }: SkinWeights, count: number): Float64Array {
  const sums = new Float64Array(count);
  for (let i = 0; i < weights.length; i++) sums[joints[i]] += weights[i];
  if (influences > 0 && !sums.some((sum) => sum > 0)) sums[0] = 1;
  return sums;
}

/** How far in metres joints at rest put a mesh from where its skin is bound at `place`, and the size of the mesh there. */
export function offBind(
  skin: SceneSkin,
  place: Mat4,
  worlds: readonly Mat4[],
  parts: readonly Bound[],
): { off: number; size: number } {
  const sums = new Float64Array(skin.joints.length);
  let bounds: Bounds | null = null;
  for (const { polygons, weights } of parts) {
    weightSums(weights, sums.length).forEach((sum, j) => {
      sums[j] += sum;
    });
    bounds = unite(bounds, boundsOfPoints(polygons.points, skin.meshBind));
  }
  let off = 0;
  const corners = bounds ? [0, 1, 2, 3, 4, 5, 6, 7].map((c) => cornerOf(bounds as Bounds, c)) : [];
  for (const j of sums.keys()) {
    if (sums[j] === 0) continue;
    const own = multiply(worlds[skin.joints[j]], inverse(matrixAt(skin.bind, j)) as Mat4);
    for (const corner of corners) {
      const [a, b] = [transformPoint(place, corner), transformPoint(own, corner)];
      off = Math.max(off, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  }
  const placed = corners.map((corner) => transformPoint(place, corner));
  const flat = Float64Array.from(placed.flat());
  return { off, size: sizeOf(boundsOfPoints(flat)) };
}

const cornerOf = ({ min, max }: Bounds, c: number): readonly [number, number, number] => [
  c & 1 ? max[0] : min[0],
  c & 2 ? max[1] : min[1],
  c & 4 ? max[2] : min[2],
];

function transformed(attribute: Attribute, linear: ArrayLike<number>, sign: number): Attribute {
  const { data, size } = attribute;
  const out = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += size) {
    for (let r = 0; r < 3; r++) {
      out[at + r] = sign * (linear[r] * data[at] + linear[3 + r] * data[at + 1] + linear[6 + r] * data[at + 2]);
    }
    const length = Math.hypot(out[at], out[at + 1], out[at + 2]);
    if (length > 0) for (let r = 0; r < 3; r++) out[at + r] /= length;
    if (size === 4) out[at + 3] = data[at + 3];
  }
  return { ...attribute, data: out };
}

/** Polygons where `m` puts them, wound the other way or not. They are the surface: no subdivision refines them. */
export function placedPolygons(mesh: PolygonMesh, m: Mat4, turns: boolean, skinning: SkinWeights): PolygonMesh {
  const { points, normals, tangents } = mesh;
  const placed = new Float64Array(points.length);
  for (let at = 0; at < points.length; at += 3) {
    const [x, y, z] = [points[at], points[at + 1], points[at + 2]];
    for (let r = 0; r < 3; r++) placed[at + r] = m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r];
  }
  const sign = determinant3(m) < 0 ? -1 : 1;
  const linear = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((i) => m[i]);
  const turned = tangents && transformed(tangents, linear, 1);
  return {
    ...mesh,
    points: placed,
    leftHanded: mesh.leftHanded !== turns,
    subdivision: null,
    normals: normals && transformed(normals, cofactor3(m), sign),
    // The bitangent turns about with a mirror.
    tangents: turned && sign < 0 ? { ...turned, data: flipped(turned.data) } : turned,
    skinning,
  };
}

function flipped(tangents: Float32Array): Float32Array {
  return tangents.map((value, i) => (i % 4 === 3 ? -value : value));
}

/** All of a primitive follows one joint. */
function rigid(polygons: PolygonMesh): SkinWeights {
  const count = polygons.points.length / 3;
  return { influences: 1, joints: new Uint16Array(count), weights: new Float32Array(count).fill(1) };
}

/** Reads what a node draws with what binds it; null where nothing does, or where it cannot be kept. */
export async function readBound(
  scene: Scene,
  { mesh }: SceneNode,
  skinOf: number | undefined,
): Promise<Bound[] | null> {
  const parts: Bound[] = [];
  for (const primitive of scene.meshes[mesh].primitives) {
    if (primitive.triangleCount === 0) continue;
    const index = skinOf ?? primitive.bound?.skin;
    const skin = index === undefined ? undefined : scene.skins?.[index];
    if (!skin) return null;
    const polygons = skinOf === undefined ? await primitive.bound?.read() : await primitive.read();
    if (!polygons) return null;
    const weights = skinOf === undefined ? polygons.skinning : rigid(polygons);
    if (!weights || parts.some((part) => part.skin !== skin)) return null;
    parts.push({ primitive, polygons, weights, skin });
  }
  return parts.length === 0 ? null : parts;
}

/** Whether each bind matrix has an inverse and joints can be numbered. */
export function isUsable(skin: SceneSkin, joints: number): boolean {
  if (joints > MAX_JOINTS) return false;
  return [...skin.joints.keys()].every((j) => inverse(matrixAt(skin.bind, j)) !== null);
}
