// Where the vertex colours of a scene go, decided before any tile is cooked: the engine draws no vertex colours, so a
// constant one tints the material, a few become a palette texture that all meshes of the material share, and those that
// vary within triangles are baked into textures. Colours on a textured material are stored for later engines (UC2013 reports
// it), and so are varying ones in formats whose readers draw them. A format that has no place for textures stores all colours:
// it has no materials that they could be in.

import type { FormatFacts } from '../../../formats/format.ts';
import { analyseColors, type ColorUse, type Palette, unitePalettes } from '../../../geometry/mesh/colors.ts';
import type { BakedColors } from '../../../geometry/uv/colorCharts.ts';
import type { Scene, ScenePrimitive, Vec4 } from '../../../scene/types.ts';
import { paletteTexture } from '../../../textures/atlas/palette.ts';
import type { PaintedTexture, PreparedMaterial, TextureFiles } from '../../../textures/types.ts';
import { type Baked, bakeColors } from './bakedColors.ts';

/** What one subset of a primitive does with its colours. */
export type ColorPlan =
  | { readonly kind: 'white' }
  | { readonly kind: 'tint'; readonly tint: Vec4 }
  | { readonly kind: 'palette'; readonly palette: Palette; readonly texture: PaintedTexture }
  | { readonly kind: 'baked'; readonly colors: BakedColors; readonly texture: PaintedTexture }
  | { readonly kind: 'store' };

export interface ColorPlans {
  /** The plan of a subset, -1 for the faces that no subset claims. */
  readonly of: (primitive: ScenePrimitive, subset: number) => ColorPlan;
  /** The textures of all colours, each once. */
  readonly textures: readonly PaintedTexture[];
}

const WHITE: ColorPlan = { kind: 'white' };
const STORE: ColorPlan = { kind: 'store' };

interface Colored {
  readonly primitive: ScenePrimitive;
  readonly subset: number;
  readonly use: Exclude<ColorUse, 'none'>;
}

export function materialOf(primitive: ScenePrimitive, subset: number): number {
  return subset < 0 ? primitive.material : primitive.subsets[subset].material;
}

const isWhite = (use: Colored['use']): boolean =>
  typeof use === 'object' && 'constant' in use && use.constant.every((c) => c === 1);

/**
 * Reads the meshes whose material draws vertex colours, and decides for every subset. The last argument is what FormatFacts says of
 * the target.
 */
export async function planColors(
  scene: Scene,
  meshes: Iterable<number>,
  material: (index: number) => PreparedMaterial,
  files: TextureFiles,
  { drawsColors, textures: modes }: Pick<FormatFacts, 'drawsColors' | 'textures'>,
): Promise<ColorPlans> {
  if (modes.length === 0) return { of: () => STORE, textures: [] };
  const byMaterial = new Map<number, Colored[]>();
  for (const mesh of meshes) {
    for (const primitive of scene.meshes[mesh].primitives) {
      const subsets = [-1, ...primitive.subsets.keys()];
      const wanted = subsets.filter((subset) => material(materialOf(primitive, subset)).usesVertexColors);
      if (wanted.length === 0 || primitive.triangleCount === 0) continue;
      const polygons = await primitive.read();
      for (const subset of wanted) {
        const use = analyseColors(polygons, subset);
        if (use === 'none') continue;
        const index = materialOf(primitive, subset);
        const list = byMaterial.get(index);
        if (list) list.push({ primitive, subset, use });
        else byMaterial.set(index, [{ primitive, subset, use }]);
      }
    }
  }

  const plans = new Map<ScenePrimitive, Map<number, ColorPlan>>();
  const textures = new Map<string, PaintedTexture>();
  const known = (made: PaintedTexture): PaintedTexture => {
    const texture = textures.get(made.fileName) ?? made;
    textures.set(made.fileName, texture);
    return texture;
  };
  const paint = async (palette: Palette): Promise<ColorPlan> => {
    return { kind: 'palette', palette, texture: known(await paletteTexture(palette.colors, files)) };
  };
  const bake = async (faces: readonly Colored[], isOpaque: boolean): Promise<ReadonlyMap<Colored, ColorPlan>> => {
    const baked = await bakeColors(faces, isOpaque, files);
    const plan = (made: Baked | null): ColorPlan =>
      made === null ? STORE : { kind: 'baked', colors: made.colors, texture: known(made.texture) };
    return new Map(faces.map((one, i) => [one, plan(baked[i])]));
  };
  for (const index of [...byMaterial.keys()].sort((a, b) => a - b)) {
    const colored = byMaterial.get(index) as Colored[];
    // Colours of a material that is written as it is stay with the vertices.
    const untextured = !material(index).places && Object.values(material(index).slots).every((slot) => slot < 0);
    const palettes = colored.flatMap(({ use }) => (typeof use === 'object' && 'palette' in use ? [use.palette] : []));
    const united = untextured && palettes.length > 0 ? unitePalettes(palettes) : null;
    const shared = united ? await paint(united) : null;
    const varying = untextured && !drawsColors ? colored.filter(({ use }) => use === 'varying') : [];
    const baked = await bake(varying, material(index).alphaMode === 'opaque');
    for (const one of colored) {
      const { primitive, subset, use } = one;
      let plan: ColorPlan;
      if (material(index).places) plan = isWhite(use) ? WHITE : STORE;
      else if (use === 'varying') plan = baked.get(one) ?? STORE;
      else if ('constant' in use) plan = isWhite(use) ? WHITE : { kind: 'tint', tint: use.constant };
      else if (!untextured) plan = STORE;
      else plan = shared ?? (await paint(use.palette));
      const ofPrimitive = plans.get(primitive) ?? new Map<number, ColorPlan>();
      plans.set(primitive, ofPrimitive.set(subset, plan));
    }
  }
  return {
    of: (primitive, subset) => plans.get(primitive)?.get(subset) ?? WHITE,
    textures: [...textures.values()],
  };
}
