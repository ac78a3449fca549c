// Where asset paths lead: from a loose layer to files beside it, from a layer in a package to files of that package, and
// from either into nested packages. A package never leaves itself.

import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import { resolveReference, type SourceFiles } from '../files.ts';
import { openUsdz, type UsdzPackage } from '../usdz/openUsdz.ts';
import { joinPackagePath, splitPackagePath } from '../usdz/packagePaths.ts';
import type { ResolveAsset } from './shade/images.ts';

/** Reads `parts` (from outside to inside) of a package, opening the packages on the way. */
function readParts(from: UsdzPackage, parts: readonly string[], diagnostics: Diagnostics): Uint8Array {
  let at = from;
  for (const part of parts.slice(0, -1)) at = openUsdz(at.read(part), at.identify(part), diagnostics);
  return at.read(parts[parts.length - 1]);
}

/** Assets of a loose layer lie relative to the layer that names them, inside the asset root. */
export function looseAssets(files: SourceFiles, diagnostics: Diagnostics): ResolveAsset {
  return (layer, assetPath, element) => {
    const [outer, ...inner] = splitPackagePath(assetPath);
    const file = resolveReference(layer.identifier, outer, element);
    return {
      file: joinPackagePath([file, ...inner]),
      read: () => {
        const bytes = files.read(file, layer.identifier, element);
        return inner.length === 0 ? bytes : readParts(openUsdz(bytes, file, diagnostics), inner, diagnostics);
      },
    };
  };
}

/** Assets of layers in a package lie in the package. `layerName` is the layer's name in there. */
export function packageAssets(usdz: UsdzPackage, layerName: string, diagnostics: Diagnostics): ResolveAsset {
  return (layer, assetPath, element) => {
    const name = usdz.resolve(assetPath, layerName, element);
    if (name === null) {
      return fail('UC1608', layer.identifier, element, `the package has no file '${assetPath}'`);
    }
    return { file: usdz.identify(name), read: () => readParts(usdz, splitPackagePath(name), diagnostics) };
  };
}
