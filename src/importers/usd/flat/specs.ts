// Specs of a flattened stage: prims, attributes, connections.

import type { ValueTypeName } from '../../../formats/usdc/valueRep.ts';
import { type ListOp, SPEC_TYPE, type Value } from '../../../formats/usdc/values.ts';
import type { CrateSpec } from '../../../formats/usdc/write.ts';

export type Field = readonly [string, Value];

export const scalar = (type: ValueTypeName, value: unknown): Value => ({ type, array: false, value });
export const token = (text: string): Value => scalar('Token', text);
export const tokens = (names: readonly string[]): Value => scalar('TokenVector', names);

export function paths(list: readonly string[]): Value {
  const op: ListOp<string> = {
    isExplicit: true,
    explicit: list,
    added: [],
    prepended: [],
    appended: [],
    deleted: [],
    ordered: [],
  };
  return scalar('PathListOp', op);
}

/** Fields that every property states (Sdf, required fields). */
const REQUIRED: readonly Field[] = [
  ['custom', scalar('Bool', false)],
  ['variability', scalar('Variability', 'varying')],
];
export const withRequired = (fields: readonly Field[]): readonly Field[] => [
  ...REQUIRED.filter(([name]) => !fields.some(([own]) => own === name)),
  ...fields,
];

/** An attribute; `value` null: it says nothing. */
export const attribute = (
  path: string,
  typeName: string,
  value: Value | null,
  more: readonly Field[] = [],
): CrateSpec => ({
  path,
  type: SPEC_TYPE.attribute,
  fields: [['typeName', token(typeName)], ...withRequired(more), ...(value ? [['default', value] as const] : [])],
});

/** An attribute that takes its value from an output. */
export const connected = (path: string, typeName: string, output: string): CrateSpec =>
  attribute(path, typeName, null, [['connectionPaths', paths([output])]]);

/** A prim with the specs of its properties and the names of its children. */
export const prim = (
  path: string,
  typeName: string,
  properties: readonly CrateSpec[],
  children: readonly string[] = [],
): CrateSpec => ({
  path,
  type: SPEC_TYPE.prim,
  fields: [
    ['specifier', scalar('Specifier', 'def')],
    ['typeName', token(typeName)],
    ...(properties.length > 0
      ? [['properties', tokens(properties.map((own) => own.path.slice(path.length + 1)))] as const]
      : []),
    ...(children.length > 0 ? [['primChildren', tokens(children)] as const] : []),
  ],
});

export const UNIFORM: Field = ['variability', scalar('Variability', 'uniform')];
