// A MaterialX node definition: the interface of a node and what implements it.

import type { MtlxElement } from './document.ts';

export interface Port {
  readonly name: string;
  readonly type: string;
}

export interface NodeDef {
  /** `ND_image_color3` */
  readonly name: string;
  /** `image` */
  readonly node: string;
  /** Type of the output, `multioutput` for several. */
  readonly type: string;
  readonly version: string;
  readonly isDefault: boolean;
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** The node graph of the document that implements it; null for the definitions of the libraries. */
  readonly implementation: MtlxElement | null;
}
