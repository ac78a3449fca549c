// The place of a set on the disk, and what an earlier cook has left there.

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mainFile } from '../config/targets.ts';
import type { CookTarget } from '../config/types.ts';
import { filesOfManifest } from '../formats/manifest/write.ts';
import { FORMATS, formatOfName } from '../formats/registry.ts';
import { readWholeText } from '../importers/wholeFile.ts';
import { earlierShard } from './shard/earlierShard.ts';
import { isCooked } from './sharedFolder.ts';
import { filesOfModel, isOwnModel } from './urho3dFiles.ts';
import { clipsOfModel } from './write/clipNames.ts';

/** Base folder and main file of a set. */
export function setFiles(target: CookTarget): { base: string; main: string } {
  const path = mainFile(target);
  return { base: dirname(path), main: basename(path) };
}

/** The files that an earlier cook may have left there, with their SHA-256. */
export function earlierFiles(target: CookTarget): ReadonlyMap<string, string | null> {
  const { base, main } = setFiles(target);
  const path = join(base, main);
  if (target.kind === 'folder' && target.shard) return earlierShard({ ...target, shard: target.shard });
  if (target.kind === 'folder') {
    const listed = existsSync(path) ? filesOfManifest(readText(path), target.sceneName) : null;
    return new Map(listed ? [[main, null], ...listed] : []);
  }
  // A single file has no manifest that lists an earlier set. If a cooked file has this name, the user asked to replace it.
  // Textures need no entry: their names carry a hash of their content, so equal names mean equal content.
  if (formatOfName(path) === 'urho3d') {
    return new Map([...(isOwnModel(path) ? [[main, null] as const] : []), ...filesOfModel(path)]);
  }
  const own: [string, string | null][] = isCooked(path) ? [[main, null]] : [];
  const format = formatOfName(path);
  const clips = format && FORMATS[format].isWhole ? [] : clipsOfModel(base, main);
  return new Map([...own, ...clips]);
}

/** '' where the file cannot be read. */
export function readText(path: string): string {
  try {
    return readWholeText(path);
  } catch {
    return '';
  }
}
