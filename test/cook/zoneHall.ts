// A hall of problems around a zone, as one GLB: ground under the feet, a pavilion that the zone stands in, a fence that is cut out of
// its texture, a pane of glass with a house behind, a mirrored letter, a thin wire between two posts, and a skinned figure.

import { storedPng } from '../../bench/storedPng.ts';
import { character } from '../animation/characters.ts';
import { buildGlb, type PrimitiveInput, type SceneInput } from '../importers/gltf/build.ts';
import { box, grid, rectangles } from './zoneScenes.ts';

type Point = readonly [number, number, number];

/** The eyes in it. */
export const HALL_ZONE = { min: [-0.5, 1.2, -0.5], max: [0.5, 1.9, 0.5] } as const;

const ground = (x: number, z: number): number =>
  0.15 * Math.sin(x * 0.8) * Math.cos(z * 0.6) + 0.02 * Math.sin(x * 5 + z * 4);

/** Several meshes as one, each with the UVs of none. */
function joined(...list: readonly PrimitiveInput[]): PrimitiveInput {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const one of list) {
    const first = positions.length / 3;
    positions.push(...(one.positions as number[]));
    for (const index of one.indices as number[]) indices.push(first + index);
  }
  return { positions, indices };
}

const posts = (places: readonly (readonly [number, number])[], top: number, half: number): PrimitiveInput[] =>
  places.map(([x, z]) => box([x - half, -0.3, z - half], [x + half, top, z + half]));

/** Four posts under a roof. */
const pavilion = joined(
  ...posts(
    [
      [-1.4, -1.4],
      [1.4, -1.4],
      [1.4, 1.4],
      [-1.4, 1.4],
    ],
    2.4,
    0.06,
  ),
  box([-1.6, 2.4, -1.6], [1.6, 2.5, 1.6]),
);

/** A wire of four sides that sags between two places, 8 mm thick. */
function wire(from: Point, to: Point, sag: number, pieces: number): PrimitiveInput {
  const positions: number[] = [];
  const indices: number[] = [];
  const half = 0.004;
  for (let i = 0; i <= pieces; i++) {
    const t = i / pieces;
    const [x, y, z] = [0, 1, 2].map((k) => from[k] + (to[k] - from[k]) * t);
    const low = y - sag * 4 * t * (1 - t);
    for (const [dy, dz] of [
      [half, half],
      [half, -half],
      [-half, -half],
      [-half, half],
    ]) {
      positions.push(x, low + dy, z + dz);
    }
  }
  for (let i = 0; i < pieces; i++) {
    for (let k = 0; k < 4; k++) {
      const [a, b] = [i * 4 + k, i * 4 + ((k + 1) % 4)];
      indices.push(a, b, b + 4, a, b + 4, a + 4);
    }
  }
  return { positions, indices };
}

/** A lumpy ball. */
function stone([x, y, z]: Point, radius: number, sides: number): PrimitiveInput {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= sides; j++) {
    for (let i = 0; i <= sides; i++) {
      const [a, b] = [(i % sides) * ((2 * Math.PI) / sides), Math.PI * (j / sides - 0.5)];
      const r = radius * (1 + 0.08 * Math.sin(5 * a) * Math.cos(4 * b));
      positions.push(x + r * Math.cos(b) * Math.cos(a), y + r * Math.sin(b), z + r * Math.cos(b) * Math.sin(a));
    }
  }
  for (let j = 0; j < sides; j++) {
    for (let i = 0; i < sides; i++) {
      const a = j * (sides + 1) + i;
      indices.push(a, a + sides + 1, a + 1, a + 1, a + sides + 1, a + sides + 2);
    }
  }
  return { positions, indices };
}

/** The letter F in the plane z = 0, which shows whether it is mirrored. */
const letter = joined(
  box([0, 0, 0], [0.25, 1.6, 0.2]),
  box([0.25, 1.35, 0], [1, 1.6, 0.2]),
  box([0.25, 0.75, 0], [0.75, 1, 0.2]),
);

/** Wire netting: what lies between its wires is cut out. */
const netting = storedPng(64, (x, y) => [96, 102, 110, x % 16 < 3 || y % 16 < 3 ? 255 : 0]);

