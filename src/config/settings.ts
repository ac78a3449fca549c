// Turns checked options into the settings that rooms need. Settings decide the bytes of the output.

import { sha256Hex } from '../bytes/sha256.ts';
import { fail } from '../diagnostics/diagnostic.ts';
import { DEFAULT_LIMITS, type Limits } from '../diagnostics/limits.ts';
import { COMPRESSORS, type CompressValue, GEOMETRY_PACKERS, type GeometryPacker } from '../formats/format.ts';
import { DEFAULT_FORMAT, FORMATS, type FormatId } from '../formats/registry.ts';
import type { AssetSearch } from '../importers/files.ts';
import type { ImportOptions } from '../importers/importer.ts';
import type { Placement } from '../scene/placement.ts';
import type { Vec3 } from '../scene/types.ts';
import { findAstcenc } from '../textures/encode/astcenc.ts';
import { KEPT_TEXTURES, type TextureMode, type TextureSettings } from '../textures/types.ts';
import type { IMPORT_OPTIONS } from './options/importOptions.ts';
import type { COOK_LIMIT_OPTIONS, READ_LIMIT_OPTIONS } from './options/limitOptions.ts';
import type { OptionsOf, SettledOptions } from './options/option.ts';
import type { SETTING_OPTIONS } from './options/table.ts';
import { findSources } from './sources.ts';
import { tilingOptions } from './tilingSettings.ts';
import type { CookSettings, RigSettings } from './types.ts';

function variantChoices(texts: readonly string[] | undefined): ImportOptions['variants'] {
  return texts?.map((text) => {
    const [, prim, set, name] = /^(?:(\/[^:]*):)?([^=]*)=(.*)$/.exec(text) as unknown as [
      string,
      string?,
      string?,
      string?,
    ];
    return { prim: prim ?? null, set: set ?? '', name: name ?? '' };
  });
}

/** The options of importers, from checked options. */
export function importOptions(options: OptionsOf<typeof IMPORT_OPTIONS>): ImportOptions {
  return {
    scene: options.scene,
    materialVariant: options.materialVariant,
    variants: variantChoices(options.variant),
    select: options.select,
    exclude: options.exclude,
    purposes: options.purpose,
    bindingPurpose: options.bindingPurpose,
    invisible: options.allMeshes,
    time: options.time,
    metersPerUnit: options.metersPerUnit,
    upAxis: options.upAxis,
    missingAsset: options.missingAsset,
    placement: placementOf(options),
  };
}

/** Undefined where nothing moves, so that the digest is the same whether that was said or not. */
function placementOf({ origin, rotate, scale = 1 }: OptionsOf<typeof IMPORT_OPTIONS>): Placement | undefined {
  const triple = (values: readonly number[] | undefined): Vec3 | undefined =>
    values?.some((value) => value !== 0) ? [values[0], values[1], values[2]] : undefined;
  const placement = { origin: triple(origin), rotate: triple(rotate), scale: scale === 1 ? undefined : scale };
  return Object.values(placement).every((value) => value === undefined) ? undefined : placement;
}

/**
 * Where importers look for files that are not where a source says. It is no part of the settings: those hold no path of a
 * machine. Throws UC1004, UC1041 and UC1200 for words of animations that lead to nothing.
 */
export function assetSearch(
  { searchPath, remap, animation }: OptionsOf<typeof IMPORT_OPTIONS>,
  cwd: string,
): AssetSearch {
  const remaps = (remap ?? []).map((item) => {
    const at = item.indexOf('=');
    return { from: item.slice(0, at), to: item.slice(at + 1) };
  });
  return { folders: searchPath ?? [], remaps, ...(animation ? { animations: animationFiles(animation, cwd) } : {}) };
}

/** The `.ani` files that names, folders and patterns lead to. Throws as findSources does. */
function animationFiles(words: readonly string[], cwd: string): string[] {
  return findSources(words, cwd, { extensions: ['.ani'] }).map(({ path }) => path);
}

/** The largest atlas of an HLOD. How much of it is used follows from the distance at which the HLOD is first shown. */
const MAX_TEXTURE_SIZE = 1024;

