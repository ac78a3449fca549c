// The light of a sky that depends on the height of the look alone, as surfaces of any roughness mirror it: integrated here, in
// milliseconds. A GPU in software takes seconds for the same thing.

import type { Background } from '../../../raster/background.ts';
import type { Vec3 } from '../../../scene/types.ts';

/** Samples of a lobe: by its angle from the middle, and around it. */
const ACROSS = 48;
const AROUND = 24;

/** The sky itself, looking at `height` (the Y of a direction of unit length): the colours of the shader in sky.ts. */
export function skyAt({ up, horizon, down }: Background, height: number): Vec3 {
  const far = 1 - Math.abs(height);
  const share = 1 - far * far;
  const end = height < 0 ? down : up;
  return [0, 1, 2].map((k) => horizon[k] + (end[k] - horizon[k]) * share) as unknown as Vec3;
}

/**
 * What a surface of this roughness mirrors when it faces `height` and is seen straight on: the sky within the lobe of GGX,
 * weighted by the cosine (B. Karis, Real Shading in Unreal Engine 4, 2013), at `steps` heights from -1 to 1. RGB.
 */
export function lobesOf(sky: Background, roughness: number, steps: number): Float32Array {
  const table = new Float32Array(steps * 3);
  const alpha2 = roughness ** 4;
  for (let i = 0; i < steps; i++) {
    const height = -1 + (2 * i) / (steps - 1);
    const level = Math.sqrt(1 - height * height);
    const sum = [0, 0, 0];
    let weight = 0;
    for (let a = 0; a < ACROSS; a++) {
      const share = (a + 0.5) / ACROSS;
      const cosine = (1 - share - alpha2 * share) / (1 - share + alpha2 * share);
      if (cosine <= 0) break;
      const sine = Math.sqrt(1 - cosine * cosine);
      for (let r = 0; r < AROUND; r++) {
        const turn = ((r + 0.5) / AROUND) * Math.PI;
        const y = Math.min(1, Math.max(-1, height * cosine + level * sine * Math.cos(turn)));
        const color = skyAt(sky, y);
        for (let k = 0; k < 3; k++) sum[k] += color[k] * cosine;
        weight += cosine;
      }
    }
    for (let k = 0; k < 3; k++) table[i * 3 + k] = sum[k] / weight;
  }
  return table;
}

/** The colour of a table between its steps. */
export function lobeAt(table: Float32Array, height: number): Vec3 {
  const last = table.length / 3 - 1;
  const at = ((Math.min(1, Math.max(-1, height)) + 1) / 2) * last;
  const first = Math.min(last - 1, Math.floor(at));
  const share = at - first;
  const from = first * 3;
  return [0, 1, 2].map((k) => table[from + k] + (table[from + 3 + k] - table[from + k]) * share) as unknown as Vec3;
}
