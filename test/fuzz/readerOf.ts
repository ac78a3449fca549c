// A reader by its name. The planted ones need none of the product, so that a process that runs one starts in a moment.

import { PLANTED } from './planted.ts';
import type { Reader } from './reader.ts';

export async function readerOf(name: string): Promise<Reader> {
  const planted = PLANTED.find((one) => one.name === name);
  if (planted) return planted;
  const { READERS } = await import('./readers.ts');
  const reader = READERS.find((one) => one.name === name);
  if (!reader) throw new Error(`there is no reader ${name}: ${READERS.map((one) => one.name).join(', ')}`);
  return reader;
}