function textureSize(option: 'auto' | 'none' | `${number}`): number | null {
  if (option === 'none') return null;
  return option === 'auto' ? MAX_TEXTURE_SIZE : Number(option);
}

type SettingValues = SettledOptions<typeof SETTING_OPTIONS>;

/** What textures become: what is asked for, else what is usual in the format. Throws UC1012 for what it does not hold. */
export function textureMode({ textures }: Pick<SettingValues, 'textures'>, format: FormatId): TextureMode {
  const modes: readonly TextureMode[] = FORMATS[format].textures;
  // Where there is no place for textures, they are read and counted alone.
  if (textures === undefined) return modes[0] ?? 'keep';
  if (modes.includes(textures)) return textures;
  const listed = [modes.slice(0, -1).join(', '), modes.at(-1)].filter(Boolean).join(' or ');
  const remedy = modes.length > 0 ? `give --textures ${listed}, or leave it out` : 'leave --textures out';
  return fail('UC1012', '', '--textures', `${textures} was given, which ${format} does not hold`, remedy);
}

/** How the geometry of a GLB is packed; undefined: it is stored as it is, or the format is another one. */
function geometryPacker(
  { compress, meshopt }: Pick<OptionsOf<typeof SETTING_OPTIONS>, 'compress' | 'meshopt'>,
  format: FormatId,
): GeometryPacker | undefined {
  const values: readonly CompressValue[] = FORMATS[format].compressors;
  const asked = meshopt ? 'meshopt' : compress;
  return GEOMETRY_PACKERS.find((one) => one === asked && values.includes(one));
}

/** Throws UC1012 for a value of --compress that the format does not honour, and where --meshopt says another thing. */
export function refuseCompress(
  { compress, meshopt }: Pick<OptionsOf<typeof SETTING_OPTIONS>, 'compress' | 'meshopt'>,
  format: FormatId,
): void {
  const values: readonly CompressValue[] = FORMATS[format].compressors;
  if (compress !== undefined && !values.includes(compress)) {
    const remedy = `give --compress ${values.slice(0, -1).join(', ')} or ${values.at(-1)}, or leave it out`;
    fail('UC1012', '', '--compress', `${compress} was given, which ${format} does not have`, remedy);
  }
  if (meshopt && compress !== undefined && compress !== 'meshopt') {
    fail(
      'UC1012',
      '',
      '--meshopt',
      `it is --compress meshopt, and --compress ${compress} was given`,
      'give one of them',
    );
  }
}

/** Only what counts: what cooked textures alone ask for is left out for others, so that the digest is the same. */
function textureSettings(options: SettingValues, mode: TextureMode, format: FormatId): TextureSettings {
  const unpacked = 'packsTexels' in FORMATS[format];
  if (mode !== 'utex') return { ...KEPT_TEXTURES, mode, ...(unpacked && { unpacked }) };
  return {
    mode,
    quality: options.textureQuality ?? null,
    maxSize: options.maxTextureSize ?? null,
    pot: options.texturePot,
    mipFilter: options.mipFilter,
    blocks: options.textureBlocks,
    // It decides nothing where the blocks are given.
    psnr: options.textureBlocks === 'auto' ? options.texturePsnr : KEPT_TEXTURES.psnr,
    encoder: options.astcEncoder,
    encoderVersion: options.astcEncoder === 'astcenc' ? findAstcenc().version : null,
  };
}

/** The flags of options that ask for something and act on cooked textures alone, where textures are not cooked. */
export function unusedTextureOptions(options: SettingValues, mode: TextureMode): string[] {
  if (mode === 'utex') return [];
  const given: readonly [flag: string, isGiven: boolean][] = [
    ['--texture-quality', options.textureQuality !== undefined],
    ['--max-texture-size', options.maxTextureSize !== undefined],
    ['--texture-pot', options.texturePot !== KEPT_TEXTURES.pot],
    ['--mip-filter', options.mipFilter !== KEPT_TEXTURES.mipFilter],
    ['--texture-blocks', options.textureBlocks !== KEPT_TEXTURES.blocks],
    ['--texture-psnr', options.texturePsnr !== KEPT_TEXTURES.psnr],
    ['--astc-encoder', options.astcEncoder !== KEPT_TEXTURES.encoder],
  ];
  return given.flatMap(([flag, isGiven]) => (isGiven ? [flag] : []));
}

