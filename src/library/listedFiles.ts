// The files that belong to the main file of an output by its own word.

import { basename, dirname, extname, join } from 'node:path';
import { modelsListed } from '../cook/outputs/pack/packFiles.ts';
import { filesBeside } from '../cook/outputs/singleFile/ownFiles.ts';
import { filesOfManifest, sharedTexturesOf } from '../formats/manifest/write.ts';
import { isPackPath } from '../formats/untoldpack/document.ts';
import { readWholeText } from '../importers/wholeFile.ts';

/** What a main file lists or has beside it: payloads, textures of sets, maps of plans, clips, models of packs. Absolute. */
export function listedBy(main: string): string[] {
  const folder = dirname(main);
  const below = (paths: Iterable<string>) => [...paths].map((path) => join(folder, path));
  try {
    if (isPackPath(main)) return below(modelsListed(folder, basename(main)));
    if (extname(main).toLowerCase() !== '.json') return below(filesBeside(main).keys());
    const text = readWholeText(main);
    return below([...(filesOfManifest(text, basename(main, '.json'))?.keys() ?? []), ...sharedTexturesOf(text).keys()]);
  } catch {
    // Its check has reported it.
    return [];
  }
}
