// Morph targets of a scene.

import type { SceneMesh } from './types.ts';

/** Whether a mesh has morph targets: levels of detail would lose them. */
export const hasMorphs = ({ primitives }: SceneMesh): boolean =>
  primitives.some(({ morphs }) => morphs !== undefined && morphs.targets.length > 0);
