// The binary chunk of a GLB while it is made: arrays become buffer views and accessors, an array that is given twice one of
// them. With meshopt the views of geometry are compressed, and where they would be is a buffer without bytes
// (EXT_meshopt_compression, "Fallback buffers").

import { MeshoptEncoder } from 'meshoptimizer';
import {
  type Accessor,
  ARRAY_BUFFER,
  COMPONENTS,
  type ComponentArray,
  type ComponentType,
  type ELEMENT_ARRAY_BUFFER,
  type ElementType,
  type GlbJson,
  MESHOPT,
  SIZES,
  type View,
} from './layout.ts';

export interface AccessorRole {
  readonly type: ElementType;
  /** What the view is bound as; absent: it is no geometry. */
  readonly target?: typeof ARRAY_BUFFER | typeof ELEMENT_ARRAY_BUFFER;
  readonly normalized?: boolean;
  /** States the least and greatest of each component. */
  readonly range?: boolean;
}

const ALIGNMENT = 4;
const padded = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function componentType(array: ComponentArray): ComponentType {
  const found = Object.entries(COMPONENTS).find(([, { array: kind }]) => array instanceof kind);
  return Number(found?.[0]) as ComponentType;
}

/** Least and greatest of each component. */
export function rangeOf(values: ArrayLike<number>, size: number): { min: number[]; max: number[] } {
  const min = new Array<number>(size).fill(Number.POSITIVE_INFINITY);
  const max = new Array<number>(size).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < values.length; i++) {
    const k = i % size;
    if (values[i] < min[k]) min[k] = values[i];
    if (values[i] > max[k]) max[k] = values[i];
  }
  return { min, max };
}

export class GlbBuilder {
  readonly #views: View[] = [];
  readonly #accessors: Accessor[] = [];
  readonly #known = new Map<unknown, number>();
  readonly #chunks: Uint8Array[] = [];
  readonly #compresses: boolean;
  #length = 0;
  /** Bytes that compressed views have once they are decompressed. */
  #fallback = 0;

  private constructor(compresses: boolean) {
    this.#compresses = compresses;
  }

  static async open(compresses: boolean): Promise<GlbBuilder> {
    if (compresses) await MeshoptEncoder.ready;
    return new GlbBuilder(compresses);
  }

  #append(bytes: Uint8Array): number {
    const at = this.#length;
    this.#chunks.push(bytes);
    const room = padded(bytes.length) - bytes.length;
    if (room > 0) this.#chunks.push(new Uint8Array(room));
    this.#length += padded(bytes.length);
    return at;
  }

  /** The index of a view of plain bytes. */
  view(bytes: Uint8Array): number {
    this.#views.push({ buffer: 0, byteOffset: this.#append(bytes), byteLength: bytes.length });
    return this.#views.length - 1;
  }

  #geometryView(bytes: Uint8Array, stride: number, target: number): number {
    const own = target === ARRAY_BUFFER ? { byteStride: stride, target } : { target };
    if (!this.#compresses) {
      this.#views.push({ buffer: 0, byteOffset: this.#append(bytes), byteLength: bytes.length, ...own });
      return this.#views.length - 1;
    }
    const mode = target === ARRAY_BUFFER ? 'ATTRIBUTES' : 'TRIANGLES';
    const count = bytes.length / stride;
    const packed = MeshoptEncoder.encodeGltfBuffer(bytes, count, stride, mode);
    const compressed = { buffer: 0, byteOffset: this.#append(packed), byteLength: packed.length, byteStride: stride };
    this.#views.push({
      buffer: 1,
      byteOffset: this.#fallback,
      byteLength: bytes.length,
      ...own,
      extensions: { [MESHOPT]: { ...compressed, count, mode } },
    });
    this.#fallback += padded(bytes.length);
    return this.#views.length - 1;
  }

  /** The index of an accessor for all values of an array. Arrays are known by their identity. */
  accessor(array: ComponentArray, { type, target, normalized, range }: AccessorRole): number {
    const known = this.#known.get(array);
    if (known !== undefined) return known;
    const size = SIZES[type];
    const stride = size * array.BYTES_PER_ELEMENT;
    const bufferView = target ? this.#geometryView(bytesOf(array), stride, target) : this.view(bytesOf(array));
    this.#accessors.push({
      bufferView,
      componentType: componentType(array),
      count: array.length / size,
      type,
      ...(normalized ? { normalized } : {}),
      ...(range ? rangeOf(array, size) : {}),
    });
    this.#known.set(array, this.#accessors.length - 1);
    return this.#accessors.length - 1;
  }

  /** The lists of the JSON, and the bytes of the binary chunk. */
  end(): {
    readonly json: Pick<GlbJson, 'accessors' | 'bufferViews' | 'buffers'>;
    readonly chunks: readonly Uint8Array[];
  } {
    const buffers = [
      { byteLength: this.#length },
      ...(this.#fallback > 0 ? [{ byteLength: this.#fallback, extensions: { [MESHOPT]: { fallback: true } } }] : []),
    ];
    return {
      json: { accessors: this.#accessors, bufferViews: this.#views, ...(this.#length > 0 ? { buffers } : {}) },
      chunks: this.#chunks,
    };
  }
}
