// Makes the file of one texture: decodes its images, bakes them where a recipe asks, and encodes the texels. A request is
// plain data and nothing is kept between calls, so that any thread can run it.

import { isIdentity } from './bake/affine.ts';
import { bake, type Recipe } from './bake/bake.ts';
import type { Charts } from './bake/charts.ts';
import { BLUE, GREEN, packSurface } from './bake/packSurface.ts';
import { decodeImage } from './decode/decode.ts';
import { deepChannel, hasDeepChannels } from './decode/deepChannel.ts';
import { type FaultKind, ImageFault } from './decode/fault.ts';
import type { TextureUse } from './decode/imageFormat.ts';
import type { Pixels } from './decode/pixels.ts';
import { copyImage, type ImageInfo, isGltfImage } from './decode/probe.ts';
import { imageExtension } from './decode/registry.ts';
import { fitsKtx2 } from './encode/ktx2.ts';
import type { TexelImage, TexelUse, TextureFile, TextureFiles, TextureMode } from './types.ts';

/** An image that probe.ts has checked. */
export interface EncodedImage {
  /** Index into Scene.images. */
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly info: ImageInfo;
}

/** An image that probe.ts has checked and that is read when its bytes are needed. */
export interface CheckedImageSource extends Omit<EncodedImage, 'bytes'> {
  /** SHA-256 of the bytes. */
  readonly hash: () => string;
  /** Throws what reading the image throws, and UC2102 where it has changed. */
  readonly read: () => Promise<Uint8Array>;
}

/** Where texels come from. */
export type TexelSource<I = EncodedImage> =
  | { readonly kind: 'image'; readonly image: I }
  /** `images`: one for each part of the recipe. */
  | {
      readonly kind: 'recipe';
      readonly images: readonly I[];
      readonly recipe: Recipe;
      readonly charts: Charts | null;
    }
  | { readonly kind: 'texels'; readonly image: TexelImage }
  /** Roughness in green and metalness in blue, as glTF has them, each from a channel of texels of its own; null: 1. */
  | { readonly kind: 'packed'; readonly roughness: PackedPart<I> | null; readonly metallic: PackedPart<I> | null };

export interface PackedPart<I = EncodedImage> {
  readonly texels: Exclude<TexelSource<I>, { readonly kind: 'packed' }>;
  readonly channel: number;
}

export interface FileRequest<I = EncodedImage> {
  /** Pixels of an image that is decoded, at most. */
  readonly maxPixels: number;
  readonly texels: TexelSource<I>;
  /** How the engine samples a copied image. */
  readonly use: TextureUse;
  readonly role: TexelUse['role'];
  /** Whether alpha of colours is drawn; always true for files that are images. */
  readonly drawsAlpha: boolean;
  readonly alphaCutoff: number | null;
  /** As TexelUse.split; absent: no. */
  readonly split?: true;
  /** The image is the file where images are kept and glTF has a place for its kind; absent: where the engine loads it. */
  readonly isWhole?: true;
  /** The normal map of the same surface, and the channel of the roughness that it widens; null: there is none. */
  readonly roughness: { readonly normals: TexelSource<I>; readonly channel: number } | null;
}

/** A finished file, or the image that made it impossible. */
export type FileOutcome =
  | {
      readonly file: TextureFile;
      /** The channels in which scale and bias gave a value outside of [0, 1]: bit 0 for red. */
      readonly clipped: number;
      /** A floating-point image has a value outside of [0, 1]. */
      readonly clamped: boolean;
      /** The file is its image, byte for byte; absent: it may be another. */
      readonly isImage?: boolean;
    }
  | { readonly image: number; readonly fault: { readonly kind: FaultKind; readonly message: string } };

/** A request whose images are not read yet. */
export type UnreadRequest = FileRequest<CheckedImageSource>;

/** Finds the file of a request in a cache or makes it, here or in another thread. */
export type MakeFile = (request: UnreadRequest) => Promise<FileOutcome>;

/** Reads the images of a request, one after the other. Throws what reading them throws. */
export async function readRequest({ texels, roughness, ...asked }: UnreadRequest): Promise<FileRequest> {
  const read = new Map<number, EncodedImage>();
  const readImage = async ({ index, info, read: readBytes }: CheckedImageSource): Promise<EncodedImage> => {
    const image = read.get(index) ?? { index, info, bytes: await readBytes() };
    read.set(index, image);
    return image;
  };
  const readSource = async (source: TexelSource<CheckedImageSource>): Promise<TexelSource> => {
    if (source.kind === 'texels') return source;
    if (source.kind === 'image') return { kind: 'image', image: await readImage(source.image) };
    if (source.kind === 'packed') {
      return { ...source, roughness: await readPart(source.roughness), metallic: await readPart(source.metallic) };
    }
    const images: EncodedImage[] = [];
    for (const image of source.images) images.push(await readImage(image));
    return { ...source, images };
  };
  const readPart = async (part: PackedPart<CheckedImageSource> | null): Promise<PackedPart | null> =>
    part && { ...part, texels: (await readSource(part.texels)) as PackedPart['texels'] };
  return {
    ...asked,
    texels: await readSource(texels),
    roughness: roughness && { ...roughness, normals: await readSource(roughness.normals) },
  };
}

