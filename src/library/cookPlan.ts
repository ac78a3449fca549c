// The work of a call of cook(), decided before the first byte is read: the sources, where each one goes, the settings.

import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { askedOptions } from '../config/askedOptions.ts';
import { type GivenValues, layerValues, type SettledOptions, settle } from '../config/options/option.ts';
import { COOK_CALL_OPTIONS } from '../config/options/table.ts';
import { checkOutEach, outEachRoot } from '../config/outEach.ts';
import { outputFormat, refuseForFormat } from '../config/outputFormat.ts';
import { checkOutputName } from '../config/outputName.ts';
import type { Preset } from '../config/presets.ts';
import { deviceNamed } from '../config/projectDevices.ts';
import { type ProjectFile, realPlace } from '../config/projectFile.ts';
import { assetSearch, cookSettings, limitsOf, textureMode, unusedTextureOptions } from '../config/settings.ts';
import { type ShardNumber, shardNumber } from '../config/shard.ts';
import { showPath } from '../config/showPath.ts';
import { type FoundSource, findSources, SOURCE_EXTENSIONS } from '../config/sources.ts';
import {
  isPack,
  mainFile,
  type PlannedTarget,
  planTargets,
  withExporterNames,
  withOthersBeside,
  withShard,
  withSharedTextures,
} from '../config/targets.ts';
import { zoneFiles, zoneSettings } from '../config/zoneSettings.ts';
import { TEXTURE_FOLDER } from '../cook/outputs/pack/modelNames.ts';
import type { CookJob } from '../cook/types.ts';
import { type Diagnostic, diagnostic, fail } from '../diagnostics/diagnostic.ts';
import type { SeverityPolicy } from '../diagnostics/policy.ts';
import type { Device } from '../engine/devices.ts';
import { extensionsFor } from '../formats/kinds.ts';
import { DEFAULT_FORMAT, FORMATS, type FormatId, formatOfName } from '../formats/registry.ts';
import { fileSha256 } from '../importers/fileStamp.ts';
import type { AssetSearch } from '../importers/files.ts';
import { defaultRoot } from '../importers/files.ts';
import { isFolder, statusOf } from '../importers/wholeFile.ts';
import type { TextureMode } from '../textures/types.ts';
import { checkName, joinedSources, type SourceChoices } from './asOne.ts';
import {
  type BuildWords,
  refuseAbsentSources,
  refuseWithoutOutput,
  refuseWithoutSources,
  sourcesOfProject,
} from './call/build.ts';
import { checkOptions } from './call/checkOptions.ts';
import { type Environment, environmentOf, type Surrounded, workingFolder } from './call/environment.ts';
import { type CookAndPrintOptions, inOwnFiles, type MergedOptions, mergePreset } from './call/mergePreset.ts';
import { severityPolicy } from './call/policy.ts';
import type { CookOptions } from './cookTypes.ts';
import { endsLikeSource, leftOutNote, outputInside } from './sourceNotes.ts';

