// What every importer takes and gives. An importer turns the bytes of one source into a Scene; what it leaves out or
// changes it reports, and what it cannot read it throws as a SourceError.

import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Scene } from '../scene/types.ts';
import type { SourceFiles } from './files.ts';

/** USD's purposes of imageable prims. */
export type Purpose = 'default' | 'render' | 'proxy' | 'guide';

export interface ImportOptions {
  /** glTF: name or index of the scene to cook; undefined: the file's default, else the first. */
  readonly scene?: string | undefined;
  /** glTF: name of a variant of KHR_materials_variants; undefined: the materials that primitives name themselves. */
  readonly materialVariant?: string | undefined;
  /**
   * USD: variants to choose. With the path of a prim: the selection there, whatever is authored; with `prim` null: a
   * fallback for every prim that selects none, the first that a set has. One that names nothing is UC1720.
   */
  readonly variants?:
    | readonly { readonly prim: string | null; readonly set: string; readonly name: string }[]
    | undefined;
  /** USD: sublayers, references and payloads without a target, and cycles: errors (when undefined), or left out. */
  readonly missingAsset?: 'error' | 'drop' | undefined;
  /** USD: the time code at which values are read; undefined: the earliest. */
  readonly time?: number | undefined;
  /** USD: paths of the prims that are drawn with all below them; undefined: everything. One that is none is UC1726. */
  readonly select?: readonly string[] | undefined;
  /** USD: paths of prims that are left out with all below them. One that is none is UC1726. */
  readonly exclude?: readonly string[] | undefined;
  /** USD: purposes that are drawn; undefined: default and render. */
  readonly purposes?: readonly Purpose[] | undefined;
  /** USD: the purpose whose material bindings are asked first; undefined: preview. */
  readonly bindingPurpose?: 'preview' | 'full' | undefined;
  /** USD: invisible prims are drawn too. */
  readonly invisible?: boolean | undefined;
  /** USD: metres in a unit of the stage, whatever is authored. */
  readonly metersPerUnit?: number | undefined;
  /** USD: the axis that points up, whatever is authored. */
  readonly upAxis?: 'Y' | 'Z' | undefined;
  /** USD: subdivision surfaces will be refined: nothing is said of cages that stand for them. */
  readonly subdivides?: boolean | undefined;
  /**
   * USD: the Scene is given with what could be read although errors were reported, for looking at broken scenes. The
   * caller finds the errors in `diagnostics`.
   */
  readonly tolerant?: boolean | undefined;
}

export interface ImportContext {
  readonly files: SourceFiles;
  readonly diagnostics: Diagnostics;
  readonly options: ImportOptions;
}

/** `path` is the source as the user named it (for messages), `bytes` its content. */
export type Importer = (path: string, bytes: Uint8Array, context: ImportContext) => Promise<Scene>;
