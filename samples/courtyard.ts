// The courtyard: a walled yard with a house, trees and a lantern. Small, but with what real scenes have: n-gons,
// several materials on one mesh, tiled and packed textures, a mask, emission, instances, a mirrored and a sheared one.
// Described once, in engine terms (metres, Y up, V up); the writers beside this file turn it into glTF and USD.

import { noise, png } from './png.ts';
import { type Corner, lathe } from './shapes.ts';

export interface SampleMaterial {
  name: string;
  baseColor: [number, number, number, number];
  metallic: number;
  roughness: number;
  emissive?: [number, number, number];
  /** File names in `textures`; `orm` holds occlusion, roughness and metallic in r, g, b. */
  baseTexture?: string;
  normalTexture?: string;
  ormTexture?: string;
  alphaCutoff?: number;
  /** Light passes, as through glass. */
  transmission?: number;
  /** In USD a MaterialX surface instead of a UsdPreviewSurface: its identifier, and its inputs as text. */
  materialX?: { readonly id: string; readonly inputs: readonly string[] };
}

export interface SamplePart {
  material: string;
  /** Corners a face, each [x, y, z, u, v]; counter-clockwise seen from outside; convex. */
  faces: number[][][];
}

export interface SampleMesh {
  name: string;
  parts: SamplePart[];
}

export interface SampleNode {
  name: string;
  mesh?: string;
  /** Column-major 4x4. */
  matrix?: number[];
  children?: SampleNode[];
}

export interface SampleScene {
  name: string;
  materials: SampleMaterial[];
  meshes: SampleMesh[];
  nodes: SampleNode[];
  textures: Record<string, Buffer>;
}

// --- Textures -------------------------------------------------------------------------------------------------------

const BRICK = { width: 16, height: 8, mortar: 1 };

function brick(x: number, y: number): { mortar: boolean; shade: number } {
  const row = Math.floor(y / BRICK.height);
  const shifted = (x + (row % 2) * (BRICK.width / 2)) % 64;
  const mortar = y % BRICK.height < BRICK.mortar || shifted % BRICK.width < BRICK.mortar;
  return { mortar, shade: noise(Math.floor(shifted / BRICK.width), row) };
}

const textures: Record<string, Buffer> = {
  'bricks.png': png(64, 64, 3, (x, y) => {
    const { mortar, shade } = brick(x, y);
    return mortar ? [176, 170, 160] : [132 + shade * 50, 62 + shade * 24, 46 + shade * 14].map(Math.round);
  }),
  'bricks_normal.png': png(64, 64, 3, (x, y) => {
    // The mortar lies deeper: its edges lean to the left and right, up and down (green up).
    const left = brick(x, y).mortar && !brick((x + 1) % 64, y).mortar;
    const top = brick(x, y).mortar && !brick(x, (y + 1) % 64).mortar;
    return [left ? 90 : 128, top ? 170 : 128, left || top ? 225 : 255];
  }),
  'bricks_orm.png': png(64, 64, 3, (x, y) => {
    const { mortar, shade } = brick(x, y);
    return mortar ? [190, 240, 0] : [255, Math.round(150 + shade * 60), 0];
  }),
  'paving.png': png(64, 64, 3, (x, y) => {
    const joint = x % 32 < 1 || y % 32 < 1;
    const shade = 120 + Math.floor(noise(x >> 2, y >> 2) * 40) + Math.floor(noise(x >> 5, y >> 5) * 30);
    return joint ? [84, 82, 78] : [shade, shade - 4, shade - 12];
  }),
  'leaves.png': png(64, 64, 4, (x, y) => {
    // A leaf: alpha cuts it out of the square.
    const u = (x - 31.5) / 32;
    const v = (y - 31.5) / 32;
    const inside = Math.abs(u) < 0.75 * (1 - v * v) ** 1.2;
    const vein = Math.abs(u) < 0.04;
    return [vein ? 120 : 60 + ((x * 7) % 20), vein ? 160 : 120 + ((y * 5) % 24), 48, inside ? 255 : 0];
  }),
};

// --- Geometry -------------------------------------------------------------------------------------------------------

const wallHeight = 2.4;
const ridge = 3.6;

/** A face whose UVs run along `right` and up, one tile a metre. */
function wall(points: [number, number, number][], axis: 0 | 2, sign: 1 | -1): Corner[] {
  return points.map(([x, y, z]) => [x, y, z, sign * (axis === 0 ? x : z), y]);
}

