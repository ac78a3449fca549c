// The one mesh type that the verbs of geometry/ take and give: indexed triangles, positions and a table of attributes.
// There is one typed array for each attribute, and no object for each vertex. Arrays may be shared with the source mesh or
// between results: no function writes into an array that it did not make.

import {
  type AttributeArray,
  type Attributes,
  fillFallback,
  kindOf,
  mapAttributes,
  type Semantic,
} from './attributes.ts';

/** Indexed triangles in mesh space or in world space. */
export interface Mesh {
  readonly vertexCount: number;
  /** x, y and z of each vertex. Float64 only before the mesh is placed. */
  readonly positions: Float32Array | Float64Array;
  /** By semantic (attributes.ts); an absent one has its fallback at every vertex. */
  readonly attributes: Attributes;
  /** Counter-clockwise seen from the front. */
  readonly indices: Uint32Array;
}

/** A mesh in the precision that files store: placed, or read back. */
export interface Float32Mesh extends Mesh {
  readonly positions: Float32Array;
}

/** Triangles over positions alone, three numbers a vertex. */
export interface Triangles<Positions = Float32Array> {
  readonly positions: Positions;
  readonly indices: Uint32Array;
}

/** The values of an attribute, made from its fallback where the mesh has none. */
export function valuesOf<S extends Semantic>(mesh: Mesh, semantic: S): NonNullable<Attributes[S]> {
  const { attributes, vertexCount } = mesh;
  let values: AttributeArray | undefined = attributes[semantic];
  if (values === undefined) {
    const kind = kindOf(semantic);
    values = new kind.array(vertexCount * kind.components);
    fillFallback(kind, attributes.normal, values, 0, vertexCount);
  }
  return values as NonNullable<Attributes[S]>;
}

/** The listed vertices of a mesh, in the order of the list, with triangles over their new numbers. */
export function pickVertices<Positions extends Float32Array | Float64Array>(
  mesh: Mesh & { readonly positions: Positions },
  vertices: Uint32Array,
  indices: Uint32Array,
): Mesh & { readonly positions: Positions } {
  return {
    vertexCount: vertices.length,
    positions: pickRows(mesh.positions, 3, vertices),
    attributes: mapAttributes(mesh.attributes, (values, { components }) => pickRows(values, components, vertices)),
    indices,
  };
}

/** Rows of `size` numbers, each row a whole number of words, in the order of `rows`. */
export function pickRows<T extends Float32Array | Float64Array | Uint8Array>(
  data: T,
  size: number,
  rows: Uint32Array,
): T {
  const out = new (data.constructor as new (length: number) => T)(rows.length * size);
  // Copy 32-bit words: the hot loop then sees one kind of array for all numbers.
  pickWords(bitsOf(data), (size * data.BYTES_PER_ELEMENT) / 4, rows, bitsOf(out));
  return out;
}

/** The widths of all attributes have a loop each, which takes half the time of one for any width. */
function pickWords(words: Uint32Array, width: number, rows: Uint32Array, out: Uint32Array): void {
  const { length } = rows;
  switch (width) {
    case 1:
      for (let i = 0; i < length; i++) out[i] = words[rows[i]];
      break;
    case 2:
      for (let i = 0, to = 0; i < length; i++, to += 2) {
        const at = rows[i] * 2;
        out[to] = words[at];
        out[to + 1] = words[at + 1];
      }
      break;
    case 3:
      for (let i = 0, to = 0; i < length; i++, to += 3) {
        const at = rows[i] * 3;
        out[to] = words[at];
        out[to + 1] = words[at + 1];
        out[to + 2] = words[at + 2];
      }
      break;
    case 4:
      for (let i = 0, to = 0; i < length; i++, to += 4) {
        const at = rows[i] * 4;
        out[to] = words[at];
        out[to + 1] = words[at + 1];
        out[to + 2] = words[at + 2];
        out[to + 3] = words[at + 3];
      }
      break;
    default:
      for (let i = 0, to = 0; i < length; i++) {
        const at = rows[i] * width;
        for (let k = 0; k < width; k++) out[to++] = words[at + k];
      }
  }
}

/** The numbers of an array by their bits: an attribute of bytes has four to a word. */
export function bitsOf(data: AttributeArray | Float64Array): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
}
