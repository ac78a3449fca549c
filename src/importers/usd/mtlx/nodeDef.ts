// A MaterialX node definition: the inputs and outputs of a node, and the node graph that implements it.

import type { MtlxElement } from './document.ts';

export interface Port {
  readonly name: string;
  readonly type: string;
}

export interface NodeDef {
  /** The name of the definition: `ND_image_color3`. */
  readonly name: string;
  /** The category of the nodes that it defines: `image`. */
  readonly node: string;
  /** The type of the output; `multioutput` for several outputs. */
  readonly type: string;
  readonly version: string;
  readonly isDefault: boolean;
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** The node graph of the document that implements it; null if there is none, as for the standard definitions. */
  readonly implementation: MtlxElement | null;
}
