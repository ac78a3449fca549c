// The clips beside a model: files of `Animations/<clip>/` that move joints of its skeletons. Names of joints are all that ties
// a clip to a model, so each is read.

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_CLIP_BYTES, modelName, nameInFile } from '../../cook/outputs/singleFile/clipNames.ts';
import { CLIP_EXTENSION, CLIP_FOLDER } from '../../engine/names.ts';
import { readUntold } from '../../formats/untold/read.ts';
import type { UntoldScene } from '../../formats/untold/types.ts';
import { readWhole } from '../../importers/wholeFile.ts';
import type { ViewedClip } from '../../viewer/description.ts';

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** What can be read of a file; null: it is no sound one, which `untold validate` explains. */
async function sceneOf(path: string): Promise<UntoldScene | null> {
  try {
    const stat = lstatSync(path);
    if (!stat.isFile() || stat.size > MAX_CLIP_BYTES) return null;
    return await readUntold(readWhole(path), path);
  } catch {
    return null;
  }
}

/** In the order of their paths. A clip that a cook has written for this model loses the name of the model in its own. */
export async function clipsBeside(folder: string, file: string): Promise<ViewedClip[]> {
  const paths = namesIn(join(folder, CLIP_FOLDER)).flatMap((name) =>
    namesIn(join(folder, CLIP_FOLDER, name))
      .filter((one) => one.endsWith(CLIP_EXTENSION))
      .map((one) => `${CLIP_FOLDER}/${name}/${one}`),
  );
  if (paths.length === 0) return [];
  const model = await sceneOf(join(folder, file));
  const joints = new Set(model?.skeletons?.flatMap((skeleton) => skeleton.joints.map(({ path }) => path)));
  if (joints.size === 0) return [];
  const own = nameInFile(modelName(file), '');
  const found: ViewedClip[] = [];
  for (const path of paths) {
    const scene = await sceneOf(join(folder, path));
    if (scene?.fileType !== 'animation') continue;
    scene.clips?.forEach(({ name, duration, channels }, index) => {
      if (!channels.some((channel) => joints.has(channel.path))) return;
      found.push({ path, index, name: name.startsWith(own) ? name.slice(own.length) : name, duration });
    });
  }
  return found;
}
