// Scenes for whole cooks: meshes made in code, each placed once, as a glTF file.

import { type Float32Mesh, valuesOf } from '../../src/geometry/mesh/mesh.ts';

export interface Thing {
  /** `thing` and its number unless given. */
  readonly name?: string;
  readonly mesh: Float32Mesh;
  readonly material: number;
  /** Linear rgb of each vertex. */
  readonly colors?: Float32Array;
}

/** A glTF file of one node a thing. */
export function gltf(things: readonly Thing[], materials: readonly object[]): string {
  const bytes: Uint8Array[] = [];
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  let at = 0;
  const add = (data: Float32Array | Uint32Array, type: string, more: object = {}): number => {
    const size = { SCALAR: 1, VEC2: 2, VEC3: 3 }[type] as number;
    bufferViews.push({ buffer: 0, byteOffset: at, byteLength: data.byteLength });
    bytes.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    at += data.byteLength;
    const componentType = data instanceof Uint32Array ? 5125 : 5126;
    accessors.push({ bufferView: bufferViews.length - 1, componentType, count: data.length / size, type, ...more });
    return accessors.length - 1;
  };
  const meshes = things.map(({ mesh, material, colors }) => {
    const p = mesh.positions as Float32Array;
    const axis = (k: number) => [...p].filter((_, i) => i % 3 === k);
    const ends = { min: [0, 1, 2].map((k) => Math.min(...axis(k))), max: [0, 1, 2].map((k) => Math.max(...axis(k))) };
    const attributes = {
      POSITION: add(p, 'VEC3', ends),
      NORMAL: add(mesh.attributes.normal, 'VEC3'),
      TEXCOORD_0: add(valuesOf(mesh, 'uv0'), 'VEC2'),
      ...(colors && { COLOR_0: add(colors, 'VEC3') }),
    };
    return { primitives: [{ attributes, indices: add(mesh.indices, 'SCALAR'), material }] };
  });
  const uri = `data:application/octet-stream;base64,${Buffer.concat(bytes).toString('base64')}`;
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: things.map((_, i) => i) }],
    nodes: things.map(({ name }, i) => ({ mesh: i, name: name ?? `thing${i}` })),
    meshes,
    materials,
    accessors,
    bufferViews,
    buffers: [{ byteLength: at, uri }],
  });
}

export const plain = (name: string, color: readonly number[]) => ({
  name,
  pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0, roughnessFactor: 0.8 },
});
