// USD text layers: codes UC1500-UC1599.

import type { CodeEntry } from '../entry.ts';

export const USD_TEXT = {} as const satisfies Record<string, CodeEntry>;
