// The pictures of a plan map: the tiles of a staged set from above, drawn from its files, each tile by its coarsest level. A set
// that was merged from shards has the same files, and gets the same pictures.

import { posix } from 'node:path';
import { palettePng } from '../../../bytes/palettePng.ts';
import type { DrawnFileMaterial, Format } from '../../../formats/format.ts';
import type { SetTile } from '../../../formats/manifest/write.ts';
import { isUtex } from '../../../formats/utex/layout.ts';
import type { OutputSet } from '../../../output/outputSet.ts';
import { type MapPicture, type MapPictures, panelFloors, panelOf } from '../../../output/planMap.ts';
import type { FilesBeside } from '../../../output/verify.ts';
import type { RasterMaterial, RasterMesh } from '../../../raster/scene.ts';
import { buildTexture, type Texture } from '../../../raster/texture.ts';
import { type TopPicture, TopView } from '../../../raster/topView.ts';
import { decodeImageFile } from '../../../textures/encode/png.ts';
import type { PlanSummary } from '../../../tiling/types.ts';
import { throwIfAborted } from '../../interruption.ts';

/** Pixels of the longer side of a picture, if it is the only one: so many that drawing takes a small share of the cook. */
const SIDE = 384;
const PIXELS_PER_TRIANGLE = 1.6;
/** The cook of a smaller scene takes less than twenty times as long as the picture: its map has boxes alone. */
const MIN_TRIANGLES = 20_000;
/** Characters that the pictures of a map take at most: they get smaller until they do. */
const MAX_CHARACTERS = 150_000;
/** Texels along a side of a texture: an object has fewer pixels than that. */
const TEXELS = 64;
/** How much of their own colour pictures keep, so that the colours of tiles stand out. They are lightened, too, by a square root. */
const SATURATION = 0.5;
/** Colours of a picture beside the transparent one. */
const MAX_COLORS = 255;

/** Where the pictures come from. */
export interface DrawnSet {
  readonly set: OutputSet;
  readonly format: Pick<Format, 'drawnFile'>;
  /** As verifySet. */
  readonly beside: FilesBeside;
  readonly signal: AbortSignal | undefined;
}

/** What of a set is drawn: its tiles with their levels, before members of clusters get the distances of those. */
interface DrawnParts {
  readonly plan: Pick<PlanSummary, 'bounds'>;
  readonly tiles: readonly SetTile[];
  readonly shared: SetTile | null;
}

/** A picture for each panel of the map; null: the scene is too small for them. Throws what reading throws. */
export async function topViews(parts: DrawnParts, from: DrawnSet): Promise<MapPictures | null> {
  const { plan, tiles, shared } = parts;
  const floors = panelFloors(tiles);
  const payloads = shared ? [...tiles, shared] : tiles;
  const triangles = payloads.reduce((sum, { planned }) => sum + planned.estimate.triangles, 0);
  if (triangles < MIN_TRIANGLES) return null;
  const whole = Math.min(SIDE, Math.round(Math.sqrt(PIXELS_PER_TRIANGLE * triangles)));
  const side = Math.ceil(whole / Math.ceil(Math.sqrt(floors.length)));
  const views = new Map(floors.map((floor) => [floor, new TopView(plan.bounds, side)]));
  const files = new DrawnTiles(from);
  for (const tile of payloads) {
    throwIfAborted(from.signal);
    views.get(panelOf(tile, floors))?.add(await files.meshes(coarsest(tile)), tile.bounds);
  }
  let pictures = [...views].map(([floor, view]) => [floor, muted(view.picture())] as const);
  for (;;) {
    const made = new Map<number | null, MapPicture>();
    for (const [floor, picture] of pictures) made.set(floor, await mapPicture(picture));
    const characters = [...made.values()].reduce((sum, { href }) => sum + href.length, 0);
    if (characters <= MAX_CHARACTERS) return made;
    pictures = pictures.map(([floor, picture]) => [floor, halved(picture)] as const);
  }
}

const coarsest = ({ path, lods = [], hlod = null }: SetTile): string => (hlod ?? lods.at(-1) ?? { path }).path;

async function mapPicture({ rgba, width, height, across, down }: TopPicture): Promise<MapPicture> {
  const { indices, palette } = fewColors(rgba);
  const png = await palettePng(indices, width, height, palette);
  return { href: `data:image/png;base64,${Buffer.from(png).toString('base64')}`, across, down };
}

/** The upper four bits of red, green and blue; -1: the pixel shows more of nothing. */
const colorAt = (rgba: Uint8Array, at: number): number =>
  rgba[at + 3] < 128 ? -1 : ((rgba[at] >> 4) << 8) | (rgba[at + 1] & 0xf0) | (rgba[at + 2] >> 4);

