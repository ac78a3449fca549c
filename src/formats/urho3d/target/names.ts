// Where the files of an output lie, and how those of a model are known again: a .mdl has no room for a sign of its writer, so
// a model is ours if its list names materials for their content.

import { extensionOf } from '../../kinds.ts';
import type { Animation } from '../animation/layout.ts';

export const MODEL_EXTENSION = extensionOf('mdl');
export const CLIP_EXTENSION = extensionOf('ani');
/** Between the name of a model and that of its clip, in the file. */
const OF = '|';

/** Beside a model; `name`: its path without extension. */
export const listPath = (name: string): string => `${name}.txt`;
export const clipPath = (name: string, clip: string): string => `${name}_${clip}${CLIP_EXTENSION}`;
export const scenePath = (scene: string): string => `Scenes/${scene}.xml`;

/** What a clip is called in its file, and what it was called before. */
export const clipName = (model: string, clip: string): string => `${model}${OF}${clip}`;
export const ownClipName = (name: string, model: string): string =>
  name.startsWith(model + OF) ? name.slice(model.length + OF.length) : name;
export const isClipOf = ({ name }: Pick<Animation, 'name'>, model: string): boolean => name.startsWith(model + OF);

const OWN_MATERIAL = /^Materials\/[A-Za-z0-9_-]+_[0-9a-f]{8,64}\.xml$/;

/** Whether a list is one that this program wrote beside a model. */
export function isOwnList(names: readonly (string | null)[]): boolean {
  return names.length > 0 && names.every((name) => name !== null && OWN_MATERIAL.test(name));
}

/** Whether a path is one of a set's, relative to its base: nothing else is ever removed for a set. */
export function isPathOfSet(path: string, scene: string): boolean {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return path === scenePath(scene) || ['Models', 'Materials', 'Textures'].some((top) => folder === `${top}/${scene}/`);
}

/** Whether a path is one of a single model's, relative to its folder. */
export function isPathOfModel(path: string, model: string): boolean {
  const isClip = path.startsWith(`${model}_`) && path.endsWith(CLIP_EXTENSION) && !path.includes('/');
  return path === listPath(model) || isClip || /^(Materials|Textures)\/[^/]+$/.test(path);
}
