// Specs and values of a USD layer as plain data, for the crate writer: `{ '/Root': prim('Xform'), '/Root.size':
// attribute('double', double(2)) }`. Values have the layer contract's own shape.

import type { ListOp, Reference, Value, ValueTypeName } from '../../../src/importers/usd/layer.ts';

/** A representation as it shall stand in the file, for broken and newer crates. */
export interface RawRep {
  readonly low: number;
  readonly high: number;
}

export type FieldValue = Value | RawRep;
export type Fields = Readonly<Record<string, FieldValue>>;
/** Fields by spec path. */
export type LayerSpecs = Readonly<Record<string, Fields>>;

export const isRaw = (value: FieldValue): value is RawRep => 'low' in value;
export const raw = (high: number, low: number): RawRep => ({ low: low >>> 0, high: high >>> 0 });

/** A scalar of any type. */
export const scalar = (type: ValueTypeName, value: unknown): Value => ({ type, array: false, value });
/** An array of any type: flat typed array of the components (halves as Float32Array) or strings. */
export const array = (type: ValueTypeName, value: ArrayBufferView | readonly string[]): Value => ({
  type,
  array: true,
  value,
});

export const token = (value: string): Value => scalar('Token', value);
export const string = (value: string): Value => scalar('String', value);
export const asset = (value: string): Value => scalar('AssetPath', value);
export const bool = (value: boolean): Value => scalar('Bool', value);
export const int = (value: number): Value => scalar('Int', value);
export const float = (value: number): Value => scalar('Float', Math.fround(value));
export const double = (value: number): Value => scalar('Double', value);
export const double3 = (x: number, y: number, z: number): Value => scalar('Vec3d', [x, y, z]);
export const float3 = (x: number, y: number, z: number): Value => scalar('Vec3f', [x, y, z].map(Math.fround));
export const color = float3;
export const block: Value = scalar('ValueBlock', null);

export const tokens = (...values: string[]): Value => array('Token', values);
export const tokenVector = (...values: string[]): Value => scalar('TokenVector', values);
export const ints = (values: Iterable<number>): Value => array('Int', Int32Array.from(values));
/** Arrays of 2- and 3-vectors from flat components. */
export const float2s = (flat: Iterable<number>): Value => array('Vec2f', Float32Array.from(flat));
export const float3s = (flat: Iterable<number>): Value => array('Vec3f', Float32Array.from(flat));

export const dictionary = (entries: Readonly<Record<string, Value>>): Value =>
  scalar('Dictionary', new Map(Object.entries(entries)));

/** Samples in ascending order of time. */
export const timeSamples = (samples: readonly (readonly [time: number, value: Value])[]): Value =>
  scalar('TimeSamples', { times: Float64Array.from(samples, ([t]) => t), at: (i: number) => samples[i][1] });

/** A list op; explicit when `explicit` is given. */
export function listOp<T>(type: ValueTypeName, lists: Partial<Omit<ListOp<T>, 'isExplicit'>>): Value {
  const none = { explicit: [], added: [], prepended: [], appended: [], deleted: [], ordered: [] };
  return scalar(type, { ...none, ...lists, isExplicit: lists.explicit !== undefined } satisfies ListOp<T>);
}

export const reference = (assetPath: string, primPath = '', offset = 0, scale = 1): Reference => ({
  assetPath,
  primPath,
  offset,
  scale,
  customData: new Map(),
});

/** Fields of a `def`. */
export const prim = (typeName = '', fields: Fields = {}): Fields => ({
  specifier: scalar('Specifier', 'def'),
  ...(typeName ? { typeName: token(typeName) } : {}),
  ...fields,
});

/** Fields of an attribute; further ones (`interpolation`, `timeSamples`, `connectionPaths`) in `fields`. */
export const attribute = (typeName: string, value?: FieldValue, fields: Fields = {}): Fields => ({
  custom: bool(false),
  typeName: token(typeName),
  variability: scalar('Variability', 'varying'),
  ...(value ? { default: value } : {}),
  ...fields,
});

/** Fields of a relationship with explicit targets. */
export const relationship = (targets: readonly string[], fields: Fields = {}): Fields => ({
  variability: scalar('Variability', 'uniform'),
  targetPaths: listOp<string>('PathListOp', { explicit: targets }),
  ...fields,
});

/** Fields of a connected attribute: `connection('token', '/M/Surface.outputs:surface')`. */
export const connection = (typeName: string, source: string, fields: Fields = {}): Fields =>
  attribute(typeName, undefined, {
    connectionPaths: listOp<string>('PathListOp', { explicit: [source] }),
    ...fields,
  });
