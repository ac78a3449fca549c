// Plans of generated scenes as manifests and maps: nothing that the engine's loader would change.

import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../../src/bytes/units.ts';
import { loaderBands } from '../../../src/engine/streaming.ts';
import { type TileManifest, validateManifest } from '../../../src/formats/manifest/validate.ts';
import { type EmittedTile, filesOfManifest, manifestText, uniteAll } from '../../../src/formats/manifest/write.ts';
import { planMap } from '../../../src/output/planMap.ts';
import { DEFAULT_TILING, type TilingOptions } from '../../../src/tiling/options.ts';
import { planScene } from '../../../src/tiling/plan.ts';
import { rangeRadii } from '../../../src/tiling/streaming/radii.ts';
import { tileRadii } from '../../../src/tiling/streaming/setRadii.ts';
import type { PlannedObject, PlannedTile } from '../../../src/tiling/types.ts';
import { box, generatedScene, object } from '../../tiling/objects.ts';
import { fixture } from '../untold/edit.ts';

const payload = fixture('valid-v1-none.untold');
const probe = { size: () => payload.length, read: () => payload };

/** As if the cook had stored just what was planned. */
function emitted(planned: PlannedTile): EmittedTile {
  const { vertices, meshes } = planned.estimate;
  const path = `s/${planned.stem}.untold`;
  return { planned, path, bytes: payload.length, bounds: planned.bounds, gpuBytes: 32 * vertices, meshes, vertices };
}

function emit(objects: readonly PlannedObject[], options: Partial<TilingOptions>) {
  const plan = planScene(objects, 25, 's', { ...DEFAULT_TILING, ...options });
  const tiles = plan.tiles.map(emitted);
  const shared = plan.shared ? emitted(plan.shared) : null;
  const scene = uniteAll(shared ? [...tiles, shared] : tiles);
  const radii = tileRadii(shared ? [...tiles, shared] : tiles, scene);
  const defaults = rangeRadii(plan.defaultRange, scene, null);
  const { budgets } = DEFAULT_TILING;
  const files = [{ path: 's/a.untold', bytes: 1, sha256: '0'.repeat(64) }];
  const input = {
    sceneName: 's',
    folder: 's/',
    settings: '0'.repeat(64),
    plan,
    tiles,
    shared,
    radii,
    defaults,
    budgets,
    authored: {},
    files: [],
  };
  const text = manifestText({ ...input, maxBatchVertices: budgets.vertices });
  const listing = manifestText({ ...input, files, maxBatchVertices: budgets.vertices });
  return { plan, text, listing, map: planMap({ ...input, files: FILES }), manifest: JSON.parse(text) as TileManifest };
}

const CASES = [2, 10, 40, 150, 500, 2000].flatMap((extent, i) =>
  (['grid', 'quadtree', 'kdtree'] as const).flatMap((partition) =>
    (['indoor', 'outdoor'] as const).map((profile) => ({ extent, partition, profile, seed: i })),
  ),
);

/** Of a set, its map aside. */
const FILES = { count: 3, bytes: 123_456 };

