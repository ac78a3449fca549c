// Imports USD sources: composes a crate layer, text layer or package with the layers that it brings in, and builds a
// Scene.

import type { SourceKind } from '../../scene/types.ts';
import type { Content } from '../content.ts';
import type { ImportContext, Importer } from '../importer.ts';
import { Assets } from './assets.ts';
import { openStage } from './compose/stage/openStage.ts';
import type { Stage } from './compose/stage/stage.ts';
import { buildScene } from './geom/scene.ts';
import { LodVariants } from './lodVariants.ts';
import { Notes } from './notes.ts';
import { isZip } from './readLayer.ts';
import { MaterialTable } from './shade/materials.ts';
import { type StagePrimRow, stageRows } from './stageDocument.ts';

interface Opened {
  readonly stage: Stage;
  readonly assets: Assets;
  readonly kind: SourceKind;
  readonly notes: Notes;
}

function open(path: string, content: Content, { files, diagnostics, options }: ImportContext): Opened {
  const assets = new Assets(files, diagnostics);
  const layer = assets.openRoot(path, content);
  const kind = isZip(content) ? 'usdz' : layer.format === 'usdc' ? 'usdc' : 'usda';
  const stage = openStage(layer, assets, { ...options, limits: files.limits }, diagnostics);
  return { stage, assets, kind, notes: new Notes(layer.identifier, diagnostics) };
}

/**
 * Imports a USD source. Throws SourceError if the root layer cannot be read. Throws SourceError with all diagnostics if
 * one of them is an error: arcs with missing targets (UC1710 to UC1716), chosen variants that do not exist (UC1720),
 * broken geometry (UC1800 to UC1803). With `options.tolerant` it does not throw for these; the errors are in
 * `context.diagnostics`, and the Scene has all that could be read.
 */
export const importUsd: Importer = async (path, content, context) => {
  const { diagnostics, options } = context;
  const { stage, assets, kind, notes } = open(path, content, context);
  const materials = new MaterialTable(
    stage,
    assets.resolve.bind(assets),
    notes,
    options.bindingPurpose,
    options.keepsMaterials,
  );
  const variants = new LodVariants(options.variants);
  const onPrim = options.lodGroups ? variants.see.bind(variants) : undefined;
  const scene = buildScene(stage, path, kind, materials, notes, options, onPrim);
  // A level may lack prims that are chosen by path, and draw nothing; and it stands still, whatever moves full detail.
  const ofLevels = new Notes(notes.file, diagnostics, ['UC1726', 'UC1822', 'UC1824', 'UC1837']);
  const whole = variants.addTo(scene, ofLevels, (chosen, select) => {
    const level = stage.beside(chosen);
    const drawnWith = new MaterialTable(
      level,
      assets.resolve.bind(assets),
      ofLevels,
      options.bindingPurpose,
      options.keepsMaterials,
    );
    return buildScene(level, path, kind, drawnWith, ofLevels, { ...options, select, keepsRigs: false });
  });
  stage.finish();
  if (options.tolerant !== true) diagnostics.throwIfErrors();
  return whole;
};

/** A composed stage, for inspection. */
export interface StageDescription {
  readonly kind: SourceKind;
  /** The rows are composed while they are read. After the last one, `context.diagnostics` is complete. */
  readonly rows: Iterable<StagePrimRow>;
}

/**
 * Opens a USD source for inspection. Throws SourceError if the root layer cannot be read; other errors are collected.
 * `wanted`: so many components of an array are enough.
 */
export function describeUsd(path: string, content: Content, context: ImportContext, wanted?: number): StageDescription {
  const { stage, kind, notes } = open(path, content, context);
  function* rows() {
    yield* stageRows(stage, context.options, notes, wanted);
    stage.finish();
  }
  return { kind, rows: rows() };
}
