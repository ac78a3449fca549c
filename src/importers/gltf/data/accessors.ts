// Accessors (glTF 2.0, 3.6.2): the checked table, and their elements as typed arrays. No glTF library reads them, because
// libraries trust counts, return arrays longer than their view and drop indices out of range. Only the bytes of an
// accessor are read, whatever else its view and buffer hold; where they lie in memory, a packed one is a view of them.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { type Element, quote } from '../document/element.ts';
import type { Buffers } from './buffers.ts';

export type TypedArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

export const FLOAT = 5126;
export const UNSIGNED_INT = 5125;
export const UNSIGNED_SHORT = 5123;
export const UNSIGNED_BYTE = 5121;

const COMPONENTS = {
  5120: { array: Int8Array, bytes: 1, scale: 127 },
  5121: { array: Uint8Array, bytes: 1, scale: 255 },
  5122: { array: Int16Array, bytes: 2, scale: 32767 },
  5123: { array: Uint16Array, bytes: 2, scale: 65535 },
  5125: { array: Uint32Array, bytes: 4, scale: 1 },
  5126: { array: Float32Array, bytes: 4, scale: 1 },
} as const;

type ComponentType = keyof typeof COMPONENTS;

/** Columns and rows of each type. */
const SHAPES: Readonly<Record<string, readonly [number, number]>> = {
  SCALAR: [1, 1],
  VEC2: [1, 2],
  VEC3: [1, 3],
  VEC4: [1, 4],
  MAT2: [2, 2],
  MAT3: [3, 3],
  MAT4: [4, 4],
};

/** Elements that an accessor without data may have in any file. More are allowed if another accessor has as much data. */
const FREE_ZEROS = 2 ** 20;

export interface Accessor {
  readonly path: string;
  readonly type: string;
  readonly componentType: ComponentType;
  /** Components of each element: 3 for VEC3. */
  readonly components: number;
  readonly count: number;
  readonly normalized: boolean;
  /** -1: the elements are zeros, or Draco data holds them. */
  readonly view: number;
  readonly byteOffset: number;
  readonly byteStride: number;
  readonly elementBytes: number;
  readonly sparse: Sparse | null;
  /** As declared, in stored units; null when absent or unusable. */
  readonly min: readonly number[] | null;
  readonly max: readonly number[] | null;
}

interface Sparse {
  readonly path: string;
  readonly count: number;
  readonly indices: Packed;
  readonly values: Packed;
}

/** Elements that stand apart are read in parts of about so many bytes. */
const GATHERED_BYTES = 2 ** 20;

interface Packed {
  readonly view: number;
  readonly byteOffset: number;
  readonly componentType: ComponentType;
}

function componentType(element: Element, allowed: readonly number[]): ComponentType {
  const value = element.integer('componentType', null);
  if (!allowed.includes(value)) element.fail('UC1307', `componentType is ${value}`);
  return value as ComponentType;
}

const ANY = Object.keys(COMPONENTS).map(Number);

/** Consecutive elements of an accessor. */
export interface Span {
  readonly first: number;
  readonly count: number;
}

export class Accessors {
  readonly list: readonly Accessor[];
  readonly #file: string;
  readonly #buffers: Buffers;
  /** The most elements that an accessor without data may have. */
  #zeroLimit = FREE_ZEROS;

