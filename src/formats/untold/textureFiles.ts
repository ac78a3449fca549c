// The image files that a .untold file names, and whether they exist. Not part of the validator, because only the caller
// knows which files exist: on a disk, in a package or in a test.

import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { Findings } from './check/findings.ts';
import { readContainer } from './container/container.ts';
import { CHUNK, TEXTURE } from './container/records.ts';
import { openTables, recordPath } from './container/tables.ts';

/** `index` is the index in the texture table. */
export interface TextureReference {
  readonly index: number;
  readonly uri: string;
}

/** The texture URIs of a file, without unpacking its geometry. Leaves out what cannot be read; validateUntold reports it. */
export async function textureReferences(bytes: Uint8Array): Promise<readonly TextureReference[]> {
  const findings = new Findings('');
  const only = [CHUNK.string, CHUNK.texture];
  const container = await readContainer(bytes, findings, { engine: false, only });
  if (!container) return [];
  const tables = openTables(container);
  const table = tables.table(TEXTURE, CHUNK.texture);
  const uriOf = table.column('uriOffset');
  const list: TextureReference[] = [];
  for (let index = 0; index < table.length; index++) {
    tables.strings.check(uriOf(index), () => recordPath(CHUNK.texture, index), findings);
    const uri = tables.strings.at(uriOf(index));
    if (uri !== '') list.push({ index, uri });
  }
  return list;
}

/** A URI that the engine takes as it is: it has a scheme. */
const HAS_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * UC3108 for each texture whose file is nowhere the engine looks: at the path relative to the file's folder, else at
 * its last part in that folder. `exists` takes such a relative path with `/`. URIs with a scheme are not looked up.
 */
export async function missingTextures(
  bytes: Uint8Array,
  file: string,
  exists: (path: string) => boolean,
): Promise<readonly Diagnostic[]> {
  const list: Diagnostic[] = [];
  for (const { index, uri } of await textureReferences(bytes)) {
    if (HAS_SCHEME.test(uri)) continue;
    const path = uri.replace(/^\/+/, '');
    if (exists(path) || exists(path.slice(path.lastIndexOf('/') + 1))) continue;
    list.push(diagnostic('UC3108', file, recordPath(CHUNK.texture, index), `no file ${uri}`));
  }
  return list;
}
