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
function drawsWith(meshes: readonly ZoneMesh[], middle: Vec3, sectors: number): number {
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

/** Degrees that a view spans from side to side, as `untold check` reckons it. */
const VIEW_DEGREES = 90;

/** Most triangles that are in a view from the middle of the zone, if whatever shares a sector with it is drawn. */
export function trianglesInView(meshes: readonly ZoneMesh[], middle: Vec3, sectors: number): number {
  const counts = new Float64Array(sectors);
  for (const { mesh } of meshes) for (const sector of sectorsOf(mesh, middle, sectors)) counts[sector]++;
  const met = Math.min(sectors, Math.ceil((VIEW_DEGREES * sectors) / 360) + 1);
  let most = 0;
  for (let first = 0; first < sectors; first++) {
    let sum = 0;
    for (let i = 0; i < met; i++) sum += counts[(first + i) % sectors];
    most = Math.max(most, sum);
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
