// The library: cooks, inspects, validates, draws and explains, as the command line does, which uses nothing else. It never prints,
// never ends the process and installs no handlers; what goes wrong is in the results, as diagnostics with stable codes.
// Calls may run at once. The bodies are loaded when they are first called.

import type { StagePrimRow } from './importers/index.ts';
import type { AdviseOptions, AdviseResult } from './library/advise/advise.ts';
import type { BakeLodsOptions, BakeLodsResult } from './library/bake/bakeLods.ts';
import type { BakeOptions, BakeResult } from './library/bake/bakeTextures.ts';
import type {
  CacheDocument,
  CacheInfoOptions,
  CacheResult,
  ClearCacheOptions,
  ClearedCache,
  PruneCacheOptions,
} from './library/cache.ts';
import type { CheckOptions, CheckResult } from './library/check/check.ts';
import type { CleanOptions, CleanResult } from './library/clean.ts';
import type { CookOptions, CookResult, SourceResult } from './library/cookTypes.ts';
import type { DiffOptions, DiffResult } from './library/diff/diff.ts';
import { type Explanation, explainAll, explainCode, searchCodes, searchTasks } from './library/explain.ts';
import type { ExportRoots } from './library/exportRoots.ts';
import type { GuideTask } from './library/guideTasks.ts';
import type { ImportResult, ReadOptions } from './library/importScene.ts';
import type { InitOptions, InitResult } from './library/init.ts';
import type { InspectOptions, InspectResult, StageDocument } from './library/inspect.ts';
import type { ListedSources } from './library/listSources.ts';
import type { MergeOptions, MergeResult } from './library/merge.ts';
import type { PackOptions, PackResult } from './library/pack/pack.ts';
import type { UnpackOptions, UnpackResult } from './library/pack/unpack.ts';
import type { RenderOptions, RenderResult } from './library/render/render.ts';
import type { ReportedCall, ReportedSet } from './library/report/page.ts';
import type { SetQuestions } from './library/report/reportedSets.ts';
import type { ValidateOptions, ValidateResult } from './library/validate.ts';
import type { VerifyOptions, VerifyResult } from './library/verify/verify.ts';
import type { ViewOptions, ViewResult } from './library/view/view.ts';
import type { WhyOptions, WhyResult } from './library/why/why.ts';

const listed = (words: string | readonly string[]): readonly string[] => (typeof words === 'string' ? [words] : words);

/**
 * Cooks sources into `.untold` tiles, or into one `.untold` file. Sources are files, folders and patterns; names are
 * relative to the working folder. With a project file (`config`), no source is a build of the project, and the name of a target
 * a build of the target. Unlike the command line, the library uses a cache only when it is asked to, by `cacheDir`
 * or by `cache: true` for the folder that the command line would use. The promise rejects only for a bug: errors of a source, of the options and of the
 * machine are diagnostics of the result.
 *
 * @example
 * import { cook } from 'untold-cook';
 *
 * const { exitCode, results } = await cook('town.usda', { out: 'tiles', tileSize: 50, lod: [0.5, 0.2] });
 * for (const { source, status, diagnostics } of results) console.log(source, status, diagnostics.length);
 * process.exitCode = exitCode;
 */
export async function cook(sources: string | readonly string[], options: CookOptions = {}): Promise<CookResult> {
  return (await import('./library/cook.ts')).runCook(listed(sources), options);
}

/**
 * Writes a project file, `untold.config.json`, for the sources that lie in a folder: what `untold cook` alone builds then. One
 * that is there is replaced with `force` alone (UC1073).
 *
 * @example
 * import { init } from 'untold-cook';
 *
 * const { document } = await init('content');
 * console.log(document?.path, document?.found.map(({ match, files }) => `${match} ${files}`));
 */
export async function init(folder: string, options: InitOptions = {}): Promise<InitResult> {
  return (await import('./library/init.ts')).runInit(folder, options);
}

