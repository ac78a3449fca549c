// How the page of `untold view` gives dropped files to its server, and what the server says meanwhile. The body of a drop is the
// length of a list as a little-endian uint32, the list as JSON, and the contents of its files in the order of the list.

import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';

/** The address of drops, below the token of the page. */
export const DROP = 'drop';

/** The header that holds the secret of drops, in lower case; the page has it in a `meta` element of this name. */
export const DROP_SECRET = 'untold-drop';

/** Of all files of a drop. */
const MAX_BYTES = 4 * 2 ** 30;
const MAX_FILES = 20_000;

/** Of the list as JSON. */
export const MAX_LIST_BYTES = 8 * 2 ** 20;

export interface DroppedFile {
  /** Below the place of the drop, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

/** How far the cook of a dropped source is: `done` of `total` steps of a phase. */
export interface DropProgress {
  /** The cook of the set is the first; that of full detail is the second. */
  readonly pass: number;
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}

/** A line of the answer, as JSON. The last one has `isShown` or `faults`. */
export type DropNews =
  | { readonly progress: DropProgress }
  /** The server now shows what was dropped. */
  | { readonly isShown: true }
  /** It shows what it has shown before. */
  | { readonly faults: readonly Diagnostic[] };

/** UC1209 for a drop of more than is taken; null: it is not. Page and server ask. */
export function tooLarge(files: number, bytes: number): Diagnostic | null {
  if (files <= MAX_FILES && bytes <= MAX_BYTES) return null;
  const message =
    files > MAX_FILES
      ? `${files} files were dropped; at most ${MAX_FILES} are taken at once`
      : `the drop has ${bytes} bytes; at most ${MAX_BYTES} are taken at once`;
  return diagnostic('UC1209', '', '', message, 'give the file or the folder to `untold view`');
}
