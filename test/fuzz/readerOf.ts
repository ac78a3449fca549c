// A reader by its name, the planted ones among them.

import { PLANTED } from './planted.ts';
import type { Reader } from './reader.ts';
import { READERS } from './readers.ts';

export function readerOf(name: string): Reader {
  const reader = [...READERS, ...PLANTED].find((one) => one.name === name);
  if (!reader) throw new Error(`there is no reader ${name}: ${READERS.map((one) => one.name).join(', ')}`);
  return reader;
}
