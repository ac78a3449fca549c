// A generated town as GLB for the benchmarks: blocks of 50 m on hilly ground, each with two houses (windows, tiles on the
// roof), trees with foliage cards, streets, lamps, rocks. All of it is drawn by lot from the block's number and is the same
// on every machine. `npx tsx bench/town.ts 1000000 town.glb` writes one;
// 100,000,000 triangles take 4 GB as `.glb` or as `.gltf` with several buffers, and little memory.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Glb } from './glb.ts';
import { type Point, Shape } from './shape.ts';
import { storedPng } from './storedPng.ts';

/** Edge of a block in metres, and the triangles of one on average. */
const BLOCK = 50;
const TRIANGLES_A_BLOCK = 15_900;

/** The ground of a block lies in so many patches a side, each of so many quads a side. */
const PATCHES = 2;
const PATCH_QUADS = 23;

const TAU = Math.PI * 2;

const MATERIAL = {
  grass: 0,
  plaster: 1,
  brick: 2,
  roof: 3,
  wood: 4,
  glass: 5,
  metal: 6,
  asphalt: 7,
  bark: 8,
  leaves: 9,
  stone: 10,
} as const;

function materials(): object[] {
  const plain = (name: string, color: readonly number[], roughness: number, metallic = 0) => ({
    name,
    pbrMetallicRoughness: { baseColorFactor: [...color, 1], roughnessFactor: roughness, metallicFactor: metallic },
  });
  const textured = (name: string, index: number, more: object = {}) => ({
    name,
    pbrMetallicRoughness: { baseColorTexture: { index }, roughnessFactor: 0.9, metallicFactor: 0 },
    ...more,
  });
  return [
    textured('Grass', 0),
    plain('Plaster', [0.8, 0.76, 0.68], 0.9),
    textured('Brick', 1),
    plain('RoofTile', [0.5, 0.18, 0.1], 0.8),
    plain('Wood', [0.35, 0.2, 0.1], 0.7),
    plain('Glass', [0.1, 0.15, 0.2], 0.1),
    plain('Metal', [0.3, 0.3, 0.32], 0.4, 1),
    textured('Asphalt', 2),
    plain('Bark', [0.25, 0.17, 0.1], 1),
    textured('Leaves', 3, { alphaMode: 'MASK', alphaCutoff: 0.5, doubleSided: true }),
    plain('Stone', [0.45, 0.43, 0.4], 0.95),
  ];
}

