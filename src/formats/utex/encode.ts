// Cooks texels to a .utex file: the size that the engine streams, mips down to one texel, and blocks of ASTC. The whole of a
// texture happens in the kernel's memory.

import { type Kernel, kernel } from '../../kernel/kernel.ts';
import { mipsOf } from '../../textures/atlas/mips.ts';
import { type AstcSide, astcBytes, astcRows, encodeAstc, encodeAstcAt } from '../../textures/encode/astc.ts';
import { encodeWithAstcenc } from '../../textures/encode/astcenc.ts';
import { BlockChoice } from '../../textures/encode/blockChoice.ts';
import { LossSum, measuredLoss, placeSums, sampledLoss, sumsOf } from '../../textures/encode/blockLoss.ts';
import { type Rgba, rgbaOf } from '../../textures/encode/rgba.ts';
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

/** Raw values of MTLPixelFormat: ASTC 4x4 in sRGB and linear, R16. */
const ASTC_SRGB = 186;
const ASTC_LINEAR = 204;
const R16_UNORM = 20;
/** What other blocks add to these. */
const PIXEL_FORMAT_OF_SIDE: Readonly<Record<AstcSide, number>> = { 4: 0, 5: 2, 6: 4, 8: 8 };

function pixelFormatNumber(role: TextureRole, side: AstcSide): number {
  if (role === 'height') return R16_UNORM;
  return (role === 'color' ? ASTC_SRGB : ASTC_LINEAR) + PIXEL_FORMAT_OF_SIDE[side];
}

/** How the texels of a slot are stored in blocks of a side. Heights have no blocks. */
export function pixelFormatOf(role: TextureRole, side: AstcSide): PixelFormat {
  const format = PIXEL_FORMATS.get(pixelFormatNumber(role, side));
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
  const pixels = settings.pot === 'keep' || use.split || use.roughness ? rgbaOf(image) : ofOneColor(rgbaOf(image));
  const { side, mips } = await storedMips(pixels, use, settings, turn);
  const { recordFormat } = pixelFormatOf(role, side);
  const [{ width, height }] = mips;
  if (recordFormat === null) throw new Error(`no record names the pixel format of ${role}`);
  return {
    bytes: writeUtex({ pixelFormat: pixelFormatNumber(role, side), flags: flagsOf(pixels.data, image, role), mips }),
    extension: 'utex',
    width,
    height,
    format: recordFormat,
    mipCount: mips.length,
  };
}

/** Mips as they are stored, and the side of their blocks. */
interface StoredMips {
  readonly side: AstcSide;
  readonly mips: readonly WrittenMip[];
}

function storedMips(
  pixels: Rgba,
  use: TexelUse,
  settings: TextureSettings,
  turn: (() => Promise<void>) | null,
): Promise<StoredMips> | StoredMips {
  const { role } = use;
  if (role === 'height') {
    const levels = kernel.within((memory) =>
      placedMips(memory, pixels, use, settings).map((level) => readLevel(memory, level, role)),
    );
    return { side: 4, mips: levels };
  }
  const quality = settings.quality ?? usualQuality(role);
  // Cells and charts begin at multiples of four texels: larger blocks would mix them.
  const blocks = use.split ? '4x4' : settings.blocks;
  const wish: Wish = { role, quality, blocks, psnr: settings.psnr };
  if (settings.encoder === 'astcenc') {
    return encodedApart(readMips(pixels, use, settings), wish, (levels, side) =>
      encodedOutside(levels, role, side, quality),
    );
  }
  if (turn) {
    return encodedApart(readMips(pixels, use, settings), wish, (levels, side) =>
      encodedInTurns(levels, role, side, quality, turn),
    );
  }
  return kernel.within((memory) => encodedThere(memory, placedMips(memory, pixels, use, settings), wish));
}

/** What blocks are to be. */
interface Wish extends Pick<TextureSettings, 'blocks' | 'psnr'> {
  readonly role: Exclude<TextureRole, 'height'>;
  readonly quality: TextureQuality;
}

