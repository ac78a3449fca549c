// The pictures of diff(): both outputs from the same cameras, side by side with what changed. The first row shows all of them in full
// detail, the others the tiles that differ most, each alone.

import { throwIfAborted } from '../../cook/interruption.ts';
import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { SKY } from '../../raster/background.ts';
import { orbitCamera } from '../../raster/camera.ts';
import { compare } from '../../raster/metrics.ts';
import { type Picture, render } from '../../raster/render.ts';
import { buildRasterScene, type RasterMesh } from '../../raster/scene.ts';
import { drawSheet, type SheetRow } from '../../raster/sheet.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { type CookedSet, openCookedSet } from '../render/cookedSet.ts';
import { DrawnPayloads } from '../render/drawnPayloads.ts';
import { countTriangles, partTriangles } from './changedTriangles.ts';
import { ADDED, changesPicture, REMOVED, RESTYLED } from './changesPicture.ts';
import type { DiffTile } from './tiles.ts';

/** How two outputs compare in one row of the pictures. */
export interface PicturedDifference {
  /** Null: all of both outputs. */
  readonly tile: string | null;
  /** `full`, `lod1` …, `hlod`. */
  readonly level: string;
  /** Structural similarity, 1 for equal pictures, where either output covers a pixel. */
  readonly ssim: number;
  /** Peak signal-to-noise ratio in dB; null: the pictures are equal. */
  readonly psnr: number | null;
  /** Triangles that only the second, and only the first, output has in any of its files of full detail, or of this level. */
  readonly added: number;
  readonly removed: number;
}

export interface DiffPictures {
  readonly picture: Picture;
  /** In the order of the rows; behind them the tiles that were compared and are not shown. */
  readonly compared: readonly PicturedDifference[];
}

/** Pixels of each picture. */
const WIDTH = 560;
const HEIGHT = 360;
/** Tiles that get a row. */
const MAX_TILES = 10;

/** One of the outputs: what it draws of a level of a tile. */
class Side {
  readonly set: CookedSet;
  readonly #payloads: DrawnPayloads;
  readonly #paths = new Map<string, string>();

  constructor(set: CookedSet) {
    this.set = set;
    // What cannot be drawn is what validate and verify report.
    this.#payloads = new DrawnPayloads(set, new Diagnostics());
    for (const { id, full, lods, hlod } of set.tiles) {
      const name = set.bounds === null ? 'file' : id;
      this.#paths.set(`${name}\0full`, full);
      for (const [i, { path }] of lods.entries()) this.#paths.set(`${name}\0lod${i + 1}`, path);
      if (hlod) this.#paths.set(`${name}\0hlod`, hlod.path);
    }
  }

  async level(tile: string, level: string): Promise<RasterMesh[]> {
    const path = this.#paths.get(`${tile}\0${level}`);
    return path === undefined ? [] : this.#payloads.meshes(path);
  }

