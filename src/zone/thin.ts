// Fewer triangles where no eye of the zone can tell. The scene is cut into rings around the zone, each a fifth farther than the
// one before, and the surfaces of a ring are simplified together, up to the error that shows at its nearest point. Vertices that two
// rings share stay, so that no crack opens between them.

import { BorderMap, type SharedPositions } from '../geometry/lod/borders.ts';
import { simplifyParts } from '../geometry/lod/simplify.ts';
import { mergeMeshes } from '../geometry/mesh/merge.ts';
import { bitsOf, type Float32Mesh, pickVertices } from '../geometry/mesh/mesh.ts';
import { writePositionRow } from '../geometry/mesh/positionIds.ts';
import { weldAndOrder } from '../geometry/mesh/united.ts';
import type { Vec3 } from '../scene/types.ts';
import { type Losses, withoutLosses } from './careful.ts';
import { boxToZone, middleOf, type Zone } from './zone.ts';

/** A mesh of the scene in world space. */
export interface ZoneMesh {
  /** Meshes of equal keys are merged. */
  readonly key: string;
  readonly mesh: Float32Mesh;
  /** Whether its UVs reach a texture. */
  readonly isTextured: boolean;
  /** Absent: usual. */
  readonly care?: Care;
}

/** How a mesh is simplified: without losing what is thin, without losing pieces at all (careful.ts), or not at all. */
export type Care = (typeof CARES)[number];
const CARES = ['usual', 'careful', 'exact'] as const;

/** The triangles of one ring that are simplified alike, a mesh for each key. */
export interface Ring {
  /** Metres to the nearest eye; 0 where nothing may be simplified. */
  readonly nearest: number;
  readonly care: Care;
  readonly meshes: readonly ZoneMesh[];
}

/** A zone's surroundings. */
export interface Rings {
  /** The nearest first. */
  readonly rings: readonly Ring[];
  /** Three words each: the positions that several rings have. */
  readonly shared: Uint32Array;
  /** The middle of the zone. */
  readonly middle: Vec3;
}

/** The inner radius of the second ring in metres. */
const FIRST_RING = 0.5;

/**
 * So many rings double the distance. With one, what lies at the far side of a ring has half of the error that it may have; with four,
 * a town of a million triangles has 7 % fewer of them, and a wide landscape 12 %.
 */
const RINGS_A_DOUBLING = 4;

/** Rings of the usual care have numbers below it, those of each other care begin at its multiples. */
const RINGS = 256;

const ringOf = (metres: number): number =>
  Math.max(0, Math.floor(Math.log2(metres / FIRST_RING) * RINGS_A_DOUBLING) + 1);

/** Metres from the zone to the box of each triangle. */
export function triangleDistances({ positions, indices }: Float32Mesh, zone: Zone): Float32Array {
  const distances = new Float32Array(indices.length / 3);
  const [low, high] = [
    [0, 0, 0],
    [0, 0, 0],
  ] as [[number, number, number], [number, number, number]];
  for (let t = 0; t < distances.length; t++) {
    const [a, b, c] = [indices[t * 3] * 3, indices[t * 3 + 1] * 3, indices[t * 3 + 2] * 3];
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(positions[a + k], positions[b + k], positions[c + k]);
      high[k] = Math.max(positions[a + k], positions[b + k], positions[c + k]);
    }
    distances[t] = boxToZone(low, high, zone);
  }
  return distances;
}

interface OpenRing {
  nearest: number;
  readonly ofKeys: Map<string, { readonly meshes: Float32Mesh[]; readonly isTextured: boolean }>;
}

