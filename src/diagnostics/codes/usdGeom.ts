// USD geometry: codes UC1800-UC1899.

import type { CodeEntry } from '../entry.ts';

export const USD_GEOM = {} as const satisfies Record<string, CodeEntry>;
