// The deviation of a level from its tile: the Hausdorff distance, which is the greatest distance from either surface to the
// other, measured at points spread evenly over the area (the same on every run), at vertices, and around the furthest
// of both. The loops are the kernel's (kernel/assembly/deviation.ts).

import { type Address, type Kernel, kernel } from '../../kernel/kernel.ts';
import type { Float32Mesh, Triangles } from '../mesh/mesh.ts';
import { PositionIds } from '../mesh/positionIds.ts';
import { uniteMeshes } from '../mesh/united.ts';
import { placeHierarchy } from './boundingVolumeHierarchy.ts';

/** Triangles of which equal positions are known. */
export interface WeldedTriangles extends Triangles {
  /** The position id of each vertex, equal where positions are: in the tile and in all of its levels (positionIds.ts). */
  readonly ids: Uint32Array;
}

/** What was measured of a level. */
export interface Measured {
  /** Metres, both ways, never negative. Infinity when the level is empty and the tile is not. */
  readonly error: number;
  /**
   * For each position id of the tile its distance to the level in metres, or that of a point in a triangle there; 0 where
   * the distance is within what is allowed. Null where all are.
   */
  readonly beyond: Float64Array | null;
}

/** Points spread over a surface: one for this many triangles, but at least and at most … */
const TRIANGLES_A_POINT = 8;
const MIN_POINTS = 1024;
const MAX_POINTS = 8192;

/** Triangles with a point whose squared distance is at least this share of the greatest are searched for a further one, … */
const PROMISING = 0.5;
/** … as many of them as this, from the most promising down. */
const SEARCHED = 64;

/** The deviation of several levels from one surface. What every comparison needs stays in the kernel's memory. */
export class DeviationFrom {
  readonly #tile: WeldedTriangles;
  /** The owner of what stays: holds no arrays. */
  readonly #owner = {};

  constructor(tile: WeldedTriangles) {
    this.#tile = tile;
  }

