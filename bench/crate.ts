// A generated landscape as a USD crate: one Mesh prim of triangles with normals and UVs, as exporters write them.

import {
  array,
  attribute,
  double,
  float2s,
  float3s,
  ints,
  prim,
  scalar,
  token,
  writeCrate,
} from '../test/importers/usd/crateWriter.ts';

/** The crate and the exact number of its triangles, which is `triangles` or a little less. */
export function crateTerrain(triangles: number): { bytes: Uint8Array; triangles: number } {
  const quads = Math.floor(Math.sqrt(triangles / 2));
  const side = quads + 1;
  const points = new Float32Array(side * side * 3);
  const uvs = new Float32Array(side * side * 2);
  const normals = new Float32Array(side * side * 3);
  for (let j = 0, v = 0; j < side; j++) {
    for (let i = 0; i < side; i++, v++) {
      points.set([i * 0.1, Math.sin(i * 0.05) * Math.cos(j * 0.07), j * 0.1], v * 3);
      uvs.set([i / quads, j / quads], v * 2);
      normals.set([0, 1, 0], v * 3);
    }
  }
  const corners = new Int32Array(quads * quads * 6);
  for (let j = 0, n = 0; j < quads; j++) {
    for (let i = 0; i < quads; i++) {
      const a = j * side + i;
      for (const k of [a, a + side, a + 1, a + 1, a + side, a + side + 1]) corners[n++] = k;
    }
  }
  const interpolation = { interpolation: token('vertex') };
  const bytes = writeCrate(
    {
      '/': { defaultPrim: token('Terrain'), upAxis: token('Y'), metersPerUnit: double(1) },
      '/Terrain': prim('Mesh'),
      '/Terrain.subdivisionScheme': attribute('token', token('none'), {
        variability: scalar('Variability', 'uniform'),
      }),
      '/Terrain.faceVertexCounts': attribute('int[]', array('Int', new Int32Array(corners.length / 3).fill(3))),
      '/Terrain.faceVertexIndices': attribute('int[]', ints(corners)),
      '/Terrain.points': attribute('point3f[]', float3s(points)),
      '/Terrain.normals': attribute('normal3f[]', float3s(normals), interpolation),
      '/Terrain.primvars:st': attribute('texCoord2f[]', float2s(uvs), interpolation),
    },
    { version: '0.8.0', compressArrays: true },
  );
  return { bytes, triangles: corners.length / 3 };
}
