// Tiles that no manifest lists: what is left of a set whose manifest was lost, or of an earlier cook. The engine loads a tile
// only through its manifest, so a folder of such tiles is no scene, even when each of them is valid.

import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { FORMAT_IDS, FORMATS } from '../formats/registry.ts';
import { readWholeText } from '../importers/wholeFile.ts';

/** A folder's warning, with the tile that it names. */
export interface OrphanTiles {
  readonly example: string;
  readonly item: Diagnostic;
}

/** Every text of a JSON value that is the path of a payload. */
function payloadPaths(value: unknown): string[] {
  const paths: string[] = [];
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') {
      const text = next;
      if (FORMAT_IDS.some((id) => text.endsWith(FORMATS[id].extension))) paths.push(text);
    } else if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) open.push(item);
  }
  return paths;
}

/** Absolute paths of the payloads that the JSON files of a folder name. What cannot be read or parsed names none. */
function listedFrom(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => extname(name).toLowerCase() === '.json')
    .flatMap((name) => {
      try {
        return payloadPaths(JSON.parse(readWholeText(join(folder, name)))).map((path) => resolve(folder, path));
      } catch {
        return [];
      }
    });
}

/**
 * One warning (UC3239) a folder that holds tiles which no manifest lists. `tiles`: absolute paths of tiles of sets, in
 * order. A manifest is beside the folder of its payloads or in it, so the JSON files of both folders are read, whether they are
 * checked or not.
 */
export function orphanTiles(tiles: readonly string[]): OrphanTiles[] {
  const byFolder = new Map<string, string[]>();
  for (const path of tiles) {
    const others = byFolder.get(dirname(path));
    if (others) others.push(path);
    else byFolder.set(dirname(path), [path]);
  }
  const manifests = new Map<string, readonly string[]>();
  const listed = (folder: string) => {
    const known = manifests.get(folder) ?? listedFrom(folder);
    manifests.set(folder, known);
    return known;
  };
  const found: OrphanTiles[] = [];
  for (const [folder, paths] of byFolder) {
    const named = new Set([...listed(folder), ...listed(dirname(folder))]);
    const orphans = paths.filter((path) => !named.has(path));
    if (orphans.length === 0) continue;
    const [example] = orphans;
    const which =
      orphans.length === 1 ? 'is listed by no manifest' : `and ${orphans.length - 1} more are listed by no manifest`;
    found.push({ example, item: diagnostic('UC3239', folder, '', `${basename(example)} ${which}`) });
  }
  return found;
}