  async all(): Promise<RasterMesh[]> {
    const meshes: RasterMesh[] = [];
    for (const { full } of this.set.tiles) meshes.push(...(await this.#payloads.meshes(full)));
    return meshes;
  }
}

function boundsOf(meshes: readonly RasterMesh[]): Bounds | null {
  let bounds: Bounds | null = null;
  for (const { positions, indices } of meshes) {
    for (const index of indices) {
      const point = [positions[index * 3], positions[index * 3 + 1], positions[index * 3 + 2]] as const;
      bounds = unite(bounds, { min: point, max: point });
    }
  }
  return bounds;
}

/** The triangles that an output has in full detail, or that a level of a tile has. */
type Triangles = ReadonlyMap<number, number>;

const LEGEND = [
  { color: ADDED, words: 'added' },
  { color: REMOVED, words: 'removed' },
  { color: RESTYLED, words: 'same triangles, other look' },
] as const;

interface Row {
  readonly measures: PicturedDifference;
  readonly row: SheetRow;
}

const words = (count: number, what: string): string => `${count} ${count === 1 ? 'triangle' : 'triangles'} ${what}`;

/**
 * Both sides from the orbit camera of what they hold together; null where neither has a triangle. `known`: the triangles among
 * which each side looks for those of the other.
 */
function rowOf(
  tile: string | null,
  level: string,
  [a, b]: readonly [readonly RasterMesh[], readonly RasterMesh[]],
  known: readonly [Triangles, Triangles],
): Row | null {
  const bounds = unite(boundsOf(a), boundsOf(b));
  if (bounds === null) return null;
  const camera = orbitCamera(bounds, WIDTH, HEIGHT);
  const drawn = [a, b].map((meshes) => render(buildRasterScene(meshes), camera, { samples: 2, background: SKY }));
  const [before, after] = [partTriangles(a, known[1]), partTriangles(b, known[0])];
  const { ssim, psnr } = compare(drawn[0], drawn[1]);
  const isEqual = !Number.isFinite(psnr);
  const measures = {
    tile,
    level,
    ssim: Number(ssim.toFixed(4)),
    psnr: isEqual ? null : Number(psnr.toFixed(2)),
    added: after.count,
    removed: before.count,
  };
  const similarity = isEqual ? 'the same picture' : `ssim ${ssim.toFixed(4)}, psnr ${psnr.toFixed(1)}`;
  const counts = `${words(after.count, 'added')}, ${before.count} removed`;
  const caption = `${tile === null ? 'all, full detail' : `${tile} ${level}`}: ${counts}, ${similarity}`;
  const pictures = [...drawn, changesPicture(drawn[0], drawn[1], before, after, camera)];
  return { measures, row: { caption, titles: ['a', 'b', 'what changed'], pictures } };
}

/** Both sides of a tile, each with those triangles of the other's that it has in another file: they did not change. */
function withMoved(
  [a, b]: readonly [readonly RasterMesh[], readonly RasterMesh[]],
  all: readonly [Triangles, Triangles],
) {
  const moved = (from: readonly RasterMesh[], to: readonly RasterMesh[], known: Triangles) =>
    partTriangles(partTriangles(from, known).same, countTriangles(to)).own;
  return [
    [...a, ...moved(b, a, all[0])],
    [...b, ...moved(a, b, all[1])],
  ] as const;
}

/**
 * The first level with another content that either side draws, and whose triangles or look changed. Full detail whose triangles the other
 * output has in another file did not change: it was only parted or joined anew.
 */
async function tileRow(
  { id, levels }: DiffTile,
  [a, b]: readonly [Side, Side],
  all: readonly [Triangles, Triangles],
): Promise<Row | null> {
  for (const { level, content } of levels) {
    if (!content) continue;
    const meshes = [await a.level(id, level), await b.level(id, level)] as const;
    const row =
      level === 'full'
        ? rowOf(id, level, withMoved(meshes, all), all)
        : rowOf(id, level, meshes, [countTriangles(meshes[0]), countTriangles(meshes[1])]);
    if (row === null) continue;
    const { added, removed, psnr } = row.measures;
    if (added + removed > 0 || psnr !== null) return row;
  }
  return null;
}

/**
 * Draws two outputs at absolute paths and the tiles that differ between them, those that differ most first. Null where
 * neither draws anything. Throws what opening and reading them throws.
 */
export async function diffPictures(
  paths: readonly [string, string],
  tiles: readonly DiffTile[],
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<DiffPictures | null> {
  const a = new Side(await openCookedSet(paths[0], paths[0], cwd));
  const b = new Side(await openCookedSet(paths[1], paths[1], cwd));
  const meshes = [await a.all(), await b.all()] as const;
  const all = [countTriangles(meshes[0]), countTriangles(meshes[1])] as const;
  const whole = rowOf(null, 'full', meshes, all);
  if (whole === null) return null;
  // Rows hold pictures: of many tiles only the worst are kept.
  let worst: Row[] = [];
  const others: PicturedDifference[] = [];
  for (const tile of tiles) {
    throwIfAborted(signal);
    const row = await tileRow(tile, [a, b], all);
    if (row === null) continue;
    worst = [...worst, row].sort((x, y) => x.measures.ssim - y.measures.ssim);
    const dropped = worst.splice(MAX_TILES);
    others.push(...dropped.map(({ measures }) => measures));
  }
  const rows = [whole, ...worst];
  others.sort((x, y) => x.ssim - y.ssim);
  return {
    picture: drawSheet(
      rows.map(({ row }) => row),
      LEGEND,
    ),
    compared: [...rows.map(({ measures }) => measures), ...others],
  };
}
