// What the sample town is built of: materials, textures, houses in parts, trees of leaf cards, streets and lamps.
// town.ts says where they stand.

import { courtyard, type SampleMaterial, type SampleMesh, type SamplePart } from './courtyard.ts';
import { noise, png } from './png.ts';
import {
  box,
  type Corner,
  gable,
  type Hole,
  lathe,
  moved,
  type Point,
  pitchedRoof,
  type Solid,
  tentRoof,
  textured,
  turned,
  wall,
} from './shapes.ts';
import type { StageNode } from './stage.ts';

// --- Materials ------------------------------------------------------------------------------------------------------

export const textures: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(
    ['bricks.png', 'bricks_normal.png', 'bricks_orm.png', 'paving.png'].map((name) => [name, courtyard.textures[name]]),
  ),
  'meadow.png': png(64, 64, 3, (x, y) => {
    const blade = Math.floor(noise(x >> 1, y >> 1) * 4) * 7;
    const patch = Math.floor(noise(x >> 4, y >> 4) * 3) * 8;
    return [70 + blade + patch, 108 + blade, 46 + patch];
  }),
  'rooftiles.png': png(32, 32, 3, (x, y) => {
    const row = Math.floor(y / 8);
    const column = Math.floor(((x + (row % 2) * 4) % 32) / 8);
    const shade = Math.floor(noise(column, row) * 30) - (y % 8 < 2 ? 50 : 0) - ((x + (row % 2) * 4) % 8 < 1 ? 30 : 0);
    return [150 + shade, 74 + (shade >> 1), 54 + (shade >> 2)];
  }),
  'foliage.png': png(64, 64, 4, (x, y) => {
    // Leaves all over: each lattice point of 8 texels has one, moved and turned a little; alpha cuts them out.
    let hit = -1;
    for (let j = -1; j <= 1; j++) {
      for (let i = -1; i <= 1; i++) {
        const [cx, cy] = [(x >> 3) + i, (y >> 3) + j];
        if (cx < 0 || cy < 0 || cx > 7 || cy > 7) continue;
        const dx = x - (cx * 8 + 2 + noise(cx, cy) * 4);
        const dy = y - (cy * 8 + 2 + noise(cy + 31, cx) * 4);
        const lean = noise(cx + 7, cy + 13) - 0.5;
        if ((dx + lean * dy) ** 2 / 6 + dy ** 2 / 20 < 1) hit = noise(cx + 3, cy + 5);
      }
    }
    const shade = Math.floor(Math.max(hit, 0) * 4) * 14;
    return [46 + shade, 92 + shade, 34 + (shade >> 1), hit < 0 ? 0 : 255];
  }),
};

type Rgb = [number, number, number];
const plain = (name: string, [r, g, b]: Rgb, roughness: number, metallic = 0): SampleMaterial => ({
  name,
  baseColor: [r, g, b, 1],
  metallic,
  roughness,
});
const printed = (name: string, baseTexture: string, roughness: number): SampleMaterial => ({
  ...plain(name, [1, 1, 1], roughness),
  baseTexture,
});

export const materials: readonly SampleMaterial[] = [
  {
    ...printed('Bricks', 'bricks.png', 1),
    normalTexture: 'bricks_normal.png',
    ormTexture: 'bricks_orm.png',
  },
  printed('Paving', 'paving.png', 0.875),
  printed('Meadow', 'meadow.png', 1),
  printed('RoofTiles', 'rooftiles.png', 0.75),
  { ...printed('Foliage', 'foliage.png', 0.75), alphaCutoff: 0.5 },
  plain('Asphalt', [0.05, 0.05, 0.055], 0.9375),
  plain('RoadPaint', [0.75, 0.75, 0.7], 0.75),
  plain('Curb', [0.3, 0.3, 0.28], 0.875),
  plain('PlasterOchre', [0.6, 0.4, 0.15], 0.9375),
  plain('PlasterWhite', [0.75, 0.72, 0.66], 0.9375),
  plain('PlasterRose', [0.55, 0.25, 0.2], 0.9375),
  plain('Concrete', [0.4, 0.4, 0.4], 0.875),
  plain('Slate', [0.08, 0.09, 0.11], 0.625),
  plain('Timber', [0.2, 0.1, 0.04], 0.75),
  plain('Linen', [0.6, 0.55, 0.45], 1),
  { ...plain('Window', [0.1, 0.15, 0.2], 0.125), emissive: [0.25, 0.2, 0.1] },
  plain('Iron', [0.02, 0.02, 0.02], 0.375, 1),
  plain('Copper', [0.7, 0.3, 0.15], 0.25, 1),
  { ...plain('Bulb', [1, 0.875, 0.5], 0.5), emissive: [4, 3, 1.5] },
  plain('Bark', [0.125, 0.0625, 0.03125], 0.9375),
  plain('Crown', [0.05, 0.16, 0.04], 1),
  plain('Water', [0.05, 0.15, 0.2], 0.0625),
  plain('Rampart', [0.33, 0.3, 0.25], 1),
];

