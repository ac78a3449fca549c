// Colours that no material reads, for outputs that keep all sets: what reads a file draws the first set, so they come after it.

import { describe, expect, test } from 'vitest';
import type { PolygonMesh } from '../../../../../src/scene/types.ts';
import { importText, quad } from '../../importText.ts';

const color = (name: string, red: number) => `color3f[] primvars:${name} = [(${red}, 0, 0)]`;

/** A quad with these primvars, whose surface has these inputs; `varname`: what its node R reads. */
async function read(primvars: string, inputs = '', varname = 'paint') {
  const { scene, codes } = await importText(
    `${quad('m', `rel material:binding = </M>\n${primvars}`)}
    def Material "M" {
      token outputs:surface.connect = </M/S.outputs:surface>
      def Shader "S" { uniform token info:id = "UsdPreviewSurface"
        ${inputs}
        token outputs:surface
      }
      def Shader "R" { uniform token info:id = "UsdPrimvarReader_${inputs.startsWith('float') ? 'float' : 'float3'}"
        string inputs:varname = "${varname}"
      }
    }`,
    undefined,
    {},
    { keepsSets: true },
  );
  const mesh = await scene.meshes[0].primitives[0].read();
  return { mesh, codes: codes() };
}

/** The first number of each set, in the order of their numbers; null: there is no such set. */
const reds = ({ colors, ...mesh }: PolygonMesh) =>
  [colors, mesh.colors1, mesh.colors2, mesh.colors7].map((set) => set?.data[0] ?? null);

test('texture coordinates are primvars of their role, and pairs that vary over the surface', async () => {
  const pairs = '[(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )';
  const { mesh, codes } = await read(
    `texCoord2f[] primvars:st = ${pairs}
    double2[] primvars:c = ${pairs}
    float2[] primvars:b = ${pairs}
    float2[] primvars:size = [(3, 4)] ( interpolation = "constant" )
    float3[] primvars:wind = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)] ( interpolation = "vertex" )
    texCoord2h[] primvars:a = [(0, 0)] ( interpolation = "constant" )`,
  );
  expect([[...mesh.uvs.keys()], codes]).toEqual([['st', 'a', 'b', 'c'], []]);
  expect([...(mesh.uvs.get('b')?.data ?? [])]).toEqual([0, 0, 1, 0, 1, 1, 0, 1]);
});

describe('colours that no material reads', () => {
  test('leave the first set white where no material reads colours, displayColor too', async () => {
    const { mesh, codes } = await read(`${color('displayColor', 0.25)}\n${color('mask', 0.5)}`);
    expect([reds(mesh), codes]).toEqual([[null, 0.25, 0.5, null], []]);
  });

  test('have no part in opacities that a material reads', async () => {
    const opacity = 'float inputs:opacity.connect = </M/R.outputs:result>';
    const { mesh } = await read(`float[] primvars:alpha = [0.75]\n${color('mask', 0.5)}`, opacity, 'alpha');
    expect([mesh.opacities?.data[0], reds(mesh)]).toEqual([0.75, [null, 0.5, null, null]]);
  });

  test('follow those that a material reads', async () => {
    const diffuse = 'color3f inputs:diffuseColor.connect = </M/R.outputs:result>';
    const { mesh } = await read(`${color('mask', 0.5)}\n${color('paint', 0.25)}`, diffuse, 'paint');
    expect(reds(mesh)).toEqual([0.25, 0.5, null, null]);
  });

  test('are seven at most: eight with the set that is drawn (UC2341)', async () => {
    const sets = Array.from({ length: 8 }, (_, i) => color(`c${i}`, i / 8));
    const { mesh, codes } = await read(sets.join('\n'));
    expect([reds(mesh), codes]).toEqual([[null, 0, 0.125, 0.75], ['UC2341']]);
  });
});
