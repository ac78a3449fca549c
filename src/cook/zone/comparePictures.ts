// Draws source and result from the eyes of the proof, and says how like they are. Both are drawn with the textures of the result;
// what it has joined is drawn with those of the source there.

import { GREY } from '../../raster/background.ts';
import { compare, type Difference } from '../../raster/metrics.ts';
import { type Picture, render } from '../../raster/render.ts';
import { buildRasterScene, type RasterMaterial, type RasterScene } from '../../raster/scene.ts';
import type { Vec3 } from '../../scene/types.ts';
import { encodePng } from '../../textures/encode/png.ts';
import type { Portal } from '../../zone/zone.ts';
import { type DrawnSurfaces, drawnMeshes, surfacesOf } from '../drawScene.ts';
import type { Pictured, ZonePair, ZonePicture, ZonePictures } from './figures.ts';
import { SAMPLES } from './pictured.ts';

/** Pairs of pictures that are kept. */
const WORST = 3;

export interface ComparedPictures {
  readonly figures: ZonePictures;
  /** Those of the worst ones. */
  readonly pairs: readonly ZonePair[];
}

const WINDOW: RasterMaterial = {
  baseColor: [1, 1, 1, 1],
  baseColorTexture: null,
  emissive: [0, 0, 0],
  emissiveTexture: null,
  alphaMode: 'opaque',
  alphaCutoff: 0,
};

/** The windows, as they are seen: nothing beside them counts. */
function windowScene(portals: readonly Portal[]): RasterScene | null {
  if (portals.length === 0) return null;
  const meshes = portals.map((portal) => ({
    positions: Float32Array.from(portal.flat()),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
    normals: null,
    uv0: null,
    color0: null,
    surface: WINDOW,
  }));
  return buildRasterScene(meshes);
}

/** A picture without what lies beside the windows of another. */
function throughWindows(picture: Picture, windows: Picture | null): Picture {
  if (windows === null) return picture;
  const rgb = picture.rgb.map((value, i) => (windows.coverage[Math.floor(i / 3)] === 255 ? value : 0));
  return { ...picture, rgb, coverage: picture.coverage.map((value, i) => (windows.coverage[i] === 255 ? value : 0)) };
}

/** Compares a picture of each camera. Pairs in which neither has anything drawn do not count. Throws what reading the scenes throws. */
export async function comparePictures(
  { source, result, joined, cameras, portals }: Pictured,
  materials: DrawnSurfaces,
  signal: AbortSignal | undefined,
): Promise<ComparedPictures> {
  const windows = windowScene(portals);
  const own = joined.size > 0 ? await surfacesOf(source, joined) : null;
  const of = (index: number) => (own !== null && joined.has(index) ? own : materials);
  const authored: DrawnSurfaces = {
    material: (index) => of(index).material(index),
    surface: (index) => of(index).surface(index),
  };
  const scenes = [
    buildRasterScene(await drawnMeshes(source, authored, signal)),
    buildRasterScene(await drawnMeshes(result, materials, signal)),
  ];
  const options = { samples: SAMPLES, background: GREY } as const;
  const found: Difference[] = [];
  let worst: { readonly of: Picture; readonly made: Picture; readonly figures: ZonePicture }[] = [];
  for (const camera of cameras) {
    const seen = windows && render(windows, camera, options);
    const [of, made] = scenes.map((scene) => throughWindows(render(scene, camera, options), seen));
    const difference = compare(of, made);
    if (difference.pixels === 0) continue;
    found.push(difference);
    const { ssim, deltaE: color } = difference;
    const direction = camera.back.map((value) => 0 - value) as unknown as Vec3;
    worst.push({ of, made, figures: { eye: camera.position, direction, ssim, color } });
    // Sorting keeps the order of equal ones.
    worst = worst.sort((a, b) => a.figures.ssim - b.figures.ssim).slice(0, WORST);
  }
  const mean = (of: (one: Difference) => number) =>
    found.length === 0 ? 0 : found.reduce((sum, one) => sum + of(one), 0) / found.length;
  const figures = {
    pictures: found.length,
    ssimMean: found.length === 0 ? 1 : mean(({ ssim }) => ssim),
    ssimMin: found.reduce((least, { ssim }) => Math.min(least, ssim), 1),
    colorMean: mean(({ deltaE }) => deltaE),
    worst: worst.map((one) => one.figures),
  };
  const pairs: ZonePair[] = [];
  for (const { of, made, figures: own } of worst) {
    const { width, height } = of;
    const png = (picture: Picture) => encodePng(picture.rgb, width, height, false);
    pairs.push({ ...own, source: await png(of), result: await png(made), width, height });
  }
  return { figures, pairs };
}
