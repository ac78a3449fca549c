// KHR_materials_sheen: light that fibres scatter at grazing angles.

import type { LayeredMaterial } from '../../../layers/layeredMaterial.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_materials_sheen';

/** Part of the light that a sheen of full colour returns over all directions, as three.js scales its layers. */
const SHEEN_ALBEDO = 0.157;

export const KHR_MATERIALS_SHEEN: Extension = {
  name: NAME,
  support: 'partial',
  effect: 'The colour of the sheen is mixed into the base colour.',
  codes: ['UC1362'],
  layer: sheen,
};

function sheen(material: Element, to: LayeredMaterial): string | null {
  const color = material.extension(NAME)?.numbers('sheenColorFactor', 3) ?? [0, 0, 0];
  const max = Math.max(...color);
  if (max === 0) return null;
  if (!to.plainColor) return `sheen left out`;
  const under = 1 - SHEEN_ALBEDO * max;
  const mixed = color.map((c, i) => to.surface.baseColor[i] * under + SHEEN_ALBEDO * c);
  to.setColor([mixed[0], mixed[1], mixed[2]]);
  return 'sheen mixed into the base colour';
}