/**
 * Puts shards together that cooks with `shard` have written, perhaps on several machines: the set is the same, byte for byte, as
 * that of one cook without it. `shards`: folders of shards, or folders that hold such folders. A set is written only when all of its
 * parts are there, from the same source, settings and version, and none was changed.
 *
 * @example
 * import { cook, merge } from 'untold-cook';
 *
 * for (const shard of ['0/2', '1/2']) await cook('town.usda', { out: `parts/${shard[0]}`, shard });
 * const { exitCode, sets } = await merge('parts', { out: 'tiles' });
 * console.log(exitCode, sets.map(({ source, totals }) => [source, totals?.tiles]));
 */
export async function merge(shards: string | readonly string[], options: MergeOptions = {}): Promise<MergeResult> {
  return (await import('./library/merge.ts')).runMerge(listed(shards), options);
}

/**
 * Makes one package of a folder, or of a USD layer with all that it brings in: USDZ (stored, aligned, default layer first) or
 * BPX, as the ending of `out` says. Paths in text layers that lead out of the layer's folder are rewritten. The package appears
 * whole or not at all; equal files give equal bytes.
 *
 * @example
 * import { pack } from 'untold-cook';
 *
 * const { document } = await pack('scene.usda', { out: 'scene.usdz' });
 * console.log(document?.bytes, document?.files.map(({ path }) => path));
 */
export async function pack(source: string, options: PackOptions = {}): Promise<PackResult> {
  return (await import('./library/pack/pack.ts')).runPack(source, options);
}

/**
 * Writes the files of a USDZ, BPX or Urho3D package into a folder, all or none, and nothing from a package that is not sound. `only`:
 * patterns for names. Another call replaces what an earlier one has written; other files are replaced with `force` alone.
 *
 * @example
 * import { unpack } from 'untold-cook';
 *
 * const { document, diagnostics } = await unpack('scene.usdz', { out: 'scene', only: ['*.png'] });
 * console.log(document?.files ?? diagnostics);
 */
export async function unpack(file: string, options: UnpackOptions = {}): Promise<UnpackResult> {
  return (await import('./library/pack/unpack.ts')).runUnpack(file, options);
}

/**
 * Removes the outputs below a folder that a cook of `sources` with the same options would not write. Only what manifests of
 * such cooks list goes; with `outEach` single files that match the pattern, and shared textures that no file names any more. With
 * a project file (`config`), null is the output of the project, and the name of a target that of the target.
 *
 * @example
 * import { clean } from 'untold-cook';
 *
 * const { document } = await clean('tiles', { sources: ['art'], dryRun: true });
 * console.log(document?.removed);
 */
export async function clean(folder: string | null, options: CleanOptions = {}): Promise<CleanResult> {
  return (await import('./library/clean.ts')).runClean(folder, options);
}

/**
 * Which sources a call of cook() with the same words and options would cook, in order, without reading them. Files that are
 * added to a folder are found by calling it again.
 *
 * @example
 * import { listSources } from 'untold-cook';
 *
 * console.log((await listSources('art', { out: 'tiles' })).sources);
 */
export async function listSources(
  sources: string | readonly string[],
  options: CookOptions = {},
): Promise<ListedSources> {
  return (await import('./library/listSources.ts')).runListSources(listed(sources), options);
}

/**
 * Checks `.untold` files and `.utex` textures, and manifests with all that they name, against the format and against what the engine refuses,
 * crashes on or silently drops; USDZ packages (with `arkit` against the profile of ARKit too), BPX files and Galileo meshes against
 * their specifications.
 *
 * @example
 * import { validate } from 'untold-cook';
 *
 * const { files } = await validate('tiles', { strict: true });
 * for (const { path, diagnostics } of files.filter(({ ok }) => !ok)) console.log(path, diagnostics);
 */
