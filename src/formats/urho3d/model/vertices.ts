// The elements of vertices as one array each, and back.

import { ELEMENT_TYPES, type Semantic, stride, type VertexElement } from './elements.ts';
import type { VertexBuffer } from './layout.ts';

/** All values of one element, in the order of the vertices. Bytes of colours are 0 to 255. */
export interface VertexColumn extends VertexElement {
  readonly values: Float32Array | Uint32Array | Uint8Array;
}

const ARRAYS = { f32: Float32Array, u32: Uint32Array, u8: Uint8Array } as const;

/** The values of an element; null if the buffer has no such element. */
export function vertexColumn(buffer: VertexBuffer, semantic: Semantic, index = 0): VertexColumn | null {
  let offset = 0;
  for (const element of buffer.elements) {
    if (element.semantic === semantic && element.index === index) return readColumn(buffer, element, offset);
    offset += ELEMENT_TYPES[element.type].bytes;
  }
  return null;
}

/** Every element of a buffer. */
export function vertexColumns(buffer: VertexBuffer): VertexColumn[] {
  let offset = 0;
  return buffer.elements.map((element) => {
    const column = readColumn(buffer, element, offset);
    offset += ELEMENT_TYPES[element.type].bytes;
    return column;
  });
}

function readColumn(
  { data, elements, vertexCount }: VertexBuffer,
  element: VertexElement,
  offset: number,
): VertexColumn {
  const { components, scalar } = ELEMENT_TYPES[element.type];
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const step = stride(elements);
  const values = new ARRAYS[scalar](vertexCount * components);
  for (let vertex = 0, to = 0, at = offset; vertex < vertexCount; vertex++, at += step) {
    for (let i = 0; i < components; i++, to++) {
      if (scalar === 'f32') values[to] = view.getFloat32(at + 4 * i, true);
      else if (scalar === 'u32') values[to] = view.getUint32(at + 4 * i, true);
      else values[to] = data[at + i];
    }
  }
  return { ...element, values };
}

/** A buffer with these columns in this order; all vertices may be moved by morphs if `morphs` says so. */
export function packVertices(columns: readonly VertexColumn[], morphs = false): VertexBuffer {
  const elements = columns.map(({ type, semantic, index }) => ({ type, semantic, index }));
  const [first] = columns;
  if (!first) throw new Error('a vertex without elements');
  const vertexCount = first.values.length / ELEMENT_TYPES[first.type].components;
  const step = stride(elements);
  const data = new Uint8Array(vertexCount * step);
  const view = new DataView(data.buffer);
  let offset = 0;
  for (const { type, semantic, values } of columns) {
    const { bytes, components, scalar } = ELEMENT_TYPES[type];
    if (values.length !== vertexCount * components) throw new Error(`${semantic} has another number of vertices`);
    for (let vertex = 0, from = 0, at = offset; vertex < vertexCount; vertex++, at += step) {
      for (let i = 0; i < components; i++, from++) {
        if (scalar === 'f32') view.setFloat32(at + 4 * i, values[from], true);
        else if (scalar === 'u32') view.setUint32(at + 4 * i, values[from], true);
        else data[at + i] = values[from];
      }
    }
    offset += bytes;
  }
  return { vertexCount, elements, morphStart: 0, morphCount: morphs ? vertexCount : 0, data };
}