export interface CookPlan {
  readonly jobs: readonly CookJob[];
  /** For each job whether its source was named, not found in a folder or by a pattern. */
  readonly isNamed: readonly boolean[];
  /** What is to be known of the choice of sources. */
  readonly notes: readonly Diagnostic[];
  /** For each job why it is not begun; null: nothing is in its way. */
  readonly faults: readonly (Diagnostic | null)[];
  /** The folder that the outputs share their textures in; null: they do not. */
  readonly shared: string | null;
  /** When the time of the call is over, in milliseconds since 1970; null: never. */
  readonly deadline: number | null;
  readonly environment: Environment;
  readonly options: SettledOptions<typeof COOK_CALL_OPTIONS>;
  readonly preset: Preset | null;
  readonly project: ProjectFile | null;
  /** What the words of the call mean. */
  readonly build: BuildWords;
  readonly policy: SeverityPolicy;
  /** What the outputs have to fit; null: nobody asks. */
  readonly device: Device | null;
  /** Whether they are made to fit it. */
  readonly isFitted: boolean;
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Sources that others bring in. The code for USD is loaded only where there is something to compare. */
async function partsAmong(
  found: readonly FoundSource[],
  root: string | null,
  search: AssetSearch,
): Promise<ReadonlySet<FoundSource>> {
  if (found.length < 2 || found.every(({ isNamed }) => isNamed)) return new Set();
  return (await import('../config/dependencies.ts')).partsOfOthers(found, root, search);
}

/** What a file is on its disk, whatever it is called; null: it is not there. */
function identityOf(path: string): string | null {
  const { stat } = statusOf(path);
  return stat?.isFile() ? `${stat.dev} ${stat.ino}` : null;
}

/** The targets, with the fault UC1050 where one is a source of the call; `names`: of the sources, as messages call them. */
function withoutSources(
  planned: readonly PlannedTarget[],
  sources: readonly { readonly path: string; readonly name: string }[],
  cwd: string,
): PlannedTarget[] {
  const nameOf = new Map(sources.map(({ path, name }) => [identityOf(path), name]));
  return planned.map(({ target, fault }, i) => {
    const main = mainFile(target);
    const identity = identityOf(main);
    const source = identity === null ? undefined : nameOf.get(identity);
    if (fault !== null || source === undefined) return { target, fault };
    const message = `it would be written to ${showPath(main, cwd)}, which is ${source === sources[i]?.name ? 'the source itself' : `the source ${source}`}`;
    return { target, fault: diagnostic('UC1050', sources[i]?.name ?? source, '', message) };
  });
}

/** The folder of textures that the call's outputs share; null: each has its own. Throws UC1012 for options that ask for something else. */
function sharedFolder(
  { outEach, texturesDir, shareTextures = false, remote = false }: CookPlan['options'],
  planned: readonly PlannedTarget[],
  format: FormatId,
  out: string | null,
): string | null {
  if (shareTextures) {
    const refuse = (message: string, remedy: string) => fail('UC1012', '', '--share-textures', message, remedy);
    // Files of --out-each share their textures anyway: a project may say it for sets and files alike.
    const areFiles = outEach === undefined && planned.some(({ target }) => target.kind === 'file');
    if (areFiles) return refuse('it is for sets of tiles, and the output is one file', 'leave it out');
    if (remote) {
      const message =
        'the engine refuses textures above the folder of a tile that it downloads, and --remote was given';
      return refuse(message, 'leave one of them out');
    }
    if (texturesDir === undefined && out !== null && outEach === undefined) return join(out, TEXTURE_FOLDER);
  }
  const honoured: readonly string[] = FORMATS[format].options;
  if (!honoured.includes('textures-dir')) return null;
  if (texturesDir !== undefined && planned.some(({ target }) => target.kind === 'folder')) {
    fail(
      'UC1012',
      '',
      '--textures-dir',
      'a tile set keeps its textures in its own folder',
      'leave it out; sets of one --out may share theirs with --share-textures',
    );
  }
  if (texturesDir !== undefined) return texturesDir;
  if (outEach !== undefined) return join(outEachRoot(outEach), TEXTURE_FOLDER);
  const pack = planned.find(({ target }) => isPack(target));
  return pack ? join(dirname(mainFile(pack.target)), TEXTURE_FOLDER) : null;
}

/** The targets; a set whose payloads would lie in the folder that all sets share has the fault UC1005. */
function withoutTextureSets(
  planned: readonly PlannedTarget[],
  sources: readonly { readonly name: string }[],
  shared: string,
): PlannedTarget[] {
  const isShared = ({ target }: PlannedTarget) =>
    target.kind === 'folder' && join(target.folder, target.sceneName).toLowerCase() === shared.toLowerCase();
  return planned.map((one, i) => {
    if (one.fault !== null || !isShared(one)) return one;
    const message = `its tiles would lie in ${TEXTURE_FOLDER}, where all sets have their textures`;
    const remedy = 'give the source another name, or leave --share-textures out';
    return { ...one, fault: diagnostic('UC1005', sources[i].name, '', message, remedy) };
  });
}

/** The part that is cooked; null: all. Throws UC1003, and UC1012 for options that cook something else than a set. */
function shardOf(
  { shard, only, dryRun = false, outEach }: CookPlan['options'],
  out: string,
  env: Environment['env'],
): ShardNumber | null {
  if (shard === undefined) return null;
  const other = only !== undefined ? '--only' : dryRun ? '--dry-run' : outEach !== undefined ? '--out-each' : null;
  if (other !== null) fail('UC1012', '', '--shard', `${other} was given too`);
  if (formatOfName(out) !== null) {
    fail('UC1012', '', '--shard', '--out names a single file, which has no parts', 'give a folder to --out');
  }
  return shardNumber(shard, env);
}

type CallSettings = SettledOptions<typeof COOK_CALL_OPTIONS>;

/** The device that --device or --fit names; null: neither is given. Throws UC1003, and UC1012 for two devices. */
function deviceOf({ device, fit }: CallSettings, project: ProjectFile | null, cwd: string): Device | null {
  if (device !== undefined && fit !== undefined && device !== fit) {
    fail('UC1012', '', '--fit', `${fit} was given, and --device ${device}`, 'leave --device out');
  }
  const name = fit ?? device;
  return name === undefined
    ? null
    : deviceNamed(name, project?.devices, project ? showPath(project.path, cwd) : '', fit ? '--fit' : '--device');
}

/** Throws UC1012 for options whose output --fit cannot change, or not alone. */
function refuseFit({ fit, only, shard }: CallSettings, mode: TextureMode, format: FormatId): void {
  if (fit === undefined) return;
  const refuse = (message: string, remedy: string) => fail('UC1012', '', '--fit', message, remedy);
  if (format !== DEFAULT_FORMAT) {
    refuse(`${format} is written, of which devices hold something else`, `leave --fit out, or write ${DEFAULT_FORMAT}`);
  }
  if (mode !== 'utex') {
    refuse(`--textures ${mode} was given, and only those of utex get smaller`, 'give --textures utex, or leave it out');
  }
  if (only !== undefined || shard !== undefined) {
    const flag = only !== undefined ? '--only' : '--shard';
    refuse(`${flag} was given, and a part does not tell whether the whole fits`, `cook all, or leave --fit out`);
  }
}

/** What a preset or project file says of printing is left to the command line. */
function settled({ json, quiet, verbose, logFormat, hide, ...merged }: CookAndPrintOptions): CallSettings {
  return settle(COOK_CALL_OPTIONS, merged);
}

/** What all sources of a call share. */
interface OfCall {
  readonly device: Device | null;
  readonly cwd: string;
}

function choicesOf(options: CallSettings, format: FormatId, { device, cwd }: OfCall): SourceChoices {
  const { colorGrade } = options;
  const viewerZone = zoneSettings(options, device, cwd);
  const settings = {
    ...cookSettings(options, format),
    // A tree of nodes would bring an entity for each, and what is merged has no node of its own.
    ...(viewerZone ? { viewerZone, flatten: true as const, ...oneLevel(options) } : {}),
    shareTextures: options.shareTextures ? (true as const) : undefined,
  };
  return {
    settings: colorGrade === undefined ? settings : { ...settings, colorGrade: contentHash(colorGrade) },
    // With a zone the device decides bytes, too.
    asked: {
      ...askedOptions(options),
      ...(viewerZone && device ? { [options.fit === undefined ? '--device' : '--fit']: device.id } : {}),
    },
    search: assetSearch(options, cwd),
    policy: severityPolicy(options),
    limits: limitsOf(options),
    ...(colorGrade === undefined ? {} : { colorGrade }),
    ...(viewerZone ? { zoneFiles: zoneFiles(options.viewerZone ?? [], cwd) } : {}),
  };
}

/** What is cooked for a zone has one level, unless levels are asked for. */
function oneLevel({ lod, hlod }: CallSettings): Pick<CookJob['settings'], 'lods' | 'hlod'> {
  return { lods: lod === 'auto' ? [] : lod, hlod: hlod === 'auto' ? null : hlod };
}

/** The SHA-256 of a file that decides the bytes of the output; '' where it cannot be read, which the cook reports. */
function contentHash(path: string): string {
  try {
    return fileSha256(path);
  } catch {
    return '';
  }
}

/** The choices for each source; sources that the same overrides match share them. */
function choicesBySource(
  { layersOf }: MergedOptions,
  format: FormatId,
  ofCall: OfCall,
): (path: string) => SourceChoices {
  const known = new Map<string, SourceChoices>();
  return (path) => {
    const layers = layersOf(path);
    const key = JSON.stringify(layers.map(({ from }) => from));
    let choices = known.get(key);
    if (!choices) {
      const values = layerValues(...layers.map(({ values }) => values));
      refuseForFormat(values, format);
      choices = choicesOf(settled(values as CookAndPrintOptions), format, ofCall);
      known.set(key, choices);
    }
    return choices;
  };
}

/** The word that stands for standard input. A file of this name is `./-`. */
const STDIN = '-';
const STDIN_NAME = 'stdin';

interface StdinSource {
  /** Absolute: what its name stands for. There need be no such file. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** What `-` stands for, if it is among the words. Throws UC1060 where there is nothing, UC1012 for a name without it. */
function stdinSource(
  words: readonly string[],
  given: { readonly stdin?: Uint8Array | undefined },
  name: string | undefined,
  cwd: string,
): StdinSource | null {
  const times = words.filter((word) => word === STDIN).length;
  if (times === 0) {
    if (name !== undefined) fail('UC1012', '', '--stdin-name', 'given without the source -');
    return null;
  }
  if (times > 1) fail('UC1060', '', STDIN, `standard input was named ${times} times`, 'name it once');
  if (name === '') fail('UC1003', '', '--stdin-name', '"" was given, which is no name', 'give a name like chair.glb');
  if (given.stdin === undefined) return fail('UC1060', '', STDIN, 'there is no standard input');
  return { path: resolve(cwd, name ?? STDIN_NAME), content: given.stdin };
}

/** What messages call the root: where it comes from, if not from the command line. */
function rootName(root: string | undefined, { layersOf }: MergedOptions, cwd: string): string {
  if (root === undefined) return '--root';
  const layer = layersOf(null).findLast(({ values }) => values.root !== undefined);
  const from = layer?.from ? `, the root that ${layer.from} sets` : ', which --root names';
  return `${showPath(root, cwd)}${from}`;
}

/** Throws SourceError with exit code 2 or 3 for everything that can be refused before a source is opened. */
export async function planCook(
  asked: readonly string[],
  given: Surrounded & Pick<CookOptions, 'stdin' | 'asExporter'>,
): Promise<CookPlan> {
  const environment = environmentOf(given);
  const cwd = workingFolder(given);
  const begun = performance.timeOrigin + performance.now();
  const merged = mergePreset(checkOptions(COOK_CALL_OPTIONS, given, cwd), cwd, environment.env, asked);
  try {
    return await planMerged(merged, given, begun);
  } catch (error) {
    throw inOwnFiles(error, merged);
  }
}

/** `begun`: when the call began, in milliseconds since 1970. */
async function planMerged(
  merged: MergedOptions,
  given: Surrounded & Pick<CookOptions, 'stdin' | 'asExporter'>,
  begun: number,
): Promise<CookPlan> {
  const environment = environmentOf(given);
  const cwd = workingFolder(given);
  const { preset, project, build } = merged;
  const { words } = build;
  const options = settled(merged.options);
  const policy = severityPolicy(options);
  const { dryRun = false, force = false, only = null, incremental = false } = options;
  const device = deviceOf(options, project, cwd);
  if (options.cache === false && options.cacheDir !== undefined) {
    fail('UC1012', '', '--no-cache', '--cache-dir was given too');
  }
  if (words.length === 0) refuseWithoutSources(build, project, cwd);
  // Names in a plan are relative to the output: it is the same for any.
  const { outEach = null } = options;
  const out = options.out ?? (dryRun && outEach === null ? cwd : null);
  if (out === null && outEach === null) {
    if (project && build.isProjects) refuseWithoutOutput(build.target, project, cwd);
    const file = `FILE${FORMATS[DEFAULT_FORMAT].extension}`;
    fail('UC1002', '', '--out', 'no output is named', `give --out DIR or --out ${file}, or --out-each PATTERN`);
  }
  if (out !== null) checkOutputName(out, cwd);
  const shard = shardOf(options, out ?? '', environment.env);
  if (out !== null && outEach !== null) fail('UC1012', '', '--out-each', '--out was given too');
  const format = outputFormat(options, out, outEach);
  refuseForFormat(merged.options as GivenValues, format);
  const { asOne } = options;
  if (asOne !== undefined) checkName(asOne);
  if (asOne !== undefined && outEach !== null) {
    fail('UC1012', '', '--as-one', '--out-each was given too, which makes a file of each source');
  }
  if (options.root !== undefined && !isFolder(options.root)) {
    fail('UC1003', '', '--root', `${showPath(options.root, cwd)} is not a folder`, 'give a folder that exists');
  }
  const root = options.root === undefined ? null : realFolder(options.root);
  const { ignore = [], includeDependencies = false } = options;
  if (project && build.isProjects) refuseAbsentSources(build, project, cwd);
  const stdin = stdinSource(words, given, options.stdinName, cwd);
  const ofDisk = stdin ? words.filter((word) => word !== STDIN) : words;
  const search = {
    extensions: SOURCE_EXTENSIONS,
    readable: extensionsFor('cook'),
    ignore,
    ignoreBase: merged.ignoreBase,
    shownFrom: cwd,
  };
  const onDisk = sourcesOfProject(merged, cwd, () => findSources(ofDisk, build.base, search));
  const written = onDisk.some(({ path, isNamed }) => !isNamed && endsLikeSource(path))
    ? await (await import('./outputsAmong.ts')).outputsAmong(onDisk, { ...options, out, outEach }, cwd, environment.env)
    : new Set<FoundSource>();
  const found = onDisk.filter((source) => !written.has(source));
  if (found.length === 0 && written.size > 0) {
    fail('UC1004', '', '', `${written.size} found, all written by untold`, 'name the ones to be cooked by themselves');
  }
  const parts = includeDependencies ? new Set<FoundSource>() : await partsAmong(found, root, assetSearch(options, cwd));
  const cooked = [
    ...(stdin ? [{ path: stdin.path, isNamed: true }] : []),
    ...found.filter((source) => !parts.has(source)),
  ];
  const sources = cooked.map(({ path }) => ({ path, folder: realFolder(dirname(path)), name: showPath(path, cwd) }));
  // Refuses what no source could be cooked with.
  cookSettings(options, format);
  const { extension } = FORMATS[format];
  if (outEach !== null) checkOutEach(outEach, extension);
  const renames = options.onClash === 'rename';
  const cwdReal = realFolder(cwd);
  // The one set lies in the output folder itself.
  const outputs = asOne === undefined ? sources : [{ path: join(cwd, asOne), folder: cwdReal, name: asOne }];
  const dirBase = realFolder(merged.outEachBase);
  const rootOfOutputs = asOne === undefined ? root : null;
  const planned = withOthersBeside(
    planTargets(outputs, {
      out,
      outEach,
      root: rootOfOutputs,
      rootName: rootName(options.root, merged, cwd),
      workingFolder: dirBase,
      extension,
      renames,
    }),
  );
  const shared = sharedFolder(options, planned, format, out);
  const whole =
    shared === null ? planned : withSharedTextures(withoutTextureSets(planned, outputs, shared), shared, realPlace);
  const named = given.asExporter ? withExporterNames(whole, given.asExporter) : whole;
  const parted = shard === null || out === null ? named : withShard(named, shard, out);
  const placed = withoutSources(parted, sources, cwd);
  const targets = placed.map(({ target }) => target);
  if (options.colorGrade !== undefined && targets.some(isPack)) {
    fail('UC1012', '', '--color-grade', 'a pack has no place for a look', 'leave it out, or cook one file or tiles');
  }
  if (only !== null && targets.length > 1) {
    fail('UC1003', '', '--only', `${targets.length} sources were named`, 'name the one source of that tile');
  }
  if (only !== null && targets[0]?.kind === 'file') {
    fail('UC1003', '', '--only', 'a single file has no tiles', 'give the folder of the tiles to --out');
  }
  const choices = choicesBySource(merged, format, { device, cwd });
  const opened = sources.map(({ path, name }) => ({
    path,
    source: name,
    content: path === stdin?.path ? stdin.content : null,
    root: root ?? defaultRoot(path),
  }));
  // One that cooks a part or reads no file is not recorded, nor one that depends on what is measured of it.
  const isPart = only !== null || shard !== null;
  const isRecorded = incremental && !dryRun && !isPart && stdin === null && options.fit === undefined;
  const { timeout } = options;
  const deadline = timeout === undefined ? null : begun + timeout * 1000;
  const ofRun = {
    force,
    dryRun,
    only,
    recordedFrom: isRecorded ? cwdReal : null,
    workingFolder: cwd,
    explains: options.explainRebuild ?? false,
    lockTimeout: options.lockTimeout,
    deadline,
  };
  const jobs =
    asOne === undefined
      ? opened.map(({ path, ...job }, i): CookJob => ({ ...job, target: targets[i], ...choices(path), ...ofRun }))
      : [
          {
            source: asOne,
            root: null,
            target: targets[0],
            ...joinedSources(opened, choicesOf(options, format, { device, cwd }), choices),
            ...ofRun,
          },
        ];
  const mode = textureMode(options, format);
  refuseFit(options, mode, format);
  const namesOf = (left: ReadonlySet<FoundSource>) => [...left].map(({ path }) => showPath(path, cwd));
  const searched = { words: ofDisk, cwd: build.base, ignore, ignoreBase: merged.ignoreBase };
  const inside = outputInside(searched, { out, outEach, isSet: targets.some(({ kind }) => kind === 'folder') });
  const notes = [
    ...build.notes,
    ...(parts.size === 0
      ? []
      : [leftOutNote('UC1020', namesOf(parts), (pronoun) => `other sources bring ${pronoun} in`)]),
    ...(written.size === 0
      ? []
      : [leftOutNote('UC1081', namesOf(written), (pronoun) => `untold has written ${pronoun}`)]),
    ...(inside ? [inside] : []),
    ...unusedTextureOptions(options, mode).map((flag) =>
      diagnostic('UC1015', '', flag, `no effect with --textures ${mode}`, `give --textures utex, or leave ${flag} out`),
    ),
  ];
  const isNamed = asOne === undefined ? cooked.map((source) => source.isNamed) : [true];
  return {
    jobs,
    isNamed,
    notes,
    faults: placed.map(({ fault }) => fault),
    shared,
    deadline,
    environment,
    options,
    preset,
    project,
    build,
    policy,
    device,
    isFitted: options.fit !== undefined,
  };
}
