// The pictures of a proxy's charts: what full detail shows there. One call of the kernel for each step, so that the detail
// and its hierarchy are in memory once for all charts.

import type { DrawnMesh } from '../../formats/format.ts';
import { ChartSampler } from '../../geometry/hlod/chartSamples.ts';
import type { Chart } from '../../geometry/hlod/charts.ts';
import { type Float32Mesh, valuesOf } from '../../geometry/mesh/mesh.ts';
import { kernel } from '../../kernel/kernel.ts';
import { CHART_GUTTER } from '../../textures/atlas/chartAtlas.ts';
import { ChartPainter, type ChartPicture, type ColorSource } from '../../textures/atlas/chartPicture.ts';

/** Samples along a side of a texel: detail of half a pixel counts by its area. */
const SAMPLES = 2;

/** A mesh of a proxy, and the charts that hold its triangles. */
export interface ChartedMesh {
  readonly mesh: Float32Mesh;
  readonly charts: readonly Chart[];
}

/** Full detail, and where each mesh of it has its colours from. */
export interface PaintedDetail {
  readonly meshes: readonly DrawnMesh[];
  readonly sources: readonly ColorSource[];
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** How many texels of some size, in metres, a chart takes. */
export function texelsOf({ size }: Chart, texel: number): PictureSize {
  return { width: Math.max(1, Math.ceil(size[0] / texel)), height: Math.max(1, Math.ceil(size[1] / texel)) };
}

/** One picture a chart, mesh by mesh. `reach`: how far off the proxy detail may lie, in metres. */
export function chartPictures(
  meshes: readonly ChartedMesh[],
  { meshes: detail, sources }: PaintedDetail,
  texel: number,
  reach: number,
): ChartPicture[] {
  const charts = meshes.flatMap((mesh) => mesh.charts);
  return kernel.within((memory) => {
    const surfaces = detail.map(({ mesh }) => ({ ...mesh, uv0: valuesOf(mesh, 'uv0') }));
    const { texels, samples, triangles } = maxOf(charts, texel);
    const sampler = new ChartSampler(memory, surfaces, { samples, triangles });
    const counts = surfaces.map(({ indices }) => indices.length / 3);
    const painter = new ChartPainter(memory, sources, counts, texels);
    const shown = meshes.flatMap(({ mesh, charts: own }) => {
      const proxy = {
        positions: memory.put(mesh.positions),
        indices: memory.put(mesh.indices),
        triangleCount: mesh.indices.length / 3,
      };
      return own.map((chart) => {
        const size = texelsOf(chart, texel);
        const grid = { columns: size.width * SAMPLES, rows: size.height * SAMPLES, step: texel / SAMPLES };
        const request = { ...size, samples: SAMPLES, gutter: CHART_GUTTER };
        return painter.picture(sampler.sample(proxy, chart, grid, reach), request);
      });
    });
    return withNearestColors(shown, meshes, sampler, painter);
  });
}

/** The most texels with their border, samples and triangles of any chart. */
function maxOf(
  charts: readonly Chart[],
  texel: number,
): { readonly texels: number; readonly samples: number; readonly triangles: number } {
  const max = { texels: 0, samples: 0, triangles: 0 };
  for (const chart of charts) {
    const { width, height } = texelsOf(chart, texel);
    max.texels = Math.max(max.texels, (width + 2 * CHART_GUTTER) * (height + 2 * CHART_GUTTER));
    max.samples = Math.max(max.samples, width * height * SAMPLES * SAMPLES);
    max.triangles = Math.max(max.triangles, chart.triangles.length);
  }
  return max;
}

/** Charts without detail near have pictures of one texel: the colour of what is nearest to their largest triangles. */
function withNearestColors(
  shown: readonly (ChartPicture | null)[],
  meshes: readonly ChartedMesh[],
  sampler: ChartSampler,
  painter: ChartPainter,
): ChartPicture[] {
  const owners = meshes.flatMap(({ mesh, charts }) => charts.map((chart) => ({ mesh, chart })));
  const bare = owners.filter((_, i) => shown[i] === null);
  if (bare.length === 0) return shown as ChartPicture[];
  const centres = Float64Array.from(bare.flatMap(({ mesh, chart }) => centreOf(mesh, chart.triangles[0])));
  const nearest = sampler.nearest(centres);
  const request = { width: 1, height: 1, samples: 1, gutter: CHART_GUTTER };
  let next = 0;
  return shown.map((picture) => {
    if (picture !== null) return picture;
    return painter.picture(sampler.wholeTriangle(nearest[next++]), request) as ChartPicture;
  });
}

function centreOf({ positions, indices }: Float32Mesh, triangle: number): [number, number, number] {
  const centre: [number, number, number] = [0, 0, 0];
  for (let i = triangle * 3; i < triangle * 3 + 3; i++) {
    for (let k = 0; k < 3; k++) centre[k] += positions[indices[i] * 3 + k] / 3;
  }
  return centre;
}
