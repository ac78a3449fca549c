// The options of a cook as data: one table that gives the command line its flags, presets their keys and the help its
// words. Settings decide the bytes of the output; the options of a run, which do not, stand in the command line's room.

import { sha256Hex } from '../bytes/sha256.ts';
import { fail } from '../diagnostics/diagnostic.ts';
import type { ImportOptions } from '../importers/importer.ts';
import { nearest } from './nearest.ts';
import { TILING_OPTIONS, tilingOptions } from './tilingSettings.ts';
import type { CookSettings } from './types.ts';

/** What a value may be. A text is checked by whoever uses it. */
export type OptionKind =
  | { readonly type: 'flag' }
  | { readonly type: 'text' }
  /** A path; in a preset it is relative to the preset's own folder. */
  | { readonly type: 'path' }
  | { readonly type: 'choice'; readonly choices: readonly string[] }
  | { readonly type: 'number'; readonly minimum: number; readonly maximum: number; readonly integer: boolean }
  /** Falling ratios between 0 and 1 separated by commas, at most so many, or `none`. */
  | { readonly type: 'ratios'; readonly most: number }
  /**
   * Texts; on the command line separated by commas or given again. With `choices` at least one of these words; with
   * `items` texts of that pattern, which `words` describes.
   */
  | {
      readonly type: 'list';
      readonly choices?: readonly string[];
      readonly items?: { readonly pattern: RegExp; readonly words: string };
    };

export interface OptionSpec {
  /** The long flag without its dashes, and the key in a preset. */
  readonly name: string;
  readonly kind: OptionKind;
  /** The value's name in the help; absent for a flag. */
  readonly placeholder?: string;
  readonly description: string;
  /** What applies when nobody says otherwise; absent: nothing. */
  readonly default?: OptionValue;
}

export type OptionValue = string | number | boolean | readonly string[];
export type OptionValues = ReadonlyMap<string, OptionValue>;

/** Smallest and largest edge of a grid cell: below, tiles outnumber objects; above, the engine's reach ends. */
export const TILE_SIZE_RANGE = { minimum: 0.1, maximum: 10_000 } as const;

/** Absolute paths of prims. */
const PRIM_PATHS = { pattern: /^(?:\/[^/.:,<>{}[\]]+)+$/, words: 'absolute paths of prims, like /Town/House' } as const;
/** With and without a prim; sets may have namespaces. */
const VARIANTS = {
  pattern: /^(?:(?:\/[^/.:=,<>{}[\]]+)+:)?[^/=,][^=,]*=[^=,]+$/,
  words: '/Prim:set=name or set=name',
} as const;

/** What is taken from a source, and how it is read: what `untold inspect` takes too. */
export const IMPORT_OPTIONS = [
  {
    name: 'scene',
    kind: { type: 'text' },
    placeholder: 'NAME|INDEX',
    description: "glTF: the scene to cook; otherwise the file's default, else its first",
  },
  {
    name: 'material-variant',
    kind: { type: 'text' },
    placeholder: 'NAME',
    description: 'glTF: the variant of KHR_materials_variants to cook; otherwise the default materials',
  },
  {
    name: 'variant',
    kind: { type: 'list', items: VARIANTS },
    placeholder: '[PRIM:]SET=NAME',
    description: 'USD: the variant of a prim, whatever is authored; without a prim, for all prims that select none',
  },
  {
    name: 'select',
    kind: { type: 'list', items: PRIM_PATHS },
    placeholder: 'PRIM',
    description: 'USD: only this prim with all below it; again for more',
  },
  {
    name: 'exclude',
    kind: { type: 'list', items: PRIM_PATHS },
    placeholder: 'PRIM',
    description: 'USD: not this prim, nor anything below it; again for more',
  },
  {
    name: 'purpose',
    kind: { type: 'list', choices: ['default', 'render', 'proxy', 'guide'] },
    placeholder: 'PURPOSE',
    description: 'USD: purposes that are drawn, separated by commas',
    default: ['render', 'default'],
  },
  {
    name: 'binding-purpose',
    kind: { type: 'choice', choices: ['preview', 'full'] },
    placeholder: 'preview|full',
    description: 'USD: whose material bindings are asked first, then those for all purposes, then the other ones',
    default: 'preview',
  },
  {
    name: 'all-meshes',
    kind: { type: 'flag' },
    description: 'USD: invisible prims are drawn too',
  },
  {
    name: 'time',
    kind: { type: 'number', minimum: -1e9, maximum: 1e9, integer: false },
    placeholder: 'T',
    description: 'USD: the time code at which animated values are read; otherwise the earliest of each',
  },
  {
    name: 'meters-per-unit',
    kind: { type: 'number', minimum: 1e-9, maximum: 1e9, integer: false },
    placeholder: 'N',
    description: 'USD: metres in a unit of the stage, whatever is authored',
  },
  {
    name: 'up-axis',
    kind: { type: 'choice', choices: ['Y', 'Z'] },
    placeholder: 'Y|Z',
    description: 'USD: the axis that points up, whatever is authored',
  },
  {
    name: 'missing-asset',
    kind: { type: 'choice', choices: ['error', 'drop'] },
    placeholder: 'error|drop',
    description: 'USD: what a sublayer, reference or payload that leads nowhere means',
    default: 'error',
  },
] as const satisfies readonly OptionSpec[];

