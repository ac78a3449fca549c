// The manifest of a pack of models: JSON that places one `.untold` file for each root object of a scene. What is known of it
// comes from the engine's public sources and tests. Nothing else is written.

import type { CarriedPack, Mat4 } from '../../scene/types.ts';
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

/** A level of a model, which takes over where the model covers a share of the view. */
export interface ChainLevel {
  /** As a model's. */
  readonly path: string;
  /** The share of the view's height that the sphere around the model covers where the level begins; may be above 1. */
  readonly screenSize: number;
  readonly triangles?: number;
  /** The largest deviation, in metres. */
  readonly error?: number;
}

/** By the path of a model its levels besides the model itself, the finest first; `screenSize` falls. */
export type LodChains = Readonly<Record<string, readonly ChainLevel[]>>;

/** The path of a level file: beside its model. `number`: from 1. */
export function levelPath(model: string, number: number): string {
  const extension = extensionOf('untold');
  return `${model.slice(0, -extension.length)}_LOD${number}${extension}`;
}

/** Finds files; paths are relative to the folder of the pack, with `/`. */
export interface PackProbe {
  /** Size of the regular file, null when there is none. */
  size(path: string): number | null;
}

export interface UntoldPack {
  readonly formatVersion: typeof PACK_VERSION;
  /** The file name of what was cooked; packs of other programs may lack it. */
  readonly sourceAsset?: string;
  readonly models: readonly PackedModel[];
  /** Absent: no model has levels. */
  readonly lodChains?: LodChains;
}

const KNOWN_KEYS: ReadonlySet<string> = new Set(['formatVersion', 'sourceAsset', 'models', 'lodChains']);
const KNOWN_MODEL_KEYS: ReadonlySet<string> = new Set(['displayName', 'path', 'transform']);

const others = (value: object, known: ReadonlySet<string>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !known.has(key)));

/** The keys of a pack that are not known here; null: there are none. `rootOf`: the path of a model's root, by its number. */
export function carriedKeys(pack: UntoldPack, rootOf: (model: number) => string): CarriedPack | null {
  const keys = others(pack, KNOWN_KEYS);
  const ofModels = new Map(
    pack.models
      .map((model, i) => [rootOf(i), others(model, KNOWN_MODEL_KEYS)] as const)
      .filter(([, more]) => Object.keys(more).length > 0),
  );
  return Object.keys(keys).length === 0 && ofModels.size === 0 ? null : { keys, ofModels };
}

/** Whether an output is a pack: exactly if its name ends so. */
export const isPackPath = (path: string): boolean => path.endsWith(extensionOf('untoldpack'));

/** Whether a path leads out of the folder of the pack: read, but never written. */
export const climbs = (path: string): boolean => path.split('/').includes('..');

/** Why a path is none of a model; null: it is one. */
export function packPathFault(path: string): string | null {
  if (path === '') return 'the path is empty';
  if (path.includes('\\') || path.includes('\0') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
    return 'it is no plain relative path';
  }
  if (path.split('/').some((part) => part === '' || part === '.')) return 'a part of it is empty or "."';
  // Only at its beginning: what goes down and up again would be a second name of a file.
  if (climbs(path.replace(/^(\.\.\/)+/, ''))) return 'it climbs after its beginning';
  return path.endsWith(extensionOf('untold')) ? null : 'it names no .untold file';
}