describe.each(CASES)('a scene of $extent m, $partition, $profile', ({ extent, partition, profile, seed }) => {
  const made = (['auto', 'never'] as const).map((sharedBucket) =>
    emit(generatedScene(seed + 3, extent, 120), { partition, profile, sharedBucket }),
  );

  it('has radii that the loader takes as they are', () => {
    for (const { manifest } of made) {
      const entries = manifest.shared_bucket ? [...manifest.tiles, manifest.shared_bucket] : manifest.tiles;
      for (const tile of entries) {
        const { bounds } = tile;
        const streaming = tile.streaming_radius ?? 0;
        const unload = tile.unload_radius ?? 0;
        expect(loaderBands(streaming, unload, null, [])).toEqual({ unload, hlod: null, lods: [] });
        const diagonal = Math.hypot(...bounds.max.map((high, axis) => high - bounds.min[axis]));
        expect(streaming).toBeGreaterThanOrEqual(Math.max(10, 4 * diagonal));
        expect(unload).toBeGreaterThanOrEqual(streaming + 4);
      }
    }
  });

  it('has a manifest that the checker finds nothing to say of', async () => {
    for (const { text } of made) {
      const { manifest, diagnostics } = await validateManifest(text, 's.json', probe);
      expect(manifest).not.toBeNull();
      expect(diagnostics).toEqual([]);
    }
  });

  it('has version 3 for grids and 4 for trees, which alone have floors', () => {
    for (const { manifest } of made) {
      expect(manifest.version).toBe(partition === 'grid' ? 3 : 4);
      expect('interior_zone' in manifest).toBe(partition !== 'grid');
      for (const tile of manifest.tiles) {
        expect(tile.floor_id === undefined).toBe(partition === 'grid');
        expect(tile.quadtree_node_id === undefined).toBe(partition === 'grid');
        if (partition === 'grid') continue;
        expect(tile.quadtree_node_id).toMatch(
          partition === 'quadtree' ? /^F\d{2,}_Q(_[0-3])*$/ : /^F\d{2,}_K(_[01])*$/,
        );
        expect(tile.tile_id.startsWith(`${tile.quadtree_node_id}_`)).toBe(true);
        if (profile === 'outdoor') expect(tile.interior).toBe(false);
      }
    }
  });

  it('has a map that shows every tile', () => {
    for (const { map, plan, manifest } of made) {
      const titles = map.match(/<title>/g)?.length;
      expect(titles).toBe(manifest.tiles.length + (manifest.shared_bucket ? 1 : 0));
      for (const tile of plan.tiles) expect(map).toContain(`<title>${tile.id}\n`);
      expect(map).not.toMatch(/NaN|Infinity|undefined|e[+-]\d/);
    }
  });
});

describe('a manifest of version 4', () => {
  const room = [
    ...['Wall', 'Floor', 'Ceiling', 'Door'].map((name, i) => object(i, box(0, i, 4, i + 1), { name })),
    object(20, box(0, 0, 4, 4, 0, 3), { name: 'Facade' }),
  ];

  it('has the keys of the exporter in its order', () => {
    const { manifest } = emit(room, { partition: 'quadtree' });
    expect(Object.keys(manifest.tiles[0])).toEqual([
      'tile_id',
      'floor_id',
      'quadtree_node_id',
      'semantic_tier',
      'path_relative_to_manifest',
      'streaming_radius',
      'unload_radius',
      'priority',
      'hlod_levels',
      'lod_levels',
      'interior',
      'file_size_bytes',
      'estimated_memory_bytes',
      'bounds',
      'cell_bounds',
      'secondary_representation_policy',
      'center',
      'object_count',
    ]);
    expect(manifest.partitioning_mode).toBe('quadtree_floor');
    expect(emit(room, { partition: 'kdtree' }).manifest.partitioning_mode).toBe('kdtree_floor');
  });

  it('has the zone that the shell encloses, from tiles or else from the bucket; none outdoors', () => {
    const zone = { min: [0, 0, 0], max: [4, 3, 4] };
    expect(emit(room, { partition: 'quadtree' }).manifest.interior_zone).toEqual(zone);
    expect(emit(room, { partition: 'quadtree', sharedBucket: 'never' }).manifest.interior_zone).toEqual(zone);
    expect(emit(room, { partition: 'quadtree', profile: 'outdoor' }).manifest.interior_zone).toBeNull();
  });
});

