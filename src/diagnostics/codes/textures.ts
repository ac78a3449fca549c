// Textures and texture coordinates: codes UC2100-UC2199.

import type { CodeEntry } from '../entry.ts';

export const TEXTURES = {} as const satisfies Record<string, CodeEntry>;
