// Values of crates other than arrays (OpenUSD, usd/crateFile.cpp): inlined scalars, scalars at an offset, list ops,
// dictionaries, arcs. Dictionaries and VALUE indirections can nest; depth and memory of nested values are limited.

import {
  describeType,
  ELEMENT_LAYOUT,
  isArray,
  isInlined,
  payloadOf,
  readability,
  typeNumber,
  VALUE_TYPES,
} from '../../../../formats/usdc/valueRep.ts';
import type { LayerOffset, ListOp, Reference, Value, ValueTypeName } from '../../layer.ts';
import { Cursor } from '../coding/cursor.ts';
import { widenHalf } from '../coding/half.ts';
import { corrupt, UnreadableValue } from '../fault.ts';
import type { CrateSource } from '../source.ts';
import { readArray, readRaw } from './arrays.ts';

/** The limit of nested dictionaries and VALUEs. Deeper nesting is taken for a value that contains itself. */
const MAX_DEPTH = 64;
/** The bytes of a field's budget that one indirection spends. So a field has at most a million indirections. */
const VALUE_COST = 512;

/** Called for each dictionary entry or time sample that is left out. `key` names it. */
export type LeftOut = (reason: UnreadableValue, key: string) => void;

/** The context of a nested value. */
interface Nesting {
  readonly depth: number;
  readonly leftOut: LeftOut;
}

const SPECIFIERS = ['def', 'over', 'class'];
const PERMISSIONS = ['public', 'private'];
/** The last one is `config`, which OpenUSD reads as uniform. */
const VARIABILITIES = ['varying', 'uniform', 'uniform'];
const NO_CUSTOM_DATA: ReadonlyMap<string, Value> = new Map();

const EXPLICIT = 0x01;
const HAS_EXPLICIT = 0x02;
const HAS_ADDED = 0x04;
const HAS_DELETED = 0x08;
const HAS_ORDERED = 0x10;
const HAS_PREPENDED = 0x20;
const HAS_APPENDED = 0x40;
const LIST_OP_BITS = 0x7f;

function pick(names: readonly string[], index: number, what: string): string {
  if (index >= names.length) corrupt(`${what} ${index} is not defined`);
  return names[index];
}

const signedByte = (word: number, i: number): number => (word << (24 - 8 * i)) >> 24;

const float32 = /* @__PURE__ */ new DataView(new ArrayBuffer(4));
function floatOfBits(bits: number): number {
  float32.setUint32(0, bits);
  return float32.getFloat32(0);
}

function inlinedMatrix(word: number, size: number): number[] {
  const matrix = new Array<number>(size * size).fill(0);
  for (let i = 0; i < size; i++) matrix[i * size + i] = signedByte(word, i);
  return matrix;
}

/**
 * A scalar that is stored in the representation itself; undefined if it is stored at an offset. `word`: low 32 bits.
 */
function inlinedScalar(source: CrateSource, type: ValueTypeName, word: number, inlined: boolean): unknown {
  switch (type) {
    case 'Bool':
      return word !== 0;
    case 'UChar':
      return word & 0xff;
    case 'Int':
      return word | 0;
    case 'UInt':
      return word;
    case 'Half':
      return widenHalf(word & 0xffff);
    case 'Float':
      return floatOfBits(word);
    case 'Vec2h':
      return [widenHalf(word & 0xffff), widenHalf(word >>> 16)];
    case 'String':
      return source.string(word);
    case 'Token':
      return source.token(word);
    // A single asset path is a token index, but arrays of asset paths hold string indexes.
    case 'AssetPath':
      return source.token(word);
    case 'Specifier':
      return pick(SPECIFIERS, word, 'specifier');
    case 'Permission':
      return pick(PERMISSIONS, word, 'permission');
    case 'Variability':
      return pick(VARIABILITIES, word, 'variability');
    case 'ValueBlock':
    case 'AnimationBlock':
    case 'Spline':
      return null;
  }
  if (!inlined) return undefined;
  switch (type) {
    case 'Int64':
      return BigInt(word | 0);
    case 'UInt64':
      return BigInt(word);
    case 'Double':
      return floatOfBits(word);
    case 'Matrix2d':
      return inlinedMatrix(word, 2);
    case 'Matrix3d':
      return inlinedMatrix(word, 3);
    case 'Matrix4d':
      return inlinedMatrix(word, 4);
    case 'Dictionary':
      return new Map<string, Value>();
  }
  // An inlined vector has one signed byte per component.
  const layout = ELEMENT_LAYOUT[type];
  if (!layout || !type.startsWith('Vec')) return corrupt(`${type} cannot be inlined`);
  return Array.from({ length: layout.components }, (_, i) => signedByte(word, i));
}

