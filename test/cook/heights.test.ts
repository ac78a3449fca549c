// Displacement of USD as height maps of the engine: depth in texture coordinates, worked out by hand, and texels of 16 bits.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { NONE } from '../../src/formats/untold/types.ts';
import { readUtex } from '../../src/formats/utex/read.ts';
import { encodePng } from '../../src/textures/encode/png.ts';
import { untold } from '../support/command.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heights-'));
  // Red 0, 51, 102, 255.
  const data = Uint8Array.of(0, 9, 9, 51, 9, 9, 102, 9, 9, 255, 9, 9);
  writeFileSync(join(folder, 'rock.png'), await encodePng(data, 2, 2, false));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A square of four metres a side with texture coordinates from 0 to `tiles`. */
const square = (tiles: number) => `def Mesh "Ground" (prepend apiSchemas = ["MaterialBindingAPI"])
{
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0)]
    texCoord2f[] primvars:st = [(0, 0), (0, ${tiles}), (${tiles}, ${tiles}), (${tiles}, 0)] ( interpolation = "vertex" )
    uniform token subdivisionScheme = "none"
    rel material:binding = </Rock>
}`;

const nodes = (sampling: string) => `def Shader "Reader"
    {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname = "st"
        float2 outputs:result
    }
    def Shader "Texture"
    {
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @rock.png@
        float2 inputs:st.connect = </Rock/Reader.outputs:result>
        token inputs:wrapS = "repeat"
        token inputs:wrapT = "repeat"
        token inputs:sourceColorSpace = "raw"
        ${sampling}
        float outputs:r
    }`;

const preview = (sampling: string) => `def Material "Rock"
{
    token outputs:surface.connect = </Rock/Surface.outputs:surface>
    token outputs:displacement.connect = </Rock/Surface.outputs:displacement>
    def Shader "Surface"
    {
        uniform token info:id = "UsdPreviewSurface"
        float inputs:displacement.connect = </Rock/Texture.outputs:r>
        token outputs:surface
        token outputs:displacement
    }
    ${nodes(sampling)}
}`;

const materialX = (scale: number) => `def Material "Rock"
{
    token outputs:mtlx:surface.connect = </Rock/Surface.outputs:out>
    token outputs:mtlx:displacement.connect = </Rock/Displacement.outputs:out>
    def Shader "Surface"
    {
        uniform token info:id = "ND_standard_surface_surfaceshader"
        token outputs:out
    }
    def Shader "Displacement"
    {
        uniform token info:id = "ND_displacement_float"
        float inputs:displacement.connect = </Rock/Image.outputs:out>
        float inputs:scale = ${scale}
        token outputs:out
    }
    def Shader "Image"
    {
        uniform token info:id = "ND_image_float"
        asset inputs:file = @rock.png@
        float outputs:out
    }
}`;

async function cook(tiles: number, material: string, ...args: string[]) {
  writeFileSync(
    join(folder, 'ground.usda'),
    `#usda 1.0\n(\n upAxis = "Y"\n metersPerUnit = 1\n)\n${square(tiles)}\n${material}\n`,
  );
  const cooked = ['cook', 'ground.usda', '--out', 'out/ground.untold', '--no-cache', '--force', '--json', ...args];
  const { code, stdout, stderr } = await untold(folder, cooked);
  if (code !== 0) throw new Error(stderr + stdout);
  const codes = [...new Set([...stdout.matchAll(/UC\d{4}/g)].map(([found]) => found))];
  const scene = await readUntold(readFileSync(join(folder, 'out/ground.untold')), 'ground.untold');
  const [material0] = scene.materials;
  return { codes, scene, height: material0.height, texture: scene.textures[material0.heightTexture] };
}

test('a displacement becomes depth in texture coordinates, with the mesh where it is 0', async () => {
  // 0.2 m from the lowest to the highest; two repeats over four metres; 0 at a quarter.
  const sampling = 'float4 inputs:scale = (0.2, 1, 1, 1)\n float4 inputs:bias = (-0.05, 0, 0, 0)';
  const { height, texture, scene, codes } = await cook(2, preview(sampling));
  expect(codes).toEqual([]);
  expect(height).toEqual({ scale: Math.fround(0.1), midlevel: 0.25, remapMin: 0, remapMax: 1 });
  // R16, which the engine calls 9, with the flag of heights.
  expect([texture.format, texture.flags, texture.width, texture.height]).toEqual([9, 8, 2, 2]);
  const { header, mips } = readUtex(readFileSync(join(folder, 'out', texture.uri)), texture.uri);
  expect(header.pixelFormat).toBe(20);
  const texels = new Uint16Array(Uint8Array.from(mips[0].bytes).buffer);
  expect([...texels]).toEqual([0, 51 * 257, 102 * 257, 65535]);
  expect(mips.map(({ width }) => width)).toEqual([2, 1]);
  expect(scene.materials[0].normalTexture).toBe(NONE);
  expect((await untold(folder, ['validate', 'out/ground.untold'])).code).toBe(0);
});

