// Meshes for the tests of levels, built in code: a hilly ground cut into tiles, spheres, foliage; and as files hold them.

import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { type PackedMesh, packParts, unpackMesh } from '../../src/formats/untold/mesh/packMesh.ts';
import { unpackVertices, wordsOf } from '../../src/formats/untold/mesh/vertexWords.ts';
import type { Float32Mesh, Mesh } from '../../src/geometry/mesh/mesh.ts';

/** A surface over a grid of u and v from 0 to 1, with smooth normals from its own differences. */
export function surface(
  columns: number,
  rows: number,
  at: (u: number, v: number) => readonly [number, number, number],
): Float32Mesh {
  const vertexCount = (columns + 1) * (rows + 1);
  const positions = new Float32Array(vertexCount * 3);
  const normals = new Float32Array(vertexCount * 3);
  const uv0 = new Float32Array(vertexCount * 2);
  const h = 1e-4;
  for (let j = 0, i = 0; j <= rows; j++) {
    for (let k = 0; k <= columns; k++, i++) {
      const [u, v] = [k / columns, j / rows];
      const p = at(u, v);
      positions.set(p, i * 3);
      uv0.set([u, v], i * 2);
      const du = at(u + h, v).map((x, c) => x - p[c]);
      const dv = at(u, v + h).map((x, c) => x - p[c]);
      const n = [du[1] * dv[2] - du[2] * dv[1], du[2] * dv[0] - du[0] * dv[2], du[0] * dv[1] - du[1] * dv[0]];
      const length = Math.hypot(...n);
      normals.set(length > 0 ? n.map((x) => x / length) : [0, 1, 0], i * 3);
    }
  }
  const indices: number[] = [];
  for (let j = 0; j < rows; j++) {
    for (let k = 0; k < columns; k++) {
      const a = j * (columns + 1) + k;
      const c = a + columns + 1;
      indices.push(a, a + 1, c + 1, a, c + 1, c);
    }
  }
  return { vertexCount, positions, attributes: { normal: normals, uv0 }, indices: Uint32Array.from(indices) };
}

/** Ground from (x0, z0), `size` metres wide; positions depend on their place alone, so neighbours meet bit for bit. */
export function ground(x0: number, z0: number, size: number, cells: number): Float32Mesh {
  const hill = (x: number, z: number) => 0.6 * Math.sin(x * 0.9) * Math.cos(z * 0.7) + 0.15 * Math.sin(x * 3 + z * 2);
  return surface(cells, cells, (u, v) => {
    // Whole steps keep the sums exact.
    const x = x0 + u * size;
    const z = z0 + (1 - v) * size;
    return [x, hill(x, z), z];
  });
}

export function sphere(x: number, y: number, z: number, radius: number, steps: number): Float32Mesh {
  return surface(steps * 2, steps, (u, v) => {
    const [a, b] = [u * 2 * Math.PI, (v - 0.5) * Math.PI];
    return [x + radius * Math.cos(b) * Math.sin(a), y + radius * Math.sin(b), z + radius * Math.cos(b) * Math.cos(a)];
  });
}

/** Separate quads of one size at places on a lattice. */
export function leaves(count: number, edge: number): Float32Mesh {
  const positions: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [(i % 7) * 0.9, (Math.floor(i / 7) % 7) * 0.8, Math.floor(i / 49) * 0.7];
    const tilt = i * 0.37;
    for (const [u, v] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]) {
      positions.push(x + u * edge * Math.cos(tilt), y + v * edge, z + u * edge * Math.sin(tilt));
      uvs.push(u, v);
    }
    const a = i * 4;
    indices.push(a, a + 1, a + 2, a, a + 2, a + 3);
  }
  const vertexCount = count * 4;
  const normals = new Float32Array(vertexCount * 3);
  for (let v = 0; v < vertexCount; v++) normals[v * 3 + 1] = 1;
  return {
    vertexCount,
    positions: Float32Array.from(positions),
    attributes: { normal: normals, uv0: Float32Array.from(uvs) },
    indices: Uint32Array.from(indices),
  };
}

/** The mesh as a file stores it. */
export async function pack(mesh: Mesh): Promise<PackedMesh> {
  const packed = await packParts([{ mesh, world: null }], new Diagnostics(), { file: 'f', path: '/p' });
  if (packed === null) throw new Error('nothing to pack');
  return packed;
}

/** The mesh as a file gives it back. */
export async function stored(mesh: Mesh): Promise<Float32Mesh> {
  return unpackMesh(await pack(mesh));
}

/** A mesh, or one as a file stores it. */
export type AnyMesh = Pick<Float32Mesh, 'positions' | 'indices'> | Pick<PackedMesh, 'vertices' | 'indices'>;

export function positionsOf(mesh: AnyMesh): Float32Array {
  return 'positions' in mesh ? mesh.positions : unpackVertices(wordsOf(mesh.vertices)).positions;
}

/** The positions in use as texts, bit for bit, sorted. */
export function places(meshes: readonly AnyMesh[]): string[] {
  return [
    ...new Set(
      meshes.flatMap((mesh) => {
        const positions = positionsOf(mesh);
        return [...mesh.indices].map((v) => [...positions.subarray(v * 3, v * 3 + 3)].join());
      }),
    ),
  ].sort();
}

export function area(meshes: readonly AnyMesh[]): number {
  let sum = 0;
  for (const mesh of meshes) {
    const p = positionsOf(mesh);
    for (let i = 0; i < mesh.indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => mesh.indices[i + k] * 3);
      const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
      const w = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
      sum += Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]) / 2;
    }
  }
  return sum;
}
