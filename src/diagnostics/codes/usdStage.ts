// USD composition and stages: codes UC1700-UC1799.

import type { CodeEntry } from '../entry.ts';

export const USD_STAGE = {} as const satisfies Record<string, CodeEntry>;