  /** Checks every accessor against its view: UC1307, UC1308, UC1312. Reads no data. */
  constructor(root: Element, buffers: Buffers) {
    this.#file = root.file;
    this.#buffers = buffers;
    this.list = root.elements('accessors').map((element) => this.#parse(element));
    for (const accessor of this.list) if (accessor.view >= 0) this.allowZeros(accessor.count);
  }

  /** Tells that the file holds data of `count` elements: an accessor without data may then have as many. */
  allowZeros(count: number): void {
    if (count > this.#zeroLimit) this.#zeroLimit = count;
  }

  #parse(element: Element): Accessor {
    const type = element.string('type') ?? '';
    const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type] : null;
    if (shape === null) return element.fail('UC1307', `type is ${quote(type)}`);
    const component = componentType(element, ANY);
    const { bytes } = COMPONENTS[component];
    const count = element.integer('count', null, 0, 2 ** 32 - 1);
    const view = element.index('bufferView', this.#buffers.views.length, 'bufferViews');
    const byteOffset = element.integer('byteOffset', 0);
    const [columns, rows] = shape;
    // Columns of matrices start on 4-byte boundaries; the last one needs no padding after it.
    const columnBytes = columns === 1 ? rows * bytes : (rows * bytes + 3) & ~3;
    const elementBytes = columns * columnBytes;
    const byteStride = (view >= 0 && this.#buffers.views[view].byteStride) || elementBytes;
    if (view >= 0) {
      if (byteStride < elementBytes)
        element.fail('UC1312', `stride ${byteStride} for elements of ${elementBytes} bytes`);
      const end = count === 0 ? 0 : byteOffset + byteStride * (count - 1) + (columns - 1) * columnBytes + rows * bytes;
      this.#checkEnd(element, view, count, end);
    }
    const sparse = element.child('sparse');
    return {
      path: element.path,
      type,
      componentType: component,
      components: columns * rows,
      count,
      normalized: element.boolean('normalized', false) && component !== FLOAT && component !== UNSIGNED_INT,
      view,
      byteOffset,
      byteStride,
      elementBytes,
      sparse: sparse && this.#parseSparse(sparse, count, component, elementBytes),
      min: this.#declared(element, 'min', columns * rows),
      max: this.#declared(element, 'max', columns * rows),
    };
  }

  #declared(element: Element, key: 'min' | 'max', components: number): number[] | null {
    // Exporters write null for NaN here. Bounds are then computed from the vertices.
    if (element.count(key) !== components) return null;
    try {
      return element.numbers(key, components);
    } catch {
      return null;
    }
  }

  #checkEnd(element: Element, view: number, count: number, end: number): void {
    const { byteLength } = this.#buffers.views[view];
    if (end > byteLength) {
      element.fail('UC1312', `${count} elements end at byte ${end}, but bufferViews/${view} has ${byteLength}`);
    }
  }

  #parseSparse(element: Element, elements: number, component: ComponentType, elementBytes: number): Sparse {
    const count = element.integer('count', null, 0, elements);
    const packed = (key: 'indices' | 'values'): Packed => {
      const part = element.required(key);
      const view = part.index('bufferView', this.#buffers.views.length, 'bufferViews');
      if (view < 0) part.fail('UC1307', 'bufferView is missing');
      const byteOffset = part.integer('byteOffset', 0);
      const type = key === 'values' ? component : componentType(part, [UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT]);
      const size = key === 'values' ? elementBytes : COMPONENTS[type].bytes;
      this.#checkEnd(part, view, count, byteOffset + count * size);
      return { view, byteOffset, componentType: type };
    };
    return { path: element.path, count, indices: packed('indices'), values: packed('values') };
  }

  #all(accessor: Accessor): Span {
    return { first: 0, count: accessor.count };
  }

  /**
   * The elements as stored, tightly packed: a view into the buffer if it lies in memory, so not to be written to.
   * UC1314 for sparse indices out of order or range, UC1316 for an accessor without data that has more elements than any data of
   * the file.
   */
  raw(index: number, span: Span = this.#all(this.list[index])): TypedArray {
    const accessor = this.list[index];
    const { array } = COMPONENTS[accessor.componentType];
    const length = span.count * accessor.components;
    let elements: TypedArray;
    if (accessor.view >= 0) {
      elements = this.#stored(accessor, span);
    } else {
      if (accessor.count > this.#zeroLimit) {
        fail('UC1316', this.#file, accessor.path, `${accessor.count} elements are declared without any data for them`);
      }
      elements = new array(length);
    }
    if (accessor.sparse === null) return elements;
    return this.#withSparse(accessor, accessor.sparse, span, accessor.view >= 0 ? elements.slice() : elements);
  }

  #stored(accessor: Accessor, span: Span): TypedArray {
    const { components, byteStride: stride, elementBytes, componentType: type } = accessor;
    const { array, bytes: size } = COMPONENTS[type];
    if (span.count === 0) return new array(0);
    if (stride === components * size)
      return this.#numbers(accessor.view, accessor, span.first, span.count * components);
    // The count is believed only where the buffer has what the view declares.
    this.#buffers.range(accessor.view, 0, 0);
    const out = new array(span.count * components);
    // Elements that stand apart are gathered in parts, because much else may lie between them.
    const max = Math.max(1, Math.floor(GATHERED_BYTES / stride));
    for (let done = 0; done < span.count; done += max) {
      const count = Math.min(max, span.count - done);
      const from = accessor.byteOffset + (span.first + done) * stride;
      const source = this.#buffers.range(accessor.view, from, stride * (count - 1) + lastElementBytes(accessor));
      const to = done * components;
      const aligned = source.byteOffset % size === 0 && stride % size === 0 && elementBytes === components * size;
      if (aligned) gather(out, to, source, accessor, count);
      else gatherBytes(out, to, source, accessor, count);
    }
    return out;
  }

  /** `length` numbers that are tightly packed, from element `first` on. */
  #numbers(
    view: number,
    part: Pick<Accessor, 'byteOffset' | 'byteStride' | 'componentType'>,
    first: number,
    length: number,
  ): TypedArray {
    const { array, bytes: size } = COMPONENTS[part.componentType];
    const bytes = this.#buffers.range(view, part.byteOffset + first * part.byteStride, length * size);
    if (bytes.byteOffset % size === 0) return new array(bytes.buffer as ArrayBuffer, bytes.byteOffset, length);
    return new array(new Uint8Array(bytes).buffer);
  }

  #packed(part: Packed, components: number, count: number): TypedArray {
    if (count === 0) return new COMPONENTS[part.componentType].array(0);
    return this.#numbers(part.view, { ...part, byteStride: 0 }, 0, count * components);
  }

  #withSparse(accessor: Accessor, sparse: Sparse, span: Span, elements: TypedArray): TypedArray {
    const n = accessor.components;
    const indices = this.#packed(sparse.indices, 1, sparse.count);
    const values = this.#packed(sparse.values, n, sparse.count);
    let last = -1;
    for (let i = 0; i < sparse.count; i++) {
      const at = indices[i];
      if (at <= last || at >= accessor.count) {
        fail('UC1314', this.#file, sparse.path, `index ${i} is ${at} after ${last}, of ${accessor.count} elements`);
      }
      last = at;
      const to = (at - span.first) * n;
      if (to < 0 || to >= elements.length) continue;
      for (let c = 0; c < n; c++) elements[to + c] = values[i * n + c];
    }
    return elements;
  }

  /** The elements as numbers: normalised integers become fractions (glTF 2.0, 3.6.2.2). Not to be written to. */
  floats(index: number, span?: Span): Float32Array {
    return toFloats(this.raw(index, span), this.list[index]);
  }

  /** Unsigned integers, such as vertex indices. Not to be written to. */
  unsigned(index: number, span?: Span): Uint32Array {
    const raw = this.raw(index, span);
    return raw instanceof Uint32Array ? raw : Uint32Array.from(raw);
  }
}

