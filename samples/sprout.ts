// Sprout, a small creature with two leaves on its head: the skinned sample. It stands on the ground, looks along +Z and is
// a little more than a metre high.

import {
  add,
  type Character,
  type CharacterJoint,
  chain,
  ellipsoid,
  type Influences,
  part,
  type Sweep,
  tube,
  unit,
  upright,
} from './character.ts';
import type { Point } from './shapes.ts';
import { walk, wave } from './sproutClips.ts';

/** The left of the creature is +X. */
const SIDES = [
  ['L', 1],
  ['R', -1],
] as const;

const places: CharacterJoint[] = [
  { name: 'Hips', parent: null, place: [0, 0.36, 0] },
  { name: 'Spine', parent: 'Hips', place: [0, 0.48, 0] },
  { name: 'Head', parent: 'Spine', place: [0, 0.69, 0] },
  { name: 'Stem', parent: 'Head', place: [0, 1.1, 0] },
  ...SIDES.flatMap(([side, x]): CharacterJoint[] => [
    { name: `Leaf${side}`, parent: 'Stem', place: [0.005 * x, 1.22, 0] },
    { name: `UpperArm${side}`, parent: 'Spine', place: [0.16 * x, 0.61, 0] },
    { name: `LowerArm${side}`, parent: `UpperArm${side}`, place: [0.26 * x, 0.49, 0] },
    { name: `UpperLeg${side}`, parent: 'Hips', place: [0.09 * x, 0.34, 0] },
    { name: `LowerLeg${side}`, parent: `UpperLeg${side}`, place: [0.09 * x, 0.2, 0] },
    { name: `Foot${side}`, parent: `LowerLeg${side}`, place: [0.09 * x, 0.07, 0] },
  ]),
];

/** On a lattice of 1/1024 m, so that the joints of each chain add up to their places to the last bit. */
const joints = places.map((joint): CharacterJoint => {
  const [x, y, z] = joint.place.map((value) => Math.round(value * 1024) / 1024);
  return { ...joint, place: [x, y, z] };
});

type Followed = readonly [Sweep, (at: Point) => Influences];

const follows =
  (joint: string): (() => Influences) =>
  () => [[joint, 1]];
const torso = ([, y]: Point): Influences =>
  chain(
    y,
    'Hips',
    [
      [0.46, 'Spine'],
      [0.71, 'Head'],
    ],
    0.07,
  );

function arm(side: string, x: number): Followed[] {
  const shoulder: Point = [0.12 * x, 0.65, 0];
  const hand: Point = [0.36 * x, 0.38, 0];
  const along = add(hand, shoulder, -1);
  const length = Math.hypot(...along);
  const direction = unit(along);
  const at = (share: number, radius: number): [Point, number] => [add(shoulder, along, share), radius];
  const points = [
    at(0, 0.06),
    ...[0.14, 0.28, 0.38, 0.48, 0.58, 0.72, 0.9].map((share) => at(share, 0.058 - 0.016 * share)),
  ];
  const share = (place: Point) =>
    add(place, shoulder, -1).reduce((sum, value, k) => sum + value * direction[k], 0) / length;
  const bend = (place: Point): Influences =>
    chain(
      share(place),
      'Spine',
      [
        [0.16, `UpperArm${side}`],
        [0.58, `LowerArm${side}`],
      ],
      0.14,
    );
  const across: Point = [0, 0, 1];
  const palm = [add([0, 0, 0], [direction[1], -direction[0], 0], 0.056), add([0, 0, 0], direction, 0.075)];
  const thumb = add(add(hand, direction, -0.005), [0, 0.012, 0.055]);
  return [
    [tube(points, across, 8), bend],
    [ellipsoid(add(hand, direction, 0.01), [palm[0], palm[1], [0, 0, 0.05]], 8, 4), follows(`LowerArm${side}`)],
    [ellipsoid(thumb, upright(0.022, 0.026, 0.03), 6, 4), follows(`LowerArm${side}`)],
  ];
}

