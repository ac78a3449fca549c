// Checks values of options in the three forms in which they arrive: as text on a command line, as JSON in a preset, and
// typed from a program that uses the library.

import { resolve, sep } from 'node:path';
import { nearest } from '../nearest.ts';
import type { OptionKind, OptionValue } from './option.ts';

/** A value that was refused; the message describes what the option takes. */
export class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Units of sizes, without their `B`: decimal, as the help writes them, and binary. */
const DECIMAL = ['', 'k', 'M', 'G', 'T'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti'];

/** A size that parseBytes reads back, in the largest decimal unit that holds it as a whole number. */
function writtenBytes(bytes: number): string {
  const power = DECIMAL.findLastIndex((_, i) => bytes % 1000 ** i === 0);
  return `${bytes / 1000 ** power}${DECIMAL[power]}B`;
}

/** Reads a size with or without a unit; NaN for what is none. */
function parseBytes(text: string): number {
  const match = /^(\d+(?:\.\d+)?) ?([kmgt]i?)?b?$/i.exec(text);
  if (!match) return Number.NaN;
  const unit = (match[2] ?? '').toLowerCase();
  const base = unit.endsWith('i') ? 1024 : 1000;
  const power = (base === 1024 ? BINARY : DECIMAL).findIndex((name) => name.toLowerCase() === unit);
  return Math.round(Number(match[1]) * base ** power);
}

/** A path made absolute that still ends in a slash if it did. */
function absoluteWithSlash(folder: string, value: string): string {
  const path = resolve(folder, value);
  const isFolder = value.endsWith('/') || value.endsWith(sep);
  return isFolder && !path.endsWith(sep) ? path + sep : path;
}

/** What a file of places is given behind. */
const POINTS = 'points:';

/** A checked value with the paths in it relative to `folder` made absolute. */
export function absoluteValue(kind: OptionKind, value: OptionValue, folder: string): OptionValue {
  if (kind.type === 'path') {
    if (typeof value !== 'string') return value;
    return kind.searched !== true && kind.keepsSlash ? absoluteWithSlash(folder, value) : resolve(folder, value);
  }
  if (kind.type !== 'list' || kind.paths === undefined) return value;
  return (value as readonly string[]).map((item) => {
    if (kind.paths === 'points' && !item.startsWith(POINTS)) return item;
    const at = kind.paths === 'targets' ? item.indexOf('=') + 1 : kind.paths === 'points' ? POINTS.length : 0;
    return item.slice(0, at) + resolve(folder, item.slice(at));
  });
}

/** What an option takes, in words: "a number from 1 to 4", "one of none, lz4, lz4-fast, zstd". */
export function describeKind(kind: OptionKind): string {
  switch (kind.type) {
    case 'flag':
      return 'true or false';
    case 'choice':
      return `one of ${kind.choices.join(', ')}`;
    case 'number':
      return `${kind.integer ? 'a whole number' : 'a number'} from ${kind.minimum} to ${kind.maximum}`;
    case 'numbers':
      return `${kind.count} numbers from ${kind.minimum} to ${kind.maximum} separated by commas`;
    case 'bytes':
      return `a size like 500MB or 10GB, from ${writtenBytes(kind.minimum)} to ${writtenBytes(kind.maximum)}`;
    case 'ratio':
      return 'a number between 0 and 1, auto or none';
    case 'ratios':
      return `up to ${kind.max} falling numbers between 0 and 1 separated by commas, auto or none`;
    case 'list':
      if (kind.choices) return `one or more of ${kind.choices.join(', ')}`;
      return kind.items?.words ?? 'a list of texts';
    case 'path':
      return 'a path';
    case 'text':
      return 'a text';
  }
}

/** A value as help, schemas and presets write it: `none` for no ratio, else the value itself. */
export function writtenValue(kind: OptionKind, value: OptionValue): string | number | boolean | readonly string[] {
  if (value === null) return 'none';
  if (kind.type === 'bytes') return writtenBytes(value as number);
  if (kind.type === 'numbers') return (value as readonly number[]).join(',');
  if (value === 'auto' || kind.type !== 'ratios') return value as Exclude<typeof value, readonly number[]>;
  const ratios = value as readonly number[];
  return ratios.length === 0 ? 'none' : ratios.join(',');
}

function refused(kind: OptionKind): Refusal {
  return new Refusal(`takes ${describeKind(kind)}`);
}

function refusedChoice(kind: OptionKind, word: string, choices: readonly string[]): Refusal {
  const near = nearest(word, choices);
  return new Refusal(`takes ${describeKind(kind)}${near === null ? '' : `; did you mean ${near}?`}`);
}

const isRatio = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 1;

function isRatios(value: unknown, max: number): value is readonly number[] {
  if (!Array.isArray(value) || value.length > max) return false;
  return value.every((ratio, i) => isRatio(ratio) && (i === 0 || ratio < value[i - 1]));
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
}

/** Checks a typed value. Numbers stay numbers: "25" is none. */
export function checkValue(kind: OptionKind, value: unknown): OptionValue | Refusal {
  switch (kind.type) {
    case 'flag':
      return typeof value === 'boolean' ? value : refused(kind);
    case 'text':
      return typeof value === 'string' && value !== '' ? value : refused(kind);
    case 'path':
      if (kind.searched && typeof value === 'boolean') return value;
      // JSON can hold a NUL; a path of any system cannot.
      return typeof value === 'string' && value !== '' && !value.includes('\0') ? value : refused(kind);
    case 'choice':
      if (typeof value !== 'string') return refused(kind);
      return kind.choices.includes(value) ? value : refusedChoice(kind, value, kind.choices);
    case 'number': {
      if (typeof value !== 'number' || !(value >= kind.minimum && value <= kind.maximum)) return refused(kind);
      return kind.integer && !Number.isInteger(value) ? refused(kind) : value;
    }
    case 'numbers': {
      const fits = (item: unknown) => typeof item === 'number' && item >= kind.minimum && item <= kind.maximum;
      return Array.isArray(value) && value.length === kind.count && value.every(fits) ? value : refused(kind);
    }
    case 'bytes': {
      const isWhole = typeof value === 'number' && Number.isSafeInteger(value);
      return isWhole && value >= kind.minimum && value <= kind.maximum ? value : refused(kind);
    }
    case 'ratio':
      return value === null || value === 'auto' || isRatio(value) ? value : refused(kind);
    case 'ratios':
      return value === 'auto' || isRatios(value, kind.max) ? value : refused(kind);
    case 'list': {
      if (!isTextList(value)) return refused(kind);
      const { choices, items } = kind;
      const unknown = choices && value.find((item) => !choices.includes(item));
      if (choices && unknown !== undefined) return refusedChoice(kind, unknown, choices);
      if (choices && value.length === 0) return refused(kind);
      if (items && !value.every((item) => items.pattern.test(item))) return refused(kind);
      return value;
    }
  }
}

/** Reads ratios in decimal notation, `none` or `auto`. */
function parseRatios(kind: OptionKind & { readonly type: 'ratio' | 'ratios' }, text: string): OptionValue | Refusal {
  const isOne = kind.type === 'ratio';
  if (text === 'none') return isOne ? null : [];
  if (text === 'auto') return text;
  const items = text.split(',').map((item) => item.trim());
  if (items.every((item) => /^\d{1,2}(?:\.\d+)?%$/.test(item))) {
    const shares = items.map((item) => String(Number((Number.parseFloat(item) / 100).toPrecision(6))));
    return new Refusal(`${refused(kind).message}; did you mean ${shares.join(',')}?`);
  }
  if (!items.every((item) => /^0?\.\d+$/.test(item))) return refused(kind);
  const ratios = items.map(Number);
  if (isOne) return ratios.length === 1 ? checkValue(kind, ratios[0]) : refused(kind);
  return checkValue(kind, ratios);
}

/** Kinds that a preset writes as the command line does. */
const TEXTS: ReadonlySet<OptionKind['type']> = new Set(['ratio', 'ratios', 'bytes', 'numbers']);

/** Checks a value as a preset writes it: ratios, sizes and several numbers are texts, all else has its JSON type. */
export function parseJsonValue(kind: OptionKind, value: unknown): OptionValue | Refusal {
  if (!TEXTS.has(kind.type)) return checkValue(kind, value);
  return typeof value === 'string' ? parseText(kind, value) : refused(kind);
}

/** Number('') is 0 and Number('0x10') is 16: only decimal notation counts. */
const DECIMAL_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** The end of a group in braces that begins here; -1: it has none. */
function endOfGroup(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

/** The items of a list, which commas separate; those within the braces of a pattern do not. */
function listItems(text: string): string[] {
  const items: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{' && text[at - 1] !== '\\') at = Math.max(at, endOfGroup(text, at));
    else if (text[at] === ',') {
      items.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...items, text.slice(from).trim()];
}

/** Checks a value as it is written on a command line; flags have none. */
export function parseText(kind: OptionKind, text: string): OptionValue | Refusal {
  switch (kind.type) {
    case 'number':
      return DECIMAL_NUMBER.test(text) ? checkValue(kind, Number(text)) : refused(kind);
    case 'numbers': {
      const items = text.split(',').map((item) => item.trim());
      return items.every((item) => DECIMAL_NUMBER.test(item)) ? checkValue(kind, items.map(Number)) : refused(kind);
    }
    case 'bytes':
      return checkValue(kind, parseBytes(text));
    case 'ratio':
    case 'ratios':
      return parseRatios(kind, text);
    case 'list':
      return checkValue(kind, listItems(text));
    default:
      return checkValue(kind, text);
  }
}
