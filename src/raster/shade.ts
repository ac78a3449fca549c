// What a sample of a triangle looks like: barycentric coordinates as seen from the eye, texture, light, alpha. For render.ts.
//
// Of the ray d to a sample and corners p0 p1 p2 as seen from the eye, the barycentric coordinates are in proportion to
// d.(p1 x p2), d.(p2 x p0) and d.(p0 x p1) (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates",
// 1997). This is right in perspective, and clipped triangles need no corners of their own.

import type { Vec3 } from '../scene/types.ts';
import type { Camera } from './camera.ts';
import { UNIT_OF_BYTE } from './color.ts';
import type { RasterScene } from './scene.ts';
import { addSample, mipOf, sample, type Texture } from './texture.ts';

/** Linear colours behind everything, by the direction of the look: between them it changes smoothly. */
export interface Background {
  readonly up: Vec3;
  readonly horizon: Vec3;
  readonly down: Vec3;
}

/** Where the light comes from; unit length. */
const LIGHT: Vec3 = [0.4242640687119285, 0.8, 0.4242640687119285];
const LIGHT_COLOR: Vec3 = [0.72, 0.7, 0.65];
/** Light from all around, by whether a surface looks up or down. */
const AMBIENT_UP: Vec3 = [0.34, 0.37, 0.41];
const AMBIENT_DOWN: Vec3 = [0.17, 0.16, 0.15];

/** In place of a triangle: the background. */
export const NOTHING = -1;

export class Shader {
  readonly #scene: RasterScene;
  readonly #camera: Camera;
  /** Corners as the eye sees them: right, up and forward. */
  readonly #eye: Float64Array;
  /** Samples of the picture. */
  readonly #columns: number;
  readonly #rows: number;
  readonly #background: Background;

  // Of the triangle that is shaded (#aim): each is a*x + b*y + c of a sample's tangents.
  #aimed = NOTHING;
  readonly #edges = new Float64Array(9);
  readonly #corners = new Uint32Array(3);
  readonly #uv = new Float64Array(6);
  readonly #weights = new Float64Array(3);
  readonly #texel = new Float64Array(4);
  /** Linear rgb and alpha of the last show(). */
  readonly shaded = new Float64Array(4);

  constructor(
    scene: RasterScene,
    camera: Camera,
    eye: Float64Array,
    columns: number,
    rows: number,
    background: Background,
  ) {
    this.#scene = scene;
    this.#camera = camera;
    this.#eye = eye;
    this.#columns = columns;
    this.#rows = rows;
    this.#background = background;
  }

  /** Makes a triangle the one that #weigh and #mip are about. */
  #aim(triangle: number): void {
    if (this.#aimed === triangle) return;
    this.#aimed = triangle;
    const { indices, uvs } = this.#scene;
    const eye = this.#eye;
    for (let k = 0; k < 3; k++) {
      const corner = indices[triangle * 3 + k];
      this.#corners[k] = corner;
      this.#uv[k * 2] = uvs[corner * 2];
      this.#uv[k * 2 + 1] = uvs[corner * 2 + 1];
      const p = indices[triangle * 3 + ((k + 1) % 3)] * 3;
      const q = indices[triangle * 3 + ((k + 2) % 3)] * 3;
      this.#edges[k * 3] = eye[p + 1] * eye[q + 2] - eye[p + 2] * eye[q + 1];
      this.#edges[k * 3 + 1] = eye[p + 2] * eye[q] - eye[p] * eye[q + 2];
      this.#edges[k * 3 + 2] = eye[p] * eye[q + 1] - eye[p + 1] * eye[q];
    }
  }

