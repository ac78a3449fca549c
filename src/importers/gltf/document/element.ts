// A JSON object of the file together with its path. All properties are read through its methods, which check type and
// range, so that no other file of the importer meets an unexpected value.

import { type Code, fail } from '../../../diagnostics/diagnostic.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Text of the source in a message: quoted, and cut so that a hostile name does not fill the report. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'string') return quote(value);
  return typeof value === 'object' ? 'an object' : String(value);
}

/** Levels of lists and objects in each other that `extras` may have: what is written is checked, and checks recurse. */
const MAX_NOTE_LEVELS = 32;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((below) => isShallow(below, levels - 1));
}

export class Element {
  readonly file: string;
  /** `meshes/4/primitives/1`; '' for the root. */
  readonly path: string;
  readonly #object: JsonObject;

  constructor(file: string, path: string, object: JsonObject) {
    this.file = file;
    this.path = path;
    this.#object = object;
  }

  /** The root of a parsed text; UC1307 when it is not an object. */
  static root(file: string, value: unknown): Element {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return fail('UC1307', file, '', `the JSON is ${describe(value)}, not an object`);
    }
    return new Element(file, '', value as JsonObject);
  }

  fail(code: Code, message: string): never {
    return fail(code, this.file, this.path, message);
  }

  #get(key: string): unknown {
    return Object.hasOwn(this.#object, key) ? this.#object[key] : undefined;
  }

  #wrong(key: string, wanted: string): never {
    const value = this.#get(key);
    if (value === undefined) return this.fail('UC1307', `${key} is missing`);
    return this.fail('UC1307', `${key} is ${describe(value)}, not ${wanted}`);
  }

  has(key: string): boolean {
    return this.#get(key) !== undefined;
  }

  #path(key: string): string {
    return this.path === '' ? key : `${this.path}/${key}`;
  }

  #element(path: string, value: unknown): Element {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return fail('UC1307', this.file, path, `this is ${describe(value)}, not an object`);
    }
    return new Element(this.file, path, value as JsonObject);
  }

  /** An object of the file by its path, such as `skins/2`; for messages about it or to read it again. */
  elementAt(path: string): Element {
    let value: unknown = this.#object;
    for (const key of path.split('/')) value = (value as JsonObject | undefined)?.[key];
    return typeof value === 'object' && value !== null ? this.#element(path, value) : new Element(this.file, path, {});
  }

  child(key: string): Element | null {
    const value = this.#get(key);
    return value === undefined ? null : this.#element(this.#path(key), value);
  }

  required(key: string): Element {
    return this.child(key) ?? this.#wrong(key, 'an object');
  }

  extension(name: string): Element | null {
    const extensions = this.#get('extensions');
    if (extensions === undefined) return null;
    return this.#element(this.#path('extensions'), extensions).child(name);
  }

  /** The properties of `extras`, which hold data of applications; none when it is absent or not an object. */
  extras(): (readonly [string, unknown])[] {
    const extras = this.#get('extras');
    return typeof extras === 'object' && extras !== null && !Array.isArray(extras) ? Object.entries(extras) : [];
  }

  /** `extras` as they are; undefined: there are none, or they are nested too deep to be kept. */
  note(): unknown {
    const extras = this.#get('extras');
    return extras !== null && isShallow(extras, MAX_NOTE_LEVELS) ? extras : undefined;
  }

  #array(key: string): readonly unknown[] | null {
    const value = this.#get(key);
    if (value === undefined) return null;
    return Array.isArray(value) ? value : this.#wrong(key, 'an array');
  }

  /** Length of an array property, 0 when it is absent. */
  count(key: string): number {
    return this.#array(key)?.length ?? 0;
  }

  /** The objects of an array property; none when it is absent. */
  elements(key: string): Element[] {
    const path = this.#path(key);
    return (this.#array(key) ?? []).map((value, i) => this.#element(`${path}/${i}`, value));
  }

  /** A whole number from `min` to `max`; UC1307 when it is absent and has no fallback. */
  integer(key: string, fallback: number | null, min = 0, max = Number.MAX_SAFE_INTEGER): number {
    const value = this.#get(key);
    if (value === undefined && fallback !== null) return fallback;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
      return this.#wrong(
        key,
        max === Number.MAX_SAFE_INTEGER ? `a whole number of ${min} or more` : `${min} to ${max}`,
      );
    }
    return value;
  }

  #check(key: string, value: unknown, length: number, table: string): number {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      return this.fail('UC1307', `${key} is ${describe(value)}, not an index`);
    }
    if (value >= length) {
      return this.fail('UC1308', `${key} is ${value}, but the file has ${length} ${table}`);
    }
    return value;
  }

  /** An index into a table of `length` entries; -1 when it is absent. UC1308 when it points past the end. */
  index(key: string, length: number, table: string): number {
    const value = this.#get(key);
    return value === undefined ? -1 : this.#check(key, value, length, table);
  }

  /** A list of indices; none when it is absent. */
  indices(key: string, length: number, table: string): number[] {
    return (this.#array(key) ?? []).map((value, i) => this.#check(`${key}[${i}]`, value, length, table));
  }

  /** An object whose values are indices, such as a primitive's attributes; empty when it is absent. */
  indexMap(key: string, length: number, table: string): Map<string, number> {
    const child = this.child(key);
    return child ? child.allIndices(length, table) : new Map();
  }

  allIndices(length: number, table: string): Map<string, number> {
    const map = new Map<string, number>();
    for (const key of Object.keys(this.#object)) map.set(key, this.#check(key, this.#object[key], length, table));
    return map;
  }

  /** A finite number. */
  number(key: string, fallback: number): number {
    const value = this.#get(key);
    if (value === undefined) return fallback;
    return typeof value === 'number' && Number.isFinite(value) ? value : this.#wrong(key, 'a finite number');
  }

  /** Finite numbers, exactly `length` of them (any number for -1); null when the property is absent. */
  numbers(key: string, length: number): number[] | null {
    const array = this.#array(key);
    if (array === null) return null;
    if (length >= 0 && array.length !== length) return this.#wrong(key, `an array of ${length}`);
    for (let i = 0; i < array.length; i++) {
      const value = array[i];
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        return this.fail('UC1307', `${key}[${i}] is ${describe(value)}, not a finite number`);
      }
    }
    return array as number[];
  }

  string(key: string): string | null {
    const value = this.#get(key);
    if (value === undefined) return null;
    return typeof value === 'string' ? value : this.#wrong(key, 'a string');
  }

  strings(key: string): string[] {
    return (this.#array(key) ?? []).map((value, i) =>
      typeof value === 'string' ? value : this.fail('UC1307', `${key}[${i}] is ${describe(value)}, not a string`),
    );
  }

  boolean(key: string, fallback: boolean): boolean {
    const value = this.#get(key);
    if (value === undefined) return fallback;
    return typeof value === 'boolean' ? value : this.#wrong(key, 'true or false');
  }

  /** The name; '' when there is none or it is not a string. Nothing depends on names, so a wrong one is no error. */
  get name(): string {
    const value = this.#get('name');
    return typeof value === 'string' ? value : '';
  }
}