/** Cuts meshes into rings around the zone. */
export async function ringsOf(meshes: Iterable<ZoneMesh>, zone: Zone): Promise<Rings> {
  const open = new Map<number, OpenRing>();
  for (const { key, mesh, isTextured, care = 'usual' } of meshes) {
    const distances = triangleDistances(mesh, zone);
    const corners = new Map<number, number[]>();
    for (let t = 0; t < distances.length; t++) {
      const number = ringOf(distances[t]) + CARES.indexOf(care) * RINGS;
      const ring = open.get(number) ?? { nearest: Infinity, ofKeys: new Map() };
      open.set(number, ring);
      ring.nearest = Math.min(ring.nearest, distances[t]);
      let list = corners.get(number);
      if (list === undefined) {
        list = [];
        corners.set(number, list);
      }
      for (let k = 0; k < 3; k++) list.push(mesh.indices[t * 3 + k]);
    }
    for (const [number, list] of corners) {
      const { ofKeys } = open.get(number) as OpenRing;
      const own = ofKeys.get(key) ?? { meshes: [], isTextured };
      ofKeys.set(key, own);
      own.meshes.push(picked(mesh, list));
    }
  }
  const rings: Ring[] = [];
  const borders = new BorderMap();
  for (const number of [...open.keys()].sort((a, b) => a - b)) {
    const { nearest, ofKeys } = open.get(number) as OpenRing;
    const care = CARES[Math.floor(number / RINGS)];
    const merged: ZoneMesh[] = [];
    for (const key of [...ofKeys.keys()].sort()) {
      const { meshes: list, isTextured } = ofKeys.get(key)!;
      const mesh = await weldAndOrder(mergeMeshes(list));
      borders.add(positionRows(mesh.positions), number);
      merged.push({ key, mesh, isTextured, care });
    }
    rings.push({ nearest: care === 'exact' ? 0 : nearest, care, meshes: merged });
  }
  return { rings, shared: borders.sharedRows(), middle: middleOf(zone) };
}

function positionRows(positions: Float32Array): Uint32Array {
  const bits = bitsOf(positions);
  const rows = new Uint32Array(bits.length);
  for (let at = 0; at < bits.length; at += 3) writePositionRow(bits, at, rows.subarray(at, at + 3));
  return rows;
}

/** The vertices of some corners, and triangles of them. */
function picked(mesh: Float32Mesh, corners: readonly number[]): Float32Mesh {
  const numberOf = new Map<number, number>();
  const indices = new Uint32Array(corners.length);
  for (let i = 0; i < corners.length; i++) {
    const vertex = corners[i];
    let number = numberOf.get(vertex);
    if (number === undefined) {
      number = numberOf.size;
      numberOf.set(vertex, number);
    }
    indices[i] = number;
  }
  return pickVertices(mesh, Uint32Array.from(numberOf.keys()), indices);
}

/** Meshes of a ring simplified together, up to an error in metres. `shared`: the positions that other rings have too. */
export async function thinned(
  meshes: readonly ZoneMesh[],
  losses: Losses,
  shared: SharedPositions,
): Promise<ZoneMesh[]> {
  if (!(losses.limit > 0)) return [...meshes];
  return withoutLosses(meshes, losses, (list, limit) => simplified(list, limit, shared));
}

/** How a ring is simplified with an error of so many metres at a metre's distance, where a pixel covers `pixel` of them. */
export const lossesOf = ({ nearest, care }: Ring, { middle }: Rings, error: number, pixel: number): Losses => ({
  limit: error * nearest,
  pixel: pixel * nearest,
  eye: middle,
  isCareful: care === 'careful',
});

async function simplified(meshes: readonly ZoneMesh[], limit: number, shared: SharedPositions): Promise<ZoneMesh[]> {
  const { meshes: made } = await simplifyParts(
    meshes.map(({ mesh, isTextured }) => ({ mesh, cards: false, textured: isTextured })),
    {
      triangles: 0,
      limit,
      keepsShading: true,
      lockedVertices: (positions) => shared.lockedVertices(positions),
    },
  );
  return meshes.flatMap((one, i) => {
    const left = made[i];
    return left === null ? [] : [{ ...one, mesh: left.mesh }];
  });
}
