// The four largest influences of each vertex, because that is what the engine's vertices hold.

import type { SkinWeights } from '../scene/types.ts';

export const INFLUENCES = 4;

export interface ReducedWeights {
  readonly weights: SkinWeights;
  /** Vertices that had more than four influences, and the largest share of a vertex that was dropped with one. */
  readonly dropped: number;
  readonly largestDropped: number;
  /** Vertices without any weight above 0: they follow the root joint. */
  readonly loose: number;
}

/**
 * At most four influences a vertex, the largest first, with weights that add up to 1. `jointOf`: by the number that `skinning`
 * has for a joint, the number that the result has.
 */
export function fourLargest({ influences, joints, weights }: SkinWeights, jointOf: Uint32Array): ReducedWeights {
  const vertexCount = weights.length / influences;
  const outJoints = new Uint16Array(vertexCount * INFLUENCES);
  const outWeights = new Float32Array(vertexCount * INFLUENCES);
  let dropped = 0;
  let largestDropped = 0;
  let loose = 0;
  const own: { joint: number; weight: number }[] = [];
  for (let v = 0; v < vertexCount; v++) {
    own.length = 0;
    let sum = 0;
    for (let i = v * influences; i < (v + 1) * influences; i++) {
      const weight = weights[i];
      if (!(weight > 0)) continue;
      sum += weight;
      const joint = jointOf[joints[i]];
      // A joint may be listed twice.
      const known = own.find((one) => one.joint === joint);
      if (known) known.weight += weight;
      else own.push({ joint, weight });
    }
    const to = v * INFLUENCES;
    if (sum === 0) {
      loose++;
      outWeights[to] = 1;
      continue;
    }
    own.sort((a, b) => b.weight - a.weight || a.joint - b.joint);
    if (own.length > INFLUENCES) {
      dropped++;
      largestDropped = Math.max(largestDropped, own[INFLUENCES].weight / sum);
      own.length = INFLUENCES;
    }
    let kept = 0;
    for (const { weight } of own) kept += weight;
    for (const [k, { joint, weight }] of own.entries()) {
      outJoints[to + k] = joint;
      outWeights[to + k] = weight / kept;
    }
  }
  return {
    weights: { influences: INFLUENCES, joints: outJoints, weights: outWeights },
    dropped,
    largestDropped,
    loose,
  };
}
