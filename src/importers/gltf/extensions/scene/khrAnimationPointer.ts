// KHR_animation_pointer: animations of any property of the JSON. Scenes are cooked at rest.

import type { Extension } from '../extension.ts';

export const KHR_ANIMATION_POINTER: Extension = {
  name: 'KHR_animation_pointer',
  support: 'unneeded',
  effect: 'Scenes are cooked at rest; UC1340 names the animations.',
};