export async function validate(
  files: string | readonly string[],
  options: ValidateOptions = {},
): Promise<ValidateResult> {
  return (await import('./library/validate.ts')).runValidate(listed(files), options);
}

/**
 * Checks a whole output: every file as validate() does, and what the records of its sets prove: that no cook is unfinished, that
 * nothing lies there that no manifest lists, and that names state the hash of their content. With `against`, the sources that
 * it was cooked from, and the options of that cook it also tells whether the output is up to date: from the record of the last
 * cook where the cache has one, and else by cooking into a temporary folder. Nothing of the output changes. With a project file
 * (`config`), null is the output of the project, and the name of a target that of the target, both against its sources.
 *
 * @example
 * import { verify } from 'untold-cook';
 *
 * const { document } = await verify('tiles', { against: ['town.usda'], tileSize: 50, cache: true, incremental: true });
 * console.log(document?.sound, document?.fresh);
 */
export async function verify(folder: string | null, options: VerifyOptions = {}): Promise<VerifyResult> {
  return (await import('./library/verify/verify.ts')).runVerify(folder, options);
}

/**
 * Tells whether an output (a set, a `.untold` file, a pack) fits a device: the engine's loader is simulated where most is loaded, and
 * memory, triangles and draws there are compared with what the device carries. Of a folder with several outputs each is checked, and
 * with a project file (`config`) those of the project (null) or of a target, by its name: `all` has them.
 *
 * @example
 * import { check } from 'untold-cook';
 *
 * const { document } = await check('tiles', { device: 'vision-pro' });
 * console.log(document?.fits, document?.line);
 */
export async function check(file: string | null, options: CheckOptions = {}): Promise<CheckResult> {
  return (await import('./library/check/check.ts')).runCheck(file, options);
}

/**
 * Tells what changed between two outputs, each a folder that holds one output, a manifest, a pack, or a `.untold` file: tiles,
 * levels, triangles, bytes, textures, bounds and settings. Names of files do not count, only what they hold. Folders with several
 * outputs are compared output by output, by their paths in the folder: `sets` has those that differ.
 *
 * @example
 * import { diff } from 'untold-cook';
 *
 * const { document } = await diff('tiles-before', 'tiles');
 * console.log(document?.equal, document?.tiles.length);
 */
export async function diff(a: string, b: string, options: DiffOptions = {}): Promise<DiffResult> {
  return (await import('./library/diff/diff.ts')).runDiff(a, b, options);
}

/**
 * Tells what is in a file, by its content: a source as it would be cooked, of a USDZ package its files too, a manifest, a `.untold`
 * file, a BPX file, a Galileo mesh, or a `.utex` texture, of which it writes a picture where `png` says.
 *
 * @example
 * import { inspect } from 'untold-cook';
 *
 * const { document } = await inspect('town.usda');
 * if (document && 'totals' in document) console.log(document.kind, document.totals);
 */
export async function inspect(file: string, options: InspectOptions = {}): Promise<InspectResult> {
  return (await import('./library/inspect.ts')).runInspect(file, options);
}

/**
 * Composes the stage of a USD source and calls `onPrim` for each prim, parents first. Large stages are never held whole.
 * `wanted`: so many numbers or texts of an array are enough, which saves time where no more are used.
 *
 * @example
 * import { inspectStage } from 'untold-cook';
 *
 * await inspectStage('town.usda', ({ path, type }) => console.log(path, type));
 */
export async function inspectStage(
  file: string,
  onPrim: (prim: StagePrimRow) => void,
  options: ReadOptions = {},
  wanted?: number,
): Promise<InspectResult<StageDocument>> {
  return (await import('./library/inspect.ts')).runInspectStage(file, onPrim, options, wanted);
}

