// inspect(): what is in a file or below a folder: a source as it would be cooked, or what a file of another kind holds. inspectStage(): the composed stage of a USD source, prim by prim.

import { dirname, join, resolve } from 'node:path';
import { gzipSize } from '../bytes/gzipSize.ts';
import type { OptionsOf } from '../config/options/option.ts';
import { INSPECT_CALL_OPTIONS } from '../config/options/table.ts';
import { assetSearch, importOptions, limitsOf } from '../config/settings.ts';
import { showPath } from '../config/showPath.ts';
import { urlFault } from '../config/sources.ts';
import { throwIfAborted } from '../cook/interruption.ts';
import { type Diagnostic, Diagnostics, fail, SourceError, sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { LimitWatch } from '../diagnostics/limits.ts';
import type { KindId, KindsOf, SceneKind, Urho3dType } from '../formats/kinds.ts';
import type { ManifestReport } from '../formats/manifest/validate.ts';
import { loadFormat } from '../formats/registry.ts';
import type { UntoldDescription } from '../formats/untold/read.ts';
import type { UntoldPack } from '../formats/untoldpack/document.ts';
import type { UtexDescription } from '../formats/utex/read.ts';
import { wholeOf } from '../importers/content.ts';
import { defaultRoot, diskFiles } from '../importers/files.ts';
import { describeStage, importSource, recogniseContent, type StagePrimRow } from '../importers/index.ts';
import { pathInPackage, withPackage } from '../importers/packages.ts';
import { noteUnusedOptions } from '../importers/unusedOptions.ts';
import { isFile, isFolder, readWhole, statusOf } from '../importers/wholeFile.ts';
import { isInnerPath } from '../output/commitJournal.ts';
import type { SourceKind } from '../scene/types.ts';
import { isTexturePath } from '../textures/name.ts';
import { type CallOptions, checkOptions } from './call/checkOptions.ts';
import { workingFolder } from './call/environment.ts';
import { exitCodeOf } from './call/exitCode.ts';
import { failedCall } from './call/faults.ts';
import { shownDiagnostic } from './call/shownDiagnostic.ts';
import type { FileSum } from './callSums.ts';
import { diskProbe } from './diskProbe.ts';
import type { FolderDocument } from './inspectFolder.ts';
import type { BpxDocument, GalileoDocument, InspectedEntry } from './inspectPackage.ts';
import type { Urho3dDocument } from './inspectUrho3d.ts';
import { type SceneDocument, sceneDocument } from './sceneDocument.ts';

/** What is in a .untold file. */
export interface UntoldDocument extends UntoldDescription {
  readonly source: string;
  readonly kind: 'untold';
  readonly warnings: readonly Diagnostic[];
}

/** What an output has on the disk, each file once. */
export interface OutputTotals {
  /** All, with the main file, the plan map and textures that it shares with other outputs. */
  readonly files: FileSum;
  /** Full detail and levels. */
  readonly payloads: FileSum;
  readonly textures: FileSum;
}

/** The part of a set that one machine has cooked. */
export interface ShardDocument {
  readonly source: string;
  readonly kind: 'shard';
  /** Which part, from 0, and of how many. */
  readonly index: number;
  readonly count: number;
  readonly scene: string;
  /** In this part. */
  readonly tiles: number;
  readonly totals: OutputTotals;
  readonly warnings: readonly Diagnostic[];
}

/** What is in a manifest; `manifest` is null when the engine refuses it. */
export interface ManifestDocument extends Pick<ManifestReport, 'manifest' | 'payloads'> {
  readonly source: string;
  readonly kind: 'manifest';
  readonly totals: OutputTotals;
  readonly warnings: readonly Diagnostic[];
}

/** What is in a pack of models; `pack` is null when something of it is wrong. */
export interface UntoldPackDocument {
  readonly source: string;
  readonly kind: 'untoldpack';
  readonly pack: UntoldPack | null;
  /** The path of every model that is there, once, relative to the pack. */
  readonly files: readonly string[];
  readonly totals: OutputTotals;
  readonly warnings: readonly Diagnostic[];
}

/** What is in a .utex texture. */
export interface UtexDocument extends UtexDescription {
  readonly source: string;
  readonly kind: 'utex';
  /** The file as gzip packs it. */
  readonly gzipBytes: number;
  readonly warnings: readonly Diagnostic[];
}

export type InspectDocument =
  | SceneDocument
  | UntoldDocument
  | ManifestDocument
  | UntoldPackDocument
  | ShardDocument
  | UtexDocument
  | BpxDocument
  | GalileoDocument
  | Urho3dDocument
  | FolderDocument;

/** The options of `untold inspect` in camelCase. */
export interface InspectOptions extends OptionsOf<typeof INSPECT_CALL_OPTIONS>, CallOptions {}

export interface StageDocument {
  readonly source: string;
  readonly kind: SourceKind;
  /** How many prims there are. */
  readonly prims: number;
  readonly warnings: readonly Diagnostic[];
}

export interface InspectResult<D = InspectDocument> {
  /** What `untold inspect` would end with: 0 when nothing in the file is wrong. */
  readonly exitCode: number;
  /** Null when the file cannot be read. */
  readonly document: D | null;
  /** The diagnostics of the document, or why there is no document. */
  readonly diagnostics: readonly Diagnostic[];
}

type InspectValues = OptionsOf<typeof INSPECT_CALL_OPTIONS>;

/** The file of a call. */
interface Inspected {
  readonly path: string;
  readonly name: string;
  readonly options: InspectValues;
  readonly cwd: string;
}

function inspectedFile(file: string, given: InspectOptions): Inspected {
  throwIfAborted(given.signal);
  const cwd = workingFolder(given);
  const options = checkOptions(INSPECT_CALL_OPTIONS, given, cwd);
  if (options.root !== undefined && !isFolder(options.root)) {
    fail('UC1003', '', '--root', `${showPath(options.root, cwd)} is not a folder`, 'give a folder that exists');
  }
  const url = urlFault(file);
  if (url !== null) throw new SourceError(url);
  if (file === '') fail('UC1003', '', '', 'the name of the file is empty', 'give a file');
  const path = resolve(cwd, pathInPackage(file, (outer) => isFile(resolve(cwd, outer))) ?? file);
  return { path, name: showPath(path, cwd), options, cwd };
}

async function sourceDocument({ path, name, options, cwd }: Inspected): Promise<SceneDocument> {
  const files = diskFiles(
    options.root ?? defaultRoot(path),
    assetSearch(options, cwd),
    undefined,
    new LimitWatch(limitsOf(options)),
  );
  const diagnostics = new Diagnostics();
  // What composed and what could be read is shown in any case, with the errors.
  const context = { files, diagnostics, options: { ...importOptions(options), tolerant: true } };
  const scene = await importSource(path, name, context);
  const document = await sceneDocument(scene, name, diagnostics);
  const entries = scene.kind === 'usdz' ? await entriesOf(path, name) : null;
  const warnings = document.warnings.map((item) => shownDiagnostic(item, cwd));
  return { ...document, ...(entries ? { entries } : {}), warnings };
}

async function entriesOf(path: string, name: string): Promise<InspectedEntry[]> {
  const { packageEntries } = await import('./inspectPackage.ts');
  return packageEntries(diskFiles(null).open(path, '', ''), name);
}

/** What was found in a cooked file, and options that mean nothing for it. */
function cookedWarnings(found: readonly Diagnostic[], { name, options, cwd }: Inspected): Diagnostic[] {
  const diagnostics = new Diagnostics();
  noteUnusedOptions(name, 'cooked', importOptions(options), diagnostics);
  return [...diagnostics.list, ...found].map((item) => shownDiagnostic(item, cwd));
}

async function untoldDocument(bytes: Uint8Array, file: Inspected): Promise<UntoldDocument> {
  const { describeUntold } = await import('../formats/untold/read.ts');
  const { description, diagnostics } = await describeUntold(bytes, file.name);
  return { source: file.name, kind: 'untold', ...description, warnings: cookedWarnings(diagnostics, file) };
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const sumOfSizes = (sizes: readonly number[]): FileSum => ({
  files: sizes.length,
  bytes: sizes.reduce((sum, size) => sum + size, 0),
});

async function manifestDocument(bytes: Uint8Array, file: Inspected): Promise<ManifestDocument> {
  const { validateManifest } = await import('../formats/manifest/validate.ts');
  const probe = diskProbe(dirname(file.path));
  const report = await validateManifest(textOf(bytes), file.name, probe);
  const { manifest, payloads, files } = report;
  const { plan_map: map } = (manifest ?? {}) as { readonly plan_map?: unknown };
  const mapBytes = typeof map === 'string' && isInnerPath(map) ? probe.size(map) : null;
  const all = [bytes.length, ...files.values(), ...(mapBytes === null ? [] : [mapBytes])];
  const sizes = (isCounted: (path: string) => boolean) =>
    [...files].flatMap(([path, size]) => (isCounted(path) ? [size] : []));
  const isPayload = new Set(payloads);
  return {
    source: file.name,
    kind: 'manifest',
    manifest,
    payloads,
    totals: {
      files: sumOfSizes(all),
      payloads: sumOfSizes(sizes((path) => isPayload.has(path))),
      textures: sumOfSizes(sizes(isTexturePath)),
    },
    warnings: cookedWarnings(report.diagnostics, file),
  };
}

async function packDocument(bytes: Uint8Array, file: Inspected): Promise<UntoldPackDocument> {
  const { validatePack } = await import('../formats/untoldpack/validate.ts');
  const folder = dirname(file.path);
  const { pack, models, levels, diagnostics } = validatePack(textOf(bytes), file.name, diskProbe(folder));
  const { textureUris } = await loadFormat('untold');
  const payloads = new Map<string, number>();
  const textures = new Map<string, number>();
  for (const path of [...models, ...levels].map((model) => join(folder, model))) {
    const payload = readWhole(path);
    payloads.set(path, payload.length);
    // What is wrong with a model is told by its own check.
    for (const uri of await textureUris(payload).catch(() => [])) {
      const texture = join(dirname(path), uri);
      const size = statusOf(texture).stat?.size;
      if (size !== undefined) textures.set(texture, size);
    }
  }
  const sizes = [...payloads.values(), ...textures.values()];
  const totals = {
    files: sumOfSizes([bytes.length, ...sizes]),
    payloads: sumOfSizes([...payloads.values()]),
    textures: sumOfSizes([...textures.values()]),
  };
  const warnings = cookedWarnings(diagnostics, file);
  return { source: file.name, kind: 'untoldpack', pack, files: models, totals, warnings };
}

async function shardDocument(bytes: Uint8Array, file: Inspected): Promise<ShardDocument> {
  const { readShardText } = await import('../formats/shard/text.ts');
  const { index, count, common, tiles, files, textures = [] } = readShardText(textOf(bytes), file.name);
  const isTexture = ({ path }: { readonly path: string }) => isTexturePath(path);
  const bytesOf = (list: readonly { readonly bytes: number }[]) => list.map((one) => one.bytes);
  const ofTextures = [...files.filter(isTexture), ...textures];
  return {
    source: file.name,
    kind: 'shard',
    index,
    count,
    scene: common.scene,
    tiles: tiles.length,
    totals: {
      files: sumOfSizes([bytes.length, ...bytesOf(files), ...bytesOf(textures)]),
      payloads: sumOfSizes(bytesOf(files.filter((one) => !isTexture(one)))),
      textures: sumOfSizes(bytesOf(ofTextures)),
    },
    warnings: cookedWarnings([], file),
  };
}

/** Describes a texture, and writes the picture that --png asks for. */
async function utexDocument(bytes: Uint8Array, file: Inspected): Promise<UtexDocument> {
  const { describeUtex } = await import('../formats/utex/read.ts');
  const { description, diagnostics } = describeUtex(bytes, file.name);
  const { png, mip = 0 } = file.options;
  if (png !== undefined) {
    const { requirePngName } = await import('./call/pictureName.ts');
    const { writeWhole } = await import('./call/writeWhole.ts');
    const { texturePicture } = await import('./texturePicture.ts');
    requirePngName(png, '--png', file.cwd);
    writeWhole(png, await texturePicture(bytes, file.name, mip), '--png');
  }
  const gzipBytes = await gzipSize(bytes);
  return { source: file.name, kind: 'utex', ...description, gzipBytes, warnings: cookedWarnings(diagnostics, file) };
}

/** Throws for options of pictures where there is none to make. */
function refusePicture({ name, options }: Inspected, isTexture: boolean): void {
  const given = options.png !== undefined ? '--png' : options.mip !== undefined ? '--mip' : null;
  if (given !== null && !isTexture) fail('UC1017', name, given, 'the file is no .utex texture');
  if (given === '--mip') fail('UC1002', '', '--png', '--mip was given without a picture', 'give --png FILE.png');
}

/** Runs `describe`, with what it throws as diagnostics. Rejects only for a bug. */
async function asResult<D extends { readonly warnings: readonly Diagnostic[] }>(
  given: InspectOptions,
  describe: () => Promise<D>,
): Promise<InspectResult<D>> {
  try {
    const document = await describe();
    return { exitCode: exitCodeOf(document.warnings), document, diagnostics: document.warnings };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}

type Describe = (bytes: Uint8Array, file: Inspected) => Promise<InspectDocument>;

async function describeBpx(bytes: Uint8Array, file: Inspected): Promise<BpxDocument> {
  const { bpxDocument } = await import('./inspectPackage.ts');
  const { warnings, ...document } = await bpxDocument(bytes, file.name);
  return { ...document, warnings: cookedWarnings(warnings, file) };
}

async function describeGalileo(bytes: Uint8Array, file: Inspected): Promise<GalileoDocument> {
  const { galileoDocument } = await import('./inspectPackage.ts');
  const { warnings, ...document } = await galileoDocument(bytes, file.name);
  return { ...document, warnings: cookedWarnings(warnings, file) };
}

const urho3d =
  (type: Urho3dType): Describe =>
  async (bytes, file) => {
    const { urho3dDocument } = await import('./inspectUrho3d.ts');
    const { warnings, ...document } = urho3dDocument(type, bytes, file.name);
    return { ...document, warnings: cookedWarnings(warnings, file) };
  };

/** How files are described of which more is known than a scene. */
const DESCRIBERS: Readonly<Record<Exclude<KindsOf<'inspect'>, SceneKind>, Describe>> = {
  untold: untoldDocument,
  clip: untoldDocument,
  manifest: manifestDocument,
  untoldpack: packDocument,
  shard: shardDocument,
  utex: utexDocument,
  bpx: describeBpx,
  gali: describeGalileo,
  mdl: urho3d('model'),
  ani: urho3d('animation'),
  pak: urho3d('package'),
  shader: urho3d('shader'),
  script: urho3d('script'),
  material: urho3d('material'),
  scene: urho3d('scene'),
};

/** Runs a call of inspect(). */
export function runInspect(word: string, given: InspectOptions): Promise<InspectResult> {
  return asResult(given, async (): Promise<InspectDocument> => {
    const file = inspectedFile(word, given);
    if (isFolder(file.path)) {
      refusePicture(file, false);
      const { folderDocument } = await import('./inspectFolder.ts');
      const { warnings, ...document } = folderDocument(file.path, file.name, file.cwd);
      return { ...document, warnings: warnings.map((item) => shownDiagnostic(item, file.cwd)) };
    }
    const content = (await withPackage(file.path, diskFiles(null))).open(file.path, '', '');
    const kind = recogniseContent(content, file.path);
    refusePicture(file, kind === 'utex');
    const describe = kind === null ? undefined : (DESCRIBERS as Partial<Record<KindId, Describe>>)[kind];
    const document = await (describe ? describe(wholeOf(content, file.name), file) : sourceDocument(file));
    throwIfAborted(given.signal);
    return document;
  });
}

/** Options that decide what of a stage is drawn. */
const DRAWING = [
  ['purpose', 'purpose'],
  ['allMeshes', 'all-meshes'],
  ['metersPerUnit', 'meters-per-unit'],
  ['upAxis', 'up-axis'],
  ['origin', 'origin'],
  ['rotate', 'rotate'],
  ['scale', 'scale'],
] as const;

/** Runs a call of inspectStage(). */
export function runInspectStage(
  word: string,
  onPrim: (prim: StagePrimRow) => void,
  given: InspectOptions,
  wanted?: number,
): Promise<InspectResult<StageDocument>> {
  return asResult(given, async (): Promise<StageDocument> => {
    const { path, name, options, cwd } = inspectedFile(word, given);
    const picture = (['png', 'mip'] as const).find((key) => options[key] !== undefined);
    if (picture) fail('UC1012', '', `--${picture}`, 'given together with --stage, of which there is no picture');
    const drawing = DRAWING.find(([key]) => options[key] !== undefined);
    if (drawing) {
      const message = 'given together with --stage, which shows all that is composed, as it is authored';
      fail('UC1012', '', `--${drawing[1]}`, message);
    }
    const diagnostics = new Diagnostics();
    const files = diskFiles(
      options.root ?? defaultRoot(path),
      assetSearch(options, cwd),
      undefined,
      new LimitWatch(limitsOf(options)),
    );
    const context = { files, diagnostics, options: importOptions(options) };
    const { kind, rows } = await describeStage(path, name, context, wanted);
    let prims = 0;
    for (const row of rows) {
      throwIfAborted(given.signal);
      prims++;
      onPrim({ ...row, arcs: row.arcs.map((arc) => ({ ...arc, layer: showPath(arc.layer, cwd) })) });
    }
    const warnings = sortDiagnostics(diagnostics.list).map((item) => shownDiagnostic(item, cwd));
    return { source: name, kind, prims, warnings };
  });
}
