// The sample town: sixteen blocks between six streets on a meadow of 240 m, with a square, two parks, a house that can be
// entered, and a town wall. A hundred thousand triangles of a few dozen parts, for trying how scenes are cut.

import { noise } from './png.ts';
import { box, type Corner, moved, type Point, type Solid, textured } from './shapes.ts';
import type { SampleStage, StageNode, SwarmPlace } from './stage.ts';
import { materials, meshOf, openHouse, parts, textures } from './townParts.ts';

const WIDTH = 240;
/** Of the meadow's squares, in metres. */
const STEP = 6;
const STREETS = [-50, 0, 50];
/** Middles of the blocks along both axes; each is 40 m wide. */
const BLOCKS = [-75, -25, 25, 75];

/** Height of the meadow: flat between the streets, rising towards its edge, with a hill in one park. */
function ground(x: number, z: number): number {
  const away = Math.min(1, Math.max(0, (Math.max(Math.abs(x), Math.abs(z)) - 102) / 18));
  const rim = away * away * (3 - 2 * away) * (4 + 2 * Math.sin(x * 0.05) * Math.cos(z * 0.04));
  const near = Math.min(1, Math.hypot(x - 75, z + 75) / 16);
  const hill = 3 * (1 - near * near) ** 2;
  return rim + hill;
}

function meadow(): StageNode {
  const faces: Corner[][] = [];
  const count = WIDTH / STEP;
  const at = (i: number, j: number): Corner => {
    const [x, z] = [i * STEP - WIDTH / 2, j * STEP - WIDTH / 2];
    // A hand's breadth below what stands on it.
    return [x, ground(x, z) - 0.02, z, x / 12, -z / 12];
  };
  for (let j = 0; j < count; j++) {
    for (let i = 0; i < count; i++) faces.push([at(i, j + 1), at(i + 1, j + 1), at(i + 1, j), at(i, j)]);
  }
  return { name: 'Meadow', mesh: meshOf('Meadow', { material: 'Meadow', faces }) };
}

function streets(): StageNode {
  const steps = Array.from({ length: 19 }, (_, i) => -90 + i * 10);
  const straight = steps.filter((at) => !STREETS.includes(at));
  return {
    name: 'Streets',
    // By their size alone they would be taken for what is inside of buildings.
    tags: { untold_semantic_override: 'ExteriorShell' },
    children: [
      ...STREETS.flatMap((z, s) =>
        straight.map((x, i): StageNode => ({ name: `Street_${s}_${i}`, part: 'Street', at: [x, 0, z] })),
      ),
      ...STREETS.flatMap((x, s) =>
        straight.map((z, i): StageNode => ({ name: `Street_${s + 3}_${i}`, part: 'Street', at: [x, 0, z], turn: 90 })),
      ),
      ...STREETS.flatMap((x, i) =>
        STREETS.map((z, j): StageNode => ({ name: `Crossing_${i}_${j}`, part: 'Crossing', at: [x, 0, z] })),
      ),
    ],
  };
}

/** Rows of houses on both sides of a block, looking at the streets north and south of it. */
function rows(x: number, z: number, kinds: readonly string[], count: number, pitch: number, away: number) {
  return [-1, 1].flatMap((side) =>
    Array.from({ length: count }, (_, i): StageNode => {
      const kind = kinds[Math.floor(noise(x + i * 7, z + side * 5) * kinds.length)];
      return {
        name: `${kind}_${side < 0 ? 'n' : 's'}${i}`,
        part: kind,
        at: [x + (i - (count - 1) / 2) * pitch, 0, z + side * away],
        turn: side < 0 ? 180 : 0,
      };
    }),
  );
}

const cottages = (x: number, z: number) => rows(x, z, ['Cottage', 'CottageWhite'], 3, 13, 14);
const terraces = (x: number, z: number) => rows(x, z, ['Townhouse', 'TownhouseRose', 'TownhouseOchre'], 5, 7, 14);
const shops = (x: number, z: number) => rows(x, z, ['Shop', 'ShopBricks'], 3, 13, 14);
const flats = (x: number, z: number) => rows(x, z, ['Apartments'], 2, 20, 12);

/** A row of blocks from north to south, from west to east in each. */
const PLAN: readonly (readonly (((x: number, z: number) => StageNode[]) | null)[])[] = [
  [flats, terraces, terraces, null],
  [cottages, shops, shops, flats],
  [cottages, null, null, terraces],
  [null, cottages, cottages, flats],
];

function houses(): StageNode {
  const blocks = PLAN.flatMap((row, j) =>
    row.flatMap((build, i): StageNode[] =>
      build === null ? [] : [{ name: `Block_${i}_${j}`, children: build(BLOCKS[i], BLOCKS[j]) }],
    ),
  );
  return { name: 'Houses', children: blocks };
}

/** Trees and bushes somewhere on a disc or ring; heights follow the ground. */
function grove(name: string, middle: readonly [number, number], from: number, to: number, count: number): StageNode {
  const places = Array.from({ length: count }, (_, i): SwarmPlace => {
    const angle = 2 * Math.PI * noise(i, count);
    const away = Math.sqrt(from * from + (to * to - from * from) * noise(count, i + 50));
    const [x, z] = [middle[0] + away * Math.cos(angle), middle[1] + away * Math.sin(angle)];
    const kind = noise(i + 100, count);
    return {
      part: kind < 0.5 ? 0 : kind < 0.75 ? 1 : 2,
      at: [x, ground(x, z) - 0.05, z],
      scale: Math.round((0.8 + 0.45 * noise(i, i + 9)) * 100) / 100,
      isTurned: noise(i + 5, 3) < 0.5,
    };
  });
  return { name, swarm: { parts: ['Tree', 'Poplar', 'Bush'], places } };
}

