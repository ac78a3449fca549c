// The files of a folder that is packed, in the order of their names.

import { lstatSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Diagnostic, type Diagnostics, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { codeOf, refusal } from '../../importers/wholeFile.ts';

export interface FolderFile {
  /** Relative to the folder, with `/`. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly size: number;
}

/**
 * All regular files below a folder but hidden ones (UC3807) and `out`, which may lie there. Throws UC3806 for links and devices,
 * UC1200 for folders that cannot be listed, UC3800 for a folder without files.
 */
export function filesOf(folder: string, out: string, diagnostics: Diagnostics): FolderFile[] {
  const found: FolderFile[] = [];
  const faults: Diagnostic[] = [];
  const hidden: string[] = [];
  const open = [''];
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    let names: string[];
    try {
      names = readdirSync(join(folder, below));
    } catch (error) {
      fail('UC1200', join(folder, below), '', `the folder ${refusal(codeOf(error))}`);
    }
    for (const own of names) {
      const name = below === '' ? own : `${below}/${own}`;
      const path = join(folder, name);
      if (resolve(path) === out) continue;
      if (own.startsWith('.')) {
        hidden.push(name);
        continue;
      }
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat?.isDirectory()) open.push(name);
      else if (stat?.isFile()) found.push({ name, path, size: stat.size });
      else if (stat) {
        const what = stat.isSymbolicLink() ? 'it is a symbolic link' : 'it is no regular file';
        faults.push(diagnostic('UC3806', path, '', what));
      }
    }
  }
  if (faults.length > 0) throw new SourceError(faults);
  if (hidden.length > 0) {
    hidden.sort();
    diagnostics.report('UC3807', folder, hidden[0], `${hidden.length} of them, '${hidden[0]}' first`);
  }
  if (found.length === 0) fail('UC3800', folder, '', 'the folder holds no file');
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