function leg(side: string, x: number): Followed[] {
  const at = (y: number, radius: number): [Point, number] => [[0.09 * x, y, 0], radius];
  const points = [
    at(0.4, 0.085),
    at(0.34, 0.085),
    at(0.28, 0.08),
    at(0.24, 0.076),
    at(0.2, 0.073),
    at(0.16, 0.07),
    at(0.12, 0.067),
    at(0.05, 0.064),
  ];
  const bend = ([, y]: Point): Influences =>
    chain(
      -y,
      'Hips',
      [
        [-0.33, `UpperLeg${side}`],
        [-0.2, `LowerLeg${side}`],
        [-0.08, `Foot${side}`],
      ],
      0.045,
    );
  return [
    [tube(points, [1, 0, 0], 8), bend],
    [ellipsoid([0.095 * x, 0.04, 0.045], upright(0.08, 0.065, 0.125), 10, 5), follows(`Foot${side}`)],
  ];
}

const HEAD: Point = [0, 0.89, 0];
const SKULL: Point = [0.275, 0.23, 0.25];

/** A place on the face, by how far it is to the side and up of the middle of the head; `out` of the surface. */
function onFace(x: number, y: number, out = 0): Point {
  const [a, b, c] = SKULL;
  const z = c * Math.sqrt(Math.max(0, 1 - (x / a) ** 2 - (y / b) ** 2));
  const normal = unit([x / a ** 2, y / b ** 2, z / c ** 2]);
  return add(add(HEAD, [x, y, z]), normal, out);
}

function face(): Followed[] {
  const smile = Array.from({ length: 9 }, (_, i): [Point, number] => {
    const share = i / 4 - 1;
    return [onFace(0.062 * share, -0.075 + 0.03 * share * share, 0.001), 0.0075 - 0.003 * Math.abs(share)];
  });
  return [
    ...SIDES.map(
      ([, x]): Followed => [ellipsoid(onFace(0.1 * x, 0.01), upright(0.034, 0.048, 0.022), 10, 5), follows('Head')],
    ),
    [tube(smile, [0, 0, 1], 4), follows('Head')],
  ];
}

const shines = SIDES.map(
  ([, x]): Followed => [
    ellipsoid(add(onFace(0.1 * x, 0.01), [0.011, 0.018, 0.019]), upright(0.009, 0.011, 0.006), 6, 4),
    follows('Head'),
  ],
);

function leaf(side: string, x: number): Followed {
  const along = unit([x, 0.45, 0]);
  const up: Point = [-along[1] * x, along[0] * x, 0];
  const base: Point = [0.005 * x, 1.22, 0];
  const middle = add(base, along, 0.1);
  // Right-handed on both sides.
  const axes = [add([0, 0, 0], up, 0.012), add([0, 0, 0], along, 0.11), [0, 0, -0.055 * x] as Point];
  const follow = (place: Point) => chain(Math.hypot(...add(place, base, -1)), 'Stem', [[0.02, `Leaf${side}`]], 0.03);
  return [ellipsoid(middle, axes, 8, 7), follow];
}

const stem: Followed = [
  tube(
    [1.06, 1.11, 1.16, 1.2, 1.235].map((y): [Point, number] => [[0, y, 0], 0.02 - 0.05 * (y - 1.06)]),
    [1, 0, 0],
    6,
  ),
  ([, y]) => chain(y, 'Head', [[1.11, 'Stem']], 0.04),
];

const flat = ([x, y, z]: Point): Point => [x, Math.max(0, y), z];

export const sprout: Character = {
  name: 'Sprout',
  materials: [
    { name: 'Skin', baseColor: [0.16, 0.45, 0.42, 1], metallic: 0, roughness: 0.62 },
    { name: 'Cream', baseColor: [0.86, 0.77, 0.55, 1], metallic: 0, roughness: 0.7 },
    { name: 'Ink', baseColor: [0.022, 0.018, 0.02, 1], metallic: 0, roughness: 0.25 },
    { name: 'Leaf', baseColor: [0.3, 0.52, 0.08, 1], metallic: 0, roughness: 0.55 },
  ],
  joints,
  parts: [
    part(
      'Skin',
      [
        [ellipsoid([0, 0.5, 0], upright(0.2, 0.25, 0.18), 16, 9), torso],
        [ellipsoid(HEAD, upright(...SKULL), 18, 10), follows('Head')],
        ...SIDES.flatMap(([side, x]) => [...arm(side, x), ...leg(side, x)]),
      ],
      flat,
    ),
    part('Cream', [[ellipsoid([0, 0.475, 0.085], upright(0.15, 0.18, 0.125), 16, 8), torso], ...shines]),
    part('Ink', face()),
    part('Leaf', [stem, ...SIDES.map(([side, x]) => leaf(side, x))]),
  ],
  clips: [walk(joints), wave(joints)],
};
