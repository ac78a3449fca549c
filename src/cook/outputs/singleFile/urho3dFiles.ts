// What an earlier cook has left of a model of Urho3D: the model and its list if that is ours, and its clips. Materials and
// textures need no entry: their names carry a hash of their content.

import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '../../../bytes/sha256.ts';
import { readAnimation } from '../../../formats/urho3d/animation/read.ts';
import {
  CLIP_EXTENSION,
  isClipOf,
  isOwnList,
  listPath,
  MODEL_EXTENSION,
} from '../../../formats/urho3d/target/names.ts';
import { readMaterialList } from '../../../formats/urho3d/xml/materialList.ts';
import { readWhole, statusOf } from '../../../importers/wholeFile.ts';
import { MAX_CLIP_BYTES } from './clipNames.ts';

const MAX_LIST_BYTES = 2 ** 24;

/** The bytes of a regular file of at most `max` bytes; null for all else. */
function small(path: string, max: number): Uint8Array | null {
  try {
    const { stat } = statusOf(path);
    return stat?.isFile() && stat.size <= max ? readWhole(path) : null;
  } catch {
    return null;
  }
}

/** Whether `read` takes the bytes of a file, whatever is wrong with others. */
function takes(path: string, max: number, read: (bytes: Uint8Array) => boolean): boolean {
  const bytes = small(path, max);
  try {
    return bytes !== null && read(bytes);
  } catch {
    return false;
  }
}

/** Whether a model is one that a cook wrote: its list names materials for their content. */
export function isOwnModel(path: string): boolean {
  const list = listPath(path.slice(0, -MODEL_EXTENSION.length));
  return (
    path.endsWith(MODEL_EXTENSION) && takes(list, MAX_LIST_BYTES, (bytes) => isOwnList(readMaterialList(bytes, list)))
  );
}

/** The list and the clips of a model of ours, by path relative to its folder, with their SHA-256. */
export function filesOfModel(path: string): ReadonlyMap<string, string | null> {
  if (!isOwnModel(path)) return new Map();
  const folder = dirname(path);
  const model = basename(path, MODEL_EXTENSION);
  const clips = readdirSync(folder)
    .filter((name) => name.startsWith(`${model}_`) && name.endsWith(CLIP_EXTENSION))
    .filter((name) => takes(join(folder, name), MAX_CLIP_BYTES, (bytes) => isClipOf(readAnimation(bytes, name), model)))
    .sort();
  return new Map([listPath(model), ...clips].map((name) => [name, sha256Hex(readWhole(join(folder, name)))] as const));
}
