// Objects of plans, and scenes of them, for the tests of this room.

import type { Bounds } from '../../src/scene/types.ts';
import type { PlannedObject } from '../../src/tiling/types.ts';

/** From corner to corner in X and Z, a metre high. */
export const box = (x0: number, z0: number, x1: number, z1: number, y0 = 0, y1 = y0 + 1): Bounds => ({
  min: [x0, y0, z0],
  max: [x1, y1, z1],
});

export const object = (node: number, bounds: Bounds, more: Partial<PlannedObject> = {}): PlannedObject => ({
  node,
  bounds,
  triangles: 1000,
  vertices: 1000,
  name: '',
  materialNames: [],
  draws: ['0'],
  ...more,
});

/** Equal numbers in [0, 1) for equal seeds. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const NAMES = ['Wall', 'Chair', 'Roof', 'Pipe', 'House', 'Floor', 'Ceiling', 'Thing', 'Facade_2', 'Ground'];

// By multiplication, whose last bit is the same in every version of Node; that of a power is not.
const square = (x: number) => x * x;
const cube = (x: number) => x * x * x;

/** `count` objects of many sizes and weights in a scene of about `extent` metres; some as wide as all of it. */
export function generatedScene(seed: number, extent: number, count: number): PlannedObject[] {
  const next = random(seed);
  return Array.from({ length: count }, (_, node) => {
    const wide = next() < 0.03;
    const size = () => (wide ? next() * extent : cube(next()) * 0.1 * extent);
    const [w, h, d] = [size(), 0.3 * size(), size()];
    const [x, y, z] = [(next() - 0.5) * (extent - w), next() * 0.1 * extent, (next() - 0.5) * (extent - d)];
    const vertices = 3 + Math.floor(square(cube(next())) * 200_000);
    return object(node, box(x, z, x + w, z + d, y, y + h), {
      vertices,
      triangles: Math.ceil(vertices * (0.5 + next())),
      name: NAMES[Math.floor(next() * NAMES.length)],
      draws: Array.from({ length: 1 + Math.floor(next() * 3) }, () => String(Math.floor(next() * 40))),
      tags: next() < 0.1 ? { priority: 'High' } : next() < 0.02 ? { policy: 'force_local' } : null,
    });
  });
}

/** The same in another order. */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const next = random(seed);
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}
