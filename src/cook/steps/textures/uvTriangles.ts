// The UVs of everything that a material is drawn on, for textures that must know which texels are seen.

import { cornerUvs, uvAreas } from '../../../geometry/uv/uvs.ts';
import type { Scene, ScenePrimitive } from '../../../scene/types.ts';
import type { ReadUvDensity, ReadUvTriangles } from '../../../textures/types.ts';
import { materialOf } from './vertexColors.ts';

/** Gives the textures room the corner UVs of everything that a material is drawn on. */
export function uvReader(scene: Scene, meshes: ReadonlySet<number>): ReadUvTriangles {
  /** Made when first asked: most scenes have no texture that asks. */
  let drawnWith: ReadonlyMap<number, readonly Drawn[]> | null = null;
  return async (material, sets) => {
    drawnWith ??= drawnByMaterial(scene, meshes);
    const pieces = new Map<string, Float32Array[]>(sets.map((name) => [name, []]));
    for (const { primitive, subsets } of drawnWith.get(material) ?? []) {
      const polygons = await primitive.read();
      for (const subset of subsets) {
        const corners = cornerUvs(polygons, subset, sets);
        for (const name of sets) pieces.get(name)?.push(corners.get(name) as Float32Array);
      }
    }
    return new Map(sets.map((name) => [name, concatenate(pieces.get(name) as Float32Array[])]));
  };
}

/** Gives the textures room how densely a set of texture coordinates lies on everything that a material is drawn on. */
export function densityReader(scene: Scene, meshes: ReadonlySet<number>): ReadUvDensity {
  let drawnWith: ReadonlyMap<number, readonly Drawn[]> | null = null;
  return async (material, set) => {
    drawnWith ??= drawnByMaterial(scene, meshes);
    let surface = 0;
    let texture = 0;
    for (const { primitive, subsets } of drawnWith.get(material) ?? []) {
      const polygons = await primitive.read();
      for (const subset of subsets) {
        const areas = uvAreas(polygons, subset, set);
        surface += areas.surface;
        texture += areas.texture;
      }
    }
    return surface > 0 && texture > 0 ? Math.sqrt(texture / surface) : null;
  };
}

/** What of a primitive is drawn with one material: its subsets, -1 for the faces that none claims. */
interface Drawn {
  readonly primitive: ScenePrimitive;
  readonly subsets: number[];
}

function drawnByMaterial(scene: Scene, meshes: ReadonlySet<number>): ReadonlyMap<number, readonly Drawn[]> {
  const drawn = new Map<number, Drawn[]>();
  for (const mesh of meshes) {
    for (const primitive of scene.meshes[mesh].primitives) {
      if (primitive.triangleCount === 0) continue;
      for (const subset of [-1, ...primitive.subsets.keys()]) {
        const material = materialOf(primitive, subset);
        const list = drawn.get(material) ?? [];
        drawn.set(material, list);
        const last = list.at(-1);
        if (last?.primitive === primitive) last.subsets.push(subset);
        else list.push({ primitive, subsets: [subset] });
      }
    }
  }
  return drawn;
}

function concatenate(pieces: readonly Float32Array[]): Float32Array {
  if (pieces.length === 1) return pieces[0];
  const all = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
