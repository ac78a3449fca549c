// The formats that a cook can write: the only list of them. What commands and settings need of a format stands here; its
// code is loaded when a source is cooked or a file is checked.

import type { Format, FormatCode, FormatFacts } from './format.ts';

interface FormatEntry extends Omit<FormatFacts, 'id'> {
  /** The bytes that every file of the format begins with, as Latin-1 text. */
  readonly magic: string;
  readonly load: () => Promise<FormatCode>;
}

export const FORMATS = {
  untold: {
    extension: '.untold',
    magic: 'UNTOLD\0\0',
    load: async () => (await import('./untold/format.ts')).UNTOLD,
  },
} as const satisfies Record<string, FormatEntry>;

export type FormatId = keyof typeof FORMATS;

export const FORMAT_IDS = Object.keys(FORMATS) as readonly FormatId[];

/** The format that is written unless the settings ask for another. */
export const DEFAULT_FORMAT = 'untold' satisfies FormatId;

export async function loadFormat(id: FormatId): Promise<Format> {
  const { extension, load } = FORMATS[id];
  return { id, extension, ...(await load()) };
}

/** The format whose files begin as `bytes` do; null for none. */
export function formatOfContent(bytes: Uint8Array): FormatId | null {
  const begins = ({ magic }: FormatEntry) => Buffer.from(bytes.subarray(0, magic.length)).toString('latin1') === magic;
  return FORMAT_IDS.find((id) => begins(FORMATS[id])) ?? null;
}
