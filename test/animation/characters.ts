// Hand-made characters: a tube whose rings follow a chain of joints, as glTF. Every number is stated here.

import type { SceneInput } from '../importers/gltf/build.ts';
import { I, inverted, type M, mul, trs, turn } from './arithmetic.ts';

export interface Joint {
  readonly name: string;
  readonly parent: number;
  readonly t: readonly number[];
  readonly q?: readonly number[];
  readonly s?: readonly number[];
}

/** Hip, knee and foot, a metre apart, with a turn at rest. */
export const LEG: readonly Joint[] = [
  { name: 'Hip', parent: -1, t: [0, 2, 0] },
  { name: 'Knee', parent: 0, t: [0, -1, 0], q: turn([1, 0, 0], 20) },
  { name: 'Foot', parent: 1, t: [0, -1, 0.1], q: turn([1, 0.2, 0], -15) },
];

export function globalsOf(joints: readonly Joint[], above: M = I): M[] {
  const out: M[] = [];
  for (const { parent, t, q = [0, 0, 0, 1], s = [1, 1, 1] } of joints) {
    out.push(mul(parent < 0 ? above : out[parent], trs(t, q, s)));
  }
  return out;
}

export interface Tube {
  readonly positions: number[];
  readonly normals: number[];
  readonly indices: number[];
  /** Two a vertex: the joint above and the one below, by height. */
  readonly joints: number[];
  readonly weights: number[];
}

const SIDES = 5;
const RINGS = 7;

/** A tube from y = 2.2 down to 0, in metres. */
export function tube(jointCount = 3): Tube {
  const positions: number[] = [];
  const normals: number[] = [];
  const joints: number[] = [];
  const weights: number[] = [];
  for (let r = 0; r < RINGS; r++) {
    const y = 2.2 - (2.2 * r) / (RINGS - 1);
    const along = ((2.2 - y) / 2.2) * (jointCount - 1);
    const upper = Math.min(jointCount - 2, Math.floor(along));
    for (let side = 0; side < SIDES; side++) {
      const angle = (side / SIDES) * 2 * Math.PI;
      positions.push(0.2 * Math.cos(angle), y, 0.2 * Math.sin(angle));
      normals.push(Math.cos(angle), 0, Math.sin(angle));
      joints.push(upper, upper + 1);
      weights.push(1 - (along - upper), along - upper);
    }
  }
  const indices: number[] = [];
  for (let r = 0; r + 1 < RINGS; r++) {
    for (let side = 0; side < SIDES; side++) {
      const [a, b] = [r * SIDES + side, r * SIDES + ((side + 1) % SIDES)];
      indices.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
    }
  }
  return { positions, normals, indices, joints, weights };
}

/** Pairs of joints and weights as the four of glTF. */
const four = (pairs: readonly number[]): number[] =>
  Array.from({ length: pairs.length / 2 }, (_, v) => [pairs[v * 2], pairs[v * 2 + 1], 0, 0]).flat();

export interface Key {
  readonly node: number;
  readonly path: 'translation' | 'rotation' | 'scale';
  readonly times: readonly number[];
  /** A row a key; three rows of a cubic one. */
  readonly values: readonly (readonly number[])[];
  readonly interpolation?: string;
}

/** A walk: hip sways and bobs, knee bends. Keys from 0.5 s to 2.5 s. Node numbers are those of `character`. */
export const WALK: readonly Key[] = [
  {
    node: 1,
    path: 'translation',
    times: [0.5, 1.25, 2.5],
    values: [
      [0, 2, 0],
      [0.3, 1.8, 0.4],
      [0, 2, 0],
    ],
  },
  { node: 1, path: 'rotation', times: [0.5, 2], values: [[0, 0, 0, 1], turn([0, 1, 0.3], 70)] },
  {
    node: 2,
    path: 'rotation',
    times: [0.5, 1, 1.5, 2.5],
    values: [10, 80, -25, 10].map((angle) => turn([1, 0, 0.1], angle)),
  },
];

export interface CharacterOptions {
  readonly joints?: readonly Joint[];
  readonly keys?: readonly Key[];
  /** The armature above the joints. */
  readonly armature?: Readonly<Record<string, unknown>>;
  /** Inverse bind matrices; otherwise those of the joints at rest below `bindAbove`. */
  readonly binds?: readonly M[];
  readonly bindAbove?: M;
  /** More nodes, behind armature, joints and mesh. */
  readonly more?: readonly object[];
  readonly mesh?: Tube;
}

/** Nodes: 0 armature, 1 … joints, then the mesh. */
export function character(options: CharacterOptions = {}): SceneInput {
  const { joints = LEG, keys = WALK, armature = {}, bindAbove = I, mesh = tube(joints.length), more = [] } = options;
  const binds = options.binds ?? globalsOf(joints, bindAbove).map(inverted);
  const meshNode = joints.length + 1;
  const children = (parent: number) => joints.flatMap((joint, j) => (joint.parent === parent ? [j + 1] : []));
  const attributes = { JOINTS_0: Uint8Array.from(four(mesh.joints)), WEIGHTS_0: four(mesh.weights) };
  // Accessors of the mesh: POSITION, NORMAL, JOINTS_0, WEIGHTS_0, indices.
  const first = 5;
  return {
    meshes: [{ name: 'Tube', primitives: [{ ...mesh, attributes, material: 0 }] }],
    materials: [{ name: 'Skin' }],
    nodes: [
      { name: 'Armature', ...armature, children: [...children(-1), meshNode] },
      ...joints.map(({ name, t, q, s }, j) => ({
        name,
        translation: t,
        ...(q ? { rotation: q } : {}),
        ...(s ? { scale: s } : {}),
        ...(children(j).length > 0 ? { children: children(j) } : {}),
      })),
      { name: 'Tube', mesh: 0, skin: 0 },
      ...more,
    ],
    accessors: [
      { data: binds.flat(), type: 'MAT4' },
      ...keys.flatMap(({ times, values }) => [
        { data: [...times], type: 'SCALAR' },
        { data: values.flat(), type: `VEC${values[0].length}` },
      ]),
    ],
    root: {
      skins: [{ joints: joints.map((_, j) => j + 1), inverseBindMatrices: first }],
      animations: [
        {
          name: 'Walk',
          samplers: keys.map(({ interpolation }, k) => ({
            input: first + 1 + 2 * k,
            output: first + 2 + 2 * k,
            ...(interpolation ? { interpolation } : {}),
          })),
          channels: keys.map(({ node, path }, k) => ({ sampler: k, target: { node, path } })),
        },
      ],
    },
  };
}