// --- Meshes ---------------------------------------------------------------------------------------------------------

const made = (material: string, faces: Solid): SamplePart => ({ material, faces: textured(faces, 2) });
const textureless = new Set(materials.filter((m) => m.baseTexture === undefined).map(({ name }) => name));
/** Faces without a texture keep no UVs, but for those of facades, which may be painted with one. */
export const meshOf = (name: string, ...parts: SamplePart[]): SampleMesh => ({
  name,
  parts: parts.map(({ material, faces }) => {
    if (name === 'Facade' || !textureless.has(material)) return { material, faces };
    return { material, faces: faces.map((face) => face.map(([x, y, z]) => [x, y, z, 0, 0])) };
  }),
});
const meshNode = (name: string, ...parts: SamplePart[]): StageNode => ({ name, mesh: meshOf(name, ...parts) });

const grid = (count: number, step: number, from = (-(count - 1) * step) / 2) =>
  Array.from({ length: count }, (_, i) => from + i * step);

const REVEAL = 0.25;

/** Four walls around the origin, fronts outwards; `holes` of the front (+Z), the right, the back and the left. */
function walls(width: number, depth: number, height: number, holes: readonly (readonly Hole[])[], back = false): Solid {
  return [0, 1, 2, 3].flatMap((side) => {
    const [long, away] = side % 2 === 0 ? [width, depth / 2] : [depth, width / 2];
    return turned(moved(wall(long, height, REVEAL, holes[side], back), [0, 0, away]), side);
  });
}

/** A pane with a bar down its middle in each hole that is no door. */
function windows(width: number, depth: number, holes: readonly (readonly Hole[])[]): SamplePart[] {
  const panes: Solid = [];
  const bars: Solid = [];
  holes.forEach((list, side) => {
    const away = side % 2 === 0 ? depth / 2 : width / 2;
    const put = (solid: Solid) => turned(moved(solid, [0, 0, away - REVEAL]), side);
    for (const [l, r, b, t] of list) {
      if (b === 0) continue;
      panes.push(
        ...put([
          [
            [l, b, 0],
            [r, b, 0],
            [r, t, 0],
            [l, t, 0],
          ],
        ]),
      );
      const x = (l + r) / 2;
      bars.push(...put(box([x - 0.04, b, 0], [x + 0.04, t, 0.06])));
    }
  });
  return [made('Window', panes), made('Timber', bars)];
}

/** Holes of one size in rows: middles along the wall, sills up it. */
const openings = (middles: readonly number[], sills: readonly number[], wide: number, high: number): Hole[] =>
  sills.flatMap((sill) => middles.map((x): Hole => [x - wide / 2, x + wide / 2, sill, sill + high]));

const DOOR: Hole = [-0.5, 0.5, 0, 2.1];
const doorAt = (z: number, name = 'Door'): StageNode => ({ name, part: 'Door', at: [0, 0, z - REVEAL] });
const gables = (width: number, depth: number, height: number, ridge: number): Solid =>
  [1, 3].flatMap((side) => turned(moved(gable(depth, height, ridge), [0, 0, width / 2]), side));

