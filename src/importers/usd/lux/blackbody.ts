// The colour of a light from its temperature, as UsdLuxBlackbodyTemperatureAsRgb computes it (usdLux/blackbody.cpp): a
// Catmull-Rom spline over a table of black body colours, scaled to luminance 1. The table is that of "Colour Rendering
// of Spectra" (John Walker, public domain) for Rec. 709 primaries. In it, 6500 K is not exactly white, because D65 is
// not a black body.

import type { Vec3 } from '../../../scene/types.ts';

const COOLEST = 1000;
const HOTTEST = 10000;
const STEP = 500;

/** Linear rgb with the brightest component 1, in steps of 500 K from 1000 K on. */
// biome-ignore format: one colour a line
const TABLE = [
  1, 0.02749, 0,
  1, 0.149664, 0,
  1, 0.256644, 0.008095,
  1, 0.372033, 0.06745,
  1, 0.476725, 0.153601,
  1, 0.570376, 0.259196,
  1, 0.65348, 0.377155,
  1, 0.726878, 0.501606,
  1, 0.791543, 0.62805,
  1, 0.848462, 0.753228,
  1, 0.898581, 0.874905,
  1, 0.942771, 0.991642,
  0.906947, 0.890456, 1,
  0.828247, 0.841838, 1,
  0.765791, 0.801896, 1,
  0.715255, 0.768579, 1,
  0.673683, 0.740423, 1,
  0.638992, 0.716359, 1,
  0.609681, 0.695588, 1,
];
const LAST = TABLE.length / 3 - 1;

/** A component of the table. Beyond the ends of the table, the end is repeated. */
const knot = (index: number, component: number): number => TABLE[Math.min(Math.max(index, 0), LAST) * 3 + component];

/** The Catmull-Rom spline from b (t = 0) to c (t = 1), with the neighbours a and d. */
function spline(a: number, b: number, c: number, d: number, t: number): number {
  const cubic = 3 * (b - c) + d - a;
  const square = 2 * a - 5 * b + 4 * c - d;
  return b + 0.5 * t * (c - a + t * (square + t * cubic));
}

/** Linear Rec. 709 rgb of luminance 1, a factor of the colour of a light. `kelvin` is clamped to 1000 to 10000. */
export function blackbodyColor(kelvin: number): Vec3 {
  const at = (Math.min(Math.max(kelvin, COOLEST), HOTTEST) - COOLEST) / STEP;
  const segment = Math.floor(at);
  const rgb = [0, 1, 2].map((c) =>
    spline(knot(segment - 1, c), knot(segment, c), knot(segment + 1, c), knot(segment + 2, c), at - segment),
  );
  const luminance = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
  // For low temperatures, the blue of the spline is slightly negative.
  return [Math.max(rgb[0] / luminance, 0), Math.max(rgb[1] / luminance, 0), Math.max(rgb[2] / luminance, 0)];
}
