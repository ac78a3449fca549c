// Pictures for people: as render.ts draws what is measured, with shadows, the light of the sky, reflections and sharp textures
// besides. The kernel finds what is seen; this room shades it. The result depends on scene, camera and options alone.

import { boundsOfPoints } from '../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';
import type { Background } from '../background.ts';
import type { Camera } from '../camera.ts';
import { byteOfLinear } from '../color.ts';
import { painter } from '../placed.ts';
import type { Picture } from '../render.ts';
import { isSeenThrough, type RasterScene } from '../scene.ts';
import { addCube } from './cube.ts';
import type { Environment } from './environment.ts';
import { boundsOfGrid, type Floor, floorShare, gridOf, meetFloor } from './grid.ts';
import { Hit, Rays } from './hit.ts';
import { LightMap } from './lightMap.ts';
import { occlusionOf } from './occlusion.ts';
import { Shader, toned } from './shade.ts';
import { type Band, NOTHING, type Samples, Sight } from './sight.ts';
import { sunAt } from './sunlight.ts';
import { Through } from './through.ts';

export interface PictureOptions {
  readonly samples: Samples;
  readonly environment: Environment;
  /** Behind everything; null: the environment itself. */
  readonly background: Background | null;
  /** Whether the scene's shadow falls on a floor below it that is not seen itself. */
  readonly hasFloor: boolean;
  /** Whether the camera stands in a closed room. */
  readonly isInside: boolean;
}

/** Texels along a side of the sun's map: of large pictures, of small ones, and for each pixel of the longer side. */
const SUN_SIZE = 2048;
const LEAST_SUN = 512;
const SUN_TEXELS = 1.6;

const sunSize = ({ width, height }: Camera): number =>
  Math.min(SUN_SIZE, Math.max(LEAST_SUN, Math.ceil((Math.max(width, height) * SUN_TEXELS) / 4) * 4));

/** The floor below a scene; null where the camera is below it. */
function floorOf({ min, max }: Bounds, { position }: Camera): Floor | null {
  if (position[1] <= min[1]) return null;
  const [x, z] = [(min[0] + max[0]) / 2, (min[2] + max[2]) / 2];
  const spread = [0, 1, 2].map((k) => max[k] - min[k]);
  const radius = Math.max(1e-3, Math.sqrt(spread[0] ** 2 + spread[1] ** 2 + spread[2] ** 2) / 2);
  // A hair below, so that a ground at that height covers it.
  return { height: min[1] - radius * 1e-4, x, z, radius };
}

const radiusOf = ({ min, max }: Bounds): number =>
  Math.max(1e-3, Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (max[k] - min[k]) ** 2, 0)) / 2);

/** The colour behind everything in a direction of any length, into `to`. */
function skyAt({ background, environment }: PictureOptions, ray: Float64Array, to: Float64Array): void {
  const length = Math.sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]);
  if (background === null) {
    to.fill(0);
    addCube(environment.cube, ray[0] / length, ray[1] / length, ray[2] / length, 1, to);
    toned(to);
    return;
  }
  const height = ray[1] / length;
  const end = height < 0 ? background.down : background.up;
  const far = 1 - Math.abs(height);
  for (let k = 0; k < 3; k++) to[k] = background.horizon[k] + (end[k] - background.horizon[k]) * (1 - far * far);
}

/** One picture being drawn. */
class Drawing {
  readonly #camera: Camera;
  readonly #options: PictureOptions;
  readonly #rays: Rays;
  readonly #shader: Shader;
  readonly #floor: Floor | null;
  readonly #sunMap: LightMap | null;
  readonly #through: Through | null;
  readonly #hit = new Hit();
  readonly #ray = new Float64Array(3);
  readonly #color = new Float64Array(4);
  readonly #sky = new Float64Array(3);
  readonly #ids = new Uint32Array(16);
  readonly rgb: Uint8Array;
  readonly coverage: Uint8Array;