function cottage(): StageNode {
  const [w, d, h, ridge] = [8, 7, 3, 5.5];
  const holes = [
    [...openings([-2.5, 2.5], [0.9], 1.2, 1.3), DOOR],
    openings([-1.5, 1.5], [0.9], 1, 1.3),
    openings([-2.5, 0, 2.5], [0.9], 1.2, 1.3),
    openings([0], [0.9], 1, 1.3),
  ];
  return {
    name: 'Cottage',
    children: [
      meshNode('Facade', made('Bricks', [...walls(w, d, h, holes), ...gables(w, d, h, ridge)])),
      meshNode('Roof', made('RoofTiles', pitchedRoof(w, d, h, ridge, 0.5, 0.2))),
      meshNode('Panes', ...windows(w, d, holes)),
      meshNode('Chimney', made('Bricks', box([1.5, 4, -1.6], [2.1, 6.3, -1]))),
      doorAt(d / 2),
    ],
  };
}

function townhouse(): StageNode {
  const [w, d, h, ridge] = [7, 10, 8.6, 11.5];
  const upper = openings([-2.2, 0, 2.2], [3.7, 6.5], 1.1, 1.5);
  const holes = [[...upper, ...openings([-2.2, 2.2], [0.9], 1.1, 1.5), DOOR], [], upper, []];
  const beam: Solid = [3.1, 5.9].flatMap((y) => moved(box([-w / 2, 0, 0], [w / 2, 0.25, 0.12]), [0, y, d / 2]));
  return {
    name: 'Townhouse',
    children: [
      meshNode('Facade', made('PlasterWhite', [...walls(w, d, h, holes), ...gables(w, d, h, ridge)])),
      meshNode('Roof', made('RoofTiles', pitchedRoof(w, d, h, ridge, 0.1, 0.2))),
      meshNode('Panes', ...windows(w, d, holes)),
      meshNode('Cornice', made('Timber', beam)),
      doorAt(d / 2),
    ],
  };
}

function shop(): StageNode {
  const [w, d, h] = [10, 9, 6.4];
  const upper = openings([-3.5, -1.2, 1.2, 3.5], [4], 1.2, 1.5);
  const holes = [[...upper, ...openings([-2.9, 2.9], [0.5], 3.4, 2.2), DOOR], upper.slice(0, 2), upper, upper.slice(2)];
  // Both faces, a hand apart.
  const awning: Solid = [-2.9, 2.9].flatMap((x) => {
    const top: Point[] = [
      [-1.9, 2.4, 1.4],
      [1.9, 2.4, 1.4],
      [1.9, 3.1, 0],
      [-1.9, 3.1, 0],
    ];
    return moved([top, ...moved([[...top].reverse()], [0, -0.1, 0])], [x, 0, d / 2]);
  });
  return {
    name: 'Shop',
    children: [
      meshNode('Facade', made('PlasterOchre', walls(w, d, h, holes))),
      meshNode('Roof', made('Slate', tentRoof(w + 0.8, d + 0.8, h, h + 3))),
      meshNode('Panes', ...windows(w, d, holes)),
      meshNode('Awning', made('Linen', awning)),
      doorAt(d / 2),
    ],
  };
}

function apartments(): StageNode {
  const [w, d, h] = [16, 12, 12.4];
  const sills = [0, 1, 2, 3].map((floor) => 1 + floor * 3);
  const sides = openings([-3, 0, 3], sills, 1.4, 1.4);
  const front = openings([-6, -3, 3, 6], sills, 1.4, 1.4);
  const middle = openings([0], sills.slice(1), 1.4, 1.4);
  const holes = [[...front, ...middle, DOOR], sides, [...front, ...openings([0], sills, 1.4, 1.4)], sides];
  const balcony: Solid = [4, 7, 10].flatMap((y) =>
    moved([...box([-1.3, 0, 0], [1.3, 0.2, 1.2]), ...box([-1.3, 0.2, 1.1], [1.3, 1.1, 1.2])], [0, y - 1.1, d / 2]),
  );
  const parapet = [0, 1, 2, 3].flatMap((side) => {
    const [long, away] = side % 2 === 0 ? [w, d / 2] : [d - 0.6, w / 2];
    return turned(moved(box([-long / 2, h, -0.3], [long / 2, h + 0.5, 0]), [0, 0, away]), side);
  });
  const deck: Solid = [
    [
      [-w / 2, h, d / 2],
      [w / 2, h, d / 2],
      [w / 2, h, -d / 2],
      [-w / 2, h, -d / 2],
    ],
  ];
  return {
    name: 'Apartments',
    children: [
      meshNode('Facade', made('Concrete', walls(w, d, h, holes))),
      meshNode('Roof', made('Slate', [...deck, ...parapet])),
      meshNode('Panes', ...windows(w, d, holes)),
      meshNode('Balconies', made('Concrete', balcony)),
      doorAt(d / 2),
    ],
  };
}

