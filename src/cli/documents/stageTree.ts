// The composed stage in words: an indented tree of prims with their arcs, and what is authored about each, shortened.

import type { ShownValue, StagePrimRow } from '../../index.ts';

/** Longer values are cut. */
const MAX_CHARACTERS = 72;

/** The text of an array of more components is cut: each has a character at least, and two separate it from the next. */
export const SHOWN_COMPONENTS = Math.ceil(MAX_CHARACTERS / 3) + 1;

/** Texts of float32 numbers, of which stages repeat many: finding one is faster than making it. */
const singleTexts = new Map<number, string>();
const MAX_TEXTS = 2 ** 14;

function singleText(value: number): string {
  const known = singleTexts.get(value);
  if (known !== undefined) return known;
  // float32 holds about seven digits: print 0.1, not 0.10000000149011612.
  const text = String(Number(value.toPrecision(7)));
  if (singleTexts.size >= MAX_TEXTS) singleTexts.clear();
  singleTexts.set(value, text);
  return text;
}

/** The text of a value. Elements of an array behind its first MAX_CHARACTERS are left out: they would be cut. */
function valueText(value: ShownValue, isSingle: boolean): string {
  if (value === null) return 'no value';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return isSingle ? singleText(value) : String(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    let text = '';
    for (const item of value as readonly ShownValue[]) {
      if (text.length > MAX_CHARACTERS) break;
      text += `${text === '' ? '' : ', '}${valueText(item, isSingle)}`;
    }
    return `[${text}]`;
  }
  const { length, first, last } = value as { readonly [key: string]: ShownValue };
  return `${length} elements, ${valueText(first, isSingle)} to ${valueText(last, isSingle)}`;
}

function short(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text;
}

/** Whether numbers of a declared type are stored as float32 or less. */
function isSinglePrecision(type: string): boolean {
  return !/^(?:double|matrix|timecode|quatd)|[0-9]d(?:\[\])?$/.test(type);
}

/** The lines of one prim, indented by its depth. */
export function primLines(row: StagePrimRow): string[] {
  const depth = row.path.split('/').length - 2;
  const indent = '  '.repeat(depth);
  const words = [depth === 0 ? row.path : row.path.slice(row.path.lastIndexOf('/') + 1), row.type];
  if (row.specifier !== 'def') words.push(`(${row.specifier})`);
  if (row.instance) words.push('(instance)');
  const lines = [`${indent}${words.filter((word) => word !== '').join(' ')}`];
  const add = (text: string) => lines.push(`${indent}    ${text}`);
  for (const { type, layer, path, ancestral } of row.arcs) {
    if (!ancestral) add(`<- ${type} ${layer}<${path}>`);
  }
  for (const name in row.attributes) {
    const { type, value, connections = [] } = row.attributes[name];
    const from = connections.map((path) => `, from <${path}>`).join('');
    add(`${type} ${name} = ${short(valueText(value, isSinglePrecision(type)))}${short(from)}`);
  }
  for (const [name, targets] of Object.entries(row.relationships)) {
    add(`rel ${name} = ${short(targets.map((target) => `<${target}>`).join(', ') || 'nothing')}`);
  }
  return lines;
}
