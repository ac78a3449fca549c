// Texture files that a store keeps from cook to cook, found again by what they are made of: a second cook of the same images
// decodes, bakes and encodes none of them.

import { CODE_DIGEST } from '../bytes/codeDigest.ts';
import { sha256Hex } from '../bytes/sha256.ts';
import { isCount, isTrueOrFalse, objectOf, oneOf } from '../bytes/shape.ts';
import type { Charts } from './bake/charts.ts';
import type { CheckedImageSource, FileOutcome, MakeFile, TexelSource, UnreadRequest } from './makeFile.ts';
import type { TexelImage, TexelUse, TextureFile, TextureFiles, TextureSettings } from './types.ts';

/** Where products are kept from cook to cook, by kind and key. A product that is not found is made again. */
export interface ProductStore {
  /** `accepts`: whether the entry is what its kind says; absent: any is. */
  find(kind: string, key: string, accepts?: (payload: Uint8Array) => boolean): Promise<Uint8Array | null>;
  put(kind: string, key: string, payload: Uint8Array): void;
}

const KIND = 'texture';

/** JSON writes these numbers as 0 and null. */
const exact = (_: string, value: unknown): unknown =>
  typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value))
    ? { number: Object.is(value, -0) ? '-0' : String(value) }
    : value;

const keyOf = (value: unknown): string => sha256Hex(JSON.stringify([CODE_DIGEST, value], exact));

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const chartsKey = (charts: Charts): unknown => [
  charts.width,
  charts.height,
  charts.reduction,
  ...[charts.triangles, charts.from, charts.to].map((array) => sha256Hex(bytesOf(array))),
];

const imageKey = ({ width, height, channels, alpha, data }: TexelImage): unknown => [
  width,
  height,
  channels,
  alpha,
  sha256Hex(data),
];

function sourceKey(source: TexelSource<CheckedImageSource>): unknown {
  if (source.kind === 'texels') return imageKey(source.image);
  if (source.kind === 'image') return source.image.hash();
  if (source.kind === 'packed') {
    return [source.roughness, source.metallic].map((part) => part && [part.channel, sourceKey(part.texels)]);
  }
  const { recipe, charts, images } = source;
  // The content of each image in place of its index.
  const parts = recipe.parts.map((part, i) => ({ ...part, image: images[i].hash() }));
  return [{ ...recipe, parts }, charts && chartsKey(charts)];
}

/** The key of a file: SHA-256 of the code that makes it, the settings, and everything that the request asks for. */
export function requestKey(request: UnreadRequest, settings: TextureSettings): string {
  // The limit on pixels is no part of it: it changes no byte, and keptFiles() looks for nothing that it forbids.
  const { texels, roughness, maxPixels: _, ...rest } = request;
  const widened = roughness && [roughness.channel, sourceKey(roughness.normals)];
  return keyOf([settings, rest, sourceKey(texels), widened]);
}

/** Whether an image of the request has more pixels than it allows: making the file then ends in a fault. */
function decodesMore({ texels, roughness, maxPixels }: UnreadRequest): boolean {
  const isMore = (source: UnreadRequest['texels']): boolean => {
    if (source.kind === 'texels') return false;
    if (source.kind === 'packed') {
      return [source.roughness, source.metallic].some((part) => part !== null && isMore(part.texels));
    }
    const images = source.kind === 'image' ? [source.image] : source.images;
    return images.some(({ info }) => info.width * info.height > maxPixels);
  };
  return isMore(texels) || (roughness !== null && isMore(roughness.normals));
}

/** A file as an entry: a line of JSON, then the file's bytes. */
function entryOf({ bytes, ...facts }: TextureFile, clipped: number, clamped: boolean): Uint8Array {
  const line = Buffer.from(`${JSON.stringify({ ...facts, clipped, clamped })}\n`);
  const entry = new Uint8Array(line.length + bytes.length);
  entry.set(line);
  entry.set(bytes, line.length);
  return entry;
}

const isFacts = objectOf({
  extension: oneOf('png', 'jpg', 'utex', 'webp', 'avif', 'ktx2'),
  width: isCount,
  height: isCount,
  format: isCount,
  mipCount: isCount,
  clipped: isCount,
  clamped: isTrueOrFalse,
});

/** Null: it is no entry of a file. */
function fileOf(entry: Uint8Array): Extract<FileOutcome, { file: TextureFile }> | null {
  const end = entry.indexOf(10);
  if (end < 0) return null;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(entry.subarray(0, end)).toString());
  } catch {
    return null;
  }
  if (!isFacts(read)) return null;
  const { clipped, clamped, ...facts } = read as Omit<TextureFile, 'bytes'> & {
    readonly clipped: number;
    readonly clamped: boolean;
  };
  return { file: { ...facts, bytes: entry.subarray(end + 1) }, clipped, clamped };
}

const isFile = (entry: Uint8Array): boolean => fileOf(entry) !== null;

/**
 * Makes files with `make`, but for those that the store keeps: their images are not read again. `copies`: where copies of images are
 * kept, which then are not checked again; absent: nowhere.
 */
export function keptFiles(
  make: MakeFile,
  store: ProductStore | null,
  settings: TextureSettings,
  copies: ProductStore | null = null,
): MakeFile {
  return async (request) => {
    const isCopy = settings.mode === 'keep' && request.texels.kind === 'image';
    const kept = isCopy ? copies : store;
    if (kept === null || decodesMore(request)) return make(request);
    const key = requestKey(request, settings);
    const entry = await kept.find(KIND, key, isFile);
    const found = entry && fileOf(entry);
    if (found) return found;
    const outcome = await make(request);
    if ('file' in outcome) kept.put(KIND, key, entryOf(outcome.file, outcome.clipped, outcome.clamped));
    return outcome;
  };
}

/** Files of painted textures (`split`), kept by their texels and what these mean. Others are kept by what they are made of, see above. */
export function keptPaintings(files: TextureFiles, store: ProductStore, settings: TextureSettings): TextureFiles {
  return {
    ...files,
    encode: async (image: TexelImage, use: TexelUse) => {
      if (!use.split || use.roughness !== null || image.deep) return files.encode(image, use);
      const key = keyOf([settings, use.role, use.alphaCutoff, imageKey(image)]);
      const entry = await store.find(KIND, key, isFile);
      const found = entry && fileOf(entry);
      if (found) return found.file;
      const file = await files.encode(image, use);
      store.put(KIND, key, entryOf(file, 0, false));
      return file;
    },
  };
}
