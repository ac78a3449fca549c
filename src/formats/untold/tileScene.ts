// One payload as the container's scene: packed meshes with their materials. A mesh in world space has one entity with the
// identity transform, as the engine's exporter writes it. A mesh in its own space has an entity for each placement, with the
// placement's transform, which the loader applies. In tiles no entity has a parent; in other files meshes stand below the
// nodes of the tree, or below the skeleton that moves them. Each entity has its own mesh record,
// because the engine was never tried with two entities on one record; records of one mesh share vertices and indices.

import { MIN_BASE_COLOR } from '../../engine/materials.ts';
import { unite } from '../../scene/bounds.ts';
import type { NodeTree } from '../../scene/nodeTree.ts';
import type { Bounds } from '../../scene/types.ts';
import { sharedTextureName } from '../../textures/name.ts';
import type { PreparedTexture } from '../../textures/types.ts';
import { type Authored, type FileType, type MeshMaterial, type PayloadMesh, slotTexture } from '../format.ts';
import { type FileNode, fileNodes, nodeNames } from '../treeNodes.ts';
import { UniqueNames } from '../uniqueNames.ts';
import { authoredRecords } from './lightsAndCameras.ts';
import { storedMaterial } from './materialRecord.ts';
import { type PackedMesh, placedBounds } from './mesh/packMesh.ts';
import { rigRecords, skinOf } from './rigScene.ts';
import { storedMorphs } from './storedMorphs.ts';
import {
  NONE,
  type UntoldEntity,
  type UntoldMaterial,
  type UntoldMorph,
  type UntoldScene,
  type UntoldTexture,
} from './types.ts';

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

/** Of a node without meshes, before it is known what lies below it. */
const NOWHERE: Bounds = { min: [0, 0, 0], max: [0, 0, 0] };

/** Gives nodes without meshes the bounds of what lies below them, in the space of the file as the exporter does. */
function boundGroups(entities: UntoldEntity[], nodes: readonly FileNode[], first: number): void {
  const below: (Bounds | null)[] = nodes.map(() => null);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { mesh, parent } = nodes[i];
    const entity = entities[first + i];
    const own = mesh >= 0 ? unite(entity.worldBounds, below[i]) : below[i];
    if (mesh < 0 && own) entities[first + i] = { ...entity, localBounds: own, worldBounds: own };
    if (parent >= 0) below[parent] = unite(below[parent], own);
  }
}

/** sRGB flag of a texture record. Set here for palettes only; other textures have their flags already. */
const FLAG_SRGB = 1;

/** Materials and textures of a file, listed once, in order of first use. */
function materialTable(textures: readonly PreparedTexture[], sharedFolder: string | null) {
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
  return { materials, textures: usedTextures, add: addMaterial };
}

/**
 * Builds the container's scene. `sharedFolder` is put before the names of textures that many files share; null: they lie in
 * `Textures/` under names of their own. Materials and textures are listed once, in order of first use. `authored`: lights and cameras that go into this file.
 * `tree`: the nodes of the file; null: all meshes stand at the root.
 */
export function tileScene(
  fileType: FileType,
  meshes: readonly PayloadMesh<PackedMesh>[],
  textures: readonly PreparedTexture[],
  sharedFolder: string | null,
  authored: Authored = {},
  tree: NodeTree | null = null,
): UntoldScene {
  const { materials, textures: usedTextures, add: addMaterial } = materialTable(textures, sharedFolder);
  const entityNames = new UniqueNames();
  let world: Bounds | null = null;
  const entities: UntoldEntity[] = [];
  const records: UntoldScene['meshes'][number][] = [];
  const morphs: UntoldMorph[] = [];
  const { skeletons, skins } = rigRecords(authored.skeletons ?? [], meshes, entityNames, entities);
  // Materials are numbered in the order of the meshes, whose names may be made of theirs.
  const surfaces = meshes.map(({ surface }) => addMaterial(surface));
  const meshName = (index: number): string => {
    const { naming } = meshes[index];
    return 'tile' in naming ? `${naming.tile}_${naming.mesh ?? materials[surfaces[index]].name}` : naming.entity;
  };
  const nodes = fileNodes(meshes, tree);
  const names = nodeNames(nodes, meshName, (name, fallback) => entityNames.take(name, fallback));
  const firstNode = entities.length;
  for (const [i, { mesh: index, parent, local, world: place }] of nodes.entries()) {
    const above = parent < 0 ? NONE : firstNode + parent;
    const id = entities.length;
    if (index < 0) {
      const nowhere = { localBounds: NOWHERE, worldBounds: NOWHERE };
      entities.push({
        id,
        parent: above,
        name: names[i],
        firstMesh: 0,
        meshCount: 0,
        localTransform: local,
        ...nowhere,
      });
      continue;
    }
    const mesh = meshes[index];
    const { naming, stored: packed } = mesh;
    // The engine culls by these bounds and never computes them again: they hold all poses.
    const localBounds = mesh.rig?.bounds ?? packed.bounds;
    const worldBounds = place ? placedBounds(packed, place) : localBounds;
    world = unite(world, worldBounds);
    if (mesh.rig?.morphs && packed.points)
      for (const morph of storedMorphs(packed.points, mesh.rig.morphs, records.length)) morphs.push(morph);
    if (mesh.rig && packed.influences) skins.push(skinOf(packed.influences, id, records.length, mesh.rig.skeleton));
    entities.push({
      id,
      parent: mesh.rig?.skeleton ?? above,
      name: names[i],
      firstMesh: records.length,
      meshCount: 1,
      localBounds,
      worldBounds,
      localTransform: local,
    });
    records.push({
      entity: id,
      name: naming.mesh ?? meshName(index),
      material: surfaces[index],
      vertexCount: packed.vertexCount,
      vertices: packed.vertices,
      indices: packed.indices,
      localBounds,
    });
  }
  if (tree !== null) boundGroups(entities, nodes, firstNode);
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
