// The software renderer: depth, base colour texture, alpha, one fixed light. Draws a RasterScene from a Camera; the result
// depends on these alone, to the last bit, on every machine.
//
// A picture is drawn in bands of rows, each in three passes over samples (n x n a pixel):
// 1. visibility: of each sample the nearest triangle that is opaque, or passes its alpha test;
// 2. shading: colour of that triangle there; where all samples of a pixel show one triangle, once in the pixel's middle;
// 3. blending: triangles of blended surfaces from back to front, tested against the depth of pass 1.
// Colours of samples are averaged in linear light.
//
// Coverage is decided by whole numbers, 256 to a sample's width, with the top-left rule: samples on an edge that two
// triangles share belong to one of them. What is seen in a sample is reckoned from the eye (Olano and Greer, "Triangle Scan
// Conversion using 2D Homogeneous Coordinates", 1997): of the ray d to the sample and corners p0 p1 p2 as seen from the
// eye, the barycentric coordinates are in proportion to d.(p1 x p2), d.(p2 x p0) and d.(p0 x p1). This is right in
// perspective, and clipped triangles need no corners of their own.

import type { Vec3 } from '../scene/types.ts';
import type { Camera } from './camera.ts';
import { TriangleClipper } from './clip.ts';
import { byteOfLinear, UNIT_OF_BYTE } from './color.ts';
import type { RasterScene } from './scene.ts';
import { addSample, mipOf, sample, type Texture } from './texture.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** sRGB, 3 bytes a pixel, rows from the top; what is drawn over the background. */
  readonly rgb: Uint8Array;
  /** How much of each pixel is drawn on: 0 to 255. */
  readonly coverage: Uint8Array;
}

/** Linear colours behind everything, by the direction of the look: between them it changes smoothly. */
export interface Background {
  readonly up: Vec3;
  readonly horizon: Vec3;
  readonly down: Vec3;
}

export interface RenderOptions {
  /** Samples along each side of a pixel. */
  readonly samples: 1 | 2 | 3 | 4;
  readonly background: Background;
}

/** A plain middle grey, against which both dark and bright outlines are seen. */
export const GREY: Background = { up: [0.2, 0.2, 0.2], horizon: [0.2, 0.2, 0.2], down: [0.2, 0.2, 0.2] };
export const SKY: Background = { up: [0.2, 0.38, 0.72], horizon: [0.68, 0.78, 0.86], down: [0.3, 0.29, 0.27] };

export const DEFAULT_RENDER: RenderOptions = { samples: 2, background: GREY };

/** Where the light comes from; unit length. */
const LIGHT: Vec3 = [0.4242640687119285, 0.8, 0.4242640687119285];
const LIGHT_COLOR: Vec3 = [0.72, 0.7, 0.65];
/** Light from all around, by whether a surface looks up or down. */
const AMBIENT_UP: Vec3 = [0.34, 0.37, 0.41];
const AMBIENT_DOWN: Vec3 = [0.17, 0.16, 0.15];

/** Samples of a band: bounds the memory for pictures of any size. */
const BAND_SAMPLES = 4_194_304;
/** Steps of the grid of corners in the width of a sample, and the middle of a sample. */
const STEPS = 256;
const HALF = STEPS / 2;

const NOTHING = -1;

/** Corners of a scene as the camera sees them. */
interface Projected {
  /** Right, up and forward of the eye: three numbers a vertex. */
  readonly eye: Float64Array;
  /** Whole steps from the left and the top of the picture; only where `inside`. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** 1 over the distance in front of the camera. */
  readonly inverse: Float64Array;
  /** 0: cannot be projected without clipping. */
  readonly inside: Uint8Array;
}

