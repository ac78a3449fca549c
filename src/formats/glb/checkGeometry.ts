// Checks the geometry of a GLB: every number of every accessor that triangles and skins use.

import type { GLTF } from '@gltf-transform/core';
import type { Findings } from '../findings.ts';
import { DRACO_BITS, type ElementType, SIZES } from './layout.ts';
import type { GlbFile } from './read.ts';

/** Lengths of directions and sums of weights may be off by this: roundings of float32, and of ten bits where a source has them. */
const UNIT = 5e-3;
const TRIANGLES = 4;

/** Least and greatest of each component. */
function rangeOf(values: ArrayLike<number>, size: number): { min: number[]; max: number[] } {
  const min = new Array<number>(size).fill(Number.POSITIVE_INFINITY);
  const max = new Array<number>(size).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < values.length; i++) {
    const k = i % size;
    if (values[i] < min[k]) min[k] = values[i];
    if (values[i] > max[k]) max[k] = values[i];
  }
  return { min, max };
}

/** What Draco may round a number by: a step of the longest side of the box of all. Those of directions, which have fewer bits, state no box. */
const stepOf = (min: readonly number[], max: readonly number[]): number =>
  Math.max(...min.map((least, k) => max[k] - least)) / (2 ** DRACO_BITS.POSITION - 1);

/** UC3707: the range that an accessor states is that of its numbers, before Draco rounds them. */
function checkRange(glb: GlbFile, index: number, values: ArrayLike<number>, needed: boolean, findings: Findings): void {
  const accessor = glb.json.accessors?.[index];
  if (!accessor || (!needed && !accessor.min && !accessor.max)) return;
  const { min, max } = rangeOf(values, SIZES[accessor.type as ElementType]);
  const off = glb.isRounded(index) ? stepOf(min, max) : 0;
  const isSame = (a: readonly number[] | undefined, b: readonly number[]) =>
    Array.isArray(a) && a.length === b.length && b.every((value, k) => Math.abs(a[k] - value) <= off);
  if (isSame(accessor.min, min) && isSame(accessor.max, max)) return;
  findings.report(
    'UC3707',
    `accessors/${index}`,
    `states [${accessor.min}] to [${accessor.max}], has [${min}] to [${max}]`,
  );
}

/** UC3715: unit vectors, and tangents with a sign, which may be `off` by rounding. */
function checkDirections(values: ArrayLike<number>, size: number, off: number, path: string, findings: Findings): void {
  for (let at = 0; at < values.length; at += size) {
    const length = Math.hypot(values[at], values[at + 1], values[at + 2]);
    const sign = size === 4 ? Math.abs(values[at + 3]) : 1;
    if (Math.abs(length - 1) <= UNIT && Math.abs(sign - 1) <= off) continue;
    findings.report('UC3715', path, `vertex ${at / size}: length ${length}, sign ${sign}`);
    return;
  }
}

/** UC3710: joints that the skin has, weights that add up to 1. */
function checkInfluences(
  joints: ArrayLike<number>,
  weights: ArrayLike<number>,
  highest: number,
  path: string,
  findings: Findings,
): void {
  for (let at = 0; at < weights.length; at += 4) {
    let sum = 0;
    let isThere = true;
    for (let k = 0; k < 4; k++) {
      sum += weights[at + k];
      if (!(joints[at + k] < highest)) isThere = false;
    }
    if (isThere && Math.abs(sum - 1) <= UNIT) continue;
    findings.report('UC3710', path, `vertex ${at / 4}: the weights add up to ${sum}, of ${highest} joints`);
    return;
  }
}

/** UC3707, UC3709 and UC3716 of a morph target. */
function checkTarget(
  glb: GlbFile,
  target: Readonly<Record<string, number>>,
  count: number,
  path: string,
  findings: Findings,
): void {
  for (const [name, index] of Object.entries(target)) {
    const values = glb.values(index);
    if (values === null) continue;
    const own = values.length / 3;
    if (own !== count) findings.report('UC3716', `${path}/${name}`, `${own} deltas for ${count} vertices`);
    if (!values.every(Number.isFinite)) findings.report('UC3709', `${path}/${name}`, 'a number is not finite');
    else checkRange(glb, index, values, name === 'POSITION', findings);
  }
}

type Arrays = ReadonlyMap<string, ArrayLike<number>>;

/** What may be stored as whole numbers that stand for fractions. */
const SCALED = /^(NORMAL|TANGENT|WEIGHTS_\d+)$/;

