// Cooked files as sources: a .untold file with the clips beside it, or a manifest with the full detail of all its tiles and the
// shared bucket. What the cook has baked stays as it is: nodes, materials and textures are those of the files.

import { dirname, join } from 'node:path';
import { fail } from '../../diagnostics/diagnostic.ts';
import { openUntold } from '../../formats/untold/read.ts';
import type { Scene } from '../../scene/types.ts';
import { wholeOf } from '../content.ts';
import type { Importer } from '../importer.ts';
import { clipsOf } from './clips.ts';
import { readSet } from './manifest.ts';

export { isManifest } from './manifest.ts';

import { SceneParts } from './parts.ts';

/** A .untold file. Throws SourceError with the errors of its check; UC2402 for a clip; reports UC2400 and UC2401. */
export const importUntold: Importer = async (path, content, { files, diagnostics, options }) => {
  const { scene, rootTransform } = await openUntold(wholeOf(content, path), path);
  if (scene.fileType === 'animation')
    fail('UC2402', path, '', 'it holds a clip and no model', 'name the model that the clip moves');
  const { keepsRigs = false } = options;
  const parts = new SceneParts(path, files, keepsRigs);
  parts.add(scene, rootTransform, path);
  parts.addLights(scene.lights ?? [], scene.cameras ?? []);
  if (keepsRigs) parts.clips.push(...(await clipsOf(path, parts.skeletons, files)));
  parts.report(diagnostics);
  return parts.scene();
};

/** A manifest, as text. Throws SourceError with its errors and those of its files. */
export async function importManifest(
  path: string,
  text: string,
  { files, diagnostics }: Pick<Parameters<Importer>[2], 'files' | 'diagnostics'>,
): Promise<Scene> {
  const { tiles, lights, cameras } = await readSet(path, text, files);
  const parts = new SceneParts(path, files, false);
  for (const { id, path: relative } of tiles) {
    const file = join(dirname(path), relative);
    const { scene, rootTransform } = await openUntold(files.read(file, path, `tiles/${id}`), file);
    parts.add(scene, rootTransform, file, id);
  }
  parts.addLights(lights, cameras);
  parts.report(diagnostics);
  return parts.scene();
}
