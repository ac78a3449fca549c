// USD sources: a crate or text layer on disk, or a package, composed with the layers that it names and turned into a
// Scene.

import type { Importer } from '../importer.ts';
import { Assets } from './assets.ts';
import { Notes } from './compose/notes.ts';
import { openStage } from './compose/stage.ts';
import { buildScene } from './geom/scene.ts';
import { isZip } from './readLayer.ts';
import { MaterialTable } from './shade/materials.ts';

/**
 * Imports a USD source. Throws SourceError when the root layer cannot be read, or with everything that was found when
 * any of it is an error: arcs that lead nowhere (UC1710 to UC1716), chosen variants that do not exist (UC1720), broken
 * geometry (UC1800 to UC1803). With `options.tolerant` such errors are left to the caller in `context.diagnostics`, and
 * the Scene holds what could be read.
 */
export const importUsd: Importer = async (path, bytes, context) => {
  const { files, diagnostics, options } = context;
  const assets = new Assets(files, diagnostics);
  const layer = assets.openRoot(path, bytes);
  const kind = isZip(bytes) ? 'usdz' : layer.format === 'usdc' ? 'usdc' : 'usda';
  const stage = openStage(layer, assets, options, diagnostics);
  const notes = new Notes(layer.identifier, diagnostics);
  const resolve = assets.resolve.bind(assets);
  const scene = buildScene(stage, path, kind, new MaterialTable(stage, resolve, notes), notes);
  stage.finish();
  if (options.tolerant !== true) diagnostics.throwIfErrors();
  return scene;
};
