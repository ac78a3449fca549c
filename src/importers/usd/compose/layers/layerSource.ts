// Where composition gets layers from: the files behind asset paths are none of its business.

import type { SourceError } from '../../../../diagnostics/diagnostic.ts';
import type { Layer } from '../../layer.ts';

/** A layer that an asset path leads to. `identifier` is known before anything is read. */
export interface LocatedLayer {
  readonly identifier: string;
  /** Throws SourceError when it is missing, forbidden, damaged or in a format that is not read. */
  open(): Layer;
}

/** Where layers come from. `element` is the place in `from` that names the asset path. */
export interface LayerSource {
  /** Throws SourceError when the path leads nowhere. Each layer is opened once. */
  locate(from: Layer, assetPath: string, element: string): LocatedLayer;
}

/** What a caught error says first, for the message of the arc that it breaks. */
export function reasonOf(error: SourceError): string {
  const [first] = error.diagnostics;
  return `${first.code} ${first.message}`;
}
