// What passes between the main thread and the threads that compare levels with full detail.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { LookKind } from '../../raster/judge.ts';
import type { Looked, PicturedLevel } from './compareLevels.ts';

/** What a thread opens. */
export interface SheetThreadData {
  /** Absolute. */
  readonly path: string;
  /** For messages. */
  readonly file: string;
  readonly cwd: string;
  /** Weights of morph targets. */
  readonly weights: ReadonlyMap<string, number>;
}

/** Of a tile, by its place in the set: a look at its levels, or pictures of some of them. */
export type SheetTask = { readonly tile: number } & (
  | { readonly kind: 'look'; readonly look: LookKind }
  | { readonly kind: 'pictures'; readonly looked: readonly Omit<Looked, 'tile'>[] }
);

export type SheetAnswer =
  | {
      readonly looked: readonly Omit<Looked, 'tile'>[];
      readonly pictures: readonly PicturedLevel[];
      /** All that was reported so far, and names of morph targets that were found. */
      readonly diagnostics: readonly Diagnostic[];
      readonly found: ReadonlySet<string>;
    }
  | { readonly errors: readonly Diagnostic[] }
  | { readonly bug: unknown };