  /** The deviation of a level. `allowed`: positions that deviate by more than this, in metres, are listed. */
  measure(level: WeldedTriangles, allowed = Infinity): Measured {
    const tile = this.#tile;
    if (tile.indices.length === 0) return { error: 0, beyond: null };
    if (level.indices.length === 0) return { error: Infinity, beyond: null };
    return kernel.within((memory) => {
      const ofTile = memory.kept(this.#owner, () => prepare(memory, tile));
      const ofLevel = prepare(memory, level);
      const there = memory.within(() => farthest(memory, ofTile, ofLevel, { known: 0, allowed, near: 'beside' }));
      const back = memory.within(() => {
        return farthest(memory, ofLevel, ofTile, { known: there.max, allowed: Infinity, near: 'at' });
      });
      return { error: Math.sqrt(back.max), beyond: there.beyond };
    });
  }
}

/** The deviation in metres of meshes that were not made from others; Infinity where one side alone has triangles. */
export function deviationBetween(full: readonly Float32Mesh[], level: readonly Float32Mesh[]): number {
  if (full.length === 0) return level.length === 0 ? 0 : Infinity;
  const ids = new PositionIds();
  const welded = (meshes: readonly Float32Mesh[]): WeldedTriangles => {
    const { positions, indices } = uniteMeshes(meshes);
    return { positions, indices, ids: ids.of(positions) };
  };
  return new DeviationFrom(welded(full)).measure(welded(level)).error;
}

/** A surface in the kernel's memory, with all that does not depend on the other one. Addresses are of kernel/assembly/layout.ts. */
interface Prepared {
  readonly surface: Address;
  /** Ids of its triangles are below this. */
  readonly idCount: number;
  readonly tree: Address;
  /** Those spread over the surface; no vertices yet. */
  readonly points: Address;
  readonly spreadCount: number;
}

function prepare(memory: Kernel, { positions, indices, ids }: WeldedTriangles): Prepared {
  const { calls } = memory;
  const triangleCount = indices.length / 3;
  const placed = { positions: memory.put(positions), indices: memory.put(indices), triangleCount };
  const surface = memory.words(placed.positions, placed.indices, memory.put(ids), triangleCount, 0, 0, 0);
  const idCount = calls.idCountOf(surface);
  const vertexAt = memory.allocate(idCount * 4);
  const triangleAt = memory.allocate(idCount * 4);
  memory.uint32(surface, 7).set([idCount, vertexAt, triangleAt], 4);
  calls.findPositions(surface);

  const fans = { begins: memory.allocate((idCount + 1) * 4), triangles: memory.allocate(indices.length * 4) };
  const tree = placeHierarchy(memory, placed, fans);
  calls.buildFans(tree, surface);

  const wanted = Math.max(MIN_POINTS, Math.min(MAX_POINTS, Math.ceil(triangleCount / TRIANGLES_A_POINT)));
  const points = memory.words(memory.allocate(wanted * 24), memory.allocate(wanted * 4), 0, 0, 0);
  calls.spreadPoints(surface, wanted, points);
  return { surface, idCount, tree, points, spreadCount: memory.uint32(points, 3)[2] };
}

interface Question {
  /** A squared distance that is known already. */
  readonly known: number;
  /** Metres. */
  readonly allowed: number;
  /** Where the search for a point's nearest triangle begins: at its position, or at one that a triangle joins it to as well. */
  readonly near: 'at' | 'beside';
}

interface Farthest {
  /** Squared. */
  readonly max: number;
  readonly beyond: Measured['beyond'];
}

/**
 * The greatest squared distance from one surface to another, not below `known`: at the points spread over it, at vertices
 * that the other surface does not have, for those that it has are no distance away, and around the furthest of both (points as
 * in Aspert, Santa-Cruz, Ebrahimi, MESH: Measuring Errors between Surfaces).
 */
function farthest(memory: Kernel, from: Prepared, to: Prepared, { known, allowed, near }: Question): Farthest {
  const { calls } = memory;
  const { surface, points, idCount } = from;
  const vertexIds = memory.allocate(idCount * 4);
  const vertexCount = calls.missingIds(surface, to.surface, vertexIds);
  memory.uint32(points, 5).set([vertexIds, vertexCount], 3);
  const nearIds = memory.allocate(idCount * 4);
  calls.sharedIds(surface, to.surface, nearIds);
  if (near === 'beside') calls.idsBeside(surface, nearIds, memory.allocate(idCount));

  const limited = Number.isFinite(allowed);
  const greatest = limited ? memory.allocate(idCount * 8) : 0;
  if (limited) memory.float64(greatest, idCount).fill(0);
  const count = from.spreadCount + vertexCount;
  const found = memory.words(0, memory.allocate(count * 4), memory.allocate(count * 8), 0, greatest);
  let max = calls.farthest(surface, points, to.tree, nearIds, known, allowed * allowed, found);

  const [foundCount, triangles, distances, deviatingCount] = memory.uint32(found, 4);
  const promising = promisingOf(memory.uint32(triangles, foundCount), memory.float64(distances, foundCount), max, (t) =>
    calls.reach(surface, t),
  );
  let beyond = deviatingCount > 0 ? memory.float64(greatest, idCount).slice() : null;
  const searched = new Set<number>();
  for (const { triangle, distance } of promising) {
    if (searched.size === SEARCHED || distance <= max * PROMISING) break;
    if (searched.has(triangle)) continue;
    searched.add(triangle);
    const d = calls.farthestInTriangle(surface, triangle, to.tree, max);
    if (d <= max) continue;
    max = d;
    if (d <= allowed * allowed) continue;
    const id = calls.firstId(surface, triangle);
    beyond ??= new Float64Array(idCount);
    beyond[id] = Math.max(beyond[id], Math.sqrt(d));
  }
  return { max, beyond };
}

/** The points found that may have a further one in their triangle, the furthest first. */
function promisingOf(
  triangles: Uint32Array,
  distances: Float64Array,
  max: number,
  reach: (triangle: number) => number,
): { readonly triangle: number; readonly distance: number }[] {
  const root = Math.sqrt(max);
  const promising: number[] = [];
  for (let i = 0; i < distances.length; i++) {
    if (distances[i] > max * PROMISING && Math.sqrt(distances[i]) + reach(triangles[i]) > root) promising.push(i);
  }
  promising.sort((a, b) => distances[b] - distances[a] || a - b);
  return promising.map((i) => ({ triangle: triangles[i], distance: distances[i] }));
}

export function triangleArea(positions: Float32Array, indices: Uint32Array, at: number): number {
  const a = indices[at] * 3;
  const b = indices[at + 1] * 3;
  const c = indices[at + 2] * 3;
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return Math.sqrt(x * x + y * y + z * z) / 2;
}
