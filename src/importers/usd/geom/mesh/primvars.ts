// Primvars (UsdGeomPrimvar): looks them up with inheritance, and reads them with interpolation and indices as
// attributes of a mesh.

import type { Attribute, Interpolation } from '../../../../scene/types.ts';
import type { StageAttribute, StagePrim } from '../../compose/stage/stage.ts';
import { componentsOf, integersOf, numberOf, textOf } from '../../compose/values/values.ts';
import type { Value } from '../../layer.ts';
import type { Notes } from '../../notes.ts';

export interface Primvar {
  readonly name: string;
  readonly attribute: StageAttribute;
  readonly indices: StageAttribute | null;
  /** The declared interpolation or the fallback; `varying` counts as vertex. */
  readonly interpolation: Interpolation;
}

/** The element counts of a mesh for the interpolations. */
export interface ElementCounts {
  readonly faces: number;
  readonly vertices: number;
  readonly corners: number;
}

const INTERPOLATIONS: Readonly<Record<string, Interpolation>> = {
  constant: 'constant',
  uniform: 'uniform',
  varying: 'vertex',
  vertex: 'vertex',
  faceVarying: 'faceVarying',
};

export function interpolationOf(attribute: StageAttribute, fallback: Interpolation): Interpolation {
  return INTERPOLATIONS[textOf(attribute.metadata('interpolation')) ?? ''] ?? fallback;
}

function authored(prim: StagePrim, name: string): Primvar | null {
  const attribute = prim.attribute(`primvars:${name}`);
  if (!attribute?.peek()) return null;
  const indices = prim.attribute(`primvars:${name}:indices`);
  return { name, attribute, indices, interpolation: interpolationOf(attribute, 'constant') };
}

/** Finds primvars on prims and inherited constant ones on their ancestors. Keeps its results. */
export class PrimvarLookup {
  readonly #found = new Map<string, Map<StagePrim, Primvar | null>>();

  /**
   * The primvar that a prim has or inherits. A non-constant one of an ancestor ends the search: it is not inherited.
   */
  find(prim: StagePrim, name: string): Primvar | null {
    return authored(prim, name) ?? this.#above(prim, name);
  }

  /** The primvar that a prim inherits; null if it has one of its own. */
  inherited(prim: StagePrim, name: string): Primvar | null {
    return authored(prim, name) ? null : this.#above(prim, name);
  }

  #above(prim: StagePrim, name: string): Primvar | null {
    return prim.parent === null ? null : this.#inherited(prim.parent, name);
  }

  #inherited(from: StagePrim, name: string): Primvar | null {
    let known = this.#found.get(name);
    if (!known) {
      known = new Map();
      this.#found.set(name, known);
    }
    const passed: StagePrim[] = [];
    let result: Primvar | null = null;
    for (let at: StagePrim | null = from; at !== null; at = at.parent) {
      const remembered = known.get(at);
      if (remembered !== undefined) {
        result = remembered;
        break;
      }
      passed.push(at);
      const own = authored(at, name);
      if (own) {
        result = own.interpolation === 'constant' ? own : null;
        break;
      }
    }
    for (const at of passed) known.set(at, result);
    return result;
  }
}

/** The numbers of a value, and the count of numbers in an element; null if the value is not numeric. */
function numbers(value: Value): { readonly data: ArrayLike<number>; readonly size: number } | null {
  const size = componentsOf(value.type);
  if (size === 0 || value.type === 'Int64' || value.type === 'UInt64') return null;
  if (value.array) return { data: value.value as ArrayLike<number>, size };
  const scalar = size === 1 ? numberOf(value) : null;
  return { data: scalar === null ? (value.value as readonly number[]) : [scalar], size };
}

/** Converts elements to floats with `size` components; further components are dropped. Copies only if needed. */
function floats(data: ArrayLike<number>, stored: number, size: number): Float32Array {
  if (stored === size) return data instanceof Float32Array ? data : Float32Array.from(data);
  const count = Math.floor(data.length / stored);
  const out = new Float32Array(count * size);
  for (let i = 0; i < count; i++) for (let c = 0; c < size; c++) out[i * size + c] = data[i * stored + c];
  return out;
}

