// What one payload covers of the pictures of several cameras. Nothing is shaded that matters here: textures are left out, so
// that cut-outs cover all of their triangles.

import type { DrawnFileMaterial, Format } from '../../formats/format.ts';
import { type Camera, cropTo } from '../../raster/camera.ts';
import { render } from '../../raster/render.ts';
import { buildRasterScene, type RasterScene } from '../../raster/scene.ts';
import type { Bounds } from '../../scene/types.ts';

/** One camera that a payload is drawn for. */
export interface CoverageView {
  /** Its number, for whoever asked. */
  readonly eye: number;
  readonly camera: Camera;
  /** Opaque surfaces alone. */
  readonly opaque: boolean;
}

export interface CoverageRequest {
  /** For messages. */
  readonly name: string;
  readonly file: Uint8Array;
  /** Contain the payload. */
  readonly bounds: Bounds;
  readonly views: readonly CoverageView[];
}

/** What a payload covers of a rectangle of one camera's picture. */
export interface Covered {
  readonly eye: number;
  readonly opaque: boolean;
  /** Pixels from the upper left corner of the picture. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How much of each pixel is covered: 0 to 255. */
  readonly coverage: Uint8Array;
}

/** What a payload covers of pictures, and its triangles. */
export interface PayloadCoverage {
  readonly covered: readonly Covered[];
  readonly triangles: number;
}

/** What is seen through glass must be drawn, so that glass covers nothing. */
const covers = ({ alphaMode, transmission = 0 }: DrawnFileMaterial, opaque: boolean): boolean =>
  transmission === 0 && (!opaque || alphaMode === 'opaque');

/** Views that see nothing of the payload are left out. Throws what the reader throws. */
export async function coverageOf(
  format: Pick<Format, 'drawnFile'>,
  { name, file, bounds, views }: CoverageRequest,
): Promise<PayloadCoverage> {
  const crops = views.flatMap(({ eye, camera, opaque }) => {
    const crop = cropTo(camera, bounds);
    return crop ? [{ eye, opaque, ...crop }] : [];
  });
  const { meshes, materials } = await format.drawnFile(file, name);
  const triangles = meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  const surfaces = materials.map((material) => ({
    ...material,
    baseColorTexture: null,
    emissiveTexture: null,
    finish: null,
  }));
  const sceneOf = (opaque: boolean): RasterScene =>
    buildRasterScene(
      meshes
        .filter(({ material }) => covers(materials[material], opaque))
        .map(({ positions, normals, indices, material }) => {
          return { positions, normals, uv0: null, indices, color0: null, surface: surfaces[material] };
        }),
    );
  const scenes = new Map<boolean, RasterScene>();
  const covered = crops.map(({ eye, opaque, camera, x, y }) => {
    const scene = scenes.get(opaque) ?? sceneOf(opaque);
    scenes.set(opaque, scene);
    const { width, height, coverage } = render(scene, camera);
    return { eye, opaque, x, y, width, height, coverage };
  });
  return { covered, triangles };
}
