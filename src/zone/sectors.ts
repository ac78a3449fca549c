// Sectors around the zone: what shares a material is one mesh in each of them, so that what lies behind the head leaves the view.

import { mergeMeshes } from '../geometry/mesh/merge.ts';
import { type Float32Mesh, pickVertices } from '../geometry/mesh/mesh.ts';
import { weldAndOrder } from '../geometry/mesh/united.ts';
import type { Vec3 } from '../scene/types.ts';
import type { ZoneMesh } from './thin.ts';

/** How many sectors there may be, most first. */
const SECTOR_COUNTS = [16, 12, 8, 6, 4, 3, 2, 1] as const;
/** Without a budget of draws. */
const USUAL_SECTORS = 8;

/** The sector of a direction, from +X towards +Z. Quotients decide it, which are the same on every machine. */
export function sectorOf(x: number, z: number, sectors: number): number {
  const turn = x === 0 && z === 0 ? 0 : Math.atan2(z, x) / (2 * Math.PI);
  return Math.floor((turn < 0 ? turn + 1 : turn) * sectors) % sectors;
}

/** The sector of each triangle, by its middle. */
function sectorsOf({ positions, indices }: Float32Mesh, middle: Vec3, sectors: number): Uint8Array {
  const numbers = new Uint8Array(indices.length / 3);
  for (let t = 0; t < numbers.length; t++) {
    const [a, b, c] = [indices[t * 3] * 3, indices[t * 3 + 1] * 3, indices[t * 3 + 2] * 3];
    const x = (positions[a] + positions[b] + positions[c]) / 3 - middle[0];
    const z = (positions[a + 2] + positions[b + 2] + positions[c + 2]) / 3 - middle[2];
    numbers[t] = sectorOf(x, z, sectors);
  }
  return numbers;
}

/** One mesh that is drawn: a material in a sector. */
export interface SectorMesh {
  readonly key: string;
  readonly sector: number;
  readonly mesh: Float32Mesh;
}

/** How many meshes the sectors would have. */
export function drawsWith(meshes: readonly ZoneMesh[], middle: Vec3, sectors: number): number {
  const found = new Set<string>();
  for (const { key, mesh } of meshes) {
    for (const sector of new Set(sectorsOf(mesh, middle, sectors))) found.add(`${sector} ${key}`);
  }
  return found.size;
}

/** As many sectors as leave the meshes within `draws`; null: nobody counts them. */
export function sectorCount(meshes: readonly ZoneMesh[], middle: Vec3, draws: number | null): number {
  if (draws === null) return USUAL_SECTORS;
  return SECTOR_COUNTS.find((count) => drawsWith(meshes, middle, count) <= draws) ?? 1;
}

/** Looks north, east, south and west, with views of 90 degrees, as `untold check` does: an axis and its sign. */
const LOOKS = [
  [2, -1],
  [0, 1],
  [2, 1],
  [0, -1],
] as const;

/** The box of what is drawn as one mesh. */
interface SectorBox {
  readonly low: [number, number, number];
  readonly high: [number, number, number];
  triangles: number;
}

/** The boxes of the meshes that the sectors will have. */
function sectorBoxes(meshes: readonly ZoneMesh[], middle: Vec3, sectors: number): SectorBox[] {
  const boxes = new Map<string, SectorBox>();
  for (const { key, mesh } of meshes) {
    const { positions, indices } = mesh;
    const numbers = sectorsOf(mesh, middle, sectors);
    const own: (SectorBox | undefined)[] = [];
    for (let t = 0; t < numbers.length; t++) {
      let box = own[numbers[t]];
      if (box === undefined) {
        const name = `${numbers[t]} ${key}`;
        box = boxes.get(name) ?? {
          low: [Infinity, Infinity, Infinity],
          high: [-Infinity, -Infinity, -Infinity],
          triangles: 0,
        };
        boxes.set(name, box);
        own[numbers[t]] = box;
      }
      box.triangles++;
      for (let k = 0; k < 3; k++) {
        const at = indices[t * 3 + k] * 3;
        for (let axis = 0; axis < 3; axis++) {
          const value = positions[at + axis];
          if (value < box.low[axis]) box.low[axis] = value;
          if (value > box.high[axis]) box.high[axis] = value;
        }
      }
    }
  }
  return [...boxes.values()];
}

/** Whether a box may be in the view of an eye that looks along an axis: no side of the view has all of it outside. */
function isInView({ low, high }: SectorBox, eye: Vec3, [axis, sign]: (typeof LOOKS)[number]): boolean {
  const ahead = sign > 0 ? high[axis] - eye[axis] : eye[axis] - low[axis];
  if (ahead < 0) return false;
  return [0, 1, 2].every(
    (other) => other === axis || (ahead + high[other] - eye[other] >= 0 && ahead + eye[other] - low[other] >= 0),
  );
}

/** Most triangles in a view from any of the eyes, if what shares a material and a sector is drawn as one. */
export function trianglesInView(
  meshes: readonly ZoneMesh[],
  middle: Vec3,
  sectors: number,
  eyes: readonly Vec3[],
): number {
  const boxes = sectorBoxes(meshes, middle, sectors);
  let most = 0;
  for (const eye of eyes) {
    for (const look of LOOKS) {
      const seen = boxes.reduce((sum, box) => (isInView(box, eye, look) ? sum + box.triangles : sum), 0);
      most = Math.max(most, seen);
    }
  }
  return most;
}

/** The meshes merged by key and sector, in the order of the sectors, then of the keys. */
export async function mergedInSectors(
  meshes: readonly ZoneMesh[],
  middle: Vec3,
  sectors: number,
): Promise<SectorMesh[]> {
  const groups = new Map<string, { readonly key: string; readonly sector: number; readonly meshes: Float32Mesh[] }>();
  for (const { key, mesh } of meshes) {
    const numbers = sectorsOf(mesh, middle, sectors);
    for (const sector of [...new Set(numbers)].sort((a, b) => a - b)) {
      const name = `${String(sector).padStart(2, '0')} ${key}`;
      const group = groups.get(name) ?? { key, sector, meshes: [] };
      groups.set(name, group);
      group.meshes.push(trianglesIn(mesh, numbers, sector));
    }
  }
  const merged: SectorMesh[] = [];
  for (const name of [...groups.keys()].sort()) {
    const { key, sector, meshes: list } = groups.get(name)!;
    merged.push({ key, sector, mesh: await weldAndOrder(mergeMeshes(list)) });
  }
  return merged;
}

function trianglesIn(mesh: Float32Mesh, numbers: Uint8Array, sector: number): Float32Mesh {
  const numberOf = new Int32Array(mesh.vertexCount).fill(-1);
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let t = 0; t < numbers.length; t++) {
    if (numbers[t] !== sector) continue;
    for (let k = 0; k < 3; k++) {
      const vertex = mesh.indices[t * 3 + k];
      if (numberOf[vertex] < 0) {
        numberOf[vertex] = vertices.length;
        vertices.push(vertex);
      }
      indices.push(numberOf[vertex]);
    }
  }
  return pickVertices(mesh, Uint32Array.from(vertices), Uint32Array.from(indices));
}
