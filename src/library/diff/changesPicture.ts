// The later output dimmed, with what was added, what was removed and what only looks different in colours.

import type { Background } from '../../raster/background.ts';
import type { Camera } from '../../raster/camera.ts';
import { oklabOfBytes } from '../../raster/color.ts';
import { type Picture, render } from '../../raster/render.ts';
import { buildRasterScene, type RasterMaterial, type RasterMesh } from '../../raster/scene.ts';
import type { Vec3 } from '../../scene/types.ts';
import { NOTICED } from '../render/levelSentence.ts';
import type { Parted } from './changedTriangles.ts';

type Color = readonly [red: number, green: number, blue: number];

/** Told apart also by those who do not see red or green. */
export const ADDED: Color = [26, 115, 232];
export const REMOVED: Color = [230, 97, 0];
export const RESTYLED: Color = [240, 200, 40];

/** Of 255: where no channel differs by so much, nothing is seen of what was added or removed, as of a ground that was cut anew. */
const SEEN = 4;

/** Shares of its colour, and of white, that are left of the later output. */
const DIM = { color: 0.22, white: 0.62 } as const;
const LUMA = [0.299, 0.587, 0.114] as const;

const BLACK: Background = { up: [0, 0, 0], horizon: [0, 0, 0], down: [0, 0, 0] };

const glowing = (emissive: Vec3): RasterMaterial => ({
  baseColor: [0, 0, 0, 1],
  baseColorTexture: null,
  emissive,
  emissiveTexture: null,
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
});

/** A mesh as it covers, in one colour: cut-outs keep their holes. */
function paintedAs(mesh: RasterMesh, emissive: Vec3): RasterMesh {
  const { surface } = mesh;
  const isCut = surface.alphaMode === 'mask';
  const { baseColorTexture, alphaCutoff, baseColor } = surface;
  const own: RasterMaterial = isCut
    ? { ...glowing(emissive), alphaMode: 'mask', baseColorTexture, alphaCutoff, baseColor: [0, 0, 0, baseColor[3]] }
    : glowing(emissive);
  return { ...mesh, color0: null, surface: own };
}

/** In red how much of each pixel was removed, in blue how much was added. */
function mask(before: Parted, after: Parted, camera: Camera): Picture {
  const meshes = [
    ...after.same.map((mesh) => paintedAs(mesh, [0, 0, 0])),
    ...after.own.map((mesh) => paintedAs(mesh, [0, 0, 1])),
    ...before.own.map((mesh) => paintedAs(mesh, [1, 0, 0])),
  ];
  return render(buildRasterScene(meshes), camera, { samples: 2, background: BLACK });
}

/** `a` and `b`: both outputs as the camera sees them. */
export function changesPicture(a: Picture, b: Picture, before: Parted, after: Parted, camera: Camera): Picture {
  const covered = mask(before, after, camera).rgb;
  const rgb = new Uint8Array(b.rgb.length);
  const [labA, labB] = [new Float64Array(3), new Float64Array(3)];
  for (let at = 0; at < rgb.length; at += 3) {
    const luma = LUMA.reduce((sum, weight, k) => sum + weight * b.rgb[at + k], 0);
    const isSeen = [0, 1, 2].some((k) => Math.abs(a.rgb[at + k] - b.rgb[at + k]) >= SEEN);
    let removed = isSeen ? covered[at] / 255 : 0;
    const added = isSeen ? covered[at + 2] / 255 : 0;
    if (removed + added > 1) removed = 1 - added;
    oklabOfBytes(a.rgb[at], a.rgb[at + 1], a.rgb[at + 2], labA);
    oklabOfBytes(b.rgb[at], b.rgb[at + 1], b.rgb[at + 2], labB);
    const isOther =
      removed + added === 0 && Math.hypot(labA[0] - labB[0], labA[1] - labB[1], labA[2] - labB[2]) >= NOTICED;
    for (let k = 0; k < 3; k++) {
      const dimmed = (luma + (b.rgb[at + k] - luma) * DIM.color) * (1 - DIM.white) + 255 * DIM.white;
      const restyled = isOther ? 0.6 * RESTYLED[k] + 0.4 * dimmed : dimmed;
      rgb[at + k] = Math.round(restyled * (1 - removed - added) + removed * REMOVED[k] + added * ADDED[k]);
    }
  }
  return { width: b.width, height: b.height, rgb, coverage: b.coverage };
}
