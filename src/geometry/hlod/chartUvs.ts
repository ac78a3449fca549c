// A mesh with texture coordinates into the atlas of its charts: a vertex for each chart that it lies in.

import { type Mesh, pickVertices } from '../mesh/mesh.ts';
import type { Chart } from './charts.ts';

/** Texture coordinates of a point of a chart from its coordinates along the chart's axes, in metres. */
export interface ChartMap {
  /** At the chart's low corner. */
  readonly origin: readonly [number, number];
  /** A metre along each axis; 0 where the whole chart has one point of the atlas. */
  readonly scale: readonly [number, number];
}

/** `maps`: one a chart. The triangles of the mesh come in the order of the charts, which hold all of them. */
export function withChartUvs<Positions extends Float32Array | Float64Array>(
  mesh: Mesh & { readonly positions: Positions },
  charts: readonly Chart[],
  maps: readonly ChartMap[],
): Mesh & { readonly positions: Positions } {
  const { positions: p, indices, vertexCount } = mesh;
  /** The last chart that a vertex was put into, and its number there. */
  const chartOf = new Int32Array(vertexCount).fill(-1);
  const numberOf = new Uint32Array(vertexCount);
  const corners = new Uint32Array(indices.length);
  const vertices = new Uint32Array(indices.length);
  const uv0 = new Float32Array(indices.length * 2);
  let count = 0;
  let end = 0;
  charts.forEach(({ triangles, axes, low }, chart) => {
    const { origin, scale } = maps[chart];
    for (const t of triangles) {
      for (let i = t * 3; i < t * 3 + 3; i++) {
        const v = indices[i];
        if (chartOf[v] !== chart) {
          chartOf[v] = chart;
          numberOf[v] = count;
          vertices[count] = v;
          for (let k = 0; k < 2; k++) {
            const along = p[v * 3] * axes[k * 3] + p[v * 3 + 1] * axes[k * 3 + 1] + p[v * 3 + 2] * axes[k * 3 + 2];
            uv0[count * 2 + k] = origin[k] + (along - low[k]) * scale[k];
          }
          count++;
        }
        corners[end++] = numberOf[v];
      }
    }
  });
  const split = pickVertices(mesh, vertices.slice(0, count), corners);
  return { ...split, attributes: { ...split.attributes, uv0: uv0.slice(0, count * 2) } };
}
