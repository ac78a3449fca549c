// The pictures of a report: the whole set from above, and the levels of its heaviest tiles beside their full detail.

import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { SKY } from '../../raster/background.ts';
import { orbitCamera } from '../../raster/camera.ts';
import { render } from '../../raster/render.ts';
import { buildRasterScene, type RasterMesh } from '../../raster/scene.ts';
import { encodePng } from '../../textures/encode/png.ts';
import { chooseLevels } from '../render/chooseLevels.ts';
import { type ComparedLevel, compareLevels } from '../render/compareLevels.ts';
import { openCookedSet } from '../render/cookedSet.ts';
import { DrawnPayloads } from '../render/drawnPayloads.ts';
import type { TileRow } from './setFacts.ts';

export interface ReportPicture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly caption: string;
}

export interface ReportPictures {
  /** Null: there is nothing to be seen. */
  readonly overview: ReportPicture | null;
  readonly sheets: readonly ReportPicture[];
  /** The levels on the sheets. */
  readonly compared: readonly ComparedLevel[];
}

const WIDTH = 1280;
const HEIGHT = 640;
/** Tiles whose levels are shown. */
const MAX_SHEETS = 3;
/** Larger sets are not drawn: a report must not take longer than the cook. */
const MAX_TRIANGLES = 4_000_000;

const trianglesOf = ({ payloads }: TileRow): number => payloads[0]?.triangles ?? 0;

/** `main`: absolute, a manifest or a cooked file; `sheets`: whether levels are shown. Throws what reading throws. */
export async function reportPictures(
  main: string,
  tiles: readonly TileRow[],
  wanted: { readonly sheets: boolean },
): Promise<ReportPictures> {
  const nothing = { overview: null, sheets: [], compared: [] };
  const set = await openCookedSet(main, main, '/');
  // What cannot be drawn has been reported by the cook's own check.
  const payloads = new DrawnPayloads(set, new Diagnostics());
  const [one] = tiles;
  const bounds = set.bounds ?? one?.bounds;
  if (!bounds || tiles.reduce((sum, tile) => sum + trianglesOf(tile), 0) > MAX_TRIANGLES) return nothing;
  const camera = orbitCamera(bounds, WIDTH, HEIGHT);
  const meshes: RasterMesh[] = [];
  for (const { path } of chooseLevels(set, 'full', camera.position)) meshes.push(...(await payloads.meshes(path)));
  const { rgb } = render(buildRasterScene(meshes), camera, { samples: 2, background: SKY });
  const overview = {
    png: await encodePng(rgb, WIDTH, HEIGHT, false),
    width: WIDTH,
    height: HEIGHT,
    caption: 'All of it in full detail, drawn in software.',
  };
  const heaviest = tiles
    .filter(({ payloads: all }) => wanted.sheets && all.length > 1)
    .sort((a, b) => trianglesOf(b) - trianglesOf(a) || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_SHEETS);
  const sheets: ReportPicture[] = [];
  const compared: ComparedLevel[] = [];
  for (const { id } of heaviest) {
    const sheet = await compareLevels(set, payloads, id, () => {}, undefined);
    const { picture } = sheet;
    const { width, height } = picture;
    const caption = `${id}: full detail, each level from the distance at which the engine begins to show it, and their difference.`;
    sheets.push({ png: await encodePng(picture.rgb, width, height, false), width, height, caption });
    compared.push(...sheet.compared);
  }
  return { overview, sheets, compared };
}
