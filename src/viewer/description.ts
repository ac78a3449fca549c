// What the server of `untold view` tells the page of what it shows: `view.json`.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/** A clip that moves joints of the file that is shown. */
export interface ViewedClip {
  /** Its file, relative to the folder. */
  readonly path: string;
  /** Among the clips of its file. */
  readonly index: number;
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
}

export interface ViewDescription {
  /** As messages call it. */
  readonly name: string;
  /** Paths are relative to the folder that the server serves, with `/`. Null: one file is shown. */
  readonly manifest: string | null;
  /** The file that is shown; null: a manifest is. */
  readonly file: string | null;
  /** The plan map of the set; null where there is none. */
  readonly planMap: string | null;
  /** Beside the file that is shown; sets have none. */
  readonly clips: readonly ViewedClip[];
  /** The size of each payload's file in bytes; the shown file has one, too. */
  readonly bytes: Readonly<Record<string, number>>;
  /** What the validator says of the set. */
  readonly diagnostics: readonly Diagnostic[];
  /** A web server hands out files that were exported: nobody follows what it does. Absent: it is that of `untold view`. */
  readonly isExported?: boolean;
  /** What the Radiance picture is called that lights it, and that the server has as ENVIRONMENT_FILE; absent: there is none. */
  readonly environment?: string;
  /** Another output to compare with; absent: there is none. */
  readonly against?: ViewDescription;
}

/** Beside the page. */
export const ENVIRONMENT_FILE = 'environment.hdr';

/** Begins paths of the other output in the page. No file of a set has such a name: the server refuses colons. */
export const AGAINST = 'against:/';
