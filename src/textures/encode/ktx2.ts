// KTX2 files with Basis Universal texels and all mips, as KHR_texture_basisu asks for them: colours in ETC1S with BasisLZ,
// which is small; normals and other data in UASTC with Zstandard, which loses little. So are colours whose blocks repeat:
// ETC1S draws bands in palettes and gradients, and Zstandard packs them well. The encoder is slow.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import { environmentFault } from '../../diagnostics/environment.ts';
import { type BasisEncoder, forgetBasis, loadBasis } from '../decode/basisModule.ts';
import { mipSizes } from '../mips/mipChain.ts';
import { resize } from '../mips/resize.ts';
import type { TexelImage, TexelUse, TextureFile } from '../types.ts';
import { rgbaOf, wordsOf } from './rgba.ts';

/** Texels that the encoder takes at most: 12 Mi. */
const MAX_TEXELS = 12 * 2 ** 20;
/** From so many texels on the encoder leaves its module with hundreds of megabytes, which it never gives back. */
const LARGE = 2 ** 22;

/** Of ETC1S: the best codebooks; more effort than this is not worth its time. */
const ETC1S_QUALITY = 255;
const ETC1S_EFFORT = 2;
/** Of UASTC: less effort loses 2 to 5 dB, more takes three times as long and gains nothing that is seen. */
const UASTC_EFFORT = 1;

/** Blocks repeat if each stands for so many on average, or if there are so few that their size does not matter. */
const REPEATS = 8;
const FEW_BLOCKS = 64;

/** The header names the place of the data format descriptor here, whose byte 13 names the colour primaries (KTX 2.0, 3.11). */
const DFD_PLACE = 48;
const PRIMARIES = 13;
const UNSPECIFIED = 0;

/** Room for headers, codebooks and small mips, and bytes a texel of all mips: blocks of either kind take one at most. */
const HEADER_ROOM = 2 ** 17;
const TEXEL_ROOM = 2;

/** The sides of a file: multiples of four, as KHR_texture_basisu asks for. */
export function ktx2Size(width: number, height: number): [width: number, height: number] {
  const side = (length: number) => Math.ceil(length / 4) * 4;
  return [side(width), side(height)];
}

/** Whether the encoder takes an image of this size. */
export function fitsKtx2(width: number, height: number): boolean {
  const [w, h] = ktx2Size(width, height);
  return w * h <= MAX_TEXELS;
}

/** The file of an image that fits. Sides that are no multiples of four grow. Throws UC1101 and UC1102. */
export async function encodeKtx2(image: TexelImage, { role, split }: TexelUse): Promise<TextureFile> {
  const [width, height] = ktx2Size(image.width, image.height);
  const rgba = rgbaOf(image);
  const isSame = width === image.width && height === image.height;
  const texels = isSame ? rgba.data : resize(rgba, width, height, role).bytes;
  const isColor = role === 'color';
  const isUastc = !isColor || split || repeats(texels, width, height);
  const bytes = await encode(texels, width, height, (encoder) => {
    encoder.setUASTC(isUastc);
    encoder.setKTX2UASTCSupercompression(isUastc);
    encoder.setPackUASTCFlags(UASTC_EFFORT);
    encoder.setQualityLevel(ETC1S_QUALITY);
    encoder.setETC1SCompressionLevel(ETC1S_EFFORT);
    encoder.setPerceptual(isColor);
    encoder.setKTX2AndBasisSRGBTransferFunc(isColor);
    encoder.setMipSRGB(isColor);
    encoder.setMipRenormalize(role === 'normal');
    // Cells begin at multiples of four texels: a mean of four mixes none of them in the first two mips.
    if (split) encoder.setMipFilter('box');
  });
  if (!isColor) {
    // The encoder names those of BT.709, which are for colours alone.
    const dfd = new DataView(bytes.buffer, bytes.byteOffset).getUint32(DFD_PLACE, true);
    bytes[dfd + PRIMARIES] = UNSPECIFIED;
  }
  return { bytes, extension: 'ktx2', width, height, format: 0, mipCount: mipSizes(width, height).length };
}

/** Whether few of the blocks of 4 x 4 texels differ. */
function repeats(rgba: Uint8Array, width: number, height: number): boolean {
  const texels = wordsOf(rgba);
  const most = Math.max(FEW_BLOCKS, (width * height) / 16 / REPEATS);
  const blocks = new Set<number>();
  for (let y = 0; y < height; y += 4) {
    for (let x = 0; x < width; x += 4) {
      // Two hashes, of which a number holds 53 bits.
      let a = 0x811c9dc5;
      let b = 0x9e3779b9;
      for (let i = 0; i < 16; i++) {
        const texel = texels[(y + (i >> 2)) * width + x + (i & 3)];
        a = Math.imul(a ^ texel, 0x01000193);
        a ^= a >>> 15;
        b = Math.imul(b ^ texel, 0x85ebca6b);
        b ^= b >>> 13;
      }
      blocks.add((a >>> 0) * 2 ** 21 + (b >>> 11));
      if (blocks.size > most) return false;
    }
  }
  return true;
}

async function encode(
  rgba: Uint8Array,
  width: number,
  height: number,
  set: (encoder: BasisEncoder) => void,
): Promise<Uint8Array> {
  const module = await loadBasis();
  let isSound = false;
  try {
    const encoder = new module.BasisEncoder();
    encoder.setStatusOutput(false);
    encoder.setCreateKTX2File(true);
    encoder.setMipGen(true);
    set(encoder);
    const to = new Uint8Array(Math.ceil((width * height * TEXEL_ROOM * 4) / 3) + HEADER_ROOM);
    const isTaken = encoder.setSliceSourceImage(0, rgba, width, height, 0);
    const length = isTaken ? encoder.encode(to) : 0;
    encoder.delete();
    if (length === 0) throw new Error(`Basis Universal does not encode ${width} x ${height} texels`);
    isSound = width * height < LARGE;
    return to.slice(0, length);
  } catch (error) {
    const fault = environmentFault(error, '');
    if (fault) throw new SourceError(fault);
    throw error;
  } finally {
    if (!isSound) forgetBasis();
  }
}
