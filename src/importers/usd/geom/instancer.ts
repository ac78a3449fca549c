// Reads PointInstancers (UsdGeomPointInstancer): the prototype and the matrix of each instance.

import { identity, multiply, rotation, scaling, translation } from '../../../scene/matrix.ts';
import type { Mat4 } from '../../../scene/types.ts';
import type { Stage, StageAttribute, StagePrim } from '../compose/stage/stage.ts';
import { componentsOf, integersOf, listOpOf } from '../compose/values/values.ts';
import type { Notes } from '../notes.ts';
import type { Choice } from './choice.ts';
import { interpolationOf } from './mesh/primvars.ts';

/** An instance. `matrix` leads from the parent space of the prototype to the space of the instancer. */
export interface Instance {
  readonly prototype: StagePrim;
  readonly matrix: Mat4;
}

/** The values of an attribute with `size` numbers per instance; null if none are authored. */
function tuples(attribute: StageAttribute | null, size: number): ArrayLike<number> | null {
  const value = attribute?.get()?.value;
  if (!value?.array || componentsOf(value.type) !== size) return null;
  const data = value.value as ArrayLike<number>;
  return data.length > 0 ? data : null;
}

function wideIntegers(attribute: StageAttribute | null): BigInt64Array {
  const value = attribute?.get()?.value;
  return value?.array && value.type === 'Int64' ? (value.value as BigInt64Array) : new BigInt64Array(0);
}

function areFinite(data: ArrayLike<number>, start: number, count: number): boolean {
  for (let i = start; i < start + count; i++) if (!(Math.abs(data[i]) < Infinity)) return false;
  return true;
}

/** Reports the primvars with a value per instance. They are ignored: shapes have the primvars of their prototypes. */
function noteInstancePrimvars(prim: StagePrim, notes: Notes): void {
  const names = prim
    .propertyNames()
    .filter((name) => name.startsWith('primvars:') && !name.endsWith(':indices'))
    .filter((name) => {
      const attribute = prim.attribute(name);
      return attribute?.peek() && interpolationOf(attribute, 'constant') !== 'constant';
    });
  if (names.length > 0) notes.report('UC1844', prim.path, `not given to the instances: ${names.join(', ')}`);
}

/**
 * The drawn instances of a PointInstancer, in authored order. The masks invisibleIds and inactiveIds hold ids, or
 * indices of instances if no ids are authored. Null if the arrays do not fit each other (UC1840). Instances of a
 * missing prototype are left out (UC1841).
 */
export function readInstancer(prim: StagePrim, stage: Stage, choice: Choice, notes: Notes): readonly Instance[] | null {
  const broken = (message: string) => {
    notes.report('UC1840', prim.path, message);
    return null;
  };
  const protoIndices = integersOf(prim.attribute('protoIndices')?.get()?.value) ?? new Int32Array(0);
  const count = protoIndices.length;
  if (count === 0) return [];
  noteInstancePrimvars(prim, notes);
  const positions = tuples(prim.attribute('positions'), 3);
  // `orientationsf` is stronger than `orientations`, as in OpenUSD since 24.
  const orientations = tuples(prim.attribute('orientationsf'), 4) ?? tuples(prim.attribute('orientations'), 4);
  const scales = tuples(prim.attribute('scales'), 3);
  const ids = wideIntegers(prim.attribute('ids'));
  const lengths = {
    positions: (positions?.length ?? 0) / 3,
    orientations: orientations ? orientations.length / 4 : count,
    scales: scales ? scales.length / 3 : count,
    ids: ids.length > 0 ? ids.length : count,
  };
  for (const [name, length] of Object.entries(lengths)) {
    if (length !== count) return broken(`${count} protoIndices, but ${length} ${name}`);
  }
  if (positions === null) return [];
  const targets = prim.relationship('prototypes')?.targets() ?? [];
  const stray = protoIndices.findIndex((index) => index < 0 || index >= targets.length);
  if (stray >= 0) {
    return broken(`protoIndices[${stray}] is ${protoIndices[stray]}; there are ${targets.length} prototypes`);
  }
  const prototypes = targets.map((path) => stage.prim(path));
  const masked = new Set<bigint>(choice.invisible ? [] : wideIntegers(prim.attribute('invisibleIds')));
  for (const id of listOpOf<bigint>(prim.metadata('inactiveIds'))?.explicit ?? []) masked.add(BigInt(id));
  const instances: Instance[] = [];
  const missing = new Set<number>();
  for (let i = 0; i < count; i++) {
    if (masked.has(ids.length > 0 ? ids[i] : BigInt(i))) continue;
    const prototype = prototypes[protoIndices[i]];
    if (!prototype) {
      missing.add(protoIndices[i]);
      continue;
    }
    const finite =
      areFinite(positions, i * 3, 3) &&
      (scales === null || areFinite(scales, i * 3, 3)) &&
      (orientations === null || areFinite(orientations, i * 4, 4));
    if (!finite) return broken(`the position, orientation or scale of instance ${i} is not finite`);
    instances.push({ prototype, matrix: instanceMatrix(i, positions, orientations, scales) });
  }
  for (const index of [...missing].sort((a, b) => a - b)) {
    notes.report('UC1841', prim.path, `there is no active prim at the prototype path ${targets[index]}`);
  }
  return instances;
}

/** The matrix that scales first, then rotates, then translates. Quaternions are stored as i, j, k, real. */
function instanceMatrix(
  i: number,
  positions: ArrayLike<number>,
  orientations: ArrayLike<number> | null,
  scales: ArrayLike<number> | null,
): Mat4 {
  const moved = translation(positions[i * 3], positions[i * 3 + 1], positions[i * 3 + 2]);
  const q = i * 4;
  const turned =
    orientations === null
      ? identity()
      : rotation(orientations[q], orientations[q + 1], orientations[q + 2], orientations[q + 3]);
  const placed = multiply(moved, turned);
  if (scales === null) return placed;
  return multiply(placed, scaling(scales[i * 3], scales[i * 3 + 1], scales[i * 3 + 2]));
}