function townHall(): StageNode {
  const [w, d, h] = [24, 12, 10];
  const rows = openings([-9, -6, -3, 3, 6, 9], [1.2, 5.6], 1.4, 2.6);
  const sides = openings([-3, 0, 3], [1.2, 5.6], 1.4, 2.6);
  const middle = openings([0], [5.6], 1.4, 2.6);
  const holes = [[...rows, ...middle, DOOR], sides, [...rows, ...middle], sides];
  const tower = moved(
    walls(6, 6, 18, [openings([0], [13, 15.2], 1.6, 1.6), [], openings([0], [13, 15.2], 1.6, 1.6), []]),
    [0, h, 0],
  );
  const columns = grid(6, 2).map(
    (x, i): StageNode => ({ name: `Colonnade_${i}`, part: 'Shaft', at: [x, 0, d / 2 + 2.5] }),
  );
  return {
    name: 'TownHall',
    children: [
      meshNode('Facade', made('PlasterRose', [...walls(w, d, h, holes), ...gables(w, d, h, h + 4), ...tower])),
      meshNode(
        'Roof',
        made('Copper', [...pitchedRoof(w, d, h, h + 4, 0.6, 0.3), ...moved(tentRoof(7, 7, 0, 9), [0, h + 18, 0])]),
      ),
      meshNode('Panes', ...windows(w, d, holes)),
      meshNode(
        'Portico',
        made('PlasterWhite', [...box([-6, 6.4, 6], [6, 7.2, 9.4]), ...box([-6.4, 0, 6], [6.4, 0.3, 9.8])]),
      ),
      ...columns,
      doorAt(d / 2),
    ],
  };
}

/** Leaf cards over an ellipsoid, by the golden angle, each as wide as it is high and tilted along the surface. */
function cards(count: number, radius: number, middle: number, half: number, edge: number): Corner[][] {
  return Array.from({ length: count }, (_, i) => {
    const up = 1 - (2 * i + 1) / count;
    const angle = i * 2.399963;
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    const out = Math.sqrt(1 - up * up);
    const center: Point = [radius * out * c, middle + half * up, -radius * out * s];
    // Along the surface: to the side, and up towards the tip.
    const side: Point = [-s, 0, -c];
    const rise: Point = [-up * c, out, up * s];
    const at = (a: number, b: number): Corner => [
      center[0] + edge * (a * side[0] + b * rise[0]),
      center[1] + edge * (a * side[1] + b * rise[1]),
      center[2] + edge * (a * side[2] + b * rise[2]),
      a + 0.5,
      b + 0.5,
    ];
    return [at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)];
  });
}

function tree(name: string, height: number, radius: number, leaves: number): StageNode {
  const [foot, middle, half] = [height * 0.3, height * 0.62, height * 0.36];
  return meshNode(
    name,
    {
      material: 'Bark',
      faces: lathe(
        [
          [0.26, -0.4],
          [0.18, foot],
          [0.08, middle],
        ],
        7,
      ),
    },
    {
      material: 'Crown',
      faces: lathe(
        [
          [0, middle - half * 0.75],
          [radius * 0.6, middle - half * 0.35],
          [radius * 0.65, middle + half * 0.25],
          [0, middle + half * 0.75],
        ],
        7,
      ),
    },
    { material: 'Foliage', faces: cards(leaves, radius * 0.8, middle, half * 0.85, radius * 0.95) },
  );
}

function streetlight(): StageNode {
  const mast: [number, number][] = [
    [0.14, 0],
    [0.07, 0.5],
    [0.05, 4.6],
    [0, 4.65],
  ];
  const bulb: [number, number][] = [
    [0, 4.05],
    [0.14, 4.2],
    [0.1, 4.42],
  ];
  return meshNode(
    'Streetlight',
    {
      material: 'Iron',
      faces: [
        ...lathe(mast, 8),
        ...textured([...box([0, 4.5, -0.04], [1.2, 4.58, 0.04]), ...box([0.9, 4.42, -0.18], [1.26, 4.5, 0.18])]),
      ],
    },
    {
      material: 'Bulb',
      faces: lathe(bulb, 8).map((face) => face.map(([x, y, z, u, v]): Corner => [x + 1.08, y, z, u, v])),
    },
  );
}

