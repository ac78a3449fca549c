// The objects of one payload -> packed meshes. Each mesh is read and prepared once however often it is placed;
// placements are baked, merged by what they are drawn with, and packed. Geometry of one payload is held at a time, and
// of meshes that later payloads place again.

import { type PlacedMesh, packPlaced, prepareMesh } from '../cook/cook.ts';
import type { TriangleMesh } from '../cook/types.ts';
import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Surface, TileMesh } from '../emit/tile.ts';
import type { PolygonMesh, Scene, UvChoice } from '../scene/types.ts';
import type { StagedMaterial } from '../textures/types.ts';
import type { PlannedObject } from '../tiling/types.ts';
import { type ColorPlans, materialOf } from './vertexColors.ts';

/** What meshes without a material are drawn with: the exporter's defaults. Without any, the engine draws nothing. */
export const DEFAULT_MATERIAL: StagedMaterial = {
  name: 'default_material',
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  baseColor: [1, 1, 1, 1],
  metallic: 0,
  roughness: 0.5,
  emissive: [0, 0, 0],
  normalScale: 1,
  occlusionStrength: 1,
  slots: { baseColor: -1, normal: -1, metallic: -1, roughness: -1, emissive: -1, occlusion: -1 },
  roughnessChannel: 0,
  metallicChannel: 0,
  uv: { set: null, transform: null },
  tangentTurn: null,
  usesVertexColors: true,
};

/** Objects whose name begins so are never merged: the engine keeps them pickable one by one. */
export const NEVER_MERGE = /^NM_/;

/**
 * The name of the object that a node places. Blender writes an object as an Xform with its mesh alone below it: there
 * the object's name, and whether it may be merged, stand one node higher.
 */
function objectNames({ nodes, meshes }: Scene): (node: number) => string {
  const children = new Uint32Array(nodes.length);
  for (const { parent } of nodes) if (parent >= 0) children[parent]++;
  return (index) => {
    const node = nodes[index];
    const above = node.parent >= 0 ? nodes[node.parent] : null;
    if (above && above.mesh < 0 && children[node.parent] === 1 && NEVER_MERGE.test(above.name)) return above.name;
    return node.name || meshes[node.mesh].name || 'object';
  };
}

interface PreparedPart {
  readonly mesh: TriangleMesh;
  readonly surface: Surface;
  /** Equal for parts that may share a packed mesh. */
  readonly key: string;
}

export interface PayloadCook {
  readonly scene: Scene;
  readonly material: (index: number) => StagedMaterial;
  readonly colors: ColorPlans;
  /** Width and height of the largest texture of a material, null when it has none. */
  readonly textureSize: (material: StagedMaterial) => readonly [number, number] | null;
  readonly diagnostics: Diagnostics;
}

/** The material's UVs; where no texture asks for any, the mesh's first set, for textures that come later. */
function uvChoice(material: StagedMaterial, { uvs }: PolygonMesh): UvChoice {
  if (material.uv.set !== null) return material.uv;
  const [first] = uvs.keys();
  return { set: first ?? null, transform: null };
}

/** Prepares meshes on demand and keeps those that will be placed again. */
export class PreparedMeshes {
  readonly #cook: PayloadCook;
  /** Placements still to come, by mesh index. */
  readonly #remaining = new Map<number, number>();
  readonly #kept = new Map<number, readonly PreparedPart[]>();

  constructor(cook: PayloadCook, objects: Iterable<PlannedObject>) {
    this.#cook = cook;
    for (const { node } of objects) {
      const { mesh } = cook.scene.nodes[node];
      this.#remaining.set(mesh, (this.#remaining.get(mesh) ?? 0) + 1);
    }
  }