/** Bytes from the start of an element to its last component. */
function lastElementBytes({ type, componentType, elementBytes }: Accessor): number {
  const [columns, rows] = SHAPES[type];
  return (elementBytes / columns) * (columns - 1) + rows * COMPONENTS[componentType].bytes;
}

/** Copies elements of `source` that stand apart to `out` from `to` on. */
function gather(out: TypedArray, to: number, source: Uint8Array, accessor: Accessor, count: number): void {
  const { components } = accessor;
  const { array, bytes: size } = COMPONENTS[accessor.componentType];
  const step = accessor.byteStride / size;
  const numbers = new array(source.buffer as ArrayBuffer, source.byteOffset, step * (count - 1) + components);
  for (let i = 0, from = 0, at = to; i < count; i++, from += step) {
    for (let c = 0; c < components; c++) out[at++] = numbers[from + c];
  }
}

/** The same byte by byte: for offsets and strides that break the alignment rules, and for padded matrix columns. */
function gatherBytes(target: TypedArray, to: number, source: Uint8Array, accessor: Accessor, count: number): void {
  const size = COMPONENTS[accessor.componentType].bytes;
  const [columns, rows] = SHAPES[accessor.type];
  const columnBytes = accessor.elementBytes / columns;
  const out = new Uint8Array(target.buffer);
  let at = to * size;
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < columns; c++) {
      const from = i * accessor.byteStride + c * columnBytes;
      for (let b = 0; b < rows * size; b++) out[at++] = source[from + b];
    }
  }
}

/** Zeros of a component type. */
export function typedArrayOf(type: ComponentType, length: number): TypedArray {
  return new COMPONENTS[type].array(length);
}

/** The number by which the stored integers of a normalised accessor are divided. */
export function normalizationScale(accessor: Accessor): number {
  return COMPONENTS[accessor.componentType].scale;
}

/** Stored components as floats. Integers become fractions if the accessor is normalised or `asFractions` is true. */
export function toFloats(raw: TypedArray, accessor: Accessor, asFractions = false): Float32Array {
  if (raw instanceof Float32Array) return raw;
  const out = new Float32Array(raw.length);
  if (!accessor.normalized && !asFractions) {
    out.set(raw);
    return out;
  }
  const scale = normalizationScale(accessor);
  const signed = raw instanceof Int8Array || raw instanceof Int16Array;
  for (let i = 0; i < raw.length; i++) out[i] = raw[i] / scale;
  if (signed) for (let i = 0; i < out.length; i++) if (out[i] < -1) out[i] = -1;
  return out;
}