/**
 * Makes cooked textures of images, one or those of a folder, and lets a `.untold` file or the models of a pack name them
 * (`patchRefs`), as the engine's own texbake does. Images stay where they are.
 *
 * @example
 * import { bakeTextures } from 'untold-cook';
 *
 * const { document } = await bakeTextures({ dir: 'build/Textures', patchRefs: 'build/chair.untold' });
 * console.log(document?.baked.length, document?.patched);
 */
export async function bakeTextures(options: BakeOptions): Promise<BakeResult> {
  return (await import('./library/bake/bakeTextures.ts')).runBakeTextures(options);
}

/**
 * Makes the LOD chains of a pack that is there, or level files beside a `.untold` file, by the ratios and the formula of the engine's own
 * cook. A model that fails does not stop the others. Packs that cook() writes have chains already, judged by pictures.
 *
 * @example
 * import { bakeLods } from 'untold-cook';
 *
 * const { document } = await bakeLods({ input: 'build/kit.untoldpack' });
 * for (const { path, levels } of document?.models ?? []) console.log(path, levels.length);
 */
export async function bakeLods(options: BakeLodsOptions): Promise<BakeLodsResult> {
  return (await import('./library/bake/bakeLods.ts')).runBakeLods(options);
}

/**
 * Draws a cooked set in software: a manifest, a folder that holds one, or a `.untold` file, as the engine would load it. Gives
 * pixels and a PNG, and writes it where `out` says. Equal files give equal bytes on every machine. Of several outputs, of a folder or of
 * a target of the project file (`config`), each is drawn into the folder of `out`, and `all` tells of each.
 *
 * @example
 * import { render } from 'untold-cook';
 *
 * const { png, drawn } = await render('tiles', { camera: 'overview', level: 'hlod', size: '640x640' });
 * console.log(png?.length, drawn.length);
 */
export async function render(file: string, options: RenderOptions = {}): Promise<RenderResult> {
  return (await import('./library/render/render.ts')).runRender(file, options);
}

/**
 * Tells what makes a cooked output large: the ten largest payloads, textures, meshes and materials, the bytes of each attribute, and
 * what would change it, an option each. With the name of a tile, texture, material, node or mesh: of that alone.
 *
 * @example
 * import { why } from 'untold-cook';
 *
 * const { document } = await why('tiles', 'tile_1_0_0');
 * for (const { option, saves } of document?.changes ?? []) console.log(option, saves);
 */
export async function why(file: string, name?: string, options: WhyOptions = {}): Promise<WhyResult> {
  return (await import('./library/why/why.ts')).runWhy(file, name, options);
}

/**
 * Tells what a source could do without before it is cooked: copies, equal materials and images, textures larger than anyone can see,
 * hidden parts, what looks like a mistake; each with what it saves and the option that does it.
 *
 * @example
 * import { advise } from 'untold-cook';
 *
 * const { document } = await advise('town.usdz', { device: 'vision-pro' });
 * for (const { what, option } of document?.advice ?? []) console.log(what, option);
 */
export async function advise(file: string, options: AdviseOptions = {}): Promise<AdviseResult> {
  return (await import('./library/advise/advise.ts')).runAdvise(file, options);
}

/**
 * Serves a page that shows a cooked set in a browser: a manifest, a folder that holds one, a `.untold` file, a target of the project
 * file (`config`) that has one output, or a source, which is cooked for it. With `export` it writes the page into a folder. It listens on the loopback interface until `close()` is called or the signal aborts.
 *
 * @example
 * import { view } from 'untold-cook';
 *
 * const { url, close } = await view('tiles');
 * console.log(url);
 * await close();
 */
export async function view(file: string, options: ViewOptions = {}): Promise<ViewResult> {
  return (await import('./library/view/view.ts')).runView(file, options);
}

/**
 * Reads a USD, USDZ or glTF source into the intermediate scene: right-handed, Y up, metres, with materials as
 * metallic-roughness. Mesh data is read when `primitive.read()` is called.
 *
 * @example
 * import { importScene } from 'untold-cook';
 *
 * const { scene, diagnostics } = await importScene('town.usda', { select: ['/Town/Harbour'] });
 * console.log(scene?.meshes.length, diagnostics);
 */
