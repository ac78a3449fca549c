// Transforms of prims (UsdGeomXformable): combines xformOps into one matrix in double precision, and reads the up axis
// and unit of the stage. USD uses row vectors (p' = p M) and row-major matrices; the Scene uses column vectors (p' = M
// p) and column-major matrices. Both store the same sixteen numbers in the same order, so `transform` ops are copied
// unchanged.

import { axisTurn, identity, isFiniteMatrix, multiply, rotation, scaling, translation } from '../../../scene/matrix.ts';
import type { Mat4 } from '../../../scene/types.ts';
import type { GivenMetrics } from '../compose/layers/layerStack.ts';
import type { Stage, StagePrim } from '../compose/stage/stage.ts';
import { numberOf, textOf, textsOf, tupleOf } from '../compose/values/values.ts';
import type { Value } from '../layer.ts';
import type { Notes } from '../notes.ts';

const RESET = '!resetXformStack!';
const INVERT = '!invert!';

export interface LocalTransform {
  readonly matrix: Mat4;
  /** The transforms of ancestors do not apply. */
  readonly resetsStack: boolean;
}

/** A rotation about axis 0, 1 or 2 in degrees, counter-clockwise if the axis points to the viewer. */
function axisRotation(axis: number, degrees: number): Mat4 {
  const angle = (degrees * Math.PI) / 180;
  return axisTurn(axis, Math.cos(angle), Math.sin(angle));
}

/** The inverse of a matrix by cofactors; null if the matrix is singular. */
export function inverse(m: Mat4): Mat4 | null {
  const b00 = m[0] * m[5] - m[1] * m[4];
  const b01 = m[0] * m[6] - m[2] * m[4];
  const b02 = m[0] * m[7] - m[3] * m[4];
  const b03 = m[1] * m[6] - m[2] * m[5];
  const b04 = m[1] * m[7] - m[3] * m[5];
  const b05 = m[2] * m[7] - m[3] * m[6];
  const b06 = m[8] * m[13] - m[9] * m[12];
  const b07 = m[8] * m[14] - m[10] * m[12];
  const b08 = m[8] * m[15] - m[11] * m[12];
  const b09 = m[9] * m[14] - m[10] * m[13];
  const b10 = m[9] * m[15] - m[11] * m[13];
  const b11 = m[10] * m[15] - m[11] * m[14];
  const scale = 1 / (b00 * b11 - b01 * b10 + b02 * b09 + b03 * b08 - b04 * b07 + b05 * b06);
  if (!Number.isFinite(scale)) return null;
  return Float64Array.of(
    (m[5] * b11 - m[6] * b10 + m[7] * b09) * scale,
    (m[2] * b10 - m[1] * b11 - m[3] * b09) * scale,
    (m[13] * b05 - m[14] * b04 + m[15] * b03) * scale,
    (m[10] * b04 - m[9] * b05 - m[11] * b03) * scale,
    (m[6] * b08 - m[4] * b11 - m[7] * b07) * scale,
    (m[0] * b11 - m[2] * b08 + m[3] * b07) * scale,
    (m[14] * b02 - m[12] * b05 - m[15] * b01) * scale,
    (m[8] * b05 - m[10] * b02 + m[11] * b01) * scale,
    (m[4] * b10 - m[5] * b08 + m[7] * b06) * scale,
    (m[1] * b08 - m[0] * b10 - m[3] * b06) * scale,
    (m[12] * b04 - m[13] * b02 + m[15] * b00) * scale,
    (m[9] * b02 - m[8] * b04 - m[11] * b00) * scale,
    (m[5] * b07 - m[4] * b09 - m[6] * b06) * scale,
    (m[0] * b09 - m[1] * b07 + m[2] * b06) * scale,
    (m[13] * b01 - m[12] * b03 - m[14] * b00) * scale,
    (m[8] * b03 - m[9] * b01 + m[10] * b00) * scale,
  );
}

