// What a scene draws, summed up by material: a triangle that is lost, drawn twice or moved changes the sums. Once from
// a source's own numbers, once from the payloads of a cooked scene, which are read here by the words of the format.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { identity, multiply } from '../../src/scene/matrix.ts';
import type { Mat4 } from '../../src/scene/types.ts';

export interface Sum {
  triangles: number;
  /** Square metres. */
  area: number;
  /** Of the triangles' middles, each times its area. */
  moment: [number, number, number];
}

/** A triangle smaller than a square micrometre is none. */
const MIN_AREA = 1e-12;

/** By the name of the material. */
export class Tally extends Map<string, Sum> {
  /** Nine numbers, xyz of three corners. */
  add(material: string, p: ArrayLike<number>): void {
    const [ax, ay, az] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
    const [bx, by, bz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
    const area = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx) / 2;
    if (area < MIN_AREA) return;
    const sum = this.get(material) ?? { triangles: 0, area: 0, moment: [0, 0, 0] };
    this.set(material, sum);
    sum.triangles++;
    sum.area += area;
    for (let i = 0; i < 3; i++) sum.moment[i] += (area * (p[i] + p[i + 3] + p[i + 6])) / 3;
  }

  get triangles(): number {
    return [...this.values()].reduce((total, { triangles }) => total + triangles, 0);
  }
}

export function moved(m: Mat4, points: ArrayLike<number>): Float64Array {
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    for (let r = 0; r < 3; r++) {
      out[i + r] = m[r] * points[i] + m[r + 4] * points[i + 1] + m[r + 8] * points[i + 2] + m[r + 12];
    }
  }
  return out;
}

export interface ManifestTile {
  readonly tile_id: string;
  readonly path_relative_to_manifest: string;
  readonly priority: number;
  readonly object_count: number;
  readonly semantic_tier?: string;
  readonly interior?: boolean;
  readonly lod_levels?: readonly { readonly path: string }[];
  readonly hlod_levels: readonly { readonly path: string }[];
}

export interface Manifest {
  readonly version: number;
  readonly partitioning_mode: string;
  readonly interior_zone?: unknown;
  readonly scene_bounds: { readonly min: readonly number[]; readonly max: readonly number[] };
  readonly scene_lights?: readonly unknown[];
  readonly scene_cameras?: readonly unknown[];
  readonly shared_bucket: ManifestTile | null;
  readonly tiles: readonly ManifestTile[];
}

export const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8'));

/** The shared bucket and all tiles. */
export const payloadsOf = ({ shared_bucket, tiles }: Manifest): readonly ManifestTile[] =>
  shared_bucket ? [...tiles, shared_bucket] : tiles;

/** Adds what one .untold draws: each entity's meshes where it and its parents put them. */
export async function addPayload(tally: Tally, file: string): Promise<void> {
  const scene = await readUntold(new Uint8Array(readFileSync(file)), file);
  const byId = new Map(scene.entities.map((entity) => [entity.id, entity]));
  for (const entity of scene.entities) {
    let world: Mat4 = identity();
    for (let at = byId.get(entity.id); at; at = byId.get(at.parent)) world = multiply(at.localTransform, world);
    for (const mesh of scene.meshes.slice(entity.firstMesh, entity.firstMesh + entity.meshCount)) {
      const { name } = scene.materials[mesh.material];
      const view = new DataView(mesh.vertices.buffer, mesh.vertices.byteOffset, mesh.vertices.byteLength);
      const points = new Float32Array(mesh.vertexCount * 3);
      // 32 bytes a vertex, the position first.
      for (let i = 0; i < points.length; i++) points[i] = view.getFloat32(Math.floor(i / 3) * 32 + (i % 3) * 4, true);
      const placed = moved(world, points);
      const corners = new Float64Array(9);
      for (let t = 0; t < mesh.indices.length; t += 3) {
        for (let k = 0; k < 3; k++) {
          for (let c = 0; c < 3; c++) corners[k * 3 + c] = placed[mesh.indices[t + k] * 3 + c];
        }
        tally.add(name, corners);
      }
    }
  }
}

/** What the payloads of a manifest draw, without their levels. */
export async function tallyOf(manifest: string): Promise<Tally> {
  const tally = new Tally();
  for (const { path_relative_to_manifest } of payloadsOf(readManifest(manifest))) {
    await addPayload(tally, join(dirname(manifest), path_relative_to_manifest));
  }
  return tally;
}

/**
 * The same triangles in both: equal numbers of each material, but for those in `cut`, of which there may be more; equal
 * areas, and equal middles to a tenth of a millimetre.
 */
export function expectSame(cooked: Tally, source: Tally, cut: readonly string[] = []): void {
  expect([...cooked.keys()].sort()).toEqual([...source.keys()].sort());
  for (const [material, wanted] of source) {
    const found = cooked.get(material) as Sum;
    if (cut.includes(material)) expect([material, found.triangles >= wanted.triangles]).toEqual([material, true]);
    else expect([material, found.triangles]).toEqual([material, wanted.triangles]);
    expect(Math.abs(found.area / wanted.area - 1), `area of ${material}`).toBeLessThan(1e-5);
    for (let i = 0; i < 3; i++) {
      const away = Math.abs(found.moment[i] - wanted.moment[i]) / wanted.area;
      expect(away, `middle of ${material}`).toBeLessThan(1e-4);
    }
  }
}
