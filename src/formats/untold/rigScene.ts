// Skeletons and skins of one file as the container's values. Each skeleton has an entity of its own without a mesh, above the
// entities of the meshes that it moves: so the engine's own test models are made. No entity has a transform.

import { unite } from '../../scene/bounds.ts';
import { identity } from '../../scene/matrix.ts';
import type { RigSkeleton } from '../../scene/rig.ts';
import type { Bounds } from '../../scene/types.ts';
import type { PayloadMesh } from '../format.ts';
import type { UniqueNames } from '../uniqueNames.ts';
import type { PackedInfluences, PackedMesh } from './mesh/packMesh.ts';
import { NONE, type UntoldEntity, type UntoldSkeleton, type UntoldSkin } from './types.ts';

/** Adds an entity for each skeleton, whose id is the skeleton's number: `entities` is still empty. */
export function rigRecords(
  skeletons: readonly RigSkeleton[],
  meshes: readonly PayloadMesh<PackedMesh>[],
  names: UniqueNames,
  entities: UntoldEntity[],
): { readonly skeletons: UntoldSkeleton[]; readonly skins: UntoldSkin[] } {
  const records = skeletons.map(({ name, joints }, id): UntoldSkeleton => {
    let bounds: Bounds | null = null;
    for (const { rig } of meshes) if (rig?.skeleton === id) bounds = unite(bounds, rig.bounds);
    const box = bounds ?? { min: [0, 0, 0], max: [0, 0, 0] };
    const own = names.take(name, 'skeleton');
    const place = { localBounds: box, worldBounds: box, localTransform: identity() };
    entities.push({ id, parent: NONE, name: own, firstMesh: 0, meshCount: 0, ...place });
    return {
      entity: id,
      name: own,
      joints: joints.map(({ parent, path, bind, rest }) => ({
        parent: parent < 0 ? NONE : parent,
        path,
        bind,
        rest,
      })),
    };
  });
  return { skeletons: records, skins: [] };
}

/** The joints that a mesh uses, ascending, and its vertices' numbers among them. */
export function skinOf(
  { joints, weights }: PackedInfluences,
  entity: number,
  mesh: number,
  skeletonEntity: number,
): UntoldSkin {
  const used = new Set<number>();
  for (let i = 0; i < joints.length; i++) if (weights[i] > 0) used.add(joints[i]);
  const mapping = Uint32Array.from(used).sort();
  const numbers = new Map([...mapping].map((joint, number) => [joint, number]));
  const indices = joints.map((joint, i) => (weights[i] > 0 ? (numbers.get(joint) as number) : 0));
  return { entity, mesh, skeletonEntity, joints: mapping, indices, weights };
}
