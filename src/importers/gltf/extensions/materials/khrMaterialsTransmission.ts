// KHR_materials_transmission: light passes through the surface, as through glass.

import type { Element } from '../../document/element.ts';
import type { LayeredMaterial } from '../../materials/layeredMaterial.ts';
import type { TextureSlots } from '../../materials/surface.ts';
import type { Extension } from '../extension.ts';
import { volumeColor } from './khrMaterialsVolume.ts';

const NAME = 'KHR_materials_transmission';

/** The share of light that the two faces of a clear pane reflect. It hides that share of what is behind the pane. */
const PANE = 0.08;

export const KHR_MATERIALS_TRANSMISSION: Extension = {
  name: NAME,
  support: 'partial',
  effect: 'Transmitted light becomes alpha.',
  codes: ['UC1362'],
  layer: transmission,
};

/** Transmitted light becomes alpha: it takes the colour of the surface and of the volume behind it. */
function transmission(material: Element, to: LayeredMaterial, textures: TextureSlots): string | null {
  const ext = material.extension(NAME);
  const factor = (ext?.number('transmissionFactor', 0) ?? 0) * to.dielectric;
  if (ext === null || factor === 0) return null;
  let tinted = '';
  const color = volumeColor(material);
  if (color !== null) tinted = to.tint(color) ? ', coloured by its volume' : ', without its volume';
  const [red, green, blue, alpha] = to.surface.baseColor;
  const seen = Math.min(factor * (0.2126 * red + 0.7152 * green + 0.0722 * blue), 1 - PANE);
  const own = to.surface.alphaMode === 'opaque' ? 1 : alpha;
  to.surface.alphaMode = 'blend';
  const use = textures.use(ext, 'transmissionTexture', { channel: 'r', colorSpace: 'linear', scale: -seen, bias: 1 });
  if (use && !to.surface.textures.opacity) {
    to.surface.textures = { ...to.surface.textures, opacity: use };
    to.surface.baseColor = [red, green, blue, own];
    return `transmission made alpha${tinted}`;
  }
  to.surface.baseColor = [red, green, blue, own * (1 - seen)];
  return `transmission made alpha${use ? ', without its texture' : ''}${tinted}`;
}
