// Specs of the layer that a MaterialX document becomes, with the fields that USD text would give them.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { type ListOp, type Reference, SPEC_TYPE, type SpecType, type Value, type ValueTypeName } from '../layer.ts';
import { TextSpec } from '../text/textSpec.ts';

function scalar(type: ValueTypeName, value: unknown): Value {
  return { type, array: false, value };
}

const FALSE = scalar('Bool', false);
const VARYING = scalar('Variability', 'varying');
const UNIFORM = scalar('Variability', 'uniform');
const DEF = scalar('Specifier', 'def');

export function token(text: string): Value {
  return scalar('Token', text);
}

function listOp<T>(type: ValueTypeName, list: Partial<ListOp<T>>): Value {
  const none = { isExplicit: false, explicit: [], added: [], prepended: [], appended: [], deleted: [], ordered: [] };
  return scalar(type, { ...none, ...list });
}

/**
 * Characters of all paths together: inputs of definitions and materials multiply, so what they cost is bounded. A material
 * of 200 bytes with the 42 inputs of a standard surface costs 6,000.
 */
const PATH_BUDGET = 8 * 2 ** 20;
const PATH_BUDGET_PER_BYTE = 64;

export class LayerWriter {
  readonly specs = new Map<string, TextSpec>();
  readonly root: TextSpec;
  readonly #identifier: string;
  readonly #typeNames = new Map<string, Value>();
  #budget: number;

  /** `size`: bytes of the documents that the layer is made of. */
  constructor(identifier: string, size: number) {
    this.#identifier = identifier;
    this.#budget = PATH_BUDGET + PATH_BUDGET_PER_BYTE * size;
    this.root = this.#create('/', SPEC_TYPE.pseudoRoot);
  }

  #create(path: string, type: SpecType): TextSpec {
    this.#budget -= path.length;
    if (this.#budget < 0) fail('UC1951', this.#identifier, '', 'the materials have too many inputs, or too long names');
    const spec = new TextSpec(path, type);
    this.specs.set(path, spec);
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

  /** Defines the prim at a path whose parent is defined; the one that exists already keeps its type. */
  prim(path: string, typeName: string): TextSpec {
    const known = this.specs.get(path);
    if (known) return known;
    const slash = path.lastIndexOf('/');
    const parent = slash === 0 ? this.root : (this.specs.get(path.slice(0, slash)) as TextSpec);
    parent.addChild('primChildren', path.slice(slash + 1));
    const spec = this.#create(path, SPEC_TYPE.prim);
    spec.set('specifier', DEF);
    if (typeName !== '') spec.set('typeName', this.#typeName(typeName));
    return spec;
  }

  /** An attribute of a defined prim, with its value when there is one. */
  attribute(prim: string, name: string, typeName: string, value: Value | null = null, uniform = false): TextSpec {
    const path = `${prim}.${name}`;
    let spec = this.specs.get(path);
    if (!spec) {
      (this.specs.get(prim) as TextSpec).addChild('properties', name);
      spec = this.#create(path, SPEC_TYPE.attribute);
      spec.set('custom', FALSE);
      spec.set('typeName', this.#typeName(typeName));
      spec.set('variability', uniform ? UNIFORM : VARYING);
    }
    if (value) spec.set('default', value);
    return spec;
  }

  connect(attribute: TextSpec, target: string): void {
    attribute.set('connectionPaths', listOp<string>('PathListOp', { isExplicit: true, explicit: [target] }));
  }

  /** An internal reference. */
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
