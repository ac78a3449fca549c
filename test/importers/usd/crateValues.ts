// Values of the crate writer: bytes with indexes into the tables of tokens, strings and paths. What a value points at is
// written before it.

import { COMPONENT_BYTES, ELEMENT_LAYOUT, VALUE_TYPES } from '../../../src/formats/usdc/valueRep.ts';
import type { ListOp, Reference, TimeSamples, Value, ValueTypeName } from '../../../src/importers/usd/layer.ts';
import { codeInt32, codeInt64, crateBlock, halfBits } from './crateCompression.ts';
import { type FieldValue, isRaw, type RawRep, scalar } from './layerSpecs.ts';

const ARRAY = 0x80000000;
const INLINED = 0x40000000;
const COMPRESSED = 0x20000000;

export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  at = 0;

  #room(n: number): number {
    if (this.at + n > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.at + n));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    const from = this.at;
    this.at += n;
    return from;
  }

  u8(v: number): void {
    this.#bytes[this.#room(1)] = v;
  }
  u16(v: number): void {
    const at = this.#room(2);
    this.#view.setUint16(at, v, true);
  }
  u32(v: number): void {
    const at = this.#room(4);
    this.#view.setUint32(at, v, true);
  }
  u64(v: number | bigint): void {
    const at = this.#room(8);
    this.#view.setBigUint64(at, BigInt.asUintN(64, BigInt(v)), true);
  }
  f32(v: number): void {
    const at = this.#room(4);
    this.#view.setFloat32(at, v, true);
  }
  f64(v: number): void {
    const at = this.#room(8);
    this.#view.setFloat64(at, v, true);
  }
  rep(rep: RawRep): void {
    this.u32(rep.low);
    this.u32(rep.high);
  }
  put(data: ArrayBufferView): void {
    const at = this.#room(data.byteLength);
    this.#bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
  }
  /** `u64 size` and a compressed block. */
  packed(data: Uint8Array): void {
    const block = crateBlock(data);
    this.u64(block.length);
    this.put(block);
  }
  ints(values: readonly number[]): void {
    this.packed(codeInt32(Int32Array.from(values)));
  }
  align(n: number): void {
    while (this.at % n !== 0) this.u8(0);
  }
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.at);
  }
}

/** Indexes in order of first appearance. */
export class Table {
  readonly items: string[];
  readonly #index = new Map<string, number>();

  constructor(...first: string[]) {
    this.items = [];
    for (const item of first) this.of(item);
  }

  of(item: string): number {
    let index = this.#index.get(item);
    if (index === undefined) {
      index = this.items.push(item) - 1;
      this.#index.set(item, index);
    }
    return index;
  }
}

const isSmall = (v: number): boolean => Number.isInteger(v) && v >= -128 && v <= 127 && !Object.is(v, -0);
const floatWord = (v: number): number => new Uint32Array(Float32Array.of(v).buffer)[0];
const bytesWord = (values: readonly number[]): number =>
  values.reduce((word, v, i) => word | ((v & 0xff) << (8 * i)), 0) >>> 0;
const LIST_BITS = { explicit: 2, added: 4, prepended: 0x20, appended: 0x40, deleted: 8, ordered: 0x10 } as const;

/** The growing file with its tables. */
export class CrateBuilder {
  readonly out = new ByteWriter();
  readonly tokens = new Table(';-)');
  readonly strings = new Table();
  readonly paths = new Table('/');
  readonly #reps = new Map<unknown, RawRep>();
  readonly #compress: boolean;

  constructor(compress: boolean) {
    this.#compress = compress;
  }