export async function importScene(file: string, options: ReadOptions = {}): Promise<ImportResult> {
  return (await import('./library/importScene.ts')).importScene(file, options);
}

/** The scene of a source, and how many root objects of it are drawn: several become a pack. Null for a source with errors. */
export async function exportRoots(file: string, options: ReadOptions = {}): Promise<ExportRoots | null> {
  return (await import('./library/exportRoots.ts')).exportRoots(file, options);
}

/**
 * Tells what the cache holds that cooks with `cacheDir` or `cache: true` use: entries and bytes by kind, the limit, and when
 * the oldest was used.
 *
 * @example
 * import { cacheInfo } from 'untold-cook';
 *
 * const { document } = await cacheInfo({ cacheDir: 'build/cache' });
 * console.log(document?.entries, document?.bytes);
 */
export async function cacheInfo(options: CacheInfoOptions = {}): Promise<CacheResult<CacheDocument>> {
  return (await import('./library/cache.ts')).runCacheInfo(options);
}

/**
 * Removes the entries of a cache, all or those of one kind, and nothing else; with `dryRun` tells what that would be. Cooks that use it meanwhile make them again.
 *
 * @example
 * import { clearCache } from 'untold-cook';
 *
 * const { document } = await clearCache({ cacheDir: 'build/cache' });
 * console.log(document?.entries);
 */
export async function clearCache(options: ClearCacheOptions = {}): Promise<CacheResult<ClearedCache>> {
  return (await import('./library/cache.ts')).runClearCache(options);
}

/**
 * Removes the entries of a cache that were not used for `maxAge`, and then those that were not used for longest until it is no
 * larger than `maxSize` bytes; without either those that were not used for 30 days.
 *
 * @example
 * import { pruneCache } from 'untold-cook';
 *
 * const { document } = await pruneCache({ cacheDir: 'build/cache', maxAge: '8w' });
 * console.log(document?.entries, document?.left.bytes);
 */
export async function pruneCache(options: PruneCacheOptions = {}): Promise<CacheResult<ClearedCache>> {
  return (await import('./library/cache.ts')).runPruneCache(options);
}

/**
 * What a diagnostic code means and what to do about it; without a code, all of them in order. Throws SourceError UC1010
 * for a code that does not exist.
 *
 * @example
 * import { explain } from 'untold-cook';
 *
 * console.log(explain('UC1203').remedy);
 */
export function explain(code: string): Explanation;
export function explain(): readonly Explanation[];
export function explain(code?: string): Explanation | readonly Explanation[] {
  return code === undefined ? explainAll() : explainCode(code);
}

/**
 * The codes whose explanations hold every word of a text.
 *
 * @example
 * import { findCodes } from 'untold-cook';
 *
 * for (const { code, title } of findCodes('texture coordinates')) console.log(code, title);
 */
export function findCodes(text: string): readonly Explanation[] {
  return searchCodes(text);
}

/**
 * The tasks of docs/guide.md that hold every word of a text.
 *
 * @example
 * import { findTasks } from 'untold-cook';
 *
 * for (const { title, place } of findTasks('lightmap')) console.log(title, place);
 */
export function findTasks(text: string): readonly GuideTask[] {
  return searchTasks(text);
}

/**
 * Gives the way to write a report beside the output of a call: a file whole or not at all, at an absolute path. It throws
 * SourceError UC4000, UC4001 or UC4004. Loaded first and then called at once, because a process that is interrupted does not wait.
 */
export async function reportWriter(): Promise<(path: string, content: string | Uint8Array, option?: string) => void> {
  return (await import('./library/writeReport.ts')).writeReport;
}

/**
 * Gives the ways to write the outcome of a call as a page for people: what `read` finds in the outputs, and the page itself,
 * one HTML file. Loaded first, because a process that is interrupted does not wait.
 */
