// Resolves asset paths. A path in a loose layer names a file relative to that layer; a path in a layer of a package
// names a file of that package and never one outside of it. Both can lead into nested packages. Each layer and each
// package is opened once.

import { type Diagnostics, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { type Content, wholeOf } from '../content.ts';
import { resolveReference, type SourceFiles } from '../files.ts';
import { findAsset } from '../findAsset.ts';
import { openUsdz, type UsdzPackage } from '../usdz/openUsdz.ts';
import { joinPackagePath, splitPackagePath } from '../usdz/packagePaths.ts';
import { UnpackBudget } from '../usdz/unpackBudget.ts';
import type { LayerSource, LocatedLayer } from './compose/layers/layerSource.ts';
import type { Layer } from './layer.ts';
import type { ReadInclude } from './mtlx/readMtlx.ts';
import { isZip, readLayer, refuseForeignName } from './readLayer.ts';
import type { ResolvedAsset } from './shade/images.ts';

/** The package that contains a layer, and the layer's name in the package. */
interface Home {
  readonly usdz: UsdzPackage;
  readonly name: string;
}

/** The file of an asset path. `parts` lead from outside to inside, in the package `usdz`, or on disk if it is null. */
interface Location {
  readonly usdz: UsdzPackage | null;
  readonly parts: readonly string[];
  readonly identifier: string;
}

/** OpenUSD appends file format arguments to asset paths after this mark. */
const FORMAT_ARGUMENTS = ':SDF_FORMAT_ARGS:';

export class Assets implements LayerSource {
  readonly #files: SourceFiles;
  readonly #diagnostics: Diagnostics;
  readonly #homes = new Map<Layer, Home>();
  readonly #packages = new Map<string, UsdzPackage>();
  readonly #budget = new UnpackBudget();
  readonly #layers = new Map<string, Layer>();
  readonly #failures = new Map<string, SourceError>();

  constructor(files: SourceFiles, diagnostics: Diagnostics) {
    this.#files = files;
    this.#diagnostics = diagnostics;
  }

  /** Opens the root layer from its content. Throws SourceError. */
  openRoot(path: string, content: Content): Layer {
    return this.#open(path, path, content, null);
  }

  /**
   * Resolves an asset path of a layer. Throws SourceError for a forbidden path. A missing loose file is an error only
   * when it is read.
   */
  resolve(layer: Layer, assetPath: string, element: string): ResolvedAsset {
    const location = this.#locate(layer, assetPath, element, 'texture');
    return {
      file: location.identifier,
      read: () => wholeOf(this.#read(location, layer.identifier, element), layer.identifier, element),
    };
  }

  locate(from: Layer, assetPath: string, element: string): LocatedLayer {
    const location = this.#locate(from, assetPath, element, 'layer');
    const { identifier, parts } = location;
    return {
      identifier,
      open: () => {
        const known = this.#layers.get(identifier);
        if (known) return known;
        const failure = this.#failures.get(identifier);
        if (failure) throw failure;
        try {
          refuseForeignName(parts[parts.length - 1], from.identifier, element);
          const content = this.#read(location, from.identifier, element);
          return this.#open(identifier, identifier, content, this.#homeOf(location));
        } catch (error) {
          if (error instanceof SourceError) this.#failures.set(identifier, error);
          throw error;
        }
      },
    };
  }

  #locate(layer: Layer, assetPath: string, element: string, kind: 'texture' | 'layer'): Location {
    return this.#locateFrom(layer.identifier, this.#homes.get(layer) ?? null, assetPath, element, kind);
  }

  /** Resolves an asset path of the file `from`, which is in the package `home`, or on disk if that is null. */
  #locateFrom(
    from: string,
    home: Home | null,
    assetPath: string,
    element: string,
    kind: 'texture' | 'layer',
  ): Location {
    const path = assetPath.split(FORMAT_ARGUMENTS)[0];
    if (home) {
      const name = home.usdz.resolve(path, home.name, element);
      if (name === null) return fail('UC1608', from, element, `the package has no file '${assetPath}'`);
      return { usdz: home.usdz, parts: splitPackagePath(name), identifier: home.usdz.identify(name) };
    }
    const [outer, ...inner] = splitPackagePath(path);
    const file = findAsset(
      this.#files,
      { reference: outer, from, kind },
      () => resolveReference(from, outer, element),
      (found) => this.#diagnostics.report('UC1220', from, element, `${outer} is taken from ${found}`),
    );
    return { usdz: null, parts: [file, ...inner], identifier: joinPackagePath([file, ...inner]) };
  }

  /** The package that contains a location; null for a loose file. */
  #homeOf({ usdz, parts, identifier }: Location): Home | null {
    const name = parts[parts.length - 1];
    if (parts.length === 1) return usdz && { usdz, name };
    const around = splitPackagePath(identifier).slice(0, -1);
    const inner = this.#packages.get(joinPackagePath(around));
    return inner ? { usdz: inner, name } : null;
  }

  #read({ usdz, parts }: Location, from: string, element: string): Content {
    let at = usdz;
    let name = parts[0];
    for (const next of parts.slice(1)) {
      const identifier = at ? at.identify(name) : name;
      at = this.#package(identifier, () => (at ? at.open(name) : this.#files.open(name, from, element)));
      name = next;
    }
    return at ? at.open(name) : this.#files.open(name, from, element);
  }

  #package(identifier: string, read: () => Content): UsdzPackage {
    const known = this.#packages.get(identifier);
    if (known) return known;
    const content = read();
    const isOnDisk = splitPackagePath(identifier).length === 1;
    if (isOnDisk) this.#budget.addArchive(content.size);
    const usdz = openUsdz(content, identifier, this.#diagnostics, this.#budget, this.#files.limits);
    this.#packages.set(identifier, usdz);
    return usdz;
  }

  /** Opens a layer, or the root layer of a package, which is registered by the identifier of the package too. */
  #open(asked: string, identifier: string, content: Content, home: Home | null): Layer {
    if (isZip(content)) {
      const usdz = this.#package(identifier, () => content);
      const { name } = usdz.root;
      const inner = usdz.identify(name);
      const layer = this.#layers.get(inner) ?? this.#add(inner, usdz.open(name), { usdz, name });
      this.#layers.set(asked, layer);
      return layer;
    }
    return this.#add(identifier, content, home);
  }

  #add(identifier: string, content: Content, home: Home | null): Layer {
    // The path of an included MaterialX document is relative to the document that includes it.
    const homes = new Map([[identifier, home]]);
    const include: ReadInclude = (from, href, element) => {
      const location = this.#locateFrom(from, homes.get(from) ?? null, href, element, 'layer');
      homes.set(location.identifier, this.#homeOf(location));
      return { identifier: location.identifier, bytes: wholeOf(this.#read(location, from, element), from, element) };
    };
    // A layer in a package takes at most the size of all packages on disk.
    const storedBytes = home ? Math.min(content.size, this.#budget.archives) : content.size;
    const layer = readLayer(content, identifier, this.#diagnostics, include, storedBytes);
    this.#layers.set(identifier, layer);
    if (home) this.#homes.set(layer, home);
    return layer;
  }
}
