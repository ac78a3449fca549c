// KTX2 files with blocks of ASTC: blocks that are what the cooker would write pass unchanged, all others are decoded.

import { describe, expect, it } from 'vitest';
import { textureFiles } from '../../src/formats/textureFiles.ts';
import { readUtex } from '../../src/formats/utex/read.ts';
import { decodeImage } from '../../src/textures/decode/decode.ts';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import { probeImage } from '../../src/textures/decode/probe.ts';
import { type FileRequest, makeFile } from '../../src/textures/makeFile.ts';
import { KEPT_TEXTURES, type TextureSettings } from '../../src/textures/types.ts';
import { solidBlock } from '../formats/utex/textures.ts';
import { type AstcKtx2Options, astcKtx2 } from './ktx2File.ts';

const UTEX: TextureSettings = { ...KEPT_TEXTURES, mode: 'utex' };
const OPAQUE = solidBlock(200, 100, 50, 255);
const GLASS = solidBlock(10, 20, 30, 128);
/** A void extent of the HDR profile. */
const HDR_BLOCK = [0xfc, 0xff, ...OPAQUE.slice(2)];

async function made(options: AstcKtx2Options, change: Partial<FileRequest> = {}, settings = UTEX) {
  const bytes = astcKtx2(options);
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) throw new Error(info.message);
  const { width, height } = info;
  const request: FileRequest = {
    maxPixels: 2 ** 20,
    texels: {
      kind: 'recipe',
      images: [{ index: 0, bytes, info }],
      recipe: {
        parts: [{ image: 0, map: [1, 0, 0, 1, 0, 0], wrapS: 'repeat', wrapT: 'repeat', srgb: true }],
        channels: [0, 1, 2, 3].map((channel) => ({ part: 0, channel, scale: 1, bias: 0 })),
        srgb: true,
        normals: false,
        width,
        height,
      },
      charts: null,
    },
    use: 'color',
    role: 'color',
    drawsAlpha: true,
    alphaCutoff: null,
    roughness: null,
    ...change,
  };
  const outcome = await makeFile(request, textureFiles(settings));
  if (!('file' in outcome)) return outcome.fault;
  const utex = readUtex(outcome.file.bytes, '');
  return { utex, file: outcome.file, blocks: utex.mips.map(({ bytes: of }) => [...of]), given: levelsOf(options) };
}

const levelsOf = ({ width, height, levels, block, block2 = block }: AstcKtx2Options): number[][] =>
  Array.from({ length: levels }, (_, level) => {
    const across = Math.ceil(Math.max(1, width >> level) / 4);
    const count = across * Math.ceil(Math.max(1, height >> level) / 4);
    return Array.from({ length: count }, (_, i) => (i % 2 === 0 ? block : block2)).flat();
  });

// Two colours next to each other would not survive a decoder and an encoder with exactly these bytes.
const PAIR: AstcKtx2Options = { width: 16, height: 8, levels: 5, block: OPAQUE, block2: solidBlock(0, 255, 3, 255) };

describe('blocks of ASTC', () => {
  it('pass unchanged where they are what the cooker writes', async () => {
    const result = await made(PAIR);
    if (!('utex' in result)) throw new Error(result.message);
    expect(result.blocks).toEqual(result.given);
    expect(result.file).toMatchObject({ width: 16, height: 8, mipCount: 5, format: 4, extension: 'utex' });
    expect(result.utex.header).toMatchObject({ pixelFormat: 186, flags: 0 });
  });

  it('pass with alpha where alpha is drawn', async () => {
    const drawn = await made({ ...PAIR, block2: GLASS });
    if (!('utex' in drawn)) throw new Error(drawn.message);
    expect(drawn.blocks).toEqual(drawn.given);
    expect(drawn.utex.header.flags).toBe(1);
    const opaque = await made({ ...PAIR, block2: GLASS }, { drawsAlpha: false });
    if (!('utex' in opaque)) throw new Error(opaque.message);
    expect(opaque.blocks).not.toEqual(opaque.given);
    expect(opaque.utex.header.flags).toBe(0);
  });

  const other: [string, Partial<AstcKtx2Options>, Partial<FileRequest>, Partial<TextureSettings>][] = [
    ['a chain that ends early', { levels: 4 }, {}, {}],
    ['sides that are no powers of two', { width: 12, levels: 4 }, {}, {}],
    ['linear blocks', { format: 157 }, {}, {}],
    ['premultiplied alpha', { flags: 1 }, {}, {}],
    ['another role', {}, { role: 'data' }, {}],
    ['a normal map', {}, { role: 'normal' }, {}],
    ['a cut-out', {}, { alphaCutoff: 0.5 }, {}],
    ['a smaller size', {}, {}, { maxSize: 8 }],
  ];
  it.each(other)('are decoded and encoded for %s', async (_, options, change, settings) => {
    const result = await made({ ...PAIR, ...options }, change, { ...UTEX, ...settings });
    if (!('utex' in result)) throw new Error(result.message);
    expect(result.blocks).not.toEqual(result.given);
    expect(result.utex.mips.at(-1)).toMatchObject({ width: 1, height: 1 });
  });

  it('are decoded in every footprint', async () => {
    for (let format = 157; format <= 184; format++) {
      const bytes = astcKtx2({ width: 13, height: 7, levels: 1, block: OPAQUE, format });
      const info = await probeImage(bytes);
      const pixels = info instanceof ImageFault ? info : await decodeImage(bytes, info);
      if (pixels instanceof ImageFault) throw new Error(`${format}: ${pixels.message}`);
      expect([pixels.width, pixels.height]).toEqual([13, 7]);
      for (let i = 0; i < pixels.data.length; i += 4) {
        expect([...pixels.data.subarray(i, i + 4)]).toEqual([200, 100, 50, 255]);
      }
    }
  });

  it('are refused where they are of the HDR profile or compressed again', async () => {
    expect(await made({ ...PAIR, block: HDR_BLOCK })).toMatchObject({ kind: 'damaged' });
    // A smaller level that is broken is made anew from the largest.
    const result = await made({ ...PAIR, lastBlock: HDR_BLOCK });
    if (!('utex' in result)) throw new Error(result.message);
    expect(result.blocks.at(-1)).not.toEqual(HDR_BLOCK);
    expect(await probeImage(astcKtx2({ ...PAIR, scheme: 2 }))).toMatchObject({ kind: 'unsupported' });
    expect(await probeImage(astcKtx2({ ...PAIR, model: 166 }))).toMatchObject({ kind: 'unsupported' });
  });

  it('are refused where the file is cut', async () => {
    const bytes = astcKtx2(PAIR);
    for (let length = 12; length < bytes.length; length += 7) {
      expect(await probeImage(bytes.slice(0, length))).toMatchObject({ kind: 'cut' });
    }
  });
});
