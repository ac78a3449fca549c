// What the numbers of a vertex mean. The format has no semantics, and the order is ours: position, normal, tangent, texture
// coordinates, sets of colours, bones with their weights. Of a model in another order the first FLOAT3 is the position, the second one
// the normal, and the first FLOAT2 the texture coordinates.

import { COLOR_SETS } from '../../geometry/mesh/attributes.ts';
import { positionOffset, vertexBytes } from './kinds/model.ts';
import { COMPONENT_BYTES } from './records.ts';
import type { BpxModel, BpxVertexArray, VertexComponent } from './types.ts';

const floats = (count: number): VertexComponent => ({ type: 'f32', count });
const POSITION = floats(3);
const NORMAL = floats(3);
const TANGENT = floats(4);
const UV = floats(2);
const COLOR = floats(4);
export const INFLUENCES = 4;
const BONES: VertexComponent = { type: 'u32', count: INFLUENCES };
const WEIGHTS = floats(INFLUENCES);
/** What every vertex of ours begins with. */
const BEGIN = [POSITION, NORMAL, TANGENT, UV];

/** The components of a vertex with so many sets of colours. */
export function ownComponents(colorSets: number, hasBones: boolean): readonly VertexComponent[] {
  const colors = new Array<VertexComponent>(colorSets).fill(COLOR);
  return [...BEGIN, ...colors, ...(hasBones ? [BONES, WEIGHTS] : [])];
}

/** Where things are in a vertex, in bytes; null: it has none. */
export interface VertexColumns {
  readonly position: number;
  readonly normal: number | null;
  readonly tangent: number | null;
  readonly uv: number | null;
  readonly colors: readonly number[];
  readonly bones: { readonly joints: number; readonly weights: number } | null;
  /** Components that mean nothing here. */
  readonly unknown: number;
}

const isLike = (a: VertexComponent | undefined, b: VertexComponent) => a?.type === b.type && a.count === b.count;
const isSame = (a: readonly VertexComponent[], b: readonly VertexComponent[]) =>
  a.length === b.length && b.every((component, i) => isLike(a[i], component));

/** Null: no component can be a position. */
export function columnsOf(components: readonly VertexComponent[]): VertexColumns | null {
  const position = positionOffset(components);
  if (position === null) return null;
  const offsetOf = (index: number) => (index < 0 ? null : vertexBytes(components.slice(0, index)));
  const hasBones = components.some((component) => isLike(component, BONES));
  const sets = components.length - BEGIN.length - (hasBones ? 2 : 0);
  if (sets >= 0 && sets <= COLOR_SETS.length && isSame(components, ownComponents(sets, hasBones))) {
    const at = (index: number) => offsetOf(index) as number;
    const joints = BEGIN.length + sets;
    return {
      position: at(0),
      normal: at(1),
      tangent: at(2),
      uv: at(3),
      colors: Array.from({ length: sets }, (_, i) => at(BEGIN.length + i)),
      bones: hasBones ? { joints: at(joints), weights: at(joints + 1) } : null,
      unknown: 0,
    };
  }
  const vectors = [...components.keys()].filter((i) => isLike(components[i], POSITION));
  const normal = offsetOf(vectors[1] ?? -1);
  const uv = offsetOf(components.findIndex((component) => isLike(component, UV)));
  const known = 1 + (normal === null ? 0 : 1) + (uv === null ? 0 : 1);
  return { position, normal, tangent: null, uv, colors: [], bones: null, unknown: components.length - known };
}

/** Numbers of every vertex from `offset` on, in the given order. */
export function floatColumn(
  { components }: Pick<BpxModel, 'components'>,
  { vertices, vertexCount }: Pick<BpxVertexArray, 'vertices' | 'vertexCount'>,
  offset: number,
  order: readonly number[],
): Float32Array {
  const view = new DataView(vertices.buffer, vertices.byteOffset, vertices.byteLength);
  const stride = vertexBytes(components);
  const out = new Float32Array(vertexCount * order.length);
  for (let v = 0, to = 0; v < vertexCount; v++) {
    for (const k of order) out[to++] = view.getFloat32(v * stride + offset + k * COMPONENT_BYTES, true);
  }
  return out;
}

/** The bones of every vertex. */
export function boneColumn(
  { components }: Pick<BpxModel, 'components'>,
  { vertices, vertexCount }: Pick<BpxVertexArray, 'vertices' | 'vertexCount'>,
  offset: number,
): Uint32Array {
  const view = new DataView(vertices.buffer, vertices.byteOffset, vertices.byteLength);
  const stride = vertexBytes(components);
  return Uint32Array.from({ length: vertexCount * INFLUENCES }, (_, i) => {
    const [v, k] = [Math.floor(i / INFLUENCES), i % INFLUENCES];
    return view.getUint32(v * stride + offset + k * COMPONENT_BYTES, true);
  });
}
