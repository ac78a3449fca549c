// A composed stage as rows for people who ask where a prim went: every prim with what is authored about it, resolved, and
// with the arcs that brought it in. Instance proxies are prims here like all others.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { ImportOptions } from '../importer.ts';
import type { Specifier, Stage, StageArc, StageAttribute, StagePrim } from './compose/stage/stage.ts';
import { componentsOf } from './compose/values/values.ts';
import type { Value } from './layer.ts';
import type { Notes } from './notes.ts';
import { type Part, Selection } from './selection.ts';

/**
 * A value as JSON can hold it. Vectors are arrays of their components, matrices arrays of their rows, quaternions (real,
 * i, j, k) as USD text writes them. Numbers that JSON has no word for are texts: "NaN", "Infinity", "-Infinity", and
 * 64-bit integers beyond 2^53 as their digits.
 */
export type ShownValue =
  | null
  | boolean
  | number
  | string
  | readonly ShownValue[]
  | { readonly [key: string]: ShownValue };

export interface ShownAttribute {
  /** As declared: `point3f[]`. */
  readonly type: string;
  /**
   * At the time that is read; null: none is authored, or it is blocked. Arrays of more than 64 elements are
   * `{ length, first, last }`.
   */
  readonly value: ShownValue;
  /** Paths of the attributes that it is connected to; absent when there are none. */
  readonly connections?: readonly string[];
}

export interface StagePrimRow {
  readonly path: string;
  /** '' for a typeless prim. */
  readonly type: string;
  readonly specifier: Specifier;
  /** What is below comes from a prototype that equal instances share. */
  readonly instance: boolean;
  /** The authored ones, in the stage's order. */
  readonly attributes: Readonly<Record<string, ShownAttribute>>;
  /** Paths of their targets. */
  readonly relationships: Readonly<Record<string, readonly string[]>>;
  /** Strongest first. */
  readonly arcs: readonly ShownArc[];
}

export interface ShownArc {
  readonly type: StageArc['type'];
  /** Identifier of the layer that it leads to: a file, or `package.usdz[inner.usd]`. */
  readonly layer: string;
  readonly path: string;
  /** Authored on a prim above. */
  readonly ancestral: boolean;
}

/** Longer arrays are not written out. */
const MOST_ELEMENTS = 64;

function shownNumber(value: number | bigint): ShownValue {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  return Number.isFinite(value) ? value : String(value);
}

/** Element `i` of the flat components of an array, or of the components of one value. */
function shownElement(type: Value['type'], data: ArrayLike<unknown>, i: number): ShownValue {
  const size = componentsOf(type);
  if (size <= 1) {
    const value = data[i];
    if (type === 'Bool') return Boolean(value);
    return typeof value === 'number' || typeof value === 'bigint' ? shownNumber(value) : (value as string);
  }
  const numbers: ShownValue[] = [];
  for (let c = 0; c < size; c++) numbers.push(shownNumber(data[i * size + c] as number));
  if (type.startsWith('Quat')) return [numbers[3], numbers[0], numbers[1], numbers[2]];
  if (!type.startsWith('Matrix')) return numbers;
  const width = Math.sqrt(size);
  return Array.from({ length: width }, (_, row) => numbers.slice(row * width, (row + 1) * width));
}

/** A value of a type that attributes can have; null for what only metadata can hold. */
export function shownValue({ type, array, value }: Value): ShownValue {
  if (!array) {
    if (typeof value === 'object' && componentsOf(type) > 1) return shownElement(type, value as number[], 0);
    return typeof value === 'object' || value === undefined ? null : shownElement(type, [value], 0);
  }
  const data = value as ArrayLike<unknown>;
  const length = data.length / (componentsOf(type) || 1);
  if (length > MOST_ELEMENTS) {
    return { length, first: shownElement(type, data, 0), last: shownElement(type, data, length - 1) };
  }
  return Array.from({ length }, (_, i) => shownElement(type, data, i));
}

/** null also for a value that is corrupt, which is said. */
function resolvedValue(attribute: StageAttribute, notes: Notes): ShownValue {
  try {
    const value = attribute.get()?.value;
    return value ? shownValue(value) : null;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    notes.pass(error);
    return null;
  }
}

function shownAttribute(attribute: StageAttribute, notes: Notes): ShownAttribute {
  const connections = attribute.connections();
  return {
    type: attribute.typeName,
    value: resolvedValue(attribute, notes),
    ...(connections.length > 0 ? { connections } : {}),
  };
}

function shownPrim(prim: StagePrim, notes: Notes): StagePrimRow {
  // Without a prototype: a property may be called __proto__.
  const attributes = Object.create(null) as Record<string, ShownAttribute>;
  const relationships = Object.create(null) as Record<string, readonly string[]>;
  for (const name of prim.propertyNames()) {
    const attribute = prim.attribute(name);
    if (attribute) attributes[name] = shownAttribute(attribute, notes);
    else {
      const relationship = prim.relationship(name);
      if (relationship) relationships[name] = relationship.targets();
    }
  }
  const arcs = prim.arcs().map(({ type, layer, path, isAncestral }) => ({
    type,
    layer: layer.identifier,
    path,
    ancestral: isAncestral,
  }));
  const { path, typeName: type, specifier, isInstance: instance } = prim;
  return { path, type, specifier, instance, attributes, relationships, arcs };
}

/**
 * Rows of the stage's prims, depth first in namespace order; those of `options.select` without those of
 * `options.exclude` (UC1726 when there are none). Inactive and abstract prims are left out.
 */
export function* stageRows(
  stage: Stage,
  options: Pick<ImportOptions, 'select' | 'exclude'>,
  notes: Notes,
): Generator<StagePrimRow> {
  const selection = new Selection(options);
  selection.check(stage, notes);
  const pending: { readonly prim: StagePrim; readonly parent: Part }[] = [];
  const push = (children: readonly StagePrim[], parent: Part) => {
    for (let i = children.length - 1; i >= 0; i--) pending.push({ prim: children[i], parent });
  };
  push(stage.children, selection.start);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { prim } = next;
    const part = selection.of(prim.path, next.parent);
    if (part === null || prim.isAbstract) continue;
    if (part === 'taken') yield shownPrim(prim, notes);
    push(prim.children, part);
  }
}
