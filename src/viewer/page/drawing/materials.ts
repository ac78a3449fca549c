// What a surface looks like: metallic-roughness as the engine's shader takes it, which reads roughness and metalness from any
// channel, repeats all textures, uses the first texture coordinates, draws both sides, and leaves occlusion out.

import { Color, DoubleSide, type Material, MeshStandardMaterial, ShaderChunk, type Vector4 } from 'three';
import { MIN_BASE_COLOR } from '../../../engine/materials.ts';
import { VERSION_WITH_EMISSION } from '../../../formats/untold/container/records.ts';
import { lightThroughStored } from '../../../formats/untold/materialRecord.ts';
import type { UntoldMaterial } from '../../../formats/untold/types.ts';
import { DRAWN_SLOTS, type DrawnSlot, type FileSlot } from '../../../scene/materialSlots.ts';
import { alphaOfGlass } from '../../../scene/transmission.ts';
import { replaced } from './replaced.ts';
import type { ShownTexture } from './textures.ts';

/** The textures of a material by their slots; those that are still being read, or cannot be, are absent. */
export type SurfaceTextures = { readonly [S in FileSlot]?: ShownTexture | null };

/** What shows a slot in a material of Three.js. */
const MAPS = {
  baseColor: 'map',
  normal: 'normalMap',
  metallic: 'metalnessMap',
  roughness: 'roughnessMap',
  emissive: 'emissiveMap',
} as const satisfies Readonly<Record<DrawnSlot, keyof MeshStandardMaterial>>;

export interface DrawnSurface {
  readonly material: UntoldMaterial;
  readonly formatVersion: number;
  readonly textures: SurfaceTextures;
  /** A colour that is laid over, and how much of it: shared by all surfaces of a payload. */
  readonly tint: { value: Vector4 };
  /** The distance in metres at which the payload comes in; 0: it has none. Shared in the same way. */
  readonly reach: { value: number };
}

/** The factor that the engine multiplies the base colour with: it takes black for a colour that was left out. */
export function engineBaseColor({ baseColorFactor: [r, g, b] }: UntoldMaterial): readonly [number, number, number] {
  return Math.max(r, g, b) < MIN_BASE_COLOR ? [1, 1, 1] : [r, g, b];
}

/** The light that a surface emits. Engines ignore it in files of version 1. */
export function engineEmission({ material, formatVersion }: DrawnSurface): readonly [number, number, number] {
  return formatVersion < VERSION_WITH_EMISSION ? [0, 0, 0] : material.emissiveFactor;
}

/** Whether something is seen through a surface: it is drawn after all others, by its alpha. */
export const isSeenThrough = (material: UntoldMaterial): boolean =>
  material.alphaMode === 'blend' || lightThroughStored(material) > 0;

/**
 * How much a surface hides of what is behind it, before its texture. The light that passes glass is not tinted here: it takes
 * the brightness of the tint, as in engines without dual-source blending.
 */
export function coverageOf(material: UntoldMaterial): number {
  const { alphaMode, baseColorFactor } = material;
  const alpha = alphaMode === 'opaque' ? 1 : baseColorFactor[3];
  return alpha * alphaOfGlass(baseColorFactor, lightThroughStored(material));
}

/** What all looks of a surface have in common. */
export function setAlpha(made: Material, material: UntoldMaterial): void {
  made.side = DoubleSide;
  made.transparent = isSeenThrough(material);
  made.depthWrite = !made.transparent;
  made.alphaTest = material.alphaMode === 'mask' && !made.transparent ? Math.max(material.alphaCutoff, 1e-6) : 0;
  made.opacity = coverageOf(material);
}

const CHANNELS = ['r', 'g', 'b', 'a'];
const SAMPLED_NORMAL = 'vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;';

export function litMaterial(surface: DrawnSurface): MeshStandardMaterial {
  const { material, textures, tint } = surface;
  const [r, g, b] = engineBaseColor(material);
  const made = new MeshStandardMaterial({
    color: new Color().setRGB(r, g, b),
    metalness: material.metallicFactor,
    roughness: material.roughnessFactor,
    emissive: new Color().setRGB(...engineEmission(surface)),
  });
  setAlpha(made, material);
  for (const slot of DRAWN_SLOTS) made[MAPS[slot]] = textures[slot]?.texture ?? null;
  made.normalScale.setScalar(material.normalScale);
  const roughness = CHANNELS[material.roughnessChannel];
  const metallic = CHANNELS[material.metallicChannel];
  const isPacked = textures.normal?.read.isPackedNormal === true;
  made.customProgramCacheKey = () => `untold ${roughness}${metallic}${isPacked}`;
  made.onBeforeCompile = (shader) => {
    shader.uniforms.tint = tint;
    let text = shader.fragmentShader;
    text = replaced(text, '#include <common>', '#include <common>\nuniform vec4 tint;');
    text = replaced(
      text,
      '#include <map_fragment>',
      '#include <map_fragment>\ndiffuseColor.rgb = mix(diffuseColor.rgb, tint.rgb, tint.a);',
    );
    text = replaced(
      text,
      '#include <roughnessmap_fragment>',
      replaced(ShaderChunk.roughnessmap_fragment, 'texelRoughness.g', `texelRoughness.${roughness}`),
    );
    text = replaced(
      text,
      '#include <metalnessmap_fragment>',
      replaced(ShaderChunk.metalnessmap_fragment, 'texelMetalness.b', `texelMetalness.${metallic}`),
    );
    if (isPacked) {
      const xy = 'texture2D( normalMap, vNormalMapUv ).ga * 2.0 - 1.0';
      const chunk = replaced(ShaderChunk.normal_fragment_maps, SAMPLED_NORMAL, `vec3 mapN = withZ( ${xy} );`);
      text = replaced(text, '#include <normal_fragment_maps>', chunk);
      const withZ = 'vec3 withZ( vec2 n ) { return vec3( n, sqrt( max( 0.0, 1.0 - dot( n, n ) ) ) ); }';
      text = replaced(text, 'uniform vec4 tint;', `uniform vec4 tint;\n${withZ}`);
    }
    shader.fragmentShader = text;
  };
  return made;
}
