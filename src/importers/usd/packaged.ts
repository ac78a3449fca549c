// The files of a USDZ package that is made of a layer: the layer, and all that it and its layers bring in, each with its
// name in the package. Files in or below the folder of the layer keep their places. Others come with the folder of the
// first of them that was found, as `external/0`, `external/1`, and paths that lead there are rewritten. A package may hold no
// MaterialX documents: those that arcs lead to become the layers that they are read as.

import { basename, dirname, isAbsolute, relative, sep } from 'node:path';
import { type Diagnostic, type Diagnostics, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { wholeOf } from '../content.ts';
import type { SourceFiles } from '../files.ts';
import { isAllowedInPackage, isLayerName } from '../usdz/fileTypes.ts';
import { folderOf, joinInPackage, splitPackagePath } from '../usdz/packagePaths.ts';
import { type AuthoredPath, authoredPaths } from './assetPaths.ts';
import { Assets } from './assets.ts';
import type { Layer } from './layer.ts';
import { isZip } from './readLayer.ts';
import { isWholeCrate, rewriteCrate } from './rewriteCrate.ts';
import { rewriteAssets } from './text/rewriteAssets.ts';

export interface PackagedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** OpenUSD appends file format arguments to asset paths after this mark. */
const FORMAT_ARGUMENTS = ':SDF_FORMAT_ARGS:';
const UDIM = '<UDIM>';
const FIRST_TILE = 1001;
const LAST_TILE = 1100;
/** The folder of files from outside. */
const EXTERNAL = 'external';

/** What is not a layer as it is, and becomes one, with its ending then. */
const DOCUMENT = /\.mtlx$/i;
const DOCUMENT_LAYER = '.mtlx.usdc';
/** Findings of a document's reader: something of it is not in its layer. */
const DOCUMENT_LOSS = /^UC195[2-8]$/;

/** A folder of the disk, and what its files are called in the package. */
interface Anchor {
  readonly folder: string;
  readonly prefix: string;
}

/** Gives files their names in the package. */
class Names {
  readonly #anchors: Anchor[];
  readonly #names = new Map<string, string>();
  #externals = 0;

  constructor(root: string) {
    this.#anchors = [{ folder: dirname(root), prefix: '' }];
  }

  of(file: string): string {
    const known = this.#names.get(file);
    if (known !== undefined) return known;
    const inside = this.#anchors
      .map(({ folder, prefix }) => ({ rest: relative(folder, file), prefix }))
      .filter(({ rest }) => rest !== '' && !isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`))
      // The nearest folder around it.
      .sort((a, b) => a.rest.length - b.rest.length)[0];
    let name: string;
    if (inside) name = inside.prefix + inside.rest.split(sep).join('/');
    else {
      const prefix = `${EXTERNAL}/${this.#externals++}/`;
      this.#anchors.push({ folder: dirname(file), prefix });
      name = prefix + basename(file);
    }
    const own = DOCUMENT.test(name) ? name.replace(DOCUMENT, DOCUMENT_LAYER) : name;
    this.#names.set(file, own);
    return own;
  }
}

/** What an asset path leads to. */
interface Target {
  /** Absolute paths of the files: several of a texture with UDIM tiles. */
  readonly files: readonly string[];
  /** Their name in the package, with `<UDIM>` where the path has it. */
  readonly name: string;
}

/** The path from a layer of the package to another file of it. */
function pathBetween(layer: string, name: string): string {
  const from = folderOf(layer) === '' ? [] : folderOf(layer).split('/');
  const to = name.split('/');
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
  const up = from.length - same;
  return `${up === 0 ? './' : '../'.repeat(up)}${to.slice(same).join('/')}`;
}

class Packager {
  readonly #files: SourceFiles;
  readonly #diagnostics: Diagnostics;
  readonly #assets: Assets;
  readonly #names: Names;
  readonly #root: string;
  readonly #faults: Diagnostic[] = [];
  readonly #packed = new Map<string, PackagedFile>();
  readonly #open: string[];

  constructor(root: string, files: SourceFiles, diagnostics: Diagnostics) {
    this.#files = files;
    this.#diagnostics = diagnostics;
    this.#assets = new Assets(files, diagnostics);
    this.#names = new Names(root);
    this.#root = root;
    this.#open = [root];
  }

  run(): PackagedFile[] {
    for (let file = this.#open.shift(); file !== undefined; file = this.#open.shift()) {
      if (this.#packed.has(file)) continue;
      const name = this.#names.of(file);
      this.#packed.set(file, { name, bytes: new Uint8Array(0) });
      try {
        this.#packed.set(file, { name, bytes: this.#read(file, name) });
      } catch (error) {
        this.#note(error);
      }
    }
    if (this.#faults.length > 0) throw new SourceError(this.#faults);
    const [first, ...others] = [...this.#packed.values()];
    return [first, ...others.sort((a, b) => (a.name < b.name ? -1 : 1))];
  }

  #note(error: unknown): void {
    if (!(error instanceof SourceError)) throw error;
    this.#faults.push(...error.diagnostics);
  }

  /** The bytes of a file as the package has them; of a layer, what it brings in is to be read too. */
  #read(file: string, name: string): Uint8Array {
    if (!isAllowedInPackage(name)) return fail('UC1630', file, '', `'${basename(file)}'`);
    const content = this.#files.open(file, '', '');
    const bytes = wholeOf(content, file);
    if (!isLayerName(name) || isZip(content)) return bytes;
    const said = this.#diagnostics.list.length;
    const layer = this.#assets.openRoot(file, content);
    const losses = this.#diagnostics.list.slice(said).filter(({ code }) => DOCUMENT_LOSS.test(code));
    if ((layer.format === 'mtlx') !== DOCUMENT.test(file)) fail('UC1630', file, '', `'${basename(file)}'`);
    if (losses.length > 0) {
      const found = [...new Set(losses.map(({ code }) => code))].join(', ');
      fail('UC1630', file, '', `'${basename(file)}' is no layer without loss: ${found}`);
    }
    const changes = new Map<string, string>();
    for (const authored of authoredPaths(layer)) {
      try {
        const change = this.#change(layer, name, authored);
        if (change !== null) changes.set(authored.assetPath, change);
      } catch (error) {
        this.#note(error);
      }
    }
    if (layer.format === 'mtlx') return rewriteCrate(layer, changes);
    if (changes.size === 0) return bytes;
    return layer.format === 'usda' ? rewriteAssets(bytes, changes) : rewriteCrate(layer, changes);
  }

  /** What a path has to become in the package; null: it stays. What it leads to is to be packed. */
  #change(layer: Layer, layerName: string, authored: AuthoredPath): string | null {
    const { assetPath, element } = authored;
    if (assetPath.startsWith('`')) {
      const message = `the variable expression ${assetPath} is not evaluated, and what it leads to is not packed`;
      this.#diagnostics.report('UC1917', layer.identifier, element, message);
      return null;
    }
    const [path] = assetPath.split(FORMAT_ARGUMENTS);
    const [outer] = splitPackagePath(path);
    const target = this.#target(layer, outer, authored);
    this.#open.push(...target.files);
    const anchored = joinInPackage(folderOf(layerName), outer);
    const isRight = anchored === target.name && !outer.startsWith('/') && !outer.includes('\\');
    if (isRight) return null;
    const change = pathBetween(layerName, target.name);
    if (layer.format === 'usdc' && !isWholeCrate(layer))
      fail('UC3805', layer.identifier, element, `'${assetPath}' would become '${change}'`);
    return change + assetPath.slice(outer.length);
  }

  #target(layer: Layer, outer: string, { element, kind }: AuthoredPath): Target {
    const find = (path: string) =>
      kind === 'layer'
        ? this.#assets.locate(layer, path, element).identifier
        : this.#assets.resolve(layer, path, element).file;
    if (!outer.includes(UDIM)) {
      const file = find(outer);
      if (!this.#files.exists(file)) {
        fail('UC1203', layer.identifier, element, `'${outer}' leads to ${relative(dirname(this.#root), file)}`);
      }
      // What reads a value expects the document itself.
      if (kind === 'value' && DOCUMENT.test(file)) fail('UC1630', file, '', `'${basename(file)}'`);
      return { files: [file], name: this.#names.of(file) };
    }
    const files: string[] = [];
    let name: string | null = null;
    for (let tile = FIRST_TILE; tile <= LAST_TILE; tile++) {
      const file = find(outer.replaceAll(UDIM, String(tile)));
      if (!this.#files.exists(file)) continue;
      files.push(file);
      const own = this.#names.of(file);
      const at = own.lastIndexOf(String(tile));
      name ??= own.slice(0, at) + UDIM + own.slice(at + String(tile).length);
    }
    return name === null ? fail('UC1203', layer.identifier, element, `'${outer}' has no tile`) : { files, name };
  }
}

/**
 * The files of a package of the layer at an absolute path, that layer first, the others sorted by name. Throws SourceError with
 * all that cannot be packed: files that are missing or damaged, of other types, or outside of the root, documents of which a layer
 * has not all, and UC3805.
 */
export function packagedFiles(root: string, files: SourceFiles, diagnostics: Diagnostics): PackagedFile[] {
  return new Packager(root, files, diagnostics).run();
}
