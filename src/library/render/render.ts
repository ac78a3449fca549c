// render(): a picture of a file that holds triangles, drawn in software, so that a person or a CI job sees it without a browser or a GPU.

import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { OptionsOf } from '../../config/options/option.ts';
import { RENDER_CALL_OPTIONS } from '../../config/options/table.ts';
import { checkFolderName } from '../../config/outputName.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import type { MorphRequest } from '../../cook/morphedScene.ts';
import { type Diagnostic, Diagnostics, fail, SourceError, sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import { extensionOf } from '../../formats/kinds.ts';
import { isFolder } from '../../importers/wholeFile.ts';
import type { Picture } from '../../raster/render.ts';
import { encodePng } from '../../textures/encode/png.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { exitCodeOf } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { isPageName, requirePngName } from '../call/pictureName.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { writeWhole } from '../call/writeWhole.ts';
import { type NamedOutputs, namedOutputs, refuseSeveral } from '../namedOutputs.ts';
import { type ComparedLevel, type Comparing, compareLevels, LevelComparison, levelSheet } from './compareLevels.ts';
import { type Drawing, openDrawing } from './drawing.ts';
import { parseMorphs, turntableNames } from './request.ts';
import { SheetThreads, sheetThreadCount } from './sheetThreads.ts';
import { type DrawnTile, type RenderedView, takePicture } from './takePicture.ts';

/** The options of `untold render` in camelCase, and a callback, which must not throw. */
export interface RenderOptions extends OptionsOf<typeof RENDER_CALL_OPTIONS>, CallOptions {
  /** Each tile of a sheet before it is compared. */
  readonly onTile?: ((tile: string, done: number, total: number) => void) | undefined;
  /** Each picture of a turntable when it was drawn, from the second on. */
  readonly onTurn?: ((done: number, total: number) => void) | undefined;
  /** Each of several outputs when it was drawn. */
  readonly onOutput?: ((output: RenderedOutput, done: number, total: number) => void) | undefined;
}

export type { DrawnTile, RenderedView };

/** One picture of a turntable. */
export interface TurntablePicture {
  /** Relative to the working folder; null: it was not written. */
  readonly out: string | null;
  /** Null: it was written, and is not the first. */
  readonly png: Uint8Array | null;
}

export interface RenderResult {
  /** What `untold render` would end with: 0 when there is a picture. */
  readonly exitCode: number;
  /** Relative to the working folder, with `/`. */
  readonly source: string;
  /** sRGB, 3 bytes for each pixel, rows from the top; null if nothing was drawn. */
  readonly picture: { readonly width: number; readonly height: number; readonly rgb: Uint8Array } | null;
  /** The picture as a PNG file; null if nothing was drawn, or where it is a page. */
  readonly png: Uint8Array | null;
  /** The sheet as a page, where `out` names one; else null. */
  readonly html: string | null;
  /** Null: nothing was drawn, or a sheet. */
  readonly view: RenderedView | null;
  /** With `turntable` all pictures, of which `picture` is the first; null without. */
  readonly turntable: readonly TurntablePicture[] | null;
  /** What the picture shows, in the order of the set; empty for a sheet. */
  readonly drawn: readonly DrawnTile[];
  /** All levels that were compared for a sheet; empty without one. */
  readonly compared: readonly ComparedLevel[];
  /** The pictures of several outputs, in the order of their paths; null where one was drawn. */
  readonly all: readonly RenderedOutput[] | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The picture of one of several outputs. */
export interface RenderedOutput extends Pick<RenderResult, 'source' | 'view' | 'drawn' | 'compared' | 'diagnostics'> {
  /** With `turntable` the files of all pictures; null without. */
  readonly turntable: readonly string[] | null;
  /** The file of the picture, relative to the working folder; null: it could not be drawn, and the diagnostics say why. */
  readonly out: string | null;
  readonly width: number;
  readonly height: number;
}

/** Options that a sheet decides itself. */
const NOT_WITH_SHEET = ['camera', 'level', 'size', 'turntable', 'background'] as const;

type Content = Pick<RenderResult, 'view' | 'drawn' | 'compared' | 'html'> & {
  /** Null: it is a page. */
  readonly picture: Picture | null;
  /** Of a turntable: draw the pictures after the first. */
  readonly others: readonly (() => Picture)[];
};

/** A sheet as a page where `out` names one, else as a picture. */
async function drawSheet(
  drawing: Drawing,
  source: string,
  sheet: string,
  out: string | undefined,
  comparing: Comparing,
  onTile: NonNullable<RenderOptions['onTile']>,
  signal: AbortSignal | undefined,
): Promise<Content> {
  const levels = await compareLevels(drawing.set, comparing, sheet, onTile, signal);
  const content = { view: null, drawn: [], others: [], compared: levels.compared };
  if (out === undefined || !isPageName(out)) return { ...content, picture: levelSheet(levels.shown), html: null };
  const { sheetPage } = await import('./sheetPage.ts');
  return { ...content, picture: null, html: await sheetPage(source, levels) };
}

/** Throws UC5007 for a name that no drawn mesh has. */
function requireFound({ weights, found }: MorphRequest, file: string): void {
  const missing = [...weights.keys()].filter((name) => !found.has(name)).map((name) => `"${name}"`);
  if (missing.length > 0) fail('UC5007', file, '--morph', `no drawn mesh has ${missing.join(', ')}`);
}

type Options = OptionsOf<typeof RENDER_CALL_OPTIONS>;

/** Draws the file at an absolute path, or the only set below a folder, into the file of `out` if there is one. */
async function drawOne(
  path: string,
  source: string,
  out: string | undefined,
  options: Options,
  given: RenderOptions,
): Promise<RenderResult> {
  const { sheet } = options;
  const { signal, onTile = () => {}, onTurn = () => {} } = given;
  const cwd = workingFolder(given);
  const diagnostics = new Diagnostics();
  const morphs = { weights: parseMorphs(options.morph ?? []), found: new Set<string>() };
  const drawing = await openDrawing(path, showPath(path, cwd), cwd, diagnostics, morphs, signal, sheet === undefined);
  const { set } = drawing;
  const comparing: Comparing = (tiles) => {
    const count = sheetThreadCount(tiles, options.jobs);
    if (count === 1) return new LevelComparison(set, drawing, signal);
    const data = { path, file: showPath(path, cwd), cwd, weights: morphs.weights };
    return new SheetThreads(set, data, count, { diagnostics, found: morphs.found });
  };
  for (const item of set.warnings) diagnostics.add(item);
  const { others, ...content } =
    sheet === undefined
      ? { compared: [], html: null, ...(await takePicture(drawing, options, cwd, diagnostics, signal)) }
      : await drawSheet(drawing, source, sheet, out, comparing, onTile, signal);
  requireFound(morphs, set.file);
  const { picture: drawn, html } = content;
  const png = drawn && (await encodePng(drawn.rgb, drawn.width, drawn.height, false));
  throwIfAborted(signal);
  const count = others.length + 1;
  const outs = out === undefined ? [] : options.turntable === undefined ? [out] : turntableNames(out, count);
  if (out !== undefined) writeWhole(outs[0], png ?? new TextEncoder().encode(html ?? ''), '--out');
  const turntable: TurntablePicture[] = [{ out: outs.length > 0 ? showPath(outs[0], cwd) : null, png }];
  for (const [i, drawOther] of others.entries()) {
    const { rgb, width, height } = drawOther();
    const next = await encodePng(rgb, width, height, false);
    if (out !== undefined) writeWhole(outs[i + 1], next, '--out');
    // Pictures that are written are not kept: there may be hundreds.
    turntable.push(out === undefined ? { out: null, png: next } : { out: showPath(outs[i + 1], cwd), png: null });
    onTurn(i + 2, count);
  }
  const found = sortDiagnostics(diagnostics.list).map((item) => shownDiagnostic(item, cwd));
  const result = { ...content, turntable: options.turntable === undefined ? null : turntable };
  const picture = drawn && { width: drawn.width, height: drawn.height, rgb: drawn.rgb };
  return { ...result, exitCode: exitCodeOf(found), source, picture, png, all: null, diagnostics: found };
}

/** The pictures of outputs in a folder: each lies as its output does, and has its name. */
export function pictureNames({ place, mains }: Pick<NamedOutputs, 'place' | 'mains'>, folder: string): string[] {
  const base = mains.includes(place) ? dirname(place) : place;
  const withoutEnding = (main: string) => relative(base, main).slice(0, -extname(main).length);
  const times = new Map<string, number>();
  for (const main of mains) {
    const key = withoutEnding(main).toLowerCase();
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  // A set and a file of one name would have the same picture: they keep their endings.
  return mains.map((main) => {
    const isAlone = times.get(withoutEnding(main).toLowerCase()) === 1;
    return join(folder, `${isAlone ? withoutEnding(main) : relative(base, main)}.png`);
  });
}

/** Draws several outputs into a folder; what keeps one from being drawn does not stop the others. */
async function drawEach(
  named: NamedOutputs,
  folder: string,
  options: Options,
  given: RenderOptions,
): Promise<RenderResult> {
  const { mains, place, notes } = named;
  const cwd = workingFolder(given);
  const outs = pictureNames(named, folder);
  const all: RenderedOutput[] = [];
  for (const [i, main] of mains.entries()) {
    throwIfAborted(given.signal);
    const source = showPath(main, cwd);
    try {
      // The pictures themselves are not kept: there may be hundreds.
      const one = await drawOne(main, source, outs[i], options, given);
      const { picture, view, drawn, compared, diagnostics } = one;
      const size = { width: picture?.width ?? 0, height: picture?.height ?? 0 };
      const turntable = one.turntable?.map(({ out }) => out ?? '') ?? null;
      const out = turntable?.[0] ?? showPath(outs[i], cwd);
      all.push({ source, out, turntable, ...size, view, drawn, compared, diagnostics });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const diagnostics = error.diagnostics.map((item) => shownDiagnostic(item, cwd));
      const nothing = { out: null, turntable: null, width: 0, height: 0, view: null, drawn: [], compared: [] };
      all.push({ source, ...nothing, diagnostics });
    }
    given.onOutput?.(all[i], i, mains.length);
  }
  const exitCode = exitCodeOf([...notes, ...all.flatMap(({ diagnostics }) => diagnostics)]);
  const none = { picture: null, png: null, html: null, view: null, turntable: null, drawn: [], compared: [] };
  return { exitCode, source: showPath(place, cwd), ...none, all, diagnostics: notes };
}

async function draw(word: string, given: RenderOptions, cwd: string): Promise<RenderResult> {
  const options = checkOptions(RENDER_CALL_OPTIONS, given, cwd);
  const { sheet, out } = options;
  const excluded = sheet === undefined ? undefined : NOT_WITH_SHEET.find((name) => options[name] !== undefined);
  if (excluded) fail('UC1012', '', `--${excluded}`, 'given together with --sheet, which chooses its own');
  if (options.turntable !== undefined && options.camera === 'overview') {
    fail('UC1012', '', '--turntable', 'given together with --camera overview, which looks straight down');
  }
  if (sheet === undefined && options.jobs !== undefined) {
    const message = 'given without --sheet, and only the levels of a sheet are compared in threads';
    fail('UC1012', '', '--jobs', message, 'leave --jobs out, or give --sheet');
  }
  if (sheet !== undefined && options.environmentMap !== undefined) {
    fail('UC1012', '', '--environment', 'given together with --sheet, whose light is fixed');
  }
  const named = await namedOutputs('render', word, options.config, given);
  const { place, mains, isProjects } = named;
  const isPicture = out === undefined || /\.png$/i.test(out) || (sheet !== undefined && isPageName(out));
  const isFolderNamed = out !== undefined && !isPicture && (out.endsWith(sep) || isFolder(out) || mains.length > 1);
  if (isFolderNamed && (isProjects || isFolder(place))) {
    checkFolderName(out, cwd);
    return drawEach(named, out, options, given);
  }
  if (out !== undefined) requirePngName(out, '--out', cwd, sheet !== undefined);
  // Beside the only manifest of a folder, single files do not count.
  const sets = mains.filter((main) => !main.endsWith(extensionOf('untold')));
  if (mains.length > 1 && sets.length !== 1) {
    const each = `untold render ${word} --out pictures/`;
    refuseSeveral(named, (one) => `name one of them, as ${one}, or draw each into a folder: \`${each}\``, cwd);
  }
  const [main = place] = sets.length === 1 ? sets : mains;
  return drawOne(main, showPath(place, cwd), out, options, given);
}

/** Runs a call of render(). Rejects only for a bug. */
export async function runRender(file: string, given: RenderOptions): Promise<RenderResult> {
  let source = file;
  try {
    throwIfAborted(given.signal);
    const cwd = workingFolder(given);
    source = showPath(resolve(cwd, file), cwd);
    return await draw(file, given, cwd);
  } catch (error) {
    const none = {
      ...{ picture: null, png: null, html: null, view: null, turntable: null },
      ...{ drawn: [], compared: [], all: null },
    };
    return { source, ...none, ...failedCall(error, given) };
  }
}