/** Ten metres of street along X: two pavements with curbs, a carriageway and a dash in its middle. */
function street(): StageNode {
  const paved: Solid = [...box([-5, 0, -5], [5, 0.15, -3.15], false), ...box([-5, 0, 3.15], [5, 0.15, 5], false)];
  const curb: Solid = [...box([-5, 0, -3.15], [5, 0.17, -3], false), ...box([-5, 0, 3], [5, 0.17, 3.15], false)];
  const flat = (x0: number, x1: number, z: number, y: number): Solid => [
    [
      [x0, y, z],
      [x1, y, z],
      [x1, y, -z],
      [x0, y, -z],
    ],
  ];
  return meshNode(
    'Street',
    made('Paving', paved),
    made('Curb', curb),
    made('Asphalt', flat(-5, 5, 3, 0.03)),
    made('RoadPaint', flat(-1.5, 1.5, 0.08, 0.04)),
  );
}

/** Where two streets cross: four corners of pavement, four zebra crossings. */
function crossing(): StageNode {
  const corner = box([3.15, 0, 3.15], [5, 0.15, 5], false);
  const curb: Solid = [...box([3, 0, 3], [5, 0.17, 3.15], false), ...box([3, 0, 3.15], [3.15, 0.17, 5], false)];
  const bars = grid(6, 1).flatMap(
    (x): Solid => [
      [
        [x - 0.25, 0.04, 4.8],
        [x + 0.25, 0.04, 4.8],
        [x + 0.25, 0.04, 3.4],
        [x - 0.25, 0.04, 3.4],
      ],
    ],
  );
  const around = (solid: Solid) => [0, 1, 2, 3].flatMap((side) => turned(solid, side));
  const asphalt: Solid = [
    [
      [-5, 0.03, 5],
      [5, 0.03, 5],
      [5, 0.03, -5],
      [-5, 0.03, -5],
    ],
  ];
  return meshNode(
    'Crossing',
    made('Paving', around(corner)),
    made('Curb', around(curb)),
    made('Asphalt', asphalt),
    made('RoadPaint', around(bars)),
  );
}

function fountain(): StageNode {
  const basin: [number, number][] = [
    [3.2, 0],
    [3.2, 0.6],
    [2.8, 0.6],
    [2.7, 0.2],
  ];
  const bowl: [number, number][] = [
    [0.5, 0.2],
    [0.25, 0.5],
    [0.2, 1.6],
    [1.3, 2],
    [1.3, 2.1],
    [0, 1.9],
  ];
  const water: [number, number][] = [
    [2.75, 0.45],
    [0, 0.45],
  ];
  return meshNode(
    'Fountain',
    { material: 'Concrete', faces: [...lathe(basin, 24), ...lathe(bowl, 16)] },
    { material: 'Water', faces: lathe(water, 24) },
  );
}

// --- The parts ------------------------------------------------------------------------------------------------------

/** A part as another, with one of its meshes in another material. */
const painted = (name: string, part: string, material: string): StageNode => ({
  name,
  part,
  paint: { Facade: material },
});

const SHAFT: [number, number][] = [
  [0.5, 0.3],
  [0.38, 0.6],
  [0.32, 6],
  [0.5, 6.4],
];

