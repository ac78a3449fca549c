// Plans the files of a material of the specular workflow: base colour and metallic by the conversion of texels. For recipes.ts.

import type { SceneMaterial, SpecularWorkflow, Vec3 } from '../../scene/types.ts';
import type { BakeChannel, ConvertedColor } from './bake.ts';
import type { PlacedTexture } from './route.ts';
import { sameSampling } from './sharedFile.ts';
import {
  channelIndex,
  colorSources,
  foldScalar,
  type Placed,
  planOf,
  planScalar,
  reads,
  type SlotPlan,
  type SurfacePlan,
} from './slotPlans.ts';

/** A colour of the specular workflow as a conversion reads it, from part number `part`. */
function convertedColor(texture: PlacedTexture | undefined, part: number, factor: Vec3): ConvertedColor {
  const sources = texture ? colorSources(texture) : [];
  const channels = sources.map((c) => ({ ...reads(c, texture!.use.scale[c], texture!.use.bias[c]), part }));
  return { channels, factor };
}

/** Whether roughness can be read from the texels that hold specular colours: with the same UVs and the same encoding. */
function isBeside(roughness: PlacedTexture, specular: PlacedTexture): boolean {
  const isSame = roughness.use.channel === 'a' || roughness.use.colorSpace === specular.use.colorSpace;
  return isSame && sameSampling(roughness, specular);
}

/**
 * The specular workflow: base colour and metallic each depend on the diffuse and the specular colours, so each is made of
 * both, with the factors applied to the texels. Roughness that lies beside specular colours, as glossiness does in glTF, goes
 * into the file of metallic. Null if no texture has such colours.
 */
export function planConverted(material: SceneMaterial, workflow: SpecularWorkflow, get: Placed): SurfacePlan | null {
  const diffuse = get('baseColor');
  const specular = get('metallic');
  const opacity = get('opacity');
  const roughness = get('roughness');
  const colors = [diffuse, specular].filter((texture) => texture !== undefined);
  if (colors.length === 0) return null;
  const specularPart = colors.length - 1;
  const from = {
    diffuse: convertedColor(diffuse, 0, workflow.diffuse),
    specular: convertedColor(specular, specularPart, workflow.specular),
  };

  const textures = [...colors];
  const channels: (BakeChannel | null)[] = [null, null, null];
  let alpha = material.baseColor[3];
  if (opacity) {
    const channel = channelIndex(opacity.use.channel);
    const folded = foldScalar(alpha, opacity.use, channel);
    alpha = folded.factor;
    const own = diffuse !== undefined && channel === 3 && sameSampling(diffuse, opacity);
    if (!own) textures.push(opacity);
    channels.push({ part: own ? 0 : textures.length - 1, channel, scale: folded.scale, bias: folded.bias });
  }
  const base = {
    plan: planOf('baseColor', textures, channels, { to: 'baseColor', ...from }),
    factor: [1, 1, 1, alpha] as const,
  };
  const own = roughness ? planScalar('roughness', roughness, material.roughness) : null;
  const packed = (slot: 'metallic' | 'roughness', rough: BakeChannel | null): SlotPlan => ({
    ...planOf(slot, colors, [null, rough, null], { to: 'metallic', ...from }),
    // It names the file.
    texture: specular ?? colors[0],
  });
  // In the channels of glTF: roughness in green, metallic in blue.
  const metallic = { plan: packed('metallic', null), factor: 1, channel: 2 };
  if (!roughness || !specular || !isBeside(roughness, specular)) return { base, metallic, roughness: own };
  const channel = channelIndex(roughness.use.channel);
  const { factor, scale, bias } = foldScalar(material.roughness, roughness.use, channel);
  const rough = { ...reads(channel, scale, bias), part: specularPart };
  return {
    base,
    metallic: { ...metallic, plan: packed('metallic', rough) },
    roughness: { plan: packed('roughness', rough), factor, channel: 1 },
  };
}
