// Manifests: codes UC3200-UC3299.

import type { CodeEntry } from '../entry.ts';

export const MANIFEST = {} as const satisfies Record<string, CodeEntry>;
