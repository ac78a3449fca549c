// KHR_node_selectability: which nodes can be selected. It changes nothing that is drawn.

import type { Extension } from '../extension.ts';

export const KHR_NODE_SELECTABILITY: Extension = {
  name: 'KHR_node_selectability',
  support: 'unneeded',
  effect: 'It says which nodes can be selected.',
};