function readNumbers(source: CrateSource, cursor: Cursor, type: ValueTypeName): unknown {
  const { component, components } = ELEMENT_LAYOUT[type]!;
  const raw = readRaw(source, cursor, component, components);
  return components === 1 ? raw[0] : Array.from(raw as Float64Array);
}

/** Reads `i64 rel` and the representation `rel` bytes from there, and moves the cursor behind that representation. */
function readIndirect(source: CrateSource, cursor: Cursor, nesting: Nesting): Value {
  source.budget.spend(VALUE_COST);
  const from = cursor.at;
  const relative = cursor.i64();
  // The value's data lies between the number and the representation. A backward offset could make a loop.
  if (!(relative >= 8)) corrupt(`a value at byte ${from} points ${relative} bytes ahead`);
  cursor.at = from;
  cursor.take(relative);
  const low = cursor.u32();
  const high = cursor.u32();
  return decodeValue(source, low, high, { depth: nesting.depth + 1, leftOut: nesting.leftOut });
}

function readDictionary(source: CrateSource, cursor: Cursor, nesting: Nesting): Map<string, Value> {
  // An entry takes at least 20 bytes: 4 for the key, 8 for the offset, 8 for the representation.
  const n = cursor.count(20, 'dictionary entries');
  const dictionary = new Map<string, Value>();
  for (let i = 0; i < n; i++) {
    const key = source.string(cursor.u32());
    try {
      dictionary.set(key, readIndirect(source, cursor, nesting));
    } catch (error) {
      // The representation was read, so the cursor is at the next entry.
      if (!(error instanceof UnreadableValue)) throw error;
      nesting.leftOut(error, key);
    }
  }
  return dictionary;
}

function readReference(source: CrateSource, cursor: Cursor, nesting: Nesting): Reference {
  const assetPath = source.string(cursor.u32());
  const primPath = source.path(cursor.u32());
  const offset = cursor.f64();
  const scale = cursor.f64();
  return { assetPath, primPath, offset, scale, customData: readDictionary(source, cursor, nesting) };
}

/** Reads a payload. It has a layer offset from version 0.8 on. */
function readPayload(source: CrateSource, cursor: Cursor): Reference {
  const assetPath = source.string(cursor.u32());
  const primPath = source.path(cursor.u32());
  const withOffset = source.structure.version.minor >= 8;
  const offset = withOffset ? cursor.f64() : 0;
  const scale = withOffset ? cursor.f64() : 1;
  return { assetPath, primPath, offset, scale, customData: NO_CUSTOM_DATA };
}

function readItems<T>(source: CrateSource, cursor: Cursor, bytesEach: number, item: () => T): T[] {
  const n = cursor.count(bytesEach, 'items');
  source.budget.spend(n * Math.max(8, bytesEach));
  const items = new Array<T>(n);
  for (let i = 0; i < n; i++) items[i] = item();
  return items;
}

function readListOp<T>(source: CrateSource, cursor: Cursor, bytesEach: number, item: () => T): ListOp<T> {
  const bits = cursor.u8();
  if (bits & ~LIST_OP_BITS) corrupt(`a list op has the unknown bits ${bits}`);
  const list = (bit: number): T[] => (bits & bit ? readItems(source, cursor, bytesEach, item) : []);
  // The lists are stored in this order.
  const explicit = list(HAS_EXPLICIT);
  const added = list(HAS_ADDED);
  const prepended = list(HAS_PREPENDED);
  const appended = list(HAS_APPENDED);
  const deleted = list(HAS_DELETED);
  const ordered = list(HAS_ORDERED);
  return { isExplicit: (bits & EXPLICIT) !== 0, explicit, added, prepended, appended, deleted, ordered };
}

