// What the files of an output take on a device, read from the files as they lie on the disk.

import { join, posix } from 'node:path';
import { type Diagnostic, fail } from '../../diagnostics/diagnostic.ts';
import { CHUNK } from '../../formats/untold/container/records.ts';
import { describeUntold, type UntoldDescription } from '../../formats/untold/read.ts';
import { isUtex } from '../../formats/utex/layout.ts';
import { describeUtex } from '../../formats/utex/read.ts';
import { codeOf, isFile, readWhole, refusal } from '../../importers/wholeFile.ts';
import type { Bounds } from '../../scene/types.ts';
import { ImageFault } from '../../textures/decode/fault.ts';
import { probeImage } from '../../textures/decode/probe.ts';
import type { WaitingTextures } from '../diskProbe.ts';

/** What a payload takes once it is loaded. */
export interface PayloadFacts {
  /** Of the file. */
  readonly bytes: number;
  /** Vertices and indices, unpacked. */
  readonly geometry: number;
  readonly triangles: number;
  /** Mesh records: what the engine draws before it batches. */
  readonly draws: number;
  readonly entities: number;
  /** Paths relative to the set's folder, each once. */
  readonly textures: readonly string[];
  /** Of these, what each material of the file names, by its index. */
  readonly texturesOf: readonly (readonly string[])[];
  /** Draws by the name of their material. */
  readonly drawsOf: ReadonlyMap<string, number>;
  /** Of the file. */
  readonly bounds: Bounds;
  readonly description: UntoldDescription;
  /** What is wrong with the file, errors alone. */
  readonly faults: readonly Diagnostic[];
}

/** What a texture is. */
export interface TextureFacts {
  /** Of the file. */
  readonly bytes: number;
  /** On the GPU, with all mips. */
  readonly gpuBytes: number;
  readonly width: number;
  readonly height: number;
  /** Of the mips as blocks that the GPU reads, the largest first; null: an image, which is unpacked. */
  readonly mips: readonly { readonly width: number; readonly height: number; readonly bytes: number }[] | null;
}

const GEOMETRY_CHUNKS: readonly number[] = [CHUNK.vertexData, CHUNK.indexData];

/** Bytes of an image with four channels and all mips: a third more than the image. */
const withMips = (pixels: number): number => Math.ceil((pixels * 4 * 4) / 3);

export class OutputFacts {
  readonly #folder: string;
  readonly #payloads = new Map<string, Promise<PayloadFacts>>();
  readonly #textures = new Map<string, TextureFacts | null>();
  /** Textures that are not counted: what names them, or their own path, with why. */
  readonly uncounted = new Map<string, string>();

  /** Textures that are not on the disk yet, by file name. */
  readonly #waiting: WaitingTextures;

  /** `folder`: of the set, absolute. `waiting`: textures that are not on the disk yet. */
  constructor(folder: string, waiting: WaitingTextures = new Map()) {
    this.#folder = folder;
    this.#waiting = waiting;
  }

  /** The bytes of a payload's file. Throws UC1200. */
  payloadFile(path: string): Uint8Array {
    return this.#read(path);
  }

  /** The bytes of a texture that payloads name. Throws UC1200. */
  textureFile(path: string): Uint8Array {
    return this.#waiting.get(posix.basename(path))?.() ?? this.#read(path);
  }

  /** The facts of a payload by its path relative to the set's folder. Throws UC1200, and what the reader throws. */
  payload(path: string): Promise<PayloadFacts> {
    const known = this.#payloads.get(path) ?? this.#readPayload(path);
    this.#payloads.set(path, known);
    return known;
  }

  /** What a texture takes on the GPU, with all mips; 0 for one that cannot be read. */
  textureBytes(path: string): number {
    return this.#textures.get(path)?.gpuBytes ?? 0;
  }

  /** Of a texture that a payload which was read names; null: it cannot be read. */
  texture(path: string): TextureFacts | null {
    return this.#textures.get(path) ?? null;
  }

  #read(path: string): Uint8Array {
    const absolute = join(this.#folder, path);
    try {
      return readWhole(absolute);
    } catch (error) {
      return fail('UC1200', absolute, '', `${absolute} ${refusal(codeOf(error))}`);
    }
  }

  async #readPayload(path: string): Promise<PayloadFacts> {
    const bytes = this.#read(path);
    const { description, diagnostics } = await describeUntold(bytes, path);
    const { chunks, totals, meshes, materials } = description;
    const geometry = chunks
      .filter(({ type }) => GEOMETRY_CHUNKS.includes(type))
      .reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    // Textures that no material names are not loaded.
    const named = new Set(materials.flatMap(({ textures }) => Object.values(textures)));
    const textures = new Set<string>();
    const pathOf = new Map<number, string>();
    for (const index of named) {
      const uri = description.textures[index]?.uri ?? '';
      const texture = this.textureOf(uri, posix.dirname(path));
      if (texture !== null) {
        textures.add(texture);
        pathOf.set(index, texture);
      } else this.uncounted.set(posix.join(posix.dirname(path), uri), 'it is not there');
    }
    for (const texture of textures) await this.#readTexture(texture);
    const drawsOf = new Map<string, number>();
    for (const { material } of meshes) {
      const name = material === null ? '' : (materials[material]?.name ?? '');
      drawsOf.set(name, (drawsOf.get(name) ?? 0) + 1);
    }
    return {
      bytes: bytes.length,
      geometry,
      triangles: totals.triangles,
      draws: meshes.length,
      entities: totals.entities,
      textures: [...textures].sort(),
      texturesOf: materials.map((one) => [
        ...new Set(Object.values(one.textures).flatMap((index) => pathOf.get(index) ?? [])),
      ]),
      bounds: description.bounds,
      drawsOf,
      description,
      faults: diagnostics.filter(({ severity }) => severity === 'error'),
    };
  }

  /** Where the engine looks: at the path relative to the payload's folder, else at its last part there. */
  textureOf(uri: string, folder: string): string | null {
    const plain = uri.replace(/^\/+/, '');
    const places = [posix.join(folder, plain), posix.join(folder, posix.basename(plain))];
    if (this.#waiting.has(posix.basename(plain))) return places[0];
    return plain === '' ? null : (places.find((place) => isFile(join(this.#folder, place))) ?? null);
  }

  async #readTexture(path: string): Promise<void> {
    if (this.#textures.has(path)) return;
    // Known from here on: payloads are read one after another, and a texture once.
    this.#textures.set(path, null);
    const bytes = this.textureFile(path);
    if (isUtex(bytes)) {
      const { gpuBytes, width, height, mips } = describeUtex(bytes, path).description;
      this.#textures.set(path, { bytes: bytes.length, gpuBytes, width, height, mips });
      return;
    }
    const info = await probeImage(bytes);
    if (info instanceof ImageFault) this.uncounted.set(path, info.message);
    else {
      const { width, height } = info;
      this.#textures.set(path, { bytes: bytes.length, gpuBytes: withMips(width * height), width, height, mips: null });
    }
  }
}
