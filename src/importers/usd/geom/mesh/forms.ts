// Which shapes are the same drawable wherever they stand: what arcs bring in from the same opinions, drawn with the same
// materials, below ancestors that give it equal primvars. They share one mesh of the Scene.

import { SourceError } from '../../../../diagnostics/diagnostic.ts';
import type { StageAttribute, StagePrim } from '../../compose/stage/stage.ts';
import { componentsOf, numberOf } from '../../compose/values/values.ts';
import { Origins } from '../../origins.ts';
import type { MaterialUse } from '../../shade/materials.ts';
import type { Primvar, PrimvarLookup } from './primvars.ts';

/** Inherited primvars are constant, of one element as a rule; of longer ones only the very same is equal. */
const MOST_ELEMENTS = 64;

/** Names that differ in their number only say the same to whoever plans by names. */
const NUMBER = /[ ._-]*\d+$/;

/** The value of an attribute as text; null for one that is long or cannot be read. */
function valueText(attribute: StageAttribute | null): string | null {
  const peeked = attribute?.peek();
  if (!attribute || !peeked) return '';
  if (componentsOf(peeked.type) === 0 || peeked.count > MOST_ELEMENTS) return null;
  try {
    const value = attribute.get()?.value;
    return value ? `${value.type}${value.array ? '[]' : ''} ${value.value}` : '';
  } catch (error) {
    // Said when the mesh is read.
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

  /** Equal for shapes whose own attributes, and those of `subsets`, are the same; null: there is no other like it. */
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
   * Equal for shapes of one form that are drawn alike: `uses` are their materials, of which `how` says what else sets them
   * apart. null when `form` is.
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