describe('a map', () => {
  it('is named and replaced with its set, whatever its content; other files of such a name are not', () => {
    const { listing } = emit([object(0, box(0, 0, 1, 1))], {});
    expect([...(filesOfManifest(listing, 's') ?? [])]).toEqual([
      ['s.plan.svg', null],
      ['s/a.untold', '0'.repeat(64)],
    ]);
    expect(filesOfManifest(listing, 'other')?.size).toBe(0);
  });

  it('marks what is over budget and says by how much', () => {
    const { map } = emit([object(0, box(0, 0, 1, 1), { vertices: 200_000 })], { split: 'never' });
    expect(map).toContain('tile_0_0_0: 200,000 vertices of 160,000');
    expect(map).toContain('stroke="#c00000"');
  });

  it('shows pieces in the colour of their tiles, and says how many there are', () => {
    // Five by five cells with a piece each; one has a house besides.
    const ground = object(0, box(0, -125, 125, 0), { vertices: 50_000, triangles: 50_000 });
    const { map } = emit([ground, object(1, box(1, -2, 2, -1))], {});
    expect(map).toContain('cells of 25 m; 25 tiles; 1 object cut into 25 pieces</text>');
    expect(map).toContain('cells: 25 files, 1 object, 25 pieces, ');
    expect(map).toContain('tile_0_0_0\n1 object, 1 piece, 3000 triangles');
    expect(map).toContain('tile_4_0_4\n1 piece, 2000 triangles');
    const boxes = [...map.matchAll(/<path d="((?:M[^"]*z)+)" fill=/g)].map(([, path]) => path.split('z').length - 1);
    // The house is a path of its own: it lies on its piece of the ground.
    expect(boxes).toEqual(Array(26).fill(1));
    expect(emit([object(0, box(0, 0, 1, 1))], {}).map).not.toContain('pieces');
  });

  it('has a panel for each floor', () => {
    const objects = [0, 3, 6].map((y, i) => object(i, box(0, 0, 5, 5, y, y + 3), { name: 'Wall' }));
    const { map } = emit(objects, { partition: 'kdtree' });
    expect(map.match(/floor \d of 3/g)).toEqual(['floor 1 of 3', 'floor 2 of 3', 'floor 3 of 3']);
  });

  it('names tiles, and the one whose distances it draws, in labels that lie on no other', () => {
    // Tiles over each other: objects reach far out of the cells that own them.
    const objects = Array.from({ length: 144 }, (_, i) => {
      const [x, z] = [(i % 12) * 25 + 2, -Math.floor(i / 12) * 25 - 2];
      return object(i, box(x - (i % 5) * 9, z - 14, x + 20, z + (i % 3) * 11), { vertices: 300, triangles: 100 });
    });
    const { map, plan } = emit(objects, { sharedBucket: 'never' });
    const labels = [
      ...map.matchAll(/<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)"[^>]*class="id[^>]*>([^<]*)</g),
    ].map(([, x, y, font, text]) => {
      // Bold sans-serif letters of ids and words are less than 0.62 of the font size wide on average.
      const half = 0.31 * Number(font) * text.length;
      const middle = Number(y) - Number(font) / 3;
      return {
        text,
        left: Number(x) - half,
        right: Number(x) + half,
        top: middle - Number(font) / 2,
        bottom: middle + Number(font) / 2,
      };
    });
    const ids = labels.filter(({ text }) => /^tile_\d+_\d+_\d+$/.test(text));
    expect(ids.length).toBeGreaterThan(30);
    const hidden = Number(/(\d+) ids? found no room/.exec(map)?.[1] ?? 0);
    expect(ids.length + hidden).toBe(plan.tiles.length);
    expect(map).toMatch(/>tile_\d+_\d+_\d+ loads<\/text>/);
    for (const [i, a] of labels.entries()) {
      for (const b of labels.slice(i + 1)) {
        const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        expect(apart, `${a.text} on ${b.text}`).toBe(true);
      }
    }
  });

  it('mixes no colours where tiles lie over each other, and writes ids on plates', () => {
    const objects = [object(0, box(-4, -9, 30, -1)), object(1, box(26, -9, 40, -1))];
    const { map } = emit(objects, { sharedBucket: 'never' });
    expect(map).not.toMatch(/<(rect|path) (?!.*class="plate")[^>]*fill-opacity="(?!0\.6|0\.35)/);
    const ids = map.match(/class="id"/g)?.length;
    expect(map.match(/class="plate"/g)?.length).toBeGreaterThanOrEqual(ids ?? 0);
    expect(map).not.toContain('paint-order');
  });

  it('turns the id of a tile that is too narrow for it', () => {
    const { map } = emit([object(0, box(0, 0, 2, 24)), object(1, box(30, 0, 54, 24))], { sharedBucket: 'never' });
    expect(map.match(/class="id" transform="rotate\(-90 /g)).toHaveLength(1);
  });

  it('counts the bytes of the whole set, its own among them', () => {
    const { map } = emit([object(0, box(0, 0, 1, 1))], {});
    expect(map).toContain(`all: 4 files, ${formatBytes(FILES.bytes + Buffer.byteLength(map))} with levels`);
  });

  it('escapes names', () => {
    const plan = planScene([object(0, box(0, 0, 1, 1))], 25, 's');
    const tiles = plan.tiles.map(emitted);
    const { budgets } = DEFAULT_TILING;
    const map = planMap({
      sceneName: '<a&"b">',
      plan,
      tiles,
      shared: null,
      radii: tileRadii(tiles, uniteAll(tiles)),
      budgets,
      files: FILES,
    });
    expect(map).toContain('&lt;a&amp;&quot;b&quot;&gt;');
  });
});
