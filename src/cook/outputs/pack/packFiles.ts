// The files of packs on the disk. A pack owns the models and levels in its folder that its manifest lists
// and that no other pack there lists.

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../bytes/sha256.ts';
import { fail } from '../../../diagnostics/diagnostic.ts';
import { formatOfContent } from '../../../formats/registry.ts';
import { climbs, isPackPath, type UntoldPack } from '../../../formats/untoldpack/document.ts';
import { readPack } from '../../../formats/untoldpack/validate.ts';
import { readWhole, readWholeText } from '../../../importers/wholeFile.ts';

/** Larger files are no manifests of packs: a model takes a few hundred bytes. */
const MAX_PACK_BYTES = 2 ** 28;

/** The pack at a path; null where there is none that can be read. */
export function packAt(path: string): UntoldPack | null {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= MAX_PACK_BYTES ? readPack(readWholeText(path)) : null;
  } catch {
    return null;
  }
}

/** Equal for paths that a disk which does not tell case apart takes for the same. */
const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();

/** Of models and their levels. What lies outside of the folder is another's. */
function pathsOf({ models, lodChains = {} }: UntoldPack): string[] {
  const levels = Object.values(lodChains).flat();
  return [...new Set([...models, ...levels].map(({ path }) => path))].filter((path) => !climbs(path));
}

/** By the keys of their models, the packs in a folder besides `main`. */
function ownersBeside(base: string, main: string): ReadonlyMap<string, string> {
  let names: string[];
  try {
    names = readdirSync(base).sort();
  } catch {
    return new Map();
  }
  const owners = new Map<string, string>();
  for (const name of names) {
    const pack = isPackPath(name) && keyOf(name) !== keyOf(main) ? packAt(join(base, name)) : null;
    if (pack) for (const path of pathsOf(pack)) owners.set(keyOf(path), name);
  }
  return owners;
}

function cookedFile(path: string): Uint8Array | null {
  try {
    if (!lstatSync(path).isFile()) return null;
    const bytes = readWhole(path);
    return formatOfContent(bytes) === null ? null : bytes;
  } catch {
    return null;
  }
}

/** The paths of all models and levels that a pack lists, relative to its folder, but of those outside of it. */
export function modelsListed(base: string, main: string): readonly string[] {
  const pack = packAt(join(base, main));
  return pack ? pathsOf(pack) : [];
}

/** The models and levels of a pack by path relative to `base`, with the SHA-256 that they have now. */
export function modelsOfPack(base: string, main: string): ReadonlyMap<string, string> {
  const listed = modelsListed(base, main);
  const others = listed.length === 0 ? new Map() : ownersBeside(base, main);
  const models = new Map<string, string>();
  for (const path of listed) {
    const bytes = others.has(keyOf(path)) ? null : cookedFile(join(base, path));
    if (bytes) models.set(path, sha256Hex(bytes));
  }
  return models;
}

/** Tells of a path relative to a folder whether a pack there besides `main` lists it. */
export function listedByOthers(base: string, main: string): (path: string) => boolean {
  const owners = ownersBeside(base, main);
  return (path) => owners.has(keyOf(path));
}

/** Throws UC2081 for models that another pack in the folder lists. */
export function refuseOthersModels(base: string, main: string, paths: readonly string[], source: string): void {
  const owners = ownersBeside(base, main);
  const path = paths.find((one) => owners.has(keyOf(one)));
  if (path !== undefined) fail('UC2081', source, '', `${path} belongs to ${owners.get(keyOf(path))}`);
}
