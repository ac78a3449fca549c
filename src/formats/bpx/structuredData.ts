// BPXSD, the structured data of the crate's packages: an object of values, each with the hash of its name. A property `__debug__`
// may hold the names. All counts are one byte, and every value is read from the bytes that it takes.

import type { Findings } from '../findings.ts';

/** Types by their code; numbers of 64 bits are bigint. */
export const SD_TYPES = [
  'null',
  'bool',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'int8',
  'int16',
  'int32',
  'int64',
  'float',
  'double',
  'string',
  'array',
  'object',
] as const;

export type SdNumberType = 'uint8' | 'uint16' | 'uint32' | 'int8' | 'int16' | 'int32' | 'float' | 'double';

export type SdValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: SdNumberType; readonly value: number }
  | { readonly type: 'uint64' | 'int64'; readonly value: bigint }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'array'; readonly items: readonly SdValue[] }
  | ({ readonly type: 'object' } & SdObject);

export interface SdProperty {
  /** The hash of its name: sdHash. */
  readonly hash: bigint;
  readonly value: SdValue;
}

export interface SdObject {
  readonly properties: readonly SdProperty[];
}

export const MAX_SD_COUNT = 255;
/** Objects and arrays in each other; a reader calls itself for each. */
export const MAX_SD_DEPTH = 64;
const DEBUG = '__debug__';
const HASH_BYTES = 8;

const NUMBERS = {
  uint8: { bytes: 1, get: 'getUint8', set: 'setUint8' },
  uint16: { bytes: 2, get: 'getUint16', set: 'setUint16' },
  uint32: { bytes: 4, get: 'getUint32', set: 'setUint32' },
  int8: { bytes: 1, get: 'getInt8', set: 'setInt8' },
  int16: { bytes: 2, get: 'getInt16', set: 'setInt16' },
  int32: { bytes: 4, get: 'getInt32', set: 'setInt32' },
  float: { bytes: 4, get: 'getFloat32', set: 'setFloat32' },
  double: { bytes: 8, get: 'getFloat64', set: 'setFloat64' },
} as const satisfies Record<SdNumberType, { bytes: number; get: keyof DataView; set: keyof DataView }>;

const isNumberType = (type: string): type is SdNumberType => Object.hasOwn(NUMBERS, type);

/** Hash of Bernstein over the UTF-8 of a name, of 64 bits. */
export function sdHash(name: string): bigint {
  let hash = 5381n;
  for (const byte of new TextEncoder().encode(name)) hash = BigInt.asUintN(64, hash * 33n + BigInt(byte));
  return hash;
}

/** An object of named values, with their names in `__debug__`. */
export function sdObject(values: Readonly<Record<string, SdValue>>): SdObject {
  const names = Object.keys(values);
  const debug: SdValue = { type: 'array', items: names.map((value) => ({ type: 'string', value })) };
  const properties = names.map((name) => ({ hash: sdHash(name), value: values[name] }));
  return { properties: [...properties, { hash: sdHash(DEBUG), value: debug }] };
}

/** The names that an object's `__debug__` lists, by their hashes. */
export function sdNames({ properties }: SdObject): ReadonlyMap<bigint, string> {
  const debug = properties.find(({ hash }) => hash === sdHash(DEBUG))?.value;
  const items = debug?.type === 'array' ? debug.items : [];
  return new Map(items.flatMap((item) => (item.type === 'string' ? [[sdHash(item.value), item.value]] : [])));
}

class Fault extends Error {
  readonly code: 'UC3601' | 'UC3614' | 'UC3633' | 'UC3644';

