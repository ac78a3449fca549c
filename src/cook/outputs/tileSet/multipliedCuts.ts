// Finds cuts that would multiply triangles. The plan chooses planes by bounds and counts, which do not tell long triangles
// from small ones, so the meshes of the objects to cut are read here before anything is cut.

import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { bareTriangles, countCut, placedFootprint } from '../../../geometry/cut/countCut.ts';
import type { Scene } from '../../../scene/types.ts';
import type { SplitOptions } from '../../../tiling/partition/split.ts';
import type { CutObject } from '../../../tiling/types.ts';

/** A cut may multiply an object's triangles by this … */
const MAX_TIMES = 2;
/** … and with `--split always` by more, as long as all objects of a source that exceed it have no more triangles than this. */
export const MAX_MULTIPLIED = 2_097_152;

/**
 * For each object whose cut would multiply its triangles, by node: the greatest fineness that it may be cut at (PlanesAt);
 * null: it must not be cut. Empty with `always`, but too many triangles then throw UC2211. Notes UC2209.
 */
export async function finestCuts(
  scene: Scene,
  cut: readonly CutObject[],
  split: SplitOptions['split'],
  diagnostics: Diagnostics,
): Promise<ReadonlyMap<number, number | null>> {
  const finest = new Map<number, number | null>();
  let multiplied = 0;
  // Each mesh is read once, for all nodes that use it, and released before the next.
  for (const [mesh, objects] of byMesh(scene, cut)) {
    const triangles = await trianglesOf(scene, mesh);
    const max = MAX_TIMES * triangles.count;
    for (const { object, fineness, planes } of objects) {
      const { path, world } = scene.nodes[object.node];
      const footprints = triangles.parts.map(({ positions }) => placedFootprint(positions, world));
      const becomes = (at: number, limit: number): number => {
        let count = 0;
        for (let i = 0; i < footprints.length && count <= limit; i++) {
          count += countCut(footprints[i], triangles.parts[i].indices, planes[at], limit - count);
        }
        return count;
      };
      if (split === 'always') {
        const count = becomes(0, Math.max(max, MAX_MULTIPLIED - multiplied));
        if (count <= max) continue;
        multiplied += count;
        if (multiplied <= MAX_MULTIPLIED) continue;
        const message = `cutting the ${triangles.count} triangles of this object makes more than are allowed`;
        fail('UC2211', scene.source, path, `${message}; ${MAX_MULTIPLIED} in all is the limit`);
      }
      let at = 0;
      while (at < planes.length && becomes(at, max) > max) at++;
      if (at > 0) finest.set(object.node, at < planes.length ? fineness - at : null);
    }
  }
  reportCoarsened(scene, cut, finest, diagnostics);
  return finest;
}

function byMesh(scene: Scene, cut: readonly CutObject[]): Map<number, CutObject[]> {
  const meshes = new Map<number, CutObject[]>();
  for (const one of cut) {
    const { mesh } = scene.nodes[one.object.node];
    const objects = meshes.get(mesh);
    if (objects) objects.push(one);
    else meshes.set(mesh, [one]);
  }
  return meshes;
}

async function trianglesOf({ meshes }: Scene, mesh: number) {
  const primitives = meshes[mesh].primitives.filter(({ triangleCount }) => triangleCount > 0);
  const parts = [];
  for (const primitive of primitives) parts.push(bareTriangles(await primitive.read(), primitive.subsets.length));
  return { parts, count: parts.reduce((sum, { indices }) => sum + indices.length / 3, 0) };
}

/** Notes (UC2209) objects whose pieces are larger than they would be, or that stay whole, once. */
function reportCoarsened(
  scene: Scene,
  cut: readonly CutObject[],
  finest: ReadonlyMap<number, number | null>,
  diagnostics: Diagnostics,
): void {
  const first = cut.find(({ object }) => finest.has(object.node));
  if (!first) return;
  const { object, fineness, pieces } = first;
  const to = finest.get(object.node) as number | null;
  const others = finest.size > 1 ? `; so do ${finest.size - 1} more objects` : '';
  const became = to === null ? 'it stays whole' : `its pieces are ${2 ** (fineness - to)} times as long`;
  const message = `cut into ${pieces} pieces it would have more than ${MAX_TIMES} times its triangles: ${became}${others}`;
  diagnostics.report('UC2209', scene.source, scene.nodes[object.node].path, message);
}
