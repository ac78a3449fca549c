// Reads the joints and weights of the vertices of a mesh (primvars:skel:jointIndices and primvars:skel:jointWeights).

import type { SkinWeights } from '../../../scene/types.ts';
import type { StageAttribute, StagePrim } from '../compose/stage/stage.ts';
import { integersOf, numberOf, textOf } from '../compose/values/values.ts';
import type { Value } from '../layer.ts';

/** The most influences of a mesh with one set of them for all vertices, which a small file can author. */
const MAX_REPEATED = 2 ** 26;
/** Weights that are this little below zero are remains of computing in floats. */
const NEARLY_ZERO = -1e-5;

/** An attribute with the indices of its elements, if it has such. */
interface Source {
  readonly attribute: StageAttribute;
  readonly indices: StageAttribute | null;
}

export interface InfluenceSource {
  readonly joints: Source;
  readonly weights: Source;
  /** Only one set of influences for all of the shape makes sense: the shape has no points of its own in USD. */
  readonly isRigid: boolean;
}

/** The attribute of a prim that holds a value, as a source of influences. */
export function sourceOf(prim: StagePrim, name: string): Source | null {
  const attribute = prim.attribute(name);
  return attribute?.peek() ? { attribute, indices: prim.attribute(`${name}:indices`) } : null;
}

const FLOATS = new Set(['Float', 'Half', 'Double']);

function floatsOf(value: Value | undefined): Float32Array | null {
  if (!value?.array || !FLOATS.has(value.type)) return null;
  const numbers = value.value as Float32Array | Float64Array;
  return numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
}

/** `data` in blocks of `size`, in the order of `indices`; null if one of these is out of range. */
function expanded<T extends Int32Array | Float32Array>(data: T, indices: Int32Array, size: number): T | null {
  const out = new (data.constructor as new (length: number) => T)(indices.length * size);
  const blocks = Math.floor(data.length / size);
  for (let i = 0; i < indices.length; i++) {
    const from = indices[i];
    if (from < 0 || from >= blocks) return null;
    for (let c = 0; c < size; c++) out[i * size + c] = data[from * size + c];
  }
  return out;
}

/** How values are laid out: elements of `size` numbers, one for each vertex or one for all. */
function layoutOf({ attribute }: Source): { readonly size: number; readonly interpolation: string } {
  return {
    size: numberOf(attribute.metadata('elementSize')) ?? 1,
    interpolation: textOf(attribute.metadata('interpolation')) ?? 'constant',
  };
}

/** The values of a source, `needed` numbers in elements of `size`; a text says what is wrong with them. */
function valuesOf<T extends Int32Array | Float32Array>(
  { attribute, indices }: Source,
  size: number,
  needed: number,
  read: (value: Value | undefined) => T | null,
): T | string {
  const authored = indices?.peek() ? integersOf(indices.get()?.value) : null;
  const count = authored ? authored.length * size : (attribute.peek()?.count ?? 0);
  if (count !== needed) return `${attribute.name} has ${count} values, not ${needed}`;
  const data = read(attribute.get()?.value);
  if (data === null) return `${attribute.name} is of the type ${attribute.peek()?.type}`;
  if (authored === null) return data;
  return expanded(data, authored, size) ?? `an index of ${attribute.name} has no value`;
}

/** Checks joints and weights, and gives joints without weight a valid index. A text says what is wrong. */
function checked(
  joints: Int32Array,
  weights: Float32Array,
  jointCount: number,
): { readonly joints: Uint16Array | Uint32Array; readonly weights: Float32Array } | string {
  const outJoints = jointCount <= 2 ** 16 ? new Uint16Array(joints.length) : new Uint32Array(joints.length);
  const outWeights = new Float32Array(weights.length);
  for (let i = 0; i < joints.length; i++) {
    const weight = weights[i];
    if (!(weight >= NEARLY_ZERO && weight < Infinity)) return `weight ${i} is ${weight}`;
    if (weight <= 0) continue;
    const joint = joints[i];
    if (joint < 0 || joint >= jointCount) return `joint index ${i} is ${joint}, and there are ${jointCount} joints`;
    outJoints[i] = joint;
    outWeights[i] = weight;
  }
  return { joints: outJoints, weights: outWeights };
}

function repeated<T extends Uint16Array | Uint32Array | Float32Array>(block: T, times: number): T {
  const out = new (block.constructor as new (length: number) => T)(block.length * times);
  for (let i = 0; i < times; i++) out.set(block, i * block.length);
  return out;
}

/** The influences of the vertices of a mesh, as authored; a text says why they cannot be used. */
export function readInfluences(
  { joints, weights, isRigid }: InfluenceSource,
  vertexCount: number,
  jointCount: number,
): SkinWeights | string {
  const { size, interpolation } = layoutOf(joints);
  const other = layoutOf(weights);
  if (!(Number.isInteger(size) && size > 0)) return `${joints.attribute.name} has the elementSize ${size}`;
  if (other.size !== size) return `joints have the elementSize ${size}, weights ${other.size}`;
  if (other.interpolation !== interpolation) return `joints are ${interpolation}, weights ${other.interpolation}`;
  if (interpolation !== 'constant' && (interpolation !== 'vertex' || isRigid))
    return `influences are ${interpolation}, not ${isRigid ? 'constant' : 'vertex or constant'}`;
  const isConstant = interpolation === 'constant';
  if (isConstant && size * vertexCount > MAX_REPEATED) return `${size} influences for each of ${vertexCount} points`;
  const needed = isConstant ? size : size * vertexCount;
  const jointValues = valuesOf(joints, size, needed, integersOf);
  if (typeof jointValues === 'string') return jointValues;
  const weightValues = valuesOf(weights, size, needed, floatsOf);
  if (typeof weightValues === 'string') return weightValues;
  const result = checked(jointValues, weightValues, jointCount);
  if (typeof result === 'string') return result;
  if (!isConstant) return { influences: size, ...result };
  return {
    influences: size,
    joints: repeated(result.joints, vertexCount),
    weights: repeated(result.weights, vertexCount),
  };
}
