// The pictures of a report: the whole set, and the levels that look least like their full detail beside it.

import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { SKY } from '../../raster/background.ts';
import { orbitCamera } from '../../raster/camera.ts';
import { render } from '../../raster/render.ts';
import { buildRasterScene, type RasterMesh } from '../../raster/scene.ts';
import { encodeQuickPng } from '../../textures/encode/png.ts';
import { chooseLevels } from '../render/chooseLevels.ts';
import { type ComparedLevel, drawLevels, LevelComparison } from '../render/compareLevels.ts';
import { openCookedSet } from '../render/cookedSet.ts';
import { DrawnPayloads } from '../render/drawnPayloads.ts';
import { SheetThreads, sheetThreadCount } from '../render/sheetThreads.ts';
import type { ReportPicture } from './figure.ts';
import { type LevelFigure, levelFigure } from './levelFigures.ts';
import type { TileRow } from './setFacts.ts';

export interface ReportPictures {
  /** Null: there is nothing to be seen. */
  readonly overview: ReportPicture | null;
  /** Levels beside full detail, the worst first. */
  readonly levels: readonly LevelFigure[];
  /** Every level that was compared, in the order of the set. */
  readonly compared: readonly ComparedLevel[];
}

/** Which levels are drawn: the ten that look least like full detail, all, or none. */
export type DrawnLevels = 'worst' | 'all' | 'none';

const WIDTH = 1280;
const HEIGHT = 640;
/** Levels that are drawn where nobody asks for all. */
const MAX_LEVELS = 10;
/** Larger sets are not drawn: a report must not take longer than the cook. */
const MAX_TRIANGLES = 4_000_000;

const trianglesOf = ({ payloads }: TileRow): number => payloads[0]?.triangles ?? 0;

/** `main`: absolute, a manifest or a cooked file. `jobs`: threads at most; undefined: one for each core. Throws what reading throws. */
export async function reportPictures(
  main: string,
  tiles: readonly TileRow[],
  drawn: DrawnLevels,
  jobs: number | undefined,
): Promise<ReportPictures> {
  const nothing = { overview: null, levels: [], compared: [] };
  const set = await openCookedSet(main, main, '/');
  // What cannot be drawn has been reported by the cook's own check.
  const diagnostics = new Diagnostics();
  const payloads = new DrawnPayloads(set, diagnostics);
  const [one] = tiles;
  const bounds = set.bounds ?? one?.bounds;
  if (!bounds || tiles.reduce((sum, tile) => sum + trianglesOf(tile), 0) > MAX_TRIANGLES) return nothing;
  const camera = orbitCamera(bounds, WIDTH, HEIGHT);
  const meshes: RasterMesh[] = [];
  for (const { path } of chooseLevels(set, 'full', camera.position)) meshes.push(...(await payloads.meshes(path)));
  const { rgb } = render(buildRasterScene(meshes), camera, { samples: 2, background: SKY });
  const overview = {
    png: await encodeQuickPng(rgb, WIDTH, HEIGHT),
    width: WIDTH,
    height: HEIGHT,
    caption: 'All of it in full detail, drawn in software.',
  };
  if (drawn === 'none') return { ...nothing, overview };
  const count = sheetThreadCount(set.tiles, jobs);
  const data = { path: main, file: main, cwd: '/', weights: new Map() };
  const threads = count > 1 ? new SheetThreads(set, data, count, { diagnostics, found: new Set() }) : null;
  const comparison = threads ?? new LevelComparison(set, payloads);
  const most = drawn === 'all' ? Number.POSITIVE_INFINITY : MAX_LEVELS;
  const drawing = drawLevels(comparison, set.tiles, { of: 'levels', most }, () => {}, undefined).finally(() =>
    threads?.close(),
  );
  const { shown, compared } = await drawing;
  const levels: LevelFigure[] = [];
  for (const level of shown) levels.push(await levelFigure(level));
  return { overview, levels, compared };
}
