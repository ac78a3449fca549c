// Splits the vertices of a level where its corners have got different normals (levelNormals.ts), gives the new ones
// tangents across them, and parts the level into its meshes. All of it in the kernel's memory: only the vertices that a mesh
// uses are copied, and once.

import type { Address, Kernel } from '../../kernel/kernel.ts';
import { type AttributeArray, mapAttributes, type Semantic } from '../mesh/attributes.ts';
import { orderRuns } from '../mesh/optimise.ts';
import type { PickedMesh, UnitedMeshes } from '../mesh/united.ts';
import { closedRows } from '../mesh/weld.ts';

/** Vertices in the kernel's memory, with the attributes that shading looks at. */
export interface PlacedVertices {
  readonly positions: Address;
  readonly meshOf: Address;
  readonly attributes: { readonly [S in Semantic]?: Address };
}

/** Corners in the kernel's memory. */
interface Corners {
  readonly indices: Address;
  readonly count: number;
}

/** A level whose vertices are split: those of the source, and after those of each mesh its copies. */
interface Split {
  readonly corners: Corners;
  readonly meshOf: Address;
  readonly firstVertex: Uint32Array;
  /** The number that each vertex has in the source. */
  readonly vertices: Address;
  /** The same, but copies are numbered on from the last vertex of the source: rows of `normal` and `tangent`. */
  readonly copied: Address;
  /** Of the source and then of the copies; tangents at address 0 for none. */
  readonly normal: Address;
  readonly tangent: Address;
}

/** A vertex for each different normal of a vertex's corners. `made`: new normals of corners, zeros for none; or address 0. */
export function splitVertices(
  memory: Kernel,
  { vertexCount, firstVertex: first }: UnitedMeshes,
  { positions, meshOf, attributes }: PlacedVertices,
  { indices, count }: Corners,
  made: Address,
): Split {
  const { calls } = memory;
  const { normal = 0, tangent = 0, uv0 = 0 } = attributes;
  const list = memory.allocate(made === 0 ? 0 : count * 4);
  const rows = memory.allocate(made === 0 ? 0 : count * 16);
  const listed = made === 0 ? 0 : calls.rowsOfMade(indices, count, made, list, rows);
  const { first: copyOf, count: copyCount } = closedRows(memory, rows, 4, listed);

  // 1. Numbers.
  const all = vertexCount + copyCount;
  const firstVertex = memory.put(first);
  const [numbers, shifts] = [memory.allocate(copyCount * 4), memory.allocate(first.length * 4)];
  const [vertices, copied, newMeshOf] = [0, 0, 0].map(() => memory.allocate(all * 4));
  const newFirst = memory.allocate(first.length * 4);
  const copies = memory.words(
    ...[meshOf, firstVertex, first.length - 1, vertexCount, rows, copyCount],
    ...[numbers, shifts, vertices, copied, newMeshOf, newFirst],
  );
  calls.insertCopies(copies);
  const corners = memory.allocate(count * 4);
  calls.cornersOfCopies(copies, indices, count, list, copyOf, listed, corners);

  // 2. Normals, with tangents across them.
  const extended = (from: Address, rowBytes: number) => {
    const to = memory.allocate(all * rowBytes);
    memory.uint8(to, vertexCount * rowBytes).set(memory.uint8(from, vertexCount * rowBytes));
    return to;
  };
  const normals = copyCount > 0 ? extended(normal, 12) : normal;
  const tangents = copyCount > 0 && tangent !== 0 ? extended(tangent, 16) : tangent;
  if (copyCount > 0) calls.normalsOfCopies(rows, copyCount, normals + vertexCount * 12);
  if (copyCount > 0 && tangent !== 0) {
    const sums = memory.zeros(copyCount * 24);
    if (uv0 !== 0) calls.sumCopyTangents(positions, uv0, indices, list, copyOf, listed, sums);
    const own = [normals + vertexCount * 12, sums, tangent, tangents + vertexCount * 16] as const;
    calls.tangentsOfCopies(rows, copyCount, ...own);
  }
  return {
    corners: { indices: corners, count },
    meshOf: newMeshOf,
    firstVertex: memory.uint32(newFirst, first.length).slice(),
    vertices,
    copied,
    normal: normals,
    tangent: tangents,
  };
}

/** The mesh of each material, ordered. Null where no triangle is left. No triangle may have corners of two meshes. */
export function pickParts(
  memory: Kernel,
  source: UnitedMeshes,
  placed: PlacedVertices,
  split: Split,
): (PickedMesh | null)[] {
  const { corners, meshOf, firstVertex } = split;
  const meshCount = firstVertex.length - 1;
  const placedEnds = memory.allocate(meshCount * 4);
  const sorted = memory.allocate(corners.count * 4);
  const first = memory.put(firstVertex);
  memory.calls.sortByMesh(corners.indices, corners.count, meshOf, first, meshCount, placedEnds, sorted);
  const ends = memory.uint32(placedEnds, meshCount).slice();
  const meshes: (PickedMesh | null)[] = [];
  for (let m = 0; m < meshCount; m++) {
    const begin = m === 0 ? 0 : ends[m - 1];
    const own = { indices: sorted + begin * 4, count: ends[m] - begin, first: firstVertex[m] };
    const vertexCount = firstVertex[m + 1] - own.first;
    if (own.count > 0) orderRuns(memory, { ...own, vertexCount });
    meshes.push(
      own.count === 0 ? null : memory.within(() => pickPart(memory, source, placed, split, own, vertexCount)),
    );
  }
  // The numbers within the source's meshes.
  for (let m = 0; m < meshCount; m++) {
    const vertices = meshes[m]?.vertices;
    const before = source.firstVertex[m];
    if (vertices && before > 0) for (let v = 0; v < vertices.length; v++) vertices[v] -= before;
  }
  return meshes;
}

/** One mesh; its vertices have their numbers in the whole source. `first`: which of the split ones its corners count from. */
function pickPart(
  memory: Kernel,
  { attributes }: UnitedMeshes,
  placed: PlacedVertices,
  split: Split,
  { indices, count, first }: Corners & { readonly first: number },
  vertexCount: number,
): PickedMesh {
  const { calls } = memory;
  const used = memory.allocate(vertexCount * 4);
  const usedCount = calls.numberByUse(indices, count, memory.zeros(vertexCount * 4), used);
  const pick = (rows: Address, width: number, list: Address) => {
    const to = memory.allocate(usedCount * width * 4);
    calls.pickRows(rows, width, list, usedCount, to);
    return to;
  };
  const numbers = pick(split.vertices + first * 4, 1, used);
  // Copies have rows of their own of normals and tangents alone.
  const copied = pick(split.copied + first * 4, 1, used);
  const take = (rows: Address, width: number, list: Address) =>
    memory.uint8(pick(rows, width, list), usedCount * width * 4).slice().buffer;
  const addresses = { ...placed.attributes, normal: split.normal, tangent: split.tangent };
  const mesh = {
    vertexCount: usedCount,
    positions: new Float32Array(take(placed.positions, 3, numbers)),
    attributes: mapAttributes(attributes, (values, kind, semantic): AttributeArray => {
      const width = (kind.components * values.BYTES_PER_ELEMENT) / 4;
      const list = kind.shading === 'turned' ? copied : numbers;
      // What the surface is not judged by is not placed there.
      const rows = addresses[semantic] ?? memory.put(values);
      return new kind.array(take(rows, width, list));
    }),
    indices: memory.uint32(indices, count).slice(),
  };
  return { mesh, vertices: memory.uint32(numbers, usedCount).slice() };
}
