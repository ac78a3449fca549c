// Reads and checks the images that a scene's materials use, each once. For prepare.ts. Of an image that cannot be used the
// diagnostics are kept: the policy for missing textures decides whether they are errors.

import { sha256Hex } from '../../bytes/sha256.ts';
import { type Diagnostic, type Diagnostics, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import type { Scene, SceneImage } from '../../scene/types.ts';
import type { Limit } from '../limit.ts';
import { FAULT_CODES, ImageFault } from './fault.ts';
import { type ImageInfo, isGltfImage, probeImage } from './probe.ts';
import { promisedFormat } from './registry.ts';

export interface SourceImage {
  readonly index: number;
  readonly image: SceneImage;
  readonly info: ImageInfo;
  /** Of the file. */
  readonly bytes: number;
  /** SHA-256 of the bytes that were checked. */
  readonly hash: () => string;
  /** The bytes that were checked. Throws what reading the image throws, and UC2102 where it has changed. */
  readonly read: () => Promise<Uint8Array>;
}

/** An image that cannot be used. At least one of the reasons has severity error. */
export interface BadImage {
  readonly index: number;
  readonly image: SceneImage;
  readonly reasons: readonly Diagnostic[];
}

export function isBad(image: SourceImage | BadImage): image is BadImage {
  return 'reasons' in image;
}

/** Where an image is, for messages. */
export function imageElement(scene: Scene, image: SceneImage): readonly [string, string] {
  return [image.file || scene.source, image.path];
}

/** The coded error of a fault. */
export function faultDiagnostic(scene: Scene, image: SceneImage, fault: ImageFault): Diagnostic {
  const [file, path] = imageElement(scene, image);
  return diagnostic(FAULT_CODES[fault.kind], file, path, fault.message);
}

/** Bytes of images that are kept from their check until their files are made. The rest is read a second time. */
const KEPT_BYTES = 64e6;

/** What is left of KEPT_BYTES. */
interface Room {
  left: number;
}

async function loadImage(scene: Scene, index: number, room: Room): Promise<SourceImage | BadImage> {
  const image = scene.images[index];
  let bytes: Uint8Array;
  try {
    bytes = await image.read();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { index, image, reasons: error.diagnostics };
  }
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) return { index, image, reasons: [faultDiagnostic(scene, image, info)] };
  const facts = { index, image, info, bytes: bytes.length };
  if (bytes.length > room.left) return { ...facts, ...readLater(scene, image, sha256Hex(bytes)) };
  room.left -= bytes.length;
  return { ...facts, ...keptInMemory(bytes) };
}

// Closures of one function hold the variables of all of them in memory. These two are functions of their own, so that an
// image that is read later does not hold its bytes.

function keptInMemory(bytes: Uint8Array): Pick<SourceImage, 'hash' | 'read'> {
  let hash: string | null = null;
  const hashed = () => {
    hash ??= sha256Hex(bytes);
    return hash;
  };
  return { hash: hashed, read: async () => bytes };
}

function readLater(scene: Scene, image: SceneImage, sha256: string): Pick<SourceImage, 'hash' | 'read'> {
  return { hash: () => sha256, read: () => readAgain(scene, image, sha256) };
}

/** Reads an image that was checked. Throws UC2102 for one that has changed since. */
async function readAgain(scene: Scene, image: SceneImage, sha256: string): Promise<Uint8Array> {
  const bytes = await image.read();
  if (sha256Hex(bytes) === sha256) return bytes;
  const [file, path] = imageElement(scene, image);
  return fail('UC2102', file, path, 'image changed while it was read');
}

/** Reports a misleading name, samples of 16 bits and further frames of a usable image. */
function reportImage(scene: Scene, source: SourceImage, isWhole: boolean, diagnostics: Diagnostics): void {
  const { image, info } = source;
  const [file, path] = imageElement(scene, image);
  const promised = promisedFormat(image.uri) ?? promisedFormat(image.file);
  if (promised !== null && promised !== info.format) {
    diagnostics.report('UC2104', file, path, `named as ${promised}, but the content is ${info.format}`);
  }
  // It is written as it is.
  if (isWhole && isGltfImage(info)) return;
  if (info.deep) {
    const samples = info.isFloat ? 'floating-point samples' : '16 bits a channel';
    diagnostics.report('UC2107', file, path, `${info.format} image with ${samples}`);
  }
  if (info.pages > 1)
    diagnostics.report('UC2108', file, path, `${info.format} image with ${info.pages} frames or pages`);
}

/** Loads the images of the given indices (ascending), in their order. `whole`: those that are written as they are. */
export async function loadImages(
  scene: Scene,
  indices: readonly number[],
  whole: ReadonlySet<number>,
  limit: Limit,
  diagnostics: Diagnostics,
): Promise<ReadonlyMap<number, SourceImage | BadImage>> {
  const room: Room = { left: KEPT_BYTES };
  const loaded = await Promise.all(indices.map((index) => limit(() => loadImage(scene, index, room))));
  for (const image of loaded) if (!isBad(image)) reportImage(scene, image, whole.has(image.index), diagnostics);
  return new Map(loaded.map((image) => [image.index, image]));
}
