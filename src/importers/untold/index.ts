// Cooked files as sources: a .untold file with the clips beside it, a pack with its models, or a manifest with the full detail of
// all its tiles and the shared bucket. What the cook has baked stays as it is: nodes, materials and textures are those of the files.

import { dirname, join } from 'node:path';
import { fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { openUntold } from '../../formats/untold/read.ts';
import type { UntoldScene } from '../../formats/untold/types.ts';
import { carriedKeys, matrixOf } from '../../formats/untoldpack/document.ts';
import { validatePack } from '../../formats/untoldpack/validate.ts';
import { type Content, wholeOf } from '../content.ts';
import type { Importer } from '../importer.ts';
import { clipsOf } from './clips.ts';
import { readSet } from './manifest.ts';
import { type AddedModel, SceneParts } from './parts.ts';

function refuseClip({ fileType }: UntoldScene, file: string): void {
  if (fileType !== 'animation') return;
  fail('UC2402', file, '', 'it holds a clip and no model', 'name the model that the clip moves');
}

/** A .untold file. Throws SourceError with the errors of its check; UC2402 for a clip; reports UC2400. */
export const importUntold: Importer = async (path, content, { files, diagnostics, options }) => {
  const { scene, rootTransform } = await openUntold(wholeOf(content, path), path);
  refuseClip(scene, path);
  const { keepsRigs = false } = options;
  const parts = new SceneParts(path, files, keepsRigs);
  parts.add(scene, rootTransform, path);
  parts.addLights(scene.lights ?? [], scene.cameras ?? []);
  if (keepsRigs) parts.clips.push(...(await clipsOf(path, parts.skeletons, files)));
  parts.report(diagnostics);
  return { ...parts.scene(), ...(scene.carried ? { carried: { file: scene.carried } } : {}) };
};

const textOf = (content: Content, path: string): string => new TextDecoder().decode(wholeOf(content, path));

/** A manifest. Throws SourceError with its errors and those of its files. */
export const importManifest: Importer = async (path, content, { files, diagnostics }) => {
  const { tiles, lights, cameras } = await readSet(path, textOf(content, path), files);
  const parts = new SceneParts(path, files, false);
  for (const { id, path: relative } of tiles) {
    const file = join(dirname(path), relative);
    const { scene, rootTransform } = await openUntold(files.read(file, path, `tiles/${id}`), file);
    parts.add(scene, rootTransform, file, id);
  }
  parts.addLights(lights, cameras);
  parts.report(diagnostics);
  return parts.scene();
};

/**
 * A pack: a root for each place of a model, by its transform. Throws SourceError with its errors and those of its
 * models; UC2402 for a clip, UC1209 for more nodes than the limit of prims. Skeletons are left at rest.
 */
export const importPack: Importer = async (path, content, { files, diagnostics }) => {
  const folder = dirname(path);
  const { pack, diagnostics: found } = validatePack(textOf(content, path), path, {
    size: (relative) =>
      files.exists(join(folder, relative)) ? files.open(join(folder, relative), path, '').size : null,
  });
  const errors = found.filter(({ severity }) => severity === 'error');
  if (pack === null || errors.length > 0) throw new SourceError(errors);
  const parts = new SceneParts(path, files, false);
  const models = new Map<string, { readonly model: AddedModel; readonly entities: number }>();
  let nodes = 0;
  for (const [i, { displayName, path: relative, transform }] of pack.models.entries()) {
    let known = models.get(relative);
    if (known === undefined) {
      const file = join(folder, relative);
      const { scene, rootTransform } = await openUntold(files.read(file, path, `models/${i}`), file);
      refuseClip(scene, file);
      known = { model: parts.addModel(scene, rootTransform, file, relative), entities: scene.entities.length };
      models.set(relative, known);
    }
    // A small pack may place a large model any number of times.
    nodes += 1 + known.entities;
    files.limits.need('prims', nodes, 'UC1209', path, `models/${i}`, `up to here the pack places ${nodes} nodes`);
    known.model.place(displayName, `models/${i}`, matrixOf(transform));
  }
  parts.report(diagnostics);
  const carried = carriedKeys(pack, (i) => `models/${i}`);
  return { ...parts.scene(), ...(carried ? { carried: { pack: carried } } : {}) };
};
