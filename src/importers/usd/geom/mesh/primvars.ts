// Primvars (UsdGeomPrimvar): look-up with inheritance, interpolation, indices, and the mesh attributes they become.

import type { Attribute, Interpolation } from '../../../../scene/types.ts';
import type { StageAttribute, StagePrim } from '../../compose/stage/stage.ts';
import { componentsOf, integersOf, numberOf, textOf } from '../../compose/values/values.ts';
import type { Value } from '../../layer.ts';
import type { Notes } from '../../notes.ts';

export interface Primvar {
  readonly name: string;
  readonly attribute: StageAttribute;
  readonly indices: StageAttribute | null;
  /** As declared, or the fallback; varying counts as vertex. */
  readonly interpolation: Interpolation;
}

/** How many elements each interpolation asks for. */
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

/** Finds primvars on prims and, where they are constant, on their ancestors; remembers what it has looked up. */
export class PrimvarLookup {
  readonly #found = new Map<string, Map<StagePrim, Primvar | null>>();

  /** The primvar that a prim has or inherits; a non-constant one of an ancestor is not passed on and hides those above. */
  find(prim: StagePrim, name: string): Primvar | null {
    return authored(prim, name) ?? this.#above(prim, name);
  }

  /** The primvar that a prim inherits because it has none of its own. */
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

/** The numbers of an array or of one value, and how many an element has; null when it is not numeric. */
function numbers(value: Value): { readonly data: ArrayLike<number>; readonly size: number } | null {
  const size = componentsOf(value.type);
  if (size === 0 || value.type === 'Int64' || value.type === 'UInt64') return null;
  if (value.array) return { data: value.value as ArrayLike<number>, size };
  const scalar = size === 1 ? numberOf(value) : null;
  return { data: scalar === null ? (value.value as readonly number[]) : [scalar], size };
}

/** Elements of `size` numbers as floats: a view where nothing has to change; surplus components are cut off. */
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

/** The interpolation whose element count is `count`: the declared one, else the first that fits; null: none does. */
function fittingInterpolation(count: number, declared: Interpolation, counts: ElementCounts): Interpolation | null {
  const wanted = { constant: 1, uniform: counts.faces, vertex: counts.vertices, faceVarying: counts.corners };
  const order = [declared, 'faceVarying', 'vertex', 'uniform', 'constant'] as const;
  return order.find((interpolation) => wanted[interpolation] === count) ?? null;
}

/**
 * Reads a primvar as elements of `minSize` to `maxSize` floats. Counts that disagree with the declared interpolation
 * are tried as faceVarying, vertex, uniform and constant (UC1807); what fits none, is not numeric or not finite is
 * dropped (UC1808); indices without a value take unauthoredValuesIndex, else zero (UC1809).
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
  if (!allFinite(data)) return drop('it holds values that are not finite');
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
  // varying is vertex but for subdivision, which leaves it linear.
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