function project(
  scene: RasterScene,
  camera: Camera,
  columns: number,
  rows: number,
  clipper: TriangleClipper,
): Projected {
  const { positions } = scene;
  const count = positions.length / 3;
  const eye = new Float64Array(count * 3);
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const inverse = new Float64Array(count);
  const inside = new Uint8Array(count);
  const [px, py, pz] = camera.position;
  const { right, up, back } = camera;
  const scaleX = (columns * STEPS) / (camera.rightEdge - camera.left);
  const scaleY = (rows * STEPS) / (camera.top - camera.bottom);
  for (let v = 0, at = 0; v < count; v++, at += 3) {
    const dx = positions[at] - px;
    const dy = positions[at + 1] - py;
    const dz = positions[at + 2] - pz;
    const ex = right[0] * dx + right[1] * dy + right[2] * dz;
    const ey = up[0] * dx + up[1] * dy + up[2] * dz;
    const ez = -(back[0] * dx + back[1] * dy + back[2] * dz);
    eye[at] = ex;
    eye[at + 1] = ey;
    eye[at + 2] = ez;
    if (!clipper.isInside(ex, ey, ez)) continue;
    const w = 1 / ez;
    inside[v] = 1;
    inverse[v] = w;
    x[v] = Math.floor((ex * w - camera.left) * scaleX + 0.5);
    y[v] = Math.floor((camera.top - ey * w) * scaleY + 0.5);
  }
  return { eye, x, y, inverse, inside };
}

/** Draws one scene from one camera; holds what its loops share. */
class Renderer {
  readonly #scene: RasterScene;
  readonly #camera: Camera;
  readonly #n: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #clipper: TriangleClipper;
  readonly #projected: Projected;
  readonly #background: Background;

  // Of the band.
  readonly #depth: Float32Array;
  readonly #triangle: Int32Array;
  /** Linear rgb and coverage. */
  readonly #color: Float32Array;
  #firstRow = 0;
  #lastRow = 0;

  // Of the triangle that is shaded (#aim): each is a*x + b*y + c of a sample's tangents.
  #aimed = NOTHING;
  readonly #edges = new Float64Array(9);
  readonly #corners = new Uint32Array(3);
  readonly #uv = new Float64Array(6);
  readonly #weights = new Float64Array(3);
  readonly #texel = new Float64Array(4);
  /** Linear rgb and alpha of the last shade(). */
  readonly #shaded = new Float64Array(4);

  constructor(scene: RasterScene, camera: Camera, { samples, background }: RenderOptions) {
    this.#scene = scene;
    this.#camera = camera;
    this.#background = background;
    this.#n = samples;
    this.#columns = camera.width * samples;
    this.#rows = camera.height * samples;
    this.#clipper = new TriangleClipper(camera, this.#columns, this.#rows);
    this.#projected = project(scene, camera, this.#columns, this.#rows, this.#clipper);
    const rows = this.#bandRows() * samples;
    this.#depth = new Float32Array(this.#columns * rows);
    this.#triangle = new Int32Array(this.#columns * rows);
    this.#color = new Float32Array(this.#columns * rows * 4);
  }

