// A composed stage as rows, for inspection: each prim with its resolved properties and the arcs that bring it in.
// Instance proxies have rows like other prims.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { ImportOptions } from '../importer.ts';
import { MAX_ELEMENTS, type ShownValue, shownArray } from '../shownValues.ts';
import type { Specifier, Stage, StageArc, StageAttribute, StagePrim } from './compose/stage/stage.ts';
import { componentsOf } from './compose/values/values.ts';
import type { Value } from './layer.ts';
import type { Notes } from './notes.ts';
import { type Inclusion, Selection } from './selection.ts';

export interface ShownAttribute {
  /** The declared type: `point3f[]`. */
  readonly type: string;
  /**
   * The value at the time of the stage; null if none is authored or it is blocked. An array of more than 64 elements is
   * `{ length, first, last }`.
   */
  readonly value: ShownValue;
  /** Paths of the attributes that it is connected to; absent if there are none. */
  readonly connections?: readonly string[];
}

export interface StagePrimRow {
  readonly path: string;
  /** '' for a typeless prim. */
  readonly type: string;
  readonly specifier: Specifier;
  /** Its descendants are those of a prototype that equal instances share. */
  readonly instance: boolean;
  /** The authored attributes, in the order of the stage. */
  readonly attributes: Readonly<Record<string, ShownAttribute>>;
  /** The target paths of the authored relationships. */
  readonly relationships: Readonly<Record<string, readonly string[]>>;
  /** Strongest first. */
  readonly arcs: readonly ShownArc[];
}

export interface ShownArc {
  readonly type: StageArc['type'];
  /** The identifier of the target layer: a file, or `package.usdz[inner.usd]`. */
  readonly layer: string;
  readonly path: string;
  /** It is authored on an ancestor. */
  readonly ancestral: boolean;
}

function shownNumber(value: number | bigint): ShownValue {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  return Number.isFinite(value) ? value : String(value);
}

/** Element `i` of an array with the flat components `data`. `size`: the components of an element. */
function shownElement(type: Value['type'], data: ArrayLike<unknown>, i: number, size = componentsOf(type)): ShownValue {
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

/** A value in JSON; null for types that only metadata can have. `wanted`: so many components of an array are enough. */
export function shownValue({ type, array, value }: Value, wanted?: number): ShownValue {
  const size = componentsOf(type);
  if (!array) {
    if (typeof value === 'object' && size > 1) return shownElement(type, value as number[], 0, size);
    return typeof value === 'object' || value === undefined ? null : shownElement(type, [value], 0, size);
  }
  const data = value as ArrayLike<unknown>;
  const elements = wanted === undefined ? undefined : Math.ceil(wanted / (size || 1));
  return shownArray(data.length / (size || 1), (i) => shownElement(type, data, i, size), elements);
}

/** The value of an attribute; null if there is none, or if it is corrupt, which is reported. */
function resolvedValue(attribute: StageAttribute, notes: Notes, wanted: number | undefined): ShownValue {
  try {
    // Indices are most of what a large stage holds, and two of them are shown.
    const packed = attribute.ends();
    if (packed && packed.count > MAX_ELEMENTS) {
      const { type, value } = packed.ends;
      const [first, last] = [0, 1].map((i) => shownElement(type, value as ArrayLike<unknown>, i));
      return { length: packed.count, first, last };
    }
    const value = attribute.get()?.value;
    return value ? shownValue(value, wanted) : null;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    notes.pass(error);
    return null;
  }
}

function shownAttribute(attribute: StageAttribute, notes: Notes, wanted: number | undefined): ShownAttribute {
  const connections = attribute.connections();
  return {
    type: attribute.typeName,
    value: resolvedValue(attribute, notes, wanted),
    ...(connections.length > 0 ? { connections } : {}),
  };
}

function shownPrim(prim: StagePrim, notes: Notes, wanted: number | undefined): StagePrimRow {
  // These objects have no prototype, because a property can have the name __proto__.
  const attributes = Object.create(null) as Record<string, ShownAttribute>;
  const relationships = Object.create(null) as Record<string, readonly string[]>;
  for (const name of prim.propertyNames()) {
    const attribute = prim.attribute(name);
    if (attribute) attributes[name] = shownAttribute(attribute, notes, wanted);
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
 * The rows of the prims of a stage, depth first in namespace order: the prims of `options.select` without those of
 * `options.exclude` (UC1726 for a path without a prim). Inactive and abstract prims are left out.
 * `wanted`: so many components of an array are enough.
 */
export function* stageRows(
  stage: Stage,
  options: Pick<ImportOptions, 'select' | 'exclude'>,
  notes: Notes,
  wanted?: number,
): Generator<StagePrimRow> {
  const selection = new Selection(options);
  selection.check(stage, notes);
  const pending: { readonly prim: StagePrim; readonly parent: Inclusion }[] = [];
  const push = (children: readonly StagePrim[], parent: Inclusion) => {
    for (let i = children.length - 1; i >= 0; i--) pending.push({ prim: children[i], parent });
  };
  push(stage.children, selection.start);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { prim } = next;
    const part = selection.of(prim.path, next.parent);
    if (part === null || prim.isAbstract) continue;
    if (part === 'taken') yield shownPrim(prim, notes, wanted);
    push(prim.children, part);
  }
}
