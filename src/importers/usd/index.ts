// USD sources: a crate or text layer on disk, or a package, read, composed and turned into a Scene.

import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import type { SourceKind } from '../../scene/types.ts';
import type { ImportContext, Importer } from '../importer.ts';
import { openUsdz } from '../usdz/openUsdz.ts';
import { looseAssets, packageAssets } from './assets.ts';
import { Notes } from './compose/notes.ts';
import { openStage } from './compose/stage.ts';
import { isCrate, readCrate } from './crate/readCrate.ts';
import { buildScene } from './geom/scene.ts';
import type { Layer } from './layer.ts';
import type { ResolveAsset } from './shade/images.ts';
import { MaterialTable } from './shade/materials.ts';
import { isUsda, readUsda } from './text/readUsda.ts';

/** Local header of a zip archive's first file. */
function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

interface OpenedSource {
  readonly layer: Layer;
  readonly kind: SourceKind;
  readonly resolve: ResolveAsset;
}

function readLayer(bytes: Uint8Array, identifier: string, diagnostics: Diagnostics): Layer {
  if (isCrate(bytes)) return readCrate(bytes, identifier, diagnostics);
  if (isUsda(bytes)) return readUsda(bytes, identifier, diagnostics);
  return fail('UC1201', identifier, '', 'the content is neither USD text, USD crate nor USDZ');
}

function open(path: string, bytes: Uint8Array, context: ImportContext): OpenedSource {
  const { diagnostics, files } = context;
  if (isZip(bytes)) {
    const usdz = openUsdz(bytes, path, diagnostics);
    const { name } = usdz.root;
    const layer = readLayer(usdz.read(name), usdz.identify(name), diagnostics);
    return { layer, kind: 'usdz', resolve: packageAssets(usdz, name, diagnostics) };
  }
  const layer = readLayer(bytes, path, diagnostics);
  return { layer, kind: layer.format, resolve: looseAssets(files, diagnostics) };
}

/**
 * Imports a USD source. Throws SourceError with everything that was found when any of it is an error: what the readers
 * refuse, UC1700 for composition arcs, and broken geometry (UC1800 to UC1803).
 */
export const importUsd: Importer = async (path, bytes, context) => {
  const { layer, kind, resolve } = open(path, bytes, context);
  const stage = openStage(layer, context.diagnostics);
  const notes = new Notes(layer.identifier, context.diagnostics);
  const scene = buildScene(stage, path, kind, new MaterialTable(stage, resolve, notes), notes);
  context.diagnostics.throwIfErrors();
  return scene;
};
