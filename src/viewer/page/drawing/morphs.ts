// Morph targets of one mesh on the stage: positions and normals are the stored ones with the deltas of all targets added, as
// the engine's kernel adds them before joints move the vertices.

import type { BufferAttribute, BufferGeometry } from 'three';
import type { ReadMorph } from '../reading/protocol.ts';

export class Morphs {
  readonly targets: readonly ReadMorph[];
  readonly #attributes: { readonly attribute: BufferAttribute; readonly stored: Float32Array; readonly of: Deltas }[];

  /** `geometry` is drawn by nothing else. */
  constructor(geometry: BufferGeometry, targets: readonly ReadMorph[]) {
    this.targets = targets;
    this.#attributes = (['position', 'normal'] as const).map((name) => {
      const attribute = geometry.getAttribute(name) as BufferAttribute;
      return { attribute, stored: (attribute.array as Float32Array).slice(), of: DELTAS[name] };
    });
  }

  /** Weights by name; the others are 0. */
  show(weights: ReadonlyMap<string, number>): void {
    for (const { attribute, stored, of } of this.#attributes) {
      const values = attribute.array as Float32Array;
      values.set(stored);
      for (const target of this.targets) {
        const weight = weights.get(target.name) ?? 0;
        const deltas = of(target);
        if (weight === 0 || deltas === null) continue;
        for (let e = 0; e < target.vertices.length; e++) {
          for (let k = 0; k < 3; k++) values[target.vertices[e] * 3 + k] += weight * deltas[e * 3 + k];
        }
      }
      attribute.needsUpdate = true;
    }
  }
}

type Deltas = (target: ReadMorph) => Float32Array | null;
const DELTAS: Readonly<Record<'position' | 'normal', Deltas>> = {
  position: ({ positions }) => positions,
  normal: ({ normals }) => normals,
};
