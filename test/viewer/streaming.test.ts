// The simulation of the engine's loader: each rule with a set that shows it.

import { describe, expect, test } from 'vitest';
import { shownLevel } from '../../src/engine/shownLevel.ts';
import type { CookedTile } from '../../src/formats/manifest/tiles.ts';
import { singleTile, tilesOf } from '../../src/formats/manifest/tiles.ts';
import type { Vec3 } from '../../src/scene/types.ts';
import { eyeAt, fly, placeAt } from '../../src/viewer/streaming/flight.ts';
import { type LoaderOptions, type LoaderState, StreamLoader } from '../../src/viewer/streaming/loader.ts';
import { importance, isInView } from '../../src/viewer/streaming/view.ts';

const VIEW = { tanY: 0.5773502691896258, aspect: 16 / 9 };
/** So fast that a load ends before the next tick. */
const FAST: LoaderOptions = { connection: { delay: 0, rate: 1e12 }, budget: 1e9, fileBytes: () => 1000 };

interface TileOptions {
  readonly id?: string;
  readonly streaming?: number;
  readonly unload?: number;
  readonly lods?: readonly number[];
  readonly hlod?: number | null;
  readonly at?: number;
  readonly z?: number;
  readonly priority?: number;
  readonly gateHeight?: number | null;
  readonly gpuBytes?: number;
}

/** A box 10 m wide that begins at x = `at`, so that a camera at x = at - d is d metres away. */
function tile(options: TileOptions = {}): CookedTile {
  const { id = 'a', streaming = 50, unload = 80, lods = [], hlod = null, at = 0, z = 0, priority = 10 } = options;
  const bounds = { min: [at, -5, z - 5] as const, max: [at + 10, 5, z + 5] as const };
  return {
    ...singleTile(id, `${id}.untold`),
    bounds,
    lods: lods.map((distance, i) => ({ path: `${id}_lod${i + 1}.untold`, distance })),
    hlod: hlod === null ? null : { path: `${id}_hlod.untold`, distance: hlod },
    distances: { streaming, unload, prefetch: null, lods, hlod, isGated: false },
    priority,
    gateHeight: options.gateHeight ?? null,
    bytes: 1000,
    gpuBytes: options.gpuBytes ?? 1000,
  };
}

/** An eye on the x axis that looks along +X. */
const eye = (x: number, y = 0) => eyeAt([x, y, 0], [x + 1, y, 0], VIEW.tanY, VIEW.aspect);

/** The level that is shown of a tile. */
const shown = (loader: StreamLoader, index = 0): string | null => {
  const at = loader.state().shown[index];
  return at < 0 ? null : loader.levelName(index, at);
};

const bits = (mask: number): number[] => [...Array(16).keys()].filter((bit) => (mask >>> bit) & 1);

