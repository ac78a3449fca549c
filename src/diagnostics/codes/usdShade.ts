// USD materials: codes UC1900-UC1999.

import type { CodeEntry } from '../entry.ts';

export const USD_SHADE = {} as const satisfies Record<string, CodeEntry>;
