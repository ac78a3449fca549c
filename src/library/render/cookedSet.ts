// A cooked set as the engine would load it: its tiles with their levels, from the manifest, or one .untold file as the only
// tile of a set.

import { dirname } from 'node:path';
import { expandSources } from '../../config/sources.ts';
import { type Diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import type { TileManifest } from '../../formats/manifest/schema.ts';
import { type CookedTile, singleTile, tilesOf } from '../../formats/manifest/tiles.ts';
import { validateManifest } from '../../formats/manifest/validate.ts';
import { FORMATS, formatOfContent } from '../../formats/registry.ts';
import { codeOf, isFolder, readWhole, readWholeText, refusal } from '../../importers/wholeFile.ts';
import type { Bounds } from '../../scene/types.ts';
import { diskProbe, isManifestText } from '../manifestFiles.ts';

export type { CookedLevel, CookedTile } from '../../formats/manifest/tiles.ts';

export interface CookedSet {
  /** For messages. */
  readonly file: string;
  /** Absolute. */
  readonly folder: string;
  readonly tiles: readonly CookedTile[];
  /** The bounds of all tiles; null for a single file, whose geometry must be read to find them. */
  readonly bounds: Bounds | null;
  readonly warnings: readonly Diagnostic[];
}

function setOf(manifest: TileManifest, file: string, folder: string, warnings: readonly Diagnostic[]): CookedSet {
  return { file, folder, ...tilesOf(manifest), warnings };
}

function readText(path: string): string {
  try {
    return readWholeText(path);
  } catch (error) {
    return fail('UC1200', path, '', `${path} ${refusal(codeOf(error))}`);
  }
}

function readBytes(path: string): Uint8Array {
  try {
    return readWhole(path);
  } catch (error) {
    return fail('UC1200', path, '', `${path} ${refusal(codeOf(error))}`);
  }
}

/** The only manifest below a folder. */
export function manifestBelow(folder: string, name: string, cwd: string): string {
  const found = expandSources([folder], cwd, ['.json'], (path) => isManifestText(readText(path)) === true);
  if (found.length !== 1) fail('UC5000', name, '', `the folder holds ${found.length} manifests`);
  return found[0];
}

function fileAsSet(path: string, file: string, extension: string): CookedSet {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const id = name.endsWith(extension) ? name.slice(0, -extension.length) : name;
  const tile = singleTile(id, path.slice(dirname(path).length).replace(/^[\\/]/, ''));
  return { file, folder: dirname(path), tiles: [tile], bounds: null, warnings: [] };
}

/**
 * The set at an absolute path: a manifest, a folder that holds one, or a cooked file. Throws UC1200, UC5000, and the
 * errors of a manifest that the engine refuses or whose files are not there.
 */
export async function openCookedSet(given: string, name: string, cwd: string): Promise<CookedSet> {
  const path = isFolder(given) ? manifestBelow(given, name, cwd) : given;
  const file = path === given ? name : path;
  const bytes = readBytes(path);
  const format = formatOfContent(bytes);
  if (format !== null && !FORMATS[format].hasTiles) fail('UC5000', file, '', 'files of this format are not drawn');
  if (format !== null) return fileAsSet(path, file, FORMATS[format].extension);
  const text = new TextDecoder().decode(bytes);
  if (isManifestText(text) !== true) fail('UC5000', file, '', 'it is neither a manifest nor a cooked file');
  const { manifest, diagnostics } = await validateManifest(text, file, diskProbe(dirname(path)));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (manifest === null || errors.length > 0) throw new SourceError(errors);
  // A missing texture is reported when it is to be drawn.
  const warnings = diagnostics.filter(({ code }) => code !== 'UC3108');
  return setOf(manifest, file, dirname(path), warnings);
}