export const SETTING_OPTIONS = [
  ...IMPORT_OPTIONS,
  {
    name: 'subdivide',
    kind: { type: 'number', minimum: 0, maximum: 3, integer: true },
    placeholder: 'N',
    description: 'USD: how often subdivision surfaces are refined; each time has four times the triangles',
    default: 0,
  },
  {
    name: 'missing-texture',
    kind: { type: 'choice', choices: ['error', 'drop', 'placeholder'] },
    placeholder: 'WHAT',
    description: 'what a texture that is missing or cannot be read means',
    default: 'error',
  },
  {
    name: 'tile-size',
    kind: { type: 'number', ...TILE_SIZE_RANGE, integer: false },
    placeholder: 'METRES',
    description: 'edge of a grid cell',
    default: 25,
  },
  ...TILING_OPTIONS,
  {
    name: 'lod',
    kind: { type: 'ratios', most: 8 },
    placeholder: 'RATIOS|none',
    description: 'levels of detail for each tile: at most these shares of its triangles, as 0.5,0.2',
    default: 'none',
  },
  {
    name: 'hlod',
    kind: { type: 'ratios', most: 1 },
    placeholder: 'RATIO|none',
    description: 'a stand-in for each far tile, with few materials: at most this share of its triangles, as 0.1',
    default: 'none',
  },
  {
    name: 'hlod-levels',
    kind: { type: 'number', minimum: 1, maximum: 4, integer: true },
    placeholder: 'N',
    description:
      'with --hlod: how many tiles share the far stand-in that follows their own: 2: 2x2, 3: 4x4, 4: 8x8; 1: none do',
    default: 1,
  },
  {
    name: 'instances',
    kind: { type: 'choice', choices: ['auto', 'bake'] },
    placeholder: 'auto|bake',
    description: 'meshes of several placements: auto stores them once where that makes the file smaller, bake never',
    default: 'auto',
  },
  {
    name: 'compress',
    kind: { type: 'choice', choices: ['none', 'lz4', 'zstd'] },
    placeholder: 'HOW',
    description: "compression of geometry where that makes it smaller; today's engine refuses zstd",
    default: 'lz4',
  },
  {
    name: 'format-version',
    kind: { type: 'number', minimum: 1, maximum: 4, integer: true },
    placeholder: 'N',
    description: "raises the files' version above the lowest that holds the content",
  },
] as const satisfies readonly OptionSpec[];

/** The default of each option that has one. */
export function defaultValues(specs: readonly OptionSpec[]): Map<string, OptionValue> {
  const values = new Map<string, OptionValue>();
  for (const spec of specs) if (spec.default !== undefined) values.set(spec.name, spec.default);
  return values;
}

/** Later maps win: defaults first, then the preset, then the command line. */
export function layerValues(...layers: readonly OptionValues[]): Map<string, OptionValue> {
  const values = new Map<string, OptionValue>();
  for (const layer of layers) for (const [name, value] of layer) values.set(name, value);
  return values;
}

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

/** What importers are told, from checked values. */
export function importOptions(values: OptionValues): ImportOptions {
  return {
    scene: values.get('scene') as string | undefined,
    materialVariant: values.get('material-variant') as string | undefined,
    variants: variantChoices(values.get('variant') as readonly string[] | undefined),
    select: values.get('select') as readonly string[] | undefined,
    exclude: values.get('exclude') as readonly string[] | undefined,
    purposes: values.get('purpose') as ImportOptions['purposes'],
    bindingPurpose: values.get('binding-purpose') as ImportOptions['bindingPurpose'],
    invisible: values.get('all-meshes') as boolean | undefined,
    time: values.get('time') as number | undefined,
    metersPerUnit: values.get('meters-per-unit') as number | undefined,
    upAxis: values.get('up-axis') as ImportOptions['upAxis'],
    missingAsset: values.get('missing-asset') as ImportOptions['missingAsset'],
  };
}