  constructor(sight: Sight, scene: RasterScene, camera: Camera, options: PictureOptions) {
    const { environment, hasFloor, isInside } = options;
    const bounds = boundsOfPoints(scene.positions) ?? { min: [0, 0, 0] as Vec3, max: [0, 0, 0] as Vec3 };
    this.#camera = camera;
    this.#options = options;
    this.#rays = new Rays(scene, camera);
    this.#floor = hasFloor && !isInside ? floorOf(bounds, camera) : null;
    const grid = gridOf(sight, scene, camera, this.#floor);
    const box = boundsOfGrid(grid) ?? bounds;
    const radius = radiusOf(bounds);
    this.#sunMap = null;
    if (environment.sun && !isInside) {
      this.#sunMap = new LightMap(sunSize(camera));
      this.#sunMap.draw(sight, environment.sun.direction, box, radius);
    }
    const occlusion = occlusionOf(sight, grid, box, radius, scene.surfaceOf.length, isInside);
    this.#shader = new Shader(scene, camera, { environment, sunMap: this.#sunMap, grid, occlusion, isInside });
    const order = scene.surfaces.some(isSeenThrough) ? sight.seenThrough(camera) : new Uint32Array(0);
    this.#through = order.length > 0 ? new Through(scene, camera, options.samples, order) : null;
    this.rgb = new Uint8Array(camera.width * camera.height * 3);
    this.coverage = new Uint8Array(camera.width * camera.height);
  }

  /** Draws a band of pixels. */
  band(band: Band): void {
    const { width } = this.#camera;
    const { samples } = this.#options;
    const { row, rows, stride, triangles } = band;
    const kept = this.#through?.begin(band) ?? null;
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < width; i++) {
        const first = j * samples * stride + i * samples;
        this.#pixel(i, row + j, triangles, first, stride, kept);
      }
    }
    if (this.#through === null) return;
    this.#through.draw(this.#rays, this.#shader);
    this.#through.resolve((pixel, color) => this.#put(row * width + pixel, color));
  }

  /** Each triangle that a pixel shows is shaded once, in the middle of the samples that show it. */
  #pixel(
    i: number,
    row: number,
    triangles: Uint32Array,
    first: number,
    stride: number,
    kept: Float32Array | null,
  ): void {
    const { samples: n } = this.#options;
    const ids = this.#ids;
    const count = n * n;
    for (let s = 0, k = 0; s < n; s++) for (let r = 0; r < n; r++, k++) ids[k] = triangles[first + s * stride + r];
    let [red, green, blue, covered] = [0, 0, 0, 0];
    const color = this.#color;
    let rest = (1 << count) - 1;
    while (rest !== 0) {
      const one = ids[31 - Math.clz32(rest & -rest)];
      let own = 0;
      let [across, down, times] = [0, 0, 0];
      for (let k = 0; k < count; k++) {
        if (ids[k] !== one) continue;
        own |= 1 << k;
        across += k % n;
        down += Math.floor(k / n);
        times++;
      }
      this.#shade(one, i + (across / times + 0.5) / n, row + (down / times + 0.5) / n);
      red += color[0] * times;
      green += color[1] * times;
      blue += color[2] * times;
      covered += color[3] * times;
      if (kept !== null) {
        for (let k = 0; k < count; k++) {
          if (ids[k] === one) kept.set(color, (first + Math.floor(k / n) * stride + (k % n)) * 4);
        }
      }
      rest &= ~own;
    }
    if (kept !== null) return;
    color[0] = red / count;
    color[1] = green / count;
    color[2] = blue / count;
    color[3] = covered / count;
    this.#put(row * this.#camera.width + i, color);
  }

  #put(pixel: number, color: Float64Array): void {
    for (let k = 0; k < 3; k++) this.rgb[pixel * 3 + k] = byteOfLinear(color[k]);
    this.coverage[pixel] = Math.floor(Math.min(1, color[3]) * 255 + 0.5);
  }

  /** The colour of a triangle, or of what is behind all, at a place of the picture in pixels. */
  #shade(triangle: number, column: number, row: number): void {
    const color = this.#color;
    this.#rays.ray(column, row, this.#ray);
    if (triangle !== NOTHING) {
      this.#rays.meet(triangle, this.#ray, this.#hit);
      this.#shader.color(this.#hit, column, row, color);
      color[3] = 1;
      return;
    }
    skyAt(this.#options, this.#ray, this.#sky);
    color.set(this.#sky);
    color[3] = 0;
    const floor = this.#floor;
    if (floor === null || !meetFloor(floor, this.#camera, this.#ray, this.#hit)) return;
    const light = this.#floorLight(this.#hit, column, row);
    const share = 1 - (1 - light) * floorShare(floor, this.#hit.x, this.#hit.z);
    for (let k = 0; k < 3; k++) color[k] *= share;
  }

  /** How bright the floor is, of what it is where nothing stands. */
  #floorLight(hit: Hit, column: number, row: number): number {
    const { sun } = this.#options.environment;
    const open = this.#shader.share(hit, column, row);
    if (sun === null || this.#sunMap === null) return open;
    return SUN_ON_FLOOR * sunAt(this.#sunMap, sun.tangent, hit.x, hit.y, hit.z, 0, 1, 0) + (1 - SUN_ON_FLOOR) * open;
  }
}

/** The share of the floor's light that is the sun's. */
const SUN_ON_FLOOR = 0.42;

/** Opaque samples have coverage 1, and those of cut-outs that pass. */
export function drawPicture(scene: RasterScene, camera: Camera, options: PictureOptions): Picture {
  return painter.within((memory) => {
    const sight = new Sight(memory, scene);
    const drawing = new Drawing(sight, scene, camera, options);
    sight.look(camera, options.samples, (band) => drawing.band(band));
    return { width: camera.width, height: camera.height, rgb: drawing.rgb, coverage: drawing.coverage };
  });
}
