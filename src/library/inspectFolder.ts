// inspect() of a folder: the sources and the cooked files below it, each with what its first bytes show.

import { extname } from 'node:path';
import { showPath } from '../config/showPath.ts';
import { expandSources } from '../config/sources.ts';
import { type Diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import {
  extensionsFor,
  KIND_IDS,
  type KindId,
  type KindsOf,
  type KindsOfUrho3d,
  kind,
  searchedExtensions,
  takes,
} from '../formats/kinds.ts';
import { diskFiles, type SourceFiles } from '../importers/files.ts';
import { recogniseContent } from '../importers/index.ts';
import { isOwn } from './ownFiles.ts';

/** Kinds of which documents speak as of another: clips are .untold files. */
type DocumentKind = Exclude<Exclude<KindsOf<'inspect'>, KindsOfUrho3d>, 'clip'> | 'urho3d';

/** One file below a folder. */
export interface FolderEntry {
  /** Relative to the working folder, with `/`. */
  readonly path: string;
  /** What its content shows; 'unknown' where that is of no format that is read here, or the file cannot be read. */
  readonly kind: DocumentKind | 'unknown';
  readonly bytes: number;
}

export interface FolderDocument {
  readonly source: string;
  readonly kind: 'folder';
  readonly files: readonly FolderEntry[];
  /** Why files cannot be read. */
  readonly warnings: readonly Diagnostic[];
}

function documentKind(id: KindId | null): FolderEntry['kind'] {
  if (!takes('inspect', id)) return 'unknown';
  if (id === 'clip') return 'untold';
  return kind(id).urho3d ? 'urho3d' : (id as DocumentKind);
}

/** What documents of folders may say of a file. */
export const FOLDER_KINDS = [...new Set([...KIND_IDS.map(documentKind), 'unknown' as const])];

function entryOf(path: string, files: SourceFiles, cwd: string): FolderEntry {
  const content = files.open(path, '', '');
  return { path: showPath(path, cwd), kind: documentKind(recogniseContent(content, path)), bytes: content.size };
}

/** Lists a folder at an absolute path. Throws as expandSources does. */
export function folderDocument(folder: string, name: string, cwd: string): FolderDocument {
  const files = diskFiles(null);
  const warnings: Diagnostic[] = [];
  const found = expandSources([folder], cwd, searchedExtensions('source', 'output'), isOwn, extensionsFor('inspect'));
  const entries = found.flatMap((path): FolderEntry[] => {
    try {
      const entry = entryOf(path, files, cwd);
      // Records and parts of sets are not described.
      return entry.kind === 'unknown' && extname(path).toLowerCase() === '.json' ? [] : [entry];
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      warnings.push(...error.diagnostics);
      return [{ path: showPath(path, cwd), kind: 'unknown', bytes: 0 }];
    }
  });
  return { source: name, kind: 'folder', files: entries, warnings };
}
