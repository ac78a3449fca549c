// What the cook passes from verb to verb. Typed arrays, one an attribute; no object a vertex.

import type { Bounds, Vec4 } from '../scene/types.ts';

/** Indexed triangles in mesh space with everything a vertex of the engine holds, not yet placed and not yet packed. */
export interface TriangleMesh {
  readonly vertexCount: number;
  /** 3 a vertex. */
  readonly positions: Float32Array | Float64Array;
  /** 3 a vertex, unit length. */
  readonly normals: Float32Array;
  /** 4 a vertex: unit tangent and sign (+1 or -1). */
  readonly tangents: Float32Array;
  /** 2 a vertex, V up. */
  readonly uv0: Float32Array;
  /** rgba8 linear a vertex; null: white. */
  readonly colors: Uint8Array | null;
  /** Counter-clockwise seen from the front. */
  readonly indices: Uint32Array;
}

/** Geometry as the container stores it. */
export interface PackedMesh {
  readonly vertexCount: number;
  /** 32 bytes a vertex, PBR static layout V1. */
  readonly vertices: Uint8Array;
  readonly indices: Uint16Array | Uint32Array;
  /** Of the float32 positions as stored. */
  readonly bounds: Bounds;
}

/** A constant vertex colour found while cooking: goes into the material's base colour instead of color0. */
export type ConstantColor = Vec4;
