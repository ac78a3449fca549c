// Where texture paths lead: beside a loose layer, inside a package, and nowhere else.

import { describe, expect, it } from 'vitest';
import { Diagnostics, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import { importUsd } from '../../../src/importers/usd/index.ts';
import { quad, usda } from './importText.ts';
import { usdz } from './usdzWriter.ts';

const TEXT = new TextEncoder();

/** A scene whose material reads these texture paths as base colour and roughness. */
function scene(...paths: string[]): Uint8Array {
  const slots = ['color3f inputs:diffuseColor', 'float inputs:roughness', 'float inputs:metallic'];
  const shader = (path: string, i: number) => `def Shader "t${i}" {
      uniform token info:id = "UsdUVTexture"
      asset inputs:file = @${path}@
    }`;
  return usda(`${quad('m', 'rel material:binding = </M>')}
    def Material "M" {
      token outputs:surface.connect = </M/s.outputs:surface>
      def Shader "s" {
        uniform token info:id = "UsdPreviewSurface"
        ${paths.map((_, i) => `${slots[i]}.connect = </M/t${i}.outputs:${i === 0 ? 'rgb' : 'r'}>`).join('\n')}
      }
      ${paths.map(shader).join('\n')}
    }`);
}

async function load(path: string, bytes: Uint8Array, files: Readonly<Record<string, Uint8Array>> = {}, root = '/root') {
  const context = { files: memoryFiles(files, root), diagnostics: new Diagnostics(), options: {} };
  return importUsd(path, memoryContent(bytes), context);
}

async function codeOf(read: () => Promise<unknown>): Promise<string> {
  try {
    await read();
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics[0].code;
    throw error;
  }
  return 'none';
}

describe('textures of a loose layer', () => {
  it('lie relative to the layer, up to the asset root, and are read when asked', async () => {
    const files = { '/root/tex/a.png': TEXT.encode('A'), '/root/town/b.png': TEXT.encode('B') };
    const { images } = await load('/root/town/s.usda', scene('../tex/a.png', './b.png', 'b.png'), files);
    expect(images.map((i) => i.file)).toEqual(['/root/tex/a.png', '/root/town/b.png']);
    expect(new TextDecoder().decode(await images[0].read())).toBe('A');
    expect(new TextDecoder().decode(await images[1].read())).toBe('B');
  });

  it.each([
    ['missing.png', 'UC1203'],
    ['../../out.png', 'UC1204'],
    ['/abs.png', 'UC1205'],
    ['C:\\abs.png', 'UC1205'],
    ['https://host/a.png', 'UC1205'],
  ])('%s is refused when it is read: %s', async (path, code) => {
    const { images } = await load('/root/town/s.usda', scene(path), {});
    expect(images[0].uri).toBe(path);
    expect(await codeOf(() => images[0].read())).toBe(code);
  });

  it('may lie in a package beside the layer', async () => {
    const files = {
      '/root/p.usdz': usdz([
        ['a.usda', scene()],
        ['0/x.png', TEXT.encode('X')],
      ]),
    };
    const { images } = await load('/root/s.usda', scene('p.usdz[0/x.png]'), files);
    expect(images[0].file).toBe('/root/p.usdz[0/x.png]');
    expect(new TextDecoder().decode(await images[0].read())).toBe('X');
  });
});

describe('textures of a package', () => {
  it('lie relative to the layer in the package, else to its root layer', async () => {
    const bytes = usdz([
      ['sub/s.usda', scene('0/a.png', './0/a.png')],
      ['sub/0/a.png', TEXT.encode('A')],
    ]);
    const found = await load('/root/p.usdz', bytes);
    expect(found.kind).toBe('usdz');
    expect(found.images.map((i) => i.file)).toEqual(['/root/p.usdz[sub/0/a.png]']);
    expect(new TextDecoder().decode(await found.images[0].read())).toBe('A');
  });

  it('never lie outside of it', async () => {
    const files = { '/root/a.png': TEXT.encode('A') };
    const { images } = await load('/root/p.usdz', usdz([['s.usda', scene('a.png', '../a.png', '/root/a.png')]]), files);
    const codes = await Promise.all(images.map((image) => codeOf(() => image.read())));
    expect(codes).toEqual(['UC1608', 'UC1205', 'UC1609']);
    expect(images.map((i) => i.file)).toEqual(['', '', '']);
  });

  it('may lie in a package in the package', async () => {
    const inner = usdz([
      ['i.usda', scene()],
      ['x.png', TEXT.encode('X')],
    ]);
    const { images } = await load(
      '/root/p.usdz',
      usdz([
        ['s.usda', scene('in/i.usdz[x.png]')],
        ['in/i.usdz', inner],
      ]),
    );
    expect(images[0].file).toBe('/root/p.usdz[in/i.usdz[x.png]]');
    expect(new TextDecoder().decode(await images[0].read())).toBe('X');
  });
});

describe('content decides, not the name', () => {
  it('text, crate and package are told apart; anything else is refused', async () => {
    expect((await load('/root/s.usdc', scene())).kind).toBe('usda');
    expect(await codeOf(() => load('/root/s.usda', TEXT.encode('nothing')))).toBe('UC1201');
  });
});