function allFinite(data: Float32Array): boolean {
  for (let i = 0; i < data.length; i++) if (!(Math.abs(data[i]) < Infinity)) return false;
  return true;
}

/** The interpolation that has `count` elements: the declared one, else the first that fits; null if none fits. */
function fittingInterpolation(count: number, declared: Interpolation, counts: ElementCounts): Interpolation | null {
  const wanted = { constant: 1, uniform: counts.faces, vertex: counts.vertices, faceVarying: counts.corners };
  const order = [declared, 'faceVarying', 'vertex', 'uniform', 'constant'] as const;
  return order.find((interpolation) => wanted[interpolation] === count) ?? null;
}

/**
 * Reads a primvar as elements of `minSize` to `maxSize` floats. If its count does not fit the declared interpolation,
 * the first of faceVarying, vertex, uniform and constant that fits is used (UC1807). A primvar that fits none, is not
 * numeric or not finite is dropped (UC1808). An index without a value uses unauthoredValuesIndex, else zero (UC1809).
 */
export function readPrimvar(
  primvar: Primvar,
  counts: ElementCounts,
  minSize: number,
  maxSize: number,
  prim: StagePrim,
  notes: Notes,
): Attribute | null {
  const value = primvar.attribute.get()?.value;
  if (!value) return null;
  const label = `${primvar.attribute.name} on ${prim.path}`;
  const drop = (why: string) => {
    notes.report('UC1808', primvar.attribute.path, `${label} is dropped: ${why}`);
    return null;
  };
  const read = numbers(value);
  if (!read || read.size < minSize) return drop(`its values are of type ${value.type}${value.array ? '[]' : ''}`);
  const elementSize = numberOf(primvar.attribute.metadata('elementSize')) ?? 1;
  if (elementSize !== 1) return drop(`its elementSize is ${elementSize}`);
  const size = Math.min(read.size, maxSize);
  let data = floats(read.data, read.size, size);
  const values = data.length / size;
  if (!allFinite(data)) return drop('it has values that are not finite');
  const authoredIndices = integersOf(primvar.indices?.get()?.value);
  const count = authoredIndices ? authoredIndices.length : values;
  const interpolation = fittingInterpolation(count, primvar.interpolation, counts);
  if (interpolation === null) {
    const { faces, vertices, corners } = counts;
    return drop(`${count} elements fit neither ${faces} faces, ${vertices} points nor ${corners} corners`);
  }
  if (interpolation !== primvar.interpolation) {
    const message = `${label} has ${count} elements: read as ${interpolation}, not ${primvar.interpolation}`;
    notes.report('UC1807', primvar.attribute.path, message);
  }
  // `varying` differs from vertex only in subdivision, which interpolates it linearly.
  const varying = interpolation === 'vertex' && textOf(primvar.attribute.metadata('interpolation')) === 'varying';
  const linear = varying ? { linear: true } : {};
  if (!authoredIndices) return { data, size, interpolation, indices: null, ...linear };
  let indices = new Uint32Array(authoredIndices.buffer, authoredIndices.byteOffset, authoredIndices.length);
  let missing = 0;
  for (let i = 0; i < indices.length; i++) if (indices[i] >= values) missing++;
  if (missing > 0) {
    const unauthored = numberOf(primvar.attribute.metadata('unauthoredValuesIndex')) ?? -1;
    const hasFallback = unauthored >= 0 && unauthored < values;
    const what = hasFallback ? `value ${unauthored}` : 'zero';
    notes.report('UC1809', primvar.attribute.path, `${missing} indices of ${label} have no value; ${what} is used`);
    if (!hasFallback) {
      const padded = new Float32Array((values + 1) * size);
      padded.set(data);
      data = padded;
    }
    const substitute = hasFallback ? unauthored : values;
    indices = indices.map((index) => (index < values ? index : substitute));
  }
  return { data, size, interpolation, indices, ...linear };
}
