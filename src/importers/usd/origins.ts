// Which prims say the same: those that arcs compose of the same specs. A stage that brings one asset in a hundred times has
// each of its shapes and materials a hundred times, and needs them once.

import type { StagePrim } from './compose/stage/stage.ts';
import { textsOf } from './compose/values/values.ts';
import type { Spec } from './layer.ts';

/** Properties that place, show, bind or tag a prim: read where it stands, and no part of what it is. */
const OUTER = /^(?:xformOp:|xformOpOrder$|visibility$|purpose$|proxyPrim$|material:binding(?::|$)|userProperties:)/;

export class Origins {
  /** By spec, its number; 0: says nothing but what is outer. */
  readonly #numbers = new Map<Spec, number>();
  #count = 0;

  /**
   * Equal for prims of one type that have their opinions from the same specs, at the same time offsets: every attribute
   * but the outer ones resolves alike. Neither inherited primvars and bindings nor where relationships and connections
   * lead are part of it. null for a prim that no arc brings in: there is no other like it.
   */
  of(prim: StagePrim): string | null {
    if (!prim.isBroughtIn) return null;
    let key = prim.typeName;
    for (const { spec, offset } of prim.opinions) {
      const number = this.#number(spec);
      if (number === 0) continue;
      key += ` ${number}`;
      if (offset.offset !== 0 || offset.scale !== 1) key += `@${offset.offset}*${offset.scale}`;
    }
    return key;
  }

  #number(spec: Spec): number {
    const known = this.#numbers.get(spec);
    if (known !== undefined) return known;
    const isOuter = (textsOf(spec.get('properties')) ?? []).every((name) => OUTER.test(name));
    const number = isOuter ? 0 : ++this.#count;
    this.#numbers.set(spec, number);
    return number;
  }
}