export const parts: readonly StageNode[] = [
  meshNode(
    'Door',
    made('Timber', box([-0.5, 0, 0], [0.5, 2.1, 0.08])),
    made('Iron', box([0.32, 1, 0.08], [0.42, 1.06, 0.14])),
  ),
  cottage(),
  painted('CottageWhite', 'Cottage', 'PlasterWhite'),
  townhouse(),
  painted('TownhouseRose', 'Townhouse', 'PlasterRose'),
  painted('TownhouseOchre', 'Townhouse', 'PlasterOchre'),
  shop(),
  painted('ShopBricks', 'Shop', 'Bricks'),
  apartments(),
  meshNode('Shaft', { material: 'PlasterWhite', faces: lathe(SHAFT, 12) }),
  townHall(),
  tree('Tree', 6, 2.2, 24),
  tree('Poplar', 9, 1.3, 26),
  tree('Bush', 1.6, 1, 10),
  streetlight(),
  {
    name: 'StreetlightLit',
    part: 'Streetlight',
    children: [
      {
        name: 'Glow',
        at: [1.08, 4.25, 0],
        light: {
          type: 'SphereLight',
          inputs: {
            'float inputs:radius': '0.1',
            'float inputs:intensity': '20000',
            'color3f inputs:color': '(1, 0.85, 0.6)',
          },
        },
      },
    ],
  },
  street(),
  crossing(),
  fountain(),
  meshNode(
    'Seat',
    made('Timber', [...box([-0.9, 0.42, -0.2], [0.9, 0.48, 0.2]), ...box([-0.9, 0.5, -0.26], [0.9, 0.9, -0.2])]),
    made('Iron', [...box([-0.8, 0, -0.2], [-0.7, 0.42, 0.2]), ...box([0.7, 0, -0.2], [0.8, 0.42, 0.2])]),
  ),
  meshNode(
    'Stall',
    made('Timber', [
      ...box([-1.2, 0.8, -0.5], [1.2, 0.9, 0.5]),
      ...[-1.15, 1.1].flatMap((x) => [-0.5, 0.45].flatMap((z) => box([x, 0, z], [x + 0.05, 2.3, z + 0.05]))),
    ]),
    made('Linen', moved(tentRoof(2.8, 1.8, 0, 0.7), [0, 2.3, 0])),
  ),
  // Furniture of the open house.
  meshNode(
    'Table',
    made('Timber', [
      ...box([-0.8, 0.7, -0.45], [0.8, 0.75, 0.45]),
      ...[-0.75, 0.69].flatMap((x) => [-0.4, 0.34].flatMap((z) => box([x, 0, z], [x + 0.06, 0.7, z + 0.06]))),
    ]),
  ),
  meshNode(
    'Chair',
    made('Timber', [
      ...box([-0.22, 0.42, -0.22], [0.22, 0.46, 0.22]),
      ...box([-0.22, 0.46, -0.22], [0.22, 0.95, -0.18]),
      ...[-0.22, 0.18].flatMap((x) => [-0.22, 0.18].flatMap((z) => box([x, 0, z], [x + 0.04, 0.42, z + 0.04]))),
    ]),
  ),
  meshNode(
    'Shelf',
    made('Timber', [
      ...box([-0.5, 0, -0.15], [-0.46, 1.9, 0.15]),
      ...box([0.46, 0, -0.15], [0.5, 1.9, 0.15]),
      ...[0.1, 0.55, 1, 1.45, 1.86].flatMap((y) => box([-0.46, y, -0.15], [0.46, y + 0.04, 0.15])),
    ]),
  ),
  meshNode(
    'Bed',
    made('Timber', box([-0.5, 0, -1], [0.5, 0.3, 1])),
    made('Linen', [...box([-0.48, 0.3, -0.98], [0.48, 0.45, 0.98]), ...box([-0.4, 0.45, -0.9], [0.4, 0.55, -0.5])]),
  ),
  meshNode(
    'Lamp',
    {
      material: 'Iron',
      faces: lathe(
        [
          [0.01, 0],
          [0.01, -0.5],
        ],
        5,
      ).map((face) => [...face].reverse()),
    },
    {
      material: 'Bulb',
      faces: lathe(
        [
          [0, -0.75],
          [0.12, -0.65],
          [0.1, -0.52],
          [0, -0.5],
        ],
        8,
      ),
    },
  ),
  meshNode('Switch', made('Linen', box([-0.04, -0.04, 0], [0.04, 0.04, 0.02]))),
];

// --- The house that can be entered ----------------------------------------------------------------------------------

