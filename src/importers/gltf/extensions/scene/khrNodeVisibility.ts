// KHR_node_visibility: a node that is not visible hides everything below it.

import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_node_visibility';

export const KHR_NODE_VISIBILITY: Extension = {
  name: NAME,
  support: 'full',
  effect: 'Invisible nodes and their descendants are left out.',
  codes: ['UC1325'],
};

export function isVisible(node: Element): boolean {
  return node.extension(NAME)?.boolean('visible', true) ?? true;
}
