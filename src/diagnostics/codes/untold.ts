// The .untold container: codes UC3000-UC3199.

import type { CodeEntry } from '../entry.ts';

export const UNTOLD = {} as const satisfies Record<string, CodeEntry>;
