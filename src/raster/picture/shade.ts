// The colour of a place on a surface: its base colour in the light from around and of the sun, and what it mirrors of them, by
// the metallic-roughness model of glTF 2.0 (appendix B) with the split sum of B. Karis ("Real Shading in Unreal Engine 4", 2013).

import type { Vec3 } from '../../scene/types.ts';
import type { Camera } from '../camera.ts';
import { isSeenThrough, type RasterMaterial, type RasterScene } from '../scene.ts';
import { type Environment, irradianceAt, mirroredAt } from './environment.ts';
import type { Grid } from './grid.ts';
import type { Hit } from './hit.ts';
import type { LightMap } from './lightMap.ts';
import { sunAt } from './sunlight.ts';
import { sampleTexture } from './texels.ts';

/** What a non-metal mirrors of the light that falls on it straight. */
const DIELECTRIC = 0.04;
/** Light that comes even where the sky is hidden: from surface to surface. */
const LEAST = 0.1;

export interface Lights {
  readonly environment: Environment;
  /** Null: no sun, or it reaches nothing. */
  readonly sunMap: LightMap | null;
  readonly grid: Grid;
  /** Of each place of the grid, its share of the light from around. */
  readonly occlusion: Float32Array;
  /** In a closed room the sky does not light, but lamps near the eye that are not seen. */
  readonly isInside: boolean;
}

/** Where light comes from in a room, as seen by the camera: from above, a little behind and from the left. */
function lampOf({ back, right }: Camera): Vec3 {
  const [x, y, z] = [back[0] * 0.55 - right[0] * 0.4, 0.8, back[2] * 0.55 - right[2] * 0.4];
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}

const LAMP_SHARE = 0.42;
const ROOM_SHARE = 1.15;

/**
 * The curve that ends a picture: colours up to START stay as they are, lighter ones approach white and lose their hue slowly.
 * It is the upper part of the Khronos PBR Neutral curve (2024), whose lower part is left out: it darkens every colour.
 */
const START = 0.8;
const FADE = 0.15;

export function toned(color: Float64Array): void {
  const peak = Math.max(color[0], color[1], color[2]);
  if (!(peak > START)) return;
  const range = 1 - START;
  const limited = 1 - (range * range) / (peak + range - START);
  const white = limited * (1 - 1 / (FADE * (peak - limited) + 1));
  const share = (limited / peak) * (1 / (FADE * (peak - limited) + 1));
  for (let k = 0; k < 3; k++) color[k] = color[k] * share + white;
}

export class Shader {
  readonly #scene: RasterScene;
  readonly #lights: Lights;
  readonly #lamp: Vec3;
  readonly #texel = new Float64Array(4);
  readonly #around = new Float64Array(3);
  readonly #mirror = new Float64Array(3);
  #metallic = 0;
  #roughness = 1;
  /** The base colour and alpha of the hit that is shaded, and what it lets through if it transmits light. */
  readonly base = new Float64Array(4);
  readonly passing = new Float64Array(3);

  constructor(scene: RasterScene, camera: Camera, lights: Lights) {
    this.#scene = scene;
    this.#lights = lights;
    this.#lamp = lampOf(camera);
  }

  surfaceOf(triangle: number): RasterMaterial {
    return this.#scene.surfaces[this.#scene.surfaceOf[triangle]];
  }

  /** Linear red, green, blue and alpha of a hit, whose place in the picture is at `column` and `row` in pixels, into `to`. */
  color(hit: Hit, column: number, row: number, to: Float64Array): void {
    const surface = this.surfaceOf(hit.triangle);
    this.#paint(surface, hit);
    const isSolid = surface.alphaMode === 'opaque' || !isSeenThrough(surface);
    to[3] = isSolid ? 1 : Math.min(1, Math.max(0, this.base[3]));
    if (surface.isUnlit) {
      this.passing.fill(0);
      for (let k = 0; k < 3; k++) to[k] = Math.min(1, Math.max(0, this.base[k]));
      return;
    }
    this.#reflect(surface, hit, column, row, to);
    toned(to);
    this.#glow(surface, hit, to);
  }