/** The arrays of a primitive by their semantics; null, with a finding, where they cannot be used. */
function checkArrays(
  glb: GlbFile,
  attributes: GLTF.IMeshPrimitive['attributes'],
  path: string,
  findings: Findings,
): Arrays | null {
  const arrays = new Map<string, ArrayLike<number>>();
  for (const [name, index] of Object.entries(attributes)) {
    const values = glb.values(index);
    if (values === null) return null;
    arrays.set(name, SCALED.test(name) ? (glb.numbers(index) ?? values) : values);
    if (values instanceof Float32Array && !values.every(Number.isFinite)) {
      findings.report('UC3709', `${path}/${name}`, 'a number is not finite');
      return null;
    }
    checkRange(glb, index, values, name === 'POSITION', findings);
  }
  const [normals, tangents] = [arrays.get('NORMAL'), arrays.get('TANGENT')];
  const off = tangents && glb.isRounded(attributes.TANGENT) ? UNIT : 0;
  if (normals) checkDirections(normals, 3, off, `${path}/NORMAL`, findings);
  if (tangents) checkDirections(tangents, 4, off, `${path}/TANGENT`, findings);
  return arrays;
}

function checkPrimitive(
  glb: GlbFile,
  { attributes, indices, mode = TRIANGLES, targets = [] }: GLTF.IMeshPrimitive,
  arrays: Arrays,
  highest: number | null,
  path: string,
  findings: Findings,
): void {
  const positions = arrays.get('POSITION');
  const count = (positions?.length ?? 0) / 3;
  for (const [name, index] of Object.entries(attributes)) {
    const own = glb.json.accessors?.[index].count;
    if (own !== count) findings.report('UC3716', `${path}/${name}`, `${own} values for ${count} vertices`);
  }
  for (const [t, target] of targets.entries()) checkTarget(glb, target, count, `${path}/targets/${t}`, findings);
  const corners = indices === undefined ? null : glb.values(indices);
  if (corners) {
    const beyond = corners.findIndex((vertex: number) => vertex >= count);
    if (beyond >= 0) findings.report('UC3708', `${path}/indices`, `vertex ${corners[beyond]} of ${count}`);
    if (mode !== TRIANGLES || corners.length % 3 !== 0)
      findings.report('UC3708', `${path}/indices`, `${corners.length} indices in mode ${mode} are no triangles`);
  }
  const [joints, weights] = [arrays.get('JOINTS_0'), arrays.get('WEIGHTS_0')];
  if (joints && weights && highest !== null) checkInfluences(joints, weights, highest, path, findings);
  if (highest !== null && !(joints && weights))
    findings.report('UC3710', path, 'a node moves it by a skin, but it has no weights');
}

/** The meshes with the joints of their skins, the matrices of skins, and the views that nothing else asked for. */
export function checkGeometry(glb: GlbFile, findings: Findings): void {
  const { meshes = [], nodes = [], skins = [], accessors = [] } = glb.json;
  const joints = new Map<number, number>();
  for (const { mesh, skin } of nodes)
    if (mesh !== undefined && skin !== undefined) joints.set(mesh, skins[skin].joints?.length ?? 0);
  /** Of the primitive before: many parts of a mesh share their vertices. */
  let shared: { readonly key: string; readonly arrays: Arrays | null } = { key: '', arrays: null };
  for (const [m, { primitives = [] }] of meshes.entries()) {
    for (const [p, primitive] of primitives.entries()) {
      const { attributes = {} } = primitive;
      const path = `meshes/${m}/primitives/${p}`;
      const key = JSON.stringify(attributes);
      if (shared.key !== key) shared = { key, arrays: checkArrays(glb, attributes, path, findings) };
      const { arrays } = shared;
      if (arrays) checkPrimitive(glb, { ...primitive, attributes }, arrays, joints.get(m) ?? null, path, findings);
    }
  }
  for (const [s, { inverseBindMatrices, joints: listed = [] }] of skins.entries()) {
    if (inverseBindMatrices === undefined) continue;
    const matrices = glb.values(inverseBindMatrices);
    const isSound = matrices?.every(Number.isFinite) && matrices.length === listed.length * 16;
    if (matrices && !isSound)
      findings.report('UC3710', `skins/${s}`, `${matrices.length} numbers for ${listed.length} joints`);
  }
  for (const [a] of accessors.entries()) glb.place(a);
}