function house(): SampleMesh {
  const [w, d] = [2, 1.5];
  return {
    name: 'House',
    parts: [
      {
        material: 'Bricks',
        faces: [
          wall(
            [
              [-w, 0, d],
              [w, 0, d],
              [w, wallHeight, d],
              [-w, wallHeight, d],
            ],
            0,
            1,
          ),
          wall(
            [
              [w, 0, -d],
              [-w, 0, -d],
              [-w, wallHeight, -d],
              [w, wallHeight, -d],
            ],
            0,
            -1,
          ),
          // The gables are pentagons.
          wall(
            [
              [w, 0, d],
              [w, 0, -d],
              [w, wallHeight, -d],
              [w, ridge, 0],
              [w, wallHeight, d],
            ],
            2,
            -1,
          ),
          wall(
            [
              [-w, 0, -d],
              [-w, 0, d],
              [-w, wallHeight, d],
              [-w, ridge, 0],
              [-w, wallHeight, -d],
            ],
            2,
            1,
          ),
        ],
      },
      {
        material: 'Roof',
        faces: [
          [
            [-w, wallHeight, d, 0, 0],
            [w, wallHeight, d, 4, 0],
            [w, ridge, 0, 4, 2],
            [-w, ridge, 0, 0, 2],
          ],
          [
            [w, wallHeight, -d, 0, 0],
            [-w, wallHeight, -d, 4, 0],
            [-w, ridge, 0, 4, 2],
            [w, ridge, 0, 0, 2],
          ],
        ],
      },
      {
        material: 'Window',
        faces: [
          [
            [-1.2, 0.9, d + 0.01, 0, 0],
            [-0.4, 0.9, d + 0.01, 1, 0],
            [-0.4, 1.8, d + 0.01, 1, 1],
            [-1.2, 1.8, d + 0.01, 0, 1],
          ],
          [
            [0.4, 0.9, d + 0.01, 0, 0],
            [1.2, 0.9, d + 0.01, 1, 0],
            [1.2, 1.8, d + 0.01, 1, 1],
            [0.4, 1.8, d + 0.01, 0, 1],
          ],
        ],
      },
    ],
  };
}

function tree(): SampleMesh {
  const leaf = (angle: number, y: number): Corner[] => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const at = (x: number, h: number, u: number, v: number): Corner => [x * c, y + h, -x * s, u, v];
    return [at(0.5, 0, 0, 0), at(1.1, 0, 1, 0), at(1.1, 0.6, 1, 1), at(0.5, 0.6, 0, 1)];
  };
  return {
    name: 'Tree',
    parts: [
      {
        material: 'Bark',
        faces: lathe(
          [
            [0.16, 0],
            [0.11, 1.2],
          ],
          8,
        ),
      },
      {
        material: 'Crown',
        faces: lathe(
          [
            [0, 1],
            [0.8, 1.3],
            [0.9, 1.9],
            [0.5, 2.6],
            [0, 2.9],
          ],
          10,
        ),
      },
      { material: 'Leaves', faces: [leaf(0.3, 1.2), leaf(2.1, 1.6), leaf(4.4, 1.4)] },
    ],
  };
}

function lantern(): SampleMesh {
  return {
    name: 'Lantern',
    parts: [
      {
        material: 'Iron',
        faces: lathe(
          [
            [0.12, 0],
            [0.04, 0.2],
            [0.04, 1.6],
            [0.14, 1.7],
          ],
          8,
        ),
      },
      {
        material: 'Light',
        faces: lathe(
          [
            [0.1, 1.7],
            [0.12, 2],
            [0, 2.15],
          ],
          6,
        ),
      },
    ],
  };
}

function ground(): SampleMesh {
  const [n, size] = [6, 12];
  const faces: Corner[][] = [];
  const at = (i: number, j: number): Corner => [(i / n - 0.5) * size, 0, (0.5 - j / n) * size, i, j];
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
  }
  return { name: 'Ground', parts: [{ material: 'Paving', faces }] };
}

