// The flags of `untoldengine bake-lods`, in the order of its documents: all are options of bakeLods().

import { BAKE_LODS_CALL_OPTIONS } from '../../index.ts';
import { same } from './exporterFlag.ts';

const [INPUT, RATIOS, MIN_TRIANGLES, PIXELS_PER_TRIANGLE] = BAKE_LODS_CALL_OPTIONS;

const BY_COOK = 'cook the pack with --lod auto, the default, whose levels are judged by pictures';

export const BAKE_LODS_FLAGS = [
  same({ ...INPUT, instead: BY_COOK }),
  same({ ...RATIOS, instead: 'use --lod with the shares of triangles, as --lod 0.5,0.15,0.03' }),
  same({ ...MIN_TRIANGLES, instead: BY_COOK }),
  same({ ...PIXELS_PER_TRIANGLE, instead: BY_COOK }),
] as const;
