// inspect() of a folder: the sources and the cooked files below it, each with what its first bytes show.

import { extname } from 'node:path';
import { showPath } from '../config/showPath.ts';
import { expandSources, SOURCE_EXTENSIONS } from '../config/sources.ts';
import { type Diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import { CLIP_EXTENSION } from '../engine/names.ts';
import { BPX_EXTENSION, isBpx } from '../formats/bpx/container/layout.ts';
import { GALILEO_EXTENSION, isGalileo } from '../formats/galileo/layout.ts';
import { COOKED_EXTENSIONS } from '../formats/registry.ts';
import { PACK_EXTENSION } from '../formats/untoldpack/document.ts';
import { isUtex, UTEX_EXTENSION } from '../formats/utex/layout.ts';
import { headOf, wholeOf } from '../importers/content.ts';
import { diskFiles, type SourceFiles } from '../importers/files.ts';
import { recogniseContent } from '../importers/index.ts';
import type { SourceKind } from '../scene/types.ts';
import { isManifestText } from './manifestFiles.ts';
import { isUrho3dCandidate, URHO3D_EXTENSIONS, urho3dKind } from './urho3dFiles.ts';

/** One file below a folder. */
export interface FolderEntry {
  /** Relative to the working folder, with `/`. */
  readonly path: string;
  /** What its content shows; 'unknown' where that is of no format that is read here, or the file cannot be read. */
  readonly kind: SourceKind | 'manifest' | 'untold' | 'untoldpack' | 'utex' | 'bpx' | 'gali' | 'urho3d' | 'unknown';
  readonly bytes: number;
}

export interface FolderDocument {
  readonly source: string;
  readonly kind: 'folder';
  readonly files: readonly FolderEntry[];
  /** Why files cannot be read. */
  readonly warnings: readonly Diagnostic[];
}

/** More than a texture is recognised by. */
const HEAD_BYTES = 64;

function kindOf(path: string, files: SourceFiles): Pick<FolderEntry, 'kind' | 'bytes'> {
  const content = files.open(path, '', '');
  const { size: bytes } = content;
  if (isUtex(headOf(content, HEAD_BYTES))) return { kind: 'utex', bytes };
  const head = headOf(content, HEAD_BYTES);
  if (isBpx(head)) return { kind: 'bpx', bytes };
  if (isGalileo(head)) return { kind: 'gali', bytes };
  if (urho3dKind(content, path) !== null) return { kind: 'urho3d', bytes };
  const kind = recogniseContent(content);
  if (kind !== 'json') return { kind: kind ?? 'unknown', bytes };
  if (extname(path).toLowerCase() === PACK_EXTENSION) return { kind: 'untoldpack', bytes };
  if (extname(path).toLowerCase() === '.gltf') return { kind: 'gltf', bytes };
  const isManifest = isManifestText(new TextDecoder().decode(wholeOf(content, path))) === true;
  return { kind: isManifest ? 'manifest' : 'unknown', bytes };
}

/** Lists a folder at an absolute path. Throws as expandSources does. */
export function folderDocument(folder: string, name: string, cwd: string): FolderDocument {
  const cooked = [
    ...COOKED_EXTENSIONS,
    UTEX_EXTENSION,
    BPX_EXTENSION,
    GALILEO_EXTENSION,
    CLIP_EXTENSION,
    PACK_EXTENSION,
    '.json',
    ...URHO3D_EXTENSIONS,
  ];
  const files = diskFiles(null);
  const warnings: Diagnostic[] = [];
  const isOurs = (path: string) => !URHO3D_EXTENSIONS.includes(extname(path).toLowerCase()) || isUrho3dCandidate(path);
  const entries = expandSources([folder], cwd, [...SOURCE_EXTENSIONS, ...cooked], isOurs).flatMap(
    (path): FolderEntry[] => {
      try {
        const entry = { path: showPath(path, cwd), ...kindOf(path, files) };
        // Of JSON files, only manifests are ours.
        return entry.kind === 'unknown' && extname(path).toLowerCase() === '.json' ? [] : [entry];
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        warnings.push(...error.diagnostics);
        return [{ path: showPath(path, cwd), kind: 'unknown', bytes: 0 }];
      }
    },
  );
  return { source: name, kind: 'folder', files: entries, warnings };
}