function readOffsetValue(source: CrateSource, type: ValueTypeName, cursor: Cursor, nesting: Nesting): unknown {
  const token = () => source.token(cursor.u32());
  const string = () => source.string(cursor.u32());
  const path = () => source.path(cursor.u32());
  switch (type) {
    case 'PathExpression':
      return string();
    case 'Dictionary':
      return readDictionary(source, cursor, nesting);
    case 'TokenListOp':
      return readListOp(source, cursor, 4, token);
    case 'StringListOp':
      return readListOp(source, cursor, 4, string);
    case 'PathListOp':
      return readListOp(source, cursor, 4, path);
    case 'ReferenceListOp':
      return readListOp(source, cursor, 32, () => readReference(source, cursor, nesting));
    case 'PayloadListOp':
      return readListOp(source, cursor, 24, () => readPayload(source, cursor));
    case 'IntListOp':
      return readListOp(source, cursor, 4, () => cursor.i32());
    case 'UIntListOp':
      return readListOp(source, cursor, 4, () => cursor.u32());
    case 'Int64ListOp':
      return readListOp(source, cursor, 8, () => cursor.bigInt64());
    case 'UInt64ListOp':
      return readListOp(source, cursor, 8, () => cursor.bigUint64());
    case 'UnregisteredValueListOp':
      return readListOp(source, cursor, 16, () => readIndirect(source, cursor, nesting));
    case 'PathVector':
      return readItems(source, cursor, 4, path);
    case 'TokenVector':
      return readItems(source, cursor, 4, token);
    case 'StringVector':
      return readItems(source, cursor, 4, string);
    case 'DoubleVector':
      return readRaw(source, cursor, 'f64', cursor.count(8, 'numbers'));
    case 'LayerOffsetVector':
      return readItems(source, cursor, 16, (): LayerOffset => ({ offset: cursor.f64(), scale: cursor.f64() }));
    case 'VariantSelectionMap':
      return new Map(readItems(source, cursor, 8, () => [string(), string()] as const));
    case 'Relocates':
      return readItems(source, cursor, 8, () => [path(), path()] as const);
    case 'Payload':
      return readPayload(source, cursor);
    case 'Value':
    case 'UnregisteredValue':
      return readIndirect(source, cursor, nesting);
    default:
      return readNumbers(source, cursor, type);
  }
}

function decodeValue(source: CrateSource, low: number, high: number, nesting: Nesting): Value {
  const readable = readability(high);
  if (readable === 'arrayEdit') throw new UnreadableValue(`${describeType(high)} array edit`, 'UC1409');
  if (readable === 'unknownType') throw new UnreadableValue(describeType(high), 'UC1407');
  const type = VALUE_TYPES[typeNumber(high)] as ValueTypeName;
  if (isArray(high)) return { type, array: true, value: readArray(source, type, low, high) };
  // Only a field can hold time samples: nested ones could contain themselves.
  if (type === 'TimeSamples') corrupt('time samples inside another value');
  const inlined = inlinedScalar(source, type, low, isInlined(high));
  if (inlined !== undefined) return { type, array: false, value: inlined };
  if (nesting.depth > MAX_DEPTH) corrupt(`values are nested more than ${MAX_DEPTH} deep`);
  const cursor = new Cursor(source.bytes, payloadOf(low, high), source.bytes.size);
  return { type, array: false, value: readOffsetValue(source, type, cursor, nesting) };
}

/**
 * Decodes the value of a representation other than time samples. Dictionary entries that cannot be read are left out
 * and passed to `leftOut`. Throws CrateFault, and UnreadableValue if the value itself cannot be read.
 */
export function readValue(source: CrateSource, low: number, high: number, leftOut: LeftOut): Value {
  source.begin();
  return decodeValue(source, low, high, { depth: 0, leftOut });
}
