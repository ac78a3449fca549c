// Vertex colours that vary within triangles as textures: the charts of all meshes of a material share atlases, one draw call each.

import type { ChartMap } from '../../../geometry/hlod/chartUvs.ts';
import { packColor } from '../../../geometry/mesh/colors.ts';
import {
  type BakedColors,
  type ColorChart,
  type ColorCharts,
  colorCharts,
  mapsOf,
} from '../../../geometry/uv/colorCharts.ts';
import { MAX_PALETTE_COLORS } from '../../../scene/palette.ts';
import type { PolygonMesh, ScenePrimitive } from '../../../scene/types.ts';
import { CHART_GUTTER, type ChartPlace, chartAtlas, haveRoom } from '../../../textures/atlas/chartAtlas.ts';
import type { ChartPicture } from '../../../textures/atlas/chartPicture.ts';
import { colorPicture } from '../../../textures/atlas/colorPicture.ts';
import type { PaintedTexture, TextureFiles } from '../../../textures/types.ts';

/** Pixels along a side at most: half floats tell so many apart. */
const MAX_SIDE = 2048;
/** The share of an atlas that charts of several meshes fill at most before they are placed: shelves leave gaps. */
const FILLED = 0.75;
/** By how much texels grow until the charts of one mesh have room. */
const GROWTH = 1.2;
/** Texels grow no further: what has no room then is charts without number. */
const MAX_GROWTH = 64;

/** The faces of a primitive that one material draws. */
export interface PaintedFaces {
  readonly primitive: ScenePrimitive;
  readonly subset: number;
}

export interface Baked {
  readonly colors: BakedColors;
  readonly texture: PaintedTexture;
}

/** What of an atlas is one mesh's. */
interface Member extends Pick<BakedColors, 'texel' | 'endAtEdges'> {
  readonly index: number;
  readonly pictures: readonly SizedPicture[];
}

/** A picture, and the metres that its texels cover. */
interface SizedPicture {
  readonly picture: ChartPicture;
  readonly texel: number;
}

/**
 * Bakes the colours of meshes of one material. `isOpaque`: their alpha has no meaning. Null for a mesh whose colours no texture
 * can hold: those with an alpha that is drawn, and those of too many charts.
 */
export async function bakeColors(
  faces: readonly PaintedFaces[],
  isOpaque: boolean,
  files: TextureFiles,
): Promise<(Baked | null)[]> {
  const baked: (Baked | null)[] = faces.map(() => null);
  let members: Member[] = [];
  let colors = new Set<number>();
  let area = 0;
  const flush = async () => {
    for (const { index, ...made } of await atlasesOf(members, files)) baked[index] = made;
    members = [];
    colors = new Set();
    area = 0;
  };
  for (const [index, { primitive, subset }] of faces.entries()) {
    const found = chartsWithRoom(await primitive.read(), subset, isOpaque);
    if (found === null) continue;
    const { charts, growth, texel, endAtEdges } = found;
    const own = charts.reduce((sum, chart) => sum + areaOf(sizeOf(chart, growth)), 0);
    if (members.length > 0 && area + own > FILLED * MAX_SIDE ** 2) await flush();
    area += own;
    const pictures = charts.map((chart) => pictureOf(chart, growth, colors));
    members.push({ index, texel, endAtEdges, pictures });
  }
  await flush();
  return baked;
}

interface Grown extends ColorCharts {
  /** By how much their texels grow. */
  readonly growth: number;
}

/** The charts of a mesh, with sharp edges between colours where there is room for those. */
function chartsWithRoom(polygons: PolygonMesh, subset: number, isOpaque: boolean): Grown | null {
  for (const mayEnd of [true, false]) {
    const found = colorCharts(polygons, subset, mayEnd);
    if (found === null || (found.hasAlpha && !isOpaque)) return null;
    const growth = growthOf(found.charts);
    if (growth !== null) return { ...found, growth };
    if (!found.endAtEdges) return null;
  }
  return null;
}

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** By how much texels have to grow until one atlas has room for all charts; null: by too much. */
function growthOf(charts: readonly ColorChart[]): number | null {
  for (let growth = 1; growth <= MAX_GROWTH; growth *= GROWTH) {
    const sizes = charts.map((chart) => sizeOf(chart, growth));
    if (haveRoom(sizes, MAX_SIDE)) return growth;
  }
  return null;
}

/** At least two texels along each side: one of a single texel would be a plain colour, of which atlases hold few. */
function sizeOf({ chart: { size }, texel }: ColorChart, growth: number): PictureSize {
  const along = (metres: number) => Math.max(2, Math.ceil(metres / (texel * growth)));
  return { width: along(size[0]), height: along(size[1]) };
}

const areaOf = ({ width, height }: PictureSize): number => (width + 2 * CHART_GUTTER) * (height + 2 * CHART_GUTTER);

/** `plain`: the colours of pictures of one colour in the same atlas; those that fit into its palette need no texels. */
function pictureOf(chart: ColorChart, growth: number, plain: Set<number>): SizedPicture {
  const texel = chart.texel * growth;
  const { colors } = chart;
  const color = [colors[0], colors[1], colors[2]] as const;
  if (colors.every((value, i) => value === color[i % 3])) {
    const packed = packColor(...color, 1);
    if (plain.has(packed) || plain.size < MAX_PALETTE_COLORS) {
      plain.add(packed);
      const mean = { color, emission: [0, 0, 0] } as const;
      return { picture: { width: 1, height: 1, colors: null, emission: null, mean, maxLight: 0 }, texel };
    }
  }
  const points = chart.points.map((metres) => metres / texel);
  return { picture: colorPicture({ ...sizeOf(chart, growth), gutter: CHART_GUTTER, points, colors }), texel };
}

/** The members in one atlas, or in two where one has no room for all. */
async function atlasesOf(members: readonly Member[], files: TextureFiles): Promise<(Baked & { index: number })[]> {
  if (members.length === 0) return [];
  const pictures = members.flatMap((member) => member.pictures.map(({ picture }) => picture));
  const atlas = await chartAtlas(pictures, MAX_SIDE, files, 'colors');
  if (atlas === null) {
    if (members.length === 1) return [];
    const half = Math.ceil(members.length / 2);
    return [...(await atlasesOf(members.slice(0, half), files)), ...(await atlasesOf(members.slice(half), files))];
  }
  const { texture, places } = atlas;
  let next = 0;
  return members.map(({ index, texel, endAtEdges, pictures: own }) => {
    const maps = mapsOf(own.map((sized) => mapOf(places[next++], sized.texel, texture)));
    return { index, colors: { texel, endAtEdges, maps }, texture };
  });
}

function mapOf(place: ChartPlace, texel: number, { width, height }: PictureSize): ChartMap {
  if ('uv' in place) return { origin: place.uv, scale: [0, 0] };
  const { x, y } = place.rect;
  return { origin: [x / width, 1 - y / height], scale: [1 / (texel * width), -1 / (texel * height)] };
}
