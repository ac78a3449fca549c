// The options of textures.

import {
  ASTC_ENCODERS,
  KEPT_TEXTURES,
  MIP_FILTERS,
  TEXTURE_BLOCKS,
  TEXTURE_MODES,
  TEXTURE_POTS,
  TEXTURE_QUALITIES,
} from '../../textures/types.ts';
import type { OptionTable } from './option.ts';

export const TEXTURE_OPTIONS = [
  {
    name: 'textures',
    kind: { type: 'choice', choices: TEXTURE_MODES },
    placeholder: TEXTURE_MODES.join('|'),
    description:
      'what textures become: utex: blocks that the GPU reads, with all mips; png: PNG; webp: WebP, of GLB alone, without loss but for colours; ktx2: KTX2 with Basis Universal and mips, of GLB alone, which GPUs read and which takes long to make; keep: the source file where nothing must change, else PNG. Otherwise utex with --target untold, keep with glb, and png with others; these have no utex, bpx and urho3d take png alone, galileo no textures',
  },
  {
    name: 'texture-quality',
    kind: { type: 'choice', choices: TEXTURE_QUALITIES },
    placeholder: 'HOW',
    description: 'with --textures utex: how hard the encoder tries; otherwise fast, and medium for normal maps',
  },
  {
    name: 'texture-blocks',
    kind: { type: 'choice', choices: TEXTURE_BLOCKS },
    placeholder: 'auto|NxN',
    description:
      "with --textures utex: texels that share a block of 16 bytes: auto: for each texture the largest of 8x8, 6x6, 5x5 and 4x4 that keeps --texture-psnr; engine: as the engine's own tool, 6x6 for data and 4x4 for all else; or one size for all",
    default: KEPT_TEXTURES.blocks,
  },
  {
    name: 'texture-psnr',
    kind: { type: 'number', minimum: 20, maximum: 80, integer: false },
    placeholder: 'DB',
    description:
      'with --texture-blocks auto: what colours keep at least, in dB, over the texels of all mips that alpha shows; data and alpha keep 3 dB less, and normals turn by 0.6 degrees at 42 dB, ten times less with each 20 dB more',
    default: KEPT_TEXTURES.psnr,
  },
  {
    name: 'max-texture-size',
    kind: { type: 'number', minimum: 4, maximum: 16_384, integer: true },
    placeholder: 'N',
    description: 'with --textures utex: pixels along the longer side of a texture at most; otherwise no limit',
  },
  {
    name: 'texture-pot',
    kind: { type: 'choice', choices: TEXTURE_POTS },
    placeholder: 'HOW',
    description:
      "with --textures utex: sides as powers of two, which the engine's streaming needs: the nearest, the next one up, or keep: as they are",
    default: 'nearest',
  },
  {
    name: 'mip-filter',
    kind: { type: 'choice', choices: MIP_FILTERS },
    placeholder: 'HOW',
    description: "with --textures utex: mips averaged in linear light, or engine: as the engine's own tool makes them",
    default: 'linear',
  },
  {
    name: 'astc-encoder',
    kind: { type: 'choice', choices: ASTC_ENCODERS },
    placeholder: 'wasm|astcenc',
    description:
      'with --textures utex: who makes the blocks: untold itself, or the astcenc that ASTCENC_BIN names or PATH has',
    default: 'wasm',
  },
] as const satisfies OptionTable;
