// A GLB that is put together mesh by mesh, for scenes larger than one buffer should be: the binary chunk stays in the
// pieces it was made of and is written piece by piece.

import { closeSync, openSync, writeSync } from 'node:fs';
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

export class Glb {
  readonly #pieces: Uint8Array[] = [];
  readonly #bufferViews: object[] = [];
  readonly #accessors: object[] = [];
  readonly #meshes: object[] = [];
  readonly #meshTriangles: number[] = [];
  readonly #nodes: object[] = [];
  readonly #images: object[] = [];
  readonly #materials: readonly object[];
  #bytes = 0;
  #triangles = 0;

  constructor(materials: readonly object[]) {
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

  write(path: string): void {
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
        buffers: [{ byteLength: this.#bytes }],
      }),
    );
    const padding = (4 - (json.length % 4)) % 4;
    const head = Buffer.alloc(20);
    head.write('glTF', 0, 'latin1');
    head.writeUInt32LE(2, 4);
    head.writeUInt32LE(28 + json.length + padding + this.#bytes, 8);
    head.writeUInt32LE(json.length + padding, 12);
    head.write('JSON', 16, 'latin1');
    const binHead = Buffer.alloc(8);
    binHead.writeUInt32LE(this.#bytes, 0);
    binHead.write('BIN\0', 4, 'latin1');
    const file = openSync(path, 'w');
    try {
      for (const piece of [head, json, Buffer.alloc(padding, 0x20), binHead, ...this.#pieces]) writeSync(file, piece);
    } finally {
      closeSync(file);
    }
  }

  #accessor(data: Float32Array | Uint32Array, type: string, size: number, more: object = {}): number {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const componentType = data instanceof Uint32Array ? UNSIGNED_INT : FLOAT;
    const accessor = { bufferView: this.#view(bytes), componentType, count: data.length / size, type, ...more };
    return this.#accessors.push(accessor) - 1;
  }

  #view(bytes: Uint8Array): number {
    const padding = (4 - (bytes.length % 4)) % 4;
    this.#bufferViews.push({ buffer: 0, byteOffset: this.#bytes, byteLength: bytes.length });
    this.#pieces.push(bytes);
    if (padding > 0) this.#pieces.push(new Uint8Array(padding));
    this.#bytes += bytes.length + padding;
    return this.#bufferViews.length - 1;
  }
}
