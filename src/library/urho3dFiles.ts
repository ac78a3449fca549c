// validate() and inspect() of files of Urho3D: models, animations, packages, compiled shaders and scripts, materials and scenes;
// and validate() of the record that a cook leaves beside its resource folders.

import { extname, join } from 'node:path';
import { sha256Hex } from '../bytes/sha256.ts';
import { type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import { filesOfManifest, planMapPath } from '../formats/manifest/write.ts';
import { SUCCESSORS } from '../formats/urho3d/bytes/identifier.ts';
import { PACKAGE_EXTENSION } from '../formats/urho3d/package/layout.ts';
import { readPackage } from '../formats/urho3d/package/read.ts';
import { recogniseUrho3d, type Urho3dKind, validateUrho3d } from '../formats/urho3d/recognise.ts';
import { type Content, headOf, wholeOf } from '../importers/content.ts';
import { readHead } from '../importers/wholeFile.ts';
import { diskProbe } from './manifestFiles.ts';

/** Extensions of binary files that are looked for in folders: only if their content is of that kind. */
export const URHO3D_EXTENSIONS = ['.mdl', '.ani', PACKAGE_EXTENSION];
/** A file that is called so and has other content is reported as no file of Urho3D. */
const OWN_EXTENSIONS = [...URHO3D_EXTENSIONS, '.vs3', '.ps3', '.vs4', '.ps4'];
/** More than a material or a scene is recognised by. */
export const URHO3D_HEAD_BYTES = 4096;

/** The kind of a file by its first bytes; null for none. A package at the end of a program is known by its name alone. */
export function urho3dKind(content: Content, path: string): Urho3dKind | null {
  const kind = recogniseUrho3d(headOf(content, URHO3D_HEAD_BYTES));
  const isNamed = extname(path).toLowerCase() === PACKAGE_EXTENSION;
  return kind === null && isNamed ? recogniseUrho3d(wholeOf(content, path)) : kind;
}

const isSuccessor = (bytes: Uint8Array): boolean =>
  Object.hasOwn(SUCCESSORS, String.fromCharCode(...bytes.subarray(0, 4)));

/** Whether a file is checked as one of Urho3D: by its content, or for its name. */
export const isUrho3dFile = (bytes: Uint8Array, path: string): boolean =>
  recogniseUrho3d(bytes.subarray(0, URHO3D_HEAD_BYTES)) !== null ||
  OWN_EXTENSIONS.includes(extname(path).toLowerCase());

/** Whether a file of a folder is worth a check: other programs have .mdl and .ani files too. */
export function isUrho3dCandidate(path: string): boolean {
  try {
    const head = readHead(path, URHO3D_HEAD_BYTES);
    return recogniseUrho3d(head) !== null || isSuccessor(head);
  } catch {
    return true;
  }
}

/** Everything that is wrong with a file, and of a package with the files of Urho3D in it; packages in packages are not opened. */
export function checkUrho3d(bytes: Uint8Array, name: string): readonly Diagnostic[] {
  const found = [...validateUrho3d(bytes, name)];
  if (recogniseUrho3d(bytes) !== 'package' || found.some(({ severity }) => severity === 'error')) return found;
  for (const { name: path, bytes: held } of readPackage(bytes, name).files) {
    const kind = recogniseUrho3d(held);
    if (kind !== null && kind !== 'package') found.push(...validateUrho3d(held, `${name}/${path}`));
  }
  return found;
}

/** The files that a record lists, with their SHA-256; null: the text is no record of a set of Urho3D. */
export function filesOfRecord(text: string, scene: string): ReadonlyMap<string, string | null> | null {
  try {
    if ((JSON.parse(text) as { readonly target?: unknown } | null)?.target !== 'urho3d') return null;
  } catch {
    return null;
  }
  return filesOfManifest(text, scene);
}

/** UC3219 and UC3220 for files that are not as listed, and the files that have rules of their own. */
export function checkRecord(
  listed: ReadonlyMap<string, string | null>,
  name: string,
  folder: string,
  scene: string,
): { readonly diagnostics: readonly Diagnostic[]; readonly named: readonly string[] } {
  const probe = diskProbe(folder);
  const diagnostics: Diagnostic[] = [];
  const named: string[] = [];
  for (const [path, sha256] of listed) {
    if (path === planMapPath(scene)) continue;
    if (probe.size(path) === null) {
      diagnostics.push(diagnostic('UC3219', name, 'files', `no file ${path}`));
      continue;
    }
    try {
      const bytes = probe.read(path);
      if (sha256 !== null && sha256Hex(bytes) !== sha256) diagnostics.push(diagnostic('UC3220', name, 'files', path));
      if (recogniseUrho3d(bytes.subarray(0, URHO3D_HEAD_BYTES)) !== null) named.push(join(folder, path));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      diagnostics.push(...error.diagnostics);
    }
  }
  return { diagnostics, named };
}
