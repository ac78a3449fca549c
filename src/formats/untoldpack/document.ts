// The manifest of a pack of models: JSON that places one `.untold` file for each root object of a scene. What is known of it
// comes from the engine's public tests. Nothing else is written, and what else a pack holds is not read.

import type { Mat4 } from '../../scene/types.ts';
import { extensionOf } from '../kinds.ts';

/** The only version that is known. */
export const PACK_VERSION = 1;

/** Rows of a 4x4 matrix, the translation in the last column, metres. */
export type MatrixRows = readonly (readonly number[])[];

export const matrixOf = (rows: MatrixRows): Mat4 =>
  Float64Array.from({ length: 16 }, (_, i) => rows[i % 4][Math.floor(i / 4)]);

/** A model where it stands. One that is placed twice is listed twice, with one path. */
export interface PackedModel {
  readonly displayName: string;
  /** Relative to the manifest, with `/`. */
  readonly path: string;
  readonly transform: MatrixRows;
}

export interface UntoldPack {
  readonly formatVersion: typeof PACK_VERSION;
  /** The file name of what was cooked; packs of other programs may lack it. */
  readonly sourceAsset?: string;
  readonly models: readonly PackedModel[];
}

/** Whether an output is a pack: exactly if its name ends so. */
export const isPackPath = (path: string): boolean => path.endsWith(extensionOf('untoldpack'));

/** Why a path is none of a model in the folder of the pack; null: it is one. */
export function packPathFault(path: string): string | null {
  if (path === '') return 'the path is empty';
  if (path.includes('\\') || path.includes('\0') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
    return 'it is no plain relative path';
  }
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return 'it does not stay in the folder of the pack';
  }
  return path.endsWith(extensionOf('untold')) ? null : 'it names no .untold file';
}
