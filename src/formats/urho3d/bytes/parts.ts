// How the records of Urho3D's files are described: fields in order, lists behind their counts, and rows of numbers as one
// typed array a column. One description gives reader and writer.

import type { Code } from '../../../diagnostics/diagnostic.ts';
import type { Cursor } from './cursor.ts';
import type { Sink } from './sink.ts';

/** Fields of the same record that come before. */
export type Before = Readonly<Record<string, unknown>>;

/** How a value is read and written. */
export interface Coding<T> {
  /** The fewest bytes that a value takes. */
  readonly min: number;
  /** `place` names the element for messages: `bones/3/parent`. Throws a SourceError. */
  read(from: Cursor, place: string, before: Before): T;
  write(to: Sink, value: T, before: Before): void;
}

export type ValueOf<P> = P extends Coding<infer T> ? T : never;

export const u8: Coding<number> = {
  min: 1,
  read: (from, place) => from.u8(place),
  write: (to, value) => to.u8(value),
};
export const u16: Coding<number> = {
  min: 2,
  read: (from, place) => from.u16(place),
  write: (to, value) => to.u16(value),
};
export const u32: Coding<number> = {
  min: 4,
  read: (from, place) => from.u32(place),
  write: (to, value) => to.u32(value),
};
export const f32: Coding<number> = {
  min: 4,
  read: (from, place) => from.f32(place),
  write: (to, value) => to.f32(value),
};
/** Bytes up to and including a byte 0. */
export const text: Coding<string> = {
  min: 1,
  read: (from, place) => from.text(place),
  write: (to, value) => to.text(value),
};

export function floats(count: number): Coding<readonly number[]> {
  return {
    min: 4 * count,
    read: (from, place) => Array.from({ length: count }, () => from.f32(place)),
    write: (to, value) => {
      for (let i = 0; i < count; i++) to.f32(value[i]);
    },
  };
}

/** A field that is there only for some values of the fields before it; else null. */
export function when<T>(isThere: (before: Before) => boolean, part: Coding<T>): Coding<T | null> {
  return {
    min: 0,
    read: (from, place, before) => (isThere(before) ? part.read(from, place, before) : null),
    write: (to, value, before) => {
      if (isThere(before) !== (value !== null)) throw new Error('a field does not fit those before it');
      if (value !== null) part.write(to, value, before);
    },
  };
}

/** A part whose value is checked as soon as it is read. */
export function checked<T>(part: Coding<T>, check: (value: T, from: Cursor, place: string, before: Before) => void) {
  return {
    ...part,
    read: (from: Cursor, place: string, before: Before) => {
      const value = part.read(from, place, before);
      check(value, from, place, before);
      return value;
    },
  };
}

/** Fields in the order in which they are stored. */
export function record<const F extends Readonly<Record<string, Coding<unknown>>>>(
  fields: F,
): Coding<{ readonly [K in keyof F]: ValueOf<F[K]> }> {
  type Value = { readonly [K in keyof F]: ValueOf<F[K]> };
  const entries = Object.entries(fields);
  return {
    min: entries.reduce((sum, [, part]) => sum + part.min, 0),
    read: (from, place) => {
      const values: Record<string, unknown> = {};
      const prefix = place === '' ? '' : `${place}/`;
      for (const [name, part] of entries) values[name] = part.read(from, prefix + name, values);
      return values as Value;
    },
    write: (to, value) => {
      for (const [name, part] of entries) part.write(to, value[name], value);
    },
  };
}

/** u32 count, then so many values. */
export function list<T>(part: Coding<T>): Coding<readonly T[]> {
  return {
    min: 4,
    read: (from, place, before) => {
      const count = from.count(part.min, place);
      const values: T[] = [];
      for (let i = 0; i < count; i++) values.push(part.read(from, `${place}/${i}`, before));
      return values;
    },
    write: (to, values, before) => {
      to.u32(values.length);
      for (const value of values) part.write(to, value, before);
    },
  };
}

