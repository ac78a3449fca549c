// Command line, configuration, presets: codes UC1000-UC1099.

import type { CodeEntry } from '../entry.ts';

export const COMMAND_LINE = {} as const satisfies Record<string, CodeEntry>;