/** The most frequent colours, and of each pixel the nearest one; 0: it is transparent. Of equals the one with the lowest number. */
function fewColors(rgba: Uint8Array): { readonly indices: Uint8Array; readonly palette: Uint8Array } {
  const counts = new Uint32Array(4096);
  for (let at = 0; at < rgba.length; at += 4) {
    const color = colorAt(rgba, at);
    if (color >= 0) counts[color]++;
  }
  const used = [...counts.keys()].filter((color) => counts[color] > 0);
  const kept = [...used].sort((a, b) => counts[b] - counts[a] || a - b).slice(0, MAX_COLORS);
  const channels = (color: number) => [color >> 8, (color >> 4) & 15, color & 15];
  const indexOf = new Uint8Array(4096);
  for (const color of used) {
    const own = channels(color);
    let least = Infinity;
    for (const [i, other] of kept.entries()) {
      const away = channels(other).reduce((sum, value, k) => sum + (value - own[k]) ** 2, 0);
      if (away >= least) continue;
      least = away;
      indexOf[color] = i + 1;
    }
  }
  const indices = new Uint8Array(rgba.length / 4);
  for (let i = 0; i < indices.length; i++) {
    const color = colorAt(rgba, i * 4);
    indices[i] = color < 0 ? 0 : indexOf[color];
  }
  // 15 times 17 is 255.
  return {
    indices,
    palette: Uint8Array.from([0, 0, 0, ...kept.flatMap((color) => channels(color).map((c) => c * 17))]),
  };
}

function muted(picture: TopPicture): TopPicture {
  const rgba = picture.rgba.slice();
  for (let at = 0; at < rgba.length; at += 4) {
    // Rec. 709 weights.
    const grey = 0.2126 * rgba[at] + 0.7152 * rgba[at + 1] + 0.0722 * rgba[at + 2];
    for (let k = 0; k < 3; k++) {
      const value = grey + (rgba[at + k] - grey) * SATURATION;
      rgba[at + k] = Math.round(Math.sqrt(Math.max(0, value) * 255));
    }
  }
  return { ...picture, rgba };
}

/** Half as large; each pixel is the mean of four, by their alpha. What lies beyond the edge is transparent. */
function halved({ rgba, width, height, across, down }: TopPicture): TopPicture {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const out = new Uint8Array(w * h * 4);
  for (let y = 0, to = 0; y < h; y++) {
    for (let x = 0; x < w; x++, to += 4) {
      const sum = [0, 0, 0, 0];
      for (let k = 0; k < 4; k++) {
        const [column, row] = [2 * x + (k & 1), 2 * y + (k >> 1)];
        if (column >= width || row >= height) continue;
        const at = (row * width + column) * 4;
        const alpha = rgba[at + 3];
        for (let c = 0; c < 3; c++) sum[c] += rgba[at + c] * alpha;
        sum[3] += alpha;
      }
      if (sum[3] === 0) continue;
      for (let c = 0; c < 3; c++) out[to + c] = Math.round(sum[c] / sum[3]);
      out[to + 3] = Math.round(sum[3] / 4);
    }
  }
  return { rgba: out, width: w, height: h, across: (across * 2 * w) / width, down: (down * 2 * h) / height };
}

/** The payloads of a staged set as the renderer takes them; each texture is decoded once. */
class DrawnTiles {
  readonly #from: DrawnSet;
  readonly #paths: ReadonlySet<string>;
  readonly #textures = new Map<string, Promise<Texture | null>>();

  constructor(from: DrawnSet) {
    this.#from = from;
    this.#paths = new Set(from.set.files.map(({ path }) => path));
  }

  async meshes(path: string): Promise<RasterMesh[]> {
    const { set, format } = this.#from;
    const { meshes, materials } = await format.drawnFile(set.readBack(path), path);
    const folder = posix.dirname(path);
    const surfaces: RasterMaterial[] = [];
    for (const material of materials) surfaces.push(await this.#surface(material, folder));
    return meshes.map(({ material, ...mesh }) => ({ ...mesh, color0: null, surface: surfaces[material] }));
  }

  async #surface({ finish: _, ...material }: DrawnFileMaterial, folder: string): Promise<RasterMaterial> {
    const isGlowing = material.emissive.some((value) => value > 0);
    return {
      ...material,
      baseColorTexture: await this.#texture(material.baseColorTexture, folder),
      emissiveTexture: isGlowing ? await this.#texture(material.emissiveTexture, folder) : null,
    };
  }

  /** Textures inside of payloads have no file: what they cover is drawn in the material's colour. */
  #texture(uri: string | null, folder: string): Promise<Texture | null> {
    if (uri === null) return Promise.resolve(null);
    const path = posix.join(folder, uri);
    const known = this.#textures.get(path) ?? this.#decode(path);
    this.#textures.set(path, known);
    return known;
  }

  async #decode(path: string): Promise<Texture | null> {
    const { set, beside } = this.#from;
    const bytes = this.#paths.has(path) ? set.readBack(path) : beside.get(path)?.read();
    if (!bytes) return null;
    const pixels = isUtex(bytes)
      ? (await import('../../../formats/utex/texels.ts')).utexTexels(bytes, TEXELS)
      : await decodeImageFile(bytes);
    if (pixels === null) return null;
    // Images come whole: of those that are larger every n-th texel is enough.
    const { data, width, height } = pixels;
    const step = Math.ceil(Math.max(width, height) / TEXELS);
    const [w, h] = [Math.ceil(width / step), Math.ceil(height / step)];
    const texels = new Uint8Array(w * h * 4);
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const at =
          (Math.min(height - 1, y * step + (step >> 1)) * width + Math.min(width - 1, x * step + (step >> 1))) * 4;
        texels.set(data.subarray(at, at + 4), (y * w + x) * 4);
      }
    }
    return buildTexture(texels, w, h);
  }
}
