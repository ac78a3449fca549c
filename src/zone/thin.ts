// Fewer triangles where no eye of the zone can tell. The scene is cut into rings around the zone, each twice as far as the one
// before, and the surfaces of a ring are simplified together, up to the error that shows at its nearest point. Vertices that two
// rings share stay, so that no crack opens between them.

import { simplifyParts } from '../geometry/lod/simplify.ts';
import { mergeMeshes } from '../geometry/mesh/merge.ts';
import { type Float32Mesh, pickVertices } from '../geometry/mesh/mesh.ts';
import { PositionIds } from '../geometry/mesh/positionIds.ts';
import { weldAndOrder } from '../geometry/mesh/united.ts';
import { boxToZone, type Zone } from './zone.ts';

/** A mesh of the scene in world space. */
export interface ZoneMesh {
  /** Meshes of equal keys are merged. */
  readonly key: string;
  readonly mesh: Float32Mesh;
  /** Whether its UVs reach a texture. */
  readonly isTextured: boolean;
}

/** The triangles of one ring, a mesh for each key. */
export interface Ring {
  /** Metres to the nearest eye. */
  readonly nearest: number;
  readonly meshes: readonly ZoneMesh[];
  /** Three words each: the positions that other rings have too. */
  readonly lockedVertices: (positions: Float32Array) => Uint8Array;
}

/** The inner radius of the second ring in metres. */
const FIRST_RING = 0.5;

const ringOf = (metres: number): number => Math.max(0, Math.floor(Math.log2(metres / FIRST_RING)) + 1);

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

/** Cuts meshes into rings around the zone, the nearest first. */
export async function ringsOf(meshes: Iterable<ZoneMesh>, zone: Zone): Promise<Ring[]> {
  const rings = new Map<number, OpenRing>();
  const positionIds = new PositionIds();
  /** Of each position id the ring that has it; SEVERAL. */
  let owners = new Int16Array(0);
  for (const { key, mesh, isTextured } of meshes) {
    const distances = triangleDistances(mesh, zone);
    const ids = positionIds.of(mesh.positions);
    if (positionIds.count > owners.length) {
      const grown = new Int16Array(positionIds.count * 2).fill(NONE);
      grown.set(owners);
      owners = grown;
    }
    const corners = new Map<number, number[]>();
    for (let t = 0; t < distances.length; t++) {
      const number = ringOf(distances[t]);
      const ring = rings.get(number) ?? { nearest: Infinity, ofKeys: new Map() };
      rings.set(number, ring);
      ring.nearest = Math.min(ring.nearest, distances[t]);
      let list = corners.get(number);
      if (list === undefined) {
        list = [];
        corners.set(number, list);
      }
      for (let k = 0; k < 3; k++) {
        const vertex = mesh.indices[t * 3 + k];
        list.push(vertex);
        const id = ids[vertex];
        owners[id] = owners[id] === NONE || owners[id] === number ? number : SEVERAL;
      }
    }
    for (const [number, list] of corners) {
      const { ofKeys } = rings.get(number) as OpenRing;
      const own = ofKeys.get(key) ?? { meshes: [], isTextured };
      ofKeys.set(key, own);
      own.meshes.push(picked(mesh, list));
    }
  }
  const lockedVertices = (positions: Float32Array): Uint8Array =>
    Uint8Array.from(positionIds.of(positions), (id) => (id < owners.length && owners[id] === SEVERAL ? 1 : 0));
  const numbers = [...rings.keys()].sort((a, b) => a - b);
  const whole: Ring[] = [];
  for (const number of numbers) {
    const { nearest, ofKeys } = rings.get(number) as OpenRing;
    const merged: ZoneMesh[] = [];
    for (const key of [...ofKeys.keys()].sort()) {
      const { meshes: list, isTextured } = ofKeys.get(key)!;
      merged.push({ key, mesh: await weldAndOrder(mergeMeshes(list)), isTextured });
    }
    whole.push({ nearest, meshes: merged, lockedVertices });
  }
  return whole;
}

const NONE = -1;
const SEVERAL = -2;

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

/** A ring simplified up to an error of so many metres at a metre's distance. */
export async function thinned(ring: Ring, error: number): Promise<ZoneMesh[]> {
  const parts = ring.meshes.map(({ mesh, isTextured }) => ({ mesh, cards: false, textured: isTextured }));
  const limit = error * ring.nearest;
  if (!(limit > 0)) return [...ring.meshes];
  const { meshes } = await simplifyParts(parts, {
    triangles: 0,
    limit,
    keepsShading: true,
    lockedVertices: ring.lockedVertices,
  });
  return ring.meshes.flatMap((one, i) => {
    const picked = meshes[i];
    return picked === null ? [] : [{ ...one, mesh: picked.mesh }];
  });
}