/** Encodes mips where they lie in the kernel's memory. */
function encodedThere(memory: Kernel, levels: readonly PlacedLevel[], wish: Wish): StoredMips {
  const { role, quality } = wish;
  const choice = new BlockChoice(levels, role, wish);
  for (;;) {
    const side = choice.next((tried) => sampledLoss(memory, levels, role, tried, quality));
    const loss = new LossSum();
    const sums = choice.isOpen ? placeSums(memory) : 0;
    const mips = levels.map(({ width, height, address }): WrittenMip => {
      const rows = astcRows(height, side);
      const blocks = encodeAstcAt(memory, address, width, height, role, side, quality, 0, rows, sums);
      return { width, height, bytes: memory.uint8(blocks, astcBytes(width, height, side)).slice() };
    });
    if (!choice.isOpen) return { side, mips };
    loss.add(sumsOf(memory, sums));
    if (choice.accepts(loss.mean)) return { side, mips };
  }
}

/** Encodes mips with an encoder that does not work in the kernel's memory, or not at once. */
async function encodedApart(
  levels: readonly MipLevel[],
  wish: Wish,
  encode: (levels: readonly MipLevel[], side: AstcSide) => Promise<readonly WrittenMip[]>,
): Promise<StoredMips> {
  const { role, quality } = wish;
  const choice = new BlockChoice(levels, role, wish);
  const placed = (memory: Kernel) => levels.map((level) => ({ ...level, address: memory.put(level.bytes) }));
  for (;;) {
    const side = choice.next((tried) =>
      kernel.within((memory) => sampledLoss(memory, placed(memory), role, tried, quality)),
    );
    const mips = await encode(levels, side);
    if (!choice.isOpen) return { side, mips };
    const loss = new LossSum();
    kernel.within((memory) => {
      for (const [i, level] of placed(memory).entries()) {
        loss.add(measuredLoss(memory, level, role, side, memory.put(mips[i].bytes)));
      }
    });
    if (choice.accepts(loss.mean)) return { side, mips };
  }
}

/** Along the sides of a texture whose texels are all the same. */
const PLAIN_SIDE = 4;

/** An image of one colour has few texels; any other one is as it was. */
function ofOneColor(pixels: Rgba): Rgba {
  const { width, height, data, deep } = pixels;
  if (width * height <= PLAIN_SIDE ** 2) return pixels;
  for (let i = 4; i < data.length; i++) if (data[i] !== data[i & 3]) return pixels;
  if (deep?.some((value) => value !== deep[0])) return pixels;
  const texels = PLAIN_SIDE ** 2;
  return {
    width: PLAIN_SIDE,
    height: PLAIN_SIDE,
    data: data.slice(0, texels * 4),
    ...(deep && { deep: deep.slice(0, texels) }),
  };
}

/** Red with 16 bits a pixel. */
function greyOf({ width, height, data, deep }: Rgba): GreyPixels {
  const wide = deep ?? Uint16Array.from({ length: width * height }, (_, i) => data[i * 4] * 257);
  return { width, height, data: wide };
}

function flagsOf(rgba: Uint8Array, { channels, alpha }: TexelImage, role: TextureRole): number {
  if (role === 'normal') return UTEX_FLAGS.normalPackedXY;
  if (role === 'height' || channels === 3 || !alpha) return 0;
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

/** Texels of a part of the work that is done in turns: some milliseconds. */
const TURN_TEXELS = 2 ** 14;

/** Blocks do not depend on each other, so that some rows of them at a time give the same as all at once. */
async function encodedInTurns(
  levels: readonly MipLevel[],
  role: Exclude<TextureRole, 'height'>,
  side: AstcSide,
  quality: TextureQuality,
  turn: () => Promise<void>,
): Promise<WrittenMip[]> {
  const mips: WrittenMip[] = [];
  for (const { width, height, bytes: data } of levels) {
    const rows = side * Math.max(1, Math.floor(TURN_TEXELS / (width * side)));
    const bytes = new Uint8Array(astcBytes(width, height, side));
    for (let top = 0, at = 0; top < height; top += rows) {
      await turn();
      const end = Math.min(top + rows, height);
      const part = { width, height: end - top, data: data.subarray(top * width * 4, end * width * 4) };
      const blocks = encodeAstc(part, role, quality, side);
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
  levels: readonly MipLevel[],
  role: TextureRole,
  side: AstcSide,
  quality: TextureQuality,
): Promise<WrittenMip[]> {
  const images = levels.map(({ width, height, bytes }) => ({ width, height, data: bytes }));
  const blocks = await encodeWithAstcenc(images, role, side, quality);
  return levels.map(({ width, height }, i) => ({ width, height, bytes: blocks[i] }));
}
