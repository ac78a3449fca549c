// Meshes as a BPX model and back. The engine is right-handed with +Y up and V up, BPX left-handed with +Z up and, as we read it,
// V down: (x, y, z) becomes (x, z, y), a mirror, so that triangles are turned round; the sign of a tangent is copied.

import { COLOR_SETS } from '../../../geometry/mesh/attributes.ts';
import { type Float32Mesh, valuesOf } from '../../../geometry/mesh/mesh.ts';
import { type FloatMesh, flippedUvs } from '../../floatMesh.ts';
import type { PayloadMesh } from '../../format.ts';
import { COMPONENT_BYTES } from '../records.ts';
import type { BpxModel, BpxVertexArray, VertexComponent } from '../types.ts';

/** The format has no semantics; the order is ours: position, normal, tangent, texture coordinates, sets of colours. */
const COMPONENTS: readonly VertexComponent[] = [3, 3, 4, 2].map((count) => ({ type: 'f32', count }));
const COLOR: VertexComponent = { type: 'f32', count: 4 };
/** Numbers before the colours. */
const PLAIN = 12;
/** Where the paths of materials begin: the engine's, of which the format says no more. */
const MATERIALS = 'Materials/';

/** Numbers of a vertex with so many sets of colours. */
const widthWith = (sets: number): number => PLAIN + sets * COLOR.count;

/** Sets of colours of each vertex. */
const setsOf = (meshes: readonly PayloadMesh<FloatMesh>[]): number =>
  meshes.reduce((most, { stored }) => Math.max(most, COLOR_SETS.findLastIndex((set) => stored.attributes[set]) + 1), 0);

/** So many bytes the arrays of each mesh take. */
export function arrayBytes(meshes: readonly PayloadMesh<FloatMesh>[]): number[] {
  const width = widthWith(setsOf(meshes));
  return meshes.map(({ stored }) => (stored.vertexCount * width + stored.indices.length) * COMPONENT_BYTES);
}

/** One vertex array for each mesh. All of a model have the same components: colours are white where a mesh has none. */
export function modelOf(meshes: readonly PayloadMesh<FloatMesh>[]): BpxModel {
  const sets = setsOf(meshes);
  return {
    kind: 'model',
    components: [...COMPONENTS, ...new Array<VertexComponent>(sets).fill(COLOR)],
    arrays: meshes.map(({ stored, surface }) => ({
      ...arrayOf(stored, sets),
      material: `${MATERIALS}${surface.material.name}`,
    })),
    bones: null,
    frames: null,
    animations: null,
  };
}

function arrayOf(mesh: Float32Mesh, sets: number): Omit<BpxVertexArray, 'material'> {
  const { vertexCount, positions, indices } = mesh;
  const width = widthWith(sets);
  const normals = mesh.attributes.normal;
  const tangents = valuesOf(mesh, 'tangent');
  const uvs = flippedUvs(valuesOf(mesh, 'uv0'));
  const colors = COLOR_SETS.slice(0, sets).map((set) => valuesOf(mesh, set));
  const values = new DataView(new ArrayBuffer(vertexCount * width * COMPONENT_BYTES));
  for (let v = 0, at = 0; v < vertexCount; v++) {
    const put = (value: number) => {
      values.setFloat32(at, value, true);
      at += COMPONENT_BYTES;
    };
    const putTurned = (from: Float32Array, i: number) => {
      put(from[i]);
      put(from[i + 2]);
      put(from[i + 1]);
    };
    putTurned(positions, v * 3);
    putTurned(normals, v * 3);
    putTurned(tangents, v * 4);
    put(tangents[v * 4 + 3]);
    put(uvs[v * 2]);
    put(uvs[v * 2 + 1]);
    for (const set of colors) for (let k = 0; k < 4; k++) put(set[v * 4 + k] / 255);
  }
  return { vertexCount, vertices: new Uint8Array(values.buffer), indices: reversed(indices) };
}

/** Each triangle the other way round, from the same corner on. */
function reversed(indices: Uint32Array): Uint32Array {
  const out = indices.slice();
  for (let at = 0; at < out.length; at += 3) {
    out[at + 1] = indices[at + 2];
    out[at + 2] = indices[at + 1];
  }
  return out;
}

/** The meshes of a model of ours, with the names of their materials. */
export function meshesOf({ components, arrays }: BpxModel): { mesh: Float32Mesh; material: string }[] {
  const width = components.reduce((sum, { count }) => sum + count, 0);
  return arrays.map(({ vertexCount, vertices, indices, material }) => {
    const view = new DataView(vertices.buffer, vertices.byteOffset, vertices.byteLength);
    const column = (first: number, order: readonly number[]): Float32Array => {
      const out = new Float32Array(vertexCount * order.length);
      for (let v = 0, to = 0; v < vertexCount; v++) {
        for (const k of order) out[to++] = view.getFloat32((v * width + first + k) * COMPONENT_BYTES, true);
      }
      return out;
    };
    const colors = COLOR_SETS.flatMap((set, i) => {
      if (width < widthWith(i + 1)) return [];
      const values = column(widthWith(i), [0, 1, 2, 3]);
      return [[set, Uint8Array.from(values, (value) => Math.round(value * 255))] as const];
    });
    const mesh: Float32Mesh = {
      vertexCount,
      positions: column(0, [0, 2, 1]),
      attributes: {
        normal: column(3, [0, 2, 1]),
        tangent: column(6, [0, 2, 1, 3]),
        uv0: flippedUvs(column(10, [0, 1])),
        ...Object.fromEntries(colors),
      },
      indices: reversed(indices ?? Uint32Array.from({ length: vertexCount }, (_, v) => v)),
    };
    return { mesh, material: material?.startsWith(MATERIALS) ? material.slice(MATERIALS.length) : (material ?? '') };
  });
}
