// The settings of a cook, which decide the bytes, and where the output goes.

import type { Compressor, FileType, GeometryPacker } from '../formats/format.ts';
import type { FormatId } from '../formats/registry.ts';
import type { ImportOptions } from '../importers/importer.ts';
import type { MissingTexture, TextureSettings } from '../textures/types.ts';
import type { TilingOptions } from '../tiling/options.ts';
import type { LodQuality } from '../tiling/streaming/lodQuality.ts';
import type { ZoneSettings } from './zoneSettings.ts';

/** How often subdivision surfaces are refined. */
export type SubdivisionSteps = 0 | 1 | 2 | 3;

/** What of skeletons and clips a single file keeps. */
export interface RigSettings {
  /** Clips by name. */
  readonly animations: 'all' | 'none' | readonly string[];
  /** Whether keys on the line between others are written. */
  readonly keepKeys: boolean;
  /** Whether nodes that clips move without a skin become a skeleton. */
  readonly animateNodes: boolean;
  /** Whose morph targets are kept; absent: those of meshes with a skin. */
  readonly morphs?: 'all' | 'none';
}

/** The settings that decide the bytes: equal source files and settings give equal output. */
export interface CookSettings {
  /** What is taken from the source, and how it is read; undefined: everything, as authored. */
  readonly source?: ImportOptions | undefined;
  /** Of several sources that are cooked as one: how each is read, and the name of its root; absent: it is one. */
  readonly joined?: readonly { readonly name: string; readonly source: ImportOptions }[] | undefined;
  /** How often subdivision surfaces are refined; undefined: never, so that their cages are drawn. */
  readonly subdivide?: SubdivisionSteps | undefined;
  readonly missingTexture: MissingTexture;
  /** The eyes that the scene is cooked for; absent: any. */
  readonly viewerZone?: ZoneSettings | undefined;
  /** How texture files are made; absent: images are kept as they are where nothing must change. */
  readonly textures?: TextureSettings | undefined;
  /** By the SHA-256 of the file that a texture would have, pixels along its longer side at most; absent: none is limited. */
  readonly textureLimits?: Readonly<Record<string, number>> | undefined;
  /** Full detail and levels end at this share of the distances that would be theirs; absent: 1. */
  readonly levelScale?: number | undefined;
  /** Edge of a grid cell in metres. */
  readonly tileSize: number;
  /** How the scene is cut; absent: a grid with the usual budgets. */
  readonly tiling?: TilingOptions | undefined;
  /**
   * Most triangles of each level of detail as a share of its tile's, falling; absent or empty: none. 'auto': the usual
   * ones, where they can ever be shown. Of models of packs: 'auto' makes what looks like the model, shares are those of the engine's cook.
   */
  readonly lods?: readonly number[] | 'auto';
  /** Most triangles of the HLOD of a far tile, as a share of its tile's; absent or null: no HLOD. 'auto' as for `lods`. */
  readonly hlod?: number | null | 'auto';
  /** n from 2 on: 2^(n-1) × 2^(n-1) far tiles share an HLOD cluster; absent or 1: each tile has only its own proxy. */
  readonly hlodLevels?: number | undefined;
  /**
   * Pixels along the longer side of an HLOD's atlas at most, a power of two from 128 to 1024; absent or null: HLODs have
   * palettes and whole images, nothing is baked.
   */
  readonly hlodTextureSize?: number | null | undefined;
  /** Whether pictures decide from where levels are shown; absent: 'geometry', their deviations alone. */
  readonly lodCheck?: 'pictures' | 'geometry' | undefined;
  /** How like full detail levels must look; absent: 'good'. */
  readonly lodQuality?: LodQuality | undefined;
  /**
   * What becomes of levels of detail that artists have made: absent or 'use': full detail has the finest, levels of tiles the
   * others; 'finest': the others are left out; 'keep': all are drawn.
   */
  readonly authoredLods?: 'use' | 'finest' | 'keep' | undefined;
  /** Patterns of objects that are loaded wherever the camera is; absent: those that are tagged alone. */
  readonly alwaysLoaded?: readonly string[] | undefined;
  /** Whether a mesh of several placements may be stored once; absent: 'auto', where that makes a file smaller. */
  readonly instances?: 'auto' | 'bake' | undefined;
  /**
   * Whether meshes that are others at other places are placed as these; absent: 'auto', in single files; 'always': in tiles and
   * packs, too.
   */
  readonly findCopies?: 'always' | 'never' | undefined;
  /** Whether files other than tiles have no node tree; absent: they keep it. */
  readonly flatten?: true | undefined;
  /** Whether what one material draws in a single file becomes one mesh; with `flatten`. Absent: each object keeps its own. */
  readonly joins?: true | undefined;
  /** Which of the materials that differ in nothing are taken as one; absent: 'named'. */
  readonly equalMaterials?: 'all' | 'keep' | undefined;
  /** What of skeletons and clips a single file keeps; absent: all of them, and no node without a skin moves. */
  readonly rig?: RigSettings | undefined;
  /** Whether full detail and LODs hold the edges of wireframes; absent: they do not. */
  readonly edges?: true | undefined;
  /** SHA-256 of the colour grade's file; absent: there is none. */
  readonly colorGrade?: string | undefined;
  /** What payloads are written as; absent: DEFAULT_FORMAT. */
  readonly format?: FormatId | undefined;
  /** How the geometry of a GLB is packed; absent: it is stored as it is. */
  readonly geometry?: GeometryPacker | undefined;
  /** The layout of a BPX package; absent: that of the text. */
  readonly layout?: 'crate' | undefined;
  readonly compress: Compressor;
  /** The sets of one output share a folder of textures; absent: each has its own. */
  readonly shareTextures?: true | undefined;
  /** Raises the format version. */
  readonly formatVersion?: number | undefined;
}

