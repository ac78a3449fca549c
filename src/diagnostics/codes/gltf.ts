// glTF and GLB sources: codes UC1300-UC1399.

import type { CodeEntry } from '../entry.ts';

export const GLTF = {} as const satisfies Record<string, CodeEntry>;