describe('a camera that stands still', () => {
  // Every set of distances and every place must come to what the rules without time say.
  const cases: CookedTile[] = [
    tile(),
    tile({ lods: [30] }),
    tile({ lods: [54, 64], hlod: 70 }),
    tile({ hlod: 75 }),
    tile({ streaming: 100, unload: 400, lods: [110, 200], hlod: 300 }),
    tile({ streaming: 6, unload: 10, lods: [4, 8], hlod: 10 }),
    tile({ streaming: 50, unload: 51 }),
  ];
  test.each(cases.map((one, i) => [i, one] as const))(
    'comes to what the loader shows from there (set %i)',
    (_, one) => {
      for (let distance = 0.5; distance < 520; distance += distance < 120 ? 1.7 : 23) {
        const loader = new StreamLoader([one], FAST);
        loader.advance(5, eye(-distance));
        const level = shownLevel(one.distances!, distance);
        const expected = level === null ? null : level.kind === 'lod' ? `lod${level.index + 1}` : level.kind;
        expect([distance, shown(loader)]).toEqual([distance, expected]);
      }
    },
  );

  test('holds what it shows and nothing else', () => {
    const loader = new StreamLoader([tile({ lods: [54, 64], hlod: 70 })], FAST);
    loader.advance(5, eye(-60));
    expect(bits(loader.state().loaded[0])).toEqual([1]);
    loader.advance(5, eye(-20));
    expect(bits(loader.state().loaded[0])).toEqual([0]);
  });

  test('loads full detail only of what is in view, with 20 m around', () => {
    const behind = tile({ id: 'behind', at: -40 });
    const beside = tile({ id: 'beside', at: 0, z: 20 });
    const loader = new StreamLoader([behind, beside, tile({ id: 'ahead', at: 20 })], FAST);
    loader.advance(2, eye(0));
    expect([0, 1, 2].map((i) => shown(loader, i))).toEqual([null, 'full', 'full']);
    // Turned round.
    loader.advance(2, eyeAt([0, 0, 0], [-1, 0, 0], VIEW.tanY, VIEW.aspect));
    expect(shown(loader, 0)).toBe('full');
  });

  test('sees no full detail through the floor gate, but its levels', () => {
    const loader = new StreamLoader([tile({ lods: [30], gateHeight: 0 }), tile({ id: 'b', gateHeight: 0 })], FAST);
    loader.advance(2, eye(-10, 5.5));
    expect([shown(loader), shown(loader, 1)]).toEqual(['lod1', null]);
    loader.advance(2, eye(-10, 4.5));
    expect([shown(loader), shown(loader, 1)]).toEqual(['full', 'full']);
  });

  test('is shown nothing beyond 500 m', () => {
    const far = tile({ streaming: 600, unload: 900 });
    const loader = new StreamLoader([far], FAST);
    loader.advance(2, eye(-501));
    expect(shown(loader)).toBe(null);
    loader.advance(2, eye(-499));
    expect(shown(loader)).toBe('full');
  });
});

describe('loads', () => {
  const SLOW: LoaderOptions = { ...FAST, connection: { delay: 0.5, rate: 1000 } };
  const many = (count: number, options: TileOptions = {}) =>
    Array.from({ length: count }, (_, i) => tile({ id: `t${i}`, at: 20, z: i, ...options }));

  test('two full tiles at once, four LODs and four HLODs', () => {
    const near = new StreamLoader(many(6), SLOW);
    near.advance(0.2, eye(0));
    expect(near.state().loadsInFlight).toBe(2);
    const lods = new StreamLoader(many(6, { lods: [6], streaming: 10, unload: 30 }), SLOW);
    lods.advance(0.2, eye(0));
    expect(lods.state().loadsInFlight).toBe(4);
    const hlods = new StreamLoader(many(6, { hlod: 15, streaming: 10, unload: 30 }), SLOW);
    // Too far away for full detail.
    hlods.advance(0.2, eye(-5));
    expect(hlods.state().loadsInFlight).toBe(4);
  });

  test('take the delay, and share the connection', () => {
    const loader = new StreamLoader(many(2), SLOW);
    loader.advance(0.5, eye(0));
    expect(loader.state().loadsInFlight).toBe(2);
    // 2000 bytes at 1000 a second.
    loader.advance(1.9, eye(0));
    expect(loader.state().loadsInFlight).toBe(2);
    loader.advance(0.2, eye(0));
    expect([loader.state().loadsInFlight, loader.state().residentBytes]).toEqual([0, 2000]);
  });

  test('begin by priority, then with what the camera looks at', () => {
    const tiles = [
      tile({ id: 'low', at: 20, priority: 3 }),
      tile({ id: 'aside', at: 20, z: 25 }),
      tile({ id: 'ahead', at: 20 }),
      tile({ id: 'high', at: 30, z: -20, priority: 15 }),
    ];
    const loader = new StreamLoader(tiles, SLOW);
    loader.advance(0.1, eye(0));
    expect([...loader.state().loading]).toEqual([0, 0, 1, 1]);
  });

  test('of large files wait for each other, but one is always allowed', () => {
    const large = { ...SLOW, fileBytes: () => 150 * 2 ** 20 };
    const loader = new StreamLoader(many(3), large);
    loader.advance(0.1, eye(0));
    expect(loader.state().loadsInFlight).toBe(1);
  });

  test('go on in small steps as in large ones', () => {
    const tiles = many(9, { lods: [30], hlod: 60 });
    const path = (step: number) => {
      const loader = new StreamLoader(tiles, SLOW);
      for (let i = 0; i < Math.round(6 / step); i++) loader.advance(step, eye(-10));
      return { ...loader.state(), time: 0, residentBytes: Math.round(loader.state().residentBytes) };
    };
    expect(path(0.01)).toEqual(path(2));
  });
});

