// The place of a set on the disk, and what an earlier cook has left there.

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isPack, mainFile } from '../../config/targets.ts';
import type { CookTarget } from '../../config/types.ts';
import { filesOfManifest } from '../../formats/manifest/write.ts';
import { FORMATS, formatOfName } from '../../formats/registry.ts';
import { readWholeText } from '../../importers/wholeFile.ts';
import { modelsOfPack, packAt } from './pack/packFiles.ts';
import { earlierShard } from './shard/earlierShard.ts';
import { isCooked } from './sharedFolder.ts';
import { clipsOfModel } from './singleFile/clipNames.ts';
import { filesOfModel, isOwnModel } from './singleFile/urho3dFiles.ts';

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
  if (isPack(target)) return packAt(path) ? new Map([[main, null], ...modelsOfPack(base, main)]) : new Map();
  // A single file has no manifest that lists an earlier set. If a cooked file has this name, the user asked to replace it.
  // Textures need no entry: their names carry a hash of their content, so equal names mean equal content.
  return new Map([...(isOwnFile(path) ? [[main, null] as const] : []), ...filesBeside(path)]);
}

/** Whether a single file at a path is cooked; a model of Urho3D, which others write too, has to be one of ours. */
export const isOwnFile = (path: string): boolean =>
  formatOfName(path) === 'urho3d' ? isOwnModel(path) : isCooked(path);

/** What is beside a single file and goes with it: clips, and the list of a model; by path relative to its folder. */
export function filesBeside(path: string): ReadonlyMap<string, string | null> {
  const format = formatOfName(path);
  if (format === 'urho3d') return filesOfModel(path);
  return format && FORMATS[format].isWhole ? new Map() : clipsOfModel(dirname(path), basename(path));
}

/** '' where the file cannot be read. */
export function readText(path: string): string {
  try {
    return readWholeText(path);
  } catch {
    return '';
  }
}
