// Damage to JSON: values become other types, huge, negative, absent or another value of the same document.

import { pick, type Random } from '../random.ts';
import { damageBytes, type Mutator } from './bytes.ts';

const STRANGE: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  2,
  3,
  4,
  0.5,
  255,
  256,
  65535,
  65536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  1e38,
  -1e38,
  1e300,
  1e-300,
  '',
  'NaN',
  '-1',
  '../..',
  '/',
  '\u0000',
  '__proto__',
  'constructor',
  [],
  [[]],
  {},
  [null],
  [-1],
  [0, 0],
  [1e300, 0, 0],
];

interface Slot {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

function slotsOf(value: unknown): Slot[] {
  const slots: Slot[] = [];
  const visit = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
    for (const key of keys) {
      slots.push({ holder: holder as Record<string, unknown>, key });
      visit((holder as Record<string | number, unknown>)[key]);
    }
  };
  visit(value);
  return slots;
}

const at = ({ holder, key }: Slot): unknown => (holder as Record<string | number, unknown>)[key];

function set({ holder, key }: Slot, value: unknown): void {
  (holder as Record<string | number, unknown>)[key] = value;
}

function near(value: unknown, random: Random): unknown {
  if (typeof value === 'number')
    return pick(random, [value + 1, value - 1, -value, value * 2, value + 0.5, value * 1e9]);
  if (typeof value === 'string')
    return pick(random, [`${value}x`, value.slice(1), value.toUpperCase(), `${value}/../`]);
  if (Array.isArray(value))
    return pick(random, [value.slice(1), [...value, ...value], [...value].reverse(), [...value, 0]]);
  return pick(random, STRANGE);
}

/** Changes one to three values of a document in place. */
export function damageValue(document: object, random: Random): void {
  const slots = slotsOf(document);
  if (slots.length === 0) return;
  for (let n = 1 + random(3); n > 0; n--) {
    const slot = pick(random, slots);
    const way = random(8);
    if (way < 3) set(slot, pick(random, STRANGE));
    else if (way < 5) set(slot, near(at(slot), random));
    else if (way === 5) set(slot, structuredClone(at(pick(random, slots))));
    else if (way === 6 && !Array.isArray(slot.holder)) delete slot.holder[slot.key];
    else if (Array.isArray(slot.holder)) slot.holder.push(structuredClone(at(pick(random, slots))));
    else
      slot.holder[pick(random, ['', 'x', String(pick(random, slots).key)])] = structuredClone(at(pick(random, slots)));
  }
}

/** A document whose values are damaged, as text. */
export function damagedDocument(document: object, random: Random): string {
  const copy = structuredClone(document);
  damageValue(copy, random);
  const text = JSON.stringify(copy);
  if (random(32) !== 0) return text;
  // Numbers that JavaScript does not write, and nesting that stacks do not hold.
  return random(2) === 0
    ? text.replace(/\d+/, pick(random, ['1e999', '-1e999', '00', '1e-999', 'NaN']))
    : text.replace(/\d+/, `${'['.repeat(20_000)}${']'.repeat(20_000)}`);
}

const parsed = new WeakMap<Uint8Array, object | null>();

function parse(bytes: Uint8Array): object | null {
  const before = parsed.get(bytes);
  if (before !== undefined) return before;
  let document: object | null = null;
  try {
    document = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch {
    // Damaged before.
  }
  parsed.set(bytes, document);
  return document;
}

export const damageJson: Mutator = (bytes, random) => {
  const document = random(8) === 0 ? null : parse(bytes);
  if (typeof document !== 'object' || document === null) return damageBytes(bytes, random);
  try {
    return new TextEncoder().encode(damagedDocument(document, random));
  } catch (error) {
    // Nesting that earlier damage has made is too deep for these functions.
    if (!(error instanceof RangeError)) throw error;
    return damageBytes(bytes, random);
  }
};