/** The settings of a cook from checked values. Throws UC1003 and UC1012. */
export function cookSettings(values: OptionValues): CookSettings {
  const hlod = ratiosOf(values.get('hlod') as string)[0] ?? null;
  const hlodLevels = values.get('hlod-levels') as number;
  if (hlodLevels > 1 && hlod === null) {
    fail('UC1012', '', '--hlod-levels', `${hlodLevels} was given, but without --hlod there is none to be shared`);
  }
  return {
    source: importOptions(values),
    subdivide: values.get('subdivide') as CookSettings['subdivide'],
    missingTexture: values.get('missing-texture') as CookSettings['missingTexture'],
    tileSize: values.get('tile-size') as number,
    tiling: tilingOptions(values),
    lods: ratiosOf(values.get('lod') as string),
    hlod,
    hlodLevels,
    instances: values.get('instances') as CookSettings['instances'],
    compress: values.get('compress') as CookSettings['compress'],
    formatVersion: values.get('format-version') as number | undefined,
  };
}

/** SHA-256 of settings: equal for equal ones. */
export function settingsDigest(settings: CookSettings): string {
  const text = JSON.stringify(settings, (_, value: unknown) => (value instanceof Map ? [...value] : value));
  return sha256Hex(text);
}

/** The numbers of a checked value of kind `ratios`. */
function ratiosOf(value: string): readonly number[] {
  return value === 'none' ? [] : value.split(',').map(Number);
}

/** Whether a text is a value of kind `ratios`. */
function isRatios(value: string, most: number): boolean {
  if (value === 'none') return true;
  const items = value.split(',').map((item) => item.trim());
  if (items.length > most || !items.every((item) => /^0?\.\d+$/.test(item))) return false;
  return items.every((item, i) => Number(item) > 0 && (i === 0 || Number(item) < Number(items[i - 1])));
}

/** A value that was refused, and why: `message` names what is allowed. */
export interface Refusal {
  readonly refused: string;
}

/** The words for what an option takes: "a number from 1 to 4", "one of none, lz4, zstd". */
export function describeKind(kind: OptionKind): string {
  switch (kind.type) {
    case 'flag':
      return 'true or false';
    case 'choice':
      return `one of ${kind.choices.join(', ')}`;
    case 'number':
      return `${kind.integer ? 'a whole number' : 'a number'} from ${kind.minimum} to ${kind.maximum}`;
    case 'ratios':
      return kind.most === 1
        ? 'a number between 0 and 1, or none'
        : `up to ${kind.most} falling numbers between 0 and 1 separated by commas, or none`;
    case 'list':
      if (kind.choices) return `one or more of ${kind.choices.join(', ')}`;
      return kind.items?.words ?? 'a list of texts';
    case 'path':
      return 'a path';
    case 'text':
      return 'a text';
  }
}

function refusedWord(kind: OptionKind, word: string, choices: readonly string[]): Refusal {
  const near = nearest(word, choices);
  return { refused: `takes ${describeKind(kind)}${near === null ? '' : `; did you mean ${near}?`}` };
}

/** Checks a typed value, as JSON gives it. Numbers stay numbers: "25" is no number. */
export function checkValue(kind: OptionKind, value: unknown): OptionValue | Refusal {
  switch (kind.type) {
    case 'flag':
      if (typeof value === 'boolean') return value;
      break;
    case 'text':
      if (typeof value === 'string' && value !== '') return value;
      break;
    case 'path':
      // No system has paths with a NUL in them; JSON can spell one.
      if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
      break;
    case 'choice':
      if (typeof value !== 'string') break;
      return kind.choices.includes(value) ? value : refusedWord(kind, value, kind.choices);
    case 'number':
      if (
        typeof value === 'number' &&
        value >= kind.minimum &&
        value <= kind.maximum &&
        (!kind.integer || Number.isInteger(value))
      ) {
        return value;
      }
      break;
    case 'ratios':
      if (typeof value === 'string' && isRatios(value, kind.most)) return value;
      break;
    case 'list': {
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string' && item !== '')) break;
      const { choices, items } = kind;
      const stranger = choices && (value as readonly string[]).find((item) => !choices.includes(item));
      if (stranger !== undefined) return refusedWord(kind, stranger, choices ?? []);
      if (choices && value.length === 0) break;
      if (items && !value.every((item) => items.pattern.test(item))) break;
      return value as readonly string[];
    }
  }
  return { refused: `takes ${describeKind(kind)}` };
}

/** Checks a value as it stands on a command line; flags have none. */
export function parseValue(kind: OptionKind, value: string): OptionValue | Refusal {
  switch (kind.type) {
    case 'number':
      // Number('') is 0 and Number('0x10') is 16: only decimal notation counts.
      return checkValue(kind, /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value) ? Number(value) : value);
    case 'list':
      return checkValue(
        kind,
        value.split(',').map((item) => item.trim()),
      );
    default:
      return checkValue(kind, value);
  }
}

export function isRefusal(value: OptionValue | Refusal): value is Refusal {
  return typeof value === 'object' && 'refused' in value;
}
