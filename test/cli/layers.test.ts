// A scene of many layers, composed and cooked through the command line: references to kits in folders of their own,
// sublayers, payloads, variants, and textures beside the layers that name them.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeScene();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const head = (more = '') => `#usda 1.0\n(\n  metersPerUnit = 1\n  upAxis = "Y"\n  ${more}\n)\n`;

/** A row of `count` squares of two triangles in the XY plane, with UVs. */
const row = (name: string, count: number, more = '') => `def Mesh "${name}" (
  prepend apiSchemas = ["MaterialBindingAPI"]
) {
  int[] faceVertexCounts = [${Array(count).fill(4).join(', ')}]
  int[] faceVertexIndices = [${Array.from({ length: 4 * count }, (_, i) => i).join(', ')}]
  point3f[] points = [${Array.from({ length: count }, (_, i) => `(${i}, 0, 0), (${i + 1}, 0, 0), (${i + 1}, 1, 0), (${i}, 1, 0)`).join(', ')}]
  texCoord2f[] primvars:st = [${Array(count).fill('(0, 0), (1, 0), (1, 1), (0, 1)').join(', ')}] (
    interpolation = "vertex"
  )
  uniform token subdivisionScheme = "none"
  ${more}
}
`;

/** The car references its body, and four times its wheel, of which there is a plain and a fine one. */
function writeScene(): void {
  put(folder, 'kit/wheel/geo/plain.usda', `${head('defaultPrim = "Wheel"')}def Xform "Wheel" {\n${row('Rim', 1)}}\n`);
  put(folder, 'kit/wheel/geo/fine.usda', `${head('defaultPrim = "Wheel"')}def Xform "Wheel" {\n${row('Rim', 5)}}\n`);
  put(
    folder,
    'kit/wheel/wheel.usda',
    `${head('defaultPrim = "Wheel"')}def Xform "Wheel" (
  prepend variantSets = "detail"
  variants = { string detail = "plain" }
) {
  variantSet "detail" = {
    "plain" ( prepend payload = @./geo/plain.usda@ ) {
    }
    "fine" ( prepend payload = @./geo/fine.usda@ ) {
    }
  }
}
`,
  );
  put(folder, 'kit/looks/red.png', RED_PNG);
  put(
    folder,
    'kit/looks/paint.usda',
    `${head()}over "Body" {
  over "Shell" {
    rel material:binding = </Body/Paint>
  }
  def Material "Paint" {
    token outputs:surface.connect = </Body/Paint/Surface.outputs:surface>
    def Shader "Surface" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor.connect = </Body/Paint/Image.outputs:rgb>
      token outputs:surface
    }
    def Shader "Image" {
      uniform token info:id = "UsdUVTexture"
      asset inputs:file = @red.png@
      token inputs:wrapS = "repeat"
      token inputs:wrapT = "repeat"
      float2 inputs:st.connect = </Body/Paint/Reader.outputs:result>
      float3 outputs:rgb
    }
    def Shader "Reader" {
      uniform token info:id = "UsdPrimvarReader_float2"
      string inputs:varname = "st"
      float2 outputs:result
    }
  }
}
`,
  );
  const shell = `def Xform "Body" {\n${row('Shell', 3)}}\n`;
  put(folder, 'kit/body.usda', `${head('defaultPrim = "Body"\n  subLayers = [@looks/paint.usda@]')}${shell}`);
  const wheels = [0, 1, 2, 3].map(
    (i) => `  def "Wheel_${i}" ( prepend references = @../kit/wheel/wheel.usda@ ) {
    double3 xformOp:translate = (${i * 10}, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
  }
`,
  );
  put(
    folder,
    'cars/car.usda',
    `${head('defaultPrim = "Car"')}def Xform "Car" {
  def "Body" ( prepend references = @../kit/body.usda@ ) {
  }
${wheels.join('')}}
`,
  );
}

async function cook(...args: string[]) {
  const ran = await untold(folder, ['cook', 'cars/car.usda', '--root', '.', '--out', 'tiles', '--json', ...args]);
  return { code: ran.code, result: JSON.parse(ran.stdout).results[0] };
}

describe('a car of many layers', () => {
  test('is cooked, and what was written is valid', async () => {
    const { code, result } = await cook();
    expect([code, result.diagnostics]).toEqual([0, []]);
    // Three squares of the body and one for each of four wheels; the texture that a sublayer of the body names.
    expect(result.totals).toMatchObject({ objects: 5, trianglesIn: 14, trianglesOut: 14, textures: 1 });
    const checked = await untold(folder, ['validate', '--strict', '--json', 'tiles']);
    expect([checked.code, JSON.parse(checked.stdout).files.every((file: { ok: boolean }) => file.ok)]).toEqual([
      0,
      true,
    ]);
  });

  test('has other triangles with other variants', async () => {
    expect((await cook('--variant', '/Car/Wheel_2:detail=fine')).result.totals.trianglesIn).toBe(14 + 8);
  });

  test('without one of its layers ends the cook, or is cooked without it when that is asked for', async () => {
    rmSync(join(folder, 'kit/wheel/geo/plain.usda'));
    const lost = await cook();
    expect([lost.code, lost.result.status, lost.result.outputs]).toEqual([1, 'failed', []]);
    expect(existsSync(join(folder, 'tiles'))).toBe(false);
    expect(lost.result.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('plain.usda') }),
    );
    const dropped = await cook('--missing-asset', 'drop');
    expect([dropped.code, dropped.result.totals.trianglesIn]).toEqual([0, 6]);
    const told = dropped.result.diagnostics as { code: string; severity: string }[];
    expect(told).toContainEqual(expect.objectContaining({ code: 'UC1719', severity: 'warning' }));
    expect(told.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect((await untold(folder, ['validate', 'tiles'])).code).toBe(0);
  });
});
