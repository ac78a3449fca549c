// Sets of texture coordinates and colours that nothing draws: counted once for all meshes where the output has no place for them.

import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { writeGalileo } from '../../../../src/formats/galileo/write.ts';
import { mesh, TRIANGLE } from '../../../formats/galileo/meshes.ts';
import { buildGlb, type SceneInput } from '../../../importers/gltf/build.ts';
import { untold } from '../../../support/command.ts';
import { put, temporaryFolder } from '../../../support/files.ts';
import { RED_PNG } from '../../../support/squareGltf.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  readonly code: string;
  readonly severity: string;
  readonly path: string;
  readonly message: string;
}

/** What the plan of a cook says of sets: path and message. */
async function said(source: string, ...words: string[]): Promise<string[][]> {
  const { stdout, code } = await untold(folder, ['cook', source, ...words, '--dry-run', '--json']);
  const { results } = JSON.parse(stdout) as { results: { diagnostics: Said[] }[] };
  const found = results.flatMap(({ diagnostics }) => diagnostics).filter((item) => item.code === 'UC2490');
  expect([code, found.map(({ severity }) => severity)]).toEqual([0, found.map(() => 'info')]);
  return found.map(({ path, message }) => [path, message]);
}

const UVS = [0, 0, 1, 0, 0, 1];
const COLORS = new Array<number>(12).fill(0.5);
const triangle = (attributes: Record<string, readonly number[]>, material?: number) => ({
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
  uvs: UVS,
  attributes,
  ...(material === undefined ? {} : { material }),
});

test('of glTF', async () => {
  const scene: SceneInput = {
    meshes: [
      // The first set is kept, and so are the first colours.
      { primitives: [triangle({ TEXCOORD_1: UVS, TEXCOORD_2: UVS, COLOR_0: COLORS, COLOR_1: COLORS })] },
      // Its texture is sampled with the second set. Both primitives lack the first.
      { primitives: [triangle({ TEXCOORD_1: UVS }, 0), triangle({ TEXCOORD_1: UVS }, 0)] },
      { primitives: [triangle({})] },
    ],
    materials: [{ emissiveTexture: { index: 0, texCoord: 1 }, emissiveFactor: [1, 1, 1] }],
    textures: [{ source: 0 }],
    images: [RED_PNG],
  };
  const source = put(folder, 'sets.glb', buildGlb(scene));
  const sets = '3 sets of texture coordinates';
  expect(await said(source)).toEqual([
    ['meshes/0', `left out where no material draws them: ${sets} and 1 set of colours of 2 meshes`],
  ]);
  // Others have a place for colours, or for all.
  expect(await said(source, '--out', 'sets.bpx')).toEqual([
    ['meshes/0', `left out where no material draws them: ${sets} of 2 meshes`],
  ]);
  expect(await said(source, '--out', 'all.glb')).toEqual([]);
  expect(await said(put(folder, 'none.glb', buildGlb({ meshes: [{ primitives: [triangle({})] }] })))).toEqual([]);
});

test('of USD: primvars with these roles, and colours that are drawn at some faces alone', async () => {
  const body = `
def Mesh "M" ( prepend apiSchemas = ["MaterialBindingAPI"] ) {
  uniform token subdivisionScheme = "none"
  point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
  int[] faceVertexCounts = [3, 3]
  int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
  color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0)] ( interpolation = "uniform" )
  texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )
  float2[] primvars:light = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )
  float2[] primvars:size = [(3, 4)] ( interpolation = "constant" )
  def GeomSubset "S" ( prepend apiSchemas = ["MaterialBindingAPI"] ) {
    uniform token familyName = "materialBind"
    int[] indices = [1]
    rel material:binding = </P>
  }
}
def Material "P" {
  token outputs:surface.connect = </P/S.outputs:surface>
  def Shader "S" { uniform token info:id = "UsdPreviewSurface"
    token outputs:surface
  }
}`;
  const layer = `#usda 1.0\n(\n metersPerUnit = 1\n upAxis = "Y"\n)\n${body}`;
  expect(await said(put(folder, 'sets.usda', layer))).toEqual([
    ['/M', 'left out where no material draws them: 1 set of texture coordinates and 1 set of colours of 1 mesh'],
  ]);
  expect(await said(put(folder, 'drawn.usda', layer.replace('rel material:binding = </P>', '')))).toEqual([
    ['/M', 'left out where no material draws them: 1 set of texture coordinates of 1 mesh'],
  ]);
});

test('of Galileo meshes, whose first sets are drawn', async () => {
  const texcoords = [0, 1, 2].map(() => Uint16Array.of(0, 0, 65535, 0, 0, 65535));
  const colors = [0, 1].map(() => new Uint8Array(12).fill(9));
  const bytes = await writeGalileo(mesh([{ ...TRIANGLE, texcoords, colors }]));
  expect(await said(put(folder, 'sets.gali', bytes))).toEqual([
    ['groups/0', 'left out where no material draws them: 2 sets of texture coordinates and 1 set of colours of 1 mesh'],
  ]);
});
