// The picture of a chart whose colours are those of its corners: each texel has the colour of the surface at its centre, in linear
// light. Sampled bilinearly, a texture of it changes as the colours do between corners. Texels beside the surface continue it.

import { ENCODE_STEPS, srgbEncodeTable } from '../bake/color.ts';
import type { ChartPicture } from './chartPicture.ts';

export interface ColorPictureRequest {
  /** Texels without the border, and of the border. */
  readonly width: number;
  readonly height: number;
  readonly gutter: number;
  /** Of each corner, triangle by triangle: two coordinates in texels, … */
  readonly points: Float64Array;
  /** … and linear rgb from 0 to 1. */
  readonly colors: Float32Array;
}

/** A texel this far from a triangle has a share in what is sampled on it: bilinear samples reach a texel along both axes. */
const REACH = 1.5;
/** Texels across a triangle from which on its colours are continued beyond it; those of thinner ones would change too fast. */
const MIN_ACROSS = 2;

/** At least one triangle with an area. */
export function colorPicture({ width, height, gutter, points, colors }: ColorPictureRequest): ChartPicture {
  const across = width + 2 * gutter;
  const down = height + 2 * gutter;
  const canvas: Canvas = {
    across,
    down,
    gutter,
    texels: new Float32Array(across * down * 3),
    distances: new Float32Array(across * down).fill(Number.POSITIVE_INFINITY),
  };
  for (let t = 0; t < points.length / 6; t++) drawTriangle(canvas, points, colors, t);
  const mean = meanOf(canvas, colors);
  spread(canvas);
  const encode = srgbEncodeTable();
  const bytes = Uint8Array.from(canvas.texels, (value) => encode[Math.round(value * ENCODE_STEPS)]);
  return { width, height, colors: bytes, emission: null, mean: { color: mean, emission: [0, 0, 0] }, maxLight: 0 };
}

interface Canvas {
  readonly across: number;
  readonly down: number;
  readonly gutter: number;
  readonly texels: Float32Array;
  /** From a texel's centre to the triangle that it shows; 0 inside of it, infinite where none is near. */
  readonly distances: Float32Array;
}

function drawTriangle(
  { across, down, gutter, texels, distances }: Canvas,
  p: Float64Array,
  colors: Float32Array,
  t: number,
) {
  const at = t * 6;
  const [ax, ay, bx, by, cx, cy] = [p[at], p[at + 1], p[at + 2], p[at + 3], p[at + 4], p[at + 5]];
  const twice = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const longest = Math.max(Math.hypot(bx - ax, by - ay), Math.hypot(cx - bx, cy - by), Math.hypot(ax - cx, ay - cy));
  const isWide = Math.abs(twice) >= MIN_ACROSS * longest;
  const from = (least: number) => Math.max(0, Math.floor(least - REACH) + gutter);
  const to = (most: number, end: number) => Math.min(end, Math.ceil(most + REACH) + gutter);
  const lastX = to(Math.max(ax, bx, cx), across);
  const lastY = to(Math.max(ay, by, cy), down);
  const near = new Float64Array(4);
  for (let y = from(Math.min(ay, by, cy)); y < lastY; y++) {
    for (let x = from(Math.min(ax, bx, cx)); x < lastX; x++) {
      const texel = y * across + x;
      if (distances[texel] === 0) continue;
      const [px, py] = [x - gutter + 0.5, y - gutter + 0.5];
      let wb = twice === 0 ? -1 : ((px - ax) * (cy - ay) - (py - ay) * (cx - ax)) / twice;
      let wc = twice === 0 ? -1 : ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / twice;
      let distance = 0;
      if (wb < 0 || wc < 0 || wb + wc > 1) {
        nearestPoint(p, at, px, py, near);
        distance = near[0];
        if (distance > REACH || distance >= distances[texel]) continue;
        if (!isWide) [wb, wc] = [near[2], near[3]];
      }
      distances[texel] = distance;
      for (let k = 0; k < 3; k++) {
        const [a, b, c] = [colors[t * 9 + k], colors[t * 9 + 3 + k], colors[t * 9 + 6 + k]];
        texels[texel * 3 + k] = Math.max(0, Math.min(1, a + (b - a) * wb + (c - a) * wc));
      }
    }
  }
}

/** Writes the distance of a point to the edges of a triangle, and the weights of its corners at the nearest point. */
function nearestPoint(p: Float64Array, at: number, x: number, y: number, out: Float64Array): void {
  out[0] = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    const one = at + k * 2;
    const other = at + ((k + 1) % 3) * 2;
    const [dx, dy] = [p[other] - p[one], p[other + 1] - p[one + 1]];
    const square = dx * dx + dy * dy;
    const along = square > 0 ? Math.max(0, Math.min(1, ((x - p[one]) * dx + (y - p[one + 1]) * dy) / square)) : 0;
    const distance = Math.hypot(x - p[one] - along * dx, y - p[one + 1] - along * dy);
    if (distance >= out[0]) continue;
    out[0] = distance;
    for (let corner = 0; corner < 3; corner++) {
      out[1 + corner] = corner === k ? 1 - along : corner === (k + 1) % 3 ? along : 0;
    }
  }
}

/** The mean of the texels on the surface; of its corners where no texel's centre lies on it. */
function meanOf({ texels, distances }: Canvas, colors: Float32Array): [number, number, number] {
  const mean: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let texel = 0; texel < distances.length; texel++) {
    if (distances[texel] > 0) continue;
    count++;
    for (let k = 0; k < 3; k++) mean[k] += texels[texel * 3 + k];
  }
  if (count === 0) {
    count = colors.length / 3;
    for (let i = 0; i < colors.length; i++) mean[i % 3] += colors[i];
  }
  return [mean[0] / count, mean[1] / count, mean[2] / count];
}

/** Gives each texel without a colour that of the nearest one that has one, counted along rows and columns. */
function spread({ across, down, texels, distances }: Canvas): void {
  const queue = new Uint32Array(across * down);
  let end = 0;
  for (let texel = 0; texel < distances.length; texel++)
    if (distances[texel] < Number.POSITIVE_INFINITY) queue[end++] = texel;
  const take = (texel: number, from: number) => {
    if (distances[texel] < Number.POSITIVE_INFINITY) return;
    distances[texel] = REACH;
    texels.copyWithin(texel * 3, from * 3, from * 3 + 3);
    queue[end++] = texel;
  };
  for (let next = 0; next < end; next++) {
    const texel = queue[next];
    const x = texel % across;
    if (x > 0) take(texel - 1, texel);
    if (x < across - 1) take(texel + 1, texel);
    if (texel >= across) take(texel - across, texel);
    if (texel < across * (down - 1)) take(texel + across, texel);
  }
}
