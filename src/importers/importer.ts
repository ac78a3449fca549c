// What every importer takes and returns. An importer turns the bytes of one source into a Scene. It reports what it leaves
// out or changes, and throws a SourceError for a source that it cannot read.

import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Placement } from '../scene/placement.ts';
import type { Scene } from '../scene/types.ts';
import type { Content } from './content.ts';
import type { SourceFiles } from './files.ts';

/** USD's purposes of imageable prims. */
export type Purpose = 'default' | 'render' | 'proxy' | 'guide';

export interface ImportOptions {
  /** glTF: name or index of the scene to cook; undefined: the file's default, else the first. */
  readonly scene?: string | undefined;
  /** glTF: name of a variant of KHR_materials_variants; undefined: the materials that primitives name themselves. */
  readonly materialVariant?: string | undefined;
  /**
   * USD: variants to choose. With the path of a prim, the entry overrides the authored selection there. With `prim` null, it
   * is a fallback for every prim without a selection; the first fallback that exists in a set counts. An entry that names
   * nothing is UC1720.
   */
  readonly variants?:
    | readonly { readonly prim: string | null; readonly set: string; readonly name: string }[]
    | undefined;
  /** USD: whether sublayers, references and payloads without a target, and cycles, are errors (also when undefined) or left out. */
  readonly missingAsset?: 'error' | 'drop' | undefined;
  /** USD: the time code at which values are read; undefined: the earliest. */
  readonly time?: number | undefined;
  /**
   * USD: paths of the prims that are drawn with all below them; glTF: paths of nodes, like nodes/3. Undefined: everything. A path
   * with nothing there is UC1726.
   */
  readonly select?: readonly string[] | undefined;
  /** USD and glTF: paths of what is left out with all below it. A path with nothing there is UC1726. */
  readonly exclude?: readonly string[] | undefined;
  /** USD: purposes that are drawn; undefined: default and render. */
  readonly purposes?: readonly Purpose[] | undefined;
  /** USD: paths of prims that are read with all below them whatever their purpose, for the bounds that they have. */
  readonly markers?: readonly string[] | undefined;
  /** USD: the purpose whose material bindings are asked first; undefined: preview. */
  readonly bindingPurpose?: 'preview' | 'full' | undefined;
  /** USD: whether invisible prims are drawn too. */
  readonly invisible?: boolean | undefined;
  /** USD: metres in a unit of the stage, instead of the authored value. */
  readonly metersPerUnit?: number | undefined;
  /** USD: the axis that points up, instead of the authored value. */
  readonly upAxis?: 'Y' | 'Z' | undefined;
  /** Where the source lies; undefined: where it says. */
  readonly placement?: Placement | undefined;
  /** USD: whether subdivision surfaces will be refined; if so, no diagnostic reports that control cages are drawn. */
  readonly subdivides?: boolean | undefined;
  /** Whether skins and clips are asked for; if not, they are not read, and a diagnostic names what is drawn at rest. */
  readonly keepsRigs?: boolean | undefined;
  /** Whether all sets of texture coordinates and colours are asked for; if not, those alone are read that materials draw with. */
  readonly keepsSets?: boolean | undefined;
  /**
   * Whether cameras are kept as glTF has them: orthographic ones (Scene.parallelCameras), and what perspective ones leave open. If
   * not, a diagnostic names those that are left out or completed. The output is glTF then, and a diagnostic names what it leaves out.
   */
  readonly keepsLenses?: boolean | undefined;
  /**
   * Whether the output is glTF: materials are to be written as they are (SceneMaterial.places, .layers), with all their variants.
   * Otherwise what the engine has no place for is approximated, and a diagnostic tells how.
   */
  readonly keepsMaterials?: boolean | undefined;
  /**
   * Whether levels of detail that the source groups (glTF: MSFT_lod; USD: variant sets named LOD) are all read, and stated as
   * Scene.lodGroups. Otherwise the Scene has what a viewer draws that does not know them.
   */
  readonly lodGroups?: boolean | undefined;
  /**
   * USD: whether the Scene is returned in spite of errors, with everything that could be read, for looking at broken scenes.
   * The caller finds the errors in `diagnostics`.
   */
  readonly tolerant?: boolean | undefined;
}

export interface ImportContext {
  readonly files: SourceFiles;
  readonly diagnostics: Diagnostics;
  readonly options: ImportOptions;
}

/** `path` is the source as the user named it, for messages. The Scene reads its arrays from `content` when they are asked for. */
export type Importer = (path: string, content: Content, context: ImportContext) => Promise<Scene>;
