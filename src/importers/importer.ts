// What every importer takes and gives. An importer turns the bytes of one source into a Scene; what it leaves out or
// changes it reports, and what it cannot read it throws as a SourceError.

import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Scene } from '../scene/types.ts';
import type { SourceFiles } from './files.ts';

export interface ImportOptions {
  /** glTF: name or index of the scene to cook; undefined: the file's default, else the first. */
  readonly scene?: string | undefined;
}

export interface ImportContext {
  readonly files: SourceFiles;
  readonly diagnostics: Diagnostics;
  readonly options: ImportOptions;
}

/** `path` is the source as the user named it (for messages), `bytes` its content. */
export type Importer = (path: string, bytes: Uint8Array, context: ImportContext) => Promise<Scene>;
