// Cooks texels to a .utex file: the size that the engine streams, mips down to one texel, and blocks of ASTC. The whole of a
// texture happens in the kernel's memory.

import { type Kernel, kernel } from '../../kernel/kernel.ts';
import { mipsOf } from '../../textures/atlas/mips.ts';
import { astcBlockSide, astcBytes, encodeAstc, encodeAstcAt } from '../../textures/encode/astc.ts';
import { encodeWithAstcenc } from '../../textures/encode/astcenc.ts';
import { fitSize } from '../../textures/mips/fitSize.ts';
import { placeMipChain } from '../../textures/mips/mipChain.ts';
import { placeImage, readLevel } from '../../textures/mips/place.ts';
import { placeResized } from '../../textures/mips/resize.ts';
import type { GreyPixels, MipLevel, MipOptions, NormalLengths, PlacedLevel } from '../../textures/mips/types.ts';
import type {
  TexelImage,
  TexelUse,
  TextureFile,
  TextureQuality,
  TextureRole,
  TextureSettings,
} from '../../textures/types.ts';
import { PIXEL_FORMATS, type PixelFormat, UTEX_FLAGS } from './layout.ts';
import { type WrittenMip, writeUtex } from './write.ts';

/** ASTC 4x4 in sRGB, 4x4 and 6x6 linear, R16: what the engine's own tool stores for these slots. Raw values of MTLPixelFormat. */
const PIXEL_FORMAT: Readonly<Record<TextureRole, number>> = { color: 186, normal: 204, data: 208, height: 20 };

/** How the texels of a slot are stored. */
export function pixelFormatOf(role: TextureRole): PixelFormat {
  const format = PIXEL_FORMATS.get(PIXEL_FORMAT[role]);
  if (!format) throw new Error(`there is no pixel format for ${role}`);
  return format;
}

/** What the encoder does unless it is told: artefacts in normals show in every highlight. */
const usualQuality = (role: TextureRole): TextureQuality => (role === 'normal' ? 'medium' : 'fast');

const UNWIDENED = { alphaCutoff: null, roughness: null } as const;

/**
 * The file of an image. Throws UC1102, UC1107 and UC1108. `turn` is called between parts of the work, where other events of the
 * process shall be heard meanwhile; what it throws ends the work.
 */
export async function encodeUtex(
  image: TexelImage,
  use: TexelUse,
  settings: TextureSettings,
  turn: (() => Promise<void>) | null = null,
): Promise<TextureFile> {
  const { role } = use;
  const pixelFormat = PIXEL_FORMAT[role];
  const pixels: Rgba = { ...rgbaOf(image), ...(image.deep && { deep: image.deep }) };
  const quality = settings.quality ?? usualQuality(role);
  const mips =
    settings.encoder === 'astcenc' && role !== 'height'
      ? await encodedOutside(pixels, use, settings, quality)
      : turn && role !== 'height'
        ? await encodedInTurns(readMips(pixels, use, settings), role, quality, turn)
        : kernel.within((memory) =>
            placedMips(memory, pixels, use, settings).map((level) => encodedMip(memory, level, role, quality)),
          );
  const flags = flagsOf(pixels.data, role);
  const [{ width, height }] = mips;
  const { recordFormat } = PIXEL_FORMATS.get(pixelFormat) ?? { recordFormat: null };
  if (recordFormat === null) throw new Error(`no record names pixel format ${pixelFormat}`);
  return {
    bytes: writeUtex({ pixelFormat, flags, mips }),
    extension: 'utex',
    width,
    height,
    format: recordFormat,
    mipCount: mips.length,
  };
}

interface Rgba {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly deep?: Uint16Array;
}

/** Four bytes a pixel; alpha that does not count is 255. */
function rgbaOf({ width, height, data, channels, alpha }: TexelImage): Rgba {
  if (channels === 4 && alpha) return { width, height, data };
  const rgba = new Uint8Array(width * height * 4);
  for (let from = 0, to = 0; to < rgba.length; from += channels, to += 4) {
    rgba[to] = data[from];
    rgba[to + 1] = data[from + 1];
    rgba[to + 2] = data[from + 2];
    rgba[to + 3] = 255;
  }
  return { width, height, data: rgba };
}

/** Red with 16 bits a pixel. */
function greyOf({ width, height, data, deep }: Rgba): GreyPixels {
  const wide = deep ?? Uint16Array.from({ length: width * height }, (_, i) => data[i * 4] * 257);
  return { width, height, data: wide };
}

