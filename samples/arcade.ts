// A covered arcade, 240 m long unless told, and 16 m wide: shop fronts of two storeys, a gallery, columns, a barrel vault and closed ends. Who
// walks in it sees nothing of the sky, so that every hole shows. Written as one GLB:
//
//   npx tsx samples/arcade.ts OUT.glb

import { writeFileSync } from 'node:fs';
import type { SampleMaterial, SampleMesh, SampleNode, SamplePart, SampleScene } from './courtyard.ts';
import { writeGlb } from './gltf.ts';
import { noise, png } from './png.ts';
import { box, type Corner, type Hole, lathe, moved, type Point, type Solid, textured, wall } from './shapes.ts';

/** Of a bay, along the arcade. */
const BAY = 12;
/** Half the width of the passage, the height of its walls, and the radius of the vault above them. */
const HALF = 8;
const WALLS = 9;
/** Faces across the vault. */
const STEPS = 24;

const plain = (name: string, r: number, g: number, b: number, roughness = 0.8): SampleMaterial => ({
  name,
  baseColor: [r, g, b, 1],
  metallic: 0,
  roughness,
});

const textures = {
  'floor.png': png(64, 64, 3, (x, y) => {
    const dark = x < 32 !== y < 32;
    const shade = Math.round(noise(x >> 1, y >> 1) * 24);
    return dark ? [92 + shade, 84 + shade, 76 + shade] : [196 + shade, 188 + shade, 172 + shade];
  }),
};

const materials: SampleMaterial[] = [
  { ...plain('Floor', 1, 1, 1, 0.4), baseTexture: 'floor.png' },
  plain('Stone', 0.62, 0.56, 0.46),
  plain('Vault', 0.7, 0.74, 0.76, 0.3),
  plain('Iron', 0.08, 0.1, 0.09, 0.5),
  plain('Green', 0.05, 0.22, 0.14),
  plain('Red', 0.42, 0.07, 0.06),
  plain('Ochre', 0.6, 0.36, 0.1),
];

const part = (material: string, solids: readonly Solid[]): SamplePart => ({
  material,
  faces: solids.flatMap((solid) => textured(solid, 1)),
});

/** A front that looks along +Z at z = 0: a shop with a door and a window below, two windows above. Rooms lie behind. */
function front(color: string): SampleMesh {
  const holes: readonly Hole[] = [
    [-4.6, -2.9, 0, 2.6],
    [-2, 4.4, 0.7, 2.9],
    [-3.8, -0.8, 4.9, 7.6],
    [0.8, 3.8, 4.9, 7.6],
  ];
  const room = [
    box([-BAY / 2, 0, -3.2], [BAY / 2, WALLS, -3]),
    box([-BAY / 2, -0.2, -3.2], [BAY / 2, 0, 0]),
    box([-BAY / 2, WALLS, -3.2], [BAY / 2, WALLS + 0.3, 0]),
    box([-BAY / 2, 0, -3], [-BAY / 2 + 0.2, WALLS, -0.4]),
    box([BAY / 2 - 0.2, 0, -3], [BAY / 2, WALLS, -0.4]),
  ];
  const sign = box([-2.4, 3.2, 0], [4.6, 3.9, 0.15]);
  const cornices = [4.2, 8.2, 8.7].map((y) => box([-BAY / 2, y, 0], [BAY / 2, y + 0.25, 0.3]));
  const sills = [-2.3, 2.3].map((x) => box([x - 1.8, 4.6, 0], [x + 1.8, 4.8, 0.4]));
  return {
    name: `Front_${color}`,
    parts: [part('Stone', [wall(BAY, WALLS, 0.4, holes), ...room, ...cornices, ...sills]), part(color, [sign])],
  };
}

/** A fluted column with base and capital, 8 m high. */
function column(): SampleMesh {
  const shaft: [number, number][] = Array.from({ length: 25 }, (_, i) => [
    0.34 - i * 0.003 + (i % 2) * 0.01,
    0.5 + i * 0.28,
  ]);
  return {
    name: 'Column',
    parts: [
      {
        material: 'Stone',
        faces: lathe([[0, 0], [0.55, 0], [0.55, 0.3], [0.4, 0.5], ...shaft, [0.6, 7.8], [0.6, 8], [0, 8]], 32),
      },
    ],
  };
}

/** A round bed of stone with a clipped tree. */
function planter(): SampleMesh {
  const crown: [number, number][] = Array.from({ length: 13 }, (_, i) => {
    const angle = (i * Math.PI) / 12;
    return [i === 0 || i === 12 ? 0 : Math.sin(angle) * 0.9, 2.6 - Math.cos(angle) * 0.9];
  });
  return {
    name: 'Planter',
    parts: [
      {
        material: 'Stone',
        faces: lathe(
          [
            [0.8, 0],
            [1, 0.6],
            [0.8, 0.6],
            [0, 0.5],
          ],
          32,
        ),
      },
      {
        material: 'Iron',
        faces: lathe(
          [
            [0.08, 0.5],
            [0.06, 1.8],
          ],
          12,
        ),
      },
      { material: 'Green', faces: lathe(crown, 24) },
    ],
  };
}

function bench(): SampleMesh {
  const planks = [0, 1, 2, 3].map((i) => box([-1, 0.42, -0.3 + i * 0.16], [1, 0.47, -0.18 + i * 0.16]));
  const feet = [-0.8, 0.8].map((x) => box([x - 0.05, 0, -0.3], [x + 0.05, 0.42, 0.3]));
  return { name: 'Bench', parts: [part('Ochre', planks), part('Iron', feet)] };
}

