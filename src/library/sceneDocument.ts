// What inspect() shows of a source: the Scene as its importer made it, before any clean-up, over all placements.

import { type Diagnostic, type Diagnostics, SourceError, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { boundsOfPoints, unite } from '../scene/bounds.ts';
import {
  factorsFrom,
  LISTED_FACTORS,
  type ListedFactor,
  type MaterialFactors,
  type TextureSlot,
  texturesFrom,
} from '../scene/materialSlots.ts';
import { transformBounds } from '../scene/matrix.ts';
import type { Bounds, Mat4, Scene, SceneMorph, ScenePrimitive } from '../scene/types.ts';

export interface MeshRow {
  readonly path: string;
  readonly type: string;
  /** The triangles and vertices of one placement. */
  readonly triangles: number;
  readonly vertices: number;
  /** Engine space, over all placements. */
  readonly bounds: Bounds | null;
  /** Path of the material of faces that no subset claims. */
  readonly material: string | null;
  readonly subsets: readonly { readonly path: string; readonly material: string | null; readonly triangles: number }[];
  readonly instances: number;
  /** Morph targets with the weights at which the source shows them; absent: it has none. */
  readonly morphs?: readonly Pick<SceneMorph, 'name' | 'weight'>[];
}

export interface SceneDocument {
  readonly source: string;
  /** Cooked files are described by what they hold, not as scenes. */
  readonly kind: Exclude<Scene['kind'], 'untold' | 'gali' | 'bpx'>;
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
  readonly materials: readonly (Pick<MaterialFactors, ListedFactor> & {
    readonly path: string;
    readonly name: string;
    readonly alphaMode: string;
    readonly textures: Readonly<Partial<Record<TextureSlot, string>>>;
  })[];
  /** The files of a USDZ package in its order; absent for other sources. */
  readonly entries?: readonly { readonly path: string; readonly bytes: number; readonly offset: number }[];
  readonly warnings: readonly Diagnostic[];
}

/** Points that one document moves at most to measure turned placements; beyond, boxes of boxes do: never too small. */
const MAX_POINTS = 500_000_000;

/** Whether the matrix takes boxes to boxes: each row and column of its 3x3 holds one number at most. */
function keepsBoxes(m: Mat4): boolean {
  for (let i = 0; i < 3; i++) {
    const column = [m[i * 4], m[i * 4 + 1], m[i * 4 + 2]];
    const row = [m[i], m[4 + i], m[8 + i]];
    if (column.filter((v) => v !== 0).length > 1 || row.filter((v) => v !== 0).length > 1) return false;
  }
  return true;
}

/** Measures placements: by the box where that is exact, else by the points while `pointsLeft` lasts. */
class Measure {
  #pointsLeft = MAX_POINTS;
  readonly #diagnostics: Diagnostics;

  constructor(diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
  }

  async bounds(primitive: ScenePrimitive, placements: readonly Mat4[]): Promise<Bounds | null> {
    if (!primitive.bounds) return null;
    const turned = placements.filter((world) => !keepsBoxes(world));
    const points = await this.#points(primitive, turned.length);
    let bounds: Bounds | null = null;
    for (const world of placements) {
      const exact = points !== null && !keepsBoxes(world) ? boundsOfPoints(points, world) : null;
      bounds = unite(bounds, exact ?? transformBounds(world, primitive.bounds));
    }
    return bounds;
  }

  async #points(primitive: ScenePrimitive, times: number): Promise<Float32Array | Float64Array | null> {
    const needed = primitive.vertexCount * times;
    if (needed === 0 || needed > this.#pointsLeft) return null;
    this.#pointsLeft -= needed;
    try {
      return (await primitive.read()).points;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      for (const item of error.diagnostics) this.#diagnostics.add(item);
      return null;
    }
  }
}

async function meshRow(
  primitive: ScenePrimitive,
  placements: readonly Mat4[],
  scene: Scene,
  measure: Measure,
): Promise<MeshRow> {
  const materialPath = (index: number) => (index < 0 ? null : scene.materials[index].path);
  return {
    path: primitive.path,
    type: primitive.type,
    triangles: primitive.triangleCount,
    vertices: primitive.vertexCount,
    bounds: await measure.bounds(primitive, placements),
    material: materialPath(primitive.material),
    subsets: primitive.subsets.map(({ path, material, triangleCount }) => ({
      path,
      material: materialPath(material),
      triangles: triangleCount,
    })),
    instances: placements.length,
    ...(primitive.morphs ? { morphs: primitive.morphs.targets.map(({ name, weight }) => ({ name, weight })) } : {}),
  };
}

/**
 * `name` is what messages call the source, `diagnostics` what its import reported; findings of the measurement are added to
 * them. A mesh that no node draws has no row.
 */
export async function sceneDocument(scene: Scene, name: string, diagnostics: Diagnostics): Promise<SceneDocument> {
  const placements = new Map<number, Mat4[]>();
  for (const { mesh, world } of scene.nodes) {
    if (mesh < 0) continue;
    const list = placements.get(mesh);
    if (list) list.push(world);
    else placements.set(mesh, [world]);
  }
  const measure = new Measure(diagnostics);
  const meshes: MeshRow[] = [];
  for (const [index, mesh] of scene.meshes.entries()) {
    const worlds = placements.get(index);
    if (!worlds) continue;
    for (const primitive of mesh.primitives) meshes.push(await meshRow(primitive, worlds, scene, measure));
  }
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
    kind: kind as SceneDocument['kind'],
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
      ...factorsFrom((factor) => material[factor], LISTED_FACTORS),
      textures: texturesFrom((slot) => {
        const use = material.textures[slot];
        return use && images[use.image].uri;
      }),
    })),
    warnings: sortDiagnostics(diagnostics.list),
  };
}