function flagsOf(rgba: Uint8Array, role: TextureRole): number {
  if (role === 'normal') return UTEX_FLAGS.normalPackedXY;
  if (role === 'height') return 0;
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return UTEX_FLAGS.hasAlpha;
  return 0;
}

/** All mips in the kernel's memory. */
function placedMips(memory: Kernel, pixels: Rgba, use: TexelUse, settings: TextureSettings): readonly PlacedLevel[] {
  const { role, alphaCutoff } = use;
  if (use.split) return mipsOf(pixels, role === 'color').map((level) => placeImage(memory, level, role));
  const image = fitted(memory, pixels, use, settings);
  const options: MipOptions = {
    filter: settings.mipFilter,
    alphaCutoff,
    roughness: use.roughness && {
      channel: use.roughness.channel as 0 | 1 | 2 | 3,
      normals: normalLengths(memory, rgbaOf(use.roughness.normals), settings),
    },
  };
  return placeMipChain(memory, image, role, options).levels;
}

function fitted(
  memory: Kernel,
  pixels: Rgba,
  { role, alphaCutoff }: Pick<TexelUse, 'role' | 'alphaCutoff'>,
  { pot, maxSize }: TextureSettings,
): PlacedLevel {
  const [width, height] = fitSize(pixels.width, pixels.height, { pot, max: maxSize });
  const image = role === 'height' ? greyOf(pixels) : pixels;
  return placeResized(memory, placeImage(memory, image, role), width, height, role, alphaCutoff);
}

/** The lengths of a normal map's averaged normals, by mip. */
function normalLengths(memory: Kernel, pixels: Rgba, settings: TextureSettings): NormalLengths {
  const image = fitted(memory, pixels, { role: 'normal', alphaCutoff: null }, settings);
  const { readNormals } = placeMipChain(memory, image, 'normal', { filter: 'linear', ...UNWIDENED });
  return readNormals() ?? [];
}

function encodedMip(memory: Kernel, level: PlacedLevel, role: TextureRole, quality: TextureQuality): WrittenMip {
  if (role === 'height') return readLevel(memory, level, role);
  const { width, height, address } = level;
  const blocks = encodeAstcAt(memory, address, width, height, role, quality);
  return { width, height, bytes: memory.uint8(blocks, astcBytes(width, height, role)).slice() };
}

/** Texels of a part of the work that is done in turns: some milliseconds. */
const TURN_TEXELS = 2 ** 14;

/** Blocks do not depend on each other, so that some rows of them at a time give the same as all at once. */
async function encodedInTurns(
  levels: readonly MipLevel[],
  role: Exclude<TextureRole, 'height'>,
  quality: TextureQuality,
  turn: () => Promise<void>,
): Promise<WrittenMip[]> {
  const mips: WrittenMip[] = [];
  for (const { width, height, bytes: data } of levels) {
    const side = astcBlockSide(role);
    const rows = side * Math.max(1, Math.floor(TURN_TEXELS / (width * side)));
    const bytes = new Uint8Array(astcBytes(width, height, role));
    for (let top = 0, at = 0; top < height; top += rows) {
      await turn();
      const end = Math.min(top + rows, height);
      const part = { width, height: end - top, data: data.subarray(top * width * 4, end * width * 4) };
      const blocks = encodeAstc(part, role, quality);
      bytes.set(blocks, at);
      at += blocks.length;
    }
    mips.push({ width, height, bytes });
  }
  return mips;
}

/** All mips, read out of the kernel's memory. */
function readMips(pixels: Rgba, use: TexelUse, settings: TextureSettings): readonly MipLevel[] {
  return kernel.within((memory) =>
    placedMips(memory, pixels, use, settings).map((level) => readLevel(memory, level, use.role)),
  );
}

async function encodedOutside(
  pixels: Rgba,
  use: TexelUse,
  settings: TextureSettings,
  quality: TextureQuality,
): Promise<WrittenMip[]> {
  const { role } = use;
  const levels = readMips(pixels, use, settings);
  const side = PIXEL_FORMATS.get(PIXEL_FORMAT[role])?.blockWidth ?? 4;
  const images = levels.map(({ width, height, bytes }) => ({ width, height, data: bytes }));
  const blocks = await encodeWithAstcenc(images, role, side, quality);
  return levels.map(({ width, height }, i) => ({ width, height, bytes: blocks[i] }));
}
