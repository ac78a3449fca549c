// Subsets whose materials draw different vertex colours: each face has those that its own material reads.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { elementOf, interpolationCode } from '../../../../../src/scene/element.ts';
import type { Attribute, PolygonMesh } from '../../../../../src/scene/types.ts';
import { openGlb } from '../../../../formats/glb/glb.ts';
import { untold } from '../../../../support/command.ts';
import { put, temporaryFolder } from '../../../../support/files.ts';
import { importText } from '../../importText.ts';

/** A material that reads its colour and its opacity from primvars of these names; '': it does not. */
const material = (name: string, color: string, opacity = '') => `
  def Material "${name}" {
    token outputs:surface.connect = </${name}/Surface.outputs:surface>
    def Shader "Surface" {
      uniform token info:id = "UsdPreviewSurface"
      ${color && `color3f inputs:diffuseColor.connect = </${name}/Color.outputs:result>`}
      ${opacity && `float inputs:opacity.connect = </${name}/Opacity.outputs:result>`}
      token outputs:surface
    }
    def Shader "Color" {
      uniform token info:id = "UsdPrimvarReader_float3"
      string inputs:varname = "${color}"
      float3 outputs:result
    }
    def Shader "Opacity" {
      uniform token info:id = "UsdPrimvarReader_float"
      string inputs:varname = "${opacity}"
      float outputs:result
    }
  }`;

/** Two squares side by side, of which the second is a subset. */
const squares = (primvars: string, first: string, second: string) => `
  def Mesh "Squares" ( prepend apiSchemas = ["MaterialBindingAPI"] ) {
    uniform token subdivisionScheme = "none"
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 0, -1), (0, 0, -1), (2, 0, 0), (2, 0, -1)]
    int[] faceVertexCounts = [4, 4]
    int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 5, 2]
    ${primvars}
    rel material:binding = </${first}>
    def GeomSubset "Second" ( prepend apiSchemas = ["MaterialBindingAPI"] ) {
      uniform token elementType = "face"
      uniform token familyName = "materialBind"
      int[] indices = [1]
      rel material:binding = </${second}>
    }
  }`;

const WARM = 'color3f[] primvars:warm = [(1, 0, 0)]';
const COLD = `color4f[] primvars:cold = [(0, 0, 0.5, 0.25), (0, 0, 1, 1)] ( interpolation = "uniform" )`;
const VEIL = `float[] primvars:veil = [0, 0.125, 0.25, 0.375, 0.5, 0.625] ( interpolation = "vertex" )`;

async function read(body: string, keepsSets: boolean): Promise<{ mesh: PolygonMesh; codes: string[] }> {
  const { scene, codes } = await importText(body, undefined, {}, { keepsSets });
  return { mesh: await scene.meshes[0].primitives[0].read(), codes: codes() };
}

/** The values of each corner. */
function corners({ corners, faceCounts }: PolygonMesh, attribute: Attribute | null | undefined): string[] | null {
  if (!attribute) return null;
  const code = interpolationCode(attribute);
  const faces = [...(faceCounts ?? [])].flatMap((count, face) => new Array<number>(count).fill(face));
  return [...corners].map((vertex, corner) => {
    const at = elementOf(code, attribute.indices, corner, vertex, faces[corner]) * attribute.size;
    return attribute.data.slice(at, at + attribute.size).join(' ');
  });
}

const four = (value: string) => new Array<string>(4).fill(value);

describe('materials of one mesh that read different primvars', () => {
  test('give each face what its own reads', async () => {
    const body = squares(`${WARM}\n${COLD}`, 'Warm', 'Cold') + material('Warm', 'warm') + material('Cold', 'cold');
    const { mesh, codes } = await read(body, false);
    expect(corners(mesh, mesh.colors)).toEqual([...four('1 0 0 1'), ...four('0 0 1 1')]);
    expect([mesh.opacities, codes]).toEqual([null, []]);
    const all = await read(body, true);
    expect(corners(all.mesh, all.mesh.colors)).toEqual(corners(mesh, mesh.colors));
    // Either is left out at the other faces, so that both follow as sets of all faces.
    expect(corners(all.mesh, all.mesh.colors1)).toEqual([...four('0 0 0.5 0.25'), ...four('0 0 1 1')]);
    expect(corners(all.mesh, all.mesh.colors2)).toEqual([...four('1 0 0'), ...four('1 0 0')]);
    expect(all.mesh.colors3).toBeUndefined();
  });

  test('leave opacities and colours 1 where the material does not read them', async () => {
    const materials = material('Warm', 'warm') + material('Veil', '', 'veil');
    const { mesh } = await read(squares(`${WARM}\n${VEIL}`, 'Warm', 'Veil') + materials, false);
    expect(corners(mesh, mesh.colors)).toEqual([...four('1 0 0'), ...four('1 1 1')]);
    expect(corners(mesh, mesh.opacities)).toEqual([...four('1'), '0.125', '0.5', '0.625', '0.25']);
  });

  test('keep values as they are where all that draw faces read the same, whatever else is bound', async () => {
    const materials = material('Cold', 'cold') + material('Plain', '');
    const drawn = await read(squares(COLD, 'Cold', 'Plain') + materials, false);
    expect(drawn.mesh.colors).toMatchObject({ interpolation: 'uniform', indices: null });
    const claimed = squares(COLD, 'Plain', 'Cold').replace('int[] indices = [1]', 'int[] indices = [0, 1]');
    const { mesh } = await read(claimed + materials, true);
    expect(mesh.colors).toMatchObject({ interpolation: 'uniform', indices: null });
    expect(mesh.colors1).toBeUndefined();
  });
});

describe('a subset whose material draws no colours', () => {
  const folder = temporaryFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const body = squares(COLD, 'Cold', 'Plain') + material('Cold', 'cold') + material('Plain', '');

  test('is white in the first set, and has the colours in the second', async () => {
    const { mesh } = await read(body, true);
    expect(corners(mesh, mesh.colors)).toEqual([...four('0 0 0.5 0.25'), ...four('1 1 1 1')]);
    expect(corners(mesh, mesh.colors1)).toEqual([...four('0 0 0.5 0.25'), ...four('0 0 1 1')]);
  });

  test('keeps them in a GLB', async () => {
    const source = put(folder, 'squares.usda', `#usda 1.0\n(\n metersPerUnit = 1\n upAxis = "Y"\n)\n${body}`);
    const ran = await untold(folder, ['cook', source, '--out', 'squares.glb', '--no-cache']);
    expect([ran.code, ran.stderr.match(/UC\d{4}/g)]).toEqual([0, null]);
    const { json, rows } = openGlb(new Uint8Array(readFileSync(join(folder, 'squares.glb'))));
    const colors = (set: string) =>
      json.meshes.flatMap(({ primitives }: { primitives: { attributes: Record<string, number> }[] }) =>
        primitives.map(({ attributes }) => {
          const index = attributes[set];
          return index === undefined ? null : [...new Set(rows(index).map((row) => row.join(' ')))].join();
        }),
      );
    // The constant colour that is drawn is that of the material.
    expect(json.materials[0].pbrMetallicRoughness.baseColorFactor).toEqual([0, 0, 0.5, 0.25]);
    expect(colors('COLOR_0')).toEqual(['255 255 255 255', '255 255 255 255']);
    expect(colors('COLOR_1')).toEqual(['0 0 128 64', '0 0 255 255']);
  });
});