/** A number from 0 to below 1 for a place on a lattice. */
function lot(x: number, y: number, salt: number): number {
  let h = Math.imul(x | 0, 0x9e3779b1) ^ Math.imul(y | 0, 0x85ebca77) ^ Math.imul(salt | 0, 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

/** Numbers from 0 to below 1, one after the other. */
type Random = () => number;
function lots(seed: number): Random {
  let at = 0;
  return () => lot(seed, at++, 0x51ed);
}
const between = (random: Random, low: number, high: number) => low + (high - low) * random();

/** Smooth noise from -1 to 1 that changes over one unit. */
function noise(x: number, y: number, salt: number): number {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const ease = (t: number) => t * t * (3 - 2 * t);
  const [u, v] = [ease(x - i), ease(y - j)];
  const low = lot(i, j, salt) * (1 - u) + lot(i + 1, j, salt) * u;
  const high = lot(i, j + 1, salt) * (1 - u) + lot(i + 1, j + 1, salt) * u;
  return (low * (1 - v) + high * v) * 2 - 1;
}

/** Height of the ground; streets between blocks are smooth. */
export function height(x: number, z: number): number {
  const hills = 4 * noise(x / 90, z / 90, 1) + 1.2 * noise(x / 25, z / 25, 2);
  const edge = Math.min(1, Math.max(0, (Math.min(toStreet(x), toStreet(z)) - 3) / 4));
  return hills + edge * (0.15 * noise(x / 3, z / 3, 3) + 0.04 * noise(x / 0.9, z / 0.9, 4));
}
/** How far the nearest street is along one axis. */
const toStreet = (x: number) => Math.abs(x - Math.round(x / BLOCK) * BLOCK);

function groundPatch(x0: number, z0: number): Shape {
  const shape = new Shape();
  const size = BLOCK / PATCHES;
  shape.sheet(PATCH_QUADS, PATCH_QUADS, [size / 4, size / 4, 0], (u, v) => {
    const [x, z] = [x0 + u * size, z0 + (1 - v) * size];
    return [x, height(x, z), z];
  });
  return shape;
}

/** The streets along two edges of a block, with kerbs. */
function streets(x0: number, z0: number): { readonly asphalt: Shape; readonly kerbs: Shape } {
  const [asphalt, kerbs] = [new Shape(), new Shape()];
  const half = 3;
  const strip = (shape: Shape, from: number, to: number, lift: (v: number) => number, rows: number, turned: boolean) =>
    shape.sheet(30, rows, [12, (to - from) / 4, 0], (u, v) => {
      const [along, across] = [u * BLOCK, from + v * (to - from)];
      const [x, z] = turned ? [x0 + across, z0 + along] : [x0 + along, z0 - across];
      return [x, height(x, z) + 0.05 + lift(v), z];
    });
  for (const turned of [false, true]) {
    strip(asphalt, -half, half, (v) => 0.06 * (1 - (2 * v - 1) ** 2), 4, turned);
    for (const side of [-1, 1]) {
      const [from, to] = side < 0 ? [-half - 0.3, -half] : [half, half + 0.3];
      strip(kerbs, from, to, (v) => 0.12 * Math.sin(Math.PI * Math.min(1, Math.max(0, v))), 2, turned);
    }
  }
  return { asphalt, kerbs };
}

/** Size of a roof's tiles in metres. */
const TILE_WIDTH = 0.66;
const TILE_LENGTH = 0.9;

interface HouseParts {
  readonly wall: Shape;
  readonly roof: Shape;
  readonly wood: Shape;
  readonly glass: Shape;
  readonly metal: Shape;
  readonly brick: Shape;
}

/** Four bars with mitred corners, their fronts and inner sides. */
function windowFrame(shape: Shape, corner: Point, right: Point, out: Point, w: number, h: number, bar: number): void {
  const thick = 0.06;
  const at = (x: number, y: number, z: number): Point => [
    corner[0] + right[0] * x + out[0] * z,
    corner[1] + y,
    corner[2] + right[2] * x + out[2] * z,
  ];
  const outer: Point[] = [at(0, 0, thick), at(w, 0, thick), at(w, h, thick), at(0, h, thick)];
  const [r, t] = [w - bar, h - bar];
  const inner: Point[] = [at(bar, bar, thick), at(r, bar, thick), at(r, t, thick), at(bar, t, thick)];
  const back: Point[] = [at(bar, bar, 0), at(r, bar, 0), at(r, t, 0), at(bar, t, 0)];
  const inward: Point[] = [[0, 1, 0], [-right[0], 0, -right[2]], [0, -1, 0], right];
  for (let i = 0; i < 4; i++) {
    const next = (i + 1) % 4;
    for (const [a, b, c, d, n] of [
      [outer[i], outer[next], inner[next], inner[i], out],
      [inner[i], inner[next], back[next], back[i], inward[i]],
    ]) {
      const [p, q] = [shape.vertex(a, n, 0, 0), shape.vertex(b, n, 1, 0)];
      shape.quad(p, q, shape.vertex(c, n, 1, 1), shape.vertex(d, n, 0, 1));
    }
  }
}

/** One side of a house from `corner` on, with a window or a door in each bay of each floor. */
function facade(
  parts: HouseParts,
  random: Random,
  corner: Point,
  right: Point,
  bays: number,
  floors: number,
  floorHeight: number,
  bayWidth: number,
  door: boolean,
): void {
  const out: Point = [-right[2], 0, right[0]];
  const at = (x: number, y: number, z: number): Point => [
    corner[0] + right[0] * x + out[0] * z,
    corner[1] + y,
    corner[2] + right[2] * x + out[2] * z,
  ];
  const along = (d: number): Point => [right[0] * d, 0, right[2] * d];
  const up = (d: number): Point => [0, d, 0];
  const outward = (d: number): Point => [out[0] * d, 0, out[2] * d];
  for (let floor = 0; floor < floors; floor++) {
    for (let bay = 0; bay < bays; bay++) {
      const [x, y] = [bay * bayWidth, floor * floorHeight];
      const isDoor = door && floor === 0 && bay === Math.floor(bays / 2);
      const w = isDoor ? 1.1 : between(random, 0.9, 1.2);
      const h = isDoor ? 2.1 : between(random, 1.1, 1.5);
      const left = x + (bayWidth - w) / 2;
      const sill = isDoor ? 0 : y + 0.9;
      if (!isDoor && random() < 0.12) {
        parts.wall.panel(at(x, y, 0), along(bayWidth), up(floorHeight));
        continue;
      }
      // The wall around the opening, its reveals, a frame of four bars, a cross, a sill, and the pane.
      parts.wall.panel(at(x, y, 0), along(left - x), up(floorHeight));
      parts.wall.panel(at(left + w, y, 0), along(x + bayWidth - left - w), up(floorHeight));
      if (sill > y) parts.wall.panel(at(left, y, 0), along(w), up(sill - y));
      parts.wall.panel(at(left, sill + h, 0), along(w), up(y + floorHeight - sill - h));
      const deep = 0.18;
      parts.wall.panel(at(left, sill, 0), outward(-deep), up(h));
      parts.wall.panel(at(left + w, sill, -deep), outward(deep), up(h));
      parts.wall.panel(at(left, sill + h, 0), along(w), outward(-deep));
      const bar = 0.07;
      windowFrame(parts.wood, at(left, sill, -deep), along(1), out, w, h, bar);
      if (isDoor) {
        parts.wood.panel(at(left, sill, -deep + 0.02), along(w), up(h));
        continue;
      }
      parts.wood.box(at(left + w / 2 - bar / 2, sill + bar, -deep), along(bar), up(h - 2 * bar), outward(0.05), false);
      parts.wood.box(at(left - 0.1, sill - 0.06, 0), along(w + 0.2), up(0.06), outward(0.15));
      parts.glass.panel(at(left, sill, -deep + 0.03), along(w), up(h), 'whole');
    }
  }
}

/** Rows of curved tiles, each row a step above the one before, from the eaves at `low` up to the ridge at `high`. */
function roofSide(shape: Shape, seed: number, low: Point, high: Point, right: Point, width: number): void {
  const slope: Point = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
  const long = Math.sqrt(slope[0] ** 2 + slope[1] ** 2 + slope[2] ** 2);
  const step: Point = [slope[0] / long, slope[1] / long, slope[2] / long];
  // Seen from outside, right x step points out of the roof.
  const normal: Point = [
    right[1] * step[2] - right[2] * step[1],
    right[2] * step[0] - right[0] * step[2],
    right[0] * step[1] - right[1] * step[0],
  ];
  const columns = Math.round(width / TILE_WIDTH);
  const rows = Math.round(long / TILE_LENGTH);
  // Two strips of quads a row: the tiles, and the short step up to the next row.
  shape.sheet(columns * 3, rows * 2, null, (u, v) => {
    const across = u * width;
    const strip = v * rows * 2;
    const row = Math.min(rows - 1, Math.max(0, Math.floor(strip / 2 + 1e-9)));
    const within = strip - row * 2;
    const [up, tilt] = within <= 1 ? [within * 0.97, 1 - within] : [0.97 + (within - 1) * 0.03, within - 1];
    const column = u * columns;
    const askew = 0.02 * lot(Math.round(column), row, seed);
    const lift = 0.06 * Math.abs(Math.sin(Math.PI * column)) + 0.04 * tilt + askew;
    const y = ((row + up) * long) / rows;
    return [
      low[0] + right[0] * across + step[0] * y + normal[0] * lift,
      low[1] + right[1] * across + step[1] * y + normal[1] * lift,
      low[2] + right[2] * across + step[2] * y + normal[2] * lift,
    ];
  });
}

/** A house around the origin, its ground floor at 0. */
function house(random: Random): HouseParts {
  const parts: HouseParts = {
    wall: new Shape(),
    roof: new Shape(),
    wood: new Shape(),
    glass: new Shape(),
    metal: new Shape(),
    brick: new Shape(),
  };
  const bayWidth = between(random, 2.1, 2.6);
  const [wide, deep] = [3 + Math.floor(random() * 3), 3 + Math.floor(random() * 2)];
  const floors = 1 + Math.floor(random() * 2);
  const floorHeight = between(random, 2.7, 3);
  const [w, d, h] = [wide * bayWidth, deep * bayWidth, floors * floorHeight];
  const side = (x: number, z: number, rx: number, rz: number, bays: number, door: boolean) =>
    facade(parts, random, [x, 0, z], [rx, 0, rz], bays, floors, floorHeight, bayWidth, door);
  side(-w / 2, d / 2, 1, 0, wide, true);
  side(w / 2, d / 2, 0, -1, deep, false);
  side(w / 2, -d / 2, -1, 0, wide, false);
  side(-w / 2, -d / 2, 0, 1, deep, false);
  // A plinth of bricks that goes into the ground.
  parts.brick.box([-w / 2 - 0.08, -1.5, -d / 2 - 0.08], [w + 0.16, 0, 0], [0, 1.75, 0], [0, 0, d + 0.16]);

  const ridge = h + (d / 2) * between(random, 0.6, 1);
  const over = 0.4;
  const drop = (over * (ridge - h)) / (d / 2);
  const edge = w / 2 + over;
  const seed = Math.floor(random() * 1e6);
  roofSide(parts.roof, seed, [-edge, h - drop, d / 2 + over], [-edge, ridge, 0], [1, 0, 0], 2 * edge);
  roofSide(parts.roof, seed + 1, [edge, h - drop, -d / 2 - over], [edge, ridge, 0], [-1, 0, 0], 2 * edge);
  for (const end of [-1, 1]) {
    const x = (end * w) / 2;
    const n: Point = [end, 0, 0];
    const a = parts.wall.vertex([x, h, (d / 2) * end], n, 0, 0);
    const b = parts.wall.vertex([x, h, (-d / 2) * end], n, d, 0);
    parts.wall.indices.push(a, b, parts.wall.vertex([x, ridge, 0], n, d / 2, ridge - h));
  }
  // Gutters and a pipe, half and whole rounds of metal.
  for (const front of [-1, 1]) {
    parts.metal.sheet(12, 6, null, (u, v) => {
      const turn = Math.PI * v;
      const z = d / 2 + over + 0.07 - 0.07 * Math.cos(turn);
      return [front * (2 * u - 1) * edge, h - drop - 0.07 * Math.sin(turn), front * z];
    });
  }
  parts.metal.sheet(8, 10, null, (u, v) => [
    w / 2 - 0.2 - 0.05 * Math.cos(TAU * u),
    v * h,
    d / 2 + 0.08 + 0.05 * Math.sin(TAU * u),
  ]);
  const chimney = between(random, -w / 3, w / 3);
  parts.brick.box([chimney, h, 0.3], [0.7, 0, 0], [0, ridge - h + 0.8, 0], [0, 0, 0.6]);
  parts.brick.box([chimney - 0.08, ridge + 0.8, 0.22], [0.86, 0, 0], [0, 0.12, 0], [0, 0, 0.76]);
  return parts;
}

/** A trunk and branches as tapering tubes with rough bark, and cards of leaves around their ends. */
function tree(random: Random): { readonly bark: Shape; readonly leaves: Shape } {
  const [bark, leaves] = [new Shape(), new Shape()];
  const tall = between(random, 4, 8);
  const seed = Math.floor(random() * 1e6);
  const tube = (from: Point, to: Point, thick: number, thin: number, around: number, rows: number) =>
    bark.sheet(around, rows, null, (u, v) => {
      const radius = (thick + (thin - thick) * v) * (1 + 0.12 * noise(Math.cos(TAU * u) * 2 + 5, v * 9, seed));
      return [
        from[0] + (to[0] - from[0]) * v - radius * Math.cos(TAU * u),
        from[1] + (to[1] - from[1]) * v,
        from[2] + (to[2] - from[2]) * v + radius * Math.sin(TAU * u),
      ];
    });
  tube([0, -0.3, 0], [0, tall * 0.7, 0], tall * 0.045, tall * 0.02, 10, 10);
  const branches = 5 + Math.floor(random() * 3);
  for (let i = 0; i < branches; i++) {
    const way = TAU * (i / branches + random() * 0.1);
    const start = tall * between(random, 0.35, 0.65);
    const range = tall * between(random, 0.2, 0.35);
    const end: Point = [range * Math.cos(way), start + range * between(random, 0.6, 1.2), range * Math.sin(way)];
    tube([0, start, 0], end, tall * 0.015, tall * 0.006, 6, 4);
    for (let n = 0; n < 45; n++) {
      const size = between(random, 0.25, 0.45);
      const spread = tall * 0.16;
      const at: Point = [
        end[0] + between(random, -spread, spread),
        end[1] + between(random, -spread, spread),
        end[2] + between(random, -spread, spread),
      ];
      const turn = TAU * random();
      const lean = between(random, -0.6, 0.6);
      leaves.panel(
        at,
        [size * Math.cos(turn), 0, size * Math.sin(turn)],
        [-size * lean * Math.sin(turn), size, size * lean * Math.cos(turn)],
        'whole',
      );
    }
  }
  return { bark, leaves };
}

/** A street lamp: a turned post with a bent arm and a shade. */
function lamp(): { readonly metal: Shape; readonly glass: Shape } {
  const [metal, glass] = [new Shape(), new Shape()];
  const radii = [0.16, 0.16, 0.1, 0.07, 0.06, 0.05, 0.05];
  const turned = (u: number, v: number, radius: number, y: number): Point => [
    -radius * Math.cos(TAU * u),
    y,
    radius * Math.sin(TAU * u) + v * 0,
  ];
  metal.sheet(8, radii.length - 1, null, (u, v) => {
    const at = Math.min(radii.length - 1, Math.max(0, v * (radii.length - 1)));
    const i = Math.min(radii.length - 2, Math.floor(at));
    return turned(u, v, radii[i] + (radii[i + 1] - radii[i]) * (at - i), v * 4);
  });
  metal.sheet(8, 3, null, (u, v) => turned(u, v, 0.05 + 0.25 * v * v, 4.4 - 0.3 * v));
  glass.sheet(8, 5, null, (u, v) => turned(u, v, 0.16 * Math.sin(Math.PI * v), 3.95 + 0.32 * v));
  return { metal, glass };
}

function rock(random: Random): Shape {
  const shape = new Shape();
  const size = between(random, 0.3, 0.9);
  const seed = Math.floor(random() * 1e6);
  shape.sheet(16, 8, null, (u, v) => {
    const [a, b] = [TAU * u, Math.PI * (v - 0.5)];
    const rough = size * (1 + 0.35 * noise(Math.cos(a) * 1.7, Math.sin(a) * 1.7 + 3 * v, seed));
    return [-rough * Math.cos(b) * Math.cos(a), rough * 0.7 * Math.sin(b), rough * Math.cos(b) * Math.sin(a)];
  });
  return shape;
}

/** 64 x 64 texels: grass, bricks, asphalt, a leaf with nothing around it. */
function addTextures(glb: Glb): void {
  const speckled = (r: number, g: number, b: number, depth: number, salt: number) =>
    storedPng(64, (x, y) => {
      const light = 1 + depth * (lot(x, y, salt) - 0.5);
      return [r * light, g * light, b * light, 255].map((c) => Math.min(255, Math.round(c)));
    });
  glb.addImage(speckled(80, 120, 50, 0.5, 11));
  glb.addImage(
    storedPng(64, (x, y) => {
      const shift = Math.floor(y / 16) % 2 === 0 ? 0 : 16;
      const joint = y % 16 < 2 || (x + shift) % 32 < 2;
      const light = 0.8 + 0.4 * lot(x >> 1, y >> 1, 12);
      return joint
        ? [180, 175, 165, 255]
        : [Math.round(150 * light), Math.round(70 * light), Math.round(50 * light), 255];
    }),
  );
  glb.addImage(speckled(70, 70, 72, 0.3, 13));
  glb.addImage(
    storedPng(64, (x, y) => {
      const [u, v] = [(x - 31.5) / 32, (y - 31.5) / 32];
      const inside = Math.abs(u) < 0.7 * (1 - v * v);
      return [60, 110 + Math.round(60 * lot(x, y, 14)), 40, inside ? 255 : 0];
    }),
  );
}

/** Adds the block whose corner of least x and z is at (x0, z0). */
function addBlock(glb: Glb, name: string, seed: number, x0: number, z0: number, lampMesh: number): void {
  const random = lots(seed);
  for (let j = 0; j < PATCHES; j++) {
    for (let i = 0; i < PATCHES; i++) {
      const [x, z] = [x0 + (i * BLOCK) / PATCHES, z0 + (j * BLOCK) / PATCHES];
      const mesh = glb.addMesh(`Ground_${name}_${i}${j}`, [{ shape: groundPatch(x, z), material: MATERIAL.grass }]);
      glb.addNode({ name: `Ground_${name}_${i}${j}`, mesh });
    }
  }
  const { asphalt, kerbs } = streets(x0, z0);
  const street = [
    { shape: asphalt, material: MATERIAL.asphalt },
    { shape: kerbs, material: MATERIAL.stone },
  ];
  glb.addNode({ name: `Street_${name}`, mesh: glb.addMesh(`Street_${name}`, street) });

  const standing = (x: number, z: number): Point => [x0 + x, height(x0 + x, z0 + z), z0 + z];
  for (const [i, x] of [15, 36].entries()) {
    const parts = house(random);
    const wall = random() < 0.5 ? MATERIAL.plaster : MATERIAL.brick;
    const mesh = glb.addMesh(`House_${name}_${i}`, [
      { shape: parts.wall, material: wall },
      { shape: parts.roof, material: MATERIAL.roof },
      { shape: parts.wood, material: MATERIAL.wood },
      { shape: parts.glass, material: MATERIAL.glass },
      { shape: parts.metal, material: MATERIAL.metal },
      { shape: parts.brick, material: MATERIAL.brick },
    ]);
    const at = standing(x, between(random, 15, 20));
    glb.addNode({ name: `House_${name}_${i}`, mesh, translation: at, turn: between(random, -0.3, 0.3) });
  }
  for (let i = 0; i < 2; i++) {
    const { bark, leaves } = tree(random);
    const mesh = glb.addMesh(`Tree_${name}_${i}`, [
      { shape: bark, material: MATERIAL.bark },
      { shape: leaves, material: MATERIAL.leaves },
    ]);
    const at = standing(8 + i * 22 + between(random, 0, 6), between(random, 32, 45));
    glb.addNode({ name: `Tree_${name}_${i}`, mesh, translation: at });
  }
  const stone = glb.addMesh(`Rock_${name}`, [{ shape: rock(random), material: MATERIAL.stone }]);
  glb.addNode({ name: `Rock_${name}`, mesh: stone, translation: standing(between(random, 8, 44), 28) });
  for (let i = 0; i < 2; i++) {
    const translation = standing(4, 14 + i * 22);
    glb.addNode({ name: `Lamp_${name}_${i}`, mesh: lampMesh, translation });
  }
}

/** Writes a square town of about so many triangles; gives how many it has. */
export function writeTown(triangles: number, path: string): number {
  const side = Math.max(1, Math.round(Math.sqrt(triangles / TRIANGLES_A_BLOCK)));
  const half = Math.floor(side / 2);
  const glb = new Glb(path, materials());
  addTextures(glb);
  const { metal, glass } = lamp();
  const lampMesh = glb.addMesh('Lamp', [
    { shape: metal, material: MATERIAL.metal },
    { shape: glass, material: MATERIAL.glass },
  ]);
  for (let j = 0; j < side; j++) {
    for (let i = 0; i < side; i++) {
      addBlock(glb, `${i}_${j}`, j * 1009 + i, (i - half) * BLOCK, (j - half) * BLOCK, lampMesh);
    }
  }
  glb.write();
  return glb.triangles;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [, , triangles = '1000000', path = 'town.glb'] = process.argv;
  const written = writeTown(Number(triangles), path);
  process.stdout.write(`${path}: ${written} triangles\n`);
}
