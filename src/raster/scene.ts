// What the renderer draws: meshes with surfaces, laid out once as flat arrays, for any number of pictures.

import type { AlphaMode, Vec3, Vec4 } from '../scene/types.ts';
import { type AlphaCuts, alphaCuts, type Texture } from './texture.ts';

/** How a mesh looks. Both sides are drawn, and normals are never turned to the camera: the engine culls nothing either. */
export interface RasterMaterial {
  /** Linear, with alpha; multiplied by the texture. */
  readonly baseColor: Vec4;
  readonly baseColorTexture: Texture | null;
  /** Linear; multiplied by the texture. */
  readonly emissive: Vec3;
  readonly emissiveTexture: Texture | null;
  readonly alphaMode: AlphaMode;
  /** Of alphaMode `mask`: less alpha is not drawn. */
  readonly alphaCutoff: number;
  /** The share of the light from behind that passes, tinted by the square root of the base colour; absent: 0, none. */
  readonly transmission?: number;
  /** Its base colour is shown as it is, whatever the light; absent: light falls on it. */
  readonly isUnlit?: true;
  /** What it mirrors, in pictures for people alone; absent: as a rough thing that is no metal. */
  readonly finish?: Finish | null;
}

/** How metallic and how rough a surface is: factors, each times one channel of a texture of plain values. */
export interface Finish {
  readonly metallic: number;
  readonly roughness: number;
  readonly metallicTexture: Texture | null;
  readonly roughnessTexture: Texture | null;
  /** 0 red, 1 green, 2 blue, 3 alpha. */
  readonly metallicChannel: number;
  readonly roughnessChannel: number;
}

/** Whether something is seen through a surface where it is drawn: the engine draws it after all others, by its alpha. */
export const isSeenThrough = ({ alphaMode, transmission = 0 }: RasterMaterial): boolean =>
  alphaMode === 'blend' || transmission > 0;

/** Triangles in world space. Without normals each triangle has its own; without UVs they are 0. */
export interface RasterMesh {
  /** Three numbers a vertex. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** Three numbers a vertex, of any length. */
  readonly normals: Float32Array | null;
  /** Two numbers a vertex, V up. */
  readonly uv0: Float32Array | null;
  /** Linear RGBA, four bytes a vertex; multiplied into the base colour. */
  readonly color0: Uint8Array | null;
  readonly surface: RasterMaterial;
}

/** One mesh after another; made by buildRasterScene. */
export interface RasterScene {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly uvs: Float32Array;
  /** Null: no mesh has colours. */
  readonly colors: Uint8Array | null;
  readonly indices: Uint32Array;
  /** Of each triangle, its index in `surfaces`. */
  readonly surfaceOf: Uint32Array;
  readonly surfaces: readonly RasterMaterial[];
  /** Of each of `surfaces`: where its texture is cut; null for what is no cut-out with a texture. */
  readonly alphaCuts: readonly (AlphaCuts | null)[];
}

/** A factor of alpha times a texel's is compared with the cutoff, so that the texel's is compared with the quotient. */
function cutsOf(surface: RasterMaterial): AlphaCuts | null {
  const { alphaMode, baseColorTexture, alphaCutoff, baseColor } = surface;
  if (alphaMode !== 'mask' || isSeenThrough(surface) || baseColorTexture === null) return null;
  return alphaCuts(baseColorTexture, alphaCutoff / Math.max(baseColor[3], 1e-6));
}

/** Throws for an index beyond the vertices. */
export function buildRasterScene(meshes: readonly RasterMesh[]): RasterScene {
  let vertexCount = 0;
  let indexCount = 0;
  for (const { positions, indices } of meshes) {
    vertexCount += positions.length / 3;
    indexCount += indices.length - (indices.length % 3);
  }
  const surfaces: RasterMaterial[] = [];
  const surfaceIndex = new Map<RasterMaterial, number>();
  const scene = {
    positions: new Float32Array(vertexCount * 3),
    normals: new Float32Array(vertexCount * 3),
    uvs: new Float32Array(vertexCount * 2),
    colors: meshes.some(({ color0 }) => color0 !== null) ? new Uint8Array(vertexCount * 4).fill(255) : null,
    indices: new Uint32Array(indexCount),
    surfaceOf: new Uint32Array(indexCount / 3),
    surfaces,
  };
  let firstVertex = 0;
  let firstIndex = 0;
  for (const { positions, normals, uv0, color0, indices, surface } of meshes) {
    const count = positions.length / 3;
    scene.positions.set(positions, firstVertex * 3);
    // Zeros mean that the triangle's own normal counts.
    if (normals) scene.normals.set(normals, firstVertex * 3);
    if (uv0) scene.uvs.set(uv0, firstVertex * 2);
    if (color0) scene.colors!.set(color0, firstVertex * 4);
    let index = surfaceIndex.get(surface);
    if (index === undefined) {
      index = surfaces.length;
      surfaceIndex.set(surface, index);
      surfaces.push(surface);
    }
    const corners = indices.length - (indices.length % 3);
    for (let i = 0; i < corners; i++) {
      if (indices[i] >= count) throw new Error(`index ${indices[i]} of ${count} vertices`);
      scene.indices[firstIndex + i] = firstVertex + indices[i];
    }
    scene.surfaceOf.fill(index, firstIndex / 3, (firstIndex + corners) / 3);
    firstVertex += count;
    firstIndex += corners;
  }
  return { ...scene, alphaCuts: surfaces.map(cutsOf) };
}
