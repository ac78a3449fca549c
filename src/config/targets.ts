// Where each source's output goes, decided for all of them before anything is written. No I/O.

import { basename, extname, isAbsolute, join, relative, sep } from 'node:path';
import { type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import type { CookTarget } from './types.ts';

/**
 * The scene's name: the file's stem with every character but letters, digits, `_` and `-` replaced by `_`, and without `_` at
 * both ends, as the engine's own exporter names scenes. Letters of any alphabet, composed (NFC), so that the name does not
 * depend on the disk that the file is on. `scene` if nothing remains.
 */
export function sceneName(path: string): string {
  const stem = basename(path, extname(path)).normalize('NFC');
  return stem.replace(/[^\p{L}\p{N}_-]/gu, '_').replace(/^_+|_+$/g, '') || 'scene';
}

export interface TargetSource {
  /** Absolute, as named: gives the scene its name. */
  readonly path: string;
  /** The real path of the folder it lies in: gives the output its folder under a root. */
  readonly folder: string;
  /** What messages call it. */
  readonly name: string;
}

/** The file that a target is known by: the manifest, or the single file. */
export function mainFile(target: CookTarget): string {
  return target.kind === 'file' ? target.path : join(target.folder, `${target.sceneName}.json`);
}

/**
 * A target for each source, in their order. `out` is absolute; it is a single file exactly if it ends in `extension`. `root` is
 * the real path of an asset root that the user gave: the folders below it are kept (`out/<sub>/<scene>.json`). Null: every
 * scene lies in `out` itself. Throws UC1006 for several sources with one file, UC1011 for a source outside the root,
 * UC1005 for outputs whose paths are equal but for case.
 */
export function planTargets(
  sources: readonly TargetSource[],
  out: string,
  root: string | null,
  extension: string,
): CookTarget[] {
  if (out.endsWith(extension)) {
    if (sources.length > 1) {
      throw new SourceError(diagnostic('UC1006', '', '', `${sources.length} sources, but --out names one file`));
    }
    return sources.map(() => ({ kind: 'file', path: out }));
  }
  const faults: Diagnostic[] = [];
  const taken = new Map<string, TargetSource>();
  const targets = sources.map((source): CookTarget => {
    const sub = root === null ? '' : relative(root, source.folder);
    if (sub === '..' || sub.startsWith(`..${sep}`) || isAbsolute(sub)) {
      faults.push(diagnostic('UC1011', source.name, '', 'the source does not lie below --root'));
    }
    const target: CookTarget = { kind: 'folder', folder: join(out, sub), sceneName: sceneName(source.path) };
    const key = mainFile(target).normalize('NFC').toLowerCase();
    const other = taken.get(key);
    if (other) {
      const output = [...(sub === '' ? [] : sub.split(sep)), `${target.sceneName}.json`].join('/');
      faults.push(diagnostic('UC1005', source.name, '', `writes ${output} in --out, as ${other.name} does`));
    } else taken.set(key, source);
    return target;
  });
  if (faults.length > 0) throw new SourceError(faults);
  return targets;
}
