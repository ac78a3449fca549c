// Compares the levels of tiles with full detail, each from its switch distance, and lays pictures of both side by side.

import { nearest } from '../../config/nearest.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { type Camera, viewsOf } from '../../raster/camera.ts';
import { type Judgement, judge, type Look, type LookKind, look, lookCloser } from '../../raster/judge.ts';
import { meanDifference } from '../../raster/mean.ts';
import { compare, type Difference, differencePicture } from '../../raster/metrics.ts';
import { type Picture, render } from '../../raster/render.ts';
import { buildRasterScene, type RasterMesh, type RasterScene } from '../../raster/scene.ts';
import { drawSheet } from '../../raster/sheet.ts';
import type { Bounds } from '../../scene/types.ts';
import type { CookedSet, CookedTile } from './cookedSet.ts';
import type { DrawnMeshes } from './drawing.ts';
import { levelSentence, seenDifference } from './levelSentence.ts';

/** A level of a tile against full detail, from its switch distance. */
export interface ComparedLevel {
  readonly tile: string;
  /** `lod1` …, `hlod`. */
  readonly level: string;
  /** Metres from the tile's bounds. */
  readonly distance: number;
  readonly triangles: number;
  readonly fullTriangles: number;
  /**
   * How closely it was looked at. `sides`: in two views of 128 pixels at most, and other tiles differ more; `around`: in the
   * eight views around, and where that may decide which levels are shown, in the worst two of them with 320 pixels; `drawn`: as
   * `around`, and in full size. Small pictures are drawn from where it is shown, or where a level is that is nearer.
   */
  readonly look: LookKind | 'drawn';
  /** Structural similarity, 1 for equal pictures: over the views of `look`, in pictures of 128 pixels at most. */
  readonly ssim: number;
  /** In the worst view, as all that follow: of what is drawn in full size, else of the largest pictures of `look`. */
  readonly worstSsim: number;
  /** Decibels; null for equal pictures. */
  readonly psnr: number | null;
  /** Mean distance in Oklab; black and white are 1 apart. */
  readonly deltaE: number;
  /** Share of what either covers that one covers alone. */
  readonly silhouette: number;
  /** The largest difference of mean colours, of 255. */
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

/** A level of a tile after a look. */
export interface Looked {
  readonly tile: CookedTile;
  readonly named: NamedLevel;
  readonly row: ComparedLevel;
  /** Of the worst view, in full size. */
  readonly camera: Camera;
}

/** A level beside full detail in the view in which it is worst. */
export interface PicturedLevel {
  readonly row: ComparedLevel;
  /** What the pictures say, in one sentence. */
  readonly sentence: string;
  readonly full: Picture;
  readonly level: Picture;
  readonly difference: Picture;
}

/** Compares levels: here, or in threads. */
export interface ComparesLevels {
  /** Tiles that are looked at, or wait to be, at the same time. */
  readonly ahead: number;
  /** A look at each level of a tile: its figures, and the view in which it is worst. */
  look(tile: CookedTile, kind: LookKind): Promise<Looked[]>;
  /** Draws the worst view of each of these levels in full size, in their order. */
  pictures(looked: readonly Looked[]): Promise<PicturedLevel[]>;
}

/** Gives what compares these tiles; `close` is called when they are compared. */
export type Comparing = (tiles: readonly CookedTile[]) => ComparesLevels & { close?(): Promise<void> };

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

/** A tile as it is drawn. */
interface ShownTile {
  readonly bounds: Bounds;
  readonly full: RasterScene;
  readonly fullTriangles: number;
  readonly levels: readonly { readonly named: NamedLevel; readonly scene: RasterScene; readonly triangles: number }[];
}

/** Metres; a camera is never inside of the bounds. */
const distanceOf = ({ distance }: NamedLevel): number => Math.max(distance, 0.01);
/** A look draws levels from the same place where the furthest is shown from at most so many times as far away as the nearest. */
const SHARED_DISTANCE = 4;
/** Levels get a closer look that differ at least so much, as a share of what the worst of their tile differs. */
const DECIDING = 0.5;

/** Tiles are kept up to so many bytes. */
const MAX_KEPT = 64 << 20;

function bytesOf({ full, levels }: ShownTile): number {
  let bytes = 0;
  for (const { positions, normals, uvs, indices, surfaceOf } of [full, ...levels.map(({ scene }) => scene)]) {
    for (const array of [positions, normals, uvs, indices, surfaceOf]) bytes += array.byteLength;
  }
  return bytes;
}

/** Draws the levels of a cooked set's tiles and compares each with full detail. */
export class LevelComparison implements ComparesLevels {
  readonly ahead = 1;
  readonly #set: CookedSet;
  readonly #payloads: DrawnMeshes;
  readonly #signal: AbortSignal | undefined;
  /** The oldest first. */
  readonly #kept = new Map<CookedTile, ShownTile>();
  #keptBytes = 0;

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

