// A GLB, or a glTF with buffers of 1 GiB, that is put together mesh by mesh. The binary data goes to disk as it is made, so that
// scenes may be far larger than the memory.

import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import type { Shape } from './shape.ts';

export interface Node {
  readonly name: string;
  readonly mesh: number;
  readonly translation?: readonly [number, number, number];
  /** Turn around +Y in radians. */
  readonly turn?: number;
}

const FLOAT = 5126;
const UNSIGNED_INT = 5125;

/** Bytes that are written at a time. */
const BLOCK_BYTES = 2 ** 24;
/** A buffer of a .gltf ends after the view that reaches this size. */
const BUFFER_BYTES = 2 ** 30;
/** A GLB states its size in 32 bits. */
const MAX_GLB_BYTES = 2 ** 32 - 1;

/** A file that is written in blocks. */
class BlockFile {
  readonly #file: number;
  readonly #block = Buffer.alloc(BLOCK_BYTES);
  #filled = 0;
  bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  add(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + BLOCK_BYTES - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === BLOCK_BYTES) this.#flush();
    }
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    for (let at = 0; at < this.#filled; ) at += writeSync(this.#file, this.#block, at, this.#filled - at);
    this.#filled = 0;
  }
}

export class Glb {
  readonly #path: string;
  readonly #isGlb: boolean;
  readonly #buffers: { readonly path: string; readonly file: BlockFile }[] = [];
  readonly #bufferViews: object[] = [];
  readonly #accessors: object[] = [];
  readonly #meshes: object[] = [];
  readonly #meshTriangles: number[] = [];
  readonly #nodes: object[] = [];
  readonly #images: object[] = [];
  readonly #materials: readonly object[];
  #triangles = 0;

  /** `path` ends in `.glb`, or in `.gltf` for buffers beside it. */
  constructor(path: string, materials: readonly object[]) {
    this.#path = path;
    this.#isGlb = !path.endsWith('.gltf');
    this.#materials = materials;
  }

  /** Triangles of all nodes. */
  get triangles(): number {
    return this.#triangles;
  }

  /** Texture i of the materials is the image added i-th. */
  addImage(png: Uint8Array): void {
    this.#images.push({ bufferView: this.#view(png), mimeType: 'image/png' });
  }

  /** One primitive a shape; the number of the mesh. Shapes without triangles are left out. */
  addMesh(name: string, shapes: readonly { readonly shape: Shape; readonly material: number }[]): number {
    const primitives: object[] = [];
    let triangles = 0;
    for (const { shape, material } of shapes) {
      if (shape.triangles === 0) continue;
      triangles += shape.triangles;
      const { min, max } = shape.bounds();
      const attributes = {
        POSITION: this.#accessor(Float32Array.from(shape.positions), 'VEC3', 3, { min, max }),
        NORMAL: this.#accessor(Float32Array.from(shape.normals), 'VEC3', 3),
        TEXCOORD_0: this.#accessor(Float32Array.from(shape.uvs), 'VEC2', 2),
      };
      const indices = this.#accessor(Uint32Array.from(shape.indices), 'SCALAR', 1);
      primitives.push({ attributes, indices, material });
    }
    this.#meshTriangles.push(triangles);
    return this.#meshes.push({ name, primitives }) - 1;
  }

  addNode({ name, mesh, translation, turn }: Node): void {
    this.#triangles += this.#meshTriangles[mesh];
    this.#nodes.push({
      name,
      mesh,
      ...(translation ? { translation } : {}),
      ...(turn ? { rotation: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)] } : {}),
    });
  }

  /** Writes the JSON, and of a GLB the data behind it. */
  write(): void {
    for (const { file } of this.#buffers) file.close();
    const json = Buffer.from(
      JSON.stringify({
        asset: { version: '2.0' },
        scene: 0,
        scenes: [{ nodes: this.#nodes.map((_, i) => i) }],
        nodes: this.#nodes,
        meshes: this.#meshes,
        materials: this.#materials,
        images: this.#images,
        textures: this.#images.map((_, source) => ({ source })),
        accessors: this.#accessors,
        bufferViews: this.#bufferViews,
        buffers: this.#buffers.map(({ path, file }) => ({
          byteLength: file.bytes,
          ...(this.#isGlb ? {} : { uri: basename(path) }),
        })),
      }),
    );
    const out = new BlockFile(this.#path);
    if (this.#isGlb) this.#addChunks(out, json);
    else out.add(json);
    out.close();
  }

  #addChunks(out: BlockFile, json: Buffer): void {
    const [data] = this.#buffers;
    const padding = (4 - (json.length % 4)) % 4;
    const size = 28 + json.length + padding + data.file.bytes;
    if (size > MAX_GLB_BYTES) throw new Error(`a GLB cannot have ${size} bytes: write a .gltf`);
    const head = Buffer.alloc(20);
    head.write('glTF', 0, 'latin1');
    head.writeUInt32LE(2, 4);
    head.writeUInt32LE(size, 8);
    head.writeUInt32LE(json.length + padding, 12);
    head.write('JSON', 16, 'latin1');
    const dataHead = Buffer.alloc(8);
    dataHead.writeUInt32LE(data.file.bytes, 0);
    dataHead.write('BIN\0', 4, 'latin1');
    for (const piece of [head, json, Buffer.alloc(padding, 0x20), dataHead]) out.add(piece);
    const from = openSync(data.path, 'r');
    const block = Buffer.alloc(BLOCK_BYTES);
    for (let read = readSync(from, block); read > 0; read = readSync(from, block)) out.add(block.subarray(0, read));
    closeSync(from);
    rmSync(data.path);
  }

  #accessor(data: Float32Array | Uint32Array, type: string, size: number, more: object = {}): number {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const componentType = data instanceof Uint32Array ? UNSIGNED_INT : FLOAT;
    const accessor = { bufferView: this.#view(bytes), componentType, count: data.length / size, type, ...more };
    return this.#accessors.push(accessor) - 1;
  }

  #view(bytes: Uint8Array): number {
    const { file } = this.#buffer();
    const byteOffset = file.bytes;
    this.#bufferViews.push({ buffer: this.#buffers.length - 1, byteOffset, byteLength: bytes.length });
    file.add(bytes);
    file.add(new Uint8Array((4 - (bytes.length % 4)) % 4));
    return this.#bufferViews.length - 1;
  }

  /** The buffer that is written to. */
  #buffer() {
    const last = this.#buffers.at(-1);
    if (last && (this.#isGlb || last.file.bytes < BUFFER_BYTES)) return last;
    const path = this.#isGlb ? `${this.#path}.data` : this.#path.replace(/\.gltf$/, `-${this.#buffers.length}.bin`);
    const buffer = { path, file: new BlockFile(path) };
    this.#buffers.push(buffer);
    return buffer;
  }
}
