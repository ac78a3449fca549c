// Textures that several sets of one call hold, each for itself, and what one folder for all would save.

import { join } from 'node:path';
import { payloadFolder } from '../config/targets.ts';
import type { CookTarget } from '../config/types.ts';
import { TEXTURE_FOLDER } from '../cook/outputs/pack/modelNames.ts';
import type { CookOutput } from '../cook/types.ts';
import { DEFAULT_FORMAT, FORMATS, type FormatId } from '../formats/registry.ts';
import { isBelow } from './isBelow.ts';

/** What --share-textures would save. */
export interface RepeatedTextures {
  /** Files that are the copy of one in another set. */
  readonly files: number;
  readonly bytes: number;
}

/** So many bytes are worth a line … */
const WORTH_BYTES = 1_000_000;
/** … and so many, where they are this share of all outputs. */
const WORTH_OF_SMALL = 100_000;
const WORTH_SHARE = 0.1;

interface CookedOutput {
  readonly target: CookTarget;
  readonly outputs: readonly CookOutput[];
}

/** The files of textures of a set that keeps its own. A colour grade stays with its set. */
function ownTextures({ target, outputs }: CookedOutput): readonly CookOutput[] {
  if (target.kind !== 'folder' || target.shared || target.shard) return [];
  const folder = join(target.folder, payloadFolder(target), TEXTURE_FOLDER);
  return outputs.filter(({ path }) => isBelow(path, folder) && !path.endsWith('.cube'));
}

/** Of the outputs of a call in a format; null: it is little, or the sets could not share their textures. */
export function repeatedTextures(
  results: readonly CookedOutput[],
  format: FormatId = DEFAULT_FORMAT,
): RepeatedTextures | null {
  const options: readonly string[] = FORMATS[format].options;
  if (results.length < 2 || !options.includes('share-textures')) return null;
  const known = new Set<string>();
  let files = 0;
  let bytes = 0;
  for (const file of results.flatMap(ownTextures)) {
    if (known.has(file.sha256)) {
      files++;
      bytes += file.bytes;
    }
    known.add(file.sha256);
  }
  const all = results.flatMap(({ outputs }) => outputs).reduce((sum, output) => sum + output.bytes, 0);
  const isWorth = bytes >= WORTH_BYTES || (bytes >= WORTH_OF_SMALL && bytes >= WORTH_SHARE * all);
  return isWorth ? { files, bytes } : null;
}
