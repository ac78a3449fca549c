// Metallic-roughness materials as those of Urho3D: which of its PBR techniques, which parameters (PBRLitSolid).

import type { TextureUnit, Urho3dMaterial } from './material.ts';

/** Factors as metallic-roughness defines them, linear; textures by their resource names. */
export interface PbrMaterial {
  readonly baseColor: readonly [number, number, number, number];
  readonly emissive: readonly [number, number, number];
  readonly roughness: number;
  readonly metallic: number;
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  readonly doubleSided: boolean;
  /** Whether the vertices have colours that count. */
  readonly vertexColors: boolean;
  readonly textures: {
    readonly baseColor?: string;
    readonly normal?: string;
    /** As repackMetallicRoughness makes it: the factors are in its texels. */
    readonly metallicRoughness?: string;
    readonly emissive?: string;
    /** Sampled by the second texture coordinates. There is one unit for this and emission, which goes first. */
    readonly occlusion?: string;
  };
}

/** The shader takes 0.08 times this as the reflectance of what is no metal: 4 %. */
const SPECULAR = [0.5, 0.5, 0.5, 1];

/** The names of techniques say which maps they have, in this order. */
function techniqueOf({ textures, alphaMode }: PbrMaterial): string {
  const { baseColor, normal, metallicRoughness, emissive, occlusion } = textures;
  const maps = [
    metallicRoughness === undefined ? '' : 'MetallicRough',
    baseColor === undefined ? '' : 'Diff',
    normal === undefined ? '' : 'Normal',
    metallicRoughness === undefined ? '' : 'Spec',
    emissive === undefined ? (occlusion === undefined ? '' : 'AO') : 'Emissive',
  ].join('');
  return `Techniques/PBR/PBR${maps === '' ? 'NoTexture' : maps}${alphaMode === 'blend' ? 'Alpha' : ''}.xml`;
}

export function pbrMaterial(material: PbrMaterial): Urho3dMaterial {
  const { baseColor, emissive, alphaMode, doubleSided, vertexColors, textures } = material;
  const units: readonly (readonly [TextureUnit, string | undefined])[] = [
    ['diffuse', textures.baseColor],
    ['normal', textures.normal],
    ['specular', textures.metallicRoughness],
    ['emissive', textures.emissive ?? textures.occlusion],
  ];
  // The shader adds these to the texels, where metallic-roughness multiplies.
  const isMapped = textures.metallicRoughness !== undefined;
  const isMasked = alphaMode === 'mask' && textures.baseColor !== undefined;
  const colors = vertexColors ? ['VERTEXCOLOR'] : [];
  return {
    technique: techniqueOf(material),
    vertexDefines: colors,
    // Texels with less than half of their alpha are left out.
    pixelDefines: [...colors, ...(isMasked ? ['ALPHAMASK'] : [])],
    textures: units.flatMap(([unit, name]) => (name === undefined ? [] : [{ unit, name }])),
    parameters: [
      { name: 'MatDiffColor', value: [...baseColor] },
      { name: 'MatEmissiveColor', value: [...emissive] },
      { name: 'MatSpecColor', value: SPECULAR },
      { name: 'Roughness', value: [isMapped ? 0 : material.roughness] },
      { name: 'Metallic', value: [isMapped ? 0 : material.metallic] },
    ],
    cull: doubleSided ? 'none' : 'ccw',
  };
}

/**
 * The texels that PBRLitSolid reads, roughness in red and metalness in green, from RGBA texels with roughness in green and
 * metalness in blue. The factors are multiplied in, because the shader can only add.
 */
export function repackMetallicRoughness(rgba: Uint8Array, roughness: number, metallic: number): Uint8Array {
  const packed = new Uint8Array(rgba.length);
  for (let i = 0; i + 3 < rgba.length; i += 4) {
    packed[i] = Math.min(255, Math.round(rgba[i + 1] * roughness));
    packed[i + 1] = Math.min(255, Math.round(rgba[i + 2] * metallic));
    packed[i + 3] = 255;
  }
  return packed;
}
