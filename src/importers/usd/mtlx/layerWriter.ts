// Writes the specs of the layer that is made from a MaterialX document, with the same fields as specs from USD text.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { type ListOp, type Reference, SPEC_TYPE, type Spec, type Value, type ValueTypeName } from '../layer.ts';
import { TextSpec } from '../text/textSpec.ts';
import { AttributeSpec } from './attributeSpec.ts';

function scalar(type: ValueTypeName, value: unknown): Value {
  return { type, array: false, value };
}

const DEF = scalar('Specifier', 'def');

export function token(text: string): Value {
  return scalar('Token', text);
}

function listOp<T>(type: ValueTypeName, list: Partial<ListOp<T>>): Value {
  const none = { isExplicit: false, explicit: [], added: [], prepended: [], appended: [], deleted: [], ordered: [] };
  return scalar(type, { ...none, ...list });
}

/**
 * The limit of characters in all paths together: this many, plus PATH_BUDGET_PER_BYTE for each byte of the documents.
 * The inputs of definitions and materials multiply. A material of 200 bytes with the 42 inputs of a standard surface
 * takes 6,000 characters.
 */
const PATH_BUDGET = 8 * 2 ** 20;
const PATH_BUDGET_PER_BYTE = 32;

export class LayerWriter {
  readonly specs = new Map<string, Spec>();
  readonly root: TextSpec;
  readonly #prims = new Map<string, TextSpec>();
  readonly #identifier: string;
  readonly #typeNames = new Map<string, Value>();
  #budget: number;

  /** `size`: the bytes of the documents from which the layer is made. */
  constructor(identifier: string, size: number) {
    this.#identifier = identifier;
    this.#budget = PATH_BUDGET + PATH_BUDGET_PER_BYTE * size;
    this.root = this.#add(new TextSpec('/', SPEC_TYPE.pseudoRoot));
  }

  #add<T extends Spec>(spec: T): T {
    this.#budget -= spec.path.length;
    if (this.#budget < 0)
      fail('UC1951', this.#identifier, '', 'the materials have too many inputs, or their names are too long');
    this.specs.set(spec.path, spec);
    return spec;
  }

  #typeName(name: string): Value {
    const known = this.#typeNames.get(name) ?? token(name);
    this.#typeNames.set(name, known);
    return known;
  }

  has(path: string): boolean {
    return this.specs.has(path);
  }

  /** Defines a prim. Its parent must be defined. If the prim exists already, it keeps its type. */
  prim(path: string, typeName: string): TextSpec {
    const known = this.#prims.get(path);
    if (known) return known;
    const slash = path.lastIndexOf('/');
    const parent = slash === 0 ? this.root : (this.#prims.get(path.slice(0, slash)) as TextSpec);
    parent.addChild('primChildren', path.slice(slash + 1));
    const spec = this.#add(new TextSpec(path, SPEC_TYPE.prim));
    this.#prims.set(path, spec);
    spec.set('specifier', DEF);
    if (typeName !== '') spec.set('typeName', this.#typeName(typeName));
    return spec;
  }

  /** Declares an attribute of a defined prim and sets its value if one is given. */
  attribute(prim: string, name: string, typeName: string, value: Value | null = null, uniform = false): AttributeSpec {
    const path = `${prim}.${name}`;
    let spec = this.specs.get(path) as AttributeSpec | undefined;
    if (!spec) {
      (this.#prims.get(prim) as TextSpec).addChild('properties', name);
      spec = this.#add(new AttributeSpec(path, this.#typeName(typeName), uniform));
    }
    if (value) spec.setValue(value);
    return spec;
  }

  /** Adds an internal reference to a prim. */
  reference(prim: TextSpec, target: string): void {
    const item: Reference = { assetPath: '', primPath: target, offset: 0, scale: 1, customData: new Map() };
    prim.set('references', listOp<Reference>('ReferenceListOp', { prepended: [item] }));
  }

  specialize(prim: TextSpec, target: string): void {
    prim.set('specializes', listOp<string>('PathListOp', { prepended: [target] }));
  }

  applySchema(prim: TextSpec, schema: string): void {
    prim.set('apiSchemas', listOp<string>('TokenListOp', { prepended: [schema] }));
  }
}
