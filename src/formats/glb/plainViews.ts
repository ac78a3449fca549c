// How numbers and images lie in the buffer of a GLB: each in a view of its own, one after the other, as they are in memory.
// The layout of gltf-transform copies every number four times on its way into the file: a fifth of the CPU time of a cook.

import { BufferUtils, Extension, type GLTF, PropertyType, WriterContext } from '@gltf-transform/core';

const { BufferViewTarget, USAGE_TO_TARGET } = WriterContext;

/** Elements of so many bytes, each of which begins on a word (glTF 2.0, 3.6.2.4). */
function onWords(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const stride = BufferUtils.padNumber(size);
  if (stride === size) return bytes;
  const padded = new Uint8Array((bytes.length / size) * stride);
  for (let from = 0, to = 0; from < bytes.length; from += size, to += stride) {
    for (let k = 0; k < size; k++) padded[to + k] = bytes[from + k];
  }
  return padded;
}

/** Lays out what is written: an extension may do that. No file names it. */
export class PlainViews extends Extension {
  static override readonly EXTENSION_NAME = 'plain views';
  override readonly extensionName = PlainViews.EXTENSION_NAME;
  override readonly prewriteTypes = [PropertyType.ACCESSOR];
  /** The bytes of the buffer. */
  readonly chunks: Uint8Array[] = [];
  #length = 0;

  #append(bytes: Uint8Array): Pick<GLTF.IBufferView, 'byteOffset' | 'byteLength'> {
    const byteOffset = this.#length;
    const room = BufferUtils.padNumber(bytes.length) - bytes.length;
    this.chunks.push(bytes, new Uint8Array(room));
    this.#length += bytes.length + room;
    return { byteOffset, byteLength: bytes.length };
  }

  override prewrite(context: WriterContext): this {
    const { accessors = [], bufferViews = [], images = [] } = context.jsonDoc.json;
    for (const [i, bytes] of context.imageBufferViews.splice(0).entries())
      Object.assign(bufferViews[images[i].bufferView as number], this.#append(bytes));
    for (const accessor of this.document.getRoot().listAccessors()) {
      const target = USAGE_TO_TARGET[context.getAccessorUsage(accessor)];
      const own = BufferUtils.toView(accessor.getArray() as Float32Array<ArrayBuffer>);
      const isVertices = target === BufferViewTarget.ARRAY_BUFFER;
      const bytes = isVertices ? onWords(own, own.length / accessor.getCount()) : own;
      const stride = isVertices ? { byteStride: bytes.length / accessor.getCount() } : {};
      const view = { buffer: 0, ...this.#append(bytes), ...stride, ...(target ? { target } : {}) };
      context.accessorIndexMap.set(accessor, accessors.length);
      accessors.push({ ...context.createAccessorDef(accessor), bufferView: bufferViews.push(view) - 1 });
    }
    return this;
  }

  override write({ jsonDoc: { json } }: WriterContext): this {
    json.extensionsUsed = (json.extensionsUsed ?? []).filter((name) => name !== this.extensionName);
    if (this.#length > 0) json.buffers = [{ byteLength: this.#length }];
    return this;
  }

  override read(): this {
    throw new Error('no file has it');
  }
}