function pillar(): SampleMesh {
  const box = (x: number, y: number, z: number): Corner[][] => {
    const side = (corners: [number, number, number][]): Corner[] =>
      corners.map((p, i): Corner => [...p, [0, 1, 1, 0][i], [0, 0, 1, 1][i]]);
    return [
      side([
        [-x, 0, z],
        [x, 0, z],
        [x, y, z],
        [-x, y, z],
      ]),
      side([
        [x, 0, z],
        [x, 0, -z],
        [x, y, -z],
        [x, y, z],
      ]),
      side([
        [x, 0, -z],
        [-x, 0, -z],
        [-x, y, -z],
        [x, y, -z],
      ]),
      side([
        [-x, 0, -z],
        [-x, 0, z],
        [-x, y, z],
        [-x, y, -z],
      ]),
      side([
        [-x, y, z],
        [x, y, z],
        [x, y, -z],
        [-x, y, -z],
      ]),
    ];
  };
  return { name: 'Pillar', parts: [{ material: 'Bricks', faces: box(0.25, 1.2, 0.25) }] };
}

// --- The scene ------------------------------------------------------------------------------------------------------

const move = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

/** Turned about Y by a multiple of 90° and scaled: exact in every format. */
const place = (x: number, z: number, quarter: number, sx = 1, sy = 1, sz = 1): number[] => {
  const c = [1, 0, -1, 0][quarter % 4];
  const s = [0, 1, 0, -1][quarter % 4];
  return [c * sx, 0, -s * sx, 0, 0, sy, 0, 0, s * sz, 0, c * sz, 0, x, 0, z, 1];
};

export const courtyard: SampleScene = {
  name: 'courtyard',
  textures,
  materials: [
    {
      name: 'Bricks',
      baseColor: [1, 1, 1, 1],
      metallic: 0,
      roughness: 1,
      baseTexture: 'bricks.png',
      normalTexture: 'bricks_normal.png',
      ormTexture: 'bricks_orm.png',
    },
    { name: 'Paving', baseColor: [1, 1, 1, 1], metallic: 0, roughness: 0.875, baseTexture: 'paving.png' },
    { name: 'Roof', baseColor: [0.25, 0.0625, 0.03125, 1], metallic: 0, roughness: 0.75 },
    {
      name: 'Window',
      baseColor: [0.125, 0.1875, 0.25, 1],
      metallic: 0,
      roughness: 0.125,
      emissive: [0.5, 0.375, 0.125],
    },
    { name: 'Bark', baseColor: [0.125, 0.0625, 0.03125, 1], metallic: 0, roughness: 0.9375 },
    { name: 'Crown', baseColor: [0.0625, 0.25, 0.0625, 1], metallic: 0, roughness: 0.875 },
    {
      name: 'Leaves',
      baseColor: [1, 1, 1, 1],
      metallic: 0,
      roughness: 0.75,
      baseTexture: 'leaves.png',
      alphaCutoff: 0.5,
    },
    { name: 'Iron', baseColor: [0, 0, 0, 1], metallic: 1, roughness: 0.375 },
    { name: 'Light', baseColor: [1, 0.875, 0.5, 1], metallic: 0, roughness: 0.5, emissive: [4, 3, 1.5] },
  ],
  meshes: [ground(), house(), tree(), lantern(), pillar()],
  nodes: [
    {
      name: 'Courtyard',
      children: [
        { name: 'Ground', mesh: 'Ground' },
        { name: 'House', mesh: 'House', matrix: place(-2.5, -3.5, 0) },
        // Mirrored: a copy of the house with its windows on the other side.
        { name: 'House_mirrored', mesh: 'House', matrix: place(3, 3, 3, -1, 1, 1) },
        {
          name: 'Trees',
          matrix: move(-4, 0, 3),
          children: [
            { name: 'Tree', mesh: 'Tree', matrix: place(0, 0, 0) },
            { name: 'Tree', mesh: 'Tree', matrix: place(1.5, 1.5, 1, 0.75, 1.25, 0.75) },
            { name: 'Tree', mesh: 'Tree', matrix: place(0.5, -2.5, 2, 1.125, 0.875, 1.125) },
          ],
        },
        { name: 'NM_Lantern', mesh: 'Lantern', matrix: move(0, 0, 0) },
        { name: 'Pillar_left', mesh: 'Pillar', matrix: move(-1.5, 0, 5.5) },
        // Sheared: it leans, which no translation, rotation and scale can say.
        {
          name: 'Pillar_leaning',
          mesh: 'Pillar',
          matrix: [1, 0, 0, 0, 0.125, 1, 0.0625, 0, 0, 0, 1, 0, 1.5, 0, 5.5, 1],
        },
      ],
    },
  ],
};