const across = (x0: number, x1: number, y1: number, z: number): PrimitiveInput =>
  rectangles([
    [x0, -0.2, z],
    [x1, -0.2, z],
    [x1, y1, z],
    [x0, y1, z],
  ]);

interface Thing {
  readonly name: string;
  readonly shape: PrimitiveInput;
  readonly color: Point;
  readonly material?: object;
  readonly node?: object;
}

const THINGS: readonly Thing[] = [
  { name: 'Ground', shape: grid(90, 40, ground), color: [0.32, 0.4, 0.2] },
  { name: 'Pavilion', shape: pavilion, color: [0.5, 0.34, 0.2] },
  {
    name: 'Fence',
    shape: across(-5, 1, 1.4, -5),
    color: [1, 1, 1],
    material: { alphaMode: 'MASK', alphaCutoff: 0.5, doubleSided: true },
  },
  { name: 'Stone', shape: stone([-2.5, 0.6, -7.5], 1, 40), color: [0.55, 0.55, 0.58] },
  {
    name: 'Letter',
    shape: letter,
    color: [0.75, 0.15, 0.1],
    node: { translation: [-2.6, 0, -3.4], scale: [-1, 1, 1] },
  },
  { name: 'Wire', shape: wire([-5.5, 3, -4.4], [5.5, 3, -4.4], 0.5, 24), color: [0.05, 0.05, 0.06] },
  {
    name: 'Posts',
    shape: joined(
      ...posts(
        [
          [-5.5, -4.4],
          [5.5, -4.4],
        ],
        3.1,
        0.08,
      ),
    ),
    color: [0.35, 0.25, 0.15],
  },
  {
    name: 'Pane',
    shape: across(2, 5, 2, -4),
    color: [0.5, 0.75, 0.9],
    material: { alphaMode: 'BLEND', doubleSided: true },
  },
  { name: 'House', shape: box([3, 0, -9], [7, 3, -7]), color: [0.85, 0.75, 0.55] },
  { name: 'Hidden', shape: stone([5, 1, -12], 0.8, 40), color: [1, 0, 1] },
  { name: 'East', shape: stone([8, 1, 3], 1.4, 60), color: [0.4, 0.45, 0.6] },
  { name: 'West', shape: box([-9, 0, 1], [-7, 2.4, 4]), color: [0.6, 0.6, 0.4] },
  { name: 'South', shape: stone([1, 0.8, 8], 1.2, 60), color: [0.6, 0.42, 0.4] },
];

const accessorsOf = ({ positions, indices, uvs }: PrimitiveInput): number =>
  [positions, indices, uvs].filter((one) => one !== undefined).length;

/** The hall as the bytes of a GLB. */
export function hall(): Uint8Array {
  const figure = character({ armature: { translation: [1.2, 0, -3] } });
  const first = { mesh: figure.meshes?.length ?? 0, material: figure.materials?.length ?? 0 };
  const scene: SceneInput = {
    ...figure,
    meshes: [
      ...(figure.meshes ?? []),
      ...THINGS.map(({ name, shape }, i) => ({ name, primitives: [{ ...shape, material: first.material + i }] })),
    ],
    materials: [
      ...(figure.materials ?? []),
      ...THINGS.map(({ name, color, material = {} }) => ({
        name,
        pbrMetallicRoughness: {
          baseColorFactor: [...color, name === 'Pane' ? 0.35 : 1],
          metallicFactor: 0,
          ...(name === 'Fence' ? { baseColorTexture: { index: 0 } } : {}),
        },
        ...material,
      })),
    ],
    nodes: [
      ...(figure.nodes ?? []),
      ...THINGS.map(({ name, node = {} }, i) => ({ name, mesh: first.mesh + i, ...node })),
    ],
    textures: [{ source: 0 }],
    images: [netting],
  };
  const added = THINGS.reduce((sum, { shape }) => sum + accessorsOf(shape), 0);
  // Accessors of meshes come first: those of the figure's skin and clip have other numbers now.
  return buildGlb(scene, ({ skins, animations }) => {
    skins[0].inverseBindMatrices += added;
    for (const sampler of animations[0].samplers) {
      sampler.input += added;
      sampler.output += added;
    }
  });
}
