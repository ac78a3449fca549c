// A scene from straight above, north (-Z) up: its parts are drawn one after the other into one picture with depth, so that no two
// of them need be in memory together. The order of parts decides only between surfaces of equal height.

import type { Bounds, Vec3 } from '../scene/types.ts';
import { type Camera, cropTo } from './camera.ts';
import { renderDepths } from './render.ts';
import { buildRasterScene, type RasterMaterial, type RasterMesh } from './scene.ts';

export interface TopPicture {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** sRGB and straight alpha, 4 bytes a pixel, rows from the north. */
  readonly rgba: Uint8Array;
  /** What the picture covers from the least X and Z of the bounds on, in metres. */
  readonly across: number;
  readonly down: number;
}

/** Samples along each side of a pixel. */
const SAMPLES = 2;
/** The camera looks from so many sizes of the scene away: its rays are as good as parallel. */
const FAR = 400;
/** Blended surfaces with less alpha are left out, others are drawn as opaque: a sample of the picture is of one part. */
const SEEN_ALPHA = 0.5;

function solid(surface: RasterMaterial): RasterMaterial {
  const { alphaMode, transmission: _, ...rest } = surface;
  if (alphaMode === 'blend') return { ...rest, alphaMode: 'mask', alphaCutoff: SEEN_ALPHA };
  return { ...rest, alphaMode };
}

export class TopView {
  readonly #camera: Camera;
  readonly #scale: number;
  /** Of each sample its colour, and 1 over the distance from the camera; 0: nothing is there. */
  readonly #rgb: Uint8Array;
  readonly #depths: Float32Array;

  /** `side`: pixels of the longer side of the picture. */
  constructor({ min, max }: Bounds, side: number) {
    const [x, y, z] = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
    const longer = Math.max(x, z);
    // Of a scene without extent one metre is shown.
    this.#scale = side / (longer > 0 ? longer : 1);
    const pixels = (metres: number) => Math.min(side, Math.max(1, Math.ceil(metres * this.#scale)));
    const [width, height] = [pixels(x) * SAMPLES, pixels(z) * SAMPLES];
    const distance = FAR * Math.max(side / this.#scale, y);
    const position: Vec3 = [min[0], min[1] + y / 2 + distance, min[2]];
    const tangent = (samples: number) => samples / SAMPLES / this.#scale / distance;
    this.#camera = {
      position,
      right: [1, 0, 0],
      up: [0, 0, -1],
      back: [0, 1, 0],
      left: 0,
      rightEdge: tangent(width),
      bottom: -tangent(height),
      top: 0,
      width,
      height,
      near: distance / 2,
    };
    this.#rgb = new Uint8Array(width * height * 3);
    this.#depths = new Float32Array(width * height);
  }

  /** Draws a part of the scene, which lies within `bounds`. */
  add(meshes: readonly RasterMesh[], bounds: Bounds): void {
    const crop = cropTo(this.#camera, bounds);
    if (!crop) return;
    const surfaces = new Map(meshes.map(({ surface }) => [surface, solid(surface)]));
    const scene = buildRasterScene(meshes.map((mesh) => ({ ...mesh, surface: surfaces.get(mesh.surface)! })));
    const { width, height, rgb, depths } = renderDepths(scene, crop.camera);
    const [allDepths, allColors, stride] = [this.#depths, this.#rgb, this.#camera.width];
    for (let j = 0, from = 0; j < height; j++) {
      let to = (crop.y + j) * stride + crop.x;
      for (let i = 0; i < width; i++, from++, to++) {
        const depth = depths[from];
        if (depth <= allDepths[to]) continue;
        allDepths[to] = depth;
        allColors[to * 3] = rgb[from * 3];
        allColors[to * 3 + 1] = rgb[from * 3 + 1];
        allColors[to * 3 + 2] = rgb[from * 3 + 2];
      }
    }
  }

  /** What was drawn until now: a pixel is as opaque as its samples show something. */
  picture(): TopPicture {
    const stride = this.#camera.width;
    const [width, height] = [stride / SAMPLES, this.#camera.height / SAMPLES];
    const rgba = new Uint8Array(width * height * 4);
    const [depths, rgb] = [this.#depths, this.#rgb];
    for (let y = 0, to = 0; y < height; y++) {
      for (let x = 0; x < width; x++, to += 4) {
        let r = 0;
        let g = 0;
        let b = 0;
        let shown = 0;
        for (let j = 0; j < SAMPLES; j++) {
          let at = (y * SAMPLES + j) * stride + x * SAMPLES;
          for (let i = 0; i < SAMPLES; i++, at++) {
            if (depths[at] === 0) continue;
            shown++;
            r += rgb[at * 3];
            g += rgb[at * 3 + 1];
            b += rgb[at * 3 + 2];
          }
        }
        if (shown === 0) continue;
        rgba[to] = Math.round(r / shown);
        rgba[to + 1] = Math.round(g / shown);
        rgba[to + 2] = Math.round(b / shown);
        rgba[to + 3] = Math.round((255 * shown) / SAMPLES ** 2);
      }
    }
    return { width, height, rgba, across: width / this.#scale, down: height / this.#scale };
  }
}
