// Specs of a text layer while it is read and afterwards: fields are decoded as they are read, so asking for one is a
// look-up.

import type { Spec, SpecType, Value, ValueTypeName } from '../layer.ts';
import { arityOf } from './valueTypes.ts';

export class TextSpec implements Spec {
  readonly path: string;
  readonly type: SpecType;
  readonly #fields = new Map<string, Value>();

  constructor(path: string, type: SpecType) {
    this.path = path;
    this.type = type;
  }

  fieldNames(): readonly string[] {
    return [...this.#fields.keys()];
  }

  has(field: string): boolean {
    return this.#fields.has(field);
  }

  get(field: string): Value | undefined {
    return this.#fields.get(field);
  }

  peek(field: string): { readonly type: ValueTypeName; readonly count: number } | null {
    const value = this.#fields.get(field);
    if (!value) return null;
    if (!value.array) return { type: value.type, count: -1 };
    return { type: value.type, count: (value.value as ArrayLike<unknown>).length / arityOf(value.type) };
  }

  set(field: string, value: Value): void {
    this.#fields.set(field, value);
  }

  /** Adds a child's name to a list of names (primChildren, properties, variantSetChildren, variantChildren). */
  addChild(field: string, name: string): void {
    const names = this.#fields.get(field);
    if (names) (names.value as string[]).push(name);
    else this.#fields.set(field, { type: 'TokenVector', array: false, value: [name] });
  }
}
