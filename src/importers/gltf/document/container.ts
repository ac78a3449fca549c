// From bytes to parsed JSON and the binary chunk: the GLB container (glTF 2.0, chapter 4) and plain .gltf text,
// recognised by the magic number. Declared lengths are checked against what the file holds.

import { jsonFaultWords } from '../../../bytes/jsonFault.ts';
import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { type Content, partOf, wholeOf } from '../../content.ts';
import { Element, quote } from './element.ts';

const GLB_MAGIC = 0x46546c67; // "glTF"
const GLB_VERSION = 2;
const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;
/** The longest string of V8 in 64-bit Node 20. */
const MAX_TEXT_BYTES = 2 ** 29 - 24;

export interface Container {
  readonly kind: 'gltf' | 'glb';
  readonly root: Element;
  /** The binary chunk, a part of the file; null when there is none. */
  readonly bin: Content | null;
}

/**
 * Opens a .glb or .gltf. Throws SourceError: UC1300 for a broken container, UC1206 for one cut off, UC1301 for text
 * that is not JSON (with its position), UC1201 for JSON that is not glTF, UC1304 for other versions of glTF.
 */
export function readContainer(file: string, content: Content, diagnostics: Diagnostics): Container {
  const isGlb = content.size >= 4 && viewOf(content, 0, 4).getUint32(0, true) === GLB_MAGIC;
  const { json, bin } = isGlb ? readChunks(file, content, diagnostics) : { json: content, bin: null };
  const root = Element.root(file, parseJson(file, json, diagnostics));
  checkVersion(root);
  return { kind: isGlb ? 'glb' : 'gltf', root, bin };
}

function viewOf(content: Content, from: number, length: number): DataView {
  const bytes = content.range(from, length);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

/** Finds the chunks by their headers, which alone are read. */
function readChunks(file: string, content: Content, diagnostics: Diagnostics) {
  if (content.size < HEADER_BYTES) {
    return fail('UC1206', file, '', `the GLB header is cut off at ${content.size} bytes`);
  }
  const head = viewOf(content, 0, HEADER_BYTES);
  const version = head.getUint32(4, true);
  if (version !== GLB_VERSION) return fail('UC1304', file, '', `the GLB header declares version ${version}`);
  const length = head.getUint32(8, true);
  if (length > content.size) {
    return fail('UC1206', file, '', `the GLB header declares ${length} bytes, but the file has ${content.size}`);
  }
  if (length < content.size) {
    diagnostics.report('UC1303', file, '', `${content.size - length} bytes follow the end of the GLB`);
  }
  let json: Content | null = null;
  let bin: Content | null = null;
  let at = HEADER_BYTES;
  for (let chunk = 0; at < length; chunk++) {
    const path = `chunk ${chunk}`;
    if (length - at < CHUNK_HEADER_BYTES) return fail('UC1300', file, path, 'the header of this chunk is cut off');
    const header = viewOf(content, at, CHUNK_HEADER_BYTES);
    const size = header.getUint32(0, true);
    const type = header.getUint32(4, true);
    at += CHUNK_HEADER_BYTES;
    if (size > length - at) {
      return fail('UC1300', file, path, `this chunk declares ${size} bytes, but ${length - at} are left`);
    }
    if ((chunk === 0) !== (type === CHUNK_JSON)) {
      return fail('UC1300', file, path, chunk === 0 ? 'the first chunk is not JSON' : 'there are two JSON chunks');
    }
    const chunkContent = partOf(content, at, size);
    if (type === CHUNK_JSON) json = chunkContent;
    else if (type === CHUNK_BIN && bin === null) bin = chunkContent;
    else {
      const text = `chunks of an unknown kind are skipped, the first has type 0x${type.toString(16).padStart(8, '0')}`;
      diagnostics.once(file, 'UC1303', file, path, text);
    }
    at += size;
  }
  if (json === null) return fail('UC1300', file, '', 'the GLB has no JSON chunk');
  return { json, bin };
}

function parseJson(file: string, content: Content, diagnostics: Diagnostics): unknown {
  if (content.size > MAX_TEXT_BYTES) {
    return fail('UC1207', file, '', `the JSON has ${content.size} bytes, the limit is ${MAX_TEXT_BYTES}`);
  }
  const bytes = wholeOf(content, file);
  // Some exporters pad the JSON chunk with zeros instead of spaces.
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  const body = bytes.subarray(0, end);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    text = new TextDecoder('utf-8').decode(body);
    diagnostics.report('UC1302', file, '', 'the JSON holds bytes that are not UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    return fail('UC1301', file, '', jsonFaultWords(text, { withOffset: true }));
  }
}

function checkVersion(root: Element): void {
  const asset = root.has('asset') ? root.required('asset') : null;
  const version = asset?.has('version') ? asset.string('version') : null;
  if (asset === null || version === null) {
    fail('UC1201', root.file, '', 'this is JSON, but not glTF: it has no asset.version');
  }
  const minimum = asset.string('minVersion') ?? '2.0';
  if (!/^2\.\d+$/.test(version)) root.fail('UC1304', `asset.version is ${quote(version)}`);
  if (minimum !== '2.0') root.fail('UC1304', `asset.minVersion is ${quote(minimum)}`);
}
