// What the records of a set prove beyond the rules of its files: nothing is unfinished, nothing lies there that nobody lists,
// and names state the hash of what they name.

import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, posix, relative, sep } from 'node:path';
import { isUnfinished } from '../../cook/kept/cookRecord.ts';
import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { filesOfManifest, planMapPath } from '../../formats/manifest/write.ts';
import { isPackPath } from '../../formats/untoldpack/document.ts';
import { fileSha256 } from '../../importers/fileStamp.ts';
import { readHead, readWholeText, statusOf } from '../../importers/wholeFile.ts';

/** All files below a folder, relative to it, with `/`, in order. What cannot be listed has none. */
function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  } catch {
    return [];
  }
}

/** The digits of a hash at the end of a name: `tile_0_0_0_1a2b3c4d.untold`, `wall.1a2b3c4d.utex`. */
const NAMED_HASH = /[._]((?:[0-9a-f]{8})+)\.[^./]+$/;

/** Of Urho3D: settings are called as their texture, lists of materials as their model. */
const NAMED_FOR_OTHERS = /^(Textures\/.*\.xml|Models\/.*\.txt)$/;

const HEAD_OF_SVG = 512;

function isSvg(path: string): boolean {
  try {
    return new TextDecoder().decode(readHead(path, HEAD_OF_SVG)).includes('<svg');
  } catch {
    return false;
  }
}

/** What is wrong with the set of a manifest of ours, or with a pack; nothing for other files. `name`: what messages call the manifest. */
export function checkSet(path: string, name: string): Diagnostic[] {
  if (isPackPath(path)) {
    return isUnfinished(path) ? [diagnostic('UC3242', name, '', 'a cook of the pack is not finished')] : [];
  }
  const scene = basename(path, '.json');
  const folder = dirname(path);
  let listed: ReadonlyMap<string, string | null> | null;
  try {
    listed = extname(path) === '.json' ? filesOfManifest(readWholeText(path), scene) : null;
  } catch {
    // The check of the file itself reports it.
    return [];
  }
  if (listed === null) return [];
  const found: Diagnostic[] = [];
  const shown = (file: string) => join(dirname(name), file).split(sep).join('/');
  if (isUnfinished(path)) found.push(diagnostic('UC3242', name, '', 'a cook of the set is not finished'));
  const folders = [scene, ...[...listed.keys()].map((file) => posix.dirname(file)).filter((path) => path !== '.')];
  const own = [...new Set(folders)].filter((path) => path === scene || path.endsWith(`/${scene}`));
  for (const file of own.flatMap((top) => filesBelow(join(folder, top)).map((below) => `${top}/${below}`))) {
    if (!listed.has(file)) found.push(diagnostic('UC3240', shown(file), '', `${name} does not list it`));
  }
  const map = planMapPath(scene);
  if (listed.has(map) && !isSvg(join(folder, map))) {
    const isThere = statusOf(join(folder, map)).stat !== null;
    found.push(diagnostic('UC3243', shown(map), '', isThere ? 'the file is no SVG' : 'there is no such file'));
  }
  for (const file of listed.keys()) {
    const digits = file === map || NAMED_FOR_OTHERS.test(file) ? undefined : NAMED_HASH.exec(file)?.[1];
    if (digits === undefined || statusOf(join(folder, file)).stat === null) continue;
    const sha256 = fileSha256(join(folder, file));
    if (sha256.startsWith(digits)) continue;
    found.push(
      diagnostic('UC3241', shown(file), '', `the name states ${digits}, the content has ${sha256.slice(0, 8)}`),
    );
  }
  return found;
}
