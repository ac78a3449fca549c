// The options of bakeTextures(), with the names that the engine's own tool has for them.

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
