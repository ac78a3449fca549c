// What changed between two folders that hold several outputs: each is compared with the one of the same relative path.

import { join, relative, sep } from 'node:path';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import { compareOutputs, type DiffDocument, type DiffTotals, totalsOf } from './compareOutputs.ts';
import { readOutput } from './readOutput.ts';
import type { Pair } from './tiles.ts';

/** An output that differs between two folders. */
export interface DiffSet {
  /** Relative to both folders, with `/`. */
  readonly path: string;
  /** 'unknown': one of them cannot be read; the diagnostics say why. */
  readonly change: 'added' | 'removed' | 'changed' | 'unknown';
  /** Null where it is not there, or could not be read. */
  readonly totals: Pair<DiffTotals>;
  /** What differs, of an output that has changed. */
  readonly difference: DiffDocument | null;
}

export interface DiffSetsDocument {
  readonly a: { readonly path: string; readonly outputs: number };
  readonly b: { readonly path: string; readonly outputs: number };
  /** Whether both hold the same outputs, and nothing differs in any. */
  readonly equal: boolean;
  readonly counts: {
    readonly equal: number;
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
  };
  /** Those that differ, in the order of their paths. */
  readonly sets: readonly DiffSet[];
  /** Why outputs cannot be read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A folder, absolute, and the main files of its outputs. */
export interface FolderOfOutputs {
  readonly folder: string;
  readonly mains: readonly string[];
}

/** Compares two folders. Throws what an abort throws. */
export async function diffSets(
  a: FolderOfOutputs,
  b: FolderOfOutputs,
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<DiffSetsDocument> {
  const namesOf = ({ folder, mains }: FolderOfOutputs) =>
    new Set(mains.map((main) => relative(folder, main).split(sep).join('/')));
  const names = { a: namesOf(a), b: namesOf(b) };
  const diagnostics: Diagnostic[] = [];
  /** Null: it is not there, or cannot be read. */
  const read = async (side: 'a' | 'b', name: string) => {
    if (!names[side].has(name)) return null;
    const path = join((side === 'a' ? a : b).folder, name);
    try {
      const output = await readOutput(path, showPath(path, cwd), cwd);
      diagnostics.push(...(output.diagnostics ?? []));
      return output;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      diagnostics.push(...error.diagnostics);
      return null;
    }
  };
  const sets: DiffSet[] = [];
  const all = [...new Set([...names.a, ...names.b])].sort();
  for (const path of all) {
    throwIfAborted(signal);
    const [was, is] = [await read('a', path), await read('b', path)];
    const totals = { a: was && totalsOf(was), b: is && totalsOf(is) };
    const isUnread = (names.a.has(path) && was === null) || (names.b.has(path) && is === null);
    if (isUnread) sets.push({ path, change: 'unknown', totals, difference: null });
    else if (was === null) sets.push({ path, change: 'added', totals, difference: null });
    else if (is === null) sets.push({ path, change: 'removed', totals, difference: null });
    else {
      const difference = compareOutputs(was, is);
      if (!difference.equal) sets.push({ path, change: 'changed', totals, difference });
    }
  }
  const of = (change: DiffSet['change']) => sets.filter((set) => set.change === change).length;
  const side = ({ folder, mains }: FolderOfOutputs) => ({ path: showPath(folder, cwd), outputs: mains.length });
  return {
    a: side(a),
    b: side(b),
    equal: sets.length === 0,
    counts: { equal: all.length - sets.length, added: of('added'), removed: of('removed'), changed: of('changed') },
    sets,
    diagnostics,
  };
}
