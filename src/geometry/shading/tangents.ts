// Tangents by the MikkTSpace convention: one per corner, from positions, normals and V-up UVs, so that
// bitangent = cross(normal, tangent.xyz) * tangent.w points towards +V. After Mikkelsen, "Simulation of Wrinkled
// Surfaces Revisited" (2008), with the grouping and weights of his mikktspace.c. Ours and not meshoptimizer's because that
// one compares all corners of a vertex in pairs (40,000 around one take seconds), and keeps its 170 MB a million
// triangles for as long as the process lives; the tests hold both against each other.

import type { Vec4 } from '../../scene/types.ts';
import { acrossNormal, mapAttributes } from '../mesh/attributes.ts';
import { type Mesh, valuesOf } from '../mesh/mesh.ts';
import { RowSet } from '../mesh/weld.ts';

const NONE = 0xffffffff;

/** Corners around a vertex from which edges are looked up instead of compared in pairs. */
const MANY_CORNERS = 24;

/** What tangents are made from. */
interface TangentSource {
  readonly positions: Float32Array | Float64Array;
  readonly normals: Float32Array;
  readonly uv0: Float32Array;
  readonly indices: Uint32Array;
}

/** Tangents of corners: those of one group have the same. */
interface TangentGroups {
  /** Group of each corner. */
  readonly groups: Uint32Array;
  /** Unit xyz and sign, 4 a group. */
  readonly values: Float32Array;
}

/**
 * The mesh with tangents; a vertex whose corners have different ones is split, with the copies at the end. `same`
 * names for each vertex one with equal position, normal and UV (vertices that differ in colour alone share a tangent);
 * null: all differ. Where UVs have no area the tangent is the format's default.
 */
export function addTangents(mesh: Mesh, same: Uint32Array | null): Mesh {
  const { vertexCount, positions, indices } = mesh;
  const source = { positions, normals: mesh.attributes.normal, uv0: valuesOf(mesh, 'uv0'), indices };
  const { groups, values } = tangentGroups(source, same, vertexCount);

  // 1. A vertex keeps the group of its first corner; others get a copy for each further group.
  const groupOf = new Uint32Array(vertexCount).fill(NONE);
  let split: Uint32Array | null = null;
  let copies: RowSet | null = null;
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    const group = groups[i];
    if (groupOf[v] === NONE) {
      groupOf[v] = group;
    } else if (groupOf[v] !== group) {
      split ??= indices.slice();
      copies ??= new RowSet(2, 1024);
      copies.row[0] = v;
      copies.row[1] = group;
      split[i] = vertexCount + copies.add();
    }
  }

  // 2. Spread.
  const extra = copies ? copies.count : 0;
  const rows = copies ? copies.rows : new Uint32Array(0);
  const total = vertexCount + extra;
  const tangents = new Float32Array(total * 4);
  for (let v = 0; v < total; v++) {
    const group = v < vertexCount ? groupOf[v] : rows[(v - vertexCount) * 2 + 1];
    if (group === NONE) continue;
    tangents[v * 4] = values[group * 4];
    tangents[v * 4 + 1] = values[group * 4 + 1];
    tangents[v * 4 + 2] = values[group * 4 + 2];
    tangents[v * 4 + 3] = values[group * 4 + 3];
  }
  if (extra === 0) return { ...mesh, attributes: { ...mesh.attributes, tangent: tangents } };
  const copied = new Uint32Array(extra);
  for (let i = 0; i < extra; i++) copied[i] = rows[i * 2];
  const attributes = mapAttributes(mesh.attributes, (of, { components }) => extend(of, components, copied));
  return {
    vertexCount: total,
    positions: extend(positions, 3, copied),
    attributes: { ...attributes, tangent: tangents },
    indices: split ?? indices,
  };
}

/**
 * Authored tangents at unit length, their sign as it is (+1 from 0 up). `invalid` counts those without a direction or with
 * a component that is not a number; they get the default for their normal.
 */
export function unitTangents(
  tangents: Float32Array,
  normals: Float32Array,
): { readonly tangents: Float32Array; readonly invalid: number } {
  const unit = new Float32Array(tangents.length);
  let invalid = 0;
  for (let i = 0, n = 0; i < unit.length; i += 4, n += 3) {
    const x = tangents[i];
    const y = tangents[i + 1];
    const z = tangents[i + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 1e-8 && length < Infinity) || Number.isNaN(tangents[i + 3])) {
      invalid++;
      acrossNormal(normals, n, unit, i);
      continue;
    }
    unit[i] = x / length;
    unit[i + 1] = y / length;
    unit[i + 2] = z / length;
    unit[i + 3] = tangents[i + 3] < 0 ? -1 : 1;
  }
  return { tangents: unit, invalid };
}

