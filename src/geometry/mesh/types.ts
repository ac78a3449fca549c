// What the cook passes from verb to verb. Typed arrays, one an attribute; no object a vertex. Arrays may be shared with
// the source mesh or between results: nobody writes into an array that it did not make.

import type { Bounds, Vec4 } from '../../scene/types.ts';

/** Indexed triangles in mesh space with everything a vertex of the engine holds, not yet placed and not yet packed. */
export interface TriangleMesh {
  readonly vertexCount: number;
  /** 3 a vertex. */
  readonly positions: Float32Array | Float64Array;
  /** 3 a vertex, unit length. */
  readonly normals: Float32Array;
  /** 4 a vertex: unit tangent and sign (+1 or -1); null: none made, the format's default is stored. */
  readonly tangents: Float32Array | null;
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

/** The source file and the element in it that a diagnostic of the cook names. */
export interface SourceElement {
  readonly file: string;
  readonly path: string;
}
