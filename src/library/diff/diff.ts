// diff(): what changed between two outputs, or between all of two folders.

import { resolve } from 'node:path';
import type { OptionsOf } from '../../config/options/option.ts';
import { DIFF_CALL_OPTIONS } from '../../config/options/table.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, diagnostic, fail } from '../../diagnostics/diagnostic.ts';
import { isFolder } from '../../importers/wholeFile.ts';
import { encodePng } from '../../textures/encode/png.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { workingFolder } from '../call/environment.ts';
import { exitCodeOf, worst } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { requirePngName } from '../call/pictureName.ts';
import { writeWhole } from '../call/writeWhole.ts';
import { mainFilesBelow } from '../namedOutputs.ts';
import { compareOutputs, type DiffDocument } from './compareOutputs.ts';
import { type DiffSetsDocument, diffSets, type FolderOfOutputs } from './diffSets.ts';
import { diffPictures } from './pictures.ts';
import { type ReadOutput, readOutput } from './readOutput.ts';

export type { DiffDocument, DiffTexture, DiffTotals } from './compareOutputs.ts';
export type { DiffSet, DiffSetsDocument } from './diffSets.ts';

export type { DiffFact, DiffLevel, DiffLevelFacts, DiffTile, Pair } from './tiles.ts';

/** The options of `untold diff` in camelCase. */
export interface DiffOptions extends OptionsOf<typeof DIFF_CALL_OPTIONS>, CallOptions {}

export interface DiffResult {
  /** 0 equal, 1 different; others for outputs that cannot be read. */
  readonly exitCode: number;
  /** Null when folders with several outputs were compared, one of them could not be read, or a picture not written. */
  readonly document: DiffDocument | null;
  /** Two folders of which one holds several outputs; null otherwise. */
  readonly sets: DiffSetsDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Writes the pictures of two outputs into a file; none where neither draws anything. Throws what writing throws. */
async function pictured(
  document: DiffDocument,
  paths: readonly [string, string],
  out: string,
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<DiffDocument> {
  const drawn = await diffPictures(paths, document.tiles, cwd, signal);
  if (drawn === null) return { ...document, pictures: [] };
  const { rgb, width, height } = drawn.picture;
  const png = await encodePng(rgb, width, height, false);
  throwIfAborted(signal);
  writeWhole(out, png, '--pictures');
  return { ...document, pictures: drawn.compared };
}

/** A folder with the main files of its outputs; null: it is a file, or not there. */
async function folderOf(path: string): Promise<FolderOfOutputs | null> {
  return isFolder(path) ? { folder: path, mains: await mainFilesBelow(path, 'diff') } : null;
}

/** Runs a call of diff(). Rejects only for a bug. */
export async function runDiff(a: string, b: string, given: DiffOptions): Promise<DiffResult> {
  const { signal } = given;
  try {
    const cwd = workingFolder(given);
    const { pictures } = checkOptions(DIFF_CALL_OPTIONS, given, cwd);
    if (pictures !== undefined) requirePngName(pictures, '--pictures', cwd);
    const sides = [await folderOf(resolve(cwd, a)), await folderOf(resolve(cwd, b))];
    if (sides[0] && sides[1] && sides.some((side) => side !== null && side.mains.length > 1)) {
      if (pictures !== undefined) {
        fail('UC1012', '', '--pictures', 'the folders hold several outputs', 'name one of each');
      }
      const sets = await diffSets(sides[0], sides[1], cwd, signal);
      const worstCode = worst([exitCodeOf(sets.diagnostics), sets.equal ? 0 : 1]);
      return { exitCode: worstCode, document: null, sets, diagnostics: [] };
    }
    const outputs: ReadOutput[] = [];
    // The only output of a folder stands for it.
    const paths = [a, b].map((word, i) => (sides[i]?.mains.length === 1 ? sides[i].mains[0] : resolve(cwd, word)));
    for (const [i, word] of [a, b].entries()) {
      throwIfAborted(signal);
      outputs.push(await readOutput(paths[i], showPath(resolve(cwd, word), cwd), cwd));
    }
    const compared = compareOutputs(outputs[0], outputs[1]);
    const document =
      pictures === undefined
        ? compared
        : await pictured(compared, [paths[0], paths[1]], resolve(cwd, pictures), cwd, signal);
    const isBlank = document.pictures?.length === 0;
    const warning = () =>
      diagnostic('UC5004', document.a.path, '', 'neither output has a triangle: no picture is written');
    const missing = outputs.flatMap(({ diagnostics = [] }) => diagnostics);
    return {
      exitCode: document.equal ? 0 : 1,
      document,
      sets: null,
      diagnostics: isBlank ? [...missing, warning()] : missing,
    };
  } catch (error) {
    return { document: null, sets: null, ...failedCall(error, given) };
  }
}
