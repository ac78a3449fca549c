// The inputs of a light (UsdLuxLightAPI and related schemas). An input is looked up by its current name
// `inputs:intensity` first and by its name before OpenUSD 21.02, `intensity`, second. A value that cannot be used is
// reported and replaced by the fallback of the schema.

import type { Vec3 } from '../../../scene/types.ts';
import type { StageAttribute, StagePrim } from '../compose/stage/stage.ts';
import { booleanOf, listOpOf, numberOf, textOf, tupleOf } from '../compose/values/values.ts';
import type { Value } from '../layer.ts';
import type { Notes } from '../notes.ts';

/** The names of the API schemas that a prim applies, from all lists of the list op except the deleted ones. */
export function appliedSchemas(prim: StagePrim): ReadonlySet<string> {
  const listOp = listOpOf<string>(prim.metadata('apiSchemas'));
  if (!listOp) return new Set();
  return new Set([...listOp.explicit, ...listOp.added, ...listOp.prepended, ...listOp.appended]);
}

export class LightInputs {
  readonly #prim: StagePrim;
  readonly #notes: Notes;

  constructor(prim: StagePrim, notes: Notes) {
    this.#prim = prim;
    this.#notes = notes;
  }

  attribute(name: string): StageAttribute | null {
    const today = this.#prim.attribute(`inputs:${name}`);
    return today?.peek() ? today : (this.#prim.attribute(name) ?? today);
  }

  #value(name: string): Value | undefined {
    return this.attribute(name)?.get()?.value;
  }

  /** A finite number. A smaller number than `min` is replaced by `min`. */
  number(name: string, fallback: number, min = -Infinity): number {
    const value = this.#value(name);
    if (value === undefined) return fallback;
    const number = numberOf(value);
    const sound = number !== null && Number.isFinite(number);
    if (sound && number >= min) return number;
    const used = sound ? min : fallback;
    this.#notes.report('UC1852', this.#prim.path, `${name} is ${number ?? `of type ${value.type}`}: ${used} is used`);
    return used;
  }

  boolean(name: string, fallback: boolean): boolean {
    return booleanOf(this.#value(name)) ?? fallback;
  }

  text(name: string): string {
    return textOf(this.#value(name)) ?? '';
  }

  /** A colour without negative components. */
  color(name: string, fallback: Vec3): Vec3 {
    const value = this.#value(name);
    if (value === undefined) return fallback;
    const rgb = tupleOf(value, 3);
    if (rgb?.every((c) => Number.isFinite(c) && c >= 0)) return [rgb[0], rgb[1], rgb[2]];
    const what = rgb ? `(${rgb.join(', ')})` : `of type ${value.type}`;
    this.#notes.report('UC1852', this.#prim.path, `${name} is ${what}: (${fallback.join(', ')}) is used`);
    return fallback;
  }
}