/**
 * Unit tangents (4 a vertex) and the bitangents that follow from them (glTF 2.0, 3.7.2.1: cross(normal, tangent) * w), both
 * replaced by the axes [tx, ty, bx, by] in their plane: tangent' = tx * tangent + ty * bitangent. The axes are at a right
 * angle; the sign follows their handedness.
 */
export function turnTangents(tangents: Float32Array, normals: Float32Array, [tx, ty, bx, by]: Vec4): Float32Array {
  const side = tx * by - ty * bx < 0 ? -1 : 1;
  const turned = new Float32Array(tangents.length);
  for (let i = 0, n = 0; i < turned.length; i += 4, n += 3) {
    const x = tangents[i];
    const y = tangents[i + 1];
    const z = tangents[i + 2];
    const w = tangents[i + 3];
    const s = ty * w;
    const cx = normals[n + 1] * z - normals[n + 2] * y;
    const cy = normals[n + 2] * x - normals[n] * z;
    const cz = normals[n] * y - normals[n + 1] * x;
    // Less than 1 if the authored tangent leans out of the surface; it can be 0 if the tangent is parallel to the normal.
    const length = Math.hypot(tx * x + s * cx, tx * y + s * cy, tx * z + s * cz);
    if (length < 1e-8) {
      acrossNormal(normals, n, turned, i);
    } else {
      turned[i] = (tx * x + s * cx) / length;
      turned[i + 1] = (tx * y + s * cy) / length;
      turned[i + 2] = (tx * z + s * cz) / length;
    }
    turned[i + 3] = w * side;
  }
  return turned;
}

function extend<T extends Float32Array | Float64Array | Uint8Array>(data: T, size: number, source: Uint32Array): T {
  const out = new (data.constructor as new (length: number) => T)(data.length + source.length * size);
  out.set(data);
  for (let i = 0, to = data.length; i < source.length; i++) {
    for (let k = 0; k < size; k++) out[to++] = data[source[i] * size + k];
  }
  return out;
}

/** Groups corners around each vertex and sums the tangents of each group. */
function tangentGroups(mesh: TangentSource, same: Uint32Array | null, vertexCount: number): TangentGroups {
  const { indices } = mesh;
  const ring = same ? indices.map((v) => same[v]) : indices;
  const signs = orientations(mesh.uv0, indices);
  const { groups, count } = groupCorners(ring, vertexCount, signs);
  return { groups, values: sumGroups(mesh, groups, count, signs) };
}

/** For each triangle the orientation of its UVs: 1, -1, or 0 if they have no area and so no orientation. */
function orientations(uv0: Float32Array, indices: Uint32Array): Int8Array {
  const signs = new Int8Array(indices.length / 3);
  for (let t = 0, i = 0; t < signs.length; t++, i += 3) {
    const a = indices[i] * 2;
    const b = indices[i + 1] * 2;
    const c = indices[i + 2] * 2;
    const area = (uv0[b] - uv0[a]) * (uv0[c + 1] - uv0[a + 1]) - (uv0[b + 1] - uv0[a + 1]) * (uv0[c] - uv0[a]);
    signs[t] = area > 0 ? 1 : area < 0 ? -1 : 0;
  }
  return signs;
}

