// Textures and layers that are not where the source says, through the command line.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cook = (...args: string[]) =>
  untold(folder, ['cook', ...args, '--out', 'o/x.untold', '--no-cache', '--textures', 'keep']);

/** The names of the textures that were written. */
function textures(): string[] {
  const path = join(folder, 'o/Textures');
  const names = existsSync(path) ? readdirSync(path).map((name) => name.replace(/_[0-9a-f]+\./, '.')) : [];
  rmSync(join(folder, 'o'), { recursive: true, force: true });
  return names;
}

/** A square with a base colour texture, as a layer. */
const layer = (texture: string) => `#usda 1.0
( defaultPrim = "s" )
def Xform "s" {
  def Mesh "m" ( prepend apiSchemas = ["MaterialBindingAPI"] ) {
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]
    texCoord2f[] primvars:st = [(0,0), (1,0), (1,1), (0,1)] ( interpolation = "vertex" )
    rel material:binding = </s/paint>
  }
  def Material "paint" {
    token outputs:surface.connect = </s/paint/p.outputs:surface>
    def Shader "p" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor.connect = </s/paint/t.outputs:rgb>
      token outputs:surface
    }
    def Shader "t" {
      uniform token info:id = "UsdUVTexture"
      asset inputs:file = @${texture}@
      float2 inputs:st.connect = </s/paint/r.outputs:result>
      float3 outputs:rgb
    }
    def Shader "r" {
      uniform token info:id = "UsdPrimvarReader_float2"
      string inputs:varname = "st"
      float2 outputs:result
    }
  }
}
`;

describe('a texture', () => {
  test.each([
    ['/Users/ann/Desktop/textures/wood.png', 'art/textures/wood.png'],
    ['/Users/ann/wood.png', 'art/wood.png'],
    ['C:\\kit\\wood.png', 'art/Textures/wood.png'],
    ['file:///kit/wood.png', 'art/textures/wood.png'],
    ['./maps/wood.png', 'art/textures/wood.png'],
  ])('of the path %s is taken from %s, with a warning that says so', async (path, place) => {
    put(folder, place, RED_PNG);
    for (const [name, text] of [
      ['art/a.usda', layer(path)],
      ['art/a.gltf', squareGltf({ image: path })],
    ]) {
      put(folder, name, text);
      const { code, stderr } = await cook(name);
      expect([code, textures()]).toEqual([0, ['wood.png']]);
      expect(stderr).toMatch(new RegExp(`warning UC1220 .*is taken from ${place}`));
    }
  });

  test('is looked for in search paths, by its path first, outside of the root too', async () => {
    put(folder, 'art/.git/x', '');
    put(folder, 'art/a.usda', layer('maps/wood.png'));
    const missing = await cook('art/a.usda');
    expect([missing.code, textures()]).toEqual([1, []]);
    put(folder, 'pool/wood.png', RED_PNG);
    put(folder, 'lib/maps/wood.png', RED_PNG);
    const { code, stderr } = await cook('art/a.usda', '--search-path', 'pool', '--search-path', 'lib');
    expect([code, textures()]).toEqual([0, ['wood.png']]);
    expect(stderr).toContain('maps/wood.png is taken from lib/maps/wood.png');
    expect((await cook('art/a.usda', '--search-path', 'pool')).stderr).toContain('is taken from pool/wood.png');
    textures();
    // In a preset the folder is relative to the preset.
    put(folder, 'lib/p.json', JSON.stringify({ 'search-path': ['.'] }));
    expect((await cook('art/a.usda', '--pipeline', 'lib/p.json')).stderr).toContain('is taken from lib/maps/wood.png');
  });

  test('is read from where --remap says, without a warning', async () => {
    put(folder, 'pool/wood.png', RED_PNG);
    put(folder, 'a.usda', layer('/Users/ann/maps/wood.png'));
    const { code, stderr } = await cook('a.usda', '--remap', '/Users/ann/maps=pool');
    expect([code, textures(), stderr.includes('UC1220')]).toEqual([0, ['wood.png'], false]);
    // A name that begins alike is another folder.
    expect((await cook('a.usda', '--remap', '/Users/ann/map=pool')).code).toBe(1);
    put(folder, 'b.gltf', squareGltf({ image: 'maps/wood.png' }));
    expect([(await cook('b.gltf', '--remap', 'maps=pool')).code, textures()]).toEqual([0, ['wood.png']]);
    expect((await cook('a.usda', '--remap', 'pool')).stderr).toMatch(/UC1003 --remap.*OLD=NEW/);
  });

  test.each(['drop', 'placeholder'])(
    'of an absolute path that is nowhere is left to --missing-texture %s',
    async (what) => {
      for (const path of ['/Users/ann/wood.png', 'C:\\wood.png', 'https://kit.example/wood.png']) {
        put(folder, 'a.usda', layer(path));
        put(folder, 'b.gltf', squareGltf({ image: path }));
        for (const name of ['a.usda', 'b.gltf']) {
          expect((await cook(name)).code).toBe(1);
          expect((await cook(name, '--missing-texture', what)).code).toBe(0);
        }
      }
    },
  );
});

