// Surfaces that something is seen through: drawn over the samples of a band from back to front, where nothing nearer hides them.

import type { Camera } from '../camera.ts';
import type { RasterScene } from '../scene.ts';
import { Hit, type Rays } from './hit.ts';
import type { Shader } from './shade.ts';
import type { Band, Samples } from './sight.ts';

export class Through {
  readonly #scene: RasterScene;
  readonly #camera: Camera;
  readonly #samples: Samples;
  /** Triangles, the farthest first. */
  readonly #order: Uint32Array;
  #band: Band | null = null;
  /** Red, green, blue and coverage of each sample of the band. */
  #colors = new Float32Array(0);
  readonly #hit = new Hit();
  readonly #ray = new Float64Array(3);
  readonly #color = new Float64Array(4);
  /** Of a triangle: three numbers for each corner's share, of which the third belongs to the ray's step along the look. */
  readonly #edges = new Float64Array(9);
  /** The first and last column and row of samples that a triangle may reach. */
  readonly #reach = new Int32Array(4);

  constructor(scene: RasterScene, camera: Camera, samples: Samples, order: Uint32Array) {
    this.#scene = scene;
    this.#camera = camera;
    this.#samples = samples;
    this.#order = order;
  }

  /** The colours of the samples of a band, to be filled with what is opaque. */
  begin(band: Band): Float32Array {
    const length = band.rows * this.#samples * band.stride * 4;
    if (this.#colors.length < length) this.#colors = new Float32Array(length);
    this.#band = band;
    return this.#colors;
  }

  draw(rays: Rays, shader: Shader): void {
    for (const triangle of this.#order) if (this.#prepare(triangle)) this.#draw(triangle, rays, shader);
  }

  /** Finds a triangle's edges and reach in the band; false where it has none. */
  #prepare(triangle: number): boolean {
    const { positions, indices } = this.#scene;
    const { position, right, up, back, left, rightEdge, top, bottom, near, width, height } = this.#camera;
    const n = this.#samples;
    const { row, rows } = this.#band!;
    const eye = new Float64Array(9);
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    let behind = 0;
    for (let c = 0; c < 3; c++) {
      const at = indices[triangle * 3 + c] * 3;
      const dx = positions[at] - position[0];
      const dy = positions[at + 1] - position[1];
      const dz = positions[at + 2] - position[2];
      const x = right[0] * dx + right[1] * dy + right[2] * dz;
      const y = up[0] * dx + up[1] * dy + up[2] * dz;
      const z = -(back[0] * dx + back[1] * dy + back[2] * dz);
      eye.set([x, y, z], c * 3);
      if (z < near) behind++;
      x0 = Math.min(x0, x / z);
      x1 = Math.max(x1, x / z);
      y0 = Math.min(y0, y / z);
      y1 = Math.max(y1, y / z);
    }
    if (behind === 3) return false;
    // One that reaches behind the eye may be anywhere.
    if (behind > 0) [x0, x1, y0, y1] = [left, rightEdge, bottom, top];
    const acrossX = (width * n) / (rightEdge - left);
    const acrossY = (height * n) / (top - bottom);
    this.#reach[0] = Math.max(0, Math.floor((Math.max(x0, left) - left) * acrossX) - 1);
    this.#reach[1] = Math.min(width * n - 1, Math.ceil((Math.min(x1, rightEdge) - left) * acrossX) + 1);
    this.#reach[2] = Math.max(row * n, Math.floor((top - Math.min(y1, top)) * acrossY) - 1);
    this.#reach[3] = Math.min((row + rows) * n - 1, Math.ceil((top - Math.max(y0, bottom)) * acrossY) + 1);
    if (this.#reach[0] > this.#reach[1] || this.#reach[2] > this.#reach[3]) return false;
    for (let c = 0; c < 3; c++) {
      const p = ((c + 1) % 3) * 3;
      const q = ((c + 2) % 3) * 3;
      this.#edges[c * 3] = eye[p + 1] * eye[q + 2] - eye[p + 2] * eye[q + 1];
      this.#edges[c * 3 + 1] = eye[p + 2] * eye[q] - eye[p] * eye[q + 2];
      this.#edges[c * 3 + 2] = eye[p] * eye[q + 1] - eye[p + 1] * eye[q];
    }
    return true;
  }

  #draw(triangle: number, rays: Rays, shader: Shader): void {
    const n = this.#samples;
    const [firstColumn, lastColumn, firstRow, lastRow] = this.#reach;
    for (let y = Math.floor(firstRow / n); y * n <= lastRow; y++) {
      for (let x = Math.floor(firstColumn / n); x * n <= lastColumn; x++) this.#pixel(triangle, x, y, rays, shader);
    }
  }

  /** Shades a triangle once in a pixel, in the middle of its samples there, and lays it over them. */
  #pixel(triangle: number, x: number, y: number, rays: Rays, shader: Shader): void {
    const n = this.#samples;
    const { row, stride } = this.#band!;
    let [mask, across, down, times] = [0, 0, 0, 0];
    for (let k = 0; k < n * n; k++) {
      const [i, j] = [k % n, Math.floor(k / n)];
      if (!this.#covers(triangle, x * n + i, y * n + j)) continue;
      mask |= 1 << k;
      across += i;
      down += j;
      times++;
    }
    if (times === 0) return;
    const column = x + (across / times + 0.5) / n;
    const line = y + (down / times + 0.5) / n;
    const color = this.#color;
    rays.ray(column, line, this.#ray);
    rays.meet(triangle, this.#ray, this.#hit);
    shader.color(this.#hit, column, line, color);
    const alpha = color[3];
    const { passing } = shader;
    for (let k = 0; k < n * n; k++) {
      if ((mask & (1 << k)) === 0) continue;
      const at = (((y - row) * n + Math.floor(k / n)) * stride + x * n + (k % n)) * 4;
      const colors = this.#colors;
      for (let c = 0; c < 3; c++) {
        const behind = colors[at + c];
        colors[at + c] = behind * (1 - alpha) + (color[c] + passing[c] * behind) * alpha;
      }
      colors[at + 3] += (1 - colors[at + 3]) * alpha;
    }
  }

  /** Whether a triangle is at a sample and in front of what is there. */
  #covers(triangle: number, column: number, line: number): boolean {
    const { left, rightEdge, top, bottom, width, height, near } = this.#camera;
    const n = this.#samples;
    const { row, stride, depths } = this.#band!;
    const x = left + ((column + 0.5) * (rightEdge - left)) / (width * n);
    const y = top - ((line + 0.5) * (top - bottom)) / (height * n);
    const e = this.#edges;
    const a = e[0] * x + e[1] * y + e[2];
    const b = e[3] * x + e[4] * y + e[5];
    const c = e[6] * x + e[7] * y + e[8];
    const whole = a + b + c;
    const isInside = whole > 0 ? a >= 0 && b >= 0 && c >= 0 : whole < 0 && a <= 0 && b <= 0 && c <= 0;
    if (!isInside) return false;
    const z = this.#distance(triangle, a / whole, b / whole, c / whole);
    return z >= near && 1 / z > depths[(line - row * n) * stride + column];
  }

  #distance(triangle: number, a: number, b: number, c: number): number {
    const { positions, indices } = this.#scene;
    const { position, back } = this.#camera;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const p = positions[indices[triangle * 3] * 3 + k];
      const q = positions[indices[triangle * 3 + 1] * 3 + k];
      const r = positions[indices[triangle * 3 + 2] * 3 + k];
      sum -= back[k] * (a * p + b * q + c * r - position[k]);
    }
    return sum;
  }

  /** Gives the mean colour of each pixel of the band, counted from its first. */
  resolve(put: (pixel: number, color: Float64Array) => void): void {
    const n = this.#samples;
    const { rows, stride } = this.#band!;
    const { width } = this.#camera;
    const color = this.#color;
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < width; i++) {
        color.fill(0);
        for (let k = 0; k < n * n; k++) {
          const at = ((j * n + Math.floor(k / n)) * stride + i * n + (k % n)) * 4;
          for (let c = 0; c < 4; c++) color[c] += this.#colors[at + c] / (n * n);
        }
        put(j * width + i, color);
      }
    }
  }
}
