// What is drawn as one mesh: the triangles of a material in a sector, and where the device carries more draws, halves of those. A
// mesh leaves the view when its box does, so that smaller boxes draw fewer triangles that nobody sees.

import { mergeMeshes } from '../geometry/mesh/merge.ts';
import { type Float32Mesh, pickVertices } from '../geometry/mesh/mesh.ts';
import { weldAndOrder } from '../geometry/mesh/united.ts';
import type { Vec3 } from '../scene/types.ts';
import { sectorCount, sectorsOf } from './sectors.ts';
import type { ZoneMesh } from './thin.ts';

/** To halve a mesh of fewer triangles is not worth a draw. */
const MIN_HALVED = 1000;

/** Some triangles that are drawn as one mesh. */
interface Cell {
  readonly key: string;
  readonly sector: number;
  /** Numbers of triangles, counted over all meshes. */
  readonly triangles: Uint32Array;
}

/** How meshes are cut into those that are drawn. */
export interface Cells {
  readonly sectors: number;
  readonly cells: readonly Cell[];
  /** Of each cell: its least and its greatest corner. */
  readonly boxes: readonly Box[];
}

export interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** Of each triangle of some meshes, one after the other: its least and its greatest corner, six numbers. */
function triangleBoxes(meshes: readonly ZoneMesh[]): Float32Array {
  const count = meshes.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
  const boxes = new Float32Array(count * 6);
  let at = 0;
  for (const { mesh } of meshes) {
    const { positions, indices } = mesh;
    for (let i = 0; i < indices.length; i += 3, at += 6) {
      const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
      for (let axis = 0; axis < 3; axis++) {
        const [p, q, r] = [positions[a + axis], positions[b + axis], positions[c + axis]];
        boxes[at + axis] = Math.min(p, q, r);
        boxes[at + axis + 3] = Math.max(p, q, r);
      }
    }
  }
  return boxes;
}

/** What shares a key and a sector, in the order of the sectors, then of the keys. */
function cellsOfSectors(meshes: readonly ZoneMesh[], middle: Vec3, sectors: number): Cell[] {
  const lists = new Map<string, { readonly key: string; readonly sector: number; readonly triangles: number[] }>();
  let first = 0;
  for (const { key, mesh } of meshes) {
    const numbers = sectorsOf(mesh, middle, sectors);
    for (let t = 0; t < numbers.length; t++) {
      const name = `${String(numbers[t]).padStart(2, '0')} ${key}`;
      let cell = lists.get(name);
      if (cell === undefined) {
        cell = { key, sector: numbers[t], triangles: [] };
        lists.set(name, cell);
      }
      cell.triangles.push(first + t);
    }
    first += numbers.length;
  }
  const named = [...lists.keys()].sort().map((name) => lists.get(name)!);
  return named.map((cell) => ({ ...cell, triangles: Uint32Array.from(cell.triangles) }));
}

/** The two halves of a cell along the axis on which the middles of its triangles lie farthest apart. */
function halves({ triangles, ...cell }: Cell, boxes: Float32Array): [Cell, Cell] {
  const middle = (triangle: number, axis: number) => boxes[triangle * 6 + axis] + boxes[triangle * 6 + axis + 3];
  let [longest, most] = [0, -1];
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (const triangle of triangles) {
      const value = middle(triangle, axis);
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > most) [longest, most] = [axis, high - low];
  }
  const order = triangles.slice().sort((a, b) => middle(a, longest) - middle(b, longest) || a - b);
  const half = order.length >> 1;
  // Triangles keep the order that they have in their meshes.
  const parts = [order.slice(0, half).sort(), order.slice(half).sort()];
  return [
    { ...cell, triangles: parts[0] },
    { ...cell, triangles: parts[1] },
  ];
}

/** What a device carries; null: nobody counts it. */
export interface CellBudget {
  readonly draws: number | null;
  readonly visibleTriangles: number | null;
  /** Is drawn besides the cells. */
  readonly beside?: readonly Beside[];
}

/** Triangles that stay as they are, and the box that they leave the view with. */
export interface Beside {
  readonly triangles: number;
  readonly box: Box;
}

/**
 * Cuts meshes into cells, each of which is one draw. The cell with the most triangles is halved again and again, up to the budget of
 * draws. It ends earlier if the share of visible triangles that is used no longer exceeds the share of draws that is used. `eyes`: the
 * places whose views are counted.
 */
