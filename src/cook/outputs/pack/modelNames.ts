// The folders of models in a pack: `<Model>/<Model>.untold`. Names are unique whatever the case of their letters, and none is
// that of a folder which other outputs have.

import { CLIP_FOLDER } from '../../../engine/names.ts';
import { UniqueNames } from '../../../formats/uniqueNames.ts';
import { sanitizeStem } from '../../../textures/name.ts';

/** The folder of textures beside a pack. */
export const TEXTURE_FOLDER = 'Textures';

export class ModelNames {
  readonly #names = new UniqueNames();
  readonly #prefix: string;

  /** `prefix` begins every name: '' for none. */
  constructor(prefix: string) {
    this.#prefix = prefix;
    for (const folder of [TEXTURE_FOLDER, CLIP_FOLDER]) this.#names.take(folder.toLowerCase(), '');
  }

  /** The path of a model's file, relative to the pack. */
  path(name: string): string {
    const stem = sanitizeStem(`${this.#prefix}${name || 'model'}`);
    // ASCII letters alone: both cases have the same length.
    const stemAndNumber = stem + this.#names.take(stem.toLowerCase(), 'model').slice(stem.length);
    return `${stemAndNumber}/${stemAndNumber}.untold`;
  }
}
