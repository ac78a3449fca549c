// USD crate layers (binary): codes UC1400-UC1499.

import type { CodeEntry } from '../entry.ts';

export const USD_CRATE = {} as const satisfies Record<string, CodeEntry>;
