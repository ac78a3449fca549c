// Tiling: codes UC2200-UC2299.

import type { CodeEntry } from '../entry.ts';

export const TILING = {} as const satisfies Record<string, CodeEntry>;
