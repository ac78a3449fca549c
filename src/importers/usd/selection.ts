// Which part of a stage is taken: what is selected, with all below it, without what is excluded. By paths alone, so that
// what lies elsewhere is never composed.

import type { ImportOptions } from '../importer.ts';
import { parentPath } from './compose/namespace/paths.ts';
import type { Stage } from './compose/stage/stage.ts';
import type { Notes } from './notes.ts';

/** 'taken': the prim belongs to the part; 'passed': only something below it does. */
export type Part = 'taken' | 'passed';

export class Selection {
  /** What holds for the prims below the pseudo-root before their own paths are looked at. */
  readonly start: Part;
  readonly #selected: ReadonlySet<string>;
  readonly #above = new Set<string>();
  readonly #excluded: ReadonlySet<string>;

  /** An absent or empty selection takes everything. */
  constructor({ select = [], exclude = [] }: Pick<ImportOptions, 'select' | 'exclude'>) {
    this.start = select.length === 0 ? 'taken' : 'passed';
    this.#selected = new Set(select);
    this.#excluded = new Set(exclude);
    for (const path of select) {
      for (let at = parentPath(path); at !== '/' && !this.#above.has(at); at = parentPath(at)) this.#above.add(at);
    }
  }

  /** The part that a prim belongs to, when `parent` is its parent's; null: neither it nor anything below is taken. */
  of(path: string, parent: Part): Part | null {
    if (this.#excluded.has(path)) return null;
    if (parent === 'taken' || this.#selected.has(path)) return 'taken';
    return this.#above.has(path) ? 'passed' : null;
  }

  /** Whether a prim, or one above it, is excluded. */
  excludes(path: string): boolean {
    if (this.#excluded.size === 0) return false;
    for (let at = path; at !== '/'; at = parentPath(at)) if (this.#excluded.has(at)) return true;
    return false;
  }

  /** Says UC1726 for each path where the stage has no prim. */
  check(stage: Stage, notes: Notes): void {
    const say = (path: string, flag: string) => {
      if (!stage.prim(path)) notes.report('UC1726', path, `${flag} ${path}: the stage has no active prim there`);
    };
    for (const path of this.#selected) say(path, '--select');
    for (const path of this.#excluded) say(path, '--exclude');
  }
}