/** Two storeys, 14 m by 10 m: walls with both faces, slabs, stairs, rooms with what stands in them. */
export function openHouse(): StageNode {
  const [w, d, storey] = [14, 10, 3];
  const top = storey * 2 + 0.4;
  const front: Hole[] = openings([-5, -2.5, 2.5, 5], [1, 4.2], 1.3, 1.3);
  const sides = openings([-2.5, 2.5], [1, 4.2], 1.3, 1.3);
  const holes = [[...front, DOOR], sides, [...front, ...openings([0], [4.2], 1.3, 1.3)], sides];
  const partition = (holesOfIt: readonly Hole[], width: number): Solid =>
    moved(wall(width, storey - 0.2, 0.16, holesOfIt, true), [0, 0, 0.08]);
  const inside: Hole[] = [[-0.5, 0.5, 0, 2.1]];
  const pipe = (length: number): Corner[][] =>
    lathe(
      [
        [0, 0],
        [0.05, 0],
        [0.05, length],
        [0, length],
      ],
      8,
    );
  const stairs: Solid = Array.from({ length: 15 }, (_, i) =>
    box([-0.55, 0, -i * 0.26 - 0.26], [0.55, (i + 1) * 0.213, -i * 0.26], false),
  ).flat();
  // The upper slab leaves the stairs open.
  const upperSlab: Solid = [
    ...box([-w / 2 + 0.25, 0, -d / 2 + 0.25], [4.8, 0.2, d / 2 - 0.25]),
    ...box([4.8, 0, 0.6], [w / 2 - 0.25, 0.2, d / 2 - 0.25]),
  ];
  const storeyRooms = (floor: number): StageNode[] => {
    const y = floor === 0 ? 0.2 : storey + 0.4;
    const n = floor + 1;
    return [
      { ...meshNode(`Wall_${n}a`, made('PlasterWhite', partition(inside, d - 0.5))), at: [-2, y, 0], turn: 90 },
      { ...meshNode(`Wall_${n}b`, made('PlasterWhite', partition(inside, 4.5))), at: [-4.4, y, 0] },
      { name: `Door_${n}a`, part: 'Door', at: [-2, y, 0], turn: 90 },
      { name: `Door_${n}b`, part: 'Door', at: [-4.4, y, 0] },
      { name: `Table_${n}`, part: 'Table', at: [1.2, y, 2.2] },
      ...[0, 1, 2, 3].map(
        (i): StageNode => ({
          name: `Chair_${n}${'abcd'[i]}`,
          part: 'Chair',
          at: [0.8 + (i % 2) * 0.8, y, i < 2 ? 1.5 : 2.9],
          turn: i < 2 ? 0 : 180,
        }),
      ),
      { name: `Shelf_${n}a`, part: 'Shelf', at: [-1.6, y, -2.5], turn: 90 },
      { name: `Shelf_${n}b`, part: 'Shelf', at: [-6.5, y, -2.5], turn: 90 },
      { name: `Bed_${n}a`, part: 'Bed', at: [-5.8, y, 3.4] },
      { name: `Bed_${n}b`, part: 'Bed', at: [-3, y, -3.4] },
      { name: `Lamp_${n}a`, part: 'Lamp', at: [1.2, y + storey - 0.2, 2.2] },
      { name: `Lamp_${n}b`, part: 'Lamp', at: [-4.4, y + storey - 0.2, -2.5] },
      { name: `Switch_${n}`, part: 'Switch', at: [-1.88, y + 1.1, 0.8], turn: 90 },
      {
        name: `Pipe_${n}`,
        mesh: meshOf('Pipe', { material: 'Copper', faces: pipe(storey - 0.2) }),
        at: [-6.6, y, -4.6],
      },
    ];
  };
  return {
    name: 'OpenHouse',
    children: [
      meshNode('Facade', made('Bricks', [...walls(w, d, top, holes, true), ...gables(w, d, top, 9.5)])),
      meshNode('Roof', made('RoofTiles', pitchedRoof(w, d, top, 9.5, 0.5, 0.2))),
      meshNode('Panes', ...windows(w, d, holes)),
      meshNode(
        'Floor',
        made('Timber', box([-w / 2 + 0.25, 0, -d / 2 + 0.25], [w / 2 - 0.25, 0.2, d / 2 - 0.25], false)),
      ),
      { ...meshNode('Slab', made('Concrete', upperSlab)), at: [0, storey + 0.2, 0] },
      { ...meshNode('Stairs', made('Timber', stairs)), at: [5.8, 0.2, 0.4] },
      doorAt(d / 2),
      ...storeyRooms(0),
      ...storeyRooms(1),
    ],
  };
}
