// KHR_materials_transmission: light passes through the surface, as through glass. Also names what other extensions say of
// glass that the engine does not draw.

import { storedTransmission } from '../../../../scene/transmission.ts';
import type { LayeredMaterial } from '../../../layers/layeredMaterial.ts';
import type { Element } from '../../document/element.ts';
import type { TextureSlots } from '../../materials/surface.ts';
import type { Extension } from '../extension.ts';
import { indexOfRefraction } from './khrMaterialsIor.ts';
import { volumeColor } from './khrMaterialsVolume.ts';

const NAME = 'KHR_materials_transmission';

export const KHR_MATERIALS_TRANSMISSION: Extension = {
  name: NAME,
  support: 'partial',
  effect: 'The factor is kept, alpha and its mode too. A texture becomes the mean of its red channel.',
  codes: ['UC1221', 'UC1362', 'UC2122'],
  layer: transmission,
};

const factorOf = (material: Element): number => material.extension(NAME)?.number('transmissionFactor', 0) ?? 0;

export const transmits = (material: Element): boolean => factorOf(material) > 0;

/** The factor as it is, and the colour of the volume behind the surface. */
function transmission(material: Element, to: LayeredMaterial, textures: TextureSlots): string | null {
  const ext = material.extension(NAME);
  const factor = factorOf(material);
  if (ext === null) return null;
  // The file is checked whatever the surface shows of it.
  const use = textures.use(ext, 'transmissionTexture', { channel: 'r', colorSpace: 'linear' });
  // A metal lets nothing through.
  if (factor === 0 || to.dielectric === 0) return null;
  if (factor < 0) return 'transmission left out, because its factor is below 0';
  const { surface } = to;
  surface.transmission = factor;
  surface.transmission = storedTransmission(surface, (slot) => surface.textures[slot] !== undefined);
  if (surface.transmission === 0) return 'transmission left out, because less than 5 % could be seen through';
  if (use) surface.transmissionTexture = use;
  const said = factor > 1 ? ['transmission above 1 made 1'] : [];
  const color = volumeColor(material);
  if (color !== null) said.push(to.tint(color) ? 'volume made base colour' : 'volume left out');
  return said.length > 0 ? said.join(', ') : null;
}

/** What a material says of its glass that the engine ignores; nothing for a surface that is solid. */
export function ignoredOfGlass(material: Element, { surface }: LayeredMaterial): string[] {
  if (surface.transmission === 0) return [];
  const volume = material.extension('KHR_materials_volume');
  const thickness = volume?.number('thicknessFactor', 0) ?? 0;
  const dispersion = material.extension('KHR_materials_dispersion')?.number('dispersion', 0) ?? 0;
  return [
    ...((indexOfRefraction(material) ?? 1.5) === 1.5 ? [] : ['ior']),
    ...(thickness > 0 ? ['thickness'] : []),
    ...(thickness > 0 && volume?.has('thicknessTexture') ? ['thickness texture'] : []),
    ...(dispersion > 0 ? ['dispersion'] : []),
  ];
}
