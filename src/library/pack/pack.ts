// pack(): a folder, or a USD layer with all that it brings in, as one package.

import { basename, dirname, resolve } from 'node:path';
import { type OptionsOf, settle } from '../../config/options/option.ts';
import { PACK_CALL_OPTIONS } from '../../config/options/table.ts';
import { assetSearch } from '../../config/settings.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, Diagnostics, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { extensionOf, extensionsFor, type KindsOf, takes } from '../../formats/kinds.ts';
import { kindOfName } from '../../formats/recognise.ts';
import { defaultRoot, diskFiles } from '../../importers/files.ts';
import { recogniseContent } from '../../importers/index.ts';
import { isFile, isFolder } from '../../importers/wholeFile.ts';
import { OutputSet } from '../../output/outputSet.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { exitCodeOf } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { filesOf } from './folder.ts';
import { nameFaults } from './names.ts';

/** The options of `untold pack` in camelCase. */
export interface PackOptions extends OptionsOf<typeof PACK_CALL_OPTIONS>, CallOptions {}

export type PackageKind = KindsOf<'unpack'>;

/** One file of a package. */
export interface PackedEntry {
  readonly path: string;
  readonly bytes: number;
}

export interface PackDocument {
  readonly source: string;
  readonly kind: PackageKind;
  /** The package, relative to the working folder, with `/`. */
  readonly out: string;
  readonly bytes: number;
  readonly sha256: string;
  /** In the order of the package. */
  readonly files: readonly PackedEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface PackResult {
  /** What `untold pack` would end with: 0 when the package was written. */
  readonly exitCode: number;
  /** Null: nothing was written. */
  readonly document: PackDocument | null;
  /** The diagnostics of the document, or why there is none. */
  readonly diagnostics: readonly Diagnostic[];
}

type Values = ReturnType<typeof settle<typeof PACK_CALL_OPTIONS>>;

interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a package may have of bytes: one buffer of every Node that is supported. */
const MAX_BYTES = 2 ** 31 - 1;

const EXTENSIONS = extensionsFor('unpack').join(', ');

function kindOf(out: string): PackageKind {
  const kind = kindOfName(out);
  if (takes('unpack', kind)) return kind;
  return fail('UC1003', '', '--out', `${basename(out)} was given`, `give a file that ends in ${EXTENSIONS}`);
}

/** Throws UC1012 for options that mean nothing for the kind. */
function refuseOptions(
  { layout, compress, defaultLayer, arkit }: OptionsOf<typeof PACK_CALL_OPTIONS>,
  kind: PackageKind,
): void {
  const refuse = (name: string, message: string) => fail('UC1012', '', name, message);
  if (kind !== 'bpx' && layout !== undefined) {
    refuse('--layout', `given for a ${extensionOf(kind)} package, which has one layout`);
  }
  if (kind === 'usdz' && compress) refuse('--compress', 'given for a USDZ package, whose files are stored as they are');
  if (kind === 'bpx' && compress && layout !== 'spec') {
    refuse(
      '--compress',
      'given without --layout spec: packages of the other layout are read in every version when nothing is packed',
    );
  }
  if (kind !== 'usdz' && arkit)
    refuse('--arkit', `given for a ${extensionOf(kind)} package, which ARKit does not read`);
  if (kind !== 'usdz' && defaultLayer !== undefined) {
    refuse('--default-layer', `given for a ${extensionOf(kind)} package, which has none`);
  }
}

function folderFiles(folder: string, out: string, diagnostics: Diagnostics): NamedBytes[] {
  const found = filesOf(folder, out, diagnostics);
  const total = found.reduce((sum, { size }) => sum + size, 0);
  if (total > MAX_BYTES) fail('UC3802', folder, '', `its files have ${total} bytes, the limit is ${MAX_BYTES}`);
  const files = diskFiles(null);
  return found.map(({ name, path }) => ({ name, bytes: files.read(path, '', '') }));
}

/** The files of a folder with the default layer first. Throws UC1630 and UC3801. */
async function withDefaultLayer(files: NamedBytes[], given: string | undefined, folder: string): Promise<NamedBytes[]> {
  const { isAllowedInPackage, isLayerName } = await import('../../importers/usdz/fileTypes.ts');
  const { diagnostic } = await import('../../diagnostics/diagnostic.ts');
  const foreign = files.filter(({ name }) => !isAllowedInPackage(name));
  if (foreign.length > 0) {
    throw new SourceError(foreign.map(({ name }) => diagnostic('UC1630', folder, name, `'${name}'`)));
  }
  const layers = files.filter(({ name }) => isLayerName(name));
  const atRoot = layers.filter(({ name }) => !name.includes('/'));
  const named = given === undefined ? 'defaultLayer.usd' : given.replace(/^\.\//, '');
  const chosen = given === undefined && atRoot.length === 1 ? atRoot[0] : layers.find(({ name }) => name === named);
  if (!chosen) {
    const names = atRoot.map(({ name }) => name).join(', ');
    const message =
      given === undefined ? `the root of the folder holds ${names || 'none'}` : `there is no layer '${given}'`;
    return fail('UC3801', folder, '', message);
  }
  return [chosen, ...files.filter((file) => file !== chosen)];
}

async function layerFiles(
  path: string,
  name: string,
  { root, arkit, searchPath, remap }: Values,
  diagnostics: Diagnostics,
  cwd: string,
): Promise<NamedBytes[]> {
  const files = diskFiles(root ?? defaultRoot(path), assetSearch({ searchPath, remap }, cwd));
  const kind = recogniseContent(files.open(path, '', ''), path);
  if (arkit) {
    if (!takes('pack', kind) && kind !== 'usdz') fail('UC3800', name, '', 'it is no USD layer and no USDZ package');
    return (await import('./arkit.ts')).arkitFiles(path, files, diagnostics);
  }
  if (!takes('pack', kind)) fail('UC3800', name, '', 'it is no USD layer');
  const { packagedFiles } = await import('../../importers/usd/packaged.ts');
  return packagedFiles(path, files, diagnostics);
}

async function encoded(
  files: readonly NamedBytes[],
  kind: PackageKind,
  out: string,
  options: Values,
): Promise<Uint8Array> {
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > MAX_BYTES) fail('UC3802', out, '', `its files have ${total} bytes, the limit is ${MAX_BYTES}`);
  if (kind === 'usdz') return (await import('../../formats/usdz/write.ts')).writeUsdz(files, out);
  if (kind === 'pak') {
    const { writePackage } = await import('../../formats/urho3d/package/write.ts');
    return writePackage({ format: options.compress ? 'ULZ4' : 'UPAK', files }, out);
  }
  const { writeBpxCratePackage, writeBpxPackage } = await import('../../formats/bpx/write/package.ts');
  const records = await import('../../formats/bpx/records.ts');
  if (options.layout === 'spec') {
    const assets = files.map(({ name: path, bytes }) => ({ path, bytes }));
    const content = { kind: 'package', compatibility: records.KNOWN_COMPATIBILITY, assets } as const;
    return writeBpxPackage(content, { isPacked: options.compress === true });
  }
  return writeBpxCratePackage({
    kind: 'cratePackage',
    architecture: records.ANY_ARCHITECTURE,
    platform: records.ANY_PLATFORM,
    typeCode: records.PACKAGE_TYPE_CODE,
    objects: files.map(({ name, bytes }) => ({ name, parts: [bytes] })),
    metadata: null,
  });
}

/** Errors of a package that was read back. */
async function packageFaults(bytes: Uint8Array, kind: PackageKind, out: string): Promise<readonly Diagnostic[]> {
  if (kind === 'bpx') return (await import('../../formats/bpx/validate.ts')).validateBpx(bytes, out);
  if (kind === 'pak') return (await import('../../formats/urho3d/package/read.ts')).validatePackage(bytes, out);
  const { openUsdz } = await import('../../importers/usdz/openUsdz.ts');
  const { memoryContent } = await import('../../importers/content.ts');
  const diagnostics = new Diagnostics();
  const usdz = openUsdz(memoryContent(bytes), out, diagnostics);
  for (const { name } of usdz.entries) usdz.open(name);
  return diagnostics.list;
}

/** Whether what is there is a package of this kind, which a new one replaces. */
function isPackage(path: string, kind: PackageKind): boolean {
  return isFile(path) && recogniseContent(diskFiles(null).open(path, '', ''), path) === kind;
}

/** The files of the package of a folder or a layer at an absolute path, in the order of the package. */
async function sourceFiles(
  path: string,
  kind: PackageKind,
  options: Values,
  diagnostics: Diagnostics,
  cwd: string,
): Promise<NamedBytes[]> {
  const { defaultLayer, arkit, searchPath, remap } = options;
  const name = showPath(path, cwd);
  if (!isFolder(path)) {
    if (kind !== 'usdz') fail('UC3800', path, '', 'a package of this kind is made of a folder', 'name a folder');
    if (defaultLayer !== undefined)
      fail('UC1012', '', '--default-layer', 'given with a layer, which is the default layer');
    return layerFiles(path, name, options, diagnostics, cwd);
  }
  if (!arkit && (searchPath ?? remap) !== undefined) {
    const option = searchPath === undefined ? '--remap' : '--search-path';
    fail('UC1012', '', option, 'given with a folder, whose files are packed as they are', 'name its layer');
  }
  const all = folderFiles(path, resolve(options.out ?? ''), diagnostics);
  if (kind !== 'usdz') return all;
  const files = await withDefaultLayer(all, defaultLayer, path);
  if (!arkit) return files;
  const inFolder = { ...options, root: options.root ?? path };
  return layerFiles(resolve(path, files[0].name), name, inFolder, diagnostics, cwd);
}

async function packOne(word: string, given: PackOptions, cwd: string): Promise<PackDocument> {
  throwIfAborted(given.signal);
  const checked = checkOptions(PACK_CALL_OPTIONS, given, cwd);
  const options = settle(PACK_CALL_OPTIONS, checked);
  const { out, force = false } = options;
  if (word === '') fail('UC1003', '', '', 'the name of the source is empty', 'give a folder or a layer');
  if (out === undefined)
    return fail('UC1002', '', '--out', 'no package is named', `give --out a file that ends in ${EXTENSIONS}`);
  const kind = kindOf(out);
  refuseOptions(checked, kind);
  if (isFolder(out)) fail('UC4001', out, '', 'it is a folder', 'give --out a file');
  const path = resolve(cwd, word);
  const diagnostics = new Diagnostics();
  const files = await sourceFiles(path, kind, options, diagnostics, cwd);
  const faults = nameFaults(
    files.map(({ name }) => name),
    path,
  );
  if (faults.length > 0) throw new SourceError(faults);
  const bytes = await encoded(files, kind, out, options);
  throwIfAborted(given.signal);
  const main = basename(out);
  const set = OutputSet.open({
    base: dirname(out),
    main,
    earlier: () => new Map(isPackage(out, kind) ? [[main, null]] : []),
    force,
  });
  try {
    const { sha256 } = set.write(main, bytes);
    await set.verify(main, (stored) => packageFaults(stored, kind, out), bytes);
    await set.synced();
    for (const item of set.commit()) diagnostics.add(item);
    return {
      source: showPath(path, cwd),
      kind,
      out: showPath(out, cwd),
      bytes: bytes.length,
      sha256,
      files: files.map((file) => ({ path: file.name, bytes: file.bytes.length })),
      diagnostics: diagnostics.list.map((item) => shownDiagnostic(item, cwd)),
    };
  } finally {
    set.discard();
  }
}

/** Runs a call of pack(). Rejects only for a bug. */
export async function runPack(source: string, given: PackOptions): Promise<PackResult> {
  try {
    const document = await packOne(source, given, workingFolder(given));
    const { diagnostics } = document;
    return { exitCode: exitCodeOf(diagnostics), document, diagnostics };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
