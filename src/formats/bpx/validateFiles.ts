// The check of a BPX file, and of the BPX files in it if it is a package.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isBpx } from './container/layout.ts';
import type { BpxContent } from './types.ts';
import { checkBpx, validateBpx } from './validate.ts';

/** The files of a package; of an object of the crate its bytes are copied where they lie in several parts. */
export function filesOf(content: BpxContent | null): { readonly path: string; readonly bytes: Uint8Array }[] {
  if (content?.kind === 'package') return [...content.assets];
  if (content?.kind !== 'cratePackage') return [];
  return content.objects.map(({ name: path, parts }) => ({
    path,
    bytes: parts.length === 1 ? parts[0] : Buffer.concat(parts),
  }));
}

/** All findings of a file and of the files that it holds; packages in packages are not opened. Throws UC1101 and UC1102 alone. */
export async function validateWithFiles(bytes: Uint8Array, file: string): Promise<readonly Diagnostic[]> {
  const { content, diagnostics } = await checkBpx(bytes, file);
  const found = [...diagnostics];
  const known = new Set<Uint8Array>();
  for (const { path, bytes: held } of filesOf(content)) {
    // Two paths may share a file.
    if (!isBpx(held) || known.has(held)) continue;
    known.add(held);
    found.push(...(await validateBpx(held, `${file}/${path}`)));
  }
  return found;
}
