// The files that a USD layer brings in, from its specs alone: sublayers, references and payloads, in every variant, whether
// it is selected or not. Nothing is composed and no array is decoded.

import { Diagnostics, SourceError } from '../../diagnostics/diagnostic.ts';
import { type Content, headOf } from '../content.ts';
import type { SourceFiles } from '../files.ts';
import { splitPackagePath } from '../usdz/packagePaths.ts';
import { arcPaths } from './assetPaths.ts';
import { Assets } from './assets.ts';
import type { Layer } from './layer.ts';
import { isZip } from './readLayer.ts';
import { isUsda } from './text/readUsda.ts';

/** Text without an asset path: they stand between at signs. */
function isTextWithoutPaths(content: Content): boolean {
  return isUsda(headOf(content, 256)) && content.whole !== null && !content.whole.includes(0x40);
}

/**
 * Absolute paths of the files that a layer brings in itself, sorted; they need not exist. A package brings in nothing from
 * outside. What cannot be read or resolved is left out: cooking the source reports it.
 */
export function layerDependencies(path: string, files: SourceFiles): string[] {
  const found = new Set<string>();
  try {
    const content = files.open(path, '', '');
    if (isZip(content) || isTextWithoutPaths(content)) return [];
    const assets = new Assets(files, new Diagnostics());
    const layer: Layer = assets.openRoot(path, content);
    for (const spec of layer.specs.values()) {
      for (const assetPath of arcPaths(spec)) {
        try {
          found.add(splitPackagePath(assets.locate(layer, assetPath, spec.path).identifier)[0]);
        } catch (error) {
          if (!(error instanceof SourceError)) throw error;
        }
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  return [...found].sort();
}
