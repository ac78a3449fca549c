// The flags of `untoldengine texbake`, in the order of its documents. All that do something are options of bakeTextures().

import { BAKE_CALL_OPTIONS } from '../../index.ts';
import { info, same } from './exporterFlag.ts';

const [INPUT, OUTPUT, SLOT, DIR, QUALITY, PATCH_REFS] = BAKE_CALL_OPTIONS;

const BY_COOK = 'cook the scene that uses it: --textures utex is the default';

export const TEXBAKE_FLAGS = [
  same({ ...INPUT, instead: BY_COOK }),
  same({ ...OUTPUT, instead: BY_COOK }),
  same({ ...SLOT, instead: 'leave it out: the materials of the scene say it' }),
  same({ ...DIR, instead: BY_COOK }),
  same({ ...QUALITY, instead: 'use --texture-quality fast, medium or thorough' }),
  info('keep-temp', null, 'there are no temporary files', 'leave it out: there are no temporary files'),
  same({ ...PATCH_REFS, instead: 'leave it out: cooked files name the textures that were written with them' }),
] as const;
