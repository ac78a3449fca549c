// Sheets of mips of each role and size, encoded by astcenc.

import { expectSameBlocks, SIZES } from './grainyMips.ts';

expectSameBlocks(['color', 'normal', 'data'], SIZES);
