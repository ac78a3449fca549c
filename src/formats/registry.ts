// The formats that a cook can write.

import type { Format } from './format.ts';
import { UNTOLD } from './untold/format.ts';

export const FORMATS = { untold: UNTOLD } as const satisfies Record<string, Format>;

export type FormatId = keyof typeof FORMATS;

/** What is written where nothing else is asked for. */
export const DEFAULT_FORMAT: FormatId = 'untold';

export function formatOf(id: FormatId): Format {
  return FORMATS[id];
}
