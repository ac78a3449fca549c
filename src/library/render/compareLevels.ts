// Compares the levels of tiles with full detail, each from its switch distance, and lays pictures of both side by side.

import { nearest } from '../../config/nearest.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import type { Camera } from '../../raster/camera.ts';
import { type Judgement, judge } from '../../raster/judge.ts';
import { differencePicture } from '../../raster/metrics.ts';
import { type Picture, render } from '../../raster/render.ts';
import { buildRasterScene, type RasterMesh } from '../../raster/scene.ts';
import { drawSheet, type SheetRow } from '../../raster/sheet.ts';
import type { Bounds } from '../../scene/types.ts';
import type { CookedSet, CookedTile } from './cookedSet.ts';
import type { DrawnMeshes } from './drawing.ts';

/** A level of a tile against full detail, from its switch distance and all sides. */
export interface ComparedLevel {
  readonly tile: string;
  /** `lod1` …, `hlod`. */
  readonly level: string;
  /** Metres from the tile's bounds. */
  readonly distance: number;
  readonly triangles: number;
  readonly fullTriangles: number;
  /** Structural similarity, 1 for equal pictures: over all views, and in the worst. */
  readonly ssim: number;
  readonly worstSsim: number;
  /** Decibels, in the worst view; null for equal pictures. */
  readonly psnr: number | null;
  /** Mean distance in Oklab over all views; black and white are 1 apart. */
  readonly deltaE: number;
  /** Share of what either covers that one covers alone, over all views. */
  readonly silhouette: number;
  /** The largest difference of mean colours of any view, of 255. */
  readonly meanColor: number;
}

/** A level of a tile as its pictures show it. */
export interface JudgedLevel extends NamedLevel {
  readonly triangles: number;
  readonly fullTriangles: number;
  readonly judgement: Judgement;
}

interface NamedLevel {
  /** `lod1` …, `hlod`. */
  readonly name: string;
  /** Of its payload, relative to the set's folder. */
  readonly path: string;
  /** Metres from the tile's bounds, from which it is shown. */
  readonly distance: number;
}

interface Compared {
  readonly row: ComparedLevel;
  readonly camera: Camera;
}

/** Tiles on a sheet of the worst ones. */
const WORST = 10;

function boundsOf(meshes: readonly RasterMesh[]): Bounds | null {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const { positions, indices } of meshes) {
    for (const index of indices) {
      for (let k = 0; k < 3; k++) {
        const value = positions[index * 3 + k];
        if (value < min[k]) min[k] = value;
        if (value > max[k]) max[k] = value;
      }
    }
  }
  return min[0] <= max[0] ? { min, max } : null;
}

export const triangleCount = (meshes: readonly RasterMesh[]): number =>
  meshes.reduce((sum, { indices }) => sum + Math.floor(indices.length / 3), 0);

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

function contains(outer: Bounds, inner: Bounds): boolean {
  return [0, 1, 2].every((k) => inner.min[k] >= outer.min[k] - 0.01 && inner.max[k] <= outer.max[k] + 0.01);
}

/** Draws the levels of a cooked set's tiles and compares each with full detail. */
export class LevelComparison {
  readonly #set: CookedSet;
  readonly #payloads: DrawnMeshes;
  readonly #signal: AbortSignal | undefined;

  constructor(set: CookedSet, payloads: DrawnMeshes, signal?: AbortSignal) {
    this.#set = set;
    this.#payloads = payloads;
    this.#signal = signal;
  }