test('a record of version 4 holds it, at these bytes', async () => {
  await cook(
    2,
    preview('float4 inputs:scale = (0.2, 1, 1, 1)\n float4 inputs:bias = (-0.1, 0, 0, 0)'),
    '--compress',
    'none',
  );
  const file = readFileSync(join(folder, 'out/ground.untold'));
  expect(file.readUInt32LE(8)).toBe(4);
  // 0.1 as a float, 0.5, 0, 1: scale, midlevel and remap, one after the other.
  const bytes = Buffer.from('cdcccc3d' + '0000003f' + '00000000' + '0000803f', 'hex');
  expect(file.includes(bytes)).toBe(true);
});

test('a negative displacement turns the texels around', async () => {
  const { height, texture } = await cook(2, preview('float4 inputs:scale = (-0.2, 1, 1, 1)'));
  // White lies deepest, black at the mesh: 1 after the turn.
  expect(height).toEqual({ scale: Math.fround(0.1), midlevel: 1, remapMin: 0, remapMax: 1 });
  const { mips } = readUtex(readFileSync(join(folder, 'out', texture.uri)), texture.uri);
  expect([...new Uint16Array(Uint8Array.from(mips[0].bytes).buffer)]).toEqual([65535, 204 * 257, 153 * 257, 0]);
});

test('16 bits are kept', async () => {
  const values = Uint16Array.of(0, 1, 300, 65535);
  const deep = await sharp(values, { raw: { width: 2, height: 2, channels: 1 } })
    .toColourspace('grey16')
    .png()
    .toBuffer();
  writeFileSync(join(folder, 'deep.png'), deep);
  const of = async (scale: number) => {
    const sampling = `float4 inputs:scale = (${scale}, 1, 1, 1)`;
    const { texture } = await cook(2, preview(sampling).replace('rock.png', 'deep.png'));
    const { mips } = readUtex(readFileSync(join(folder, 'out', texture.uri)), texture.uri);
    return [...new Uint16Array(Uint8Array.from(mips[0].bytes).buffer)];
  };
  expect(await of(0.2)).toEqual([0, 1, 300, 65535]);
  expect(await of(-0.2)).toEqual([65535, 65534, 65235, 0]);
});

test('the displacement of MaterialX has its scale', async () => {
  const { height, codes } = await cook(2, materialX(0.25));
  expect(height).toEqual({ scale: 0.125, midlevel: 0, remapMin: 0, remapMax: 1 });
  expect(codes).toEqual([]);
});

test('more than 0.2 of a texture is left out, which is said', async () => {
  const deep = await cook(4, materialX(0.25));
  expect([deep.height, deep.texture, deep.codes]).toEqual([null, undefined, ['UC2123']]);
  // The same displacement where the texture covers more.
  expect((await cook(1, materialX(0.25))).height?.scale).toBe(0.0625);
});

test('a constant has no counterpart, and other targets say what they leave out', async () => {
  const constant = materialX(0.25).replace(
    'float inputs:displacement.connect = </Rock/Image.outputs:out>',
    'float inputs:displacement = 0.5',
  );
  expect((await cook(2, constant)).codes).toEqual(['UC1914']);
  await cook(2, materialX(0.25));
  const glb = await untold(folder, ['cook', 'ground.usda', '--out', 'ground.glb', '--no-cache']);
  expect(glb.stderr).toContain('UC2337');
  const model = await untold(folder, ['cook', 'ground.usda', '--out', 'u/ground.mdl', '--no-cache']);
  expect(model.stderr).toContain('UC2337');
});

test('a cooked file keeps its height map when it is cooked again', async () => {
  const first = await cook(2, materialX(0.25));
  const again = ['cook', 'out/ground.untold', '--out', 'again/ground.untold', '--no-cache'];
  expect((await untold(folder, again)).code).toBe(0);
  const { materials } = await readUntold(readFileSync(join(folder, 'again/ground.untold')), 'ground.untold');
  expect(materials[0].height).toEqual(first.height);
});
