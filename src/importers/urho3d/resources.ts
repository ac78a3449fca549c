// Resources of Urho3D by their names, which lead from a resource folder. A source does not say where that is: it is the nearest
// folder above it that holds what is named, or a folder there that the engine takes by default. What is in none of them is
// looked for with --search-path and --remap.

import { dirname, join } from 'node:path';
import type { SourceFiles } from '../files.ts';
import { findAsset } from '../findAsset.ts';

/** How far above a source its resource folder may be. */
const MAX_FOLDERS = 32;
/** Resource folders of the engine beside a program, where nobody names others (Engine.cpp, ResourcePaths). */
const DEFAULT_FOLDERS = ['Data', 'CoreData'];

export class Resources {
  readonly files: SourceFiles;
  readonly #source: string;
  readonly #folders: readonly string[];
  /** By name. */
  readonly #found = new Map<string, string | null>();

  /** `source`: the model or scene. */
  constructor(source: string, files: SourceFiles) {
    this.files = files;
    this.#source = source;
    const folders: string[] = [];
    for (let at = dirname(source); folders.length < MAX_FOLDERS; at = dirname(at)) {
      folders.push(at);
      if (dirname(at) === at) break;
    }
    this.#folders = folders;
  }

  /** The path of a resource; null: it is in none of the folders. */
  find(name: string): string | null {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const asked = { reference: name, from: this.#source, kind: 'layer' } as const;
    const meant = () => this.#above(name) ?? this.expected(name);
    const path = findAsset(this.files, asked, meant, () => {});
    const found = this.files.exists(path) ? path : null;
    this.#found.set(name, found);
    return found;
  }

  #above(name: string): string | null {
    for (const folder of this.#folders) {
      const places = [join(folder, name), ...DEFAULT_FOLDERS.map((below) => join(folder, below, name))];
      const place = places.find((path) => this.files.exists(path));
      if (place !== undefined) return place;
    }
    return null;
  }

  /** Where a resource would be that is nowhere: for messages. */
  expected(name: string): string {
    return join(this.#folders[Math.min(1, this.#folders.length - 1)], name);
  }
}