/** Unit tangent and sign of each group: the face tangents of its corners in the vertex's plane, weighted by angle. */
function sumGroups(mesh: TangentSource, groups: Uint32Array, count: number, signs: Int8Array): Float32Array {
  const { positions, normals, uv0, indices } = mesh;
  const sums = new Float32Array(count * 4);
  for (let t = 0, i = 0; i < indices.length; t++, i += 3) {
    const sign = signs[t];
    if (sign === 0) continue;
    const a = indices[i];
    const b = indices[i + 1];
    const c = indices[i + 2];
    // Edges from the corner to the next one (u) and to the one before (w).
    let ux = positions[b * 3] - positions[a * 3];
    let uy = positions[b * 3 + 1] - positions[a * 3 + 1];
    let uz = positions[b * 3 + 2] - positions[a * 3 + 2];
    let wx = positions[c * 3] - positions[a * 3];
    let wy = positions[c * 3 + 1] - positions[a * 3 + 1];
    let wz = positions[c * 3 + 2] - positions[a * 3 + 2];
    // The direction of growing u, times the doubled area of the UVs.
    const v1 = (uv0[b * 2 + 1] - uv0[a * 2 + 1]) * sign;
    const v2 = (uv0[c * 2 + 1] - uv0[a * 2 + 1]) * sign;
    const fx = v2 * ux - v1 * wx;
    const fy = v2 * uy - v1 * wy;
    const fz = v2 * uz - v1 * wz;
    for (let k = 0; k < 3; k++) {
      const n = indices[i + k] * 3;
      const nx = normals[n];
      const ny = normals[n + 1];
      const nz = normals[n + 2];
      const along = fx * nx + fy * ny + fz * nz;
      const tx = fx - nx * along;
      const ty = fy - ny * along;
      const tz = fz - nz * along;
      const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
      if (length > 0) {
        // The corner's angle, between its edges in the vertex's plane.
        const un = ux * nx + uy * ny + uz * nz;
        const wn = wx * nx + wy * ny + wz * nz;
        const uu = ux * ux + uy * uy + uz * uz - un * un;
        const ww = wx * wx + wy * wy + wz * wz - wn * wn;
        const cosine = uu > 0 && ww > 0 ? (ux * wx + uy * wy + uz * wz - un * wn) / Math.sqrt(uu * ww) : 0;
        const weight = arcCosine(cosine) / length;
        const to = groups[i + k] * 4;
        sums[to] += tx * weight;
        sums[to + 1] += ty * weight;
        sums[to + 2] += tz * weight;
        sums[to + 3] = sign;
      }
      // The next corner's edges: on to the one before, and back.
      const x = wx - ux;
      const y = wy - uy;
      const z = wz - uz;
      wx = -ux;
      wy = -uy;
      wz = -uz;
      ux = x;
      uy = y;
      uz = z;
    }
  }
  for (let i = 0; i < indices.length; i++) {
    const at = groups[i] * 4;
    const x = sums[at];
    const y = sums[at + 1];
    const z = sums[at + 2];
    const square = x * x + y * y + z * z;
    // Once for each group: all of its corners have the same normal.
    if (Math.abs(square - 1) < 1e-6 && sums[at + 3] !== 0) continue;
    const length = Math.sqrt(square);
    if (!(length > 1e-12)) {
      acrossNormal(normals, indices[i] * 3, sums, at);
      continue;
    }
    sums[at] = x / length;
    sums[at + 1] = y / length;
    sums[at + 2] = z / length;
  }
  return sums;
}

/**
 * Gives each corner the number of its group: corners around one vertex belong together when their triangles share an edge
 * there and their orientations agree; a triangle without orientation goes with either, but does not join the two.
 */
function groupCorners(
  ring: Uint32Array,
  vertexCount: number,
  signs: Int8Array,
): { readonly groups: Uint32Array; readonly count: number } {
  // 1. Corners around each vertex, in ascending order: triangle * 4 + 0..2.
  const starts = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < ring.length; i++) starts[ring[i]]++;
  let most = 0;
  let total = 0;
  for (let v = 0; v < vertexCount; v++) {
    const n = starts[v];
    if (n > most) most = n;
    starts[v] = total;
    total += n;
  }
  const around = new Uint32Array(ring.length);
  for (let t = 0, i = 0; i < ring.length; t++, i += 3) {
    around[starts[ring[i]]++] = t * 4;
    around[starts[ring[i + 1]]++] = t * 4 + 1;
    around[starts[ring[i + 2]]++] = t * 4 + 2;
  }

  // 2. Vertex by vertex. Each start has become the next one's by now.
  const groups = new Uint32Array(ring.length);
  const fan = new CornerFan(most);
  let count = 0;
  for (let v = 0, start = 0; v < vertexCount; v++) {
    const n = starts[v] - start;
    for (let k = 0; k < n; k++) {
      const corner = around[start + k];
      const side = corner & 3;
      const first = (corner >>> 2) * 3;
      fan.after[k] = ring[first + (side < 2 ? side + 1 : 0)];
      fan.before[k] = ring[first + (side > 0 ? side - 1 : 2)];
      fan.sign[k] = signs[corner >>> 2];
    }
    const made = n < MANY_CORNERS ? fan.groupFew(n) : fan.groupMany(n);
    for (let k = 0; k < n; k++) {
      const corner = around[start + k];
      groups[(corner >>> 2) * 3 + (corner & 3)] = count + fan.group[k];
    }
    count += made;
    start = starts[v];
  }
  return { groups, count };
}