/** Where the output goes: a manifest with its payload folder, or one file. Absolute paths. */
export type CookTarget =
  | {
      readonly kind: 'folder';
      /** `DIR/<sub>`; holds `<scene>.json` and the folder of its payloads. */
      readonly folder: string;
      readonly sceneName: string;
      /** The name of the folder of payloads; absent: that of the scene. */
      readonly payloads?: string;
      /** Only this part of the set is cooked; absent: all of it. */
      readonly shard?: Shard;
      /** Where its textures go; absent: into `Textures/` in the folder of its payloads, which is its own. */
      readonly shared?: SharedFolder;
    }
  | {
      readonly kind: 'file';
      /** One file, or a pack with a file for each root object of the scene: exactly if it ends in `.untoldpack`. */
      readonly path: string;
      /** Where its textures go; absent: into `Textures/` beside it, which is its own. */
      readonly shared?: SharedFolder;
      /** What the header of a single file says that it is; absent: a tile. */
      readonly fileType?: Exclude<FileType, 'animation'>;
      /** Other files of the same call lie in its folder: its clips are named `<model>_<clip>`. */
      readonly hasOthersBeside?: boolean;
    };

/** By flag, the value that an option has, its default too; flags without a value are `given`. */
export type AskedOptions = Readonly<Record<string, string>>;

export type FolderTarget = Extract<CookTarget, { readonly kind: 'folder' }>;

/** What the engine's own exporter lets its caller name, and `untold cook` does not. */
export interface ExporterNames {
  /** The folder of a set's payloads, beside its manifest. */
  readonly payloads?: string;
  /** What the header of a single file says that it is. */
  readonly fileType?: Exclude<FileType, 'animation'>;
}

/** The part of a set that one of several machines cooks. */
export interface Shard {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** The folder of the set below the output, with `/`; '': the output itself. */
  readonly place: string;
}

/** A folder of textures that many files share. */
export interface SharedFolder {
  /** Absolute. */
  readonly folder: string;
  /** The path that leads there from the files that name the textures, with `/`, also at its end. */
  readonly uri: string;
}