describe('a camera that moves', () => {
  const TWO = tile({ lods: [54, 64], hlod: 70, unload: 90 });

  test('keeps full detail until three seconds beyond the unload radius', () => {
    const loader = new StreamLoader([TWO], FAST);
    loader.advance(10, eye(-20));
    loader.advance(1, eye(-89));
    expect(shown(loader)).toBe('full');
    loader.advance(2.8, eye(-95));
    expect(shown(loader)).toBe('full');
    loader.advance(0.4, eye(-95));
    expect(bits(loader.state().loaded[0])).not.toContain(0);
    // The level that takes its place was not wanted before.
    loader.advance(1, eye(-95));
    expect(shown(loader)).toBe('hlod');
  });

  test('keeps full detail for eight seconds at least', () => {
    const loader = new StreamLoader([TWO], FAST);
    loader.advance(1, eye(-20));
    loader.advance(6.5, eye(-95));
    expect(shown(loader)).toBe('full');
    loader.advance(3, eye(-95));
    expect(shown(loader)).toBe('hlod');
  });

  test('comes a tenth nearer before a nearer level replaces a further one', () => {
    const loader = new StreamLoader([tile({ lods: [54, 64], hlod: 80, streaming: 20, unload: 90 })], FAST);
    loader.advance(3, eye(-85));
    expect(shown(loader)).toBe('hlod');
    loader.advance(3, eye(-73));
    expect(shown(loader)).toBe('hlod');
    loader.advance(3, eye(-71));
    expect(shown(loader)).toBe('lod2');
    loader.advance(3, eye(-58));
    expect(shown(loader)).toBe('lod2');
    loader.advance(3, eye(-57));
    expect(shown(loader)).toBe('lod1');
  });

  test('changes what it sees of a tile once a second at most', () => {
    // The floor gate keeps full detail away.
    const loader = new StreamLoader([tile({ lods: [54], hlod: 80, streaming: 20, unload: 90, gateHeight: 100 })], FAST);
    loader.advance(3, eye(-85));
    const changes: number[] = [];
    let before = shown(loader);
    for (let i = 0; i < 200; i++) {
      loader.advance(0.05, eye(i % 14 < 7 ? -40 : -85));
      const now = shown(loader);
      if (now !== before) changes.push(loader.state().time);
      before = now;
    }
    expect(changes.length).toBeGreaterThan(2);
    for (let i = 1; i < changes.length; i++) expect(changes[i] - changes[i - 1]).toBeGreaterThan(0.99);
  });

  test('shows the level in place of full detail while that is loaded', () => {
    const slow = {
      ...FAST,
      connection: { delay: 0, rate: 500 },
      fileBytes: (path: string) => (path === 'a.untold' ? 1000 : 1),
    };
    const loader = new StreamLoader([TWO], slow);
    loader.advance(1, eye(-20));
    expect(shown(loader)).toBe('lod1');
    loader.advance(3, eye(-20));
    expect(shown(loader)).toBe('full');
  });

  test('stays within the budget: what is far goes first', () => {
    const tiles = Array.from({ length: 12 }, (_, i) =>
      tile({ id: `t${i}`, at: i * 20, streaming: 25, unload: 200, gpuBytes: 100 }),
    );
    const loader = new StreamLoader(tiles, { ...FAST, budget: 500 });
    let max = 0;
    for (let x = -10; x <= 230; x += 2) {
      loader.advance(0.5, eye(x));
      max = Math.max(max, loader.state().residentBytes);
    }
    expect(max).toBeLessThanOrEqual(500);
    expect(max).toBeGreaterThan(200);
    const { loaded } = loader.state();
    expect([loaded[0], loaded[1]]).toEqual([0, 0]);
  });
});

