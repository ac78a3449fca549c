// The values of a crate (OpenUSD, usd/crateFile.cpp, value handlers of version 0.8): what a representation of 64 bits holds
// itself, and what stands at an offset. Equal values are stored once.

import { sha256Hex } from '../../bytes/sha256.ts';
import { halfBits } from '../untold/mesh/halfFloat.ts';
import { ByteSink } from './bytes.ts';
import { codeInt32, codeInt64 } from './integerCoding.ts';
import type { Paths, Strings, Tokens } from './tables.ts';
import { type Component, ELEMENT_LAYOUT, INDEXED_ARRAY, VALUE_TYPES, type ValueTypeName } from './valueRep.ts';
import type { LayerOffset, ListOp, Reference, TimeSamples, Value } from './values.ts';

/** The two words of a representation. */
export interface Rep {
  readonly low: number;
  readonly high: number;
}

const ARRAY = 0x8000_0000;
const INLINED = 0x4000_0000;
const COMPRESSED = 0x2000_0000;
/** Shorter arrays are never compressed. */
const MIN_COMPRESSED = 16;
/** Everything at an offset begins at a multiple of this, as arrays have to. */
const ALIGNMENT = 8;
/** The offset from a number to the representation that follows it. */
const NEXT = 8;
/** Longer values are told apart by a hash. */
const MAX_KEY_BYTES = 64;

const SPECIFIERS = ['def', 'over', 'class'];
const PERMISSIONS = ['public', 'private'];
const VARIABILITIES = ['varying', 'uniform'];

/** The lists of a list op, with the bit that says that one is stored, in stored order. */
const LISTS = [
  ['explicit', 0x02],
  ['added', 0x04],
  ['prepended', 0x20],
  ['appended', 0x40],
  ['deleted', 0x08],
  ['ordered', 0x10],
] as const;
const IS_EXPLICIT = 0x01;

const TYPE_NUMBERS: ReadonlyMap<ValueTypeName, number> = new Map(
  VALUE_TYPES.flatMap((name, number) => (name === null ? [] : [[name, number] as const])),
);

const isSame = (a: number, b: number): boolean => Object.is(a, b);
const isByte = (value: number): boolean => isSame(value, (value << 24) >> 24);

