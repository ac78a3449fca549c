// The part of a stage to import: the selected prims and their descendants, without the excluded ones. It is decided by
// paths alone, so that all other prims need not be composed.

import type { ImportOptions } from '../importer.ts';
import { parentPath } from './compose/namespace/paths.ts';
import type { Stage } from './compose/stage/stage.ts';
import type { Notes } from './notes.ts';

/** 'taken': the prim belongs to the part. 'passed': only descendants of the prim do. */
export type Inclusion = 'taken' | 'passed';

export class Selection {
  /** The part of the pseudo-root. */
  readonly start: Inclusion;
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

  /** The part of a prim, given that of its parent; null if neither the prim nor any of its descendants is taken. */
  of(path: string, parent: Inclusion): Inclusion | null {
    if (this.#excluded.has(path)) return null;
    if (parent === 'taken' || this.#selected.has(path)) return 'taken';
    return this.#above.has(path) ? 'passed' : null;
  }

  /** Whether a prim or one of its ancestors is excluded. */
  excludes(path: string): boolean {
    if (this.#excluded.size === 0) return false;
    for (let at = path; at !== '/'; at = parentPath(at)) if (this.#excluded.has(at)) return true;
    return false;
  }

  /** Reports UC1726 for each path at which the stage has no prim. */
  check(stage: Stage, notes: Notes): void {
    const checkPath = (path: string, flag: string) => {
      if (!stage.prim(path)) notes.report('UC1726', path, `${flag} ${path}: the stage has no active prim there`);
    };
    for (const path of this.#selected) checkPath(path, '--select');
    for (const path of this.#excluded) checkPath(path, '--exclude');
  }
}
