// Values between two time samples (OpenUSD, UsdInterpolationTypeLinear). Numbers, vectors and matrices are interpolated
// linearly and quaternions along the great circle; values of other types keep the earlier sample.

import type { Value, ValueTypeName } from '../../layer.ts';

const LINEAR = /^(?:Half|Float|Double|TimeCode|Vec[234][dfh]|Matrix[234]d)$/;
const QUATERNION = /^Quat[dfh]$/;

type Numbers = number[] | Float32Array | Float64Array;

function lerp(a: ArrayLike<number>, b: ArrayLike<number>, t: number, out: Numbers): Numbers {
  for (let i = 0; i < a.length; i++) out[i] = a[i] + (b[i] - a[i]) * t;
  return out;
}

/** Spherical interpolation of quaternions (i, j, k, real), stored one after another, along the shorter arc. */
function slerp(a: ArrayLike<number>, b: ArrayLike<number>, t: number, out: Numbers): Numbers {
  for (let q = 0; q + 3 < a.length; q += 4) {
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += a[q + c] * b[q + c];
    const sign = dot < 0 ? -1 : 1;
    const angle = Math.acos(Math.min(1, Math.abs(dot)));
    const sine = Math.sin(angle);
    // For nearly equal rotations, linear interpolation gives the same result and does not divide by zero.
    const x = sine < 1e-6 ? 1 - t : Math.sin((1 - t) * angle) / sine;
    const y = (sine < 1e-6 ? t : Math.sin(t * angle) / sine) * sign;
    for (let c = 0; c < 4; c++) out[q + c] = a[q + c] * x + b[q + c] * y;
  }
  return out;
}

function blend(type: ValueTypeName): typeof lerp | null {
  if (LINEAR.test(type)) return lerp;
  return QUATERNION.test(type) ? slerp : null;
}

/** The value at fraction `t` between `from` and `to`. Arrays of different lengths give `from`. */
export function interpolate(from: Value, to: Value, t: number): Value {
  const mix = from.type === to.type && from.array === to.array ? blend(from.type) : null;
  if (mix === null) return from;
  if (typeof from.value === 'number') return { ...from, value: from.value + ((to.value as number) - from.value) * t };
  const a = from.value as Numbers;
  const b = to.value as Numbers;
  if (a.length !== b.length) return from;
  return { ...from, value: mix(a, b, t, a.slice()) };
}
