// The light around a scene: what surfaces get of it from all sides (irradiance), what they mirror by their roughness, and the
// sun, which casts shadows of its own. Made of a cube of radiance, so that the built-in sky and a file are lit by alike.

import type { Vec3 } from '../../scene/types.ts';
import { addCube, type Cube, cubeOf, directionsOf, halvedCube } from './cube.ts';

export interface Sun {
  /** To the sun, of unit length. */
  readonly direction: Vec3;
  /** What a white surface that faces it shows. */
  readonly color: Vec3;
  /** Tangent of half the angle that it seems to have: how fast shadows become soft. */
  readonly tangent: number;
}

export interface Environment {
  /** As it is seen. */
  readonly cube: Cube;
  /** What is mirrored, from smooth to rough, at equal steps of roughness; each made when it is first asked for. */
  readonly mirrored: readonly (() => Cube)[];
  /** Nine coefficients of spherical harmonics for each of red, green and blue: what a white surface shows, by its normal. */
  readonly irradiance: Float64Array;
  readonly sun: Sun | null;
}

/** Steps of roughness: 0, 1/4 … 1, and the size of their cubes. */
const MIRROR_SIZES = [64, 16, 16, 8, 8] as const;
/** The size of the cubes that they are means of. */
const MEAN_SIZES = [64, 32, 16, 16, 8] as const;

/**
 * What a white surface shows of the light of a cube, as coefficients of spherical harmonics of bands 0 to 2 (Ramamoorthi and
 * Hanrahan, "An Efficient Representation for Irradiance Environment Maps", 2001), the cosine multiplied in and divided by pi.
 */
function irradianceOf({ size, texels }: Cube): Float64Array {
  const directions = directionsOf(size);
  const out = new Float64Array(27);
  const basis = new Float64Array(9);
  for (let i = 0; i * 4 < directions.length; i++) {
    harmonics(directions[i * 4], directions[i * 4 + 1], directions[i * 4 + 2], basis);
    const angle = directions[i * 4 + 3];
    for (let l = 0; l < 9; l++) {
      // The share of band 0, 1 and 2 that a cosine keeps.
      const kept = (l === 0 ? 1 : l < 4 ? 2 / 3 : 1 / 4) * basis[l] * angle;
      for (let k = 0; k < 3; k++) out[l * 3 + k] += texels[i * 3 + k] * kept;
    }
  }
  return out;
}

function harmonics(x: number, y: number, z: number, to: Float64Array): void {
  to[0] = 0.28209479177387814;
  to[1] = 0.4886025119029199 * y;
  to[2] = 0.4886025119029199 * z;
  to[3] = 0.4886025119029199 * x;
  to[4] = 1.0925484305920792 * x * y;
  to[5] = 1.0925484305920792 * y * z;
  to[6] = 0.31539156525252005 * (3 * z * z - 1);
  to[7] = 1.0925484305920792 * x * z;
  to[8] = 0.5462742152960396 * (x * x - y * y);
}

const BASIS = new Float64Array(9);

/** What a white surface with this normal shows of the light around it, into `to`. */
export function irradianceAt({ irradiance }: Environment, x: number, y: number, z: number, to: Float64Array): void {
  harmonics(x, y, z, BASIS);
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let l = 0; l < 9; l++) sum += irradiance[l * 3 + k] * BASIS[l];
    to[k] = Math.max(0, sum);
  }
}

/** What a surface of this roughness, 0 to 1, mirrors from a direction of unit length, into `to`. */
export function mirroredAt(
  { mirrored }: Environment,
  roughness: number,
  x: number,
  y: number,
  z: number,
  to: Float64Array,
) {
  to.fill(0);
  const at = Math.min(1, Math.max(0, roughness)) * (mirrored.length - 1);
  const level = Math.min(mirrored.length - 2, Math.floor(at));
  const share = at - level;
  if (share < 1) addCube(mirrored[level](), x, y, z, 1 - share, to);
  if (share > 0) addCube(mirrored[level + 1](), x, y, z, share, to);
}

/**
 * A cube seen in a surface of a roughness: the mean by the distribution of GGX (Walter and others, "Microfacet Models for
 * Refraction through Rough Surfaces", 2007), looked at along the normal, as in B. Karis's "Real Shading in Unreal Engine 4" (2013).
 */
function blurred(source: Cube, size: number, roughness: number): Cube {
  const alpha = roughness * roughness;
  const squared = alpha * alpha;
  const from = directionsOf(source.size);
  const { texels } = source;
  // The cosine beyond which the distribution is below a thousandth of its peak.
  const half = 1 - (squared * (Math.sqrt(1000) - 1)) / (1 - squared + 1e-9);
  const least = half > 0 ? 2 * half - 1 : -1;
  return cubeOf(size, (x, y, z, to) => {
    to.fill(0);
    let all = 0;
    for (let i = 0, at = 0; at < from.length; i += 3, at += 4) {
      const cosine = x * from[at] + y * from[at + 1] + z * from[at + 2];
      if (cosine <= 0 || cosine < least) continue;
      const half2 = (1 + cosine) / 2;
      const under = half2 * (squared - 1) + 1;
      const weight = (cosine * from[at + 3]) / (under * under);
      all += weight;
      for (let k = 0; k < 3; k++) to[k] += texels[i + k] * weight;
    }
    if (all > 0) for (let k = 0; k < 3; k++) to[k] /= all;
    else addCube(source, x, y, z, 1, to);
  });
}

/** `cube`: of 64 texels a side, without the sun. */
export function buildEnvironment(cube: Cube, sun: Sun | null): Environment {
  const chain = [cube];
  while (chain[chain.length - 1].size > 8) chain.push(halvedCube(chain[chain.length - 1]));
  const ofSize = (size: number) => chain.find((one) => one.size <= size)!;
  const mirrored = MIRROR_SIZES.map((size, i) => {
    const source = ofSize(MEAN_SIZES[i]);
    let made: Cube | null = i === 0 ? source : null;
    return () => {
      made ??= blurred(source, size, i / (MIRROR_SIZES.length - 1));
      return made;
    };
  });
  return { cube, mirrored, irradiance: irradianceOf(ofSize(16)), sun };
}

function unit([x, y, z]: Vec3): Vec3 {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}

/** From the left of a camera that looks from the front right, so that shadows are seen beside what casts them. */
const SUN: Sun = { direction: unit([-0.5, 0.78, 0.62]), color: [1.12, 1.04, 0.9], tangent: 0.022 };

/** Radiance by direction: overhead, at the horizon, below. */
const ZENITH: Vec3 = [0.34, 0.42, 0.56];
const HORIZON: Vec3 = [0.52, 0.53, 0.53];
const NADIR: Vec3 = [0.2, 0.185, 0.165];

let known: Environment | null = null;

/** A clear day: the light of pictures for which no environment is named. */
export function daylight(): Environment {
  known ??= buildEnvironment(
    cubeOf(64, (_x, y, _z, to) => {
      const end = y > 0 ? ZENITH : NADIR;
      // The ground meets the sky at a soft edge, so that what is mirrored has a horizon.
      const share = y > 0 ? 1 - (1 - y) * (1 - y) : Math.min(1, -y * 3);
      for (let k = 0; k < 3; k++) to[k] = HORIZON[k] + (end[k] - HORIZON[k]) * share;
    }),
    SUN,
  );
  return known;
}
