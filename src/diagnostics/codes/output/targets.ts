// What a target leaves out or changes of a scene: codes UC2300-UC2399.

import type { CodeEntry } from '../../entry.ts';

export const TARGETS = {
  UC2300: {
    severity: 'warning',
    title: 'light that the target has no kind for',
    cause: 'Area lights have no counterpart in the target. They become spots that are as bright in front.',
    remedy: 'nothing to do, or replace area lights by spots in the source',
  },
} as const satisfies Record<string, CodeEntry>;