/** The corners around one vertex, filled in by the caller, and their groups, numbered from 0. */
class CornerFan {
  /** Vertex after and before each corner in its triangle. */
  readonly after: Uint32Array;
  readonly before: Uint32Array;
  /** Orientation of its triangle; groupMany() changes it. */
  readonly sign: Int8Array;
  readonly group: Uint32Array;
  readonly #parent: Uint32Array;
  readonly #queue = new Uint32Array(MANY_CORNERS);

  constructor(most: number) {
    this.after = new Uint32Array(most);
    this.before = new Uint32Array(most);
    this.sign = new Int8Array(most);
    this.group = new Uint32Array(most);
    this.#parent = new Uint32Array(most);
  }

  /** Groups fewer than MANY_CORNERS corners by walking from one to those that share an edge; gives the number of groups. */
  groupFew(n: number): number {
    const { after, before, sign, group } = this;
    const queue = this.#queue;
    let open = (1 << n) - 1;
    let made = 0;
    for (let seed = 0; open !== 0; seed++) {
      if ((open & (1 << seed)) === 0) continue;
      open &= ~(1 << seed);
      group[seed] = made;
      let orientation = sign[seed];
      let waiting = 0;
      queue[waiting++] = seed;
      for (let head = 0; head < waiting && open !== 0; head++) {
        const next = after[queue[head]];
        const last = before[queue[head]];
        for (let k = seed + 1; k < n; k++) {
          if ((before[k] !== next && after[k] !== last) || (open & (1 << k)) === 0) continue;
          if (orientation * sign[k] < 0) continue;
          orientation ||= sign[k];
          open &= ~(1 << k);
          group[k] = made;
          queue[waiting++] = k;
        }
      }
      made++;
    }
    return made;
  }

  /** Groups any number of corners, in linear time: each meets the first of each orientation at both of its edges. */
  groupMany(n: number): number {
    const { after, before, sign, group } = this;
    const leaving = [new Map<number, number>(), new Map<number, number>(), new Map<number, number>()];
    const arriving = [new Map<number, number>(), new Map<number, number>(), new Map<number, number>()];
    const own = sign.slice(0, n);
    for (let k = n - 1; k >= 0; k--) {
      this.#parent[k] = k;
      leaving[own[k] + 1].set(after[k], k);
      arriving[own[k] + 1].set(before[k], k);
    }
    // Corners with an orientation first: those without then join the group that they are found by.
    for (let pass = 0; pass < 2; pass++) {
      for (let k = 0; k < n; k++) {
        if ((own[k] === 0) !== (pass === 1)) continue;
        for (let side = 0; side < 3; side++) {
          if (pass === 0 && side !== own[k] + 1) continue;
          this.#join(k, arriving[side].get(after[k]));
          this.#join(k, leaving[side].get(before[k]));
        }
      }
    }
    let made = 0;
    for (let k = 0; k < n; k++) {
      // Roots are the smallest of their group.
      const root = this.#find(k);
      group[k] = root === k ? made++ : group[root];
    }
    return made;
  }

  #find(k: number): number {
    const parent = this.#parent;
    while (parent[k] !== k) {
      parent[k] = parent[parent[k]];
      k = parent[k];
    }
    return k;
  }

  #join(k: number, other: number | undefined): void {
    if (other === undefined) return;
    const a = this.#find(k);
    const b = this.#find(other);
    if (a === b || this.sign[a] * this.sign[b] < 0) return;
    const root = Math.min(a, b);
    this.#parent[a] = root;
    this.#parent[b] = root;
    this.sign[root] = this.sign[a] || this.sign[b];
  }
}

/** acos within 2e-8 (Abramowitz & Stegun 4.4.46); a third of the time of Math.acos, equal on every machine. */
function arcCosine(x: number): number {
  const a = x < 0 ? -x : x;
  if (a >= 1) return x < 0 ? Math.PI : 0;
  const p =
    1.570796305 +
    a *
      (-0.2145988016 +
        a *
          (0.0889789874 +
            a * (-0.0501743046 + a * (0.030891881 + a * (-0.0170881256 + a * (0.0066700901 + a * -0.0012624911))))));
  const angle = Math.sqrt(1 - a) * p;
  return x < 0 ? Math.PI - angle : angle;
}
