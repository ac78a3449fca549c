// What holds for a town in cells with HLODs that several far tiles share, whatever their size.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CookOutcome } from '../../src/cook/types.ts';
import { textureFiles } from '../../src/formats/textureFiles.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { decodeMips } from '../../src/textures/atlas/mips.ts';
import { srgbByte } from '../../src/textures/bake/color.ts';
import { KEPT_TEXTURES } from '../../src/textures/types.ts';
import { places } from '../geometry/packed.ts';
import { payloadPath, withoutHash } from '../payloadNames.ts';
import { BARE, COLORS, type Entry, type farTown, inSquare } from './farTown.ts';

/** The clusters of a town by the levels of its HLODs. */
export const CLUSTERS = {
  2: ['far2_0_0_0', 'far2_1_0_0', 'far2_2_0_0', 'far2_0_0_1', 'far2_1_0_1', 'far2_2_0_1'],
  3: ['far4_0_0_0', 'far4_1_0_0'],
} as const;

/** Cooks a town with clusters, and without in the folder `alone`. */
export function describeClusters(town: ReturnType<typeof farTown>, levels: keyof typeof CLUSTERS): void {
  const { folder, cook, manifest, clustersOf, tilesOf, read, meshesOf, trianglesOf, found, expectUntouched } = town;
  const ids: readonly string[] = CLUSTERS[levels];
  const ALONE = `alone${levels}`;

  describe(`a town in cells with --hlod-levels ${levels}`, () => {
    const out = `clusters${levels}`;
    let outcome: CookOutcome;
    beforeAll(async () => {
      await cook(ALONE);
      outcome = await cook(out, { values: { hlodLevels: levels } });
    });

    test('gives each tile to the cluster of its square, those without levels too', () => {
      const { tiles } = manifest(out);
      expect(tiles.slice(-ids.length).map((tile) => tile.tile_id)).toEqual(ids);
      expect(tiles.length).toBe(24 + ids.length);
      const alone = new Map(tilesOf(ALONE).map((tile) => [tile.tile_id, tile]));
      const blank = expect.stringMatching(/^town\/town_blank_[0-9a-f]{8}\.untold$/);
      for (const tile of tilesOf(out)) {
        const before = alone.get(tile.tile_id) as Entry;
        if (tile.tile_id === BARE) {
          // Full detail is all that it has. It is requested until the cluster is sure to be seen.
          expect(tile.hlod_levels).toMatchObject([{ path: blank, switch_distance: tile.prefetch_radius }]);
          expect([tile.lod_levels, before.prefetch_radius]).toEqual([undefined, 499]);
          continue;
        }
        const cluster = clustersOf(out).find(({ tile_id }) => inSquare(tile_id, tile.tile_id)) as Entry;
        // All that it had, with the HLOD as the last LOD; it ends where the cluster is sure to be seen.
        expect(tile).toEqual({
          ...before,
          unload_radius: expect.any(Number),
          prefetch_radius: expect.any(Number),
          lod_levels: [...(before.lod_levels ?? []), ...before.hlod_levels],
          hlod_levels: [
            {
              path: blank,
              switch_distance: expect.any(Number),
              geometric_error: cluster.hlod_levels[0].geometric_error,
            },
          ],
        });
        const [own] = before.hlod_levels;
        const [{ switch_distance: from, geometric_error: error }] = cluster.hlod_levels;
        expect(from).toBeGreaterThanOrEqual(own.switch_distance + 4);
        // Two pixels of an image of 1080 lines with a field of view of 60 degrees.
        expect(from).toBeGreaterThanOrEqual((error * 1080) / (4 * Math.tan(Math.PI / 6)));
        expect(error).toBeGreaterThanOrEqual(own.geometric_error);
        const [{ switch_distance: end }] = tile.hlod_levels;
        const way = [0, 1, 2].map((k) =>
          Math.max(0, tile.bounds.min[k] - cluster.bounds.min[k], cluster.bounds.max[k] - tile.bounds.max[k]),
        );
        expect(end * 0.9).toBeGreaterThanOrEqual(from + Math.hypot(...way) + 15.99);
        expect(end).toBeLessThan(500);
        expect(tile.unload_radius).toBeGreaterThan(end + 1);
        expect(tile.prefetch_radius).toBeCloseTo((before.streaming_radius + before.unload_radius) / 2, 1);
      }
    });

    test('says of a cluster what makes it an ordinary tile that draws nothing near', async () => {
      const { files, scene_bounds } = manifest(out);
      expect(scene_bounds).toEqual(manifest(ALONE).scene_bounds);
      for (const cluster of clustersOf(out)) {
        const members = tilesOf(out).filter((t) => inSquare(cluster.tile_id, t.tile_id) && t.hlod_levels.length > 0);
        const end = (pick: 'min' | 'max', k: number) => Math[pick](...members.map(({ bounds }) => bounds[pick][k]));
        const bounds = { min: [0, 1, 2].map((k) => end('min', k)), max: [0, 1, 2].map((k) => end('max', k)) };
        const [{ switch_distance: from, geometric_error }] = cluster.hlod_levels;
        expect(cluster).toEqual({
          tile_id: cluster.tile_id,
          export_policy: 'far_group',
          path_relative_to_manifest: expect.stringMatching(/^town\/town_blank_[0-9a-f]{8}\.untold$/),
          streaming_radius: expect.closeTo(from - 4.01, 6),
          unload_radius: expect.closeTo(from + 1.01, 6),
          prefetch_radius: expect.closeTo(from - 1, 6),
          priority: 11,
          hlod_levels: [{ path: expect.any(String), switch_distance: from, geometric_error }],
          file_size_bytes: 656,
          estimated_memory_bytes: 0,
          bounds,
          center: bounds.min.map((low, k) => (low + bounds.max[k]) / 2),
          object_count: 0,
        });
        const [{ path: far }] = cluster.hlod_levels;
        expect(withoutHash(far)).toBe(`town/${cluster.tile_id}.untold`);
        expect(files.filter(({ path }) => path === far)).toHaveLength(1);
        const { fileType, worldBounds } = await read(out, far);
        expect(fileType).toBe('hlod');
        for (let k = 0; k < 3; k++) {
          expect(worldBounds.min[k]).toBeGreaterThanOrEqual(bounds.min[k]);
          expect(worldBounds.max[k]).toBeLessThanOrEqual(bounds.max[k]);
        }
      }
      const blankPath = payloadPath(join(folder, out), 'town/town_blank.untold');
      const blank = await readUntold(readFileSync(blankPath), blankPath);
      expect([blank.fileType, blank.entities.length, blank.meshes.length]).toEqual(['tile', 1, 0]);
      expect(statSync(blankPath).size).toBe(656);
    });

    test('passes the strict checks and the loader as it is', async () => {
      expect(await found(out)).toEqual([]);
      expectUntouched(out);
    });

    test('draws a cluster once, with fewer triangles than its tiles and all their colours in one texture', async () => {
      let sum = 0;
      for (const cluster of clustersOf(out)) {
        const [{ path }] = cluster.hlod_levels;
        const members = tilesOf(out).filter((t) => inSquare(cluster.tile_id, t.tile_id) && t.hlod_levels.length > 0);
        let before = 0;
        for (const { lod_levels = [], path_relative_to_manifest: full } of members)
          before += await trianglesOf(out, lod_levels.at(-1)?.path ?? full);
        const triangles = await trianglesOf(out, path);
        expect(triangles).toBeLessThanOrEqual(before);
        sum += triangles;
        const { meshes, materials, textures, entities } = await read(out, path);
        expect([meshes.length, materials.length, textures.length]).toEqual([1, 1, 1]);
        expect(entities.map(({ name }) => name)).toEqual([`${cluster.tile_id}_plain3`]);
        const bytes = readFileSync(join(folder, out, 'town', textures[0].uri));
        const pixels = (await decodeMips(bytes, 1024, textureFiles(KEPT_TEXTURES)))?.[0].data ?? new Uint8Array(0);
        const isThere = (color: readonly number[]) => {
          for (let i = 0; i < pixels.length; i += 4) {
            if (color.every((value, c) => Math.abs(pixels[i + c] - srgbByte(value)) <= 2)) return true;
          }
          return false;
        };
        expect(COLORS.map(isThere)).toEqual([true, true, true, true]);
      }
      expect(outcome.totals?.levels.at(-1)).toEqual({ level: 'far', tiles: ids.length, triangles: sum });
      const hlods = outcome.totals?.levels.find(({ level }) => level === 'hlod');
      expect(sum).toBeLessThan(0.85 * (hlods?.triangles ?? 0));
    });

    test('keeps what its tiles have in common with others, bit for bit, and no more', async () => {
      const full = new Map<string, readonly string[]>();
      for (const { tile_id, path_relative_to_manifest: path } of tilesOf(out)) {
        full.set(tile_id, places(await meshesOf(out, path)));
      }
      let shared = 0;
      let free = 0;
      for (const { tile_id: id, hlod_levels } of clustersOf(out)) {
        const isMember = (tile: string) => inSquare(id, tile) && tile !== BARE;
        const others = new Set([...full].flatMap(([tile, own]) => (isMember(tile) ? [] : own)));
        const inside = [...full].flatMap(([tile, own]) => (isMember(tile) ? own : []));
        const met = new Set<string>();
        const twice = inside.filter((place) => (met.has(place) || !met.add(place)) && !others.has(place));
        const kept = new Set(places(await meshesOf(out, hlod_levels[0].path)));
        const border = [...new Set(inside)].filter((place) => others.has(place));
        expect(border.filter((place) => !kept.has(place))).toEqual([]);
        shared += border.length;
        free += twice.filter((place) => !kept.has(place)).length;
      }
      // A cell has 33 positions along an edge, of which the bare one shares its corners alone. Six clusters of 65 along an edge:
      // 3 with two such edges, 1 with three; beside the bare cell 65 + 65 + 33 + 1 - 2, and around it 33 + 65 - 1 + 2.
      // Two clusters: 97 and a corner on the one side; 97, and two corners of the bare cell, on the other.
      expect(shared).toBe(levels === 2 ? 3 * 129 + 193 + 162 + 99 : 98 + 99);
      expect(free).toBeGreaterThan(100);
    });

    test('is drawn on the map of the plan', () => {
      const map = readFileSync(join(folder, out, 'town.plan.svg'), 'utf8');
      expect(map.match(/stroke-dasharray="14 5"/g)).toHaveLength(ids.length + 1);
      for (const id of ids) expect(map).toContain(`<title>${id}\n`);
      expect(map).toContain('tiles with one HLOD from ');
      expect(readFileSync(join(folder, ALONE, 'town.plan.svg'), 'utf8')).not.toContain('14 5');
    });
  });
}
