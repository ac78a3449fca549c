// The texture files of a stage. Each file becomes one SceneImage, whose bytes are read when they are used.

import { SourceError } from '../../../diagnostics/diagnostic.ts';
import type { SceneImage } from '../../../scene/types.ts';
import type { Layer } from '../layer.ts';
import type { Notes } from '../notes.ts';

/** The file, or file of a package, that an asset path leads to. */
export interface ResolvedAsset {
  readonly file: string;
  read(): Uint8Array;
}

/**
 * Resolves an asset path of a layer. `element` is the attribute that authors it, for messages. Throws SourceError for a
 * forbidden path. A missing file is an error only when it is read.
 */
export type ResolveAsset = (layer: Layer, assetPath: string, element: string) => ResolvedAsset;

/** `textures/wood_albedo.png` and `pack.usdz[wood_albedo.png]` -> `wood_albedo`. */
function stemOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), path.lastIndexOf('[')) + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

export class ImageTable {
  readonly images: SceneImage[] = [];
  readonly #byFile = new Map<string, number>();
  readonly #resolve: ResolveAsset;
  readonly #notes: Notes;

  constructor(resolve: ResolveAsset, notes: Notes) {
    this.#resolve = resolve;
    this.#notes = notes;
  }

  /** The index of the image for `assetPath`, which `element` in `layer` authors. There is one image per file. */
  use(assetPath: string, layer: Layer, element: string): number {
    let path = assetPath.split(':SDF_FORMAT_ARGS:')[0];
    if (path.startsWith('`')) this.#notes.report('UC1917', element, `the variable expression ${path} is not evaluated`);
    if (path.includes('<UDIM>')) {
      this.#notes.report('UC1913', element, `${path}: tile 1001 is used`);
      path = path.replaceAll('<UDIM>', '1001');
    }
    let asset: ResolvedAsset;
    try {
      asset = this.#resolve(layer, path, element);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      // Throw the error when the bytes are read: the cook decides how to treat a missing texture.
      asset = {
        file: '',
        read: () => {
          throw error;
        },
      };
    }
    const key = asset.file === '' ? `\0${layer.identifier}\0${assetPath}` : asset.file;
    const known = this.#byFile.get(key);
    if (known !== undefined) return known;
    const { file } = asset;
    this.images.push({
      path: element,
      uri: assetPath,
      stem: stemOf(path),
      file,
      read: async () => asset.read(),
    });
    this.#byFile.set(key, this.images.length - 1);
    return this.images.length - 1;
  }
}
