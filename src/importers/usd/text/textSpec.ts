// Specs of a text layer. The reader decodes fields at once, so `get` is a look-up. Most specs have few fields, so
// fields are kept in two short arrays, which take less memory than a map for each of a million specs.

import type { Spec, SpecType, Value, ValueTypeName } from '../layer.ts';
import { arityOf } from './values/valueTypes.ts';

/** A spec with this many fields or more looks names up in a hash table. */
const HASHED_FROM = 16;

export class TextSpec implements Spec {
  readonly path: string;
  readonly type: SpecType;
  readonly #names: string[] = [];
  readonly #values: Value[] = [];
  #indices: Map<string, number> | null = null;

  constructor(path: string, type: SpecType) {
    this.path = path;
    this.type = type;
  }

  #index(field: string): number {
    return this.#indices ? (this.#indices.get(field) ?? -1) : this.#names.indexOf(field);
  }

  fieldNames(): readonly string[] {
    return this.#names;
  }

  has(field: string): boolean {
    return this.#index(field) >= 0;
  }

  get(field: string): Value | undefined {
    const index = this.#index(field);
    return index < 0 ? undefined : this.#values[index];
  }

  peek(field: string): { readonly type: ValueTypeName; readonly count: number } | null {
    const value = this.get(field);
    if (!value) return null;
    if (!value.array) return { type: value.type, count: -1 };
    return { type: value.type, count: (value.value as ArrayLike<unknown>).length / arityOf(value.type) };
  }

  set(field: string, value: Value): void {
    const known = this.#index(field);
    if (known >= 0) {
      this.#values[known] = value;
      return;
    }
    this.#indices?.set(field, this.#names.length);
    this.#names.push(field);
    this.#values.push(value);
    if (this.#names.length === HASHED_FROM) this.#indices = new Map(this.#names.map((name, i) => [name, i]));
  }

  /** Appends a name to a list field (primChildren, properties, variantSetChildren, variantChildren). */
  addChild(field: string, name: string): void {
    const names = this.get(field);
    if (names) (names.value as string[]).push(name);
    else this.set(field, { type: 'TokenVector', array: false, value: [name] });
  }
}
