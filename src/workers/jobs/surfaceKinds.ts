// Which surfaces of a far tile may be drawn together, and with what material: for the two ways to give a proxy its materials,
// mergeMaterials.ts and bakeProxy.ts.

import type { DrawnMesh } from '../../formats/format.ts';
import { isSolid } from '../../textures/seenThrough.ts';
import { NO_TEXTURES, type PreparedMaterial } from '../../textures/types.ts';

/** Roughness is told apart in this many steps from far away; metal from what is none in two. */
const ROUGHNESS_STEPS = 4;

/** What a map of roughness or metalness is taken for. */
const MAPPED_ROUGHNESS = 0.8;
const MAPPED_METALLIC = 0;

/** Solid, and gives no light: a palette has no emission. */
export function isMergeable(material: PreparedMaterial): boolean {
  return isSolid(material) && material.emissive.every((e) => e === 0);
}

/** The kind of a solid surface: metal or not, and a quarter of the roughness scale. */
export function kindOf(material: PreparedMaterial): string {
  const step = Math.min(ROUGHNESS_STEPS - 1, Math.floor(roughnessOf(material) * ROUGHNESS_STEPS));
  return `${metallicOf(material) >= 0.5 ? 'metal' : 'plain'}${step}`;
}

/** The material of meshes of one kind joined: the mean of their factors, weighted by triangles; no maps, white, no emission. */
export function kindMaterial(name: string, members: readonly DrawnMesh[]): PreparedMaterial {
  return {
    ...members[0].surface.material,
    name,
    baseColor: [1, 1, 1, 1],
    emissive: [0, 0, 0],
    transmission: 0,
    metallic: mean(members, metallicOf),
    roughness: mean(members, roughnessOf),
    slots: NO_TEXTURES,
  };
}

function mean(members: readonly DrawnMesh[], of: (material: PreparedMaterial) => number): number {
  let sum = 0;
  let weight = 0;
  for (const { mesh, surface } of members) {
    const triangles = mesh.indices.length;
    sum += of(surface.material) * triangles;
    weight += triangles;
  }
  return sum / weight;
}

const roughnessOf = ({ roughness, slots }: PreparedMaterial) => (slots.roughness < 0 ? roughness : MAPPED_ROUGHNESS);
const metallicOf = ({ metallic, slots }: PreparedMaterial) => (slots.metallic < 0 ? metallic : MAPPED_METALLIC);
