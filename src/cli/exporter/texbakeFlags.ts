// The flags of `untoldengine texbake`, in the order of its documents.

import { info, same } from './exporterFlag.ts';

export const TEXBAKE_FLAGS = [
  same({
    name: 'input',
    kind: { type: 'path' },
    placeholder: 'IMAGE',
    description: 'an image',
    instead: 'cook the scene that uses it: --textures utex is the default',
  }),
  same({
    name: 'output',
    kind: { type: 'path' },
    placeholder: 'FILE.utex',
    description: 'where to; otherwise beside the image',
    instead: 'cook the scene that uses it: --textures utex is the default',
  }),
  same({
    name: 'slot',
    kind: {
      type: 'choice',
      choices: ['base_color', 'normal', 'roughness', 'metallic', 'occlusion', 'orm', 'emissive', 'opacity', 'data'],
    },
    placeholder: 'SLOT',
    description: 'what the image is; otherwise as the .untold files above its folder use it, or else by its name',
    instead: 'leave it out: the materials of the scene say it',
  }),
  same({
    name: 'dir',
    kind: { type: 'path' },
    placeholder: 'DIR',
    description: 'all images of this folder, each beside its image',
    instead: 'cook the scene that uses them: --textures utex is the default',
  }),
  same({
    name: 'quality',
    kind: { type: 'choice', choices: ['fastest', 'fast', 'medium', 'thorough', 'exhaustive'] },
    placeholder: 'HOW',
    description: 'how hard the encoder tries; fastest is as fast, exhaustive as thorough',
    default: 'thorough',
    instead: 'use --texture-quality fast, medium or thorough',
  }),
  info('keep-temp', null, 'there are no temporary files', 'leave it out: there are no temporary files'),
  same({
    name: 'patch-refs',
    kind: { type: 'path' },
    placeholder: 'FILE',
    files: ['.untold', '.untoldpack'],
    description: 'a .untold file, or a pack with all its models: textures that have a .utex beside their image name it',
    instead: 'leave it out: cooked files name the textures that were written with them',
  }),
] as const;
