// A model of a pack as its levels are made from it. A mesh that entities place several times is simplified once, where it is
// largest, and stored once in each level. Levels keep all meshes of the model, for the engine pairs them by their order.

import { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import type { DrawnMesh, MeshMaterial } from '../../../formats/format.ts';
import { drawnTriangles, type Model, type ModelPart } from '../../../formats/untold/levelFile.ts';
import {
  drawnMesh,
  type PackedMesh,
  packMesh,
  placedBounds,
  unpackMesh,
} from '../../../formats/untold/mesh/packMesh.ts';
import { bakePositions } from '../../../geometry/instances/bakePlacements.ts';
import { BorderMap, borderPositions, padded, SharedPositions, touches } from '../../../geometry/lod/borders.ts';
import type { SimplifiedMesh } from '../../../geometry/lod/simplifiedMesh.ts';
import { bitsOf, type Float32Mesh, pickVertices } from '../../../geometry/mesh/mesh.ts';
import { placeMesh } from '../../../geometry/mesh/transform.ts';
import { inverse } from '../../../scene/inverse.ts';
import { isIdentity } from '../../../scene/matrix.ts';
import type { Bounds, Mat4, Vec3 } from '../../../scene/types.ts';
import { isFoliage, isTextured } from '../levelCandidate.ts';

/** A level as its file holds it. */
export interface StoredLevel {
  /** One for each part of the model. */
  readonly packed: readonly PackedMesh[];
  /** What the next level is made from: one for each part. */
  readonly parts: readonly Float32Mesh[];
  /** Over all entities. */
  readonly triangles: number;
}

/** Where a part is simplified. */
interface Simplified extends SimplifiedMesh {
  readonly part: ModelPart;
  readonly surface: MeshMaterial;
  readonly place: Mat4;
}

const axisLengths = (m: Mat4): readonly number[] => [0, 4, 8].map((c) => Math.hypot(m[c], m[c + 1], m[c + 2]));
const largestAxis = (m: Mat4): number => Math.max(...axisLengths(m));

/** Positions in the space of the model. */
const placed = (positions: Float32Array, world: Mat4): Float32Array =>
  isIdentity(world) ? positions : bakePositions(positions, [world]);

/** Moves a mesh by a matrix that does not flatten, which has nothing to report. */
const moved = (mesh: Float32Mesh, world: Mat4): Float32Mesh =>
  isIdentity(world) ? mesh : placeMesh(mesh, world, new Diagnostics(), { file: '', path: '' });

export class ChainModel {
  readonly model: Model;
  /** What levels are made from, one for each part of the model. */
  readonly simplified: readonly Simplified[];
  /** How many times larger an error may be where another entity draws the mesh. */
  readonly stretch: number;

  /** `model`: one without an obstacle. `surfaces`: what each part is drawn with. */
  constructor(model: Model, surfaces: readonly MeshMaterial[]) {
    this.model = model;
    let stretch = 1;
    this.simplified = model.parts.map((part, i) => {
      const place = part.placements.reduce((max, one) => (largestAxis(one) > largestAxis(max) ? one : max));
      const lengths = axisLengths(place);
      for (const one of part.placements) {
        stretch = Math.max(stretch, ...axisLengths(one).map((length, k) => length / lengths[k]));
      }
      const mesh = moved(unpackMesh(part.packed), place);
      const surface = surfaces[i];
      return { part, surface, place, mesh, cards: isFoliage({ surface, mesh }), textured: isTextured(surface) };
    });
    this.stretch = stretch;
  }

  /** What is drawn of a level of a file that is not mirrored; without `packed` of the model itself. */
  async drawn(packed = this.model.parts.map((part) => part.packed) as readonly PackedMesh[]): Promise<DrawnMesh[]> {
    const drawn: DrawnMesh[] = [];
    for (const [i, { part, surface }] of this.simplified.entries()) {
      const naming = { entity: String(i), mesh: String(i) };
      drawn.push({ naming, surface, mesh: await drawnMesh(packed[i], part.placements) });
    }
    return drawn;
  }

  /**
   * 1 for each vertex that levels keep. Meshes that touch where they are simplified are simplified together, so their common border
   * stays closed. Where another entity of a mesh touches something, the two sides are simplified apart: vertices there stay.
   */
  lockedVertices(): (positions: Float32Array) => Uint8Array {
    const others = this.simplified.flatMap(({ part, place }) =>
      part.placements.filter((one) => one !== place).map((world) => ({ part, world })),
    );
    if (others.length === 0) return (positions) => new Uint8Array(positions.length / 3);
    const positionsOf = new Map(this.simplified.map(({ part }) => [part, unpackMesh(part.packed).positions]));
    const at = (part: ModelPart, world: Mat4) => placed(positionsOf.get(part) as Float32Array, world);
    const boxes = others.map(({ part, world }) => padded(placedBounds(part.packed, world)));
    const map = new BorderMap();
    const first = this.simplified.map(({ mesh }) => mesh.positions);
    map.add(borderPositions(first, boxes), 0);
    const firstBoxes = this.simplified.map(({ part, place }) => padded(placedBounds(part.packed, place)));
    for (const [i, { part, world }] of others.entries()) {
      const near = [...boxes.filter((_, k) => k !== i), ...firstBoxes].filter((box) => touches(box, boxes[i]));
      map.add(borderPositions([at(part, world)], near));
    }
    const shared = new SharedPositions(map.sharedRows());
    const rows: number[] = [];
    for (const { part, mesh } of this.simplified) {
      const locked = new Uint8Array(mesh.vertexCount);
      for (const world of part.placements) {
        const here = shared.lockedVertices(at(part, world));
        for (let v = 0; v < locked.length; v++) locked[v] |= here[v];
      }
      const bits = bitsOf(mesh.positions);
      for (let v = 0; v < locked.length; v++) if (locked[v]) rows.push(bits[v * 3], bits[v * 3 + 1], bits[v * 3 + 2]);
    }
    const kept = new SharedPositions(Uint32Array.from(rows));
    return (positions) => kept.lockedVertices(positions);
  }

  /**
   * A level from simplified meshes in the space of the model, one for each part, null where nothing is left of it: such a part
   * keeps its largest triangle of `before`, for each record needs one. Null: it would reach beyond the bounds of the model.
   */
  store(meshes: readonly (Float32Mesh | null)[], before: readonly Float32Mesh[]): StoredLevel | null {
    const parts = meshes.map((mesh, i) => mesh ?? largestTriangle(before[i]));
    const packed = parts.map((mesh, i) => {
      const { part, place } = this.simplified[i];
      // Models with a matrix that has no inverse have an obstacle (levelFile.ts).
      const own = moved(mesh, isIdentity(place) ? place : (inverse(place) as Mat4));
      return packMesh({ ...own, positions: clamped(own.positions, part.packed.bounds) });
    });
    for (const [i, { part }] of this.simplified.entries()) {
      const isOutside = part.placements.some((world) => !contains(this.model.bounds, placedBounds(packed[i], world)));
      if (isOutside) return null;
    }
    const triangles = drawnTriangles(this.model.parts, packed);
    return { packed, parts, triangles };
  }
}

/** A share of a coordinate that rounding to float32 may move it by. */
export const ROUNDING = 2 ** -22;

function contains(outer: Bounds, inner: Bounds): boolean {
  return [0, 1, 2].every((k) => {
    const room = Math.max(Math.abs(outer.min[k]), Math.abs(outer.max[k])) * ROUNDING;
    return inner.min[k] >= outer.min[k] - room && inner.max[k] <= outer.max[k] + room;
  });
}

/** The positions moved into the box, whose corners are float32. */
export function clamped(positions: Float32Array, { min, max }: Bounds): Float32Array {
  const inside = positions.slice();
  for (let i = 0; i < inside.length; i++) {
    const k = i % 3;
    inside[i] = Math.min(Math.max(inside[i], min[k]), max[k]);
  }
  return inside;
}

function largestTriangle(mesh: Float32Mesh): Float32Mesh {
  const { positions, indices } = mesh;
  const corner = (i: number): Vec3 => [positions[i * 3], positions[i * 3 + 1], positions[i * 3 + 2]];
  let [largest, first] = [-1, 0];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [corner(indices[t]), corner(indices[t + 1]), corner(indices[t + 2])];
    const [u, v] = [b, c].map((p) => [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    const area = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    if (area > largest) [largest, first] = [area, t];
  }
  return pickVertices(mesh, indices.slice(first, first + 3), Uint32Array.of(0, 1, 2));
}