  /** What a tile shows, kept for the next look at it while there is room. Null: full detail draws nothing. */
  async #shown(tile: CookedTile): Promise<ShownTile | null> {
    const known = this.#kept.get(tile);
    if (known) return known;
    const meshes = await this.#fullDetail(tile);
    const bounds = boundsOf(meshes);
    if (bounds === null) return null;
    const levels: ShownTile['levels'][number][] = [];
    for (const named of levelsOf(tile)) {
      throwIfAborted(this.#signal);
      const level = await this.#payloads.meshes(named.path);
      if (level.length > 0) levels.push({ named, scene: buildRasterScene(level), triangles: triangleCount(level) });
    }
    const shown = { bounds, full: buildRasterScene(meshes), fullTriangles: triangleCount(meshes), levels };
    this.#kept.set(tile, shown);
    this.#keptBytes += bytesOf(shown);
    for (const [oldest, one] of this.#kept) {
      if (this.#keptBytes <= MAX_KEPT) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytesOf(one);
    }
    return shown;
  }

  /** Judges each level of a tile from its switch distance. */
  async judged(tile: CookedTile): Promise<JudgedLevel[]> {
    const shown = await this.#shown(tile);
    if (shown === null) return [];
    const { full, bounds, fullTriangles, levels } = shown;
    return levels.map(({ named, scene, triangles }) => {
      throwIfAborted(this.#signal);
      const judgement = judge(full, scene, bounds, distanceOf(named));
      return { ...named, triangles, fullTriangles, judgement };
    });
  }

  async look(tile: CookedTile, kind: LookKind): Promise<Looked[]> {
    const shown = await this.#shown(tile);
    if (shown === null) return [];
    const { full, bounds, fullTriangles, levels } = shown;
    const looks = this.#lookAtEach(shown, kind);
    // Levels that are much more like full detail than the worst one need no closer look: they decide nothing.
    const unlike = (one: Look) => 1 - one[0].difference.ssim;
    const enough = DECIDING * Math.max(...looks.map(unlike));
    return levels.map(({ named, scene, triangles }, i) => {
      throwIfAborted(this.#signal);
      const distance = distanceOf(named);
      const isDeciding = kind === 'around' && unlike(looks[i]) >= enough;
      const [worst] = isDeciding ? lookCloser(full, scene, bounds, distance, looks[i]) : looks[i];
      const row = {
        tile: tile.id,
        level: named.name,
        distance: named.distance,
        triangles,
        fullTriangles,
        look: kind,
        ssim: rounded(meanDifference(looks[i].map(({ difference }) => difference)).ssim, 4),
        ...figuresOf(compare(worst.full, worst.level)),
      };
      return { tile, named, row, camera: viewsOf(bounds, distance)[worst.view] };
    });
  }

  /** Looks at all levels of a tile. Those that are not much further away than another are drawn from there, so that they share full detail. */
  #lookAtEach({ bounds, full, levels }: ShownTile, kind: LookKind): Look[] {
    const looks: Look[] = [];
    for (let i = 0; i < levels.length; ) {
      throwIfAborted(this.#signal);
      const distance = distanceOf(levels[i].named);
      const further = levels.findIndex(({ named }, k) => k > i && distanceOf(named) > distance * SHARED_DISTANCE);
      const end = further < 0 ? levels.length : further;
      const scenes = levels.slice(i, end).map(({ scene }) => scene);
      looks.push(...look(full, scenes, bounds, distance, kind));
      i = end;
    }
    return looks;
  }

  async pictures(looked: readonly Looked[]): Promise<PicturedLevel[]> {
    const made = new Map<Looked, PicturedLevel>();
    // Tile by tile, so that full detail is read once.
    for (const tile of new Set(looked.map((one) => one.tile))) {
      const shown = await this.#shown(tile);
      for (const one of looked) {
        if (one.tile !== tile) continue;
        throwIfAborted(this.#signal);
        const { full, levels } = shown!;
        const level = levels.find(({ named }) => named.path === one.named.path)!;
        made.set(one, picturedLevel(one.row, render(full, one.camera), render(level.scene, one.camera)));
      }
    }
    return looked.map((one) => made.get(one)!);
  }
}

/** The figures of the worst view. */
function figuresOf({ ssim, psnr, deltaE, silhouette, meanColor }: Difference) {
  return {
    worstSsim: rounded(ssim, 4),
    psnr: Number.isFinite(psnr) ? rounded(psnr, 2) : null,
    deltaE: rounded(deltaE, 5),
    silhouette: rounded(silhouette, 4),
    meanColor: rounded(meanColor, 2),
  };
}

function picturedLevel(row: ComparedLevel, full: Picture, level: Picture): PicturedLevel {
  return {
    row: { ...row, look: 'drawn', ...figuresOf(compare(full, level)) },
    sentence: levelSentence(seenDifference(full, level), row.distance),
    full,
    level,
    difference: differencePicture(full, level),
  };
}

export function levelsOf({ lods, hlod }: CookedTile): NamedLevel[] {
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

export interface ComparedLevels {
  /** The worst first. */
  readonly shown: readonly PicturedLevel[];
  /** All of them, in the order of the set. */
  readonly compared: readonly ComparedLevel[];
}

type OnTile = (tile: string, done: number, total: number) => void;

/** Which levels are shown: of the worst tiles all of theirs, or the worst of all tiles. */
export interface Shown {
  readonly of: 'tiles' | 'levels';
  readonly most: number;
}

/** Of levels, the worst first, those that belong to the first `most` tiles, or the first `most`. */
function take(levels: readonly Looked[], { of, most }: Shown): readonly Looked[] {
  if (of === 'levels') return levels.slice(0, most);
  const tiles = new Set([...new Set(levels.map(({ tile }) => tile))].slice(0, most));
  return levels.filter(({ tile }) => tiles.has(tile));
}

/** Tiles are looked at closely that hold the worst so many times as many as are shown. */
const CLOSELY = 1.5;

const LOOKS = ['drawn', 'around', 'sides'] as const;

/** Puts the level first that looks least like full detail. Figures of pictures of one size are compared with each other. */
export function byLikeness(a: ComparedLevel, b: ComparedLevel): number {
  return LOOKS.indexOf(a.look) - LOOKS.indexOf(b.look) || a.worstSsim - b.worstSsim;
}

/**
 * Compares all levels of tiles and draws the worst. A look from two sides at each of them says which tiles are looked at from all
 * around, and these are ranked by that; where most are shown there is no look from two sides.
 */
export async function drawLevels(
  comparison: ComparesLevels,
  tiles: readonly CookedTile[],
  { of, most }: Shown,
  onTile: OnTile,
  signal: AbortSignal | undefined,
): Promise<ComparedLevels> {
  const withLevels = tiles.filter((tile) => levelsOf(tile).length > 0);
  const worstFirst = (list: Iterable<Looked>) => [...list].sort((a, b) => byLikeness(a.row, b.row));
  const count = of === 'tiles' ? withLevels.length : withLevels.reduce((sum, tile) => sum + levelsOf(tile).length, 0);
  let first: Looked[] = [];
  let kept = withLevels;
  if (count > most * CLOSELY) {
    first = await lookAtEach(comparison, withLevels, 'sides', onTile, signal);
    const worst = new Set(take(worstFirst(first), { of, most: most * CLOSELY }).map(({ tile }) => tile));
    kept = withLevels.filter((tile) => worst.has(tile));
  }
  const close = await lookAtEach(comparison, kept, 'around', first.length > 0 ? () => {} : onTile, signal);
  const shown = await comparison.pictures(take(worstFirst(close), { of, most }));
  shown.sort((a, b) => byLikeness(a.row, b.row));
  const rows = new Map<string, ComparedLevel>();
  for (const { row } of [...first, ...close, ...shown]) rows.set(`${row.tile} ${row.level}`, row);
  return { shown, compared: [...rows.values()] };
}

/** Looks at the levels of each tile. */
async function lookAtEach(
  comparison: ComparesLevels,
  tiles: readonly CookedTile[],
  kind: LookKind,
  onTile: OnTile,
  signal: AbortSignal | undefined,
): Promise<Looked[]> {
  const found: Looked[] = [];
  const looks: Promise<Looked[]>[] = [];
  for (const [i, tile] of tiles.entries()) {
    throwIfAborted(signal);
    onTile(tile.id, i + 1, tiles.length);
    // A turn of the event loop, in which progress is printed and signals arrive.
    await new Promise((resolve) => setImmediate(resolve));
    while (looks.length < Math.min(tiles.length, i + comparison.ahead)) {
      const looking = comparison.look(tiles[looks.length], kind);
      // It is awaited later. Attach a handler now so that Node does not report an unhandled rejection.
      looking.catch(() => {});
      looks.push(looking);
    }
    found.push(...(await looks[i]));
  }
  return found;
}

/**
 * The levels of one tile, or with `worst` of the ten tiles whose levels differ most from full detail. Calls `onTile` for each
 * tile that is compared. `comparing`: what compares these tiles. Throws UC5001, and UC5002 where there is no level.
 */
export async function compareLevels(
  set: CookedSet,
  comparing: Comparing,
  which: string,
  onTile: OnTile,
  signal: AbortSignal | undefined,
): Promise<ComparedLevels> {
  const isWorst = which === 'worst' && !set.tiles.some(({ id }) => id === which);
  const asked = isWorst ? set.tiles : [tileCalled(set, which)];
  const comparison = comparing(asked);
  const levels = await drawLevels(comparison, asked, { of: 'tiles', most: WORST }, onTile, signal).finally(() =>
    comparison.close?.(),
  );
  if (levels.shown.length > 0) return levels;
  return fail('UC5002', set.file, '--sheet', isWorst ? 'no tile has a level' : `${which} has no level`);
}

/** Levels as one picture, under captions. */
export function levelSheet(levels: readonly PicturedLevel[]): Picture {
  return drawSheet(
    levels.map(({ row, full, level, difference }) => {
      const counts = `${row.triangles} of ${row.fullTriangles} triangles`;
      const measures = `ssim ${row.worstSsim.toFixed(3)}, psnr ${row.psnr === null ? 'equal' : row.psnr.toFixed(1)}`;
      return {
        caption: `${row.tile} ${row.level} from ${row.distance.toFixed(2)} m: ${counts}, ${measures}`,
        titles: ['full detail', row.level, 'difference'],
        pictures: [full, level, difference],
      };
    }),
  );
}