const AXES: Readonly<Record<string, number>> = { X: 0, Y: 1, Z: 2 };

function alongAxis(axis: number, value: number, rest: number): [number, number, number] {
  const v: [number, number, number] = [rest, rest, rest];
  v[axis] = value;
  return v;
}

/** An entry of xformOpOrder: the attribute that it names, what that does, and whether its inverse is meant. */
export function operation(entry: string): { readonly name: string; readonly type: string; readonly invert: boolean } {
  const invert = entry.startsWith(INVERT);
  const name = invert ? entry.slice(INVERT.length) : entry;
  const [prefix, type] = name.split(':');
  return { name: prefix === 'xformOp' ? name : '', type, invert };
}

/** The matrix of one op; null if the type is unknown or the value does not fit it. */
export function opMatrix(type: string, value: Value, invert: boolean): Mat4 | null | 'singular' {
  const translate = (v: readonly number[]) =>
    invert ? translation(-v[0], -v[1], -v[2]) : translation(v[0], v[1], v[2]);
  const scale = (v: readonly number[]) => {
    if (!invert) return scaling(v[0], v[1], v[2]);
    return v[0] === 0 || v[1] === 0 || v[2] === 0 ? 'singular' : scaling(1 / v[0], 1 / v[1], 1 / v[2]);
  };
  switch (type) {
    case 'translate': {
      const v = tupleOf(value, 3);
      return v && translate(v);
    }
    case 'scale': {
      const v = tupleOf(value, 3);
      return v && scale(v);
    }
    case 'orient': {
      const q = tupleOf(value, 4);
      if (!q || !value.type.startsWith('Quat')) return null;
      return invert ? rotation(-q[0], -q[1], -q[2], q[3]) : rotation(q[0], q[1], q[2], q[3]);
    }
    case 'transform': {
      const m = value.type === 'Matrix4d' ? tupleOf(value, 16) : null;
      if (!m) return null;
      const matrix = Float64Array.from(m);
      return invert ? (inverse(matrix) ?? 'singular') : matrix;
    }
  }
  const parts = /^(translate|scale|rotate)([XYZ]{1,3})$/.exec(type);
  if (!parts) return null;
  const [, verb, axes] = parts;
  if (axes.length === 1) {
    const axis = AXES[axes];
    const amount = numberOf(value);
    if (amount === null) return null;
    if (verb === 'rotate') return axisRotation(axis, invert ? -amount : amount);
    return verb === 'translate' ? translate(alongAxis(axis, amount, 0)) : scale(alongAxis(axis, amount, 1));
  }
  // rotateABC rotates about A first, then B, then C. The angles are always in the order (x, y, z).
  const angles = tupleOf(value, 3);
  if (verb !== 'rotate' || !angles || new Set(axes).size !== 3) return null;
  let m = identity();
  for (const letter of axes) {
    const axis = AXES[letter];
    const turn = axisRotation(axis, invert ? -angles[axis] : angles[axis]);
    m = invert ? multiply(m, turn) : multiply(turn, m);
  }
  return m;
}

/**
 * The local transform of a prim: op0 · op1 · … for column vectors, so the last op of xformOpOrder applies to the points
 * first. Ops without a usable value are skipped with UC1816. A matrix that is not finite is reported as UC1803 and
 * replaced by the identity.
 */
