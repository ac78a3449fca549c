// How a record of the container is described, and the one encoder and decoder that follow such a description. The
// descriptions are in records.ts. All numbers are little-endian.

export type Scalar = 'u8' | 'u16' | 'u32' | 'u64' | 'f32';

const SCALAR_BYTES: Readonly<Record<Scalar, number>> = { u8: 1, u16: 2, u32: 4, u64: 8, f32: 4 };

/** What a field refers to, so that the checks of references are made from the table too. */
export type Role =
  | { readonly kind: 'string' }
  | { readonly kind: 'index'; readonly chunk: number }
  | { readonly kind: 'enum'; readonly names: Readonly<Record<number, string>> }
  | { readonly kind: 'matrix' }
  /** A u16 that holds the bits of an IEEE half. */
  | { readonly kind: 'half' };

/** One field; V is `number`, or `readonly number[]` where `count` is more than 1. */
export interface Field<V> {
  readonly scalar: Scalar;
  readonly count: number;
  /** First format version that stores it. */
  readonly since: number;
  /** Its value in files of earlier versions. */
  readonly fallback: V | null;
  readonly role: Role | null;
}

type Fields = Readonly<Record<string, Field<number> | Field<readonly number[]>>>;

export interface PlacedField {
  readonly name: string;
  readonly scalar: Scalar;
  readonly count: number;
  readonly offset: number;
  readonly role: Role | null;
}

export interface Layout {
  readonly size: number;
  readonly fields: readonly PlacedField[];
  /** The values of fields that files of this version do not have yet. */
  readonly fallbacks: readonly { readonly name: string; readonly fallback: number | readonly number[] }[];
}

export interface RecordKind<F extends Fields = Fields> {
  readonly name: string;
  readonly fields: F;
  /** Layout in format versions 1 to 4, at index version - 1. */
  readonly layouts: readonly Layout[];
}

/** A record as values. */
export type RecordOf<R> =
  R extends RecordKind<infer F> ? { readonly [K in keyof F]: F[K] extends Field<infer V> ? V : never } : never;

export const MIN_VERSION = 1;
export const MAX_VERSION = 4;

function layoutOf(fields: Fields, version: number): Layout {
  const placed: PlacedField[] = [];
  let offset = 0;
  for (const [name, { scalar, count, since, role }] of Object.entries(fields)) {
    if (since > version) continue;
    placed.push({ name, scalar, count, offset, role });
    offset += SCALAR_BYTES[scalar] * count;
  }
  const fallbacks = Object.entries(fields).flatMap(([name, { since, fallback }]) =>
    since > version && fallback !== null ? [{ name, fallback }] : [],
  );
  return { size: offset, fields: placed, fallbacks };
}

export function record<const F extends Fields>(name: string, fields: F): RecordKind<F> {
  const layouts: Layout[] = [];
  for (let version = MIN_VERSION; version <= MAX_VERSION; version++) layouts.push(layoutOf(fields, version));
  return { name, fields, layouts };
}

export function layout(kind: RecordKind, version: number): Layout {
  return kind.layouts[version - 1];
}

export function recordSize(kind: RecordKind, version: number): number {
  return layout(kind, version).size;
}

export const one = (scalar: Scalar, role: Role | null = null): Field<number> => ({
  scalar,
  count: 1,
  since: 1,
  fallback: null,
  role,
});
export const many = (scalar: Scalar, count: number, role: Role | null = null): Field<readonly number[]> => ({
  scalar,
  count,
  since: 1,
  fallback: null,
  role,
});
export const added = (field: Field<number>, since: number, fallback: number): Field<number> => ({
  ...field,
  since,
  fallback,
});

/** False for the bits of an infinite or NaN IEEE half. */
export function isHalfFinite(bits: number): boolean {
  return (bits & 0x7c00) !== 0x7c00;
}

/** One scalar; a u64 comes as a number, exact up to 2^53, which no file reaches. */
export function readScalar(view: DataView, at: number, scalar: Scalar): number {
  switch (scalar) {
    case 'u8':
      return view.getUint8(at);
    case 'u16':
      return view.getUint16(at, true);
    case 'u32':
      return view.getUint32(at, true);
    case 'u64':
      return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    case 'f32':
      return view.getFloat32(at, true);
  }
}

/** Reads one record at `at`; fields that came later than `version` get their fallback. */
export function decodeRecord<R extends RecordKind>(kind: R, version: number, view: DataView, at: number): RecordOf<R> {
  const values: Record<string, number | readonly number[]> = {};
  const { fields, fallbacks } = layout(kind, version);
  for (const { name, scalar, count, offset } of fields) {
    const from = at + offset;
    if (count === 1) {
      values[name] = readScalar(view, from, scalar);
    } else {
      const list: number[] = [];
      for (let i = 0; i < count; i++) list.push(readScalar(view, from + i * SCALAR_BYTES[scalar], scalar));
      values[name] = list;
    }
  }
  for (const { name, fallback } of fallbacks) values[name] = fallback;
  return values as RecordOf<R>;
}

function writeScalar(view: DataView, at: number, scalar: Scalar, value: number): void {
  switch (scalar) {
    case 'u8':
      view.setUint8(at, value);
      break;
    case 'u16':
      view.setUint16(at, value, true);
      break;
    case 'u32':
      view.setUint32(at, value, true);
      break;
    case 'u64':
      view.setUint32(at, value % 2 ** 32, true);
      view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
      break;
    case 'f32':
      view.setFloat32(at, value, true);
      break;
  }
}

/** Writes one record at `at`; fields that came later than `version` are left out. */
export function encodeRecord<R extends RecordKind>(
  kind: R,
  version: number,
  values: RecordOf<R>,
  view: DataView,
  at: number,
): void {
  const given = values as Readonly<Record<string, number | ArrayLike<number>>>;
  for (const { name, scalar, count, offset } of layout(kind, version).fields) {
    const value = given[name];
    const from = at + offset;
    if (typeof value === 'number') writeScalar(view, from, scalar, value);
    else for (let i = 0; i < count; i++) writeScalar(view, from + i * SCALAR_BYTES[scalar], scalar, value[i]);
  }
}
