// Finds shapes that can share one mesh of the Scene: shapes that arcs bring in from the same opinions, with the same
// materials and equal inherited primvars.

import { SourceError } from '../../../../diagnostics/diagnostic.ts';
import type { StageAttribute, StagePrim } from '../../compose/stage/stage.ts';
import { componentsOf, numberOf } from '../../compose/values/values.ts';
import { Origins } from '../../origins.ts';
import type { MaterialUse } from '../../shade/materials.ts';
import type { Primvar, PrimvarLookup } from './primvars.ts';

/**
 * Values of inherited primvars with at most this many elements are compared. Inherited primvars are constant and
 * usually have one element. Longer ones are equal only if they are the same primvar.
 */
const MAX_ELEMENTS = 64;

/** The number at the end of a name. Tiling rules that match names treat names alike that differ only in this number. */
const NUMBER = /[ ._-]*\d+$/;

/** The value of an attribute as text; null if it is long or cannot be read. */
function valueText(attribute: StageAttribute | null): string | null {
  const peeked = attribute?.peek();
  if (!attribute || !peeked) return '';
  if (componentsOf(peeked.type) === 0 || peeked.count > MAX_ELEMENTS) return null;
  try {
    const value = attribute.get()?.value;
    return value ? `${value.type}${value.array ? '[]' : ''} ${value.value}` : '';
  } catch (error) {
    // The error is reported when the mesh is read.
    if (!(error instanceof SourceError)) throw error;
    return null;
  }
}

export class Forms {
  readonly #origins = new Origins();
  readonly #primvars: PrimvarLookup;
  readonly #texts = new Map<Primvar, string>();
  readonly #known = new Map<object, string | null>();

  constructor(primvars: PrimvarLookup) {
    this.#primvars = primvars;
  }

  /** Equal for shapes with equal attributes of their own and of their subsets; null if no other shape can be equal. */
  of(prim: StagePrim, subsets: readonly StagePrim[]): string | null {
    if (!prim.isBroughtIn) return null;
    const { prototype } = prim;
    const known = prototype === null ? undefined : this.#known.get(prototype);
    if (known !== undefined) return known;
    const origins = [prim, ...subsets].map((part) => this.#origins.of(part));
    const form = origins.includes(null) ? null : origins.join('/');
    if (prototype !== null) this.#known.set(prototype, form);
    return form;
  }

  /**
   * Equal for shapes that can share a mesh. `form` is their form, `uses` are their materials, and `how` is text with
   * everything else that distinguishes how they are drawn. Null if `form` is null.
   */
  key(prim: StagePrim, form: string | null, uses: readonly MaterialUse[], how: string): string | null {
    if (form === null) return null;
    const names = new Set<string>();
    for (const { uvSets, colorPrimvar, opacityPrimvar } of uses) {
      for (const name of [...uvSets, colorPrimvar, opacityPrimvar]) if (name !== null) names.add(name);
    }
    let key = `${prim.name.replace(NUMBER, '')}\n${form}\n${how}`;
    for (const name of names) {
      const primvar = this.#primvars.inherited(prim, name);
      key += `\n${primvar === null ? '' : this.#text(primvar)}`;
    }
    return key;
  }

  #text(primvar: Primvar): string {
    const known = this.#texts.get(primvar);
    if (known !== undefined) return known;
    const { attribute, indices } = primvar;
    const values = [valueText(attribute), valueText(indices)];
    const rules = ['elementSize', 'unauthoredValuesIndex'].map((field) => numberOf(attribute.metadata(field)));
    const text = values.includes(null) ? `#${this.#texts.size}` : [...values, ...rules].join(' ');
    this.#texts.set(primvar, text);
    return text;
  }
}
