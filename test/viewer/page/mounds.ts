// Four mounds, one in each tile and of each tier, for tests of the colours of the page. The middle of each is flat, so that a
// pixel there has a colour that can be told beforehand, and a plate floats above a part of it. Around them are waves, which
// levels of detail take away.

import { buildGlb, type PrimitiveInput } from '../../importers/gltf/build.ts';

/** Words of names that put an object into each tier. */
const NAMES = ['Facade', 'Floor', 'Table', 'Pipe'];
/** Where the mounds are, in metres. */
export const MIDDLES: readonly (readonly [number, number])[] = [
  [20, 20],
  [60, 20],
  [20, 60],
  [60, 60],
];
/** What a plate covers, from the middle of its mound. */
export const PLATE = { from: 2, to: 4, height: 1 } as const;
/** Linear. */
export const GREY = 0.5;
/** UVs repeat once in so many metres; a middle is in the middle of a square of eighths. */
export const UV_METRES = 8;

const HALF = 14;
const STEPS = 56;
const FLAT = 6;

/** A grid over a square of 2 `HALF` metres. */
function mound(): PrimitiveInput {
  const [positions, uvs, indices]: number[][] = [[], [], []];
  const add = (x: number, y: number, z: number): number => {
    positions.push(x, y, z);
    return uvs.push(x / UV_METRES + 1 / 16, z / UV_METRES + 1 / 16) / 2 - 1;
  };
  const waves = (x: number, z: number): number => {
    const out = Math.max(0, Math.max(Math.abs(x), Math.abs(z)) - FLAT);
    return Math.min(1, out) * 0.4 * Math.sin(x * 1.7) * Math.cos(z * 1.3);
  };
  const square = (a: number, b: number, c: number, d: number) => indices.push(a, d, c, a, c, b);
  for (let j = 0; j <= STEPS; j++) {
    for (let i = 0; i <= STEPS; i++) {
      const [x, z] = [(i / STEPS) * 2 * HALF - HALF, (j / STEPS) * 2 * HALF - HALF];
      const at = add(x, waves(x, z), z);
      if (i > 0 && j > 0) square(at - STEPS - 2, at - STEPS - 1, at, at - 1);
    }
  }
  const { from, to, height } = PLATE;
  square(add(from, height, from), add(to, height, from), add(to, height, to), add(from, height, to));
  return { positions, uvs, indices: Uint32Array.from(indices), material: 0 };
}

export function moundsGlb(): Uint8Array {
  return buildGlb({
    meshes: [{ name: 'Mound', primitives: [mound()] }],
    materials: [
      {
        name: 'Grey',
        pbrMetallicRoughness: { baseColorFactor: [GREY, GREY, GREY, 1], metallicFactor: 0, roughnessFactor: 1 },
      },
    ],
    nodes: MIDDLES.map(([x, z], i) => ({ name: NAMES[i], mesh: 0, translation: [x, 0, z] })),
  });
}
