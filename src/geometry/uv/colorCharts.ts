// Vertex colours that vary, as charts: the triangles of a subset lie flat in pictures, with the colour of each corner at its
// place. Textures are painted of them before any tile is cooked. Threads make the same charts again for the texture
// coordinates, so that none have to be sent.

import type { PolygonMesh } from '../../scene/types.ts';
import { type Chart, chartsOf } from '../hlod/charts.ts';
import { type ChartMap, withChartUvs } from '../hlod/chartUvs.ts';
import { ATTRIBUTES } from '../mesh/attributes.ts';
import { CornerColors } from '../mesh/colors.ts';
import type { Mesh, Triangles } from '../mesh/mesh.ts';
import { PositionIds } from '../mesh/positionIds.ts';
import { triangleCross } from '../mesh/triangleCross.ts';
import { drawnTriangles } from '../polygons/drawnTriangles.ts';
import type { Triangulation } from '../polygons/triangulate.ts';

/** Texels of a triangle where colours change smoothly, and of those with edges between colours inside of charts. */
const SMOOTH_TEXELS = 8;
const HARD_TEXELS = 64;
/** Texels of a whole mesh at least, but no more of a triangle than the second number. */
const MIN_TEXELS = 4096;
const MAX_TEXELS = 1024;

/** Bytes of colour that neighbours differ by at an edge that is seen, and the share of points with such an edge. */
const HARD_EDGE = 16;
const HARD_SHARE = 0.02;

/** Numbers of a map in BakedColors. */
const MAP = 4;

/** Where a mesh finds its colours in a texture. */
export interface BakedColors {
  /** What its charts are made with, in metres, and whether they end where colours do. */
  readonly texel: number;
  readonly endAtEdges: boolean;
  /** Of each chart the origin and the scale of its ChartMap. */
  readonly maps: Float64Array;
}

/** The places of charts as jobs take them. */
export function mapsOf(maps: readonly ChartMap[]): Float64Array {
  const numbers = new Float64Array(maps.length * MAP);
  for (const [i, { origin, scale }] of maps.entries()) numbers.set([...origin, ...scale], i * MAP);
  return numbers;
}

/** The triangles of a subset in charts, with their colours. */
export interface ColorCharts {
  /** What they are made with, in metres, and whether they end where colours do. */
  readonly texel: number;
  readonly endAtEdges: boolean;
  readonly charts: readonly ColorChart[];
  /** Whether some corner is not opaque. */
  readonly hasAlpha: boolean;
}

export interface ColorChart {
  readonly chart: Chart;
  /** Metres that a texel of its picture covers. */
  readonly texel: number;
  /** Of each corner, triangle by triangle: two coordinates from the chart's low corner on, in metres, … */
  readonly points: Float64Array;
  /** … and linear rgb from 0 to 1. */
  readonly colors: Float32Array;
}

/**
 * The charts of a subset (-1: what no subset claims) and the sizes of texels that show its colours; null: nothing is drawn.
 * `mayEnd`: charts may end at edges between colours, which are then sharp at any size of texels, but cost charts.
 */
export function colorCharts(mesh: PolygonMesh, subset: number, mayEnd: boolean): ColorCharts | null {
  const { triangles } = drawnTriangles(mesh, subset);
  if (triangles.count === 0) return null;
  const surface = surfaceOf(mesh, triangles);
  const { colors, packed, hasAlpha } = readColors(mesh, triangles);
  const hasEdges = areHard(surface, packed);
  const endAtEdges = mayEnd && hasEdges;
  const usual = hasEdges && !endAtEdges ? HARD_TEXELS : SMOOTH_TEXELS;
  const texels = Math.max(usual, Math.min(MAX_TEXELS, MIN_TEXELS / triangles.count));
  const areas = areasOf(surface);
  const texelOf = (numbers: Iterable<number>, count: number): number => {
    let sum = 0;
    for (const t of numbers) sum += areas[t];
    return Math.sqrt(sum / (count * texels)) || 1;
  };
  const texel = texelOf(areas.keys(), triangles.count);
  const flat = chartsOf(surface, texel);
  const charts = (endAtEdges ? splitAtEdges(surface, flat, packed) : flat).map(
    (chart): ColorChart => ({
      chart,
      texel: texelOf(chart.triangles, chart.triangles.length),
      points: pointsOf(surface, chart),
      colors: pick(colors, chart),
    }),
  );
  return { texel, endAtEdges, charts, hasAlpha };
}

