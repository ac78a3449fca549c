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
// triangles share belong to one of them.

import type { Camera } from './camera.ts';
import { TriangleClipper } from './clip.ts';
import { byteOfLinear } from './color.ts';
import type { RasterScene } from './scene.ts';
import { scratchArray } from './scratch.ts';
import { type Background, NOTHING, Shader } from './shade.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** sRGB, 3 bytes a pixel, rows from the top; what is drawn over the background. */
  readonly rgb: Uint8Array;
  /** How much of each pixel is drawn on: 0 to 255. */
  readonly coverage: Uint8Array;
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

/** Samples of a band: bounds the memory for pictures of any size. */
const BAND_SAMPLES = 4_194_304;
/** Steps of the grid of corners in the width of a sample, and the middle of a sample. */
const STEPS = 256;
const HALF = STEPS / 2;

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

const SCRATCH = {
  eye: scratchArray(Float64Array),
  x: scratchArray(Float64Array),
  y: scratchArray(Float64Array),
  inverse: scratchArray(Float64Array),
  inside: scratchArray(Uint8Array),
  depth: scratchArray(Float32Array),
  triangle: scratchArray(Int32Array),
  color: scratchArray(Float32Array),
};

function project(
  scene: RasterScene,
  camera: Camera,
  columns: number,
  rows: number,
  clipper: TriangleClipper,
): Projected {
  const { positions } = scene;
  const count = positions.length / 3;
  const eye = SCRATCH.eye(count * 3);
  const x = SCRATCH.x(count);
  const y = SCRATCH.y(count);
  const inverse = SCRATCH.inverse(count);
  const inside = SCRATCH.inside(count).fill(0);
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
  readonly #shader: Shader;

  // Of the band.
  readonly #depth: Float32Array;
  readonly #triangle: Int32Array;
  /** Linear rgb and coverage. */
  readonly #color: Float32Array;
  #firstRow = 0;
  #lastRow = 0;

  constructor(scene: RasterScene, camera: Camera, { samples, background }: RenderOptions) {
    this.#scene = scene;
    this.#camera = camera;
    this.#n = samples;
    this.#columns = camera.width * samples;
    this.#rows = camera.height * samples;
    this.#clipper = new TriangleClipper(camera, this.#columns, this.#rows);
    this.#projected = project(scene, camera, this.#columns, this.#rows, this.#clipper);
    this.#shader = new Shader(scene, camera, this.#projected.eye, this.#columns, this.#rows, background);
    const rows = this.#bandRows() * samples;
    this.#depth = SCRATCH.depth(this.#columns * rows);
    this.#triangle = SCRATCH.triangle(this.#columns * rows);
    this.#color = SCRATCH.color(this.#columns * rows * 4);
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
            if (mode === 0 || (mode === 1 && this.#shader.passes(triangle, column, row))) {
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

  /** Gives the samples of a pixel's corner (columns, rows from it on) the shader's colour. */
  #store(at: number, span: number): void {
    const color = this.#color;
    const { shaded } = this.#shader;
    for (let j = 0; j < span; j++) {
      for (let i = 0, to = (at + j * this.#columns) * 4; i < span; i++, to += 4) {
        color[to] = shaded[0];
        color[to + 1] = shaded[1];
        color[to + 2] = shaded[2];
        color[to + 3] = shaded[3];
      }
    }
  }

  #shadeBand(row: number, rows: number): void {
    const n = this.#n;
    const columns = this.#columns;
    const triangles = this.#triangle;
    const shader = this.#shader;
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < this.#camera.width; i++) {
        const first = j * n * columns + i * n;
        const triangle = triangles[first];
        let isWhole = true;
        for (let k = 1; k < n * n && isWhole; k++) {
          isWhole = triangles[first + ((k / n) | 0) * columns + (k % n)] === triangle;
        }
        if (isWhole) {
          shader.show(triangle, shader.tangentX(i * n, n), shader.tangentY((row + j) * n, n));
          this.#store(first, n);
          continue;
        }
        for (let k = 0; k < n * n; k++) {
          const down = (k / n) | 0;
          const across = k % n;
          const at = first + down * columns + across;
          shader.show(triangles[at], shader.tangentX(i * n + across, 1), shader.tangentY((row + j) * n + down, 1));
          this.#store(at, 1);
        }
      }
    }
  }

  /** Lays a sample of a blended triangle over what is behind it. */
  #blend(triangle: number, column: number, row: number, at: number): void {
    const shader = this.#shader;
    shader.show(triangle, shader.tangentX(column, 1), shader.tangentY(row, 1));
    const color = this.#color;
    const { shaded } = shader;
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