/** A fault of an image on the way. */
class FaultOf {
  readonly image: number;
  readonly fault: ImageFault;

  constructor(image: number, fault: ImageFault) {
    this.image = image;
    this.fault = fault;
  }
}

interface Texels {
  readonly image: TexelImage;
  /** As in FileOutcome. */
  readonly clipped: number;
  readonly clamped: boolean;
}

/**
 * Makes the file of one texture: copies the image, passes its blocks on, or decodes, bakes and encodes it. Throws UC1101 and
 * UC1102.
 */
export async function makeFile(request: FileRequest, files: TextureFiles): Promise<FileOutcome> {
  const { texels: source, role, alphaCutoff, roughness } = request;
  if (source.kind === 'image' && files.mode === 'keep') {
    if (!request.isWhole) return copyFile(source.image, request.use);
    if (isGltfImage(source.image.info)) return wholeFile(source.image);
  }
  if (source.kind === 'image' && request.isWhole && staysWhole(source.image.info, files.mode))
    return wholeFile(source.image);
  const passed = await passedFile(request, files);
  if (passed) return { file: passed, clipped: 0, clamped: false };
  const texels = await texelsOf(source, request.use, request.maxPixels);
  if (texels instanceof FaultOf) return outcomeOf(texels);
  const normals = roughness && (await texelsOf(roughness.normals, 'data', request.maxPixels));
  if (normals instanceof FaultOf) return outcomeOf(normals);
  const use: TexelUse = {
    role,
    alphaCutoff,
    split: request.split === true,
    roughness: normals && roughness && { normals: normals.image, channel: roughness.channel },
  };
  const deep = role === 'height' ? await deepHeights(source) : null;
  const image = { ...texels.image, alpha: texels.image.alpha && request.drawsAlpha, ...(deep && { deep }) };
  return { file: await files.encode(image, use), clipped: texels.clipped, clamped: texels.clamped };
}

/** Whether a whole image is no better off in the format that is asked for: encoded again it would lose more, or it has no room. */
export function staysWhole(info: ImageInfo, mode: TextureMode): boolean {
  if (mode === 'webp') return info.format === 'webp';
  return mode === 'ktx2' && isGltfImage(info) && (info.format === 'ktx2' || !fitsKtx2(info.width, info.height));
}

const outcomeOf = ({ image, fault: { kind, message } }: FaultOf): FileOutcome => ({ image, fault: { kind, message } });

/** The file of an image whose blocks are taken as they are; null where texels are needed. */
async function passedFile(request: FileRequest, files: TextureFiles): Promise<TextureFile | null> {
  const { texels: source, role, alphaCutoff, roughness, drawsAlpha, maxPixels } = request;
  // Mips of cut-outs are made to keep what they cover.
  if (!files.pass || role !== 'color' || alphaCutoff !== null || roughness !== null) return null;
  if (source.kind === 'texels' || source.kind === 'packed') return null;
  if (source.kind === 'recipe' && !keepsColors(source.recipe)) return null;
  const { bytes, info } = source.kind === 'image' ? source.image : source.images[0];
  const { width, height, blocks } = info;
  if (!blocks?.srgb || blocks.premultiplied || width * height > maxPixels) return null;
  if (source.kind === 'recipe' && (source.recipe.width !== width || source.recipe.height !== height)) return null;
  const levels = blocks.levels.map(({ offset, length }) => bytes.subarray(offset, offset + length));
  const hasAlpha = source.kind === 'image' || source.recipe.channels.length === 4;
  return files.pass({ ...blocks, levels, width, height }, drawsAlpha && hasAlpha);
}

/** Heights with the 16 bits of their image, where a recipe takes its texels as they are or turned around; null: it does not. */
async function deepHeights(source: TexelSource): Promise<Uint16Array | null> {
  if (source.kind !== 'recipe' || source.images.length !== 1 || source.charts !== null) return null;
  const { recipe, images } = source;
  const [{ bytes, info }] = images;
  const [{ map, srgb }] = recipe.parts;
  const [red] = recipe.channels;
  const isWhole = recipe.width === info.width && recipe.height === info.height && map !== null && isIdentity(map);
  if (!isWhole || srgb || red === null || !hasDeepChannels(info)) return null;
  const isTurned = red.scale === -1 && red.bias === 1;
  if (!isTurned && !(red.scale === 1 && red.bias === 0)) return null;
  const heights = await deepChannel(bytes, red.channel);
  return isTurned ? heights.map((height) => 65535 - height) : heights;
}

/** Whether a recipe gives the colours of its only image unchanged. */
function keepsColors({ parts, channels, srgb, normals, conversion }: Recipe): boolean {
  const [part] = parts;
  if (parts.length !== 1 || !srgb || !part.srgb || normals || conversion) return false;
  const isPlain = channels.every((from, c) => from?.channel === c && from.scale === 1 && from.bias === 0);
  return isPlain && part.map !== null && isIdentity(part.map);
}

