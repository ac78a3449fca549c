// Textures, samplers and images (glTF 2.0, 3.8): which image a material slot samples, with which UVs and how. Images are
// read when they are needed. Each image is one SceneImage, which all slots and textures that refer to it share.

import { fail, SourceError } from '../../../diagnostics/diagnostic.ts';
import type { TexturePlace } from '../../../scene/gltfMaterial.ts';
import type { SceneImage, TextureUse, Vec4, Wrap } from '../../../scene/types.ts';
import type { SourceFiles } from '../../files.ts';
import { findAsset } from '../../findAsset.ts';
import type { Buffers } from '../data/buffers.ts';
import type { Container } from '../document/container.ts';
import type { Element } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import { dataUriMediaType, decodeDataUri, isDataUri, resolveUri } from '../document/uri.ts';
import { IMAGE_EXTENSIONS } from '../extensions/registry.ts';
import { placeOf, uvsOf } from '../extensions/textures/khrTextureTransform.ts';
import type { SlotReading, TextureSlots } from './surface.ts';

const WRAPS: Readonly<Record<number, Wrap>> = { 33071: 'clamp', 33648: 'mirror', 10497: 'repeat' };
const NEAREST = 9728;
const FILTERS = { magFilter: [9728, 9729], minFilter: [9728, 9729, 9984, 9985, 9986, 9987] } as const;

/** A sampler as the file has it. */
type Sampler = Omit<TexturePlace, 'texCoord' | 'transform'>;
const NO_SAMPLER: Sampler = { wrapS: null, wrapT: null, magFilter: null, minFilter: null };

interface Texture {
  readonly path: string;
  readonly name: string;
  readonly image: number;
  readonly wrapS: Wrap;
  readonly wrapT: Wrap;
  readonly sampler: Sampler;
}

/** Its numbers that glTF knows; others are as if they were not stated. */
function samplerOf(sampler: Element): Sampler {
  const stated = (key: string, known: readonly number[]) => {
    const value = sampler.has(key) ? sampler.integer(key, null) : -1;
    return known.includes(value) ? value : null;
  };
  const wraps = Object.keys(WRAPS).map(Number);
  return {
    wrapS: stated('wrapS', wraps),
    wrapT: stated('wrapT', wraps),
    magFilter: stated('magFilter', FILTERS.magFilter),
    minFilter: stated('minFilter', FILTERS.minFilter),
  };
}

export class Textures implements TextureSlots {
  readonly images: readonly SceneImage[];
  readonly #list: readonly Texture[];
  readonly #notes: Notes;

  /**
   * Checks what the file says of every texture, sampler and image; throws UC1307 and UC1308. Loads no image's bytes. `keepsSamplers`:
   * filters are written as they are, and none is lost.
   */
  constructor(container: Container, buffers: Buffers, files: SourceFiles, notes: Notes, keepsSamplers = false) {
    const { root } = container;
    this.#notes = notes;
    this.images = root.elements('images').map((image) => readImage(image, buffers, files, notes));
    const samplers = root.elements('samplers').map((sampler) => {
      const wrap = (key: string): Wrap => {
        const value = sampler.integer(key, 10497);
        if (WRAPS[value]) return WRAPS[value];
        notes.add(
          'UC1329',
          key,
          sampler.path,
          sampler.name,
          (names) => `${key} is not a wrap mode, repeat is used: ${names}`,
        );
        return 'repeat';
      };
      if (sampler.integer('magFilter', 9729) === NEAREST && !keepsSamplers) {
        notes.add('UC1365', '', sampler.path, sampler.name, (names) => `smooth filtering is used instead: ${names}`);
      }
      return { wrapS: wrap('wrapS'), wrapT: wrap('wrapT'), sampler: samplerOf(sampler) };
    });
    this.#list = root.elements('textures').map((texture) => {
      const sampler = texture.index('sampler', samplers.length, 'samplers');
      let image = texture.index('source', this.images.length, 'images');
      for (const { name } of IMAGE_EXTENSIONS) {
        const other = texture.extension(name)?.index('source', this.images.length, 'images') ?? -1;
        if (image < 0) image = other;
      }
      const wraps =
        sampler < 0 ? { wrapS: 'repeat' as const, wrapT: 'repeat' as const, sampler: NO_SAMPLER } : samplers[sampler];
      return { path: texture.path, name: texture.name, image, ...wraps };
    });
  }

  /** The use of a textureInfo (`baseColorTexture` …) of a material; null when it is absent or has no image (UC1364). */
  use(owner: Element, key: string, reading: SlotReading): TextureUse | null {
    const found = this.#textureOf(owner, key);
    if (found === null) return null;
    const { info, texture } = found;
    const { set, transform } = uvsOf(info);
    const all = (value: number): Vec4 => [value, value, value, value];
    return {
      image: texture.image,
      uvSet: `TEXCOORD_${set}`,
      transform,
      wrapS: texture.wrapS,
      wrapT: texture.wrapT,
      channel: reading.channel,
      scale: all(reading.scale ?? 1),
      bias: all(reading.bias ?? 0),
      colorSpace: reading.colorSpace,
    };
  }

  /** The same texture as the file has it. */
  place(owner: Element, key: string): { readonly image: number; readonly place: TexturePlace } | null {
    const found = this.#textureOf(owner, key);
    if (found === null) return null;
    const { image, sampler } = found.texture;
    return { image, place: { ...placeOf(found.info), ...sampler } };
  }

  #textureOf(owner: Element, key: string): { readonly info: Element; readonly texture: Texture } | null {
    const info = owner.child(key);
    if (!info) return null;
    const index = info.index('index', this.#list.length, 'textures');
    if (index < 0) info.fail('UC1307', 'index is missing');
    const texture = this.#list[index];
    if (texture.image >= 0) return { info, texture };
    this.#notes.add('UC1364', '', texture.path, texture.name, (names) => `no image to read for ${names}`);
    return null;
  }
}

function stemOf(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base.replace(/\.[A-Za-z0-9]{1,5}$/, '');
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function readImage(image: Element, buffers: Buffers, files: SourceFiles, notes: Notes): SceneImage {
  const { file, path } = image;
  const uri = image.string('uri');
  const view = image.index('bufferView', buffers.views.length, 'bufferViews');
  if (uri === null || view >= 0) {
    const read = () => {
      if (view < 0) return fail('UC1307', file, path, 'the image has neither uri nor bufferView');
      return buffers.view(view);
    };
    const shown = view < 0 ? '' : `bufferViews/${view}`;
    return { path, uri: shown, stem: stemOf(image.name), file: view < 0 ? '' : file, read: async () => read() };
  }
  if (isDataUri(uri)) {
    const read = () => decodeDataUri(file, path, uri);
    return { path, uri: dataUriMediaType(uri), stem: stemOf(image.name), file, read: async () => read() };
  }
  // Reading the image reports a forbidden path. Until then it is no error: perhaps nothing draws the texture.
  let resolved: () => string;
  let resolvedFile = '';
  try {
    const found = findAsset(
      files,
      { reference: decoded(uri), from: file, kind: 'texture' },
      () => resolveUri(files, file, path, uri),
      (place) => notes.add('UC1220', uri, path, image.name, () => `${uri} is taken from ${place}`),
    );
    resolved = () => found;
    resolvedFile = found;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    resolved = () => {
      throw error;
    };
  }
  const read = () => files.read(resolved(), file, path);
  return { path, uri, stem: stemOf(decoded(uri)) || stemOf(image.name), file: resolvedFile, read: async () => read() };
}