  /** Parts of the mesh for one placement, in order of primitives and subsets. */
  async take(mesh: number): Promise<readonly PreparedPart[]> {
    const parts = this.#kept.get(mesh) ?? (await this.#prepare(mesh));
    const remaining = (this.#remaining.get(mesh) ?? 1) - 1;
    this.#remaining.set(mesh, remaining);
    if (remaining > 0) this.#kept.set(mesh, parts);
    else this.#kept.delete(mesh);
    return parts;
  }

  async #prepare(index: number): Promise<readonly PreparedPart[]> {
    const { scene, material, colors, diagnostics } = this.#cook;
    const parts: PreparedPart[] = [];
    for (const primitive of scene.meshes[index].primitives) {
      if (primitive.triangleCount === 0) continue;
      await breathe();
      const polygons = await primitive.read();
      for (const subset of [-1, ...primitive.subsets.keys()]) {
        const materialIndex = materialOf(primitive, subset);
        const staged = material(materialIndex);
        const plan = colors(primitive, subset);
        const surface: Surface = {
          material: staged,
          tint: plan.kind === 'tint' ? plan.tint : null,
          palette: plan.kind === 'palette' ? plan.texture : null,
        };
        const color = plan.kind === 'palette' ? { palette: plan.palette } : plan.kind === 'store' ? 'store' : 'white';
        const path = subset < 0 ? primitive.path : primitive.subsets[subset].path;
        const request = {
          subset,
          uv: uvChoice(staged, polygons),
          color,
          needsTangents: true,
          tangentTurn: staged.tangentTurn,
          textureSize: this.#cook.textureSize(staged),
        } as const;
        const mesh = await prepareMesh(polygons, request, diagnostics, { file: scene.source, path });
        if (mesh === null) continue;
        const key = `${materialIndex}|${surface.tint?.join(',') ?? ''}|${surface.palette?.fileName ?? ''}`;
        parts.push({ mesh, surface, key });
      }
    }
    return parts;
  }
}

/** Lets signals and progress through between two long stretches of work. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Group {
  readonly naming: TileMesh['naming'];
  readonly surface: Surface;
  /** Source path of the first part, for messages. */
  readonly path: string;
  readonly meshes: PlacedMesh[];
}

/** The parts of the objects' meshes by what becomes one entity: own ones, or by material where they are merged. */
async function groupParts(
  { scene }: PayloadCook,
  prepared: PreparedMeshes,
  objects: readonly PlannedObject[],
  tileId: string | null,
): Promise<Map<string, Group>> {
  const groups = new Map<string, Group>();
  const nameOf = objectNames(scene);
  for (const { node: nodeIndex } of objects) {
    const node = scene.nodes[nodeIndex];
    const mesh = scene.meshes[node.mesh];
    const parts = await prepared.take(node.mesh);
    const name = nameOf(nodeIndex);
    const own = tileId === null || NEVER_MERGE.test(name);
    // The exporter's naming: an object of several materials becomes <object>_mat<slot>.
    const slots = [...new Set(parts.map((part) => part.key))];
    for (const part of parts) {
      const key = own ? `${nodeIndex}|${part.key}` : part.key;
      let group = groups.get(key);
      if (!group) {
        const suffix = own && slots.length > 1 ? `_mat${slots.indexOf(part.key)}` : '';
        const naming: TileMesh['naming'] = own
          ? { entity: `${name}${suffix}`, mesh: `${mesh.name || name}${suffix}` }
          : { tile: tileId as string };
        group = { naming, surface: part.surface, path: node.path, meshes: [] };
        groups.set(key, group);
      }
      group.meshes.push({ mesh: part.mesh, world: node.world });
    }
  }
  return groups;
}

/**
 * Cooks the objects of one payload. With a `tileId`, objects are merged by material into entities
 * `<tileId>_<material>`, except those never to be merged; without one (a single file) each placement keeps an entity
 * for each of its materials, named as in the source.
 */
export async function cookPayload(
  cook: PayloadCook,
  prepared: PreparedMeshes,
  objects: readonly PlannedObject[],
  tileId: string | null,
): Promise<TileMesh[]> {
  // In a function of its own, so that nothing but the groups holds on to the meshes while they are packed.
  const groups = await groupParts(cook, prepared, objects, tileId);
  const cooked: TileMesh[] = [];
  await breathe();
  for (const [key, { naming, surface, path, meshes }] of groups) {
    groups.delete(key);
    const packed = await packPlaced(meshes, cook.diagnostics, { file: cook.scene.source, path });
    if (packed !== null) cooked.push({ naming, surface, packed });
  }
  return cooked;
}