  /** What a surface sends of the light that falls on it, into `to`, and what passes it. */
  #reflect(surface: RasterMaterial, hit: Hit, column: number, row: number, to: Float64Array): void {
    const { base } = this;
    this.#polish(surface, hit);
    const metallic = this.#metallic;
    const roughness = this.#roughness;
    const around = this.#around;
    const mirror = this.#mirror;
    this.#light(hit, column, row, roughness);
    const facing = Math.min(1, Math.abs(hit.nx * hit.vx + hit.ny * hit.vy + hit.nz * hit.vz));
    // Karis's fit of the second part of the split sum; (1 - x)^6 stands for his 2^(-9.28 x).
    const smooth = 1 - roughness;
    const grazing = (1 - facing) * (1 - facing) * (1 - facing);
    const edge = Math.min(smooth * smooth, grazing * grazing) * smooth + 0.0425 - 0.0275 * roughness;
    const scale = 1.04 - 0.572 * roughness - 1.04 * edge;
    const bias = 1.04 * edge - 0.04 + 0.022 * roughness;
    // A rough thing that is no metal would mirror a sixtieth of the sky: left out, so that flat colours stay what they are.
    const squared = roughness * roughness;
    const shows = 1 - squared * squared * (1 - metallic);
    const passes = surface.transmission ?? 0;
    for (let k = 0; k < 3; k++) {
      const straight = DIELECTRIC + (base[k] - DIELECTRIC) * metallic;
      const shine = Math.max(0, straight * scale + bias) * shows;
      to[k] = base[k] * (1 - metallic) * (1 - passes) * around[k] + mirror[k] * shine;
      this.passing[k] = Math.sqrt(Math.max(0, base[k])) * passes;
    }
  }

  #paint(surface: RasterMaterial, hit: Hit): void {
    const { base } = this;
    const { baseColor, baseColorTexture } = surface;
    for (let k = 0; k < 4; k++) base[k] = baseColor[k];
    if (baseColorTexture) {
      const cuts = this.#scene.alphaCuts[this.#scene.surfaceOf[hit.triangle]];
      sampleTexture(baseColorTexture, hit, 'color', this.#texel, cuts ? cuts.cuts.length - 1 : Infinity);
      for (let k = 0; k < 4; k++) base[k] *= this.#texel[k];
    }
    const { colors, indices } = this.#scene;
    if (colors === null) return;
    const i = indices[hit.triangle * 3] * 4;
    const j = indices[hit.triangle * 3 + 1] * 4;
    const l = indices[hit.triangle * 3 + 2] * 4;
    for (let k = 0; k < 4; k++) {
      base[k] *= (hit.a * colors[i + k] + hit.b * colors[j + k] + hit.c * colors[l + k]) / 255;
    }
  }

  /** How metallic and how rough a hit is. */
  #polish({ finish }: RasterMaterial, hit: Hit): void {
    this.#metallic = finish?.metallic ?? 0;
    this.#roughness = finish?.roughness ?? 1;
    if (!finish) return;
    const { metallicTexture, roughnessTexture, metallicChannel, roughnessChannel } = finish;
    const texel = this.#texel;
    if (roughnessTexture) {
      sampleTexture(roughnessTexture, hit, 'data', texel);
      this.#roughness *= texel[roughnessChannel];
    }
    if (!metallicTexture) return;
    if (metallicTexture !== roughnessTexture) sampleTexture(metallicTexture, hit, 'data', texel);
    this.#metallic *= texel[metallicChannel];
  }

  #glow({ emissive, emissiveTexture }: RasterMaterial, hit: Hit, to: Float64Array): void {
    if (emissive[0] === 0 && emissive[1] === 0 && emissive[2] === 0) return;
    const texel = this.#texel;
    if (emissiveTexture) sampleTexture(emissiveTexture, hit, 'color', texel);
    else texel.fill(1);
    for (let k = 0; k < 3; k++) to[k] = Math.min(1, to[k] + emissive[k] * texel[k]);
  }

  /** The light on a white surface from all sides, and what a mirror would show. */
  #light(hit: Hit, column: number, row: number, roughness: number): void {
    const { environment, sunMap, isInside } = this.#lights;
    const around = this.#around;
    const mirror = this.#mirror;
    const { nx, ny, nz } = hit;
    const open = this.share(hit, column, row);
    irradianceAt(environment, nx, ny, nz, around);
    const twice = 2 * (nx * hit.vx + ny * hit.vy + nz * hit.vz);
    const rx = nx * twice - hit.vx;
    const ry = ny * twice - hit.vy;
    const rz = nz * twice - hit.vz;
    mirroredAt(environment, roughness, rx, ry, rz, mirror);
    const share = (isInside ? ROOM_SHARE : 1) * (LEAST + (1 - LEAST) * open);
    for (let k = 0; k < 3; k++) {
      around[k] *= share;
      mirror[k] *= open;
    }
    if (isInside) {
      const lamp = this.#lamp;
      const facing = Math.max(0, nx * lamp[0] + ny * lamp[1] + nz * lamp[2]) * LAMP_SHARE * (0.3 + 0.7 * open);
      for (let k = 0; k < 3; k++) around[k] += facing;
      return;
    }
    const { sun } = environment;
    if (sun === null || sunMap === null) return;
    const [sx, sy, sz] = sun.direction;
    const facing = nx * sx + ny * sy + nz * sz;
    if (facing <= 0) return;
    const reached = sunAt(sunMap, sun.tangent, hit.x, hit.y, hit.z, hit.gx, hit.gy, hit.gz);
    if (reached === 0) return;
    const spot = this.#spot(hit, sun.direction, roughness);
    for (let k = 0; k < 3; k++) {
      around[k] += sun.color[k] * facing * reached;
      mirror[k] += sun.color[k] * facing * reached * spot;
    }
  }

  /** How bright the sun's image is in a surface of a roughness: the distribution of GGX, with the visibility for a middle angle. */
  #spot({ nx, ny, nz, vx, vy, vz }: Hit, [sx, sy, sz]: Vec3, roughness: number): number {
    const hx = vx + sx;
    const hy = vy + sy;
    const hz = vz + sz;
    const length = Math.sqrt(hx * hx + hy * hy + hz * hz);
    const cosine = length > 0 ? Math.max(0, (nx * hx + ny * hy + nz * hz) / length) : 0;
    const alpha = Math.max(0.01, roughness * roughness);
    const squared = alpha * alpha;
    const under = cosine * cosine * (squared - 1) + 1;
    return Math.min(40, squared / (4 * under * under));
  }

  /** The share of the light from around at a hit: of the places of the grid beside it, those on the same surface. */
  share(hit: Hit, column: number, row: number): number {
    const { grid, occlusion } = this.#lights;
    const { points, distances, camera, step } = grid;
    const { width, height } = camera;
    const x = column / step - 0.5;
    const y = row / step - 0.5;
    const i0 = Math.floor(x);
    const j0 = Math.floor(y);
    const near = ((camera.top - camera.bottom) / height) * hit.distance;
    let sum = 0;
    let all = 0;
    for (let k = 0; k < 4; k++) {
      const i = Math.min(width - 1, Math.max(0, i0 + (k & 1)));
      const j = Math.min(height - 1, Math.max(0, j0 + (k >> 1)));
      const at = j * width + i;
      if (distances[at] === Infinity) continue;
      const b = at * 3;
      const dx = points[b] - hit.x;
      const dy = points[b + 1] - hit.y;
      const dz = points[b + 2] - hit.z;
      const off = Math.abs(dx * hit.gx + dy * hit.gy + dz * hit.gz) / near;
      const apart = (dx * dx + dy * dy + dz * dz) / (near * near);
      const weight =
        (0.02 + Math.abs(1 - Math.abs(x - i)) * Math.abs(1 - Math.abs(y - j))) / (1e-3 + off * off + apart * 0.01);
      sum += occlusion[at] * weight;
      all += weight;
    }
    return all > 0 ? sum / all : 1;
  }
}
