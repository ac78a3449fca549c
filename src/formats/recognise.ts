// Which kind a file is: by its content, where the name decides between kinds that begin alike, and by its name alone.

import { extname } from 'node:path';
import { KIND_IDS, type KindId, kind } from './kinds.ts';

/** First bytes by which kinds are told, at most: so much white space may stand before JSON. */
export const HEAD_BYTES = 2 ** 16;

const BYTE_ORDER_MARK = '\xef\xbb\xbf';
/** More than any kind begins with, and a byte order mark. */
const BEGIN_BYTES = 16;
/** So much of a text is searched for the first element of XML. */
const ROOT_BYTES = 1024;
/** Behind the declaration and comments. */
const ROOT = /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<([A-Za-z]+)[\s/>]/;

/** The extension of a path with the dot, in lower case; '' for none. */
const extension = (path: string): string => extname(path).toLowerCase();

const hasExtension = (id: KindId, path: string): boolean => kind(id).extensions.includes(extension(path));

/** The first kind whose files are called so; null for none. */
export const kindOfName = (path: string): KindId | null => KIND_IDS.find((id) => hasExtension(id, path)) ?? null;

/** Whether bytes begin as the binary files of a kind do. */
export function beginsAs(id: KindId, bytes: Uint8Array): boolean {
  const begin = latin1(bytes);
  return kind(id).begins?.some((magic) => begin.startsWith(magic)) ?? false;
}

function latin1(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes.subarray(0, BEGIN_BYTES));
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

function rootOf(head: Uint8Array): string | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head.subarray(0, ROOT_BYTES));
  return ROOT.exec(text)?.[1] ?? null;
}

function isJson(head: Uint8Array): boolean {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (at < head.length && (head[at] === 0x20 || (head[at] >= 0x09 && head[at] <= 0x0d))) at++;
  return head[at] === 0x7b;
}

/** The kind of JSON text: glTF unless it means to be another. */
function kindOfJson(text: string, path: string): KindId {
  let value: Readonly<Record<string, unknown>>;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    // What cannot be parsed is reported by the readers of what the file is called.
    return kindOfName(path) === 'manifest' ? 'manifest' : 'gltf';
  }
  return KIND_IDS.find((id) => kind(id).isObject?.(value)) ?? 'gltf';
}

/**
 * The kind of a file by its content; null where that is of no kind. `head`: its first HEAD_BYTES, or all of it. `whole` is
 * called for JSON that is not called .gltf, and for what may hold a package at its end.
 */
export function kindOfContent(head: Uint8Array, path: string, whole: () => Uint8Array): KindId | null {
  const begin = latin1(head);
  const binary = KIND_IDS.filter((id) => kind(id).begins?.some((magic) => begin.startsWith(magic)));
  if (binary.length > 0) return binary.find((id) => hasExtension(id, path)) ?? binary[0];
  const named = kindOfName(path);
  if (named !== null && kind(named).isNamed) return named;
  if (isJson(head)) return named === 'gltf' ? named : kindOfJson(new TextDecoder().decode(whole()), path);
  const root = rootOf(head);
  const document = root === null ? undefined : KIND_IDS.find((id) => kind(id).roots?.includes(root));
  if (document) return document;
  return named !== null && kind(named).isWithin?.(whole()) ? named : null;
}

/** The kind of content that is in memory. */
export const kindOfBytes = (bytes: Uint8Array, path: string): KindId | null => kindOfContent(bytes, path, () => bytes);

/**
 * Whether a file that was found in a folder by its name is none of ours: other programs give such names to files of their own,
 * and the content is of none of the kinds that are called so. `content` is asked for such names alone.
 */
export function isForeign(path: string, content: () => KindId | null): boolean {
  const named = kindOfName(path);
  if (named === null || !kind(named).sharesExtension) return false;
  const found = content();
  return found === null || !hasExtension(found, path);
}
