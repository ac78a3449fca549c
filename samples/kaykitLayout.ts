// Where the parts of the KayKit City Builder Bits stand in a town: streets on the grid of their tiles, buildings that
// face them, cars, lamps, parks. Numbers only; kaykit.ts makes a scene of it. In the parts' own unit: a tile is 2 wide.

import { noise } from './png.ts';
import type { Point } from './shapes.ts';

export interface PartPlacement {
  /** Name of the part's file, without its extension. */
  readonly part: string;
  readonly at: Point;
  /** Degrees about Y, from +Z towards +X. */
  readonly turn: number;
  readonly scale: number;
}

const TILE = 2;
/** Tiles from one street to the next: blocks are three tiles wide. */
const PITCH = 4;
/** Heights of the parts' own surfaces: of a carriageway, and of a pavement or base. */
const ROAD = 0.07;
const PAVEMENT = 0.1;
/** The wheels of cars reach this far below their origin. */
const WHEEL = 0.07;

/** Directions in which a tile's street leaves it, counted in quarter turns from +Z by way of +X; as the parts are made. */
const STREETS: Readonly<Record<string, readonly number[]>> = {
  road_straight: [0, 2],
  road_corner_curved: [0, 1],
  road_tsplit: [0, 1, 2],
  road_junction: [0, 1, 2, 3],
};
const STEPS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];
/** With space around them, and with bare walls to the left and right. */
const DETACHED = ['building_A', 'building_B', 'building_C', 'building_D'];
const ATTACHED = ['building_E', 'building_F', 'building_G', 'building_H'];
const CARS = ['car_hatchback', 'car_police', 'car_sedan', 'car_stationwagon', 'car_taxi'];

/** All placements of a town of so many blocks along each side, in an order and at places that `seed` alone decides. */
export function kaykitLayout(seed: number, blocks = 4): PartPlacement[] {
  const tiles = blocks * PITCH + 1;
  const isStreet = (i: number, j: number) =>
    i >= 0 && j >= 0 && i < tiles && j < tiles && (i % PITCH === 0 || j % PITCH === 0);
  const placed: PartPlacement[] = [];
  let drawn = 0;
  const chance = () => noise(drawn++, seed);
  const pick = (list: readonly string[]) => list[Math.floor(chance() * list.length)];
  const middle = (i: number) => (i - (tiles - 1) / 2) * TILE;
  /** `x` and `z` from the middle of the tile, as seen when the tile is turned by `quarter`. */
  const put = (
    part: string,
    [i, j]: readonly [number, number],
    quarter = 0,
    [x, y, z]: Point = [0, 0, 0],
    turn = 0,
    scale = 1,
  ) => {
    const [c, s] = [[1, 0, -1, 0][quarter], [0, 1, 0, -1][quarter]];
    const at: Point = [middle(i) + c * x + s * z, y, middle(j) + c * z - s * x];
    placed.push({ part, at, turn: (quarter * 90 + turn) % 360, scale });
  };

  const street = (i: number, j: number) => {
    const leaves = STEPS.map(([di, dj], d) => (isStreet(i + di, j + dj) ? d : -1)).filter((d) => d >= 0);
    const fits = (quarter: number) => (name: string) =>
      STREETS[name].length === leaves.length && STREETS[name].every((d) => leaves.includes((d + quarter) % 4));
    const quarter = [0, 1, 2, 3].find((q) => Object.keys(STREETS).some(fits(q))) as number;
    const part = Object.keys(STREETS).find(fits(quarter)) as string;
    if (part !== 'road_straight') {
      put(part, [i, j], quarter);
      if (part === 'road_junction') {
        for (const q of [0, 1, 2, 3]) put('trafficlight_B', [i, j], q, [0.93, PAVEMENT, 0.93]);
      }
      return;
    }
    const isMiddle = (i % PITCH === 0 ? j : i) % PITCH === PITCH / 2;
    put(isMiddle ? part : 'road_straight_crossing', [i, j], quarter);
    if (isMiddle) {
      put('streetlight', [i, j], quarter, [0.93, PAVEMENT, -0.4]);
      put('streetlight', [i, j], quarter, [-0.93, PAVEMENT, 0.4], 180);
    }
    // On the right of the carriageway, one way or the other.
    for (const way of [-1, 1]) {
      if (chance() > 0.35) continue;
      const along = Math.round((chance() - 0.5) * 8) / 10;
      put(pick(CARS), [i, j], quarter, [way * 0.35, ROAD + WHEEL, along], way < 0 ? 0 : 180);
    }
  };

  const park = (left: number, top: number) => {
    for (let b = 0; b < 3; b++) {
      for (let a = 0; a < 3; a++) {
        const tile = [left + a, top + b] as const;
        put('base', tile);
        if (a === 1 && b === 1) {
          put('watertower', tile, 0, [0, PAVEMENT, 0], 0, 1.5);
          continue;
        }
        const count = 3 + Math.floor(chance() * 5);
        for (let n = 0; n < count; n++) {
          const [x, z] = [chance() * 1.6 - 0.8, chance() * 1.6 - 0.8];
          put('bush', tile, 0, [x, PAVEMENT, z], Math.floor(chance() * 360), 1 + Math.round(chance() * 15) / 10);
        }
        put('bench', tile, Math.floor(chance() * 4), [0, PAVEMENT, 0.85]);
      }
    }
  };

  const yard = (tile: readonly [number, number]) => {
    put('base', tile);
    put('dumpster', tile, Math.floor(chance() * 4), [0.4, PAVEMENT, -0.5]);
    put('box_A', tile, 0, [-0.5, PAVEMENT, 0.3], Math.floor(chance() * 90));
    put('box_B', tile, 0, [-0.3, PAVEMENT, 0.5], Math.floor(chance() * 90));
    for (const trash of ['trash_A', 'trash_B']) {
      put(trash, tile, 0, [chance() - 0.5, PAVEMENT, chance() - 0.5], Math.floor(chance() * 360));
    }
  };

  for (let j = 0; j < tiles; j++) {
    for (let i = 0; i < tiles; i++) if (isStreet(i, j)) street(i, j);
  }
  for (let y = 0; y < blocks; y++) {
    for (let x = 0; x < blocks; x++) {
      const [left, top] = [x * PITCH + 1, y * PITCH + 1];
      if (chance() < 0.2) {
        park(left, top);
        continue;
      }
      yard([left + 1, top + 1]);
      for (let b = 0; b < 3; b++) {
        for (let a = 0; a < 3; a++) {
          const facing = STEPS.flatMap(([di, dj], d) => (isStreet(left + a + di, top + b + dj) ? [d] : []));
          if (facing.length === 0) continue;
          const quarter = facing[Math.floor(chance() * facing.length)];
          put(pick(facing.length === 1 ? ATTACHED : DETACHED), [left + a, top + b], quarter);
        }
      }
    }
  }
  return placed;
}
