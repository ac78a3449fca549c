// Opens a USD source and gives it as one layer with the files that it names, for a package that holds one crate.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { CrateSpec } from '../../formats/usdc/write.ts';
import type { Content } from '../content.ts';
import type { ImportContext } from '../importer.ts';
import { Assets } from './assets.ts';
import { openStage } from './compose/stage/openStage.ts';
import { MaterialBaker } from './flat/baked.ts';
import { type FlatFile, FlatFiles } from './flat/files.ts';
import { flatSpecs } from './flat/flatStage.ts';
import { Notes } from './notes.ts';

export type { FlatFile } from './flat/files.ts';

export interface FlatSource<T> {
  /** What `write` has made of the specs. */
  readonly layer: T;
  /** The files that the layer names, in the order in which it does. */
  readonly files: readonly FlatFile[];
}

/**
 * A source as one flat layer. `write` takes the specs one after the other. Throws SourceError with all that is wrong: what cannot be
 * composed, files that are missing or forbidden.
 */
export function flattenUsd<T>(
  path: string,
  content: Content,
  { files, diagnostics, options }: ImportContext,
  write: (specs: Iterable<CrateSpec>) => T,
): FlatSource<T> {
  const assets = new Assets(files, diagnostics);
  const root = assets.openRoot(path, content);
  const stage = openStage(root, assets, { ...options, limits: files.limits }, diagnostics);
  const notes = new Notes(root.identifier, diagnostics);
  const resolve = assets.resolve.bind(assets);
  const packed = new FlatFiles(resolve, notes);
  const baker = new MaterialBaker(stage, resolve, packed, notes);
  const layer = write(flatSpecs(stage, packed, baker, notes));
  notes.flush();
  stage.finish();
  if (packed.faults.length > 0)
    throw new SourceError([...diagnostics.list.filter(({ severity }) => severity === 'error'), ...packed.faults]);
  diagnostics.throwIfErrors();
  return { layer, files: packed.files };
}