/** Trees outside of the streets, along all four sides. */
function avenue(): StageNode {
  const children = [0, 1, 2, 3].flatMap((side) =>
    Array.from({ length: 16 }, (_, i): StageNode => {
      const along = -97.5 + i * 13;
      const away = 104 + 8 * noise(i, side + 40);
      const [x, z] = [
        [along, away],
        [away, -along],
        [-along, -away],
        [-away, along],
      ][side];
      return {
        name: `${i % 3 === 0 ? 'Poplar' : 'Tree'}_${side}_${i}`,
        part: i % 3 === 0 ? 'Poplar' : 'Tree',
        at: [x, ground(x, z) - 0.1, z],
        turn: Math.floor(noise(side, i) * 360),
        scale: Math.round((0.9 + 0.4 * noise(i, side)) * 100) / 100,
      };
    }),
  );
  return { name: 'Avenue', children };
}

/** Every 25 m along the streets that run from west to east. */
function streetlights(): StageNode {
  const children = STREETS.flatMap((z, s) =>
    Array.from({ length: 8 }, (_, i): StageNode[] => {
      const x = -87.5 + i * 25;
      return [
        { name: `Streetlight_${s}_${i}n`, part: 'Streetlight', at: [x, 0.15, z - 4.2], turn: -90 },
        { name: `Streetlight_${s}_${i}s`, part: 'Streetlight', at: [x + 10, 0.15, z + 4.2], turn: 90 },
      ];
    }).flat(),
  );
  return { name: 'Streetlights', children };
}

function square(x: number, z: number): StageNode {
  const around = Array.from({ length: 8 }, (_, i) => (i * Math.PI) / 4);
  return {
    name: 'Square',
    at: [x, 0, z],
    children: [
      {
        name: 'Pavement',
        mesh: meshOf('Pavement', { material: 'Paving', faces: textured(box([-20, -0.1, -20], [20, 0.12, 20]), 2) }),
      },
      {
        name: 'TownHall',
        part: 'TownHall',
        at: [0, 0.12, -12],
        tags: { untold_streaming_priority_hint: 'High' },
      },
      {
        name: 'Fountain',
        part: 'Fountain',
        at: [0, 0.12, 8],
        tags: { untold_streaming_priority_hint: 'Critical' },
      },
      ...around.map(
        (angle, i): StageNode => ({
          name: `Seat_${i}`,
          part: 'Seat',
          at: [6 * Math.sin(angle), 0.12, 8 + 6 * Math.cos(angle)],
          turn: i * 45,
        }),
      ),
      ...[-1, 1].flatMap((side) =>
        [0, 1, 2, 3].map(
          (i): StageNode => ({
            name: `StreetlightLit_${side < 0 ? 'w' : 'e'}${i}`,
            part: 'StreetlightLit',
            at: [side * 18.5, 0.12, -4 + i * 7],
            turn: side < 0 ? 0 : 180,
          }),
        ),
      ),
      ...[0, 1, 2].flatMap((i): StageNode[] => [
        { name: `Stall_w${i}`, part: 'Stall', at: [-13, 0.12, 2 + i * 6], turn: 90 },
        { name: `Stall_e${i}`, part: 'Stall', at: [13, 0.12, 2 + i * 6], turn: -90 },
      ]),
    ],
  };
}

/** 200 m of wall with merlons behind the northern trees: wider than any cell. */
function townWall(): StageNode {
  const pieces: Solid = Array.from({ length: 50 }, (_, i) => {
    const x = -100 + i * 4;
    return [...box([x, -0.5, -0.6], [x + 4, 5, 0.6], false), ...box([x + 1, 5, 0.1], [x + 3, 6, 0.6], false)];
  }).flat();
  return {
    name: 'TownWall',
    mesh: meshOf('TownWall', { material: 'Rampart', faces: textured(moved(pieces, [0, 0, -117]), 2) }),
    tags: { untold_semantic_override: 'ExteriorShell' },
  };
}

/** 110 m of hedge: it would span, but is to stay with the tile that it stands in. */
function hedge(): StageNode {
  const pieces: Solid = Array.from({ length: 55 }, (_, i) => {
    const [x, height] = [-55 + i * 2, 1.2 + Math.round(noise(i, 77) * 4) / 10];
    return box([x, 0, -0.5], [x + 2, height, 0.5], false);
  }).flat();
  return {
    name: 'Hedge',
    mesh: meshOf('Hedge', { material: 'Crown', faces: textured(moved(pieces, [0, 0, 100]), 2) }),
    tags: { untold_tile_policy: 'force_local', untold_streaming_priority_hint: 'Low' },
  };
}

const camera = (name: string, at: Point, turn: number, tilt: number): StageNode => ({
  name,
  at,
  turn,
  tilt,
  camera: { focalLength: 24 },
});

export const town: SampleStage = {
  name: 'Town',
  materials,
  textures,
  parts,
  nodes: [
    meadow(),
    streets(),
    houses(),
    square(25, 25),
    { ...openHouse(), at: [-25, 0, 25] },
    grove('Garden', [-25, 25], 12, 18, 22),
    grove('HillPark', [75, -75], 4, 19, 60),
    grove('Orchard', [-75, 75], 0, 19, 50),
    avenue(),
    streetlights(),
    townWall(),
    hedge(),
    {
      name: 'Sun',
      turn: 35,
      tilt: -50,
      light: {
        type: 'DistantLight',
        inputs: {
          'float inputs:angle': '0.53',
          'float inputs:intensity': '50000',
          'color3f inputs:color': '(1, 0.96, 0.9)',
        },
      },
    },
    camera('OverTheTown', [110, 70, 130], 40, -25),
    camera('OnTheSquare', [25, 1.8, 42], 0, 4),
  ],
};
