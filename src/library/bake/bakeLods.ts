// bakeLods(): LOD chains for the models of a pack that is there, or level files beside a single model, by the ratios and the formula of
// the engine's own cook. A model that fails does not stop the others.

import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BAKE_LODS_CALL_OPTIONS } from '../../config/options/bakeOptions.ts';
import { type OptionsOf, settle } from '../../config/options/option.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, Diagnostics, fail, SourceError, sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import { faultsOf } from '../../diagnostics/environment.ts';
import { textureFiles } from '../../formats/textureFiles.ts';
import { levelFacts, levelFaults } from '../../formats/untold/check/level.ts';
import { encodeLevel, openModel } from '../../formats/untold/levelFile.ts';
import { type ChainLevel, climbs, isPackPath, levelPath, type UntoldPack } from '../../formats/untoldpack/document.ts';
import { validatePack } from '../../formats/untoldpack/validate.ts';
import { levelText, manifestText } from '../../formats/untoldpack/write.ts';
import { isFile, readWhole, readWholeText, statusOf } from '../../importers/wholeFile.ts';
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

/** The levels that lie beside a model already, by their numbers; false for a file that is no level of it. */
async function levelsBeside(
  path: string,
  file: Uint8Array,
  known: ReadonlySet<string>,
): Promise<ReadonlyMap<number, boolean>> {
  const found = new Map<number, boolean>();
  const model = await levelFacts(file, path);
  for (let number = 1; number <= MAX_LEVELS && model !== null; number++) {
    const beside = levelPath(path, number);
    if (!isFile(beside)) continue;
    const level = known.has(beside) ? null : await levelFacts(readWhole(beside), beside);
    const faults = level && levelFaults(model, model, level);
    found.set(number, known.has(beside) || faults?.length === 0);
  }
  return found;
}

/**
 * Makes the levels of a model and writes them beside it; `base`: what their paths are relative to, `known`: level files that a
 * manifest lists. Levels that are there already go. Throws what is wrong with the model, and what writing throws.
 */
async function bakeModel(
  path: string,
  name: string,
  base: string,
  known: ReadonlySet<string>,
  recipe: Recipe,
): Promise<Omit<BakedModel, 'path'>> {
  const file = readWhole(path);
  const model = await openModel(file, name);
  if ((await levelFacts(file, name))?.container.fileType === 'lod') {
    return { levels: [], leftOut: 'it is a level itself' };
  }
  const beside = await levelsBeside(path, file, known);
  const taken = [...beside].filter(([number, isOwn]) => !isOwn && number <= recipe.ratios.length);
  if (taken.length > 0) return { levels: [], leftOut: TAKEN };
  const surfaces = model.parts.map(({ material }) => storedSurface(model.materials[material]));
  const textures = textureFiles(KEPT_TEXTURES);
  const images = async () => null;
  const made = await cookChain({ model, surfaces, images, textures, quality: null, ...recipe });
  const levels: Required<ChainLevel>[] = [];
  for (const [i, { packed, screenSize, triangles, error }] of made.levels.entries()) {
    const place = levelPath(path, i + 1);
    writeWhole(place, await encodeLevel(file, name, model.parts, packed), '--input');
    const relative = base === '' ? basename(place) : levelPath(base, i + 1);
    levels.push(levelText({ path: relative, screenSize, triangles, error }));
  }
  for (const [number, isOwn] of beside)
    if (isOwn && number > levels.length) rmSync(levelPath(path, number), { force: true });
  return { levels, leftOut: made.leftOut };
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
  const pack = isPackPath(input) ? packAt(input, name) : null;
  const folder = dirname(input);
  const before = pack?.value.lodChains ?? {};
  const known = new Set(Object.values(before).flatMap((levels) => levels.map(({ path }) => join(folder, path))));
  const chains: Record<string, readonly ChainLevel[]> = {};
  const baked: BakedModel[] = [];
  const models = pack?.models ?? [basename(input)];
  for (const [i, model] of models.entries()) {
    throwIfAborted(given.signal);
    const path = join(folder, model);
    const shown = showPath(path, cwd);
    try {
      if (climbs(model))
        fail('UC3194', name, 'models', `${model} leads out of the folder of the pack, where nothing is written`);
      const made = await bakeModel(path, shown, pack ? model : '', known, recipe);
      baked.push({ path: shown, ...made });
      if (made.leftOut !== null)
        diagnostics.report(made.leftOut === TAKEN ? 'UC2086' : 'UC2085', shown, '', made.leftOut);
      if (made.levels.length > 0) chains[model] = made.levels;
    } catch (error) {
      const faults = faultsOf(error, path);
      if (faults === null) throw error;
      for (const fault of faults) diagnostics.add(fault);
      if (before[model]) chains[model] = before[model];
    }
    given.onModel?.(shown, i + 1, models.length);
  }
  if (pack) writeWhole(input, new TextEncoder().encode(manifestText(pack.value, chains)), '--input');
  return baked;
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
