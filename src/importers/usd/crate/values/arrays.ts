// Array values of crates: plain elements (views of a file in memory if the alignment allows), packed integers, coded floats,
// and arrays of token and string indexes. Typed arrays must be little-endian like the file, as on each platform that
// Node supports except s390x.

import {
  COMPONENT_BYTES,
  type Component,
  ELEMENT_LAYOUT,
  INDEXED_ARRAY,
  isCompressed,
  payloadOf,
} from '../../../../formats/usdc/valueRep.ts';
import type { IntegerFacts, ValueTypeName } from '../../layer.ts';
import { Cursor } from '../coding/cursor.ts';
import { widenHalves } from '../coding/half.ts';
import {
  isKernelCount,
  readInt32Ends,
  readInt32Facts,
  readInt32Run,
  readInt64Run,
  readUint32Run,
} from '../coding/integerCoding.ts';
import { LZ4_MAX_RATIO } from '../coding/lz4Block.ts';
import { corrupt } from '../fault.ts';
import type { CrateSource } from '../source.ts';

export type NumericArray =
  | Uint8Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** Shorter arrays are not packed, even if their compressed bit is set. */
const MIN_COMPRESSED_COUNT = 16;
/** The types whose arrays can be packed. For other types the compressed bit has no meaning. */
const PACKABLE: ReadonlySet<ValueTypeName> = new Set(['Int', 'UInt', 'Int64', 'UInt64', 'Half', 'Float', 'Double']);
/** The codes of packed float arrays: all values are integers, or values are indexes into a table of distinct values. */
const CODE_INTEGERS = 0x69;
const CODE_TABLE = 0x74;

/** The most elements of a packed array per byte: one byte has four 2-bit codes, and LZ4 gives 255 bytes from one. */
const MAX_ELEMENTS_PER_BYTE = 4 * LZ4_MAX_RATIO;

/**
 * Opens an array: a cursor at its elements and their count, which is at most what the rest of the file can hold. Null
 * for the empty array, which has no offset. Throws CrateFault.
 */
export function openArray(
  source: CrateSource,
  type: ValueTypeName,
  low: number,
  high: number,
): { readonly cursor: Cursor; readonly count: number; readonly packed: boolean } | null {
  const offset = payloadOf(low, high);
  if (offset === 0) return null;
  const { minor } = source.structure.version;
  const cursor = new Cursor(source.bytes, offset, source.bytes.size);
  // The rank, always 1.
  if (minor < 5) cursor.take(4);
  const count = minor < 7 ? cursor.u32() : cursor.u64();
  const packed = isCompressed(high) && count >= MIN_COMPRESSED_COUNT && PACKABLE.has(type);
  const layout = ELEMENT_LAYOUT[type];
  const bytesEach = layout ? COMPONENT_BYTES[layout.component] * layout.components : 4;
  const max = packed ? cursor.left * MAX_ELEMENTS_PER_BYTE : cursor.left / bytesEach;
  if (count > max) corrupt(`${count} elements declared, ${cursor.left} bytes are left`);
  return { count, cursor, packed };
}

function emptyArray(component: Component): NumericArray {
  switch (component) {
    case 'u8':
      return new Uint8Array(0);
    case 'i32':
      return new Int32Array(0);
    case 'u32':
      return new Uint32Array(0);
    case 'i64':
      return new BigInt64Array(0);
    case 'u64':
      return new BigUint64Array(0);
    case 'f64':
      return new Float64Array(0);
    default:
      return new Float32Array(0);
  }
}

/** Reads `n` plain numbers: as a view of a file in memory if the alignment allows, else as a copy. */
export function readRaw(source: CrateSource, cursor: Cursor, component: Component, n: number): NumericArray {
  const size = COMPONENT_BYTES[component];
  if (n * size > cursor.left) corrupt(`${n} numbers of ${size} bytes declared, ${cursor.left} bytes are left`);
  const from = cursor.take(n * size);
  // What is read from disk is a copy. A field may refer to the same array many times.
  if (source.bytes.buffer === null) source.budget.copy(n * size);
  const bytes = source.bytes.range(from, n * size);
  if (component === 'f16') {
    source.budget.spend(4 * n);
    return widenHalves(bytes, 0, n);
  }
  let { buffer, byteOffset } = bytes;
  if (byteOffset % size !== 0) {
    source.budget.spend(n * size);
    // Do not use slice() here: on a Buffer it gives a view of the same memory.
    buffer = new Uint8Array(bytes).buffer;
    byteOffset = 0;
  }
  switch (component) {
    case 'u8':
      return new Uint8Array(buffer, byteOffset, n);
    case 'i32':
      return new Int32Array(buffer, byteOffset, n);
    case 'u32':
      return new Uint32Array(buffer, byteOffset, n);
    case 'i64':
      return new BigInt64Array(buffer, byteOffset, n);
    case 'u64':
      return new BigUint64Array(buffer, byteOffset, n);
    case 'f32':
      return new Float32Array(buffer, byteOffset, n);
    default:
      return new Float64Array(buffer, byteOffset, n);
  }
}

