// Curves of a scene at a point in time (glTF 2.0, 3.11 and appendix C; UsdSkel's are linear).

import { normalizeQuaternion, slerp } from '../scene/quaternion.ts';
import type { SceneCurve } from '../scene/types.ts';

/** The last key at or before `time`, -1 before the first. */
function keyBefore(times: Float64Array, time: number): number {
  let low = -1;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The value of a curve at `time`, in seconds of its clip: written to `out` from `at` on, rotations as unit quaternions. */
export function valueAt(curve: SceneCurve, time: number, out: Float64Array, at: number): void {
  const { interpolation, size, times, values } = curve;
  const before = keyBefore(times, time);
  const isCubic = interpolation === 'cubic';
  /** Where the value of a key begins; cubic keys have a tangent before and behind it. */
  const value = (key: number) => (isCubic ? (key * 3 + 1) * size : key * size);
  const isHeld = before < 0 || before === times.length - 1 || interpolation === 'step' || times[before] === time;
  if (isHeld) {
    const from = value(Math.max(before, 0));
    for (let k = 0; k < size; k++) out[at + k] = values[from + k];
    if (size === 4) normalizeQuaternion(out, at);
    return;
  }
  const span = times[before + 1] - times[before];
  const s = (time - times[before]) / span;
  const a = value(before);
  const b = value(before + 1);
  if (isCubic) {
    const s2 = s * s;
    const s3 = s2 * s;
    for (let k = 0; k < size; k++) {
      const outOfA = values[a + size + k] * span;
      const intoB = values[b - size + k] * span;
      out[at + k] =
        (2 * s3 - 3 * s2 + 1) * values[a + k] +
        (s3 - 2 * s2 + s) * outOfA +
        (3 * s2 - 2 * s3) * values[b + k] +
        (s3 - s2) * intoB;
    }
    if (size === 4) normalizeQuaternion(out, at);
  } else if (size === 4) {
    const ends = new Float64Array(8);
    for (let k = 0; k < 4; k++) {
      ends[k] = values[a + k];
      ends[4 + k] = values[b + k];
    }
    normalizeQuaternion(ends, 0);
    normalizeQuaternion(ends, 4);
    slerp(ends, 0, ends, 4, s, out, at);
  } else {
    for (let k = 0; k < size; k++) out[at + k] = values[a + k] * (1 - s) + values[b + k] * s;
  }
}
