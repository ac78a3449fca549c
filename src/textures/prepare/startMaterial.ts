// Plans one material and starts the files of its textures. For prepare.ts.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { layerImages } from '../../scene/gltfMaterial.ts';
import { channelsOf, TEXTURE_SLOTS, type TextureSlot } from '../../scene/materialSlots.ts';
import type { Scene, SceneMaterial } from '../../scene/types.ts';
import { normalTurn } from '../bake/normalTurn.ts';
import { planMaterial } from '../bake/recipes.ts';
import { type PlacedTexture, type Placement, placeTextures, reportUse, type UsableTexture } from '../bake/route.ts';
import { isBad } from '../decode/images.ts';
import { lossOf, withoutSpecular } from '../lost.ts';
import type { ReadUvTriangles } from '../types.ts';
import { heightMapOf } from './heightMap.ts';
import { packedSurface } from './packedSurface.ts';
import {
  type HeldOutcome,
  hasPlaceholder,
  type PendingMaterial,
  type PendingSlot,
  type Preparation,
  reportMissing,
} from './preparation.ts';
import { type Drawn, startFile } from './startFile.ts';
import { startKept } from './startKept.ts';

/** Slots of a material that are drawn: an opaque material draws no opacity. */
export function usedSlots(material: SceneMaterial): TextureSlot[] {
  const isDrawn = (slot: TextureSlot) => slot !== 'opacity' || material.alphaMode !== 'opaque';
  return TEXTURE_SLOTS.filter((slot) => material.textures[slot] !== undefined && isDrawn(slot));
}

/** Their images, then that of the transmission, then those of extensions. */
export function usedImages(material: SceneMaterial): number[] {
  const used = usedSlots(material).map((slot) => material.textures[slot]!.image);
  const { transmissionTexture: transmission } = material;
  return [...used, ...(transmission ? [transmission.image] : []), ...layerImages(material.layers)];
}

/** Leaves specular colours out whose charts differ from those of the diffuse colours: a file is made with one set of charts. */
function alignSpecular(
  scene: Scene,
  material: SceneMaterial,
  placement: Placement,
  diagnostics: Diagnostics,
): Placement {
  const diffuse = placement.textures.get('baseColor');
  const specular = placement.textures.get('metallic');
  if (!diffuse?.charts || !specular?.charts) return placement;
  const key = ({ use }: PlacedTexture) => JSON.stringify([use.uvSet, use.transform, use.wrapS, use.wrapT]);
  if (key(diffuse) === key(specular)) return placement;
  const what = `left out${lossOf('metallic')}: its UVs differ from those of the diffuse colours`;
  reportUse(scene, material, specular, diagnostics, 'UC2110', what);
  const textures = new Map(placement.textures);
  textures.delete('metallic');
  return { ...placement, textures };
}

/** Plans one material and starts its files. */
export async function startMaterial(
  preparation: Preparation,
  index: number,
  isDrawn: boolean,
  readUvTriangles: ReadUvTriangles,
): Promise<PendingMaterial> {
  const { scene, images, mode, diagnostics } = preparation;
  const material = scene.materials[index];
  const usable: UsableTexture[] = [];
  const slots: PendingSlot[] = [];
  const wanted = isDrawn ? usedSlots(material) : [];
  for (const slot of wanted) {
    const use = material.textures[slot]!;
    const source = images.get(use.image)!;
    if (!isBad(source)) {
      usable.push({ slot, use, source });
      continue;
    }
    reportMissing(preparation, material, slot, source.reasons);
    if (slot !== 'opacity' && hasPlaceholder(preparation, slot)) {
      slots.push({ slot, stem: `missing_${source.image.stem || slot}`, texture: null, reads: null, outcome: null });
    }
  }
  // A placeholder for the base colour is drawn without opacity, which could hide it.
  const hidesOpacity = slots.some((s) => s.slot === 'baseColor');
  const shown = hidesOpacity ? usable.filter((t) => t.slot !== 'opacity') : usable;
  if (material.places) return { wanted, ...startKept(preparation, material, isDrawn, shown, slots) };
  let placement = await placeTextures(scene, index, shown, readUvTriangles, diagnostics);
  if (material.specularWorkflow) placement = alignSpecular(scene, material, placement, diagnostics);
  const found = await heightMapOf(preparation, index, placement);
  placement = found.placement;
  const hasSpecular = !wanted.includes('metallic') || placement.textures.has('metallic');
  const { slots: planned, factors } = planMaterial(hasSpecular ? material : withoutSpecular(material), placement);
  const drawn: Drawn = {
    material: index,
    alphaMode: material.alphaMode,
    alphaCutoff: material.alphaCutoff,
    channels: channelsOf(factors),
    normal: planned.find(({ slot }) => slot === 'normal') ?? null,
    roughness: planned.find(({ slot }) => slot === 'roughness') ?? null,
  };
  const heldByCharts: Promise<HeldOutcome>[] = [];
  const packed = mode === 'ktx2' ? packedSurface(preparation, material, planned, factors, drawn, wanted) : null;
  if (packed) slots.push(...packed.slots);
  for (const plan of planned) {
    const { slot, use, source } = plan.texture;
    const texture: UsableTexture = { slot, use, source };
    const isPacked = packed !== null && (plan.slot === 'roughness' || plan.slot === 'metallic');
    const outcome = isPacked ? packed.outcome : startFile(preparation, plan, drawn);
    if (!isPacked) slots.push({ slot: plan.slot, stem: source.image.stem, texture, reads: plan.reads, outcome });
    if (plan.reduced) {
      const size = `${plan.recipe?.width} x ${plan.recipe?.height} pixels`;
      reportUse(
        scene,
        material,
        texture,
        diagnostics,
        'UC2113',
        `resampled to ${size}, fewer than its own detail needs`,
      );
    }
    if (plan.charts) heldByCharts.push(outcome);
  }
  // Charts hold the corners of every triangle. Wait until they can be freed before the next material reads its own.
  await Promise.allSettled(heldByCharts);
  const { height } = found;
  const { uv } = placement;
  const made = { ...factors, ...packed?.factors };
  return { material, wanted, factors: made, uv, tangentTurn: normalTurn(placement), height, slots, layers: [] };
}
