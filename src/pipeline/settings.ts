// The options of a cook as data: one table that gives the command line its flags, presets their keys and the help its
// words. Settings decide the bytes of the output; the options of a run, which do not, stand in the command line's room.

import { nearest } from './nearest.ts';
import type { CookSettings } from './types.ts';

/** What a value may be. A text is checked by whoever uses it. */
export type OptionKind =
  | { readonly type: 'flag' }
  | { readonly type: 'text' }
  /** A path; in a preset it is relative to the preset's own folder. */
  | { readonly type: 'path' }
  | { readonly type: 'choice'; readonly choices: readonly string[] }
  | { readonly type: 'number'; readonly minimum: number; readonly maximum: number; readonly integer: boolean }
  /** One or more texts; on the command line separated by commas or given again. */
  | { readonly type: 'list' };

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

export const SETTING_OPTIONS = [
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

/** The settings of a cook from checked values. */
export function cookSettings(values: OptionValues): CookSettings {
  return {
    scene: values.get('scene') as string | undefined,
    materialVariant: values.get('material-variant') as string | undefined,
    missingTexture: values.get('missing-texture') as CookSettings['missingTexture'],
    tileSize: values.get('tile-size') as number,
    compress: values.get('compress') as CookSettings['compress'],
    formatVersion: values.get('format-version') as number | undefined,
  };
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
    case 'list':
      return 'a list of texts';
    case 'path':
      return 'a path';
    case 'text':
      return 'a text';
  }
}

/** Checks a typed value, as JSON gives it. Numbers stay numbers: "25" is no number. */
export function checkValue(kind: OptionKind, value: unknown): OptionValue | Refusal {
  switch (kind.type) {
    case 'flag':
      if (typeof value === 'boolean') return value;
      break;
    case 'text':
    case 'path':
      if (typeof value === 'string' && value !== '') return value;
      break;
    case 'choice':
      if (typeof value === 'string') {
        if (kind.choices.includes(value)) return value;
        const near = nearest(value, kind.choices);
        return { refused: `takes ${describeKind(kind)}${near === null ? '' : `; did you mean ${near}?`}` };
      }
      break;
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
    case 'list':
      if (Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')) {
        return value as readonly string[];
      }
      break;
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
