// A glTF of parts that are built in code, and shapes that no symmetry makes equal to themselves when they are turned.

import { transformPoint } from '../../src/scene/matrix.ts';
import type { Mat4, Vec3 } from '../../src/scene/types.ts';

export interface Part {
  readonly positions: Float32Array;
  readonly normals?: Float32Array;
  readonly uvs?: Float32Array;
  readonly indices: Uint32Array;
}

export interface PartMesh {
  readonly name?: string;
  readonly part: Part;
  readonly material?: number;
}

interface PartsScene {
  readonly meshes: readonly PartMesh[];
  readonly nodes: readonly object[];
  readonly roots?: readonly number[];
  readonly materials?: readonly object[];
  /** Bytes of images; texture i is image i. */
  readonly images?: readonly Uint8Array[];
}

/** A bumpy ball with `rings` rings of twice as many segments, in the vertices of a matrix. */
export function stone(rings: number, world?: Mat4, bump = 0.3): Part {
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  const segments = 2 * rings;
  const origin = world ? transformPoint(world, [0, 0, 0]) : null;
  const direction = (v: Vec3): Vec3 => {
    if (!world || !origin) return v;
    const [x, y, z] = transformPoint(world, v);
    const [dx, dy, dz] = [x - origin[0], y - origin[1], z - origin[2]];
    const length = Math.hypot(dx, dy, dz);
    return [dx / length, dy / length, dz / length];
  };
  for (let i = 0; i <= rings; i++) {
    for (let k = 0; k <= segments; k++) {
      const [u, v] = [(k / segments) * 2 * Math.PI, (i / rings) * Math.PI];
      const n: Vec3 = [Math.sin(v) * Math.cos(u), Math.cos(v), Math.sin(v) * Math.sin(u)];
      const r = 1 + bump * Math.sin(2.1 * n[0] + 1.3 * n[1]) + 0.2 * n[2] * n[0];
      const p: Vec3 = [n[0] * r, n[1] * r * 1.5, n[2] * r];
      positions.push(...(world ? transformPoint(world, p) : p));
      normals.push(...direction(n));
      uvs.push(k / segments, i / rings);
    }
  }
  for (let i = 0; i < rings; i++) {
    for (let k = 0; k < segments; k++) {
      const a = i * (segments + 1) + k;
      const b = a + segments + 1;
      indices.push(a, a + 1, b, a + 1, b + 1, b);
    }
  }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    uvs: Float32Array.from(uvs),
    indices: Uint32Array.from(indices),
  };
}

/** A closed box without normals or texture coordinates. */
export function box([x0, y0, z0]: Vec3, [x1, y1, z1]: Vec3): Part {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0]);
  const quads = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const indices: number[] = [];
  for (let q = 0; q < quads.length; q += 4) {
    indices.push(quads[q], quads[q + 1], quads[q + 2], quads[q], quads[q + 2], quads[q + 3]);
  }
  return { positions: Float32Array.from(corners), indices: Uint32Array.from(indices) };
}

/** A square of two triangles on the ground, `size` metres wide, with its texture once. */
export function square(size: number): Part {
  return {
    positions: Float32Array.of(0, 0, 0, 0, 0, size, size, 0, size, size, 0, 0),
    uvs: Float32Array.of(0, 0, 0, 1, 1, 1, 1, 0),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  };
}

export function partsGltf({ meshes, nodes, roots, materials, images = [] }: PartsScene): string {
  const bytes: Uint8Array[] = [];
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  let at = 0;
  const add = (data: Float32Array | Uint32Array, type: string, size: number, more: object = {}): number => {
    bufferViews.push({ buffer: 0, byteOffset: at, byteLength: data.byteLength });
    bytes.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    at += data.byteLength;
    const componentType = data instanceof Uint32Array ? 5125 : 5126;
    accessors.push({ bufferView: bufferViews.length - 1, componentType, count: data.length / size, type, ...more });
    return accessors.length - 1;
  };
  const written = meshes.map(({ name, part, material }) => {
    const axis = (k: number) => part.positions.filter((_, i) => i % 3 === k);
    const ends = {
      min: [0, 1, 2].map((k) => axis(k).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)),
      max: [0, 1, 2].map((k) => axis(k).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
    };
    const attributes = {
      POSITION: add(part.positions, 'VEC3', 3, ends),
      ...(part.normals ? { NORMAL: add(part.normals, 'VEC3', 3) } : {}),
      ...(part.uvs ? { TEXCOORD_0: add(part.uvs, 'VEC2', 2) } : {}),
    };
    const drawn = material === undefined ? {} : { material };
    return {
      ...(name ? { name } : {}),
      primitives: [{ attributes, indices: add(part.indices, 'SCALAR', 1), ...drawn }],
    };
  });
  const uri = (type: string, data: Uint8Array) => `data:${type};base64,${Buffer.from(data).toString('base64')}`;
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: roots ?? nodes.map((_, i) => i) }],
    nodes,
    meshes: written,
    ...(materials ? { materials } : {}),
    ...(images.length > 0
      ? {
          textures: images.map((_, source) => ({ source })),
          images: images.map((image) => ({ uri: uri('image/png', image) })),
        }
      : {}),
    accessors,
    bufferViews,
    buffers: [{ byteLength: at, uri: uri('application/octet-stream', Buffer.concat(bytes)) }],
  });
}
