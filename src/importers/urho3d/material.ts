// A material of Urho3D as metallic-roughness. What a technique draws is known from its name: the engine's own techniques say
// which maps they have, and which shading.

import { basename, dirname, extname, join } from 'node:path';
import { parseXml } from '../../formats/urho3d/xml/document.ts';
import type { ReadMaterial, TextureUnit } from '../../formats/urho3d/xml/material.ts';
import { isSrgbSlot, slotKind, type TextureSlot, texturesFrom } from '../../scene/materialSlots.ts';
import type { AlphaMode, Channel, SceneImage, SceneMaterial, TextureUse, Vec4, Wrap } from '../../scene/types.ts';
import { whiteMaterial } from '../whiteMaterial.ts';
import { UV_SETS } from './geometries.ts';
import type { Resources } from './resources.ts';

const WRAPS: ReadonlyMap<string, Wrap> = new Map([
  ['wrap', 'repeat'],
  ['mirror', 'mirror'],
  ['clamp', 'clamp'],
  ['border', 'black'],
]);
const NO_BIAS: Vec4 = [0, 0, 0, 0];

const stemOf = (name: string): string => basename(name, extname(name));

interface Wraps {
  readonly wrapS: Wrap;
  readonly wrapT: Wrap;
}

/** The images of all materials, each once. */
export class Images {
  readonly list: SceneImage[] = [];
  readonly #resources: Resources;
  readonly #known = new Map<string, { readonly image: number; readonly wraps: Wraps }>();

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  /** `from`: the file of the material. Throws what reading the settings beside the image throws. */
  take(name: string, from: string): { readonly image: number; readonly wraps: Wraps } {
    const known = this.#known.get(name);
    if (known) return known;
    const file = this.#resources.find(name) ?? this.#resources.expected(name);
    const path = `images/${this.list.length}`;
    const read = async () => this.#resources.files.read(file, from, name);
    this.list.push({ path, uri: name, stem: stemOf(name), file, read });
    const taken = { image: this.list.length - 1, wraps: this.#wrapsOf(file, from) };
    this.#known.set(name, taken);
    return taken;
  }

  /** How the image is repeated: NAME.xml beside it says so; it is repeated where there is none. */
  #wrapsOf(file: string, from: string): Wraps {
    const { files } = this.#resources;
    const settings = join(dirname(file), `${stemOf(file)}.xml`);
    const wraps: Record<string, Wrap> = { u: 'repeat', v: 'repeat' };
    if (files.exists(settings)) {
      for (const { name, attributes } of parseXml(files.read(settings, from, ''), settings).children) {
        const { coord = '', mode = '' } = attributes;
        // The engine reads both in any case, and repeats for a mode that it does not know (Texture.cpp).
        const axis = coord.toLowerCase();
        if (name === 'address' && Object.hasOwn(wraps, axis)) wraps[axis] = WRAPS.get(mode.toLowerCase()) ?? 'repeat';
      }
    }
    return { wrapS: wraps.u, wrapT: wraps.v };
  }
}

/** Which maps and which shading a technique has, by its name. */
interface Technique {
  readonly isPbr: boolean;
  readonly hasMetallicRoughness: boolean;
  readonly hasEmission: boolean;
  readonly hasOcclusion: boolean;
  readonly hasLightMap: boolean;
  readonly alphaMode: AlphaMode;
  readonly usesVertexColors: boolean;
}

function techniqueOf({ technique, pixelDefines, vertexDefines }: ReadMaterial): Technique {
  const name = stemOf(technique);
  const isMasked = name.includes('AlphaMask') || pixelDefines.includes('ALPHAMASK');
  const isBlended = !isMasked && /Alpha|Add|Multiply/.test(name);
  return {
    isPbr: name.startsWith('PBR'),
    hasMetallicRoughness: name.includes('MetallicRough'),
    hasEmission: name.includes('Emissive'),
    hasOcclusion: name.includes('AO'),
    hasLightMap: name.includes('LightMap'),
    alphaMode: isMasked ? 'mask' : isBlended ? 'blend' : 'opaque',
    usesVertexColors: name.includes('VCol') || vertexDefines.includes('VERTEXCOLOR'),
  };
}

/**
 * What UOffset and VOffset make of the first texture coordinates: u' = dot(uv, U.xy) + U.w, and v' so with V (Transform.glsl).
 * V counts down there and up here. Null: they stay as they are.
 */
