// The lights of the scene's nodes.

import { rigidFrame } from '../../../scene/matrix.ts';
import type { SceneLight } from '../../../scene/types.ts';
import { hasFiniteTranslation } from '../../photometry.ts';
import type { Notes } from '../document/notes.ts';
import type { LightDef } from '../extensions/scene/khrLightsPunctual.ts';
import type { Attachment } from './placements.ts';

/** The lights of the scene's nodes, with the names of the nodes, or their own if a node has none. */
export function placeLights(
  defs: readonly (LightDef | null)[],
  attached: readonly Attachment[],
  notes: Notes,
): SceneLight[] {
  const lights: SceneLight[] = [];
  for (const { node, world } of attached) {
    const def = node.light < 0 ? null : defs[node.light];
    if (!def) continue;
    const { path } = node;
    const name = node.name === '' ? def.name : node.name;
    if (hasFiniteTranslation(world)) {
      const own = def.name === name ? {} : { ownName: def.name };
      lights.push({ ...def, name, path, world: rigidFrame(world), ...own });
    } else
      notes.add('UC1350', 'position', path, name, (names) => `the position does not fit float32, left out: ${names}`);
  }
  return lights;
}