  #string(text: string): number {
    this.tokens.of(text);
    return this.strings.of(text);
  }

  /** The representation of a value; what does not fit into it is written now. Equal objects are written once. */
  rep(value: FieldValue): RawRep {
    if (isRaw(value)) return value;
    const known = this.#reps.get(value);
    if (known) return known;
    const type = VALUE_TYPES.indexOf(value.type) << 16;
    let rep: RawRep;
    if (value.array) {
      const { offset, flags } = this.#array(value);
      rep = { low: offset, high: (ARRAY | flags | type) >>> 0 };
    } else {
      const word = this.#inlined(value.type, value.value);
      rep = word === null ? { low: this.#atOffset(value), high: type } : { low: word, high: (INLINED | type) >>> 0 };
    }
    this.#reps.set(value, rep);
    return rep;
  }

  #inlined(type: ValueTypeName, v: unknown): number | null {
    const n = v as number;
    switch (type) {
      case 'Bool':
        return v ? 1 : 0;
      case 'UChar':
      case 'Int':
      case 'UInt':
        return n >>> 0;
      case 'Half':
        return halfBits(n);
      case 'Float':
        return floatWord(n);
      case 'Double':
        return Object.is(Math.fround(n), n) ? floatWord(n) : null;
      case 'Int64':
        return BigInt.asIntN(32, v as bigint) === v ? Number(BigInt.asUintN(32, v as bigint)) : null;
      case 'UInt64':
        return (v as bigint) <= 0xffffffffn ? Number(v) : null;
      case 'String':
        return this.#string(v as string);
      case 'Token':
      case 'AssetPath':
        return this.tokens.of(v as string);
      case 'Specifier':
        return ['def', 'over', 'class'].indexOf(v as string);
      case 'Permission':
        return ['public', 'private'].indexOf(v as string);
      case 'Variability':
        return ['varying', 'uniform'].indexOf(v as string);
      case 'ValueBlock':
      case 'AnimationBlock':
      case 'Spline':
        return 0;
      case 'Dictionary':
        return (v as Map<string, Value>).size === 0 ? 0 : null;
      case 'Vec2h':
        return (halfBits((v as number[])[0]) | (halfBits((v as number[])[1]) << 16)) >>> 0;
    }
    if (type.startsWith('Vec')) return (v as number[]).every(isSmall) ? bytesWord(v as number[]) : null;
    if (!type.startsWith('Matrix')) return null;
    const cells = v as number[];
    const size = Math.sqrt(cells.length);
    const diagonal = cells.filter((_, i) => i % (size + 1) === 0);
    const rest = cells.every((c, i) => i % (size + 1) === 0 || Object.is(c, 0));
    return rest && diagonal.every(isSmall) ? bytesWord(diagonal) : null;
  }

  /** Numbers of a type without header. */
  #numbers(type: ValueTypeName, values: Iterable<number | bigint>): void {
    const { component } = ELEMENT_LAYOUT[type]!;
    for (const v of values) {
      const n = Number(v);
      if (component === 'u8') this.out.u8(n);
      else if (component === 'f16') this.out.u16(halfBits(n));
      else if (component === 'f32') this.out.f32(n);
      else if (component === 'f64') this.out.f64(n);
      else if (COMPONENT_BYTES[component] === 8) this.out.u64(v);
      else this.out.u32(n >>> 0);
    }
  }

  #array({ type, value }: Value): { offset: number; flags: number } {
    const data = value as ArrayLike<number> & ArrayLike<string>;
    if (data.length === 0) return { offset: 0, flags: 0 };
    const layout = ELEMENT_LAYOUT[type];
    this.out.align(8);
    const offset = this.out.at;
    this.out.u64(data.length / (layout?.components ?? 1));
    if (!layout) {
      for (let i = 0; i < data.length; i++) {
        this.out.u32(type === 'Token' ? this.tokens.of(data[i]) : this.#string(data[i]));
      }
      return { offset, flags: 0 };
    }
    if (this.#compress && layout.components === 1 && data.length >= 16 && this.#packed(type, value)) {
      return { offset, flags: COMPRESSED };
    }
    if (layout.component === 'f16') this.#numbers(type, value as Float32Array);
    else this.out.put(value as ArrayBufferView);
    return { offset, flags: 0 };
  }

  /** Writes a packed array and says so, or writes nothing. */
  #packed(type: ValueTypeName, value: unknown): boolean {
    if (type === 'Int' || type === 'UInt') this.out.packed(codeInt32(value as Int32Array));
    else if (type === 'Int64' || type === 'UInt64') this.out.packed(codeInt64(value as BigInt64Array));
    else if (type === 'Half' || type === 'Float' || type === 'Double') {
      const data = value as Float32Array | Float64Array;
      if (data.every((v) => Object.is(v | 0, v))) {
        this.out.u8(0x69);
        this.out.packed(codeInt32(Int32Array.from(data)));
        return true;
      }
      const distinct = [...new Set(data)];
      if (distinct.length > data.length / 4 || distinct.length > 1024 || data.includes(0)) return false;
      const index = new Map(distinct.map((v, i) => [v, i]));
      this.out.u8(0x74);
      this.out.u32(distinct.length);
      this.#numbers(type, distinct);
      this.out.packed(codeInt32(Int32Array.from(data, (v) => index.get(v)!)));
    } else return false;
    return true;
  }

  #atOffset({ type, value }: Value): number {
    // What a stream points at is written before it, so that each indirection is the 8 bytes to the next word.
    if (value instanceof Map) for (const v of value.values()) if (typeof v === 'object') this.rep(v);
    if (type === 'Value' || type === 'UnregisteredValue') this.rep(value as Value);
    if (type.endsWith('ListOp')) {
      for (const key of Object.keys(LIST_BITS) as (keyof typeof LIST_BITS)[]) {
        for (const item of (value as ListOp<Reference | Value>)[key]) {
          if (type === 'UnregisteredValueListOp') this.rep(item as Value);
          if (type === 'ReferenceListOp') for (const v of (item as Reference).customData.values()) this.rep(v);
        }
      }
    }
    if (type === 'TimeSamples') return this.#timeSamples(value as TimeSamples);
    this.out.align(8);
    const offset = this.out.at;
    this.#stream(type, value);
    return offset;
  }

  #timeSamples(samples: TimeSamples): number {
    let times = this.#reps.get(samples.times);
    if (!times) {
      times = this.rep(scalar('DoubleVector', samples.times));
      this.#reps.set(samples.times, times);
    }
    const reps = Array.from(samples.times, (_, i) => this.rep(samples.at(i)));
    this.out.align(8);
    const offset = this.out.at;
    this.out.u64(8);
    this.out.rep(times);
    this.out.u64(8);
    this.out.u64(reps.length);
    for (const rep of reps) this.out.rep(rep);
    return offset;
  }

  #indirect(value: Value): void {
    this.out.u64(8);
    this.out.rep(this.rep(value));
  }

  #dictionary(entries: ReadonlyMap<string, Value>): void {
    this.out.u64(entries.size);
    for (const [key, value] of entries) {
      this.out.u32(this.#string(key));
      this.#indirect(value);
    }
  }

  #arc(item: Reference): void {
    this.out.u32(this.#string(item.assetPath));
    this.out.u32(this.paths.of(item.primPath));
    this.out.f64(item.offset);
    this.out.f64(item.scale);
  }

  #listItem(type: ValueTypeName, item: unknown): void {
    if (type === 'TokenListOp') this.out.u32(this.tokens.of(item as string));
    else if (type === 'StringListOp') this.out.u32(this.#string(item as string));
    else if (type === 'PathListOp') this.out.u32(this.paths.of(item as string));
    else if (type === 'IntListOp' || type === 'UIntListOp') this.out.u32((item as number) >>> 0);
    else if (type === 'Int64ListOp' || type === 'UInt64ListOp') this.out.u64(item as bigint);
    else if (type === 'UnregisteredValueListOp') this.#indirect(item as Value);
    else {
      this.#arc(item as Reference);
      if (type === 'ReferenceListOp') this.#dictionary((item as Reference).customData);
    }
  }

  #stream(type: ValueTypeName, value: unknown): void {
    if (type.endsWith('ListOp')) {
      const op = value as ListOp<unknown>;
      const keys = (Object.keys(LIST_BITS) as (keyof typeof LIST_BITS)[]).filter((key) => op[key].length > 0);
      this.out.u8(keys.reduce((bits, key) => bits | LIST_BITS[key], op.isExplicit ? 1 : 0));
      for (const key of keys) {
        this.out.u64(op[key].length);
        for (const item of op[key]) this.#listItem(type, item);
      }
      return;
    }
    switch (type) {
      case 'Dictionary':
        this.#dictionary(value as Map<string, Value>);
        return;
      case 'Value':
      case 'UnregisteredValue':
        this.#indirect(value as Value);
        return;
      case 'Payload':
        this.#arc(value as Reference);
        return;
      case 'PathExpression':
        this.out.u32(this.#string(value as string));
        return;
      case 'VariantSelectionMap':
      case 'Relocates': {
        const pairs = [...(value as Iterable<readonly [string, string]>)];
        const index = (text: string) => (type === 'Relocates' ? this.paths.of(text) : this.#string(text));
        this.out.u64(pairs.length);
        for (const pair of pairs) for (const text of pair) this.out.u32(index(text));
        return;
      }
      case 'LayerOffsetVector': {
        const offsets = value as readonly { offset: number; scale: number }[];
        this.out.u64(offsets.length);
        for (const { offset, scale } of offsets) this.#numbers('Double', [offset, scale]);
        return;
      }
      case 'DoubleVector':
        this.out.u64((value as Float64Array).length);
        this.out.put(value as Float64Array);
        return;
      case 'PathVector':
      case 'TokenVector':
      case 'StringVector': {
        const texts = value as readonly string[];
        this.out.u64(texts.length);
        for (const text of texts) {
          if (type === 'PathVector') this.out.u32(this.paths.of(text));
          else this.out.u32(type === 'TokenVector' ? this.tokens.of(text) : this.#string(text));
        }
        return;
      }
    }
    const numbers = typeof value === 'object' ? (value as Iterable<number>) : [value as number | bigint];
    this.#numbers(type, numbers);
  }
}
