// Files as the text of the format describes them, for the test of the table of kinds.

import type { LiteralKinds } from '../literalKinds.ts';

export const LITERALS: LiteralKinds = {
  utex: ['.utex', 'UTEX\0\0\0\0\x01\0\0\0'],
};