function wholeFile({ bytes, info: { width, height } }: EncodedImage): FileOutcome {
  const file = { bytes, extension: imageExtension(bytes), width, height, format: 0, mipCount: 1 };
  return { file, clipped: 0, clamped: false, isImage: true };
}

async function copyFile({ index, bytes, info }: EncodedImage, use: TextureUse): Promise<FileOutcome> {
  const copy = await copyImage(bytes, info, use);
  if (copy instanceof ImageFault) return outcomeOf(new FaultOf(index, copy));
  const { width, height } = info;
  const file = { bytes: copy, extension: imageExtension(copy), width, height, format: 0, mipCount: 1 };
  return { file, clipped: 0, clamped: false, isImage: copy === bytes };
}

async function texelsOf(source: TexelSource, use: TextureUse, maxPixels: number): Promise<Texels | FaultOf> {
  if (source.kind === 'texels') return { image: source.image, clipped: 0, clamped: false };
  if (source.kind === 'image') {
    const { index, bytes, info } = source.image;
    const pixels = await decodeImage(bytes, info, use, maxPixels);
    if (pixels instanceof ImageFault) return new FaultOf(index, pixels);
    const { clamped = false } = pixels;
    return { image: { ...pixels, channels: 4, alpha: info.alpha }, clipped: 0, clamped };
  }
  if (source.kind === 'packed') return packedTexels(source, use, maxPixels);
  const { recipe, charts, images } = source;
  const decoded = new Map<string, Pixels>();
  const parts: Pixels[] = [];
  for (const [part, { index, bytes, info }] of images.entries()) {
    // Floating-point samples become what the part reads; others are the same for all.
    const reads = recipe.parts[part].srgb ? 'color' : 'data';
    const key = `${index} ${info.isFloat ? reads : ''}`;
    const pixels = decoded.get(key) ?? (await decodeImage(bytes, info, reads, maxPixels));
    if (pixels instanceof ImageFault) return new FaultOf(index, pixels);
    decoded.set(key, pixels);
    parts.push(pixels);
  }
  const clamped = parts.some((pixels) => pixels.clamped === true);
  const { width, height } = recipe;
  const { data, clipped } = bake(recipe, parts, charts);
  const alpha = recipe.channels.length === 4;
  return { image: { width, height, data, channels: alpha ? 4 : 3, alpha }, clipped, clamped };
}

async function packedTexels(
  { roughness, metallic }: Extract<TexelSource, { kind: 'packed' }>,
  use: TextureUse,
  maxPixels: number,
): Promise<Texels | FaultOf> {
  const read = async (part: PackedPart | null) => part && (await texelsOf(part.texels, use, maxPixels));
  const rough = await read(roughness);
  if (rough instanceof FaultOf) return rough;
  const metal = await read(metallic);
  if (metal instanceof FaultOf) return metal;
  const bit = (texels: Texels | null, part: PackedPart | null, to: number) =>
    texels && part ? ((texels.clipped >> part.channel) & 1) << to : 0;
  return {
    image: packSurface(
      rough && roughness && { image: rough.image, channel: roughness.channel },
      metal && metallic && { image: metal.image, channel: metallic.channel },
    ),
    clipped: bit(rough, roughness, GREEN) | bit(metal, metallic, BLUE),
    clamped: rough?.clamped === true || metal?.clamped === true,
  };
}

/** The size of texels that are made. */
export function sizeOfTexels(source: TexelSource<Pick<EncodedImage, 'info'>>): { width: number; height: number } {
  if (source.kind === 'recipe') return source.recipe;
  if (source.kind !== 'packed') return source.kind === 'image' ? source.image.info : source.image;
  const sizes = [source.roughness, source.metallic].flatMap((part) => (part ? sizeOfTexels(part.texels) : []));
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
}

/** Pixels in memory while a file is made: of each image, and of the result. */
export function pixelsInUse({ texels, roughness }: FileRequest): number {
  return pixelsOfSource(texels) + (roughness ? pixelsOfSource(roughness.normals) : 0);
}

function pixelsOfSource(source: TexelSource): number {
  if (source.kind === 'texels') return source.image.width * source.image.height;
  if (source.kind === 'packed') {
    const parts = [source.roughness, source.metallic].map((part) => (part ? pixelsOfSource(part.texels) : 0));
    const { width, height } = sizeOfTexels(source);
    return parts.reduce((sum, pixels) => sum + pixels, width * height);
  }
  const images = new Map<number, number>();
  for (const { index, info } of source.kind === 'image' ? [source.image] : source.images) {
    images.set(index, info.width * info.height);
  }
  const made = source.kind === 'recipe' ? source.recipe.width * source.recipe.height : 0;
  return [...images.values()].reduce((sum, pixels) => sum + pixels, made);
}
