// Plain data as bytes and back, and its digest: objects, arrays, maps, sets, strings, numbers and typed arrays. What comes
// back is what was packed to the order of its keys. For entries of caches and for their keys.
//
//   0  length of the text, uint32, little-endian
//   4  the text: JSON, with what JSON has no words for as {"$": …}
//      zeros up to a multiple of 8
//      the typed arrays, each followed by zeros up to a multiple of 8

import { createHash } from 'node:crypto';

const ARRAYS = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
} as const;
type ArrayName = keyof typeof ARRAYS;

const ALIGNMENT = 8;
const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

const isName = (name: unknown): name is ArrayName => typeof name === 'string' && Object.hasOwn(ARRAYS, name);

/**
 * The value in words of JSON; its typed arrays go into `arrays`. `isSorted`: the keys of objects are. Throws for functions and
 * other things that are no data.
 */
function described(value: unknown, arrays: Uint8Array[], isSorted: boolean): unknown {
  let size = 0;
  const describe = (item: unknown): unknown => {
    switch (typeof item) {
      case 'string':
      case 'boolean':
        return item;
      case 'number':
        if (Object.is(item, -0)) return { $: 'number', value: '-0' };
        return Number.isFinite(item) ? item : { $: 'number', value: String(item) };
      case 'undefined':
        return { $: 'undefined' };
      case 'object':
        break;
      default:
        throw new Error(`a ${typeof item} cannot be packed`);
    }
    if (item === null) return null;
    if (ArrayBuffer.isView(item)) {
      const { buffer, byteOffset, byteLength } = item;
      const name = Buffer.isBuffer(item) ? 'Uint8Array' : item.constructor.name;
      if (!isName(name)) throw new Error(`a ${name} cannot be packed`);
      const at = size;
      size += aligned(byteLength);
      arrays.push(new Uint8Array(buffer, byteOffset, byteLength));
      return { $: name, at, length: byteLength / ARRAYS[name].BYTES_PER_ELEMENT };
    }
    if (Array.isArray(item)) return item.map(describe);
    if (item instanceof Set) return { $: 'Set', items: [...item].map(describe) };
    if (item instanceof Map) return { $: 'Map', entries: [...item].map((entry) => entry.map(describe)) };
    const prototype: unknown = Object.getPrototypeOf(item);
    if (prototype !== Object.prototype && prototype !== null)
      throw new Error('an instance of a class cannot be packed');
    const own = Object.entries(item).filter(([, of]) => of !== undefined);
    if (isSorted) own.sort(([a], [b]) => (a < b ? -1 : 1));
    const entries = own.map(([key, of]) => [key, describe(of)] as const);
    return Object.hasOwn(item, '$') ? { $: 'Object', entries } : Object.fromEntries(entries);
  };
  return describe(value);
}

/** The pieces of the packed value, in order, typed arrays as views. */
function pieces(value: unknown, isSorted = false): Uint8Array[] {
  const arrays: Uint8Array[] = [];
  const text = new TextEncoder().encode(JSON.stringify(described(value, arrays, isSorted)));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, text.length, true);
  const padding = (bytes: number) => new Uint8Array(aligned(bytes) - bytes);
  return [length, text, padding(4 + text.length), ...arrays.flatMap((array) => [array, padding(array.length)])];
}

export function pack(value: unknown): Uint8Array {
  const parts = pieces(value);
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The SHA-256 of the packed value, with the keys of its objects sorted: equal for equal values on every machine. */
export function packedDigest(value: unknown): string {
  const hash = createHash('sha256');
  for (const part of pieces(value, true)) hash.update(part);
  return hash.digest('hex');
}

class Damaged extends Error {}

/** Numbers that JSON has no words for. */
const NUMBERS: Readonly<Record<string, number>> = {
  '-0': -0,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

const damaged = (): never => {
  throw new Damaged();
};

const numberOf = (word: unknown): number =>
  typeof word === 'string' && Object.hasOwn(NUMBERS, word) ? NUMBERS[word] : damaged();

/**
 * The value that was packed; typed arrays are views of the bytes, which are copied where they are not aligned. Null: the bytes
 * are not of pack().
 */
export function unpack(bytes: Uint8Array): unknown {
  try {
    return unpacked(bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice());
  } catch (error) {
    // JSON that is nested too deeply is a RangeError.
    if (error instanceof Damaged || error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

function unpacked(bytes: Uint8Array): unknown {
  if (bytes.length < 4 || bytes.length % ALIGNMENT !== 0) damaged();
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true);
  const end = 4 + size;
  if (end > bytes.length) damaged();
  const base = aligned(end);
  const arrayOf = (name: ArrayName, at: unknown, length: unknown): NodeJS.TypedArray => {
    const Kind = ARRAYS[name];
    if (!Number.isSafeInteger(at) || !Number.isSafeInteger(length)) damaged();
    const from = base + (at as number);
    const byteLength = (length as number) * Kind.BYTES_PER_ELEMENT;
    if ((at as number) < 0 || (at as number) % ALIGNMENT !== 0 || byteLength < 0) damaged();
    if (from + byteLength > bytes.length) damaged();
    return new Kind(bytes.buffer as ArrayBuffer, bytes.byteOffset + from, length as number);
  };
  const pairs = (entries: unknown): [unknown, unknown][] => {
    if (!Array.isArray(entries)) return damaged();
    return entries.map((entry) => {
      if (!Array.isArray(entry) || entry.length !== 2) return damaged();
      return [restore(entry[0]), restore(entry[1])];
    });
  };
  const restore = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return item;
    if (Array.isArray(item)) return item.map(restore);
    if (!Object.hasOwn(item, '$')) {
      return Object.fromEntries(Object.entries(item).map(([key, of]) => [key, restore(of)]));
    }
    const { $: kind, value, at, length, entries, items } = item as Record<string, unknown>;
    if (kind === 'number') return numberOf(value);
    if (kind === 'undefined') return undefined;
    if (kind === 'Set') return new Set(Array.isArray(items) ? items.map(restore) : damaged());
    if (kind === 'Map') return new Map(pairs(entries));
    if (kind === 'Object') return Object.fromEntries(pairs(entries) as [string, unknown][]);
    return isName(kind) ? arrayOf(kind, at, length) : damaged();
  };
  return restore(JSON.parse(Buffer.from(bytes.subarray(4, end)).toString()));
}
