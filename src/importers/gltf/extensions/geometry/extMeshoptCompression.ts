// EXT_meshopt_compression: the first name of KHR_meshopt_compression, whose file parses both.

import type { Extension } from '../extension.ts';

export const EXT_MESHOPT_COMPRESSION: Extension = {
  name: 'EXT_meshopt_compression',
  support: 'full',
  effect: 'Buffer views are decompressed.',
  codes: ['UC1317'],
};
