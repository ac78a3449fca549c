// Models of Urho3D as sources: the first level of a .mdl file, its bones, and the materials that the list beside it names.

import { identity } from '../../scene/matrix.ts';
import type { Importer } from '../importer.ts';
import { clipsOf } from './clips.ts';
import { Materials } from './modelMaterials.ts';
import { Models } from './models.ts';
import { Resources } from './resources.ts';

/** Throws SourceError with the errors of the model and of what it names; reports UC2450 to UC2459. */
export const importUrho3dModel: Importer = async (path, content, { files, diagnostics, options }) => {
  const materials = new Materials(path, new Resources(path, files), diagnostics);
  const models = new Models({ diagnostics, options }, materials);
  const loaded = models.load(path, () => content);
  const world = identity();
  const { mesh } = models.moved(loaded, { place: '', stated: null }, world);
  materials.report();
  const { name, isMoved } = loaded;
  const asked = { source: path, model: name, rigs: models.rigs, isMoved, played: new Map() };
  const clips = clipsOf(asked, files, diagnostics);
  return {
    source: path,
    kind: 'mdl',
    upAxis: 'Y',
    metersPerUnit: 1,
    nodes: [{ name, path: 'model', parent: -1, local: world, world, mesh }],
    materials: materials.list,
    images: materials.images.list,
    ...models.parts(),
    ...(clips.length > 0 ? { clips } : {}),
  };
};
