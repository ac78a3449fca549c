// Cooking geometry: codes UC2000-UC2099.

import type { CodeEntry } from '../entry.ts';

export const COOK = {} as const satisfies Record<string, CodeEntry>;
