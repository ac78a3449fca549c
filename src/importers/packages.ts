// Packages of Urho3D and BPX as folders: `Data.pak[Models/Jack.mdl]` is the file Models/Jack.mdl in a folder Data.pak, and what
// that file names is looked for in the package first.

import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fail } from '../diagnostics/diagnostic.ts';
import { beginsAs } from '../formats/recognise.ts';
import { nameFault } from '../formats/urho3d/package/layout.ts';
import { type Content, headOf, memoryContent, wholeOf } from './content.ts';
import type { SourceFiles } from './files.ts';

export interface PackagedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The files of a BPX package. Throws its errors, and UC3820 for a BPX file of another kind. */
export async function bpxFiles(bytes: Uint8Array, name: string): Promise<readonly PackagedFile[]> {
  const { content } = await (await import('../formats/bpx/read.ts')).readBpx(bytes, name);
  if (content.kind === 'package') return content.assets.map(({ path, bytes: own }) => ({ name: path, bytes: own }));
  if (content.kind !== 'cratePackage') return fail('UC3820', name, '', `it is a BPX ${content.kind}`);
  return content.objects.map(({ name: path, parts }) => ({
    name: path,
    bytes: parts.length === 1 ? parts[0] : Uint8Array.from(Buffer.concat(parts)),
  }));
}

/** The files of a package of Urho3D, also of one at the end of a program. Compares every checksum; throws its errors. */
export async function pakFiles(bytes: Uint8Array, name: string): Promise<readonly PackagedFile[]> {
  return (await import('../formats/urho3d/package/read.ts')).readPackage(bytes, name).files;
}

/** `PACKAGE[NAME]` as a path below the package; null for other words. `isFile`: of a path as the word has it. */
export function pathInPackage(word: string, isFile: (path: string) => boolean): string | null {
  const [, outer, inner] = /^(.+?)\[(.+)\]$/s.exec(word) ?? [];
  return outer !== undefined && nameFault(inner) === null && isFile(outer) ? join(outer, inner) : null;
}

/** The file that a path leads below, as if it were a folder; null: there is none. */
export function packageAbove(path: string, isFile: (path: string) => boolean): string | null {
  if (isFile(path)) return null;
  for (let at = dirname(path); dirname(at) !== at; at = dirname(at)) if (isFile(at)) return at;
  return null;
}

/** The file of the disk that a path of messages leads to or into, and what of the path lies inside of it; '' for the file itself. */
export function outermostFile(
  path: string,
  isFile: (path: string) => boolean,
): { readonly file: string; readonly inside: string } {
  if (isFile(path)) return { file: path, inside: '' };
  const [, outer, inner] = /^(.+?\.usdz)\[(.+)\]$/is.exec(path) ?? [];
  if (outer !== undefined) return { file: outer, inside: inner };
  const above = packageAbove(path, isFile);
  return above === null ? { file: path, inside: '' } : { file: above, inside: relative(above, path) };
}

async function filesIn(content: Content, name: string): Promise<readonly PackagedFile[] | null> {
  const head = headOf(content, 8);
  if (beginsAs('bpx', head)) return bpxFiles(wholeOf(content, name), name);
  return beginsAs('pak', head) ? pakFiles(wholeOf(content, name), name) : null;
}

/** Files with those of the package that a path leads into. Throws the errors of the package. */
export async function withPackage(path: string, files: SourceFiles): Promise<SourceFiles> {
  const outer = packageAbove(path, files.exists);
  const packed = outer === null ? null : await filesIn(files.open(outer, '', ''), outer);
  if (outer === null || packed === null) return files;
  const entries = new Map(packed.map(({ name, bytes }) => [name, bytes]));
  /** The name that a path has in the package; null: it lies elsewhere. */
  const nameOf = (at: string): string | null => {
    const inner = relative(outer, at);
    const isInside = inner !== '' && inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
    return isInside ? inner.split(sep).join('/') : null;
  };
  const entry = (name: string, at: string, from: string, element: string): Uint8Array => {
    const code = from === '' ? 'UC1200' : 'UC1203';
    return entries.get(name) ?? fail(code, from === '' ? at : from, element, `${outer} holds no ${name}`);
  };
  return {
    ...files,
    open: (at, from, element) => {
      const name = nameOf(at);
      return name === null ? files.open(at, from, element) : memoryContent(entry(name, at, from, element));
    },
    read: (at, from, element) => {
      const name = nameOf(at);
      return name === null ? files.read(at, from, element) : entry(name, at, from, element).slice();
    },
    exists: (at) => {
      const name = nameOf(at);
      return name === null ? files.exists(at) : entries.has(name);
    },
    names: (folder) => {
      const name = folder === outer ? '' : nameOf(folder);
      if (name === null) return files.names(folder);
      const below = [...entries.keys()].filter((one) => name === '' || one.startsWith(`${name}/`));
      return [...new Set(below.map((one) => one.slice(name === '' ? 0 : name.length + 1).split('/')[0]))].sort();
    },
  };
}
