// The interface through which composition gets layers, so that it does not depend on files or packages.

import type { SourceError } from '../../../../diagnostics/diagnostic.ts';
import type { Layer } from '../../layer.ts';

/** A layer that an asset path leads to. `identifier` is known before the layer is read. */
export interface LocatedLayer {
  readonly identifier: string;
  /** Throws SourceError if the layer is missing, forbidden, damaged or in a format that is not read. */
  open(): Layer;
}

/** Finds layers by asset path. `element` is the path of the spec in `from` that names the asset path. */
export interface LayerSource {
  /** Throws SourceError if the path leads to no file. Each layer is opened once. */
  locate(from: Layer, assetPath: string, element: string): LocatedLayer;
}

/** Code and message of the first diagnostic of an error, for the message of the arc that the error breaks. */
export function reasonOf(error: SourceError): string {
  const [first] = error.diagnostics;
  return `${first.code} ${first.message}`;
}
