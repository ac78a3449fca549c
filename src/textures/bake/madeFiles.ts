// Baked textures as files, found again by what they are made of: a second cook of the same images decodes, bakes and
// encodes none of them.

import { CODE_DIGEST } from '../../bytes/codeDigest.ts';
import { sha256Hex } from '../../bytes/sha256.ts';
import type { BakePart, Recipe } from './bake.ts';
import type { Charts } from './charts.ts';

/** Where products are kept from cook to cook, by kind and key. A product that is not found is made again. */
export interface ProductStore {
  get(kind: string, key: string): Uint8Array | null;
  put(kind: string, key: string, payload: Uint8Array): void;
}

/** A baked texture as a file, and whether values were clipped on the way. */
export interface MadeFile {
  readonly bytes: Uint8Array;
  readonly clipped: boolean;
}

const KIND = 'bake';

/** JSON writes these numbers as 0 and null. */
const exact = (_: string, value: unknown): unknown =>
  typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value))
    ? { number: Object.is(value, -0) ? '-0' : String(value) }
    : value;

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * The key of a baked file: SHA-256 of the code that makes it, the recipe, the charts, and the content of each image in place
 * of its index. `imageHash` gives the SHA-256 of an image's bytes.
 */
export function bakeKey(recipe: Recipe, charts: Charts | null, imageHash: (image: number) => string): string {
  const parts = recipe.parts.map((part: BakePart) => ({ ...part, image: imageHash(part.image) }));
  const mapped = charts && [
    charts.width,
    charts.height,
    charts.reduction,
    ...[charts.triangles, charts.from, charts.to].map((array) => sha256Hex(bytesOf(array))),
  ];
  return sha256Hex(JSON.stringify([CODE_DIGEST, { ...recipe, parts }, mapped], exact));
}

/** The baked files of one scene's images that a store keeps. */
export interface KeptFiles {
  keyOf(recipe: Recipe, charts: Charts | null): string;
  /** The file that was kept under the key; null if it has to be made. */
  find(key: string): MadeFile | null;
  keep(key: string, file: MadeFile): void;
}

/** `imageBytes` gives an image by its index; each is hashed when it is first asked for. */
export function keptFiles(store: ProductStore, imageBytes: (image: number) => Uint8Array): KeptFiles {
  const hashes = new Map<number, string>();
  const hashOf = (image: number): string => {
    const hash = hashes.get(image) ?? sha256Hex(imageBytes(image));
    hashes.set(image, hash);
    return hash;
  };
  return {
    keyOf: (recipe, charts) => bakeKey(recipe, charts, hashOf),
    find: (key) => {
      const payload = store.get(KIND, key);
      return payload && { clipped: payload[0] === 1, bytes: payload.subarray(1) };
    },
    // One byte that tells whether values were clipped, then the PNG.
    keep: (key, { bytes, clipped }) => {
      const payload = new Uint8Array(1 + bytes.length);
      payload[0] = clipped ? 1 : 0;
      payload.set(bytes, 1);
      store.put(KIND, key, payload);
    },
  };
}
