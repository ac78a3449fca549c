// Files as the text of the format describes them, for the test of the table of kinds.

import type { LiteralKinds } from '../literalKinds.ts';

export const LITERALS: LiteralKinds = {
  manifest: ['.json', '{"tiles": [], "streaming_defaults": {}}'],
  shard: ['.json', '{"kind": "untold-shard", "schemaVersion": 1}'],
};
