// Specs of a text layer while it is read and afterwards: fields are decoded as they are read, so asking for one is a
// look-up. Most specs have a handful of fields: they lie in two short arrays, which a layer of a million specs can afford.

import type { Spec, SpecType, Value, ValueTypeName } from '../layer.ts';
import { arityOf } from './values/valueTypes.ts';

/** From this many fields on, a spec looks names up by hash. */
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

  /** Adds a child's name to a list of names (primChildren, properties, variantSetChildren, variantChildren). */
  addChild(field: string, name: string): void {
    const names = this.get(field);
    if (names) (names.value as string[]).push(name);
    else this.set(field, { type: 'TokenVector', array: false, value: [name] });
  }
}