test('a flight gives a state each step, equal each time', () => {
  const tiles = Array.from({ length: 8 }, (_, i) => tile({ id: `t${i}`, at: i * 30, lods: [55], hlod: 70 }));
  const path = [
    { time: 0, position: [-80, 5, 0] as Vec3, target: [0, 0, 0] as Vec3 },
    { time: 10, position: [260, 5, 0] as Vec3, target: [400, 0, 0] as Vec3 },
  ];
  const run = (): LoaderState[] => fly(new StreamLoader(tiles, FAST), path, 0.1, VIEW);
  const states = run();
  expect(states).toHaveLength(100);
  expect(states).toEqual(run());
  expect(new Set(states.flatMap(({ shown: list }) => [...list])).size).toBeGreaterThan(2);
});

test('paths go straight from point to point and stand still at their ends', () => {
  const path = [
    { time: 1, position: [0, 0, 0] as Vec3, target: [1, 0, 0] as Vec3 },
    { time: 3, position: [10, 0, 4] as Vec3, target: [1, 2, 0] as Vec3 },
  ];
  expect(placeAt(path, 0).position).toEqual([0, 0, 0]);
  expect(placeAt(path, 2)).toEqual({ position: [5, 0, 2], target: [1, 1, 0] });
  expect(placeAt(path, 9).position).toEqual([10, 0, 4]);
});

test('boxes are in view or not, and larger ones in the middle count most', () => {
  const look = eyeAt([0, 0, 0], [0, 0, -1], 1, 1);
  const box = (x: number, y: number, z: number) =>
    ({ min: [x - 1, y - 1, z - 1], max: [x + 1, y + 1, z + 1] }) as const;
  expect(isInView(look, box(0, 0, -10), 0)).toBe(true);
  expect(isInView(look, box(0, 0, 10), 0)).toBe(false);
  expect(isInView(look, box(0, 0, 10), 20)).toBe(true);
  expect(isInView(look, box(13, 0, -10), 0)).toBe(false);
  expect(isInView(look, box(13, 0, -10), 3)).toBe(true);
  expect(isInView(look, box(0, 9, -10), 0)).toBe(true);
  expect(importance(look, box(0, 0, -10))).toBeGreaterThan(importance(look, box(0, 0, -20)));
  expect(importance(look, box(0, 0, -10))).toBeGreaterThan(importance(look, box(10, 0, 0)));
  expect(importance(look, box(0, 0, 0))).toBeCloseTo(4 * Math.PI);
});

test('a manifest gives tiles with the defaults of the engine, the shared bucket last', () => {
  const entry = { path_relative_to_manifest: 't.untold', file_size_bytes: 9, center: [0, 7, 0] };
  const bounds = { min: [0, 0, 0], max: [1, 1, 1] };
  const { tiles, bounds: all } = tilesOf({
    version: 4,
    partitioning_mode: 'quadtree_floor',
    streaming_defaults: { streaming_radius: 5, unload_radius: 9, priority: 7 },
    shared_bucket: { ...entry, tile_id: 'shared', bounds, streaming_radius: 60 },
    tiles: [
      { ...entry, tile_id: 'a', bounds, floor_id: 1, interior: true, semantic_tier: 'FineProps', priority: 5 },
      { ...entry, tile_id: 'b', bounds: { min: [4, 0, 0], max: [5, 1, 1] }, estimated_memory_bytes: 30 },
    ],
  });
  expect(
    tiles.map(({ id, priority, gateHeight, tier, gpuBytes }) => [id, priority, gateHeight, tier, gpuBytes]),
  ).toEqual([
    ['a', 5, 7, 'FineProps', 9],
    ['b', 7, null, null, 30],
    ['shared', 7, null, null, 9],
  ]);
  expect(tiles[0].distances).toMatchObject({ streaming: 5, unload: 9, prefetch: null });
  expect(tiles[2].shared).toEqual({ streaming: 60, unload: null });
  expect(all).toEqual({ min: [0, 0, 0], max: [5, 1, 1] });
});
