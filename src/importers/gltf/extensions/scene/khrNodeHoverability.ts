// KHR_node_hoverability: which nodes react to a pointer. It changes nothing that is drawn.

import type { Extension } from '../extension.ts';

export const KHR_NODE_HOVERABILITY: Extension = {
  name: 'KHR_node_hoverability',
  support: 'unneeded',
  effect: 'It says which nodes react to a pointer.',
};
