// A cooked set as the engine would load it: its tiles with their levels, from the manifest, or one file as the only tile of a
// set.

import { basename, dirname, extname } from 'node:path';
import { showPath } from '../../config/showPath.ts';
import { expandSources } from '../../config/sources.ts';
import { type Diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { KINDS, type KindId } from '../../formats/kinds.ts';
import { type CookedTile, cameraPlaces, singleTile, tilesOf } from '../../formats/manifest/tiles.ts';
import { validateManifest } from '../../formats/manifest/validate.ts';
import { diskFiles } from '../../importers/files.ts';
import { recogniseContent } from '../../importers/index.ts';
import { codeOf, isFolder, readWholeText, refusal } from '../../importers/wholeFile.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';
import { diskProbe, type WaitingTextures } from '../diskProbe.ts';

export type { CookedLevel, CookedTile } from '../../formats/manifest/tiles.ts';

export interface CookedSet {
  /** For messages. */
  readonly file: string;
  /** Absolute. */
  readonly folder: string;
  readonly tiles: readonly CookedTile[];
  /** The bounds of all tiles; null for a single file, whose geometry must be read to find them. */
  readonly bounds: Bounds | null;
  /** Where the cameras of the scene are; none of a single file. */
  readonly cameras: readonly Vec3[];
  readonly warnings: readonly Diagnostic[];
}

function readText(path: string): string {
  try {
    return readWholeText(path);
  } catch (error) {
    return fail('UC1200', path, '', `${path} ${refusal(codeOf(error))}`);
  }
}

/** The only manifest below a folder; `kinds`: what of JSON files counts as one. */
export function manifestBelow(
  folder: string,
  name: string,
  cwd: string,
  kinds: readonly KindId[] = ['manifest'],
): string {
  const files = diskFiles(null);
  const isWanted = (path: string) => {
    const kind = recogniseContent(files.open(path, '', ''), path);
    return kind !== null && kinds.includes(kind);
  };
  const found = expandSources([folder], cwd, KINDS.manifest.extensions, isWanted);
  if (found.length > 1) {
    const one = showPath(found[0], cwd);
    fail('UC5000', name, '', `the folder holds ${found.length} manifests`, `name one of them, as ${one}`);
  }
  if (found.length === 0) fail('UC5000', name, '', 'the folder holds 0 manifests');
  return found[0];
}

/** A file as the only tile of a set. `file`: its name for messages. */
export function fileAsSet(path: string, file: string): CookedSet {
  const tile = singleTile(basename(path, extname(path)), basename(path));
  return { file, folder: dirname(path), tiles: [tile], bounds: null, cameras: [], warnings: [] };
}

/** The set of a manifest. Throws UC1200, and the errors of a manifest that the engine refuses or whose files are not there. */
export async function openManifest(path: string, file: string, waiting?: WaitingTextures): Promise<CookedSet> {
  const folder = dirname(path);
  const { manifest, diagnostics } = await validateManifest(readText(path), file, diskProbe(folder, waiting));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (manifest === null || errors.length > 0) throw new SourceError(errors);
  // A missing texture is reported when it is to be drawn.
  const warnings = diagnostics.filter(({ code }) => code !== 'UC3108');
  return { file, folder, ...tilesOf(manifest), cameras: cameraPlaces(manifest), warnings };
}

/**
 * The set at an absolute path, as the engine streams it: a manifest, a folder that holds one, or a .untold file. Throws
 * UC5000 for other files, and what openManifest throws. `waiting`: textures that are not in their place yet.
 */
export async function openCookedSet(
  given: string,
  name: string,
  cwd: string,
  waiting?: WaitingTextures,
): Promise<CookedSet> {
  const path = isFolder(given) ? manifestBelow(given, name, cwd) : given;
  const file = path === given ? name : path;
  const kind = recogniseContent(diskFiles(null).open(path, '', ''), path);
  if (kind !== 'manifest' && kind !== 'untold') {
    const endings = [KINDS.manifest, KINDS.untold].flatMap(({ extensions }) => extensions);
    return fail('UC5000', file, '', `it is none of ${endings.join(', ')}`);
  }
  return kind === 'manifest' ? openManifest(path, file, waiting) : fileAsSet(path, file);
}
