// bakeLods(): LOD chains for the models of a pack that is there, or level files beside a single model, by the ratios and the formula of
// the engine's own cook. A model that fails does not stop the others.

import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BAKE_LODS_CALL_OPTIONS } from '../../config/options/bakeOptions.ts';
import { type OptionsOf, settle } from '../../config/options/option.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { listedByOthers } from '../../cook/outputs/pack/packFiles.ts';
import { type Diagnostic, Diagnostics, fail, SourceError, sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import { faultsOf } from '../../diagnostics/environment.ts';
import { textureFiles } from '../../formats/textureFiles.ts';
import { levelFacts, levelFaults } from '../../formats/untold/check/level.ts';
import { encodeLevel, openModel } from '../../formats/untold/levelFile.ts';
import { type ChainLevel, climbs, isPackPath, levelPath, type UntoldPack } from '../../formats/untoldpack/document.ts';
import { validatePack } from '../../formats/untoldpack/validate.ts';
import { levelText, manifestText } from '../../formats/untoldpack/write.ts';
import { isFile, readWhole, readWholeText, statusOf } from '../../importers/wholeFile.ts';
import { OutputSet } from '../../output/outputSet.ts';
import { KEPT_TEXTURES } from '../../textures/types.ts';
import { cookChain } from '../../workers/jobs/chain/cookChain.ts';
import { storedSurface } from '../../workers/jobs/chain/storedSurface.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { folderOfMessages, workingFolder } from '../call/environment.ts';
import { exitCodeOf } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { writeWhole } from '../call/writeWhole.ts';

/** The options of `untold bake-lods` in camelCase, and a callback, which must not throw. */
export interface BakeLodsOptions extends OptionsOf<typeof BAKE_LODS_CALL_OPTIONS>, CallOptions {
  /** Called after each model. */
  readonly onModel?: ((model: string, done: number, total: number) => void) | undefined;
}

/** A model whose levels were made, or not. */
export interface BakedModel {
  /** Relative to the working folder, with `/`. */
  readonly path: string;
  /** The finest first; paths are relative to the folder of the pack or of the model. */
  readonly levels: readonly Required<ChainLevel>[];
  /** In words why it has none; null: it has some. */
  readonly leftOut: string | null;
}

export interface BakeLodsDocument {
  readonly models: readonly BakedModel[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface BakeLodsResult {
  /** What `untold bake-lods` would end with. */
  readonly exitCode: number;
  /** Null: the call was refused. */
  readonly document: BakeLodsDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** How levels are made. */
interface Recipe {
  readonly ratios: readonly number[];
  readonly minTriangles: number;
  readonly pixelsPerTriangle: number;
}

/** Levels that a chain of the engine has at most. */
const MAX_LEVELS = 8;
const TAKEN = 'the name of a level is taken';

/** What is known of level files that are there, by paths relative to the folder of the pack or of the model. */
interface KnownLevels {
  /** Those that the manifest of the pack lists. */
  readonly listed: ReadonlySet<string>;
  readonly isListedByOthers: (path: string) => boolean;
}

/**
 * The levels that lie beside a model already, by their numbers; false for a file that is no level of it, or that another pack
 * lists. A level that the manifest lists may be of an earlier export of the model.
 */
async function levelsBeside(
  path: string,
  relative: string,
  file: Uint8Array,
  { listed, isListedByOthers }: KnownLevels,
): Promise<ReadonlyMap<number, boolean>> {
  const found = new Map<number, boolean>();
  const model = await levelFacts(file, path);
  for (let number = 1; number <= MAX_LEVELS && model !== null; number++) {
    const beside = levelPath(path, number);
    if (!isFile(beside)) continue;
    const name = levelPath(relative, number);
    const level = isListedByOthers(name) ? null : await levelFacts(readWhole(beside), beside);
    const isLevel = level !== null && level.container.fileType === 'lod';
    found.set(number, isLevel && (listed.has(name) || levelFaults(model, model, level).length === 0));
  }
  return found;
}

/** The levels of a model before they are written. */
interface MadeLevels extends Omit<BakedModel, 'path'> {
  /** One for each level. */
  readonly files: readonly Uint8Array[];
  /** The numbers of levels that are there and that these do not replace. */
  readonly stale: readonly number[];
}

/**
 * Makes the levels of a model; `model`: its path relative to the folder of the pack, or its name. Throws what is wrong with the
 * model.
 */
async function makeLevels(
  path: string,
  name: string,
  model: string,
  known: KnownLevels,
  recipe: Recipe,
): Promise<MadeLevels> {
  const file = readWhole(path);
  const opened = await openModel(file, name);
  const none = { levels: [], files: [], stale: [] };
  if ((await levelFacts(file, name))?.container.fileType === 'lod') {
    return { ...none, leftOut: 'it is a level itself' };
  }
  const beside = await levelsBeside(path, model, file, known);
  const taken = [...beside].filter(([number, isOwn]) => !isOwn && number <= recipe.ratios.length);
  if (taken.length > 0) return { ...none, leftOut: TAKEN };
  const surfaces = opened.parts.map(({ material }) => storedSurface(opened.materials[material]));
  const textures = textureFiles(KEPT_TEXTURES);
  const images = async () => null;
  const made = await cookChain({ model: opened, surfaces, images, textures, quality: null, ...recipe });
  const levels: Required<ChainLevel>[] = [];
  const files: Uint8Array[] = [];
  for (const [i, { packed, screenSize, triangles, error }] of made.levels.entries()) {
    files.push(await encodeLevel(file, name, opened.parts, packed));
    levels.push(levelText({ path: levelPath(model, i + 1), screenSize, triangles, error }));
  }
  const stale = [...beside].filter(([number, isOwn]) => isOwn && number > levels.length).map(([number]) => number);
  return { levels, files, stale, leftOut: made.leftOut };
}

/** A pack as its text has it, values that are not known too. Throws its errors. */
function packAt(path: string, name: string): { readonly value: UntoldPack; readonly models: readonly string[] } {
  const text = readWholeText(path);
  const size = (model: string) => statusOf(join(dirname(path), model)).stat?.size ?? null;
  const { pack, models, diagnostics } = validatePack(text, name, { size });
  const errors = diagnostics.filter(({ severity, code }) => severity === 'error' && !/^UC318/.test(code));
  if (errors.length > 0 || pack === null) throw new SourceError(errors.length > 0 ? errors : diagnostics);
  return { value: pack, models };
}

async function bakeAll(given: BakeLodsOptions, cwd: string, diagnostics: Diagnostics): Promise<BakedModel[]> {
  const options = settle(BAKE_LODS_CALL_OPTIONS, checkOptions(BAKE_LODS_CALL_OPTIONS, given, cwd));
  const { input, ratios, minTriangles, pixelsPerTriangle } = options;
  if (input === undefined) return fail('UC1002', '', '--input', 'no pack and no model is named', 'give --input FILE');
  if (ratios === 'auto' || ratios.length === 0) {
    return fail('UC1003', '', '--ratios', 'it takes shares of triangles', 'give them as 0.5,0.15,0.03');
  }
  const name = showPath(input, cwd);
  if (!isFile(input)) fail('UC1200', name, '', 'no such file');
  const recipe = { ratios, minTriangles, pixelsPerTriangle };
  const folder = dirname(input);
  const main = basename(input);
  // The files of a pack are replaced together: a call that ends early leaves the pack as it was.
  const set = isPackPath(input)
    ? OutputSet.open({ base: folder, main, earlier: () => new Map([[main, null]]), force: true })
    : null;
  try {
    const pack = set && packAt(input, name);
    const before = new Map(Object.entries(pack?.value.lodChains ?? {}));
    const known = {
      listed: new Set([...before.values()].flatMap((levels) => levels.map(({ path }) => path))),
      isListedByOthers: listedByOthers(folder, main),
    };
    const chains = new Map<string, readonly ChainLevel[]>();
    const baked: BakedModel[] = [];
    const stale: string[] = [];
    const models = pack?.models ?? [main];
    for (const [i, model] of models.entries()) {
      throwIfAborted(given.signal);
      const path = join(folder, model);
      const shown = showPath(path, cwd);
      let made: MadeLevels | null = null;
      try {
        if (climbs(model))
          fail('UC3194', name, 'models', `${model} leads out of the folder of the pack, where nothing is written`);
        made = await makeLevels(path, shown, model, known, recipe);
      } catch (error) {
        const faults = faultsOf(error, path);
        if (faults === null) throw error;
        for (const fault of faults) diagnostics.add(fault);
        const kept = before.get(model);
        if (kept) chains.set(model, kept);
      }
      if (made !== null) {
        const { levels, leftOut, files } = made;
        for (const [k, bytes] of files.entries()) {
          if (set) set.write(levels[k].path, bytes);
          else writeWhole(join(folder, levels[k].path), bytes, '--input');
        }
        stale.push(...made.stale.map((number) => levelPath(path, number)));
        baked.push({ path: shown, levels, leftOut });
        if (leftOut !== null) diagnostics.report(leftOut === TAKEN ? 'UC2086' : 'UC2085', shown, '', leftOut);
        const kept = leftOut === TAKEN ? before.get(model) : levels;
        if (kept && kept.length > 0) chains.set(model, kept);
      }
      given.onModel?.(shown, i + 1, models.length);
    }
    if (set && pack) {
      throwIfAborted(given.signal);
      set.write(main, new TextEncoder().encode(manifestText(pack.value, Object.fromEntries(chains))));
      for (const warning of set.commit()) diagnostics.add(warning);
    }
    for (const path of stale) rmSync(path, { force: true });
    return baked;
  } finally {
    set?.discard();
  }
}

/** Runs a call of bakeLods(). Rejects only for a bug. */
export async function runBakeLods(given: BakeLodsOptions): Promise<BakeLodsResult> {
  try {
    throwIfAborted(given.signal);
    const cwd = workingFolder(given);
    const diagnostics = new Diagnostics();
    const models = await bakeAll(given, cwd, diagnostics);
    const shown = sortDiagnostics(diagnostics.list).map((item) => shownDiagnostic(item, folderOfMessages(given)));
    return { exitCode: exitCodeOf(shown), document: { models, diagnostics: shown }, diagnostics: shown };
  } catch (error) {
    return { document: null, ...failedCall(error, given) };
  }
}