  /** Barycentric coordinates of the aimed triangle where the ray of tangents x, y meets it, at least 0 each. */
  #weigh(x: number, y: number): void {
    const e = this.#edges;
    let a = e[0] * x + e[1] * y + e[2];
    let b = e[3] * x + e[4] * y + e[5];
    let c = e[6] * x + e[7] * y + e[8];
    // All are negative for a triangle that is seen from behind.
    if (a + b + c < 0) {
      a = -a;
      b = -b;
      c = -c;
    }
    // Corners are rounded to steps, so that a sample may lie a hair outside.
    if (a < 0) a = 0;
    if (b < 0) b = 0;
    if (c < 0) c = 0;
    const sum = a + b + c;
    const isSeen = sum > 0;
    this.#weights[0] = isSeen ? a / sum : 1 / 3;
    this.#weights[1] = isSeen ? b / sum : 1 / 3;
    this.#weights[2] = isSeen ? c / sum : 1 / 3;
  }

  /** The mip of a texture on the aimed triangle at tangents x, y: by the longer side of a pixel's footprint in texels. */
  #mip(texture: Texture, x: number, y: number): number {
    const e = this.#edges;
    const uv = this.#uv;
    const { width, height, left, rightEdge, top, bottom } = this.#camera;
    // u = (ux x + uy y + u1) / (dx x + dy y + d1), and so is v.
    const dx = e[0] + e[3] + e[6];
    const dy = e[1] + e[4] + e[7];
    const d = dx * x + dy * y + e[2] + e[5] + e[8];
    const ux = uv[0] * e[0] + uv[2] * e[3] + uv[4] * e[6];
    const uy = uv[0] * e[1] + uv[2] * e[4] + uv[4] * e[7];
    const u = ux * x + uy * y + uv[0] * e[2] + uv[2] * e[5] + uv[4] * e[8];
    const vx = uv[1] * e[0] + uv[3] * e[3] + uv[5] * e[6];
    const vy = uv[1] * e[1] + uv[3] * e[4] + uv[5] * e[7];
    const v = vx * x + vy * y + uv[1] * e[2] + uv[3] * e[5] + uv[5] * e[8];
    const { width: texels, height: lines } = texture.levels[0];
    const across = (rightEdge - left) / width / (d * d);
    const down = (top - bottom) / height / (d * d);
    const ax = (ux * d - u * dx) * across * texels;
    const ay = (vx * d - v * dx) * across * lines;
    const bx = (uy * d - u * dy) * down * texels;
    const by = (vy * d - v * dy) * down * lines;
    const squared = Math.max(ax * ax + ay * ay, bx * bx + by * by);
    // Of a triangle that is seen edge-on nothing can be told; the whole texture is its mean.
    return Number.isFinite(squared) ? mipOf(squared, texture.levels.length) : texture.levels.length - 1;
  }

  /** Tangents of the middle of a sample, or with `span` samples of the middle of the pixel that begins with it. */
  tangentX(column: number, span: number): number {
    const { left, rightEdge } = this.#camera;
    return left + ((column + span / 2) / this.#columns) * (rightEdge - left);
  }

  tangentY(row: number, span: number): number {
    const { top, bottom } = this.#camera;
    return top - ((row + span / 2) / this.#rows) * (top - bottom);
  }

  /** The value of a vertex colour's channel at #weights. */
  #vertexColor(channel: number): number {
    const { colors } = this.#scene;
    if (colors === null) return 1;
    const [a, b, c] = this.#corners;
    const w = this.#weights;
    return (
      UNIT_OF_BYTE[colors[a * 4 + channel]] * w[0] +
      UNIT_OF_BYTE[colors[b * 4 + channel]] * w[1] +
      UNIT_OF_BYTE[colors[c * 4 + channel]] * w[2]
    );
  }

  /** Texture coordinate k at #weights: 0 u, 1 v. */
  #coordinate(k: number): number {
    const uv = this.#uv;
    const w = this.#weights;
    return uv[k] * w[0] + uv[2 + k] * w[1] + uv[4 + k] * w[2];
  }

  /** The alpha test of a cut-out at a sample: one mip, bilinear. */
  passes(triangle: number, column: number, row: number): boolean {
    const {
      baseColor,
      baseColorTexture: texture,
      alphaCutoff,
      alphaCuts,
    } = this.#scene.surfaces[this.#scene.surfaceOf[triangle]];
    if (alphaCuts === null && this.#scene.colors === null) return baseColor[3] >= alphaCutoff;
    this.#aim(triangle);
    const x = this.tangentX(column, 1);
    const y = this.tangentY(row, 1);
    this.#weigh(x, y);
    const vertexAlpha = this.#vertexColor(3);
    if (texture === null || alphaCuts === null) return baseColor[3] * vertexAlpha >= alphaCutoff;
    const { cuts } = alphaCuts;
    const mip = Math.min(cuts.length - 1, Math.floor(this.#mip(texture, x, y) + 0.5));
    const texel = this.#texel;
    texel[3] = 0;
    addSample(texture.levels[mip], this.#coordinate(0), this.#coordinate(1), 1, texel);
    return texel[3] * vertexAlpha >= cuts[mip];
  }

  /** The colour of the aimed triangle at tangents x, y, into shaded: linear rgb from 0 to 1, and alpha. */
  #shade(x: number, y: number): void {
    const scene = this.#scene;
    const surface = scene.surfaces[scene.surfaceOf[this.#aimed]];
    const { baseColor, baseColorTexture, emissive, emissiveTexture, alphaMode } = surface;
    this.#weigh(x, y);
    let r = baseColor[0];
    let g = baseColor[1];
    let b = baseColor[2];
    let alpha = alphaMode === 'blend' ? baseColor[3] : 1;
    const texel = this.#texel;
    if (baseColorTexture !== null) {
      let mip = this.#mip(baseColorTexture, x, y);
      if (surface.alphaCuts !== null) mip = Math.min(mip, surface.alphaCuts.cuts.length - 1);
      sample(baseColorTexture, this.#coordinate(0), this.#coordinate(1), mip, texel);
      r *= texel[0];
      g *= texel[1];
      b *= texel[2];
      if (alphaMode === 'blend') alpha *= texel[3];
    }
    if (scene.colors !== null) {
      r *= this.#vertexColor(0);
      g *= this.#vertexColor(1);
      b *= this.#vertexColor(2);
      if (alphaMode === 'blend') alpha *= this.#vertexColor(3);
    }
    this.#light(r, g, b);
    const shaded = this.shaded;
    shaded[3] = alpha;
    if (emissive[0] > 0 || emissive[1] > 0 || emissive[2] > 0) {
      texel.fill(1);
      if (emissiveTexture !== null) {
        const mip = this.#mip(emissiveTexture, x, y);
        sample(emissiveTexture, this.#coordinate(0), this.#coordinate(1), mip, texel);
      }
      for (let k = 0; k < 3; k++) shaded[k] += emissive[k] * texel[k];
    }
    for (let k = 0; k < 3; k++) if (shaded[k] > 1) shaded[k] = 1;
  }

  /** A colour by its light at #weights of the aimed triangle, into shaded. */
  #light(r: number, g: number, b: number): void {
    const { normals } = this.#scene;
    const i = this.#corners[0] * 3;
    const j = this.#corners[1] * 3;
    const k = this.#corners[2] * 3;
    const w = this.#weights;
    let nx = normals[i] * w[0] + normals[j] * w[1] + normals[k] * w[2];
    let ny = normals[i + 1] * w[0] + normals[j + 1] * w[1] + normals[k + 1] * w[2];
    let nz = normals[i + 2] * w[0] + normals[j + 2] * w[1] + normals[k + 2] * w[2];
    let squared = nx * nx + ny * ny + nz * nz;
    if (!(squared > 1e-24)) {
      const { positions: p } = this.#scene;
      const ux = p[j] - p[i];
      const uy = p[j + 1] - p[i + 1];
      const uz = p[j + 2] - p[i + 2];
      const vx = p[k] - p[i];
      const vy = p[k + 1] - p[i + 1];
      const vz = p[k + 2] - p[i + 2];
      nx = uy * vz - uz * vy;
      ny = uz * vx - ux * vz;
      nz = ux * vy - uy * vx;
      squared = nx * nx + ny * ny + nz * nz;
    }
    const length = squared > 0 ? Math.sqrt(squared) : 1;
    const facing = (nx * LIGHT[0] + ny * LIGHT[1] + nz * LIGHT[2]) / length;
    const direct = facing > 0 ? facing : 0;
    const upwards = 0.5 + (0.5 * ny) / length;
    const shaded = this.shaded;
    shaded[0] = r * (direct * LIGHT_COLOR[0] + AMBIENT_DOWN[0] + (AMBIENT_UP[0] - AMBIENT_DOWN[0]) * upwards);
    shaded[1] = g * (direct * LIGHT_COLOR[1] + AMBIENT_DOWN[1] + (AMBIENT_UP[1] - AMBIENT_DOWN[1]) * upwards);
    shaded[2] = b * (direct * LIGHT_COLOR[2] + AMBIENT_DOWN[2] + (AMBIENT_UP[2] - AMBIENT_DOWN[2]) * upwards);
  }

  /** The background at tangents x, y, into shaded, with alpha 0. */
  #sky(x: number, y: number): void {
    const { right, up, back } = this.#camera;
    const dx = right[0] * x + up[0] * y - back[0];
    const dy = right[1] * x + up[1] * y - back[1];
    const dz = right[2] * x + up[2] * y - back[2];
    const height = dy / Math.sqrt(dx * dx + dy * dy + dz * dz);
    const { up: above, horizon, down } = this.#background;
    const end = height < 0 ? down : above;
    const far = 1 - Math.abs(height);
    const share = 1 - far * far;
    for (let k = 0; k < 3; k++) this.shaded[k] = horizon[k] + (end[k] - horizon[k]) * share;
    this.shaded[3] = 0;
  }

  /** The colour of what a sample shows, into shaded. */
  show(triangle: number, x: number, y: number): void {
    if (triangle === NOTHING) {
      this.#sky(x, y);
      return;
    }
    this.#aim(triangle);
    this.#shade(x, y);
  }
}