function uvTransform([ux, uy, , uw]: readonly number[], [vx, vy, , vw]: readonly number[]): TextureUse['transform'] {
  const isIdentity = ux === 1 && uy === 0 && uw === 0 && vx === 0 && vy === 1 && vw === 0;
  return isIdentity ? null : [ux, 0 - vx, 0 - uy, vy, uy + uw, 1 - vy - vw];
}

/** `name`: its resource name. `lost`: what of it has no place in a Scene. */
export function sceneMaterial(
  source: ReadMaterial,
  name: string,
  from: string,
  images: Images,
): { readonly material: SceneMaterial; readonly lost: readonly string[] } {
  const technique = techniqueOf(source);
  const { isPbr, hasMetallicRoughness, hasEmission, hasOcclusion, hasLightMap, alphaMode } = technique;
  const parameter = (wanted: string, usual: readonly number[]): readonly number[] => {
    const value = source.parameters.find((one) => one.name === wanted)?.value ?? usual;
    return usual.map((number, k) => value[k] ?? number);
  };
  const transform = uvTransform(parameter('UOffset', [1, 0, 0, 0]), parameter('VOffset', [0, 1, 0, 0]));
  const use = (
    slot: TextureSlot,
    unit: TextureUnit,
    channel: Channel,
    { uvSet = UV_SETS[0], bias = NO_BIAS }: { uvSet?: string; bias?: Vec4 } = {},
  ): TextureUse | null => {
    const texture = source.textures.find((one) => one.unit === unit);
    if (!texture) return null;
    const { image, wraps } = images.take(texture.name, from);
    const colorSpace = isSrgbSlot(slot) ? 'srgb' : 'linear';
    return {
      image,
      uvSet,
      transform: uvSet === UV_SETS[0] ? transform : null,
      ...wraps,
      channel,
      scale: [1, 1, 1, 1],
      bias,
      colorSpace,
    };
  };
  const [red, green, blue, alpha] = parameter('MatDiffColor', [1, 1, 1, 1]);
  const [roughness] = parameter('Roughness', [isPbr && hasMetallicRoughness ? 0 : 1]);
  const [metallic] = parameter('Metallic', [0]);
  const [emitRed, emitGreen, emitBlue] = parameter('MatEmissiveColor', [0, 0, 0]);
  // The shader adds the parameters to the texels: roughness in red, metalness in green.
  const bias: Vec4 = [roughness, metallic, 0, 0];
  const packed = isPbr && hasMetallicRoughness;
  const rough = packed ? use('roughness', 'specular', 'r', { bias }) : null;
  const metal = packed ? use('metallic', 'specular', 'g', { bias }) : null;
  const textureOf = (slot: TextureSlot): TextureUse | null => {
    const { urho3d: unit } = slotKind(slot);
    switch (slot) {
      case 'opacity':
        return alphaMode === 'opaque' ? null : use(slot, 'diffuse', 'a');
      case 'roughness':
        return rough;
      case 'metallic':
        return metal;
      case 'emissive':
        return hasEmission ? use(slot, 'emissive', 'rgb') : null;
      case 'occlusion':
        return hasOcclusion && !hasEmission ? use(slot, 'emissive', 'r', { uvSet: UV_SETS[1] }) : null;
      default:
        return unit && use(slot, unit, 'rgb');
    }
  };
  const hasSpecular = source.textures.some(({ unit }) => unit === 'specular');
  const lost = [
    ...(isPbr ? [] : ['the highlights of materials that are not PBR']),
    ...(isPbr && hasSpecular && !hasMetallicRoughness ? ['specular maps'] : []),
    ...(hasLightMap ? ['light maps'] : []),
    ...source.otherUnits.map((unit) => `textures of the unit ${JSON.stringify(unit)}`),
  ];
  const material: SceneMaterial = {
    ...whiteMaterial(stemOf(name), name),
    alphaMode,
    doubleSided: source.cull === 'none',
    baseColor: [red, green, blue, alpha],
    metallic: metal ? 1 : isPbr ? metallic : 0,
    roughness: rough ? 1 : isPbr ? roughness : 1,
    emissive: [emitRed, emitGreen, emitBlue],
    textures: texturesFrom(textureOf),
    usesVertexColors: technique.usesVertexColors,
  };
  return { material, lost };
}