  /**
   * The full detail that a tile's levels replace. An HLOD cluster has no full detail: it replaces the tiles inside of it
   * that end where it begins.
   */
  async #fullDetail(tile: CookedTile): Promise<RasterMesh[]> {
    const meshes = await this.#payloads.meshes(tile.full);
    if (meshes.length > 0 || tile.hlod === null || !tile.bounds) return meshes;
    for (const member of this.#set.tiles) {
      if (member === tile || !member.bounds || !member.hlod || !contains(tile.bounds, member.bounds)) continue;
      if ((await this.#payloads.meshes(member.hlod.path)).length > 0) continue;
      meshes.push(...(await this.#payloads.meshes(member.full)));
    }
    return meshes;
  }

  /** Judges each level of a tile from its switch distance. */
  async judged(tile: CookedTile): Promise<JudgedLevel[]> {
    const meshes = await this.#fullDetail(tile);
    const bounds = boundsOf(meshes);
    if (bounds === null) return [];
    const full = buildRasterScene(meshes);
    const found: JudgedLevel[] = [];
    for (const named of levelsOf(tile)) {
      throwIfAborted(this.#signal);
      const level = await this.#payloads.meshes(named.path);
      if (level.length === 0) continue;
      found.push({
        ...named,
        triangles: triangleCount(level),
        fullTriangles: triangleCount(meshes),
        judgement: judge(full, buildRasterScene(level), bounds, Math.max(named.distance, 0.01)),
      });
    }
    return found;
  }

  /** The levels of a tile with the pictures' cameras: of each the view in which it is worst. */
  async compare(tile: CookedTile): Promise<Compared[]> {
    const levels = await this.judged(tile);
    return levels.map(({ name, distance, triangles, fullTriangles, judgement: { mean, worst } }) => ({
      camera: worst.camera,
      row: {
        tile: tile.id,
        level: name,
        distance,
        triangles,
        fullTriangles,
        ssim: rounded(mean.ssim, 4),
        worstSsim: rounded(worst.difference.ssim, 4),
        psnr: Number.isFinite(worst.difference.psnr) ? rounded(worst.difference.psnr, 2) : null,
        deltaE: rounded(mean.deltaE, 5),
        silhouette: rounded(mean.silhouette, 4),
        meanColor: rounded(mean.meanColor, 2),
      },
    }));
  }

  /** The rows of a sheet for levels of one tile. */
  async rows(tile: CookedTile, compared: readonly Compared[]): Promise<SheetRow[]> {
    const full = buildRasterScene(await this.#fullDetail(tile));
    const rows: SheetRow[] = [];
    for (const { row, camera } of compared) {
      const { path } = levelsOf(tile).find(({ name }) => name === row.level)!;
      const level = buildRasterScene(await this.#payloads.meshes(path));
      const [one, other] = [render(full, camera), render(level, camera)];
      const counts = `${row.triangles} of ${row.fullTriangles} triangles`;
      const measures = `ssim ${row.worstSsim.toFixed(3)}, psnr ${row.psnr === null ? 'equal' : row.psnr.toFixed(1)}`;
      rows.push({
        caption: `${row.tile} ${row.level} from ${row.distance.toFixed(2)} m: ${counts}, ${measures}`,
        titles: ['full detail', row.level, 'difference'],
        pictures: [one, other, differencePicture(one, other)],
      });
    }
    return rows;
  }
}

function levelsOf({ lods, hlod }: CookedTile): NamedLevel[] {
  const levels = lods.map(({ path, distance }, i) => ({ name: `lod${i + 1}`, path, distance }));
  return hlod ? [...levels, { name: 'hlod', ...hlod }] : levels;
}

function tileCalled({ tiles, file }: CookedSet, id: string): CookedTile {
  const tile = tiles.find((one) => one.id === id);
  if (tile) return tile;
  const near = nearest(
    id,
    tiles.map((one) => one.id),
  );
  return fail(
    'UC5001',
    file,
    '--sheet',
    `no tile is called ${id}`,
    near === null ? undefined : `did you mean ${near}?`,
  );
}

export interface ComparedSheet {
  readonly picture: Picture;
  /** In the order of the set. */
  readonly compared: readonly ComparedLevel[];
}

/**
 * The sheet of one tile, or with `worst` of the ten tiles whose levels differ most from full detail. Calls `onTile` for
 * each tile that is compared. Throws UC5001, and UC5002 where there is no level.
 */
export async function compareLevels(
  set: CookedSet,
  payloads: DrawnMeshes,
  which: string,
  onTile: (tile: string, done: number, total: number) => void,
  signal: AbortSignal | undefined,
): Promise<ComparedSheet> {
  const isWorst = which === 'worst' && !set.tiles.some(({ id }) => id === which);
  const asked = isWorst ? set.tiles : [tileCalled(set, which)];
  const tiles = asked.filter((tile) => levelsOf(tile).length > 0);
  const comparison = new LevelComparison(set, payloads, signal);
  const found: { readonly tile: CookedTile; readonly compared: readonly Compared[] }[] = [];
  for (const [i, tile] of tiles.entries()) {
    throwIfAborted(signal);
    onTile(tile.id, i + 1, tiles.length);
    // A turn of the event loop, in which progress is printed and signals arrive.
    await new Promise((resolve) => setImmediate(resolve));
    const compared = await comparison.compare(tile);
    if (compared.length > 0) found.push({ tile, compared });
  }
  if (found.length === 0)
    fail('UC5002', set.file, '--sheet', isWorst ? 'no tile has a level' : `${which} has no level`);
  const lowest = ({ compared }: (typeof found)[number]) => Math.min(...compared.map(({ row }) => row.worstSsim));
  const shown = isWorst ? [...found].sort((a, b) => lowest(a) - lowest(b)).slice(0, WORST) : found;
  const rows: SheetRow[] = [];
  for (const { tile, compared } of shown) rows.push(...(await comparison.rows(tile, compared)));
  return { picture: drawSheet(rows), compared: found.flatMap(({ compared }) => compared.map(({ row }) => row)) };
}
