// USDZ packages: codes UC1600-UC1699.

import type { CodeEntry } from '../entry.ts';

export const USDZ = {} as const satisfies Record<string, CodeEntry>;
