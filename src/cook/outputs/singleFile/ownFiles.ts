// The files of a single file that an earlier cook has left.

import { basename, dirname } from 'node:path';
import { FORMATS, formatOfName } from '../../../formats/registry.ts';
import { isCooked } from '../sharedTextures.ts';
import { clipsOfModel } from './clipNames.ts';
import { filesOfModel, isOwnModel } from './urho3dFiles.ts';

/** Whether a single file at a path is cooked; a model of Urho3D, which others write too, has to be one of ours. */
export const isOwnFile = (path: string): boolean =>
  formatOfName(path) === 'urho3d' ? isOwnModel(path) : isCooked(path);

/** What is beside a single file and goes with it: clips, and the list of a model; by path relative to its folder. */
export function filesBeside(path: string): ReadonlyMap<string, string | null> {
  const format = formatOfName(path);
  if (format === 'urho3d') return filesOfModel(path);
  return format && FORMATS[format].isWhole ? new Map() : clipsOfModel(dirname(path), basename(path));
}