/** The vertices of `triangles` of a mesh with texture coordinates into its colours. */
export function withBakedColors(
  built: Mesh,
  mesh: PolygonMesh,
  triangles: Triangulation,
  { texel, endAtEdges, maps }: BakedColors,
): Mesh {
  const surface = surfaceOf(mesh, triangles);
  const flat = chartsOf(surface, texel);
  const charts = endAtEdges ? splitAtEdges(surface, flat, readColors(mesh, triangles).packed) : flat;
  if (charts.length * MAP !== maps.length) throw new Error('the charts are not those of the texture');
  const map = (_: Chart, i: number): ChartMap => ({
    origin: [maps[i * MAP], maps[i * MAP + 1]],
    scale: [maps[i * MAP + 2], maps[i * MAP + 3]],
  });
  return withChartUvs(built, charts, charts.map(map));
}

function surfaceOf({ points, corners }: PolygonMesh, triangles: Triangulation): Triangles {
  const positions = points instanceof Float32Array ? points : Float32Array.from(points);
  const { count, corners: of } = triangles;
  return { positions, indices: of ? of.map((corner) => corners[corner]) : corners.slice(0, count * 3) };
}

interface SurfaceColors {
  /** Three numbers a corner, linear. */
  readonly colors: Float32Array;
  /** The same as packColor() gives it. */
  readonly packed: Uint32Array;
  readonly hasAlpha: boolean;
}

function readColors(mesh: PolygonMesh, { count, corners, faces }: Triangulation): SurfaceColors {
  const reader = new CornerColors(mesh, ATTRIBUTES.color0.source);
  const colors = new Float32Array(count * 9);
  const packed = new Uint32Array(count * 3);
  let hasAlpha = false;
  for (let i = 0; i < packed.length; i++) {
    const corner = corners ? corners[i] : i;
    const triangle = Math.floor(i / 3);
    packed[i] = reader.read(corner, mesh.corners[corner], faces ? faces[triangle] : triangle);
    if (packed[i] >>> 24 !== 255) hasAlpha = true;
    const [r, g, b] = reader.last();
    colors[i * 3] = r;
    colors[i * 3 + 1] = g;
    colors[i * 3 + 2] = b;
  }
  return { colors, packed, hasAlpha };
}

/** Whether colours change at edges, not only within triangles. */
function areHard({ positions, indices }: Triangles, packed: Uint32Array): boolean {
  const points = new PositionIds();
  const ids = points.of(positions);
  const first = new Float64Array(points.count).fill(-1);
  const isHard = new Uint8Array(points.count);
  let used = 0;
  let hard = 0;
  for (let i = 0; i < indices.length; i++) {
    const id = ids[indices[i]];
    if (first[id] < 0) {
      first[id] = packed[i];
      used++;
    } else if (isHard[id] === 0 && differs(first[id], packed[i])) {
      isHard[id] = 1;
      hard++;
    }
  }
  return hard > used * HARD_SHARE;
}

function differs(one: number, other: number): boolean {
  for (let shift = 0; shift < 24; shift += 8) {
    if (Math.abs(((one >>> shift) & 255) - ((other >>> shift) & 255)) > HARD_EDGE) return true;
  }
  return false;
}