export async function pageWriter(): Promise<PageWriter> {
  const [{ reportPage, REPORT_BEGINNING }, { reportedSets }] = await Promise.all([
    import('./library/report/page.ts'),
    import('./library/report/reportedSets.ts'),
  ]);
  return { beginning: REPORT_BEGINNING, read: reportedSets, page: reportPage };
}

export interface PageWriter {
  /** How every page begins. */
  readonly beginning: string;
  /** By source, what a page shows of its output. */
  readonly read: (
    results: readonly SourceResult[],
    questions: SetQuestions,
  ) => Promise<ReadonlyMap<string, ReportedSet>>;
  readonly page: (call: ReportedCall) => string;
}

// For programs that have a command line of their own: the table of options, its checks, presets, exit codes, and the
// files to remove when the process ends in the middle of a call.
export { formatBytes } from './bytes/units.ts';
export { type FileCommand, fileExtensions } from './config/fileKinds.ts';
export { nearest } from './config/nearest.ts';
export { BAKE_CALL_OPTIONS, BAKE_LODS_CALL_OPTIONS } from './config/options/bakeOptions.ts';
export {
  bothFlags,
  camelCase,
  type OptionKind,
  type OptionSpec,
  type OptionsOf,
  type OptionTable,
  type OptionValue,
  shownFlag,
} from './config/options/option.ts';
export { COMMAND_OPTIONS, type CommandOption, PRINT_GROUP } from './config/options/table.ts';
export { absoluteValue, checkValue, parseText, Refusal, writtenValue } from './config/options/values.ts';
export { targetExtension } from './config/outputFormat.ts';
export { shippedPresets } from './config/presets.ts';
export { showPath } from './config/showPath.ts';
export { SOURCE_EXTENSIONS } from './config/sources.ts';
export { isPack } from './config/targets.ts';
export type { CookTarget } from './config/types.ts';
export type { PlanOutcome, TileOutcome } from './cook/steps/plan/planOutcome.ts';
export type { CookOutput, CookTotals, LevelTotals, MorphTotals } from './cook/types.ts';
export type { ZoneFigures, ZoneObject } from './cook/zone/figures.ts';
export type { Code, Diagnostic, Severity } from './diagnostics/diagnostic.ts';
export { diagnostic, SourceError } from './diagnostics/diagnostic.ts';
export type { ShownValue, StagePrimRow } from './importers/index.ts';
export { outermostFile } from './importers/packages.ts';
export type { AdviseOptions, AdviseResult } from './library/advise/advise.ts';
export type { Advice, AdviceKind, AdviseDocument } from './library/advise/document.ts';
export type { BakedModel, BakeLodsDocument, BakeLodsOptions, BakeLodsResult } from './library/bake/bakeLods.ts';
export type { BakeDocument, BakedTexture, BakeOptions, BakeResult } from './library/bake/bakeTextures.ts';
export type {
  CacheDocument,
  CachedProject,
  CacheInfoOptions,
  CacheResult,
  ClearCacheOptions,
  ClearedCache,
  PruneCacheOptions,
} from './library/cache.ts';
export type { CallOptions } from './library/call/checkOptions.ts';
export { type Environment, folderOfMessages, type Surrounded, workingFolder } from './library/call/environment.ts';
export { exitCodeOf, worst as worstExitCode } from './library/call/exitCode.ts';
export { stackLines, thrownDiagnostics } from './library/call/faults.ts';
export { withPreset } from './library/call/mergePreset.ts';
export { knownCode } from './library/call/policy.ts';
export { shownDiagnostic } from './library/call/shownDiagnostic.ts';
export type { CallTotals, CallWork, FileSum, PlannedTotals } from './library/callSums.ts';
export { callTotals, plannedTotals } from './library/callTotals.ts';
export type { CheckAllDocument, CheckDocument, CheckOptions, CheckResult } from './library/check/check.ts';
export type { HeavyMaterial, HeavyPayload, HeavyTexture } from './library/check/contributors.ts';
export type { CookVerdict, DeviceVerdict, WorstPlace } from './library/check/deviceVerdict.ts';
export type { Figures } from './library/check/measure.ts';
export type { CheckedMeasure } from './library/check/verdict.ts';
export type { CleanDocument, CleanOptions, CleanResult, RemovedOutput } from './library/clean.ts';
export type { CookOptions, CookResult, SourceProgress, SourceResult } from './library/cookTypes.ts';
export type {
  DiffDocument,
  DiffFact,
  DiffLevel,
  DiffLevelFacts,
  DiffOptions,
  DiffResult,
  DiffSet,
  DiffSetsDocument,
  DiffTexture,
  DiffTile,
  DiffTotals,
  Pair,
} from './library/diff/diff.ts';
export type { PicturedDifference } from './library/diff/pictures.ts';
export type { Explanation } from './library/explain.ts';
export type { ExportRoots } from './library/exportRoots.ts';
export type { Likeness } from './library/fit/likeness.ts';
export type { FitReport, FittedTexture } from './library/fit/report.ts';
export { fitLine } from './library/fit/report.ts';
export type { GuideTask } from './library/guideTasks.ts';
export type { ImportResult, ReadOptions } from './library/importScene.ts';
export type { InitDocument, InitOptions, InitResult, InitSources } from './library/init.ts';
export type {
  InspectDocument,
  InspectOptions,
  InspectResult,
  ManifestDocument,
  OutputTotals,
  ShardDocument,
  StageDocument,
  UntoldDocument,
  UntoldPackDocument,
  UtexDocument,
} from './library/inspect.ts';
export type { FolderDocument, FolderEntry } from './library/inspectFolder.ts';
export type { BpxDocument, GalileoDocument, InspectedEntry } from './library/inspectPackage.ts';
export type { Urho3dDocument } from './library/inspectUrho3d.ts';
export type { ListedSources } from './library/listSources.ts';
export type { MergedSet, MergeOptions, MergeResult } from './library/merge.ts';
export type { PackageKind, PackDocument, PackedEntry, PackOptions, PackResult } from './library/pack/pack.ts';
export type { UnpackDocument, UnpackOptions, UnpackProgress, UnpackResult } from './library/pack/unpack.ts';
export type { ComparedLevel } from './library/render/compareLevels.ts';
export type {
  DrawnTile,
  RenderedOutput,
  RenderedView,
  RenderOptions,
  RenderResult,
  TurntablePicture,
} from './library/render/render.ts';
export type { RepeatedTextures } from './library/repeatedTextures.ts';
export type { ReportedCall, ReportedCase, ReportedRun, ReportedSet, ReportedSums } from './library/report/page.ts';
export type { MeshRow, SceneDocument } from './library/sceneDocument.ts';
export { type SourceOption, type SourceOptions, sourceOptions } from './library/sourceOptions.ts';
export type { CheckedFile, ValidateOptions, ValidateProgress, ValidateResult } from './library/validate.ts';
export type { VerifyCounts } from './library/verify/countFiles.ts';
export type { CheckedSource } from './library/verify/freshSets.ts';
export type { VerifyDocument, VerifyOptions, VerifyResult } from './library/verify/verify.ts';
export type { ViewOptions, ViewResult } from './library/view/view.ts';
export type {
  Change,
  Saving,
  SubjectKind,
  WhyAttribute,
  WhyDocument,
  WhyMaterial,
  WhyMesh,
  WhyPayload,
  WhyTexture,
  WhyTotals,
} from './library/why/document.ts';
export type { WhyOptions, WhyResult } from './library/why/why.ts';
export { discardUnfinished } from './output/openSets.ts';
export type * from './scene/types.ts';
