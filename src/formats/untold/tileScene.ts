// One payload as the container's scene: packed meshes with their materials. No entity has a parent but meshes that a
// skeleton moves, which stand below its entity. A mesh in world space
// has one entity with the identity transform, as the engine's exporter writes it. A mesh in its own space has an entity
// for each placement, with the placement's transform, which the loader applies. Each entity has its own mesh record,
// because the engine was never tried with two entities on one record; records of one mesh share vertices and indices.

import { MIN_BASE_COLOR } from '../../engine/materials.ts';
import { storedTransform } from '../../geometry/instances/instance.ts';
import { unite } from '../../scene/bounds.ts';
import { identity } from '../../scene/matrix.ts';
import type { Bounds } from '../../scene/types.ts';
import { sharedTextureName } from '../../textures/name.ts';
import type { PreparedTexture } from '../../textures/types.ts';
import { type Authored, type FileType, type MeshMaterial, type PayloadMesh, slotTexture } from '../format.ts';
import { UniqueNames } from '../uniqueNames.ts';
import { authoredRecords } from './lightsAndCameras.ts';
import { storedMaterial } from './materialRecord.ts';
import { type PackedMesh, placedBounds } from './mesh/packMesh.ts';
import { rigRecords, skinOf } from './rigScene.ts';
import { storedMorphs } from './storedMorphs.ts';
import { NONE, type UntoldMaterial, type UntoldMorph, type UntoldScene, type UntoldTexture } from './types.ts';

/** `rgb`, or the least colour of the same hue that the engine does not take for white. */
export function minNonBlack(r: number, g: number, b: number): readonly [number, number, number] {
  const max = Math.max(r, g, b);
  if (max >= MIN_BASE_COLOR) return [r, g, b];
  if (max <= 0) return [MIN_BASE_COLOR, MIN_BASE_COLOR, MIN_BASE_COLOR];
  const scale = MIN_BASE_COLOR / max;
  return [
    r === max ? MIN_BASE_COLOR : r * scale,
    g === max ? MIN_BASE_COLOR : g * scale,
    b === max ? MIN_BASE_COLOR : b * scale,
  ];
}

/** sRGB flag of a texture record. Set here for palettes only; other textures have their flags already. */
const FLAG_SRGB = 1;

/**
 * Builds the container's scene. `sharedFolder` is put before the names of textures that many files share; null: they lie in
 * `Textures/` under names of their own. Materials and textures are listed once, in order of first use. `authored`: lights and cameras that go into this file.
 */
export function tileScene(
  fileType: FileType,
  meshes: readonly PayloadMesh<PackedMesh>[],
  textures: readonly PreparedTexture[],
  sharedFolder: string | null,
  authored: Authored = {},
): UntoldScene {
  const usedTextures: UntoldTexture[] = [];
  const textureIndex = new Map<PreparedTexture, number>();
  const materials: UntoldMaterial[] = [];
  const materialIndex = new Map<string, number>();
  const materialNames = new UniqueNames();
  const identityOf = new Map<unknown, number>();
  const numberOf = (thing: unknown): number => {
    const known = identityOf.get(thing);
    if (known !== undefined) return known;
    identityOf.set(thing, identityOf.size);
    return identityOf.size - 1;
  };

  const addTexture = (texture: PreparedTexture | undefined, extraFlags = 0): number => {
    if (texture === undefined) return NONE;
    const known = textureIndex.get(texture);
    if (known !== undefined) return known;
    usedTextures.push({
      name: texture.fileName,
      uri: sharedFolder === null ? `Textures/${texture.fileName}` : `${sharedFolder}${sharedTextureName(texture)}`,
      format: texture.format,
      flags: texture.flags | extraFlags,
      width: texture.width,
      height: texture.height,
      mipCount: texture.mipCount,
    });
    textureIndex.set(texture, usedTextures.length - 1);
    return usedTextures.length - 1;
  };

  const addMaterial = (surface: MeshMaterial): number => {
    const { material, tint, palette, emission } = surface;
    const made = [palette, emission].map((texture) => (texture ? numberOf(texture) : '')).join('|');
    const key = `${numberOf(material)}|${tint ? tint.join(',') : ''}|${made}`;
    const known = materialIndex.get(key);
    if (known !== undefined) return known;
    const [r, g, b, a] = material.baseColor;
    const t = tint ?? [1, 1, 1, 1];
    const { alphaMode, alphaCutoff } = material;
    // Merged materials have no textures any more.
    const height = material.slots.height < 0 ? null : (material.height ?? null);
    const head = { name: materialNames.take(material.name, 'material'), alphaMode, alphaCutoff, height };
    const baseColor = [...minNonBlack(r * t[0], g * t[1], b * t[2]), a * t[3]] as const;
    const stored = storedMaterial(head, { ...material, baseColor }, material, (slot) => {
      const texture = slotTexture(surface, slot, textures);
      // Palettes have no flags yet.
      return addTexture(texture, texture === palette ? FLAG_SRGB : 0);
    });
    materials.push(stored);
    materialIndex.set(key, materials.length - 1);
    return materials.length - 1;
  };

  const entityNames = new UniqueNames();
  let world: Bounds | null = null;
  const entities: UntoldScene['entities'][number][] = [];
  const records: UntoldScene['meshes'][number][] = [];
  const morphs: UntoldMorph[] = [];
  const { skeletons, skins } = rigRecords(authored.skeletons ?? [], meshes, entityNames, entities);
  for (const mesh of meshes) {
    const { naming, stored: packed } = mesh;
    const material = addMaterial(mesh.surface);
    const wanted = 'tile' in naming ? `${naming.tile}_${naming.mesh ?? materials[material].name}` : naming.entity;
    for (const placement of mesh.placements ?? [null]) {
      const id = entities.length;
      const localTransform = placement ? storedTransform(placement) : identity();
      // The engine culls by these bounds and never computes them again: they hold all poses.
      const localBounds = mesh.rig?.bounds ?? packed.bounds;
      const worldBounds = placement ? placedBounds(packed, localTransform) : localBounds;
      world = unite(world, worldBounds);
      if (mesh.rig?.morphs && packed.points)
        for (const morph of storedMorphs(packed.points, mesh.rig.morphs, records.length)) morphs.push(morph);
      if (mesh.rig && packed.influences) skins.push(skinOf(packed.influences, id, records.length, mesh.rig.skeleton));
      entities.push({
        id,
        parent: mesh.rig?.skeleton ?? NONE,
        name: entityNames.take(wanted, 'object'),
        firstMesh: records.length,
        meshCount: 1,
        localBounds,
        worldBounds,
        localTransform,
      });
      records.push({
        entity: id,
        name: naming.mesh ?? wanted,
        material,
        vertexCount: packed.vertexCount,
        vertices: packed.vertices,
        indices: packed.indices,
        localBounds,
      });
    }
  }
  return {
    fileType,
    worldBounds: world ?? { min: [0, 0, 0], max: [0, 0, 0] },
    entities,
    meshes: records,
    materials,
    textures: usedTextures,
    ...(skeletons.length > 0 ? { skeletons, skins } : {}),
    ...(authored.carried ? { carried: authored.carried } : {}),
    ...(morphs.length > 0 ? { morphs } : {}),
    ...(authored.colorGrade ? { colorGrade: authored.colorGrade } : {}),
    ...authoredRecords(authored, entityNames, entities.length),
  };
}
