// The textures that go into a folder which other outputs share.

import { basename, dirname, join } from 'node:path';
import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { DEFAULT_FORMAT, type FormatId, formatOfContent, HEAD_BYTES, loadFormat } from '../../formats/registry.ts';
import { withoutDots } from '../../formats/untold/sharedUris.ts';
import { isUtex } from '../../formats/utex/layout.ts';
import { validateUtex } from '../../formats/utex/validate.ts';
import { readHead, readWhole } from '../../importers/wholeFile.ts';
import type { SharedTexture } from '../../output/sharedTextures.ts';
import { sharedTextureName } from '../../textures/name.ts';
import { fileBytes, type HeldFiles, type PreparedTexture } from '../../textures/types.ts';

/** The path of a shared texture relative to the manifest of its set. `folder`: that of the payloads, with `/` at its end. */
export const sharedPath = (folder: string, uri: string, name: string): string => withoutDots(`${folder}${uri}${name}`);

/** Whether the file begins as the files of a format do; false when it cannot be read. */
export function isCooked(path: string): boolean {
  try {
    return formatOfContent(readHead(path, HEAD_BYTES)) !== null;
  } catch {
    return false;
  }
}

/** The names of the textures in a shared folder that cooked files name; `files` are absolute. */
export async function texturesNamed(
  files: readonly string[],
  folder: string,
  formatId: FormatId = DEFAULT_FORMAT,
): Promise<string[]> {
  const format = await loadFormat(formatId);
  const names: string[] = [];
  for (const file of files.filter(isCooked)) {
    try {
      const uris = await format.textureUris(readWhole(file));
      const paths = uris.map((uri) => join(dirname(file), uri));
      for (const texture of paths) if (dirname(texture) === folder) names.push(basename(texture));
    } catch {
      // The file is damaged: what it named stays.
    }
  }
  return [...new Set(names)];
}

/**
 * The textures as files of the shared folder, each once, in order of their names. Throws SourceError for one that the
 * validator refuses.
 */
export function sharedFiles(textures: readonly PreparedTexture[], folder: string, held: HeldFiles): SharedTexture[] {
  const byName = new Map(textures.map((texture) => [sharedTextureName(texture), texture]));
  const shared: SharedTexture[] = [];
  for (const [name, texture] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const bytes = fileBytes(texture, held);
    if (isUtex(bytes)) {
      const found = new Diagnostics();
      for (const item of validateUtex(bytes, join(folder, name))) found.add(item);
      found.throwIfErrors();
    }
    const { sha256 } = texture;
    shared.push({ name, size: bytes.length, sha256, read: () => fileBytes(texture, held) });
  }
  return shared;
}