/** Reads `n` floats coded as integers or as indexes into a table. Halves become 32-bit floats. */
function readCodedFloats(source: CrateSource, cursor: Cursor, component: Component, n: number): NumericArray {
  const code = cursor.u8();
  if (code === CODE_INTEGERS) {
    const integers = readInt32Run(cursor, n);
    return component === 'f64' ? new Float64Array(integers) : new Float32Array(integers);
  }
  if (code !== CODE_TABLE) return corrupt(`packed floats have the unknown code ${code}`);
  const entries = cursor.u32();
  const table = readRaw(source, cursor, component, entries) as Float32Array | Float64Array;
  const indexes = readUint32Run(cursor, n);
  const out = component === 'f64' ? new Float64Array(n) : new Float32Array(n);
  for (let i = 0; i < n; i++) {
    if (indexes[i] >= entries) corrupt(`packed float ${i} is entry ${indexes[i]} of a table of ${entries}`);
    out[i] = table[indexes[i]];
  }
  return out;
}

function readPacked(source: CrateSource, cursor: Cursor, component: Component, n: number): NumericArray {
  switch (component) {
    case 'i32':
      return readInt32Run(cursor, n);
    case 'u32':
      return readUint32Run(cursor, n);
    case 'i64':
      return readInt64Run(cursor, n);
    case 'u64':
      return new BigUint64Array(readInt64Run(cursor, n).buffer);
    default:
      return readCodedFloats(source, cursor, component, n);
  }
}

/** Converts booleans to 0 and 1: a writer may use any other byte for true. */
function readBools(raw: Uint8Array): Uint8Array {
  return raw.every((b) => b <= 1) ? raw : raw.map((b) => (b === 0 ? 0 : 1));
}

function readIndexed(source: CrateSource, cursor: Cursor, kind: 'token' | 'string', n: number): string[] {
  source.budget.spend(8 * n);
  const out = new Array<string>(n);
  for (let i = 0; i < n; i++) out[i] = kind === 'token' ? source.token(cursor.u32()) : source.string(cursor.u32());
  return out;
}

/**
 * Decodes the array of a representation with the array bit: a flat typed array of components (halves as Float32Array,
 * quaternions as i, j, k, real, matrices row-major) or an array of strings. Throws CrateFault.
 */
export function readArray(
  source: CrateSource,
  type: ValueTypeName,
  low: number,
  high: number,
): NumericArray | string[] {
  const opened = openArray(source, type, low, high);
  const indexed = INDEXED_ARRAY[type];
  if (indexed) return opened ? readIndexed(source, opened.cursor, indexed, opened.count) : [];
  const layout = ELEMENT_LAYOUT[type];
  if (!layout) return corrupt(`${type} does not come as an array`);
  const { component, components } = layout;
  if (!opened) return emptyArray(component);
  const { cursor, count, packed } = opened;
  if (packed) {
    source.budget.spend(count * Math.max(4, COMPONENT_BYTES[component]));
    return readPacked(source, cursor, component, count);
  }
  const raw = readRaw(source, cursor, component, count * components);
  return type === 'Bool' ? readBools(raw as Uint8Array) : raw;
}

/**
 * The length of a packed array of 32-bit integers, and its first and last element; null for any other array. Throws as
 * readArray does.
 */
export function readPackedEnds(
  source: CrateSource,
  type: ValueTypeName,
  low: number,
  high: number,
): { readonly count: number; readonly ends: NumericArray } | null {
  if (type !== 'Int' && type !== 'UInt') return null;
  const opened = openArray(source, type, low, high);
  if (!opened?.packed) return null;
  const { cursor, count } = opened;
  source.budget.spend(4 * count);
  const ends = readInt32Ends(cursor, count);
  return { count, ends: type === 'Int' ? ends : new Uint32Array(ends.buffer) };
}

/** Facts of a long packed array of Int; null for any other array. Throws as readArray does. */
export function readPackedFacts(
  source: CrateSource,
  type: ValueTypeName,
  low: number,
  high: number,
): IntegerFacts | null {
  if (type !== 'Int') return null;
  const opened = openArray(source, type, low, high);
  if (!opened?.packed || !isKernelCount(opened.count)) return null;
  source.budget.spend(4 * opened.count);
  return readInt32Facts(opened.cursor, opened.count);
}
