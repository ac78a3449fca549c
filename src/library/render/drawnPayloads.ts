// Payloads of a cooked set as the renderer takes them, read when they are asked for; textures and surfaces once a call.

import { join, posix } from 'node:path';
import type { MorphRequest } from '../../cook/morphedScene.ts';
import { type Diagnostics, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import type { DrawnFileMaterial } from '../../formats/format.ts';
import { DEFAULT_FORMAT, formatOfContent, loadFormat } from '../../formats/registry.ts';
import { sharedAbove } from '../../formats/untold/sharedUris.ts';
import { isUtex } from '../../formats/utex/layout.ts';
import { codeOf, isFile, readWhole, refusal } from '../../importers/wholeFile.ts';
import type { Finish, RasterMaterial, RasterMesh } from '../../raster/scene.ts';
import { buildTexture, continueTexture, type Texture } from '../../raster/texture.ts';
import { decodeImage } from '../../textures/decode/decode.ts';
import { ImageFault } from '../../textures/decode/fault.ts';
import { probeImage } from '../../textures/decode/probe.ts';
import type { CookedSet } from './cookedSet.ts';

/** A URI with a scheme is no path. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Whether a path relative to the folder of the set leads out of it. */
const leadsAway = (path: string): boolean => /^\.\.(\/|$)/.test(posix.normalize(path.replaceAll('\\', '/')));

async function readTexture(path: string): Promise<Texture | string> {
  let bytes: Uint8Array;
  try {
    bytes = readWhole(path);
  } catch (error) {
    return refusal(codeOf(error));
  }
  if (isUtex(bytes)) return cookedTexture(bytes, path);
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) return info.message;
  const pixels = await decodeImage(bytes, info);
  if (pixels instanceof ImageFault) return pixels.message;
  return buildTexture(pixels.data, pixels.width, pixels.height);
}

/** A .utex texture with the mips of its file, which the engine draws: smaller files of one image then look the same from afar. */
async function cookedTexture(bytes: Uint8Array, path: string): Promise<Texture | string> {
  const { readUtex } = await import('../../formats/utex/read.ts');
  const { decodeMip } = await import('../../formats/utex/decode.ts');
  try {
    const texture = readUtex(bytes, path);
    const mips = texture.mips.map((_, level) => decodeMip(texture, level));
    return continueTexture(mips.map(({ data, width, height }) => ({ texels: data, width, height })));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const [{ code, message }] = error.diagnostics;
    return `${code}: ${message}`;
  }
}

export class DrawnPayloads {
  readonly #set: CookedSet;
  readonly #morphs: MorphRequest | null;
  readonly #mirrors: boolean;
  readonly #diagnostics: Diagnostics;
  readonly #textures = new Map<string, Promise<Texture | null>>();
  readonly #surfaces = new Map<string, RasterMaterial>();

  /** `morphs`: weights of morph targets; null: all are 0. `mirrors`: whether surfaces get what their reflections need. */
  constructor(set: CookedSet, diagnostics: Diagnostics, morphs: MorphRequest | null = null, mirrors = false) {
    this.#set = set;
    this.#mirrors = mirrors;
    this.#morphs = morphs;
    this.#diagnostics = diagnostics;
  }

  /** The meshes of a payload, in world space; none for one that draws nothing. Throws what the reader throws. */
  async meshes(path: string): Promise<RasterMesh[]> {
    const absolute = join(this.#set.folder, path);
    let bytes: Uint8Array;
    try {
      bytes = readWhole(absolute);
    } catch (error) {
      fail('UC1200', absolute, '', `${absolute} ${refusal(codeOf(error))}`);
    }
    // If the file begins like none of the formats, the default format's reader reports what is wrong with it.
    const format = await loadFormat(formatOfContent(bytes) ?? DEFAULT_FORMAT);
    const { meshes, materials, morphs = [] } = await format.drawnFile(bytes, absolute, this.#morphs?.weights);
    for (const name of morphs) if (this.#morphs?.weights.has(name)) this.#morphs.found.add(name);
    const slash = path.lastIndexOf('/') + 1;
    const surfaces: RasterMaterial[] = [];
    for (const material of materials) surfaces.push(await this.#surface(material, path.slice(0, slash), absolute));
    return meshes.map(({ positions, normals, uv0, indices, material }) => ({
      positions,
      normals,
      uv0,
      indices,
      // The engine does not upload the colours of vertices.
      color0: null,
      surface: surfaces[material],
    }));
  }

  async #surface(material: DrawnFileMaterial, folder: string, file: string): Promise<RasterMaterial> {
    const { baseColorTexture, emissiveTexture, finish, ...rest } = material;
    const isGlowing = rest.emissive.some((value) => value > 0);
    const surface = {
      ...rest,
      baseColorTexture: await this.#texture(baseColorTexture, folder, file),
      emissiveTexture: isGlowing ? await this.#texture(emissiveTexture, folder, file) : null,
      finish: this.#mirrors && finish ? await this.#finish(finish, folder, file) : null,
    };
    const key = JSON.stringify([folder, material]);
    const known = this.#surfaces.get(key);
    if (known) return known;
    this.#surfaces.set(key, surface);
    return surface;
  }

  async #finish(finish: NonNullable<DrawnFileMaterial['finish']>, folder: string, file: string): Promise<Finish> {
    return {
      ...finish,
      metallicTexture: await this.#texture(finish.metallic > 0 ? finish.metallicTexture : null, folder, file),
      roughnessTexture: await this.#texture(finish.roughnessTexture, folder, file),
    };
  }

  /** Where the engine looks: at the path relative to the payload's folder, else at its last part in that folder. */
  #texture(uri: string | null, folder: string, file: string): Promise<Texture | null> {
    if (uri === null) return Promise.resolve(null);
    const plain = uri.replace(/^\/+/, '');
    const last = plain.slice(plain.lastIndexOf('/') + 1);
    const places = [folder + plain, folder + last].map((path) => join(this.#set.folder, path));
    const above = sharedAbove(folder + plain);
    const isRefused = SCHEME.test(uri) || (above === null && leadsAway(folder + plain));
    const path = isRefused ? null : (places.find(isFile) ?? places[0]);
    const key = path ?? uri;
    const known = this.#textures.get(key);
    if (known) return known;
    const reading = (
      path === null ? Promise.resolve('it is not below the folder of the output') : readTexture(path)
    ).then((texture) => {
      if (typeof texture !== 'string') return texture;
      this.#diagnostics.report('UC5003', file, uri, texture);
      return null;
    });
    this.#textures.set(key, reading);
    return reading;
  }
}