  constructor(code: Fault['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Null, with UC3601, UC3614, UC3633 or UC3644, for bytes that are no object. */
export function readStructuredData(bytes: Uint8Array, place: string, findings: Findings): SdObject | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const take = (size: number): number => {
    const from = at;
    if (size > bytes.length - from)
      throw new Fault('UC3601', `structured data is cut off: ${size} bytes from byte ${from} of ${bytes.length}`);
    at += size;
    return from;
  };
  const string = (): string => {
    const from = at;
    const end = bytes.indexOf(0, from);
    if (end < 0) throw new Fault('UC3601', `structured data is cut off: a string from byte ${from} on has no end`);
    at = end + 1;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(from, end));
    } catch {
      throw new Fault('UC3633', `the string at byte ${from}`);
    }
  };
  const list = <T>(depth: number, item: (depth: number) => T): T[] => {
    if (depth >= MAX_SD_DEPTH)
      throw new Fault('UC3614', `structured data nested too deep: more than ${MAX_SD_DEPTH} at byte ${at}`);
    const count = view.getUint8(take(1));
    return Array.from({ length: count }, () => item(depth + 1));
  };
  const value = (depth: number): SdValue => {
    const from = take(1);
    const code = view.getUint8(from);
    const type = SD_TYPES[code];
    if (type === undefined) throw new Fault('UC3601', `unknown type of structured data: type ${code} at byte ${from}`);
    if (isNumberType(type)) {
      const { bytes: size, get } = NUMBERS[type];
      return { type, value: view[get](take(size), true) };
    }
    switch (type) {
      case 'null':
        return { type };
      case 'bool':
        return { type, value: view.getUint8(take(1)) === 1 };
      case 'uint64':
        return { type, value: view.getBigUint64(take(8), true) };
      case 'int64':
        return { type, value: view.getBigInt64(take(8), true) };
      case 'string':
        return { type, value: string() };
      case 'array':
        return { type, items: list(depth, value) };
      case 'object':
        return { type, properties: list(depth, property) };
    }
  };
  const property = (depth: number): SdProperty => ({
    hash: view.getBigUint64(take(HASH_BYTES), true),
    value: value(depth),
  });
  try {
    const properties = list(0, property);
    if (at < bytes.length)
      throw new Fault('UC3644', `bytes behind structured data: ${bytes.length - at} bytes from byte ${at} on`);
    return { properties };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    findings.report(error.code, place, error.message);
    return null;
  }
}

/** Throws an Error, which is a bug of the caller, for what has more than 255 items, or nests deeper than is read. */
export function writeStructuredData({ properties }: SdObject): Uint8Array {
  const out: number[] = [];
  const bytesOf = (size: number, put: (view: DataView) => void): void => {
    const view = new DataView(new ArrayBuffer(size));
    put(view);
    out.push(...new Uint8Array(view.buffer));
  };
  const count = (items: readonly unknown[], depth: number): void => {
    if (items.length > MAX_SD_COUNT || depth >= MAX_SD_DEPTH)
      throw new Error(`${items.length} items at depth ${depth}`);
    out.push(items.length);
  };
  const object = (list: readonly SdProperty[], depth: number): void => {
    count(list, depth);
    for (const { hash, value: of } of list) {
      bytesOf(HASH_BYTES, (view) => view.setBigUint64(0, hash, true));
      value(of, depth + 1);
    }
  };
  const value = (of: SdValue, depth: number): void => {
    out.push(SD_TYPES.indexOf(of.type));
    switch (of.type) {
      case 'null':
        return;
      case 'bool':
        out.push(of.value ? 1 : 0);
        return;
      case 'uint64':
      case 'int64':
        bytesOf(8, (view) => view.setBigUint64(0, BigInt.asUintN(64, of.value), true));
        return;
      case 'string':
        if (of.value.includes('\0')) throw new Error('a string with a NUL');
        for (const byte of new TextEncoder().encode(of.value)) out.push(byte);
        out.push(0);
        return;
      case 'array':
        count(of.items, depth);
        for (const item of of.items) value(item, depth + 1);
        return;
      case 'object':
        object(of.properties, depth);
        return;
      default: {
        const { bytes, set } = NUMBERS[of.type];
        bytesOf(bytes, (view) => view[set](0, of.value, true));
      }
    }
  };
  object(properties, 0);
  return Uint8Array.from(out);
}
