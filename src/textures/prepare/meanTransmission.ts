// Materials of which a texture says where they transmit light. The engine has one transmission for a material, so the mean of
// the texture goes into the factor. For prepare.ts.

import { storedTransmission } from '../../scene/transmission.ts';
import type { SceneMaterial, TextureUse } from '../../scene/types.ts';
import { LINEAR_OF_SRGB_BYTE } from '../bake/color.ts';
import { decodeImage } from '../decode/decode.ts';
import { ImageFault } from '../decode/fault.ts';
import { faultDiagnostic, isBad, type SourceImage } from '../decode/images.ts';
import { isLeftToPolicy, type Preparation } from './preparation.ts';

type Prepared = Pick<Preparation, 'scene' | 'images' | 'missing' | 'diagnostics' | 'limit' | 'maxPixels'>;

const CHANNELS = { r: 0, g: 1, b: 2, a: 3, rgb: 0 } as const;

/** The mean of one channel over all texels, 0 to 1, linear. */
function meanOf(data: Uint8Array, { channel, colorSpace }: TextureUse): number {
  const counts = new Uint32Array(256);
  for (let at = CHANNELS[channel]; at < data.length; at += 4) counts[data[at]]++;
  const isSrgb = colorSpace === 'srgb' && channel !== 'a';
  let sum = 0;
  for (let value = 0; value < 256; value++) {
    sum += counts[value] * (isSrgb ? LINEAR_OF_SRGB_BYTE[value] : value / 255);
  }
  return sum / (data.length / 4);
}

/** The mean of an image as a material reads it; a fault where it cannot be decoded. */
async function readMean(source: SourceImage, use: TextureUse, { limit, maxPixels }: Prepared) {
  const { width, height } = source.info;
  return limit(async () => {
    const pixels = await decodeImage(await source.read(), source.info, 'data', maxPixels);
    if (pixels instanceof ImageFault) return pixels;
    const channel = CHANNELS[use.channel];
    return Math.min(1, Math.max(0, use.scale[channel] * meanOf(pixels.data, use) + use.bias[channel]));
  }, width * height);
}

/** The material without its texture of transmission: the mean multiplies the factor. Reports UC2122. */
export async function withMeanTransmission(material: SceneMaterial, prepared: Prepared): Promise<SceneMaterial> {
  const { transmissionTexture: use, ...plain } = material;
  if (!use) return material;
  const { scene, images, missing, diagnostics } = prepared;
  const { uri } = scene.images[use.image];
  const report = (what: string) =>
    diagnostics.report('UC2122', scene.source, material.path, `transmission texture ${uri}: ${what}`);
  const source = images.get(use.image) as NonNullable<ReturnType<typeof images.get>>;
  let reasons = isBad(source) ? source.reasons : [];
  if (!isBad(source)) {
    const mean = await readMean(source, use, prepared);
    if (!(mean instanceof ImageFault)) {
      const transmission = plain.transmission * mean;
      const stored = storedTransmission({ ...plain, transmission }, (slot) => plain.textures[slot] !== undefined);
      const solid = stored === 0 ? ', solid because less than 5 % could be seen through' : '';
      report(`its mean ${Number(mean.toFixed(4))} is used${solid}`);
      return { ...plain, transmission: stored };
    }
    reasons = [faultDiagnostic(scene, source.image, mean)];
  }
  for (const reason of reasons) {
    if (missing === 'error' || !isLeftToPolicy(reason)) diagnostics.add(reason);
    else report(`left out, transmission 0: ${reason.code}: ${reason.message}`);
  }
  return { ...plain, transmission: 0 };
}
