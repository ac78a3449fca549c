// Reads Galileo mesh assets: the strict reader, which gives a mesh or throws.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { GalileoMesh } from './types.ts';
import { checkGalileo } from './validate.ts';

/**
 * The mesh; its arrays are views of `bytes` where the alignment allows it. Throws a SourceError with every error that the
 * validator finds, and UC1101 and UC1102.
 */
export async function readGalileo(bytes: Uint8Array, file: string): Promise<GalileoMesh> {
  const { mesh, diagnostics } = await checkGalileo(bytes, file);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !mesh) throw new SourceError(errors);
  return mesh;
}
