// Tangents by the MikkTSpace convention: one per corner, from positions, normals and V-up UVs, so that
// bitangent = cross(normal, tangent.xyz) * tangent.w points towards +V. After Mikkelsen, "Simulation of Wrinkled
// Surfaces Revisited" (2008), with the grouping and weights of his mikktspace.c. Ours and not meshoptimizer's because that
// one compares all corners of a vertex in pairs (40,000 around one take seconds), and keeps its 170 MB a million
// triangles for as long as the process lives; the tests hold both against each other.

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';
import type { Vec4 } from '../../scene/types.ts';
import { acrossNormal, mapAttributes } from '../mesh/attributes.ts';
import { type Mesh, pickRows, valuesOf } from '../mesh/mesh.ts';
import { firstRows } from '../mesh/weld.ts';

const NONE = 0xffffffff;

/** A mesh in the kernel's memory. */
interface TangentSource {
  readonly vertexCount: number;
  readonly indexCount: number;
  /** Numbers of `size` bytes. */
  readonly positions: Address;
  readonly size: number;
  readonly normals: Address;
  readonly uvs: Address;
  readonly indices: Address;
}

/** What tangents make of a mesh. */
interface SplitMesh {
  /** Of the mesh's vertices, then of the copies. */
  readonly tangents: Float32Array;
  /** The vertex that each copy is of. */
  readonly copied: Uint32Array;
  /** Triangles over all; null: no vertex was split. */
  readonly indices: Uint32Array | null;
}

/**
 * The mesh with tangents; a vertex whose corners have different ones is split, with the copies at the end. Vertices with
 * equal position, normal and UV share a tangent (those that differ in colour alone do): MikkTSpace joins triangles by value
 * and not by index, so a mesh without indices, or with doubled seams, becomes as smooth as any. Where UVs have no area the
 * tangent is the format's default. The loops are the kernel's (kernel/assembly/tangents.ts). `uvs`: those along which tangents
 * lie.
 */
export function addTangents(mesh: Mesh, uvs: Float32Array = valuesOf(mesh, 'uv0')): Mesh {
  const { vertexCount, positions } = mesh;
  const { tangents, copied, indices } = kernel.within((memory) => {
    const source = {
      vertexCount,
      indexCount: mesh.indices.length,
      positions: memory.put(positions),
      size: positions.BYTES_PER_ELEMENT,
      normals: memory.put(mesh.attributes.normal),
      uvs: memory.put(uvs),
      indices: memory.put(mesh.indices),
    };
    return splitVertices(memory, source);
  });
  if (indices === null) return { ...mesh, attributes: { ...mesh.attributes, tangent: tangents } };
  const attributes = mapAttributes(mesh.attributes, (of, { components }) => extend(of, components, copied));
  return {
    vertexCount: vertexCount + copied.length,
    positions: extend(positions, 3, copied),
    attributes: { ...attributes, tangent: tangents },
    indices,
  };
}

function splitVertices(memory: Kernel, source: TangentSource): SplitMesh {
  const { calls } = memory;
  const { vertexCount, indexCount, indices } = source;
  const groups = memory.allocate(indexCount * 4);
  const sums = tangentGroups(memory, source, groups);

  // A vertex keeps the group of its first corner; others get a copy for each further group.
  const groupOf = memory.allocate(vertexCount * 4);
  memory.uint32(groupOf, vertexCount).fill(NONE);
  const others = calls.firstGroups(indices, indexCount, groups, groupOf);
  const slotCount = calls.tableSize(others);
  const copies = memory.allocate(others * 8);
  const slots = memory.allocate(slotCount * 4);
  memory.uint32(slots, slotCount).fill(NONE);
  const extra = calls.splitByGroup(indices, indexCount, vertexCount, groups, groupOf, slots, slotCount, copies);

  const tangents = memory.allocate((vertexCount + extra) * 16);
  calls.spreadTangents(groupOf, 1, vertexCount, sums, tangents);
  calls.spreadTangents(copies + 4, 2, extra, sums, tangents + vertexCount * 16);
  const rows = memory.uint32(copies, extra * 2);
  return {
    tangents: memory.float32(tangents, (vertexCount + extra) * 4).slice(),
    copied: Uint32Array.from({ length: extra }, (_, i) => rows[i * 2]),
    indices: extra === 0 ? null : memory.uint32(indices, indexCount).slice(),
  };
}

/** Writes the group of each corner, and gives the address of the groups' tangents: unit xyz and sign. */
function tangentGroups(memory: Kernel, source: TangentSource, groups: Address): Address {
  const { calls } = memory;
  const { vertexCount, indexCount, positions, size, normals, uvs, indices } = source;
  const signs = memory.allocate(indexCount / 3);
  calls.orientations(uvs, indices, indexCount / 3, signs);
  const count = memory.within(() => {
    const ring = ringOf(memory, source);
    const ends = memory.zeros(vertexCount * 4);
    const around = memory.allocate(indexCount * 4);
    const max = calls.cornersAround(ring, indexCount, vertexCount, ends, around);
    const room = memory.allocate(calls.fanBytes(max));
    return calls.groupCorners(ring, vertexCount, signs, ends, around, max, room, groups);
  });
  const sums = memory.zeros(count * 16);
  calls.sumTangents(positions, size, normals, uvs, indices, indexCount, signs, groups, sums);
  calls.unitSums(indices, indexCount, groups, normals, sums);
  return sums;
}

/**
 * The indices with each vertex replaced by the first of those that have its position and its values (-0 equals 0); the
 * indices themselves if no two have the same. Vertices with triangles all around need no partner and are skipped.
 */
function ringOf(memory: Kernel, { vertexCount, indexCount, indices, ...values }: TangentSource): Address {
  const { calls } = memory;
  const { positions, size, normals, uvs } = values;
  // Memory that nothing is written to costs nothing.
  const ring = memory.allocate(indexCount * 4);
  const hasPartners = memory.within(() => {
    const open = memory.zeros(vertexCount * 4);
    const count = calls.openVertices(indices, indexCount, vertexCount, open);
    const width = (size * 3) / 4 + 5;
    const rows = memory.allocate(count * width * 4);
    calls.tangentRows(positions, size, normals, uvs, open, count, rows);
    const first = firstRows(memory, rows, width, count);
    if (!calls.hasSame(first, count)) return false;
    memory.uint32(ring, indexCount).set(memory.uint32(indices, indexCount));
    calls.joinSame(ring, indexCount, vertexCount, open, count, first, memory.allocate(vertexCount * 4));
    return true;
  });
  return hasPartners ? ring : indices;
}

/** The values of a mesh's vertices, then those of the copies. */
function extend<T extends Float32Array | Float64Array | Uint8Array>(data: T, size: number, copied: Uint32Array): T {
  const out = new (data.constructor as new (length: number) => T)(data.length + copied.length * size);
  out.set(data);
  out.set(pickRows(data, size, copied), data.length);
  return out;
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
