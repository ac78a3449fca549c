// The record tables of an unpacked container, and the checks that follow from the table of records alone: sizes,
// numbers, matrices, enums, references, strings. Records become values one at a time, on demand: a small file can
// declare millions of them.

import type { Findings } from '../../findings.ts';
import { NONE } from '../types.ts';
import { type Container, entryOf, HEADER_COUNTS, tableKinds } from './container.ts';
import {
  decodeRecord,
  isHalfFinite,
  layout,
  MIN_VERSION,
  type PlacedField,
  type RecordKind,
  type RecordOf,
  readScalar,
} from './layout.ts';
import { CHUNK, chunkName, HEADER } from './records.ts';

export class Table<R extends RecordKind = RecordKind> {
  readonly kind: R;
  /** Whole records whose bytes the chunk holds. */
  readonly length: number;
  readonly view: DataView;
  readonly #version: number;
  readonly #size: number;

  constructor(kind: R, version: number, payload: Uint8Array, count: number) {
    this.kind = kind;
    this.#version = version;
    this.#size = layout(kind, version).size;
    this.length = Math.min(count, Math.floor(payload.length / this.#size));
    this.view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  }

  get(index: number): RecordOf<R> {
    return decodeRecord(this.kind, this.#version, this.view, index * this.#size);
  }

  /** One value for each record, for the first `limit` of them. */
  map<T>(make: (record: RecordOf<R>, index: number) => T, limit = Infinity): T[] {
    const list: T[] = [];
    for (let i = 0; i < Math.min(this.length, limit); i++) list.push(make(this.get(i), i));
    return list;
  }

  /** A reader of one field, for going over many records without making them. */
  column(name: keyof R['fields'] & string): (index: number) => number {
    const field = layout(this.kind, this.#version).fields.find((f) => f.name === name);
    if (!field) throw new Error(`no field ${name} in ${this.kind.name}`);
    const { offset, scalar } = field;
    return (index) => readScalar(this.view, index * this.#size + offset, scalar);
  }

  get recordSize(): number {
    return this.#size;
  }

  get fields(): readonly PlacedField[] {
    return layout(this.kind, this.#version).fields;
  }
}

const NO_BYTES = new Uint8Array(0);

/** Resolves string offsets; remembers what it has resolved. */
export class Strings {
  readonly #bytes: Uint8Array;
  readonly #known = new Map<number, string | null>();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** Bytes of strings that may still be read. Strings may share tails, so that many offsets into one huge string would be slow. */
  #left: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#left = bytes.length * 2 + 2 ** 20;
  }

  /** The string, '' for none or a broken one. */
  at(offset: number): string {
    return this.#known.get(offset) ?? '';
  }

  /** Resolves an offset once; a broken one is reported with `path` as the element that uses it. */
  check(offset: number, path: () => string, findings: Findings): void {
    if (offset === NONE || this.#known.has(offset)) return;
    this.#known.set(offset, null);
    if (offset >= this.#bytes.length) {
      findings.report(
        'UC3034',
        path(),
        `string offset outside the string table: offset ${offset}, the table has ${this.#bytes.length} bytes`,
      );
      return;
    }
    if (this.#left <= 0) {
      if (!findings.has('UC3037')) findings.report('UC3037', path(), 'strings overlap far too often');
      return;
    }
    const window = this.#bytes.subarray(offset, offset + this.#left);
    const length = window.indexOf(0);
    this.#left -= length < 0 ? window.length : length + 1;
    if (length < 0) {
      if (offset + window.length < this.#bytes.length)
        findings.report('UC3037', path(), 'strings overlap far too often');
      else findings.report('UC3034', path(), `string not terminated: the string at ${offset} has no end`);
      return;
    }
    try {
      this.#known.set(offset, this.#decoder.decode(window.subarray(0, length)));
    } catch {
      findings.report('UC3036', path(), `the string at ${offset}`);
    }
  }
}

/** A container with its tables opened. */
export interface Tables {
  readonly container: Container;
  readonly version: number;
  readonly strings: Strings;
  /** By chunk type; empty tables for chunks that are absent or broken. */
  table<R extends RecordKind>(kind: R, type: number): Table<R>;
  payload(type: number): Uint8Array;
}

export function openTables(container: Container): Tables {
  const version = container.header.formatVersion;
  const open = new Map<number, Table>();
  return {
    container,
    version,
    strings: new Strings(container.payloads.get(CHUNK.string) ?? NO_BYTES),
    table<R extends RecordKind>(kind: R, type: number): Table<R> {
      let table = open.get(type);
      if (!table) {
        const payload = container.payloads.get(type) ?? NO_BYTES;
        table = new Table(kind as RecordKind, version, payload, entryOf(container, type)?.elementCount ?? 0);
        open.set(type, table);
      }
      return table as unknown as Table<R>;
    },
    payload: (type) => container.payloads.get(type) ?? NO_BYTES,
  };
}

/** `entity/4` for the fifth record of a table. */
export function recordPath(type: number, index: number): string {
  return `${chunkName(type)}/${index}`;
}

/** Checks the fields of one record after the other. */
class FieldChecks {
  readonly #tables: Tables;
  readonly #findings: Findings;
  readonly #lengths = new Map<number, number>();
  /** The record that is checked: its chunk type (-1 for the header) and index. */
  #type = -1;
  #index = 0;

  constructor(tables: Tables, findings: Findings) {
    this.#tables = tables;
    this.#findings = findings;
    for (const { type, record } of tableKinds(tables.version)) {
      this.#lengths.set(type, tables.table(record, type).length);
    }
  }

  #path(): string {
    return this.#type < 0 ? 'header' : recordPath(this.#type, this.#index);
  }

  header(view: DataView): void {
    this.#type = -1;
    for (const field of layout(HEADER, MIN_VERSION).fields) this.#field(view, 0, field);
  }

  records(table: Table, type: number): void {
    this.#type = type;
    const fields = table.fields.filter((f) => f.scalar === 'f32' || f.role !== null);
    for (let i = 0; i < table.length; i++) {
      this.#index = i;
      for (const field of fields) this.#field(table.view, i * table.recordSize, field);
    }
  }

  #field(view: DataView, at: number, { role, scalar, count, offset, name }: PlacedField): void {
    const from = at + offset;
    if (scalar === 'f32') {
      this.#floats(view, from, count, name);
      if (role?.kind === 'matrix') this.#lastRow(view, from);
      return;
    }
    if (role === null || role.kind === 'matrix') return;
    if (role.kind === 'half') {
      for (let i = 0; i < count; i++) {
        if (isHalfFinite(view.getUint16(from + i * 2, true))) continue;
        this.#findings.report('UC3044', this.#path(), `${name} is not finite`);
        return;
      }
      return;
    }
    const value = view.getUint32(from, true);
    if (role.kind === 'string') {
      this.#tables.strings.check(value, () => this.#path(), this.#findings);
    } else if (role.kind === 'enum') {
      if (!(value in role.names)) this.#findings.report('UC3003', this.#path(), `${name} ${value}`);
    } else if (value !== NONE) {
      const length = this.#lengths.get(role.chunk) ?? 0;
      if (value < length) return;
      this.#findings.report('UC3034', this.#path(), `${name} ${value}, the table has ${length}`);
    }
  }

  #floats(view: DataView, from: number, count: number, name: string): void {
    for (let i = 0; i < count; i++) {
      const value = view.getFloat32(from + i * 4, true);
      if (Number.isFinite(value)) continue;
      this.#findings.report('UC3044', this.#path(), `${name} is ${value}`);
      return;
    }
  }

  /** Column-major: the last row is the fourth value of each column. A NaN in it is reported as such, not here. */
  #lastRow(view: DataView, from: number): void {
    const x = view.getFloat32(from + 12, true);
    const y = view.getFloat32(from + 28, true);
    const z = view.getFloat32(from + 44, true);
    const w = view.getFloat32(from + 60, true);
    if ((x === 0 && y === 0 && z === 0 && w === 1) || !Number.isFinite(x + y + z + w)) return;
    this.#findings.report('UC3003', this.#path(), `last row of a matrix is not 0 0 0 1: last row ${x} ${y} ${z} ${w}`);
  }
}

/** Sizes, single records, header counts, and every field of every record. */
export function checkTables(tables: Tables, findings: Findings): void {
  const { container, version } = tables;
  for (const { field, type } of HEADER_COUNTS) {
    const entry = entryOf(container, type);
    const stated = container.header[field] as number;
    if ((entry?.elementCount ?? 0) !== stated) {
      findings.report(
        'UC3006',
        'header',
        `header count differs from its table: ${field} ${stated}, the table has ${entry?.elementCount ?? 0}`,
      );
    }
  }
  const checks = new FieldChecks(tables, findings);
  const { bytes } = container;
  checks.header(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
  for (const { type, name, record, size, single } of tableKinds(version)) {
    const entry = entryOf(container, type);
    if (!entry) continue;
    if (single && entry.elementCount > 1) {
      findings.report(
        'UC3009',
        `chunk ${name}`,
        `more than one record where one is allowed: ${entry.elementCount} records`,
      );
    }
    const payload = container.payloads.get(type);
    if (!payload) {
      if (entry.uncompressedSize === 0 && entry.elementCount > 0) {
        findings.report(
          'UC3009',
          `chunk ${name}`,
          `table size is not a whole number of its records: ${entry.elementCount} records in 0 bytes`,
        );
      }
      continue;
    }
    if (payload.length !== entry.elementCount * size) {
      findings.report(
        'UC3009',
        `chunk ${name}`,
        `table size is not a whole number of its records: ${payload.length} bytes, ${entry.elementCount} records of ${size} bytes are ${entry.elementCount * size}`,
      );
    }
    checks.records(tables.table(record, type), type);
  }
}
