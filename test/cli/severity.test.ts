// What is printed of many diagnostics: which are hidden, raised, shortened, and said once.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

const mesh = (name: string, material: string) => `
def Mesh "${name}" (prepend apiSchemas = ["MaterialBindingAPI"]) {
  uniform token subdivisionScheme = "none"
  int[] faceVertexCounts = [3]
  int[] faceVertexIndices = [0, 1, 2]
  point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
  rel material:binding = </${material}>
}`;

const material = (name: string, coordinates: string) => `
def Material "${name}" {
  token outputs:surface.connect = </${name}/surface.outputs:surface>
  def Shader "surface" {
    uniform token info:id = "UsdPreviewSurface"
    color3f inputs:diffuseColor.connect = </${name}/image.outputs:rgb>
    token outputs:surface
  }
  def Shader "image" {
    uniform token info:id = "UsdUVTexture"
    asset inputs:file = @red.png@
    ${coordinates}
    float3 outputs:rgb
  }
  def Shader "st" {
    uniform token info:id = "UsdPrimvarReader_float2"
    string inputs:varname = "map1"
    float2 outputs:result
  }
}`;

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'red.png', RED_PNG);
  const read = `float2 inputs:st.connect = </read/st.outputs:result>`;
  const meshes = Array.from({ length: 8 }, (_, i) => mesh(`m${i}`, 'read')).join('');
  const stage = '#usda 1.0\n(upAxis = "Y"\nmetersPerUnit = 1)\n';
  put(
    folder,
    'many.usda',
    `${stage}${meshes}${material('read', read)}\ndef Mesh "sky" {\n  token visibility = "invisible"\n}\n`,
  );
  put(folder, 'guess.usda', `${stage}${mesh('m', 'guess')}${material('guess', '')}`);
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cook = (source: string, ...args: string[]) =>
  untold(folder, ['cook', source, '--out', 'o', '--textures', 'keep', '--no-cache', '--force', ...args]);

const codes = (stdout: string): string[] =>
  JSON.parse(stdout).results[0].diagnostics.map((item: { code: string; severity: string }) => item.code);

describe('diagnostics of one code', () => {
  test('beyond five are counted, with --verbose all are shown', async () => {
    const { code, stderr } = await cook('many.usda');
    expect(code).toBe(0);
    expect(stderr.match(/^warning UC1916 /gm)).toHaveLength(5);
    expect(stderr).toContain('  and 3 more like this: UC1916 (--verbose for all)\n');
    expect(stderr).toMatch(/^1 of 1 source cooked, 8 warnings, \d+ notes? \(-v shows them\): /m);
    expect((await cook('many.usda', '--verbose')).stderr.match(/^warning UC1916 /gm)).toHaveLength(8);
  });

  test('that --hide names are in the count and in --json alone', async () => {
    const { code, stderr, stdout } = await cook('many.usda', '--hide', 'UC1916', '--json');
    expect(code).toBe(0);
    expect(stderr).not.toContain('UC1916');
    expect(stderr).toMatch(/^1 of 1 source cooked, 8 warnings, \d+ notes? \(-v shows them\): /m);
    expect(codes(stdout).filter((item) => item === 'UC1916')).toHaveLength(8);
  });

  test('that are errors are never hidden', async () => {
    const { code, stderr } = await cook('many.usda', '--hide', 'UC1916', '--strict');
    expect([code, stderr.match(/^error UC1916 /gm)?.length]).toEqual([1, 5]);
    expect(await cook('many.usda', '--hide', 'UC9999')).toMatchObject({ code: 2 });
  });
});

describe('a note', () => {
  test('is a warning with --warn, and an error with --strict too', async () => {
    expect((await cook('many.usda')).stderr).not.toContain('UC1820');
    expect((await cook('many.usda', '--warn', 'UC1820')).stderr).toMatch(/^warning UC1820 many\.usda \/sky: /m);
    expect(await cook('many.usda', '--warn', 'uc1820', '--allow', 'UC1916', '--strict')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error UC1820 /m),
    });
  });

  test('never makes an error less', async () => {
    const { code, stderr } = await cook('many.usda', '--warn', 'UC1203');
    expect([code, stderr]).toEqual([2, expect.stringContaining('UC1203 is an error')]);
  });

  test('of a file is shown by inspect for --verbose alone', async () => {
    expect((await untold(folder, ['inspect', 'many.usda'])).stderr).not.toContain('UC1820');
    expect((await untold(folder, ['inspect', 'many.usda', '-v'])).stderr).toContain('info UC1820');
  });
});

test('coordinates that are missing are said once', async () => {
  expect(codes((await cook('many.usda', '--json')).stdout)).not.toContain('UC2012');
  expect(
    codes((await cook('guess.usda', '--json')).stdout).filter((code) => /UC1907|UC1916|UC2012/.test(code)),
  ).toEqual(['UC1907']);
});

test('inspect names the format of image files', async () => {
  expect((await cook('town.gltf', '--out', 'town.untold')).code).toBe(0);
  const { stdout } = await untold(folder, ['inspect', 'town.untold']);
  expect(stdout).toMatch(/\.png {2}PNG {2,}1x1/);
  expect(stdout).not.toContain('unknown');
});
