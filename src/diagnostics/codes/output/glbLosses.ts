// What of a glTF source its GLB does not have: codes UC2480-UC2484.

import type { CodeEntry } from '../../entry.ts';

export const GLB_LOSSES = {
  UC2480: {
    severity: 'info',
    title: 'parts of a glTF source that its GLB does not have',
    cause: 'A GLB has one scene, the chosen one, and no attributes of applications (those whose names begin with _).',
    remedy: 'keep the source for what reads them; --scene chooses another scene',
  },
} as const satisfies Record<string, CodeEntry>;
