// Writing output: codes UC4000-UC4099.

import type { CodeEntry } from '../entry.ts';

export const EMIT = {} as const satisfies Record<string, CodeEntry>;
