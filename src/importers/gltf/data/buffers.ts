// Buffers and buffer views: the bytes of a file's binary data. Ranges are checked against the declared lengths when the
// file is opened. What an accessor needs is read whenever it is asked for and belongs to the caller, so that a Scene holds
// none of it. Only decompressed views are kept, up to a limit.

import type { MeshoptDecoder } from 'meshoptimizer';
import { type Code, type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { type Content, memoryContent, rangeOf } from '../../content.ts';
import type { SourceFiles } from '../../files.ts';
import type { Container } from '../document/container.ts';
import { decodeDataUri, isDataUri, resolveUri } from '../document/uri.ts';
import { meshoptOf } from '../extensions/geometry/khrMeshoptCompression.ts';
import { decodeMeshopt, type MeshoptView } from './meshoptDecoder.ts';

/** Decompressed views that are kept, in bytes. */
const MAX_DECODED_BYTES = 2 ** 29;

export interface BufferView {
  readonly path: string;
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  /** 0: elements are tightly packed. */
  readonly byteStride: number;
  readonly meshopt: MeshoptView | null;
}

interface BufferDef {
  readonly path: string;
  readonly uri: string | null;
  readonly byteLength: number;
}

export class Buffers {
  readonly views: readonly BufferView[];
  /** Not the container itself, whose JSON may take more memory than the Scene and is needed no more when that is made. */
  readonly #kind: Container['kind'];
  readonly #bin: Container['bin'];
  readonly #file: string;
  readonly #files: SourceFiles;
  readonly #diagnostics: Diagnostics;
  readonly #defs: readonly BufferDef[];
  readonly #contents: (Content | undefined)[] = [];
  readonly #byPath = new Map<string, Content>();
  /** Decompressed views, those used longest ago first. */
  readonly #decoded = new Map<number, Uint8Array>();
  #decodedBytes = 0;
  readonly #maxDecoded: number;
  #decoder: typeof MeshoptDecoder | null = null;

  /** Checks every buffer and view: UC1307, UC1308, UC1311, UC1317. Reads nothing. */
  constructor(container: Container, files: SourceFiles, diagnostics: Diagnostics, maxDecoded = MAX_DECODED_BYTES) {
    this.#maxDecoded = maxDecoded;
    const { root } = container;
    this.#kind = container.kind;
    this.#bin = container.bin;
    this.#file = root.file;
    this.#files = files;
    this.#diagnostics = diagnostics;
    this.#defs = root.elements('buffers').map((buffer) => ({
      path: buffer.path,
      uri: buffer.string('uri'),
      byteLength: buffer.integer('byteLength', null),
    }));
    const lengths = this.#defs.map((buffer) => buffer.byteLength);
    this.views = root.elements('bufferViews').map((view) => {
      const buffer = view.index('buffer', lengths.length, 'buffers');
      if (buffer < 0) view.fail('UC1307', 'buffer is missing');
      const byteOffset = view.integer('byteOffset', 0);
      const byteLength = view.integer('byteLength', null);
      const byteStride = view.integer('byteStride', 0, 0, 65536);
      if (byteOffset + byteLength > lengths[buffer]) {
        view.fail('UC1311', `bytes ${byteOffset} to ${byteOffset + byteLength} of a buffer of ${lengths[buffer]}`);
      }
      const meshopt = meshoptOf(view, byteLength, lengths);
      return { path: view.path, buffer, byteOffset, byteLength, byteStride, meshopt };
    });
  }

  /** Loads the decoder that the file's views need; once, before any `view()`. */
  async prepare(): Promise<void> {
    if (this.#decoder !== null || !this.views.some((view) => view.meshopt)) return;
    const { MeshoptDecoder } = await import('meshoptimizer/decoder');
    await MeshoptDecoder.ready;
    this.#decoder = MeshoptDecoder;
  }

  /** All that the buffer has, even if it declares more. UC1309 without data, UC12xx for files that cannot be read. */
  #buffer(index: number): Content {
    const known = this.#contents[index];
    if (known) return known;
    const { path, uri } = this.#defs[index];
    let content: Content;
    if (uri !== null) {
      content = isDataUri(uri) ? memoryContent(decodeDataUri(this.#file, path, uri)) : this.#external(path, uri);
    } else if (index === 0 && this.#bin !== null) {
      content = this.#bin;
    } else {
      const reason = this.#kind === 'glb' && index === 0 ? 'the GLB has no binary chunk' : 'it has no uri';
      return fail('UC1309', this.#file, path, `the buffer is needed, but ${reason}`);
    }
    this.#contents[index] = content;
    return content;
  }

  #external(path: string, uri: string): Content {
    const resolved = resolveUri(this.#files, this.#file, path, uri);
    let content = this.#byPath.get(resolved);
    if (!content) {
      content = this.#files.open(resolved, this.#file, path);
      this.#byPath.set(resolved, content);
    }
    return content;
  }

  /**
   * Bytes `from` to `from + length` of the `size` bytes of a buffer from `start` on. UC1310 when the buffer is cut off
   * before the end of these; UC1329 (a warning) when it is shorter than declared, but holds them. UC1207 for more than
   * fits one buffer.
   */
  #range(index: number, start: number, size: number, from: number, length: number): Uint8Array {
    const content = this.#buffer(index);
    const { path, byteLength } = this.#defs[index];
    if (content.size < byteLength) {
      const message = `${byteLength} bytes are declared, but there are ${content.size}`;
      if (start + size > content.size) fail('UC1310', this.#file, path, message);
      this.#diagnostics.report('UC1329', this.#file, path, message);
    }
    return rangeOf(content, start + from, length, this.#file, path);
  }

  /** The bytes of a view, decompressed if it is compressed. Callers may not write to them. */
  view(index: number): Uint8Array {
    return this.range(index, 0, this.views[index].byteLength);
  }

  /** The `length` bytes of a view from offset `from` on, which must lie inside. Callers may not write to them. */
  range(index: number, from: number, length: number): Uint8Array {
    const { buffer, byteOffset, byteLength, meshopt } = this.views[index];
    if (meshopt === null) return this.#range(buffer, byteOffset, byteLength, from, length);
    return this.#decompressed(index, meshopt).subarray(from, from + length);
  }

  /**
   * Packers put all meshes of a file into a few views, so decompressed ones are kept. Which accessor of a view is read last is
   * not known: a Scene may be read again. Beyond the limit, the view that was used longest ago goes.
   */
  #decompressed(index: number, meshopt: MeshoptView): Uint8Array {
    let bytes = this.#decoded.get(index);
    if (bytes) this.#decoded.delete(index);
    else {
      const { buffer, byteOffset, byteLength } = meshopt;
      const source = this.#range(buffer, byteOffset, byteLength, 0, byteLength);
      const broken = (code: Code, message: string) => fail(code, this.#file, meshopt.path, message);
      bytes = decodeMeshopt(this.#decoder!, meshopt, source, broken);
      this.#decodedBytes += bytes.length;
    }
    this.#decoded.set(index, bytes);
    for (const [oldest, { length }] of this.#decoded) {
      if (this.#decodedBytes <= this.#maxDecoded || oldest === index) break;
      this.#decoded.delete(oldest);
      this.#decodedBytes -= length;
    }
    return bytes;
  }
}