const scratch = /* @__PURE__ */ new DataView(new ArrayBuffer(4));
function floatBits(value: number): number {
  scratch.setFloat32(0, value);
  return scratch.getUint32(0);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The representation of numbers that an inlined value has bytes for; null: they stand at an offset. */
function inlinedNumbers(type: ValueTypeName, value: readonly number[]): number | null {
  if (type === 'Vec2h') return halfBits(value[0]) + halfBits(value[1]) * 0x1_0000;
  let bytes: readonly number[] = value;
  if (type.startsWith('Matrix')) {
    const size = Math.sqrt(value.length);
    bytes = Array.from({ length: size }, (_, i) => value[i * size + i]);
    if (!value.every((item, i) => i % (size + 1) === 0 || isSame(item, 0))) return null;
  } else if (!type.startsWith('Vec')) return null;
  if (!bytes.every(isByte)) return null;
  return bytes.reduce((word, item, i) => word | ((item & 0xff) << (8 * i)), 0) >>> 0;
}

function putNumber(sink: ByteSink, component: Component, value: unknown): void {
  if (component === 'f64') sink.f64(value as number);
  else if (component === 'f32') sink.f32(value as number);
  else if (component === 'f16') sink.u16(halfBits(value as number));
  else if (component === 'i64' || component === 'u64') sink.i64(value as bigint);
  else if (component === 'u8') sink.u8(Number(value));
  else sink.u32(value as number);
}

/** The words of a scalar that is always stored in its representation; null: it may stand at an offset. */
function alwaysInlined({ type, value }: Value, tokens: Tokens, strings: Strings): number | null {
  switch (type) {
    case 'Bool':
      return value ? 1 : 0;
    case 'UChar':
    case 'Int':
    case 'UInt':
      return (value as number) >>> 0;
    case 'Half':
      return halfBits(value as number);
    case 'Float':
      return floatBits(value as number);
    case 'String':
      return strings.of(value as string);
    // A single asset path is the index of a token, those of an array are indexes of strings.
    case 'Token':
    case 'AssetPath':
      return tokens.of(value as string);
    case 'Specifier':
      return SPECIFIERS.indexOf(value as string);
    case 'Permission':
      return PERMISSIONS.indexOf(value as string);
    case 'Variability':
      return VARIABILITIES.indexOf(value as string);
    case 'ValueBlock':
    case 'AnimationBlock':
      return 0;
  }
  return null;
}

/** The word of a scalar that fits into its representation; null: it does not. */
function sometimesInlined({ type, value }: Value): number | null {
  if (type === 'Int64') return value === BigInt.asIntN(32, value as bigint) ? Number(value) >>> 0 : null;
  if (type === 'UInt64') return value === BigInt.asUintN(32, value as bigint) ? Number(value) : null;
  if (type === 'Double')
    return isSame(Math.fround(value as number), value as number) ? floatBits(value as number) : null;
  if (type === 'Dictionary') return (value as ReadonlyMap<string, Value>).size === 0 ? 0 : null;
  return type.startsWith('Vec') || type.startsWith('Matrix') ? inlinedNumbers(type, value as readonly number[]) : null;
}

export class ValueWriter {
  /** The bytes of the values, in order; the first is at `start` of the file. */
  readonly parts: Uint8Array[] = [];
  size: number;
  readonly #tokens: Tokens;
  readonly #strings: Strings;
  readonly #paths: Paths;
  readonly #offsets = new Map<string, number>();

  constructor(start: number, tokens: Tokens, strings: Strings, paths: Paths) {
    this.size = start;
    this.#tokens = tokens;
    this.#strings = strings;
    this.#paths = paths;
  }

  rep(value: Value): Rep {
    const { type, array } = value;
    const number = TYPE_NUMBERS.get(type) as number;
    if (array) return this.#array(value, number);
    const always = alwaysInlined(value, this.#tokens, this.#strings);
    const low = always ?? sometimesInlined(value);
    const kind = number * 0x1_0000;
    if (low !== null) return { low, high: INLINED + kind };
    const sink = new ByteSink();
    this.#put(sink, value);
    return this.#at(kind, sink.done());
  }

  /** The representation of bytes at an offset; `high` has its flags and its type. */
  #at(high: number, bytes: Uint8Array): Rep {
    const content =
      bytes.length > MAX_KEY_BYTES ? sha256Hex(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const key = `${high} ${bytes.length} ${typeof content === 'string' ? content : content.toString('latin1')}`;
    let offset = this.#offsets.get(key);
    if (offset === undefined) {
      const padding = (ALIGNMENT - (this.size % ALIGNMENT)) % ALIGNMENT;
      if (padding > 0) this.parts.push(new Uint8Array(padding));
      offset = this.size + padding;
      this.parts.push(bytes);
      this.size = offset + bytes.length;
      this.#offsets.set(key, offset);
    }
    return { low: offset % 2 ** 32, high: high + Math.floor(offset / 2 ** 32) };
  }

  #array({ type, value }: Value, number: number): Rep {
    const { length } = value as ArrayLike<unknown>;
    const plain = ARRAY + number * 0x1_0000;
    if (length === 0) return { low: 0, high: plain };
    const sink = new ByteSink();
    const layout = ELEMENT_LAYOUT[type];
    const table = INDEXED_ARRAY[type] === 'token' ? this.#tokens : this.#strings;
    sink.u64(length / (layout?.components ?? 1));
    if (!layout) {
      sink.put(bytesOf(Uint32Array.from(value as readonly string[], (text) => table.of(text))));
      return this.#at(plain, sink.done());
    }
    const { component } = layout;
    const isInteger = component === 'i32' || component === 'u32' || component === 'i64' || component === 'u64';
    if (isInteger && layout.components === 1 && length >= MIN_COMPRESSED) {
      const isLong = component === 'i64' || component === 'u64';
      sink.packed(isLong ? codeInt64(value as BigInt64Array) : codeInt32(value as Int32Array));
      return this.#at(plain + COMPRESSED, sink.done());
    }
    if (component === 'f16') sink.put(bytesOf(Uint16Array.from(value as Float32Array, halfBits)));
    else sink.put(bytesOf(value as Float32Array));
    return this.#at(plain, sink.done());
  }

  /** A scalar at an offset. */
  #put(sink: ByteSink, { type, value }: Value): void {
    const layout = ELEMENT_LAYOUT[type];
    if (layout) {
      for (const item of layout.components === 1 ? [value] : (value as readonly number[])) {
        putNumber(sink, layout.component, item);
      }
      return;
    }
    if (type.endsWith('ListOp')) this.#listOp(sink, type, value as ListOp<unknown>);
    else if (type === 'Dictionary') this.#dictionary(sink, value as ReadonlyMap<string, Value>);
    else if (type === 'TimeSamples') this.#samples(sink, value as TimeSamples);
    else if (type === 'Value' || type === 'UnregisteredValue') this.#indirect(sink, value as Value);
    else if (type === 'Payload') this.#payload(sink, value as Reference);
    else if (type === 'PathExpression') sink.u32(this.#strings.of(value as string));
    else {
      const items = [...(value as Iterable<unknown>)];
      sink.u64(items.length);
      for (const item of items) this.#item(sink, type, item);
    }
  }

  /** An item of a vector or of a list op. */
  #item(sink: ByteSink, type: ValueTypeName, item: unknown): void {
    switch (type) {
      case 'TokenVector':
      case 'TokenListOp':
        sink.u32(this.#tokens.of(item as string));
        break;
      case 'StringVector':
      case 'StringListOp':
        sink.u32(this.#strings.of(item as string));
        break;
      case 'PathVector':
      case 'PathListOp':
        sink.u32(this.#paths.of(item as string));
        break;
      case 'DoubleVector':
        sink.f64(item as number);
        break;
      case 'IntListOp':
      case 'UIntListOp':
        sink.u32(item as number);
        break;
      case 'Int64ListOp':
      case 'UInt64ListOp':
        sink.i64(item as bigint);
        break;
      case 'LayerOffsetVector':
        sink.f64((item as LayerOffset).offset);
        sink.f64((item as LayerOffset).scale);
        break;
      case 'VariantSelectionMap':
        for (const text of item as readonly string[]) sink.u32(this.#strings.of(text));
        break;
      case 'Relocates':
        for (const path of item as readonly string[]) sink.u32(this.#paths.of(path));
        break;
      case 'PayloadListOp':
        this.#payload(sink, item as Reference);
        break;
      case 'ReferenceListOp':
        this.#payload(sink, item as Reference);
        this.#dictionary(sink, (item as Reference).customData);
        break;
      case 'UnregisteredValueListOp':
        this.#indirect(sink, item as Value);
        break;
      default:
        throw new Error(`a crate has no ${type} here`);
    }
  }

  #listOp(sink: ByteSink, type: ValueTypeName, op: ListOp<unknown>): void {
    let bits = op.isExplicit ? IS_EXPLICIT : 0;
    for (const [list, bit] of LISTS) if (op[list].length > 0) bits |= bit;
    sink.u8(bits);
    for (const [list] of LISTS) {
      if (op[list].length === 0) continue;
      sink.u64(op[list].length);
      for (const item of op[list]) this.#item(sink, type, item);
    }
  }

  #payload(sink: ByteSink, { assetPath, primPath, offset, scale }: Reference): void {
    sink.u32(this.#strings.of(assetPath));
    sink.u32(this.#paths.of(primPath));
    sink.f64(offset);
    sink.f64(scale);
  }

  #dictionary(sink: ByteSink, map: ReadonlyMap<string, Value>): void {
    sink.u64(map.size);
    for (const [key, item] of map) {
      sink.u32(this.#strings.of(key));
      this.#indirect(sink, item);
    }
  }

  #rep(sink: ByteSink, value: Value): void {
    const { low, high } = this.rep(value);
    sink.u32(low);
    sink.u32(high);
  }

  /** The offset of a representation, and the representation. */
  #indirect(sink: ByteSink, value: Value): void {
    sink.u64(NEXT);
    this.#rep(sink, value);
  }

  #samples(sink: ByteSink, samples: TimeSamples): void {
    const { times } = samples;
    this.#indirect(sink, { type: 'DoubleVector', array: false, value: times });
    sink.u64(NEXT);
    sink.u64(times.length);
    for (let i = 0; i < times.length; i++) this.#rep(sink, samples.at(i));
  }
}
