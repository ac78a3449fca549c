// Buffers and buffer views: the bytes of a file's binary data. Ranges are checked against the declared lengths when the
// file is opened. Data is read when it is first needed, and kept as long as the Scene.

import type { MeshoptDecoder } from 'meshoptimizer';
import { type Code, type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import type { SourceFiles } from '../../files.ts';
import type { Container } from '../document/container.ts';
import { decodeDataUri, isDataUri, resolveUri } from '../document/uri.ts';
import { meshoptOf } from '../extensions/geometry/khrMeshoptCompression.ts';
import { decodeMeshopt, type MeshoptView } from './meshoptDecoder.ts';

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
  readonly #container: Container;
  readonly #file: string;
  readonly #files: SourceFiles;
  readonly #diagnostics: Diagnostics;
  readonly #defs: readonly BufferDef[];
  readonly #bytes: (Uint8Array | undefined)[] = [];
  readonly #byPath = new Map<string, Uint8Array>();
  readonly #decoded = new Map<number, Uint8Array>();
  #decoder: typeof MeshoptDecoder | null = null;

  /** Checks every buffer and view: UC1307, UC1308, UC1311, UC1317. Reads nothing. */
  constructor(container: Container, files: SourceFiles, diagnostics: Diagnostics) {
    const { root } = container;
    this.#container = container;
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

  /** All bytes that the buffer has, even if it declares more. UC1309 without data, UC12xx for files that cannot be read. */
  #buffer(index: number): Uint8Array {
    const known = this.#bytes[index];
    if (known) return known;
    const { path, uri } = this.#defs[index];
    const { bin, kind } = this.#container;
    let bytes: Uint8Array;
    if (uri !== null) {
      bytes = isDataUri(uri) ? decodeDataUri(this.#file, path, uri) : this.#external(path, uri);
    } else if (index === 0 && bin !== null) {
      bytes = bin;
    } else {
      const reason = kind === 'glb' && index === 0 ? 'the GLB has no binary chunk' : 'it has no uri';
      return fail('UC1309', this.#file, path, `the buffer is needed, but ${reason}`);
    }
    this.#bytes[index] = bytes;
    return bytes;
  }

  #external(path: string, uri: string): Uint8Array {
    const resolved = resolveUri(this.#files, this.#file, path, uri);
    let bytes = this.#byPath.get(resolved);
    if (!bytes) {
      bytes = this.#files.read(resolved, this.#file, path);
      this.#byPath.set(resolved, bytes);
    }
    return bytes;
  }

  /**
   * A range of a buffer. UC1310 when the buffer is cut off before the end of the range; UC1329 (a warning) when the buffer
   * is shorter than declared, but holds the range.
   */
  #range(index: number, from: number, length: number): Uint8Array {
    const bytes = this.#buffer(index);
    const { path, byteLength } = this.#defs[index];
    if (bytes.length < byteLength) {
      const message = `${byteLength} bytes are declared, but there are ${bytes.length}`;
      if (from + length > bytes.length) fail('UC1310', this.#file, path, message);
      this.#diagnostics.report('UC1329', this.#file, path, message);
    }
    return bytes.subarray(from, from + length);
  }

  /**
   * The bytes of a view, decompressed if it is compressed. Callers may not write to them. Decompressed views are kept,
   * because packers put all meshes of a file into a few of them.
   */
  view(index: number): Uint8Array {
    const { buffer, byteOffset, byteLength, meshopt } = this.views[index];
    if (meshopt === null) return this.#range(buffer, byteOffset, byteLength);
    let bytes = this.#decoded.get(index);
    if (!bytes) {
      const source = this.#range(meshopt.buffer, meshopt.byteOffset, meshopt.byteLength);
      const broken = (code: Code, message: string) => fail(code, this.#file, meshopt.path, message);
      bytes = decodeMeshopt(this.#decoder!, meshopt, source, broken);
      this.#decoded.set(index, bytes);
    }
    return bytes;
  }
}