test('a layer is looked for in search paths and moved folders', async () => {
  put(
    folder,
    'lib/kit/tree.usda',
    '#usda 1.0\n( defaultPrim = "m" )\ndef Mesh "m" {\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\npoint3f[] points = [(0,0,0), (1,0,0), (0,1,0)]\n}\n',
  );
  put(folder, 'a.usda', '#usda 1.0\ndef "t" ( references = @kit/tree.usda@ ) {}\n');
  put(folder, 'b.usda', '#usda 1.0\ndef "t" ( references = @/net/kit/tree.usda@ ) {}\n');
  expect([(await cook('a.usda')).code, (await cook('b.usda')).code]).toEqual([1, 1]);
  const { code, stderr } = await cook('a.usda', '--search-path', 'lib');
  expect([code, stderr]).toEqual([0, expect.stringContaining('kit/tree.usda is taken from lib/kit/tree.usda')]);
  expect((await cook('b.usda', '--remap', '/net=lib')).code).toBe(0);
  expect((await untold(folder, ['inspect', 'b.usda', '--remap', '/net=lib'])).stdout).toContain('1 triangle');
});

describe('another folder to search, or another remap, has cooked again', () => {
  const all = (...args: string[]) =>
    untold(folder, ['cook', 'art', '--out', 'tiles', '--root', 'art', '--cache-dir', 'cache', ...args]);
  const cooked = (stderr: string) =>
    [...stderr.matchAll(/^\[\d+\/\d+\] art\/(\S+): (?!up to date)/gm)].map(([, name]) => name);

  beforeEach(async () => {
    put(folder, 'art/near/red.png', RED_PNG);
    put(folder, 'art/near.gltf', squareGltf({ image: 'near/red.png' }));
    put(folder, 'art/lost.gltf', squareGltf({ image: 'lost/wall.png' }));
    put(folder, 'art/layer.usda', layer('near/red.png'));
    expect((await all('--missing-texture', 'drop', '-q')).code).toBe(0);
  });

  test('those of which a file is found elsewhere', async () => {
    put(folder, 'moved/wall.png', RED_PNG);
    const args = ['--missing-texture', 'drop', '--search-path', 'moved'];
    const { stderr, code } = await all(...args, '--explain-rebuild');
    expect([code, cooked(stderr)]).toEqual([0, ['lost.gltf']]);
    expect(stderr).toContain('  lost/wall.png is found at moved/wall.png, before at art/lost/wall.png\n');
    expect(cooked((await all(...args)).stderr)).toEqual([]);
    // The record is of the cook with the folder: without it the texture is lost again.
    expect(cooked((await all('--missing-texture', 'drop')).stderr)).toEqual(['lost.gltf']);
    const remapped = await all('--missing-texture', 'drop', '--remap', 'lost=moved');
    expect(cooked(remapped.stderr)).toEqual(['lost.gltf']);
  });

  test('none, where what is searched holds nothing that is asked for', async () => {
    put(folder, 'moved/other.png', RED_PNG);
    const args = ['--missing-texture', 'drop', '--search-path', 'moved'];
    expect(cooked((await all(...args)).stderr)).toEqual([]);
    // The folder is asked each time: a file that comes into it later is found.
    put(folder, 'moved/wall.png', RED_PNG);
    expect(cooked((await all(...args)).stderr)).toEqual(['lost.gltf']);
  });

  test('a source whose file lies outside of the root, once its folder is not named any more', async () => {
    put(folder, 'moved/wall.png', RED_PNG);
    put(folder, 'art/lost.gltf', squareGltf({ image: join(folder, 'moved/wall.png') }));
    const named = ['--missing-texture', 'drop', '--search-path', 'moved'];
    expect(cooked((await all(...named)).stderr)).toEqual(['lost.gltf']);
    expect(cooked((await all('--missing-texture', 'drop')).stderr)).toEqual(['lost.gltf']);
  });
});
