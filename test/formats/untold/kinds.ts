// Files as the text of the format describes them, for the test of the table of kinds.

import type { LiteralKinds } from '../literalKinds.ts';

export const LITERALS: LiteralKinds = {
  untold: ['.untold', 'UNTOLD\0\0\x02\0\0\0'],
  clip: ['.untoldanim', 'UNTOLD\0\0\x02\0\0\0'],
};
