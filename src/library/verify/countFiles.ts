// How many files an output has, each once, and which of them nobody needs.

import { extname } from 'node:path';
import { isFolder, statusOf } from '../../importers/wholeFile.ts';
import { listedBy } from '../listedFiles.ts';
import { filesBelow } from '../outputsBelow.ts';

/** Every file is counted in one of the others. */
export interface VerifyCounts {
  readonly files: number;
  /** Of outputs, without an error. */
  readonly sound: number;
  readonly unsound: number;
  /** Of outputs that no source is cooked into (UC3246), and of no others. */
  readonly withoutSource: number;
  /** Files below the folder that no output lists or names. */
  readonly unlisted: number;
}

export interface CountedFiles {
  readonly counts: VerifyCounts;
  /** Files that no output lists or names; absolute. */
  readonly unlisted: ReadonlySet<string>;
}

/** What was checked; paths are absolute. */
export interface CheckedOutput {
  /** Whether each file that was checked is without an error. */
  readonly ok: ReadonlyMap<string, boolean>;
  /** The files that a file names, of those that were checked. */
  readonly named: ReadonlyMap<string, readonly string[]>;
  /** Those that are tiles of sets. */
  readonly tiles: ReadonlySet<string>;
}

/** Some main files, with all that they list and name, of what is there. */
function ownedBy(mains: readonly string[], { named }: CheckedOutput): Set<string> {
  const owned = new Set<string>();
  const open = [...mains];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (owned.has(path) || statusOf(path).stat?.isFile() !== true) continue;
    owned.add(path);
    open.push(...listedBy(path), ...(named.get(path) ?? []));
  }
  return owned;
}

/** Files that stand alone: no output names them, and they are neither tiles nor textures. */
function mainsOf({ ok, named, tiles }: CheckedOutput): string[] {
  const others = new Set([...named.values()].flat());
  return [...ok.keys()].filter((path) => !others.has(path) && !tiles.has(path) && extname(path) !== '.utex');
}

/** Main files that are not among some, nor listed or named by them. */
export function othersThan(mains: ReadonlySet<string>, checked: CheckedOutput): string[] {
  const owned = ownedBy([...mains], checked);
  return mainsOf(checked).filter((path) => !owned.has(path));
}

/**
 * Counts the files of an output at an absolute path. `strays`: main files that no source is cooked into. `countsAll`: what lies
 * below the folder and is of no output counts, too.
 */
export function countFiles(
  place: string,
  checked: CheckedOutput,
  strays: ReadonlySet<string>,
  countsAll: boolean,
): CountedFiles {
  // A tile or a texture that is named itself is the output.
  const mains = checked.ok.has(place) ? [place] : mainsOf(checked);
  const owned = ownedBy(
    mains.filter((main) => !strays.has(main)),
    checked,
  );
  const ofStrays = ownedBy([...strays], checked);
  const below = countsAll && isFolder(place) ? [...filesBelow(place)] : [];
  const all = [...new Set([...owned, ...ofStrays, ...checked.ok.keys(), ...below])].sort();
  const unlisted = new Set<string>();
  const counts = { files: all.length, sound: 0, unsound: 0, withoutSource: 0, unlisted: 0 };
  for (const path of all) {
    const isOwned = owned.has(path) || ofStrays.has(path);
    if (!isOwned) unlisted.add(path);
    if (checked.ok.get(path) === false) counts.unsound++;
    else if (owned.has(path)) counts.sound++;
    else if (isOwned) counts.withoutSource++;
    else counts.unlisted++;
  }
  return { counts, unlisted };
}