/** As many values as an earlier field says. */
export function repeated<T>(counter: string, part: Coding<T>): Coding<readonly T[]> {
  return {
    min: 0,
    read: (from, place, before) => {
      const count = before[counter] as number;
      from.requireRoom(count, part.min, place);
      return Array.from({ length: count }, (_, i) => part.read(from, `${place}/${i}`, before));
    },
    write: (to, values, before) => {
      if (before[counter] !== values.length) throw new Error(`${counter} is not the number of values`);
      for (const value of values) part.write(to, value, before);
    },
  };
}

/** u32 count, then so many u32. */
export const u32s: Coding<Uint32Array> = {
  min: 4,
  read: (from, place) => {
    const count = from.count(4, place);
    return new Uint32Array(from.copy(4 * count, place).buffer);
  },
  write: (to, values) => {
    to.u32(values.length);
    for (const value of values) to.u32(value);
  },
};

/** u32 count, then so many bytes, as a view of the file. */
export const blob: Coding<Uint8Array> = {
  min: 4,
  read: (from, place) => from.bytes(from.count(1, place), place),
  write: (to, value) => {
    to.u32(value.length);
    to.bytes(value);
  },
};

/** Numbers that every row has before its columns. */
interface Lead<L extends string> {
  readonly name: L;
  readonly scalar: 'u32' | 'f32';
}

/** Floats that a row has if the mask has the bit. */
interface Column {
  readonly bit: number;
  readonly count: number;
}

export type Rows<L extends string, C extends string> = { readonly [K in L]: Uint32Array | Float32Array } & {
  readonly [K in C]: Float32Array | null;
};

/**
 * A mask of columns, u32 count, then rows: the lead and the columns of the mask. Each column is one array with all its
 * rows, or null if the mask lacks it. Throws `unknownBits` for a mask with bits of no column.
 */
export function rows<L extends string, C extends string>(
  mask: Coding<number>,
  unknownBits: Code,
  lead: Lead<L>,
  columns: Readonly<Record<C, Column>>,
): Coding<Rows<L, C>> {
  const entries = Object.entries<Column>(columns);
  const known = entries.reduce((bits, [, { bit }]) => bits | bit, 0);
  return {
    min: mask.min + 4,
    read: (from, place, before) => {
      const at = from.at;
      const bits = mask.read(from, place, before);
      if ((bits & ~known) !== 0) from.fail(unknownBits, place, `mask ${bits}, of which ${known} is known`, at);
      const there = entries.filter(([, { bit }]) => (bits & bit) !== 0);
      const count = from.count(4 + there.reduce((sum, [, column]) => sum + 4 * column.count, 0), place);
      const first = lead.scalar === 'u32' ? new Uint32Array(count) : new Float32Array(count);
      const arrays = there.map(([name, column]) => ({
        name,
        ...column,
        values: new Float32Array(count * column.count),
      }));
      for (let row = 0; row < count; row++) {
        first[row] = from[lead.scalar](place);
        for (const { count: width, values } of arrays) {
          for (let i = 0; i < width; i++) values[row * width + i] = from.f32(place);
        }
      }
      const values: Record<string, unknown> = { [lead.name]: first };
      for (const [name] of entries) values[name] = null;
      for (const array of arrays) values[array.name] = array.values;
      return values as Rows<L, C>;
    },
    write: (to, value, before) => {
      const given = value as Readonly<Record<string, Float32Array | Uint32Array | null>>;
      const first = given[lead.name]!;
      const there = entries.filter(([name]) => given[name] !== null);
      mask.write(
        to,
        there.reduce((bits, [, { bit }]) => bits | bit, 0),
        before,
      );
      to.u32(first.length);
      for (const [name, { count }] of there) {
        if (given[name]!.length !== count * first.length) throw new Error(`${name} has another number of rows`);
      }
      for (let row = 0; row < first.length; row++) {
        to[lead.scalar](first[row]);
        for (const [name, { count }] of there) {
          for (let i = 0; i < count; i++) to.f32(given[name]![row * count + i]);
        }
      }
    },
  };
}
