// Reads BPX files: the strict reader, which gives what a file holds or throws.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { BpxContainer } from './container/open.ts';
import type { BpxContent } from './types.ts';
import { checkBpx } from './validate.ts';

export interface ReadBpx {
  readonly container: BpxContainer;
  readonly content: BpxContent;
}

/**
 * The container and its content, whose bytes are views of `bytes` where nothing is packed. Throws a SourceError with every
 * error that the validator finds, and UC1101 and UC1102. `limit`: bytes that sections may unpack to, as openBpx has it.
 */
export async function readBpx(bytes: Uint8Array, file: string, limit?: number): Promise<ReadBpx> {
  const { container, content, diagnostics } = await checkBpx(bytes, file, limit);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !container || !content) throw new SourceError(errors);
  return { container, content };
}