  /** Rows of pixels in a band. */
  #bandRows(): number {
    const most = Math.max(1, Math.floor(BAND_SAMPLES / (this.#columns * this.#n)));
    return Math.min(this.#camera.height, most);
  }

  draw(): Picture {
    const { width, height } = this.#camera;
    const rgb = new Uint8Array(width * height * 3);
    const coverage = new Uint8Array(width * height);
    const { surfaceOf, surfaces } = this.#scene;
    const isBlended = surfaces.map(({ alphaMode }) => alphaMode === 'blend');
    const blended = isBlended.includes(true) ? this.#backToFront(isBlended) : new Uint32Array(0);
    const step = this.#bandRows();
    for (let row = 0; row < height; row += step) {
      const rows = Math.min(step, height - row);
      this.#firstRow = row * this.#n;
      this.#lastRow = (row + rows) * this.#n - 1;
      this.#depth.fill(0);
      this.#triangle.fill(NOTHING);
      for (let triangle = 0; triangle < surfaceOf.length; triangle++) {
        const surface = surfaceOf[triangle];
        if (!isBlended[surface]) this.#rasterise(triangle, surfaces[surface].alphaMode === 'mask' ? 1 : 0);
      }
      this.#shadeBand(row, rows);
      for (const triangle of blended) this.#rasterise(triangle, 2);
      this.#resolve(row, rows, rgb, coverage);
    }
    return { width, height, rgb, coverage };
  }

  /** Triangles of blended surfaces, those with the farthest middle first, in their order where equally far. */
  #backToFront(isBlended: readonly boolean[]): Uint32Array {
    const { surfaceOf, indices } = this.#scene;
    const { eye } = this.#projected;
    const list: number[] = [];
    for (let i = 0; i < surfaceOf.length; i++) if (isBlended[surfaceOf[i]]) list.push(i);
    const depth = new Float64Array(list.length);
    for (const [i, triangle] of list.entries()) {
      for (let k = 0; k < 3; k++) depth[i] += eye[indices[triangle * 3 + k] * 3 + 2];
    }
    const order = Uint32Array.from(list.keys()).sort((a, b) => depth[b] - depth[a] || a - b);
    return order.map((i) => list[i]);
  }

  /** Draws a triangle into the band. `mode`: 0 opaque, 1 with an alpha test, 2 blended. */
  #rasterise(triangle: number, mode: number): void {
    const { indices } = this.#scene;
    const { x, y, inverse, inside, eye } = this.#projected;
    const a = indices[triangle * 3];
    const b = indices[triangle * 3 + 1];
    const c = indices[triangle * 3 + 2];
    if (inside[a] + inside[b] + inside[c] === 3) {
      this.#fill(triangle, mode, x[a], y[a], inverse[a], x[b], y[b], inverse[b], x[c], y[c], inverse[c]);
      return;
    }
    const clipped = this.#clipper.clip(eye, a, b, c);
    const { points } = this.#clipper;
    const { left, rightEdge, top, bottom } = this.#camera;
    const scaleX = (this.#columns * STEPS) / (rightEdge - left);
    const scaleY = (this.#rows * STEPS) / (top - bottom);
    for (let i = 0; i < clipped; i++) {
      const w = 1 / points[i * 3 + 2];
      points[i * 3] = Math.floor((points[i * 3] * w - left) * scaleX + 0.5);
      points[i * 3 + 1] = Math.floor((top - points[i * 3 + 1] * w) * scaleY + 0.5);
      points[i * 3 + 2] = w;
    }
    for (let i = 1, at = 3; i + 1 < clipped; i++, at += 3) {
      this.#fill(
        triangle,
        mode,
        points[0],
        points[1],
        points[2],
        points[at],
        points[at + 1],
        points[at + 2],
        points[at + 3],
        points[at + 4],
        points[at + 5],
      );
    }
  }

  /** Draws a triangle of steps; w: 1 over the distance. */
  #fill(
    triangle: number,
    mode: number,
    ax: number,
    ay: number,
    aw: number,
    bx: number,
    by: number,
    bw: number,
    cx: number,
    cy: number,
    cw: number,
  ): void {
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) return;
    if (area < 0) {
      this.#fill(triangle, mode, ax, ay, aw, cx, cy, cw, bx, by, bw);
      return;
    }
    const firstColumn = Math.max(0, Math.ceil((Math.min(ax, bx, cx) - HALF) / STEPS));
    const lastColumn = Math.min(this.#columns - 1, Math.floor((Math.max(ax, bx, cx) - HALF) / STEPS));
    if (firstColumn > lastColumn) return;
    const firstRow = Math.max(this.#firstRow, Math.ceil((Math.min(ay, by, cy) - HALF) / STEPS));
    const lastRow = Math.min(this.#lastRow, Math.floor((Math.max(ay, by, cy) - HALF) / STEPS));
    if (firstRow > lastRow) return;

    // Of the edges opposite of a, b and c: value at the first sample, less 1 where samples on the edge are another's.
    const px = firstColumn * STEPS + HALF;
    const py = firstRow * STEPS + HALF;
    const aDx = cx - bx;
    const aDy = cy - by;
    const bDx = ax - cx;
    const bDy = ay - cy;
    const cDx = bx - ax;
    const cDy = by - ay;
    const aBias = aDy < 0 || (aDy === 0 && aDx > 0) ? 0 : -1;
    const bBias = bDy < 0 || (bDy === 0 && bDx > 0) ? 0 : -1;
    const cBias = cDy < 0 || (cDy === 0 && cDx > 0) ? 0 : -1;
    let aRow = aDx * (py - by) - aDy * (px - bx) + aBias;
    let bRow = bDx * (py - cy) - bDy * (px - cx) + bBias;
    let cRow = cDx * (py - ay) - cDy * (px - ax) + cBias;
    const aStep = -aDy * STEPS;
    const bStep = -bDy * STEPS;
    const cStep = -cDy * STEPS;
    const bDepth = (bw - aw) / area;
    const cDepth = (cw - aw) / area;
    const depths = this.#depth;
    const triangles = this.#triangle;
    const columns = this.#columns;
    for (let row = firstRow; row <= lastRow; row++) {
      let aHere = aRow;
      let bHere = bRow;
      let cHere = cRow;
      const start = (row - this.#firstRow) * columns;
      let entered = false;
      for (let column = firstColumn; column <= lastColumn; column++) {
        if (aHere >= 0 && bHere >= 0 && cHere >= 0) {
          entered = true;
          const at = start + column;
          const depth = Math.fround(aw + (bHere - bBias) * bDepth + (cHere - cBias) * cDepth);
          if (depth > depths[at]) {
            if (mode === 0 || (mode === 1 && this.#passes(triangle, column, row))) {
              depths[at] = depth;
              triangles[at] = triangle;
            } else if (mode === 2) this.#blend(triangle, column, row, at);
          }
        } else if (entered) break;
        aHere += aStep;
        bHere += bStep;
        cHere += cStep;
      }
      aRow += aDx * STEPS;
      bRow += bDx * STEPS;
      cRow += cDx * STEPS;
    }
  }

  /** Makes a triangle the one that #weigh and #mip are about. */
  #aim(triangle: number): void {
    if (this.#aimed === triangle) return;
    this.#aimed = triangle;
    const { indices, uvs } = this.#scene;
    const { eye } = this.#projected;
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
  #tangentX(column: number, span: number): number {
    const { left, rightEdge } = this.#camera;
    return left + ((column + span / 2) / this.#columns) * (rightEdge - left);
  }

  #tangentY(row: number, span: number): number {
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
  #passes(triangle: number, column: number, row: number): boolean {
    const {
      baseColor,
      baseColorTexture: texture,
      alphaCutoff,
      alphaCuts,
    } = this.#scene.surfaces[this.#scene.surfaceOf[triangle]];
    if (alphaCuts === null && this.#scene.colors === null) return baseColor[3] >= alphaCutoff;
    this.#aim(triangle);
    const x = this.#tangentX(column, 1);
    const y = this.#tangentY(row, 1);
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

  /** The colour of the aimed triangle at tangents x, y, into #shaded: linear rgb from 0 to 1, and alpha. */
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
    const shaded = this.#shaded;
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

  /** A colour by its light at #weights of the aimed triangle, into #shaded. */
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
    const shaded = this.#shaded;
    shaded[0] = r * (direct * LIGHT_COLOR[0] + AMBIENT_DOWN[0] + (AMBIENT_UP[0] - AMBIENT_DOWN[0]) * upwards);
    shaded[1] = g * (direct * LIGHT_COLOR[1] + AMBIENT_DOWN[1] + (AMBIENT_UP[1] - AMBIENT_DOWN[1]) * upwards);
    shaded[2] = b * (direct * LIGHT_COLOR[2] + AMBIENT_DOWN[2] + (AMBIENT_UP[2] - AMBIENT_DOWN[2]) * upwards);
  }

  /** The background at tangents x, y, into #shaded, with alpha 0. */
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
    for (let k = 0; k < 3; k++) this.#shaded[k] = horizon[k] + (end[k] - horizon[k]) * share;
    this.#shaded[3] = 0;
  }

  /** Gives the samples of a pixel's corner (columns, rows from it on) the colour in #shaded. */
  #store(at: number, span: number): void {
    const color = this.#color;
    const shaded = this.#shaded;
    for (let j = 0; j < span; j++) {
      for (let i = 0, to = (at + j * this.#columns) * 4; i < span; i++, to += 4) {
        color[to] = shaded[0];
        color[to + 1] = shaded[1];
        color[to + 2] = shaded[2];
        color[to + 3] = shaded[3];
      }
    }
  }

  /** The colour of what a sample shows, into #shaded. */
  #show(triangle: number, x: number, y: number): void {
    if (triangle === NOTHING) {
      this.#sky(x, y);
      return;
    }
    this.#aim(triangle);
    this.#shade(x, y);
  }

  #shadeBand(row: number, rows: number): void {
    const n = this.#n;
    const columns = this.#columns;
    const triangles = this.#triangle;
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < this.#camera.width; i++) {
        const first = j * n * columns + i * n;
        const triangle = triangles[first];
        let isWhole = true;
        for (let k = 1; k < n * n && isWhole; k++) {
          isWhole = triangles[first + ((k / n) | 0) * columns + (k % n)] === triangle;
        }
        if (isWhole) {
          this.#show(triangle, this.#tangentX(i * n, n), this.#tangentY((row + j) * n, n));
          this.#store(first, n);
          continue;
        }
        for (let k = 0; k < n * n; k++) {
          const down = (k / n) | 0;
          const across = k % n;
          const at = first + down * columns + across;
          this.#show(triangles[at], this.#tangentX(i * n + across, 1), this.#tangentY((row + j) * n + down, 1));
          this.#store(at, 1);
        }
      }
    }
  }

  /** Lays a sample of a blended triangle over what is behind it. */
  #blend(triangle: number, column: number, row: number, at: number): void {
    this.#aim(triangle);
    this.#shade(this.#tangentX(column, 1), this.#tangentY(row, 1));
    const color = this.#color;
    const shaded = this.#shaded;
    const alpha = shaded[3];
    for (let k = 0; k < 3; k++) color[at * 4 + k] += (shaded[k] - color[at * 4 + k]) * alpha;
    color[at * 4 + 3] += (1 - color[at * 4 + 3]) * alpha;
  }

  #resolve(row: number, rows: number, rgb: Uint8Array, coverage: Uint8Array): void {
    const n = this.#n;
    const columns = this.#columns;
    const color = this.#color;
    const width = this.#camera.width;
    const share = 1 / (n * n);
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < width; i++) {
        let r = 0;
        let g = 0;
        let b = 0;
        let covered = 0;
        for (let down = 0; down < n; down++) {
          let at = ((j * n + down) * columns + i * n) * 4;
          for (let across = 0; across < n; across++, at += 4) {
            r += color[at];
            g += color[at + 1];
            b += color[at + 2];
            covered += color[at + 3];
          }
        }
        const to = (row + j) * width + i;
        rgb[to * 3] = byteOfLinear(r * share);
        rgb[to * 3 + 1] = byteOfLinear(g * share);
        rgb[to * 3 + 2] = byteOfLinear(b * share);
        coverage[to] = Math.floor(covered * share * 255 + 0.5);
      }
    }
  }
}

/** Opaque samples have coverage 1, and `mask` samples that pass. */
export function render(scene: RasterScene, camera: Camera, options: RenderOptions = DEFAULT_RENDER): Picture {
  return new Renderer(scene, camera, options).draw();
}
