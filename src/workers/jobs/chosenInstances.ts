// Which placements of a payload's meshes become instances: of a mesh that is placed several times, where entities can
// hold the transforms, no neighbour can tell, the file gains by it and the payload has room for the entities.

import type { Format, InstanceCandidate } from '../../formats/format.ts';
import { decompose, matchesBaked } from '../../geometry/instances/instance.ts';
import { touches } from '../../geometry/lod/borders.ts';
import type { Mesh } from '../../geometry/mesh/mesh.ts';
import { boundsOfPoints } from '../../scene/bounds.ts';
import { transformBounds } from '../../scene/matrix.ts';
import type { Bounds, Mat4 } from '../../scene/types.ts';
import type { InstanceLimits } from '../jobs.ts';

/** What is drawn alike of one mesh, in the mesh's own space, with its placements in one payload. */
export interface InstanceGroup {
  readonly meshes: readonly Mesh[];
  readonly placements: readonly {
    readonly world: Mat4;
    /** Entities of their own are never merged; the others go into the merged mesh of the part's key. */
    readonly own: boolean;
  }[];
  /** Of the merged mesh. */
  readonly key: string;
  /** Of the name that its entities get, as UTF-8. */
  readonly nameBytes: number;
}

/**
 * For each part the placements that become instances, as indices into its `placements`; empty: none. `others`: keys of merged
 * meshes that more goes into than these parts.
 */
export function chosenPlacements(
  parts: readonly InstanceGroup[],
  others: ReadonlySet<string>,
  limits: InstanceLimits,
  { instances }: Pick<Format, 'instances'>,
): ReadonlySet<number>[] {
  const chosen = parts.map(() => new Set<number>());
  const candidates: (InstanceCandidate & { readonly part: number; readonly indices: readonly number[] })[] = [];
  // What goes into each merged mesh: parts as candidates, and placements that are baked in any case.
  const merged = new Map([...others].map((key) => [key, 1]));
  const intoMerged = (key: string) => merged.set(key, (merged.get(key) ?? 0) + 1);
  let own = 0;
  parts.forEach((part, number) => {
    const { meshes, placements, key, nameBytes } = part;
    const counts = {
      vertexCount: meshes.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
      indexCount: meshes.reduce((sum, { indices }) => sum + indices.length, 0),
      nameBytes,
    };
    for (const isOwn of [false, true]) {
      const all = [...placements.keys()].filter((i) => placements[i].own === isOwn);
      if (all.length === 0) continue;
      const target = isOwn ? null : key;
      const isWorth = (of: readonly number[]) =>
        instances.isWorth({ ...counts, placements: of.length, merged: target });
      const able = isWorth(all) ? ablePlacements(part, all, limits.borders) : [];
      const isCandidate = isWorth(able);
      if (isCandidate)
        candidates.push({ ...counts, placements: able.length, merged: target, part: number, indices: able });
      if (isOwn) own += all.length;
      else {
        if (isCandidate) intoMerged(key);
        if (!isCandidate || able.length < all.length) intoMerged(key);
      }
    }
  });
  const decided = instances.choose(candidates, { max: limits.maxEntities, own, merged });
  candidates.forEach(({ part, indices }, i) => {
    if (decided[i]) for (const index of indices) chosen[part].add(index);
  });
  return chosen;
}

/** The placements that an entity can hold with the positions of the baked mesh. */
function ablePlacements(
  { meshes, placements }: InstanceGroup,
  all: readonly number[],
  borders: readonly Bounds[],
): number[] {
  const boxes = meshes.map(({ positions }) => boundsOfPoints(positions));
  return all.filter((i) => {
    const { world } = placements[i];
    if (decompose(world) === null) return false;
    return meshes.every((mesh, m) => {
      const box = boxes[m];
      if (box === null) return false;
      const placed = transformBounds(world, box);
      return matchesBaked(
        mesh,
        world,
        borders.filter((border) => touches(border, placed)),
      );
    });
  });
}
