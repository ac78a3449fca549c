// KHR_materials_volume: what is below the surface absorbs light. Only transmission shows it, whose layer asks for it.

import type { Vec3 } from '../../../../scene/types.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_volume';

export const KHR_MATERIALS_VOLUME: Extension = {
  name: NAME,
  support: 'partial',
  effect:
    'The colour that the volume gives to transmitted light multiplies the base colour; a surface that transmits nothing does not show its volume.',
  codes: ['UC1362'],
};

/** The colour of white light that has crossed the volume (Beer's law); null when the volume absorbs nothing. */
export function volumeColor(material: Element): Vec3 | null {
  const volume = material.extension(NAME);
  const thickness = volume?.number('thicknessFactor', 0) ?? 0;
  const distance = volume?.number('attenuationDistance', 0) ?? 0;
  if (!(thickness > 0 && distance > 0)) return null;
  const [r, g, b] = (volume?.numbers('attenuationColor', 3) ?? [1, 1, 1]).map((c) => c ** (thickness / distance));
  return [r, g, b];
}
