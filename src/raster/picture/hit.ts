// Where a ray meets a triangle, and all that shading asks of the place. As kernel/assembly/raster/meet.ts, in float64: barycentric
// coordinates as seen from the eye (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates", 1997).

import type { Camera } from '../camera.ts';
import type { RasterScene } from '../scene.ts';

/** The place of a ray on a triangle; filled again for each. */
export class Hit {
  triangle = 0;
  /** Shares of the corners. */
  a = 0;
  b = 0;
  c = 0;
  /** In the world. */
  x = 0;
  y = 0;
  z = 0;
  /** Metres in front of the eye, along its look. */
  distance = 0;
  /** The interpolated normal, of unit length, as it is stored: it may look away from the eye. */
  nx = 0;
  ny = 0;
  nz = 0;
  /** The triangle's own normal, on the side of the eye. */
  gx = 0;
  gy = 0;
  gz = 0;
  /** From the place to the eye, of unit length. */
  vx = 0;
  vy = 0;
  vz = 0;
  u = 0;
  v = 0;
  /** How the texture coordinates change from one pixel to the next, sideways and downwards. */
  acrossU = 0;
  acrossV = 0;
  downU = 0;
  downV = 0;
}

/** Meets triangles of a scene with the rays of a camera. */
export class Rays {
  readonly #scene: RasterScene;
  readonly #camera: Camera;
  readonly #pixelX: number;
  readonly #pixelY: number;
  /** The cross products of two corners each, as seen from the eye. */
  readonly #products = new Float64Array(9);

  constructor(scene: RasterScene, camera: Camera) {
    this.#scene = scene;
    this.#camera = camera;
    this.#pixelX = (camera.rightEdge - camera.left) / camera.width;
    this.#pixelY = (camera.top - camera.bottom) / camera.height;
  }

  /** The ray through a place of the picture in pixels from its left and top, whose part along the look is 1, into `to`. */
  ray(column: number, row: number, to: Float64Array): void {
    const { right, up, back, left, top } = this.#camera;
    const x = left + column * this.#pixelX;
    const y = top - row * this.#pixelY;
    for (let k = 0; k < 3; k++) to[k] = right[k] * x + up[k] * y - back[k];
  }

  /** Fills `hit` with where the ray d meets the plane of a triangle, drawn to its edges where it lies beyond them. */
  meet(triangle: number, d: Float64Array, hit: Hit): void {
    const { positions, indices } = this.#scene;
    const { position, back } = this.#camera;
    const ex = position[0];
    const ey = position[1];
    const ez = position[2];
    const i = indices[triangle * 3];
    const j = indices[triangle * 3 + 1];
    const k = indices[triangle * 3 + 2];
    const px = positions[i * 3] - ex;
    const py = positions[i * 3 + 1] - ey;
    const pz = positions[i * 3 + 2] - ez;
    const qx = positions[j * 3] - ex;
    const qy = positions[j * 3 + 1] - ey;
    const qz = positions[j * 3 + 2] - ez;
    const rx = positions[k * 3] - ex;
    const ry = positions[k * 3 + 1] - ey;
    const rz = positions[k * 3 + 2] - ez;
    const m = this.#products;
    m[0] = qy * rz - qz * ry;
    m[1] = qz * rx - qx * rz;
    m[2] = qx * ry - qy * rx;
    m[3] = ry * pz - rz * py;
    m[4] = rz * px - rx * pz;
    m[5] = rx * py - ry * px;
    m[6] = py * qz - pz * qy;
    m[7] = pz * qx - px * qz;
    m[8] = px * qy - py * qx;
    const wa = d[0] * m[0] + d[1] * m[1] + d[2] * m[2];
    const wb = d[0] * m[3] + d[1] * m[4] + d[2] * m[5];
    const wc = d[0] * m[6] + d[1] * m[7] + d[2] * m[8];
    const whole = wa + wb + wc;
    const sign = whole < 0 ? -1 : 1;
    let a = Math.max(0, wa * sign);
    let b = Math.max(0, wb * sign);
    let c = Math.max(0, wc * sign);
    const sum = a + b + c;
    if (sum > 0) {
      a /= sum;
      b /= sum;
      c /= sum;
    } else a = b = c = 1 / 3;
    hit.triangle = triangle;
    hit.a = a;
    hit.b = b;
    hit.c = c;
    const x = a * px + b * qx + c * rx;
    const y = a * py + b * qy + c * ry;
    const z = a * pz + b * qz + c * rz;
    hit.x = x + ex;
    hit.y = y + ey;
    hit.z = z + ez;
    hit.distance = -(x * back[0] + y * back[1] + z * back[2]);
    const away = 1 / Math.max(1e-30, Math.sqrt(x * x + y * y + z * z));
    hit.vx = -x * away;
    hit.vy = -y * away;
    hit.vz = -z * away;
    // Together the products are at right angles to the triangle, and the ray goes against what looks at the eye.
    this.#normals(hit, -sign * (m[0] + m[3] + m[6]), -sign * (m[1] + m[4] + m[7]), -sign * (m[2] + m[5] + m[8]), -sign);
    this.#spread(hit, i, j, k, whole);
  }

