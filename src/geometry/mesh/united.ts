// All meshes of a tile as one, so that what spans materials is seen as a whole; and meshes of some triangles of another.

import { mergeMeshes } from './merge.ts';
import { type Float32Mesh, pickVertices } from './mesh.ts';
import { orderPairs, orderTriangles } from './optimise.ts';
import { weldedVertices } from './weldMesh.ts';

export interface UnitedMeshes extends Float32Mesh {
  /** First vertex of each mesh, and the vertex count at the end. */
  readonly firstVertex: Uint32Array;
  /** The mesh that each vertex belongs to. */
  readonly meshOf: Uint32Array;
}

const NOTHING: Float32Mesh = {
  vertexCount: 0,
  positions: new Float32Array(0),
  attributes: { normal: new Float32Array(0) },
  indices: new Uint32Array(0),
};

/** Vertices and triangles mesh after mesh. */
export function uniteMeshes(meshes: readonly Float32Mesh[]): UnitedMeshes {
  const united = meshes.length === 0 ? NOTHING : mergeMeshes(meshes);
  const firstVertex = new Uint32Array(meshes.length + 1);
  const meshOf = new Uint32Array(united.vertexCount);
  meshes.forEach(({ vertexCount }, i) => {
    firstVertex[i + 1] = firstVertex[i] + vertexCount;
    meshOf.fill(i, firstVertex[i], firstVertex[i + 1]);
  });
  return { ...united, firstVertex, meshOf };
}

/** A mesh of some vertices of another. */
export interface PickedMesh {
  readonly mesh: Float32Mesh;
  /** The number that each vertex had in that mesh. */
  readonly vertices: Uint32Array;
}

/** Some triangles of a mesh, ordered, with the vertices that they use. */
export async function pickTriangles(mesh: Float32Mesh, indices: Uint32Array): Promise<PickedMesh> {
  const own = indices.slice();
  const vertices = orderTriangles(own, mesh.vertexCount);
  return { mesh: pickVertices(mesh, vertices, own), vertices };
}

/** The mesh with its triangles ordered for the vertex cache and its vertices as they are fetched; unused ones go. */
export async function orderMesh(mesh: Float32Mesh): Promise<Float32Mesh> {
  return (await pickTriangles(mesh, mesh.indices)).mesh;
}

/** A mesh that is ordered for the vertex cache, ordered for LZ4 within that. */
export function pairMesh(mesh: Float32Mesh): Float32Mesh {
  const indices = mesh.indices.slice();
  const vertices = orderPairs(indices, mesh.vertexCount);
  return pickVertices(mesh, vertices, indices);
}

/** Like orderMesh, and vertices that are equal bit for bit become one. Each vertex is copied once. */
export async function weldAndOrder(mesh: Float32Mesh): Promise<Float32Mesh> {
  const welded = weldedVertices(mesh);
  if (welded === null) return orderMesh(mesh);
  const { first, indices } = welded;
  const order = orderTriangles(indices, first.length);
  for (let v = 0; v < order.length; v++) order[v] = first[order[v]];
  return pickVertices(mesh, order, indices);
}

/** One mesh of all (at least one), ordered again; vertices that are equal become one. A single mesh stays as it is. */
export async function joinMeshes(meshes: readonly Float32Mesh[]): Promise<Float32Mesh> {
  return meshes.length === 1 ? meshes[0] : weldAndOrder(mergeMeshes(meshes));
}