export function cutIntoCells(
  meshes: readonly ZoneMesh[],
  middle: Vec3,
  { draws, visibleTriangles, beside = [] }: CellBudget,
  eyes: readonly Vec3[],
): Cells {
  const sectors = sectorCount(meshes, middle, draws);
  const ofTriangles = triangleBoxes(meshes);
  const cells = cellsOfSectors(meshes, middle, sectors);
  const boxes = cells.map(({ triangles }) => boxOf(triangles, ofTriangles));
  const cut = { sectors, cells, boxes };
  const isEven = (most: number) =>
    visibleTriangles !== null && shareInView(cut, eyes, visibleTriangles, beside) * most <= cells.length;
  while (draws !== null && cells.length < draws && !isEven(draws)) {
    let largest = 0;
    for (let i = 1; i < cells.length; i++) {
      if (cells[i].triangles.length > cells[largest].triangles.length) largest = i;
    }
    if (cells.length === 0 || cells[largest].triangles.length < MIN_HALVED) break;
    const parts = halves(cells[largest], ofTriangles);
    cells.splice(largest, 1, ...parts);
    boxes.splice(largest, 1, ...parts.map(({ triangles }) => boxOf(triangles, ofTriangles)));
  }
  return cut;
}

function boxOf(triangles: Uint32Array, boxes: Float32Array): Box {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const triangle of triangles) {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], boxes[triangle * 6 + axis]);
      high[axis] = Math.max(high[axis], boxes[triangle * 6 + axis + 3]);
    }
  }
  return { low, high };
}

/** Looks north, east, south and west, with views of 90 degrees, as `untold check` does: an axis and its sign. */
const LOOKS = [
  [2, -1],
  [0, 1],
  [2, 1],
  [0, -1],
] as const;

/** Whether a box may be in the view of an eye that looks along an axis: no side of the view has all of it outside. */
function isInView({ low, high }: Box, eye: Vec3, [axis, sign]: (typeof LOOKS)[number]): boolean {
  const ahead = sign > 0 ? high[axis] - eye[axis] : eye[axis] - low[axis];
  if (ahead < 0) return false;
  return [0, 1, 2].every(
    (other) => other === axis || (ahead + high[other] - eye[other] >= 0 && ahead + eye[other] - low[other] >= 0),
  );
}

/**
 * Triangles of cells in a view from any of the eyes as a share of those that may be in it, where it is greatest: `beside` takes its part
 * of them first.
 */
export function shareInView(
  { cells, boxes }: Cells,
  eyes: readonly Vec3[],
  visibleTriangles: number,
  beside: readonly Beside[],
): number {
  let most = 0;
  for (const eye of eyes) {
    for (const look of LOOKS) {
      const seen = boxes.reduce((sum, box, i) => (isInView(box, eye, look) ? sum + cells[i].triangles.length : sum), 0);
      const taken = beside.reduce((sum, { box, triangles }) => (isInView(box, eye, look) ? sum + triangles : sum), 0);
      most = Math.max(most, seen / Math.max(1, visibleTriangles - taken));
    }
  }
  return most;
}

/** One mesh that is drawn. */
export interface CellMesh {
  readonly key: string;
  readonly sector: number;
  readonly mesh: Float32Mesh;
}

/** The meshes merged cell by cell. */
export async function mergedInCells(meshes: readonly ZoneMesh[], { cells }: Cells): Promise<CellMesh[]> {
  const merged: CellMesh[] = [];
  for (const { key, sector, triangles } of cells) {
    const parts: Float32Mesh[] = [];
    let [first, at] = [0, 0];
    for (const { mesh } of meshes) {
      const end = first + mesh.indices.length / 3;
      const from = at;
      while (at < triangles.length && triangles[at] < end) at++;
      if (at > from) parts.push(trianglesIn(mesh, triangles.subarray(from, at), first));
      first = end;
    }
    merged.push({ key, sector, mesh: await weldAndOrder(mergeMeshes(parts)) });
  }
  return merged;
}

/** Some triangles of a mesh. `first`: the number of its own first one. */
function trianglesIn(mesh: Float32Mesh, triangles: Uint32Array, first: number): Float32Mesh {
  const numberOf = new Int32Array(mesh.vertexCount).fill(-1);
  const vertices: number[] = [];
  const indices = new Uint32Array(triangles.length * 3);
  for (const [i, triangle] of triangles.entries()) {
    for (let k = 0; k < 3; k++) {
      const vertex = mesh.indices[(triangle - first) * 3 + k];
      if (numberOf[vertex] < 0) {
        numberOf[vertex] = vertices.length;
        vertices.push(vertex);
      }
      indices[i * 3 + k] = numberOf[vertex];
    }
  }
  return pickVertices(mesh, Uint32Array.from(vertices), indices);
}
