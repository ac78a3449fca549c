// Measures the geometry of levels against the full detail of their tiles.

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorAtDistance } from '../../src/tiling/streaming/ladder.ts';
import { featuresOf, KEPT, keptOf } from './features.ts';
import { readPayload } from './payload.ts';
import { facingAway, leaning, longestEdge } from './surface.ts';
import { TriangleGrid } from './triangleGrid.ts';

export interface GeometryRow {
  readonly tile: string;
  readonly level: string;
  readonly triangles: number;
  readonly away: number;
  readonly area: number;
  /** Area of triangles that face away from the surface that they stand for. */
  readonly turned: number;
  /** Longest edge of a card over that of full detail; 0 without cards. */
  readonly growth: number;
  /** Features over two pixels large: how many, how many of them lost, their area and what of it is lost. */
  readonly features: number;
  readonly lost: number;
  readonly featureArea: number;
  readonly lostArea: number;
}

interface LevelEntry {
  readonly path?: string;
  readonly path_relative_to_manifest?: string;
  readonly switch_distance: number;
}

interface TileEntry {
  readonly tile_id: string;
  readonly path_relative_to_manifest: string;
  readonly lod_levels?: readonly LevelEntry[];
  readonly hlod_levels?: readonly LevelEntry[];
}

export async function measureGeometry(manifest: string): Promise<GeometryRow[]> {
  const base = dirname(manifest);
  const { tiles } = JSON.parse(readFileSync(manifest, 'utf8')) as { tiles: readonly TileEntry[] };
  const rows: GeometryRow[] = [];
  for (const tile of tiles) {
    const levels = [...(tile.lod_levels ?? []), ...(tile.hlod_levels ?? [])];
    const foliage = new Set<string>();
    const full = await readPayload(join(base, tile.path_relative_to_manifest), foliage, true);
    const features = featuresOf(full);
    const [fullAway, fullArea] = leaning(full.mesh);
    const none = { turned: 0, growth: 0, features: 0, lost: 0, featureArea: 0, lostArea: 0 };
    rows.push({
      tile: tile.tile_id,
      level: 'full',
      triangles: full.triangles,
      away: fullAway,
      area: fullArea,
      ...none,
    });
    for (const entry of levels) {
      const path = (entry.path ?? entry.path_relative_to_manifest) as string;
      const level = /_(lod\d+|hlod|far)_/.exec(basename(path))?.[1];
      if (!level) continue;
      const made = await readPayload(join(base, path), foliage, false);
      const [away, area] = leaning(made.mesh);
      const twoPixels = errorAtDistance(entry.switch_distance);
      const seen = features.filter(({ width }) => width > twoPixels);
      const grid = new TriangleGrid(made.mesh);
      let lost = 0;
      let featureArea = 0;
      let lostArea = 0;
      for (const feature of seen) {
        featureArea += feature.area;
        const kept = made.mesh.indices.length === 0 ? 0 : keptOf(feature, made, grid, twoPixels / 2);
        if (kept >= KEPT) continue;
        lost++;
        lostArea += feature.area;
      }
      const growth = full.cards && made.cards ? longestEdge(made.cards) / longestEdge(full.cards) : 0;
      const { triangles } = made;
      const turned = full.triangles > 0 ? facingAway(made.mesh, full.mesh, twoPixels / 2) : 0;
      rows.push({
        tile: tile.tile_id,
        level,
        triangles,
        away,
        area,
        turned,
        growth,
        features: seen.length,
        lost,
        featureArea,
        lostArea,
      });
    }
  }
  return rows;
}
