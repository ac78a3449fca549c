// Resources of Urho3D by their names, which lead from a resource folder. A model does not say where that is: it is the nearest
// folder above it that holds what is named.

import { dirname, join } from 'node:path';
import type { SourceFiles } from '../files.ts';

/** How far above a model its resource folder may be. */
const MAX_FOLDERS = 32;

export class Resources {
  readonly files: SourceFiles;
  readonly #folders: readonly string[];

  /** `path`: of the model. */
  constructor(path: string, files: SourceFiles) {
    this.files = files;
    const folders: string[] = [];
    for (let at = dirname(path); folders.length < MAX_FOLDERS; at = dirname(at)) {
      folders.push(at);
      if (dirname(at) === at) break;
    }
    this.#folders = folders;
  }

  /** The path of a resource; null: it is in none of the folders. */
  find(name: string): string | null {
    const folder = this.#folders.find((at) => this.files.exists(join(at, name)));
    return folder === undefined ? null : join(folder, name);
  }

  /** Where a resource would be that is nowhere: for messages. */
  expected(name: string): string {
    return join(this.#folders[Math.min(1, this.#folders.length - 1)], name);
  }
}
