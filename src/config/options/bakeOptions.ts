// The options of bakeTextures() and bakeLods(), with the names that the engine's own tools have for them.

import { ENGINE_RATIOS, MIN_CHAIN_TRIANGLES, PIXELS_PER_TRIANGLE } from '../../engine/screenSize.ts';
import type { OptionTable } from './option.ts';

/** What an image may be said to be. */
export const BAKE_SLOTS = [
  'base_color',
  'normal',
  'roughness',
  'metallic',
  'occlusion',
  'orm',
  'emissive',
  'opacity',
  'data',
] as const;

export const BAKE_CALL_OPTIONS = [
  { name: 'input', kind: { type: 'path' }, placeholder: 'IMAGE', description: 'an image' },
  {
    name: 'output',
    kind: { type: 'path' },
    placeholder: 'FILE.utex',
    description: 'where to; otherwise beside the image',
  },
  {
    name: 'slot',
    kind: { type: 'choice', choices: BAKE_SLOTS },
    placeholder: 'SLOT',
    description:
      'what the image is; otherwise as the .untold files use it that are patched, or lie above its folder Textures, or else by its name',
  },
  {
    name: 'dir',
    kind: { type: 'path' },
    placeholder: 'DIR',
    description: 'all images of this folder, each beside its image',
  },
  {
    name: 'quality',
    kind: { type: 'choice', choices: ['fastest', 'fast', 'medium', 'thorough', 'exhaustive'] },
    placeholder: 'HOW',
    description: 'how hard the encoder tries; fastest is as fast, exhaustive as thorough',
    default: 'thorough',
  },
  {
    name: 'patch-refs',
    kind: { type: 'path' },
    placeholder: 'FILE',
    files: ['.untold', '.untoldpack'],
    description:
      'a .untold file, or a pack with all its models: textures with a .utex beside their image name that instead',
  },
] as const satisfies OptionTable;

/** The options of bakeLods(), with the names and defaults that the engine's own cook has. */
export const BAKE_LODS_CALL_OPTIONS = [
  {
    name: 'input',
    kind: { type: 'path' },
    placeholder: 'FILE',
    files: ['.untold', '.untoldpack'],
    description:
      'a pack, whose manifest and level files are written anew, or a .untold file, beside which level files are written',
  },
  {
    name: 'ratios',
    kind: { type: 'ratios', max: 8 },
    placeholder: 'RATIOS',
    description:
      'shares of the triangles, each smaller than the one before; a level that is hardly smaller is left out',
    default: ENGINE_RATIOS,
  },
  {
    name: 'min-triangles',
    kind: { type: 'number', minimum: 1, maximum: 2 ** 32, integer: true },
    placeholder: 'N',
    description: 'models of fewer triangles get no levels',
    default: MIN_CHAIN_TRIANGLES,
  },
  {
    name: 'pixels-per-triangle',
    kind: { type: 'number', minimum: 1e-6, maximum: 1e9, integer: false },
    placeholder: 'N',
    description: 'pixels that a triangle of a level may cover, which says from where it is shown',
    default: PIXELS_PER_TRIANGLE,
  },
] as const satisfies OptionTable;