/** The charts with each in parts where neighbours have other colours along the edge between them. */
function splitAtEdges(surface: Triangles, charts: readonly Chart[], packed: Uint32Array): Chart[] {
  const points = new PositionIds();
  const ids = points.of(surface.positions);
  const { indices } = surface;
  const parts: Chart[] = [];
  for (const chart of charts) {
    const { triangles } = chart;
    const root = Uint32Array.from(triangles.keys());
    const find = (i: number): number => {
      let at = i;
      while (root[at] !== at) {
        root[at] = root[root[at]];
        at = root[at];
      }
      return at;
    };
    /** By edge, where it first begins: three times the place of a triangle, and the number of its corner. */
    const edges = new Map<number, number>();
    for (let i = 0; i < triangles.length; i++) {
      for (let k = 0; k < 3; k++) {
        const one = triangles[i] * 3 + k;
        const other = triangles[i] * 3 + ((k + 1) % 3);
        const [a, b] = [ids[indices[one]], ids[indices[other]]];
        const edge = Math.min(a, b) * points.count + Math.max(a, b);
        const met = edges.get(edge);
        if (met === undefined) {
          edges.set(edge, i * 3 + k);
          continue;
        }
        const place = Math.floor(met / 3);
        let begin = triangles[place] * 3 + (met % 3);
        let end = triangles[place] * 3 + (((met % 3) + 1) % 3);
        if (ids[indices[begin]] !== a) [begin, end] = [end, begin];
        if (differs(packed[begin], packed[one]) || differs(packed[end], packed[other])) continue;
        // The first one keeps its place, so that parts come in the order of their first triangles.
        const [low, high] = [find(place), find(i)].sort((x, y) => x - y);
        root[high] = low;
      }
    }
    const members = new Map<number, number[]>();
    for (let i = 0; i < triangles.length; i++) {
      const list = members.get(find(i));
      if (list) list.push(triangles[i]);
      else members.set(find(i), [triangles[i]]);
    }
    if (members.size === 1) parts.push(chart);
    else for (const list of members.values()) parts.push(partOf(surface, chart, Uint32Array.from(list)));
  }
  return parts;
}

/** Some triangles of a chart as a chart. */
function partOf(surface: Triangles, { axes, low }: Chart, triangles: Uint32Array): Chart {
  const points = pointsOf(surface, { triangles, axes, low, size: [0, 0] });
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const most = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < points.length; i++) {
    least[i % 2] = Math.min(least[i % 2], points[i]);
    most[i % 2] = Math.max(most[i % 2], points[i]);
  }
  const own = [low[0] + least[0], low[1] + least[1]] as const;
  return { triangles, axes, low: own, size: [most[0] - least[0], most[1] - least[1]] };
}

function areasOf({ positions, indices }: Triangles): Float64Array {
  const areas = new Float64Array(indices.length / 3);
  const cross = new Float64Array(3);
  for (let t = 0; t < areas.length; t++) {
    triangleCross(positions, indices, t * 3, cross);
    areas[t] = Math.hypot(cross[0], cross[1], cross[2]) / 2;
  }
  return areas;
}

function pointsOf({ positions: p, indices }: Triangles, { triangles, axes, low }: Chart): Float64Array {
  const points = new Float64Array(triangles.length * 6);
  let to = 0;
  for (const t of triangles) {
    for (let i = t * 3; i < t * 3 + 3; i++) {
      const v = indices[i] * 3;
      for (let k = 0; k < 2; k++) {
        points[to++] = p[v] * axes[k * 3] + p[v + 1] * axes[k * 3 + 1] + p[v + 2] * axes[k * 3 + 2] - low[k];
      }
    }
  }
  return points;
}

function pick(colors: Float32Array, { triangles }: Chart): Float32Array {
  const picked = new Float32Array(triangles.length * 9);
  let to = 0;
  for (const t of triangles) {
    for (let k = t * 9; k < t * 9 + 9; k++) picked[to++] = colors[k];
  }
  return picked;
}
