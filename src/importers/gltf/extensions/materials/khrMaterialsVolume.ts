// KHR_materials_volume: what is below the surface absorbs light. Only transmission shows it, whose layer asks for it.

import { absorbedColor } from '../../../../scene/transmission.ts';
import type { Vec3 } from '../../../../scene/types.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_volume';

export const KHR_MATERIALS_VOLUME: Extension = {
  name: NAME,
  support: 'partial',
  effect:
    'The colour that the volume gives to transmitted light multiplies the base colour; a surface that transmits nothing does not show its volume.',
  codes: ['UC1362', 'UC1221'],
};

/** The colour of white light that has crossed the volume; null when the volume absorbs nothing. */
export function volumeColor(material: Element): Vec3 | null {
  const volume = material.extension(NAME);
  const thickness = volume?.number('thicknessFactor', 0) ?? 0;
  const distance = volume?.number('attenuationDistance', 0) ?? 0;
  const color = (volume?.numbers('attenuationColor', 3) ?? [1, 1, 1]) as unknown as Vec3;
  return absorbedColor(color, thickness, distance);
}