  #normals(hit: Hit, gx: number, gy: number, gz: number, facing: number): void {
    const { normals, indices } = this.#scene;
    const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    const over = length > 0 ? 1 / length : 0;
    hit.gx = gx * over;
    hit.gy = gy * over;
    hit.gz = gz * over;
    const { triangle, a, b, c } = hit;
    const i = indices[triangle * 3] * 3;
    const j = indices[triangle * 3 + 1] * 3;
    const k = indices[triangle * 3 + 2] * 3;
    const nx = a * normals[i] + b * normals[j] + c * normals[k];
    const ny = a * normals[i + 1] + b * normals[j + 1] + c * normals[k + 1];
    const nz = a * normals[i + 2] + b * normals[j + 2] + c * normals[k + 2];
    const squared = nx * nx + ny * ny + nz * nz;
    if (squared > 1e-24) {
      const share = 1 / Math.sqrt(squared);
      hit.nx = nx * share;
      hit.ny = ny * share;
      hit.nz = nz * share;
    } else {
      // The side from which the corners run counter-clockwise.
      hit.nx = hit.gx * facing;
      hit.ny = hit.gy * facing;
      hit.nz = hit.gz * facing;
    }
  }

  /** Texture coordinates and their changes: the shares of the corners change with the ray as the products do. */
  #spread(hit: Hit, i: number, j: number, k: number, whole: number): void {
    const { uvs } = this.#scene;
    const u = hit.a * uvs[i * 2] + hit.b * uvs[j * 2] + hit.c * uvs[k * 2];
    const v = hit.a * uvs[i * 2 + 1] + hit.b * uvs[j * 2 + 1] + hit.c * uvs[k * 2 + 1];
    hit.u = u;
    hit.v = v;
    const { right, up } = this.#camera;
    const m = this.#products;
    const across = whole === 0 ? 0 : this.#pixelX / whole;
    const down = whole === 0 ? 0 : -this.#pixelY / whole;
    const ra = (right[0] * m[0] + right[1] * m[1] + right[2] * m[2]) * across;
    const rb = (right[0] * m[3] + right[1] * m[4] + right[2] * m[5]) * across;
    const rc = (right[0] * m[6] + right[1] * m[7] + right[2] * m[8]) * across;
    const ua = (up[0] * m[0] + up[1] * m[1] + up[2] * m[2]) * down;
    const ub = (up[0] * m[3] + up[1] * m[4] + up[2] * m[5]) * down;
    const uc = (up[0] * m[6] + up[1] * m[7] + up[2] * m[8]) * down;
    const du = uvs[i * 2] - u;
    const eu = uvs[j * 2] - u;
    const fu = uvs[k * 2] - u;
    const dv = uvs[i * 2 + 1] - v;
    const ev = uvs[j * 2 + 1] - v;
    const fv = uvs[k * 2 + 1] - v;
    hit.acrossU = ra * du + rb * eu + rc * fu;
    hit.acrossV = ra * dv + rb * ev + rc * fv;
    hit.downU = ua * du + ub * eu + uc * fu;
    hit.downV = ua * dv + ub * ev + uc * fv;
  }
}
