// Small meshes and cameras for the tests of the renderer.

import { type Camera, lookAt, wholePicture } from '../../src/raster/camera.ts';
import { type Picture, type RenderOptions, render } from '../../src/raster/render.ts';
import { buildRasterScene, type RasterMaterial, type RasterMesh } from '../../src/raster/scene.ts';
import { buildTexture, type Texture } from '../../src/raster/texture.ts';
import type { Vec3, Vec4 } from '../../src/scene/types.ts';

/** A surface that shows its colour whatever the light: emission alone. */
export function glowing(emissive: Vec3, more: Partial<RasterMaterial> = {}): RasterMaterial {
  return {
    baseColor: [0, 0, 0, 1],
    baseColorTexture: null,
    emissive,
    emissiveTexture: null,
    alphaMode: 'opaque',
    alphaCutoff: 0.5,
    ...more,
  };
}

export function painted(baseColor: Vec4, more: Partial<RasterMaterial> = {}): RasterMaterial {
  return { ...glowing([0, 0, 0]), baseColor, ...more };
}

/** Triangles of points, three numbers each. */
export function triangles(
  positions: readonly number[],
  surface: RasterMaterial,
  more: Partial<RasterMesh> = {},
): RasterMesh {
  return {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
    normals: null,
    uv0: null,
    color0: null,
    surface,
    ...more,
  };
}

/** A rectangle facing +Z at `z`, with UVs from 0 to 1, V up. */
export function rectangle(
  [x0, y0, x1, y1]: Vec4,
  z: number,
  surface: RasterMaterial,
  more: Partial<RasterMesh> = {},
): RasterMesh {
  return {
    positions: Float32Array.of(x0, y0, z, x1, y0, z, x1, y1, z, x0, y1, z),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
    normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
    uv0: Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1),
    color0: null,
    surface,
    ...more,
  };
}

/**
 * A camera at the origin that looks along -Z, whose picture spans x from 0 to `width` and y from 0 to `height` at z = -1, so
 * that a pixel there is one metre wide.
 */
export function pixelCamera(width: number, height: number, more: Partial<Camera> = {}): Camera {
  const axes = { position: [0, 0, 0], right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] } as const;
  return { ...axes, left: 0, rightEdge: width, bottom: 0, top: height, width, height, near: 0.01, ...more };
}

export function cameraAt(position: Vec3, target: Vec3, width = 64, height = 64): Camera {
  return wholePicture(lookAt(position, target)!, width, height, 0.05);
}

export const BLACK: RenderOptions = {
  samples: 1,
  background: { up: [0, 0, 0], horizon: [0, 0, 0], down: [0, 0, 0] },
};

export function draw(meshes: readonly RasterMesh[], camera: Camera, options: RenderOptions = BLACK): Picture {
  return render(buildRasterScene(meshes), camera, options);
}

/** Rows of a picture, a character a pixel: what `letters` calls its colour, `.` for what is not drawn on. */
export function rows(
  { width, height, rgb, coverage }: Picture,
  letters: Readonly<Record<string, string>> = {},
): string[] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => {
      const at = y * width + x;
      if (coverage[at] === 0) return '.';
      return letters[rgb.subarray(at * 3, at * 3 + 3).join(' ')] ?? '#';
    }).join(''),
  );
}

export function pixel({ width, rgb }: Picture, x: number, y: number): number[] {
  return [...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
}

/** A texture of rows of RGBA texels. */
export function texture(texels: readonly (readonly (readonly number[])[])[]): Texture {
  return buildTexture(Uint8Array.from(texels.flat(2)), texels[0].length, texels.length);
}
