// Finds prims that are composed of the same specs. A stage that references one asset a hundred times has each of its
// shapes and materials a hundred times, but the Scene needs each once.

import type { StagePrim } from './compose/stage/stage.ts';
import { textsOf } from './compose/values/values.ts';
import type { Spec } from './layer.ts';

/** Properties that the scene reads for each occurrence of a prim: transform, visibility, purpose, binding and tags. */
const OUTER = /^(?:xformOp:|xformOpOrder$|visibility$|purpose$|proxyPrim$|material:binding(?::|$)|userProperties:)/;

export class Origins {
  /** The number of each spec; 0 for a spec with outer properties only. */
  readonly #numbers = new Map<Spec, number>();
  #count = 0;

  /**
   * Equal for prims of the same type with opinions from the same specs at the same time offsets. All attributes of such
   * prims, except the outer ones, resolve alike. Inherited primvars and bindings and the targets of relationships and
   * connections can differ. Null for a prim that no arc brings in, because no other prim equals it.
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
