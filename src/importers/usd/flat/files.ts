// The files that a flattened stage brings in: textures and sounds, each once, with its name in the package. Textures that are
// neither PNG nor JPEG are named as the PNG that they are to become.

import { type Diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { recogniseImage } from '../../../textures/decode/registry.ts';
import {
  imageTypeOf,
  imageTypeOfContent,
  isAllowedInPackage,
  isLayerName,
  isPackageName,
} from '../../usdz/fileTypes.ts';
import type { Layer } from '../layer.ts';
import type { Notes } from '../notes.ts';
import type { ResolveAsset } from '../shade/images.ts';

/** How the texels of a texture that is no PNG and no JPEG are read: as colours, or as they are. */
export type Conversion = 'color' | 'data';

export interface FlatFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Null: the file stays as it is. Otherwise it becomes a PNG. */
  readonly conversion: Conversion | null;
  /** The attribute that brings it in first. */
  readonly element: string;
}

const FORMAT_ARGUMENTS = ':SDF_FORMAT_ARGS:';
const UDIM = '<UDIM>';
const FIRST_TILE = 1001;
const LAST_TILE = 1100;

interface Named {
  readonly stem: string;
  readonly ending: string;
}

/** The last name of a path, outside or inside of a package. */
function namedBy(path: string): Named {
  const name = /[^/\\[\]]*(?=\]*$)/.exec(path)?.[0] ?? '';
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const clean = stem.replace(/[^A-Za-z0-9_.-]/gu, '_').replace(/^[.-]+|\.+$/g, '');
  return { stem: clean === '' ? 'file' : clean, ending: dot > 0 ? name.slice(dot + 1).toLowerCase() : '' };
}

export class FlatFiles {
  readonly files: FlatFile[] = [];
  readonly faults: Diagnostic[] = [];
  readonly #resolve: ResolveAsset;
  readonly #notes: Notes;
  readonly #names = new Map<string, string | null>();
  readonly #taken = new Set<string>();

  constructor(resolve: ResolveAsset, notes: Notes) {
    this.#resolve = resolve;
    this.#notes = notes;
  }

  /** The name in the package of what an asset path of a layer leads to; null: it is left out, which is reported. */
  name(layer: Layer, assetPath: string, element: string, use: Conversion): string | null {
    const [path] = assetPath.split(FORMAT_ARGUMENTS);
    if (path.startsWith('`')) {
      this.#notes.report(
        'UC1917',
        element,
        `the variable expression ${path} is not evaluated, and what it leads to is not packed`,
      );
      return null;
    }
    try {
      return path.includes(UDIM) ? this.#tiles(layer, path, element, use) : this.#one(layer, path, element, use);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.faults.push(...error.diagnostics);
      return null;
    }
  }

  #one(layer: Layer, path: string, element: string, use: Conversion): string | null {
    const asset = this.#resolve(layer, path, element);
    const known = this.#names.get(`${use} ${asset.file}`) ?? this.#names.get(asset.file);
    if (known !== undefined) return known;
    return this.#add(asset.file, asset.read(), path, element, use);
  }

  #add(file: string, bytes: Uint8Array, path: string, element: string, use: Conversion): string | null {
    const { stem, ending } = namedBy(path);
    const held = imageTypeOfContent(bytes);
    if (held === 'png' || held === 'jpeg') {
      const name = this.#unique('textures', stem, held === 'png' ? 'png' : 'jpg');
      this.#names.set(file, name);
      this.files.push({ name, bytes, conversion: null, element });
      return name;
    }
    if (recogniseImage(bytes) !== null) {
      const name = this.#unique('textures', stem, 'png');
      this.#names.set(`${use} ${file}`, name);
      this.files.push({ name, bytes, conversion: use, element });
      return name;
    }
    const isOther = imageTypeOf(path) !== null || isLayerName(path) || isPackageName(path) || !isAllowedInPackage(path);
    if (isOther) this.#notes.report('UC2472', element, `'${path}' is neither a texture that can be read nor a sound`);
    const name = isOther ? null : this.#unique('sounds', stem, ending);
    if (name !== null) this.files.push({ name, bytes, conversion: null, element });
    this.#names.set(file, name);
    return name;
  }

  /** The tiles of a texture have one ending: all stay as they are, or all become PNG. */
  #tiles(layer: Layer, path: string, element: string, use: Conversion): string | null {
    const key = `${use} ${layer.identifier} ${path}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const found: { readonly tile: number; readonly bytes: Uint8Array }[] = [];
    let missing: SourceError | null = null;
    for (let tile = FIRST_TILE; tile <= LAST_TILE; tile++) {
      try {
        found.push({ tile, bytes: this.#resolve(layer, path.replaceAll(UDIM, String(tile)), element).read() });
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        missing ??= error;
      }
    }
    if (found.length === 0 && missing) throw missing;
    const isJpeg = found.every(({ bytes }) => imageTypeOfContent(bytes) === 'jpeg');
    const ending = isJpeg ? 'jpg' : 'png';
    const { stem } = namedBy(path.replaceAll(UDIM, ''));
    const name = this.#unique('textures', `${stem}.${UDIM}`, ending);
    for (const { tile, bytes } of found) {
      const isKept = isJpeg || imageTypeOfContent(bytes) === 'png';
      const conversion = isKept ? null : use;
      this.files.push({ name: name.replace(UDIM, String(tile)), bytes, conversion, element });
    }
    this.#names.set(key, name);
    return name;
  }

  /** A name that no file has yet: names that differ by case alone are one file on many disks. */
  #unique(folder: string, stem: string, ending: string): string {
    const [first, ...rest] = stem.split('.');
    let name = `${folder}/${stem}.${ending}`;
    for (let i = 1; this.#taken.has(name.toLowerCase()); i++) {
      name = `${folder}/${[`${first}_${i}`, ...rest].join('.')}.${ending}`;
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
