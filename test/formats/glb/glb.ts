// GLB files of ours taken apart by the specification, not by the code that writes them.

import { partsOfGlb } from '../../animation/gltfPoses.ts';
import type { Json } from '../../importers/gltf/build.ts';

const SIZES: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const ARRAYS = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array } as const;

export interface Opened {
  readonly json: Json;
  /** Rows of an accessor. */
  rows(index: number): number[][];
}

export function openGlb(bytes: Uint8Array): Opened {
  const { json, bin } = partsOfGlb(bytes);
  const rows = (index: number): number[][] => {
    const { bufferView, componentType, count, type, byteOffset: from = 0 } = json.accessors[index];
    const { byteOffset = 0, byteStride } = json.bufferViews[bufferView];
    const Values = ARRAYS[componentType as keyof typeof ARRAYS];
    const size = SIZES[type];
    const own = size * Values.BYTES_PER_ELEMENT;
    return Array.from({ length: count }, (_, i) => {
      const begin = byteOffset + from + i * (byteStride ?? own);
      return [...new Values(bin.slice(begin, begin + own).buffer)];
    });
  };
  return { json, rows };
}

export interface GlbCorner {
  readonly position: readonly number[];
  readonly normal: readonly number[];
  /** As the file has them: V down. */
  readonly uv: readonly number[];
}

/** Every triangle that the nodes at the root draw, with the name of its material. */
export function drawnTriangles({
  json,
  rows,
}: Opened): { readonly corners: readonly GlbCorner[]; readonly material: string }[] {
  return json.nodes.flatMap((node: Json) => {
    if (node.mesh === undefined) return [];
    const [{ attributes, indices, material }] = json.meshes[node.mesh].primitives;
    const m = node.matrix ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const positions = rows(attributes.POSITION);
    const normals = rows(attributes.NORMAL);
    const uvs = attributes.TEXCOORD_0 === undefined ? positions.map(() => [0, 1]) : rows(attributes.TEXCOORD_0);
    const corners = rows(indices).map(([v]): GlbCorner => {
      const [x, y, z] = positions[v];
      const position = [0, 1, 2].map((k) => Math.fround(m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k]));
      return { position, normal: normals[v], uv: uvs[v] };
    });
    return Array.from({ length: corners.length / 3 }, (_, t) => ({
      corners: corners.slice(t * 3, t * 3 + 3),
      material: json.materials[material].name,
    }));
  });
}