export function localTransform(prim: StagePrim, notes: Notes): LocalTransform {
  const order = textsOf(prim.attribute('xformOpOrder')?.get()?.value);
  let matrix = identity();
  if (!order) return { matrix, resetsStack: false };
  const reset = order.lastIndexOf(RESET);
  if (reset > 0)
    notes.report('UC1819', prim.path, `${reset} entries of xformOpOrder come before !resetXformStack! and are ignored`);
  for (let i = reset + 1; i < order.length; i++) {
    const { name, type, invert } = operation(order[i]);
    const value = name === '' ? undefined : prim.attribute(name)?.get()?.value;
    if (!value) {
      notes.report('UC1816', prim.path, `${order[i]} has no value`);
      continue;
    }
    const op = opMatrix(type, value, invert);
    if (op === null) notes.report('UC1816', prim.path, `${order[i]} cannot be read as ${type} (${value.type})`);
    else if (op === 'singular') notes.report('UC1817', prim.path, `${order[i]} is singular`);
    else matrix = multiply(matrix, op);
  }
  if (!isFiniteMatrix(matrix)) {
    notes.report('UC1803', prim.path, 'the transform is not finite');
    matrix = identity();
  }
  return { matrix: affine(matrix, prim, notes), resetsStack: reset >= 0 };
}

/** The affine part of a matrix. Its fourth row is the last column of the matrix in USD. */
function affine(matrix: Mat4, prim: StagePrim, notes: Notes): Mat4 {
  if (matrix[3] === 0 && matrix[7] === 0 && matrix[11] === 0 && matrix[15] === 1) return matrix;
  notes.report('UC1829', prim.path, 'the transform is projective; its affine part is used');
  matrix[3] = 0;
  matrix[7] = 0;
  matrix[11] = 0;
  matrix[15] = 1;
  return matrix;
}

/** Centimetres: the fallback of USD (UsdGeomLinearUnits). */
const FALLBACK_METERS_PER_UNIT = 0.01;

export interface StageMetrics {
  readonly upAxis: 'Y' | 'Z';
  readonly metersPerUnit: number;
  /** The transform from stage space to engine space (metres, Y up). For Z up, (x, y, z) becomes (x, z, -y). */
  readonly root: Mat4;
}

/**
 * The up axis and unit: those in `given`, else those of the root layer, else Y and 0.01 (UsdGeomGetFallbackUpAxis,
 * UsdGeomLinearUnits). Fallbacks are reported.
 */
export function stageMetrics(stage: Stage, notes: Notes, given: GivenMetrics = {}): StageMetrics {
  const upAxis = given.upAxis ?? authoredUpAxis(stage, notes);
  const metersPerUnit = given.metersPerUnit ?? authoredMetersPerUnit(stage, notes);
  const root = scaling(metersPerUnit, metersPerUnit, metersPerUnit);
  if (upAxis === 'Z') {
    root[5] = 0;
    root[6] = -metersPerUnit;
    root[9] = metersPerUnit;
    root[10] = 0;
  }
  return { upAxis, metersPerUnit, root };
}

function authoredUpAxis(stage: Stage, notes: Notes): 'Y' | 'Z' {
  const value = stage.metadata('upAxis');
  const axis = textOf(value);
  if (value === undefined) notes.report('UC1707', '/', 'upAxis is not authored: Y is used');
  else if (axis !== 'Y' && axis !== 'Z') {
    notes.report('UC1705', '/', `upAxis is ${axis === null ? 'not a token' : `"${axis}"`}; Y is used`);
  }
  return axis === 'Z' ? 'Z' : 'Y';
}

function authoredMetersPerUnit(stage: Stage, notes: Notes): number {
  const value = stage.metadata('metersPerUnit');
  if (value === undefined) {
    notes.report('UC1703', '/', 'metersPerUnit is not authored: 0.01 (centimetres) is used');
    return FALLBACK_METERS_PER_UNIT;
  }
  // OpenUSD accepts only a double. The floats of old exporters count as not authored there.
  const authored = value.type === 'Double' && !value.array ? (value.value as number) : null;
  if (authored !== null && authored > 0 && authored < Infinity) return authored;
  const what = authored === null ? `of type ${value.type} (${numberOf(value)}), not a double` : `${authored}`;
  notes.report('UC1704', '/', `metersPerUnit is ${what}: 0.01 (centimetres) is used`);
  return FALLBACK_METERS_PER_UNIT;
}