/** Undefined where all is as usual, so that the digest does not change. Throws UC1012. */
function rigSettings(options: SettingValues): RigSettings | undefined {
  const { animations: names, keepKeys = false, animateNodes = false, morphs } = options;
  const [word] = names;
  if (names.length > 1 && (names.includes('all') || names.includes('none'))) {
    fail('UC1012', '', '--animations', 'all and none stand alone', 'give all, or none, or names');
  }
  const animations = word === 'all' || word === 'none' ? word : [...names].sort();
  if (animations === 'all' && !keepKeys && !animateNodes && morphs === 'skinned') return undefined;
  return { animations, keepKeys, animateNodes, ...(morphs === 'skinned' ? {} : { morphs }) };
}

const SUBDIVISION_LEVELS = [0, 1, 2, 3] as const;

/** The settings of a cook from checked options, and the format that is written. Throws UC1003 and UC1012. */
export function cookSettings(options: SettingValues, format: FormatId = DEFAULT_FORMAT): CookSettings {
  const { hlod, hlodLevels } = options;
  if (hlodLevels > 1 && hlod === null) {
    fail('UC1012', '', '--hlod-levels', `${hlodLevels} was given, but with --hlod none there is none to be shared`);
  }
  return {
    source: importOptions(options),
    subdivide: SUBDIVISION_LEVELS[options.subdivide],
    missingTexture: options.missingTexture,
    textures: textureSettings(options, textureMode(options, format), format),
    tileSize: options.tileSize,
    tiling: tilingOptions(options),
    lods: options.lod,
    hlod,
    hlodLevels,
    hlodTextureSize: hlod === null ? null : textureSize(options.hlodTextureSize),
    lodCheck: options.lodCheck,
    lodQuality: options.lodQuality,
    // Left out where it is the default, so that the digest is the same whether it was given or not.
    authoredLods: options.authoredLods === 'use' ? undefined : options.authoredLods,
    alwaysLoaded: options.alwaysLoaded,
    instances: options.instances,
    // Left out where it is the default, so that the digest is the same whether it was given or not.
    findCopies: options.findCopies === 'auto' ? undefined : options.findCopies,
    equalMaterials: options.equalMaterials === 'named' ? undefined : options.equalMaterials,
    rig: rigSettings(options),
    flatten: options.flatten || options.optimize || undefined,
    joins: options.optimize || undefined,
    edges: options.edges ? true : undefined,
    // Left out where it is the default, so that the digest is the same whether it was given or not.
    format: format === DEFAULT_FORMAT ? undefined : format,
    geometry: geometryPacker(options, format),
    layout: options.layout === 'crate' ? 'crate' : undefined,
    compress: COMPRESSORS.find((one) => one === options.compress) ?? 'lz4',
    formatVersion: options.formatVersion,
  };
}

/** The limits of a cook, or of reading alone, from checked options. */
export function limitsOf(options: OptionsOf<typeof READ_LIMIT_OPTIONS> & OptionsOf<typeof COOK_LIMIT_OPTIONS>): Limits {
  return {
    inputBytes: options.maxInputBytes ?? DEFAULT_LIMITS.inputBytes,
    prims: options.maxPrims ?? DEFAULT_LIMITS.prims,
    vertices: options.maxVertices ?? DEFAULT_LIMITS.vertices,
    referenceDepth: options.maxReferenceDepth ?? DEFAULT_LIMITS.referenceDepth,
    instances: options.maxInstances ?? DEFAULT_LIMITS.instances,
    pixels: options.maxPixels ?? DEFAULT_LIMITS.pixels,
    tiles: options.maxTiles ?? DEFAULT_LIMITS.tiles,
    outputBytes: options.maxOutputBytes ?? DEFAULT_LIMITS.outputBytes,
    archiveEntries: options.maxArchiveEntries ?? DEFAULT_LIMITS.archiveEntries,
  };
}

/** SHA-256 of settings: equal for equal ones. */
export function settingsDigest(settings: CookSettings): string {
  const text = JSON.stringify(settings, (_, value: unknown) => (value instanceof Map ? [...value] : value));
  return sha256Hex(text);
}
