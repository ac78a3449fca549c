// Attribute specs of the layer that is made from a MaterialX document. Each material repeats all inputs of its shaders
// twice, mostly without a value. To save memory, a spec stores only what differs and makes its fields when they are
// read.

import { type ListOp, SPEC_TYPE, type Spec, type Value, type ValueTypeName } from '../layer.ts';
import { arityOf } from '../text/values/valueTypes.ts';

function scalar(type: ValueTypeName, value: unknown): Value {
  return { type, array: false, value };
}

const FALSE = scalar('Bool', false);
const VARYING = scalar('Variability', 'varying');
const UNIFORM = scalar('Variability', 'uniform');
const NONE: readonly string[] = [];

export class AttributeSpec implements Spec {
  readonly path: string;
  readonly type = SPEC_TYPE.attribute;
  readonly #typeName: Value;
  readonly #isUniform: boolean;
  #value: Value | null = null;
  #target: string | null = null;
  /** The fields renderType, colorSpace and documentation. */
  #metadata: Map<string, Value> | null = null;

  constructor(path: string, typeName: Value, isUniform: boolean) {
    this.path = path;
    this.#typeName = typeName;
    this.#isUniform = isUniform;
  }

  setValue(value: Value): void {
    this.#value = value;
  }

  setMetadata(field: string, value: Value): void {
    this.#metadata ??= new Map();
    this.#metadata.set(field, value);
  }

  /** Connects the attribute to another one, instead of a former connection. */
  connect(target: string): void {
    this.#target = target;
  }

  fieldNames(): readonly string[] {
    const names = ['custom', 'typeName', 'variability'];
    if (this.#value) names.push('default');
    if (this.#target !== null) names.push('connectionPaths');
    if (this.#metadata) names.push(...this.#metadata.keys());
    return names;
  }

  has(field: string): boolean {
    return this.get(field) !== undefined;
  }

  get(field: string): Value | undefined {
    switch (field) {
      case 'custom':
        return FALSE;
      case 'typeName':
        return this.#typeName;
      case 'variability':
        return this.#isUniform ? UNIFORM : VARYING;
      case 'default':
        return this.#value ?? undefined;
      case 'connectionPaths':
        return this.#target === null ? undefined : scalar('PathListOp', connection(this.#target));
      default:
        return this.#metadata?.get(field);
    }
  }

  peek(field: string): { readonly type: ValueTypeName; readonly count: number } | null {
    const value = this.get(field);
    if (!value) return null;
    const count = value.array ? (value.value as ArrayLike<unknown>).length / arityOf(value.type) : -1;
    return { type: value.type, count };
  }
}

function connection(target: string): ListOp<string> {
  return {
    isExplicit: true,
    explicit: [target],
    added: NONE,
    prepended: NONE,
    appended: NONE,
    deleted: NONE,
    ordered: NONE,
  };
}
