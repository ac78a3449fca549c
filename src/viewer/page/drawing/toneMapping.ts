// The tone mappings of the page. The engine's own goes into the place that three.js leaves for a custom one.

import {
  AgXToneMapping,
  CustomToneMapping,
  LinearToneMapping,
  NeutralToneMapping,
  ShaderChunk,
  type ToneMapping,
} from 'three';
import { ACES_FILMIC } from '../../../engine/toneMapping.ts';
import { replaced } from './replaced.ts';

/** In the order of the menu. */
export const TONE_MAPPINGS = {
  aces: ['ACES filmic', CustomToneMapping],
  neutral: ['Khronos PBR Neutral', NeutralToneMapping],
  agx: ['AgX', AgXToneMapping],
  linear: ['Linear, clipped', LinearToneMapping],
} as const satisfies Readonly<Record<string, readonly [string, ToneMapping]>>;

export type ToneMappingName = keyof typeof TONE_MAPPINGS;

/** What the page begins with: the engine's. */
export const FIRST_TONE_MAPPING: ToneMappingName = 'aces';

const { a, b, c, d, e } = ACES_FILMIC;
const CURVE = `clamp( ( x * ( ${a} * x + ${b} ) ) / ( x * ( ${c} * x + ${d} ) + ${e} ), 0.0, 1.0 )`;

// Shaders take the chunk when they are compiled, which is after all modules have been loaded.
ShaderChunk.tonemapping_pars_fragment = replaced(
  ShaderChunk.tonemapping_pars_fragment,
  'vec3 CustomToneMapping( vec3 color ) { return color; }',
  `vec3 CustomToneMapping( vec3 color ) { vec3 x = max( toneMappingExposure * color, 0.0 ); return ${CURVE}; }`,
);
