// Textures of which a material reads a channel that their images lack. Readers of images give alpha as 1 where there is none
// (UsdPreviewSurface 2.6, "Texture Reader"; glTF 2.0, 3.9.2), and a grey image has its value in red, green and blue. So the
// channel is a constant: it goes into the factor of the material, and no texture is made. For prepare.ts.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { TextureSlot } from '../../scene/materialSlots.ts';
import type { Scene, SceneMaterial, TextureUse } from '../../scene/types.ts';
import { reportUse } from '../bake/route.ts';
import { type BadImage, isBad, type SourceImage } from '../decode/images.ts';

const clamp01 = (value: number): number => Math.min(1, Math.max(0, value));

/** What a texture gives that reads the alpha of an image without alpha. */
const missingAlpha = ({ scale, bias }: TextureUse): number => scale[3] + bias[3];

/** Whether the slot's texels are converted together with others, so that no factor can replace them. */
function isConverted({ specularWorkflow }: SceneMaterial, slot: TextureSlot): boolean {
  return specularWorkflow !== undefined && (slot === 'baseColor' || slot === 'metallic');
}

/** The changed factors of a material whose slot is `value` everywhere. */
type Constant = (material: SceneMaterial, value: number) => Partial<SceneMaterial>;

const CONSTANTS: Readonly<Record<TextureSlot, Constant>> = {
  baseColor({ baseColor: [red, green, blue, alpha] }, value) {
    const unit = clamp01(value);
    return { baseColor: [red * unit, green * unit, blue * unit, alpha] };
  },
  opacity: ({ baseColor: [red, green, blue, alpha] }, value) => ({
    baseColor: [red, green, blue, alpha * clamp01(value)],
  }),
  normal: () => ({}),
  metallic: ({ metallic }, value) => ({ metallic: clamp01(metallic * value) }),
  roughness: ({ roughness }, value) => ({ roughness: clamp01(roughness * value) }),
  emissive({ emissive: [red, green, blue] }, value) {
    const light = Math.max(0, value);
    return { emissive: [red * light, green * light, blue * light] };
  },
  // The engine has no constant occlusion and no constant height.
  occlusion: () => ({}),
  height: () => ({}),
};

/**
 * A material without the textures whose channel is missing. Reports UC2116 for each, except for opacity: there an image
 * without alpha is opaque, as its author sees it.
 */
export function withoutMissingChannels(
  scene: Scene,
  authored: SceneMaterial,
  slots: readonly TextureSlot[],
  images: ReadonlyMap<number, SourceImage | BadImage>,
  diagnostics: Diagnostics,
): SceneMaterial {
  let material = authored;
  for (const slot of slots) {
    const use = authored.textures[slot];
    const source = use && images.get(use.image);
    if (!use || !source || isBad(source) || source.info.alpha || use.channel !== 'a') continue;
    if (isConverted(authored, slot)) continue;
    const value = missingAlpha(use);
    const { [slot]: _, ...textures } = material.textures;
    material = { ...material, ...CONSTANTS[slot](material, value), textures };
    if (slot === 'opacity') continue;
    const lost = slot === 'occlusion' && value !== 1 ? ', and there is no constant occlusion' : '';
    const what = `its alpha is read and the image has none: ${Number(value.toFixed(4))} everywhere${lost}`;
    reportUse(scene, authored, { slot, use, source }, diagnostics, 'UC2116', what);
  }
  return material;
}