/** The railing of the gallery along one bay. */
function railing(): SampleMesh {
  const bars = Array.from({ length: 48 }, (_, i) =>
    box([-5.9 + i * 0.25, 4.5, 1.2], [-5.87 + i * 0.25, 5.4, 1.23], false),
  );
  const rail = box([-BAY / 2, 5.4, 1.17], [BAY / 2, 5.46, 1.26]);
  const floor = box([-BAY / 2, 4.3, 0], [BAY / 2, 4.5, 1.3]);
  return { name: 'Railing', parts: [part('Iron', [...bars, rail]), part('Stone', [floor])] };
}

/** The vault above one bay, seen from below and above, with a rib. */
function vault(): SampleMesh {
  const point = (step: number, radius: number, z: number): Point => {
    const angle = (step * Math.PI) / STEPS;
    return [Math.cos(angle) * radius, WALLS + Math.sin(angle) * radius, z];
  };
  const arch = (inner: number, outer: number, z0: number, z1: number): Solid =>
    Array.from({ length: STEPS }, (_, i) => i).flatMap(
      (i): Solid => [
        [point(i + 1, inner, z1), point(i, inner, z1), point(i, inner, z0), point(i + 1, inner, z0)],
        [point(i, outer, z1), point(i + 1, outer, z1), point(i + 1, outer, z0), point(i, outer, z0)],
        [point(i, inner, z1), point(i + 1, inner, z1), point(i + 1, outer, z1), point(i, outer, z1)],
        [point(i + 1, inner, z0), point(i, inner, z0), point(i, outer, z0), point(i + 1, outer, z0)],
      ],
    );
  return {
    name: 'Vault',
    parts: [
      part('Vault', [arch(HALF, HALF + 0.2, -BAY / 2, BAY / 2)]),
      part('Iron', [arch(HALF - 0.25, HALF, -0.15, 0.15)]),
    ],
  };
}

function floor(): SampleMesh {
  const faces: Corner[][] = [];
  const at = (x: number, z: number): Corner => [x, 0, z, x / 2, -z / 2];
  for (let x = -HALF; x < HALF; x += 2) {
    for (let z = -BAY / 2; z < BAY / 2; z += 2) faces.push([at(x, z + 2), at(x + 2, z + 2), at(x + 2, z), at(x, z)]);
  }
  return { name: 'Floor', parts: [{ material: 'Floor', faces }] };
}

/** One end: a wall up to the top of the vault. */
function end(): SampleMesh {
  const solid = moved(wall(2 * HALF + 0.8, WALLS + HALF + 0.2, 0.4, [], true), [0, 0, 0]);
  return { name: 'End', parts: [part('Stone', [solid])] };
}

/** Turned about Y by quarters of a circle, and moved. */
function place(x: number, z: number, quarter: number): number[] {
  const c = [1, 0, -1, 0][quarter];
  const s = [0, 1, 0, -1][quarter];
  return [c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, x, 0, z, 1];
}

const COLORS = ['Green', 'Red', 'Ochre'];

function bay(i: number, bays: number): SampleNode {
  const z = (i + 0.5 - bays / 2) * BAY;
  const things: (readonly [string, string, number, number, number])[] = [
    ['Floor', 'Floor', 0, z, 0],
    ['Vault', 'Vault', 0, z, 0],
    ['Front_west', `Front_${COLORS[i % 3]}`, -HALF, z, 1],
    ['Front_east', `Front_${COLORS[(i + 1) % 3]}`, HALF, z, 3],
    ['Railing_west', 'Railing', -HALF, z, 1],
    ['Railing_east', 'Railing', HALF, z, 3],
    ['Column_west', 'Column', -HALF + 0.7, z - BAY / 2, 0],
    ['Column_east', 'Column', HALF - 0.7, z - BAY / 2, 0],
    [i % 2 ? 'Planter' : 'Bench', i % 2 ? 'Planter' : 'Bench', i % 4 < 2 ? -2 : 2, z, i % 4 < 2 ? 1 : 3],
  ];
  return {
    name: `Bay_${i}`,
    children: things.map(([name, mesh, x, at, quarter]) => ({
      name: `${name}_${i}`,
      mesh,
      matrix: place(x, at, quarter),
    })),
  };
}

export const arcade = (bays = 20): SampleScene => ({
  name: 'arcade',
  textures,
  materials,
  meshes: [...COLORS.map(front), column(), planter(), bench(), railing(), vault(), floor(), end()],
  nodes: [
    {
      name: 'Arcade',
      children: [
        ...Array.from({ length: bays }, (_, i) => bay(i, bays)),
        { name: 'End_north', mesh: 'End', matrix: place(0, (-bays / 2) * BAY, 0) },
        { name: 'End_south', mesh: 'End', matrix: place(0, (bays / 2) * BAY, 2) },
      ],
    },
  ],
});

if (import.meta.filename === process.argv[1]) {
  const [out = ''] = process.argv.slice(2);
  if (out.endsWith('.glb')) writeFileSync(out, writeGlb(arcade()));
  else {
    process.stderr.write('usage: npx tsx samples/arcade.ts OUT.glb\n');
    process.exitCode = 2;
  }
}
