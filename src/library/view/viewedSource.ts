// A source that is to be viewed: it is cooked into a folder of this call, as a set and, to be seen beside it, as one file in
// full detail with its textures as they are.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { mainFile } from '../../config/targets.ts';
import { type Diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import { takes } from '../../formats/kinds.ts';
import { diskFiles } from '../../importers/files.ts';
import { recogniseContent } from '../../importers/index.ts';
import { isFile } from '../../importers/wholeFile.ts';
import type { CallOptions } from '../call/checkOptions.ts';
import { runCook } from '../cook.ts';
import type { CookOptions } from '../cookTypes.ts';

/** What is shown as it is. */
const SHOWN: readonly (string | null)[] = ['manifest', 'untold'];

/** Whether a path is that of a file that has to be cooked to be seen. */
export function isViewedSource(path: string): boolean {
  if (!isFile(path)) return false;
  const kind = recogniseContent(diskFiles(null).open(path, '', ''), path);
  return takes('view', kind) && !SHOWN.includes(kind);
}

export interface ViewedSource {
  /** The manifest of the set. */
  readonly set: string;
  /** The file of full detail; null: it was not asked for. */
  readonly whole: string | null;
  /** Warnings and errors of both cooks. */
  readonly diagnostics: readonly Diagnostic[];
  /** Removes all files. */
  remove(): void;
}

/** The call that a source is cooked for. `root`: its asset root. */
interface ViewCall extends CallOptions, Pick<CookOptions, 'root' | 'onProgress'> {}

/**
 * Cooks a source with the settings of a call without options. `isCompared`: a second time in full detail. Throws SourceError with
 * what a cook ends with.
 */
export async function cookToView(path: string, isCompared: boolean, call: ViewCall): Promise<ViewedSource> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold-view-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Whoever ends the process does not wait for the end of a cook.
  call.signal?.addEventListener('abort', remove, { once: true });
  const found: Diagnostic[] = [];
  const count = isCompared ? 2 : 1;
  const cooked = async (index: number, out: string, options: CookOptions = {}): Promise<string> => {
    const { signal, environment, root } = call;
    const onProgress: CookOptions['onProgress'] = (progress) => call.onProgress?.({ ...progress, index, count });
    const given = { config: false, root, ...options, out, signal, environment, onProgress };
    const { results, diagnostics } = await runCook([path], given);
    const all = [...diagnostics, ...results.flatMap((result) => result.diagnostics)];
    const [result] = results;
    if (result?.status !== 'ok') throw new SourceError(all.filter(({ severity }) => severity === 'error'));
    found.push(...all.filter(({ severity }) => severity !== 'info'));
    return mainFile(result.target);
  };
  try {
    const name = basename(path, extname(path));
    const set = await cooked(0, join(folder, 'set'));
    const whole = isCompared ? await cooked(1, join(folder, 'whole', `${name}.untold`), { textures: 'keep' }) : null;
    const known = new Set<string>();
    const diagnostics = found.filter((item) => {
      const key = JSON.stringify(item);
      return !known.has(key) && known.add(key);
    });
    return { set, whole, diagnostics, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
