// What `untold inspect` tells of a source: the Scene as an importer made it, before any clean-up, over its placements.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { unite } from '../scene/bounds.ts';
import { transformBounds } from '../scene/matrix.ts';
import type { Bounds, Mat4, Scene, ScenePrimitive, SceneTextures, TextureSlot } from '../scene/types.ts';

export interface MeshRow {
  readonly path: string;
  readonly type: string;
  /** Of one placement. */
  readonly triangles: number;
  readonly vertices: number;
  /** Engine space, over all placements; never too small. */
  readonly bounds: Bounds | null;
  /** Path of the material of faces that no subset claims. */
  readonly material: string | null;
  readonly subsets: readonly { readonly path: string; readonly material: string | null; readonly triangles: number }[];
  readonly instances: number;
}

export interface SceneDocument {
  readonly source: string;
  readonly kind: Scene['kind'];
  readonly upAxis: Scene['upAxis'];
  readonly metersPerUnit: number;
  readonly bounds: Bounds | null;
  /** Triangles, vertices and instances count every placement; meshes are the rows of `meshes`. */
  readonly totals: {
    readonly nodes: number;
    readonly meshes: number;
    readonly instances: number;
    readonly triangles: number;
    readonly vertices: number;
    readonly materials: number;
    readonly textures: number;
  };
  readonly meshes: readonly MeshRow[];
  readonly materials: readonly {
    readonly path: string;
    readonly name: string;
    readonly alphaMode: string;
    readonly baseColor: readonly number[];
    readonly metallic: number;
    readonly roughness: number;
    readonly emissive: readonly number[];
    readonly textures: Readonly<Partial<Record<TextureSlot, string>>>;
  }[];
  readonly warnings: readonly Diagnostic[];
}

const SLOTS = ['baseColor', 'normal', 'metallic', 'roughness', 'occlusion', 'emissive', 'opacity'] as const;

function textureUris(textures: SceneTextures, scene: Scene): Partial<Record<TextureSlot, string>> {
  const uris: Partial<Record<TextureSlot, string>> = {};
  for (const slot of SLOTS) {
    const use = textures[slot];
    if (use) uris[slot] = scene.images[use.image].uri;
  }
  return uris;
}

function meshRow(primitive: ScenePrimitive, placements: readonly Mat4[], scene: Scene): MeshRow {
  const materialPath = (index: number) => (index < 0 ? null : scene.materials[index].path);
  let bounds: Bounds | null = null;
  if (primitive.bounds)
    for (const world of placements) bounds = unite(bounds, transformBounds(world, primitive.bounds));
  return {
    path: primitive.path,
    type: primitive.type,
    triangles: primitive.triangleCount,
    vertices: primitive.vertexCount,
    bounds,
    material: materialPath(primitive.material),
    subsets: primitive.subsets.map(({ path, material, triangleCount }) => ({
      path,
      material: materialPath(material),
      triangles: triangleCount,
    })),
    instances: placements.length,
  };
}

/** `name` is what the source is called; `warnings` what its import said. What no node places has no row. */
export function sceneDocument(scene: Scene, name: string, warnings: readonly Diagnostic[]): SceneDocument {
  const placements = new Map<number, Mat4[]>();
  for (const { mesh, world } of scene.nodes) {
    if (mesh < 0) continue;
    const list = placements.get(mesh);
    if (list) list.push(world);
    else placements.set(mesh, [world]);
  }
  const meshes = scene.meshes.flatMap((mesh, index) => {
    const worlds = placements.get(index);
    return worlds ? mesh.primitives.map((primitive) => meshRow(primitive, worlds, scene)) : [];
  });
  let bounds: Bounds | null = null;
  let instances = 0;
  let triangles = 0;
  let vertices = 0;
  for (const row of meshes) {
    bounds = unite(bounds, row.bounds);
    instances += row.instances;
    triangles += row.triangles * row.instances;
    vertices += row.vertices * row.instances;
  }
  const { kind, upAxis, metersPerUnit, nodes, materials, images } = scene;
  return {
    source: name,
    kind,
    upAxis,
    metersPerUnit,
    bounds,
    totals: {
      nodes: nodes.length,
      meshes: meshes.length,
      instances,
      triangles,
      vertices,
      materials: materials.length,
      textures: images.length,
    },
    meshes,
    materials: materials.map((material) => ({
      path: material.path,
      name: material.name,
      alphaMode: material.alphaMode,
      baseColor: material.baseColor,
      metallic: material.metallic,
      roughness: material.roughness,
      emissive: material.emissive,
      textures: textureUris(material.textures, scene),
    })),
    warnings,
  };
}
