// What material extensions put on top of metallic-roughness, brought back to it: the engine has one base colour, one
// metalness, one roughness and one alpha, and reflects 4 % where nothing is metallic. Each extension becomes the nearest
// such material, and what was made of it is said, one warning a material.
//
// An extension whose values change nothing (a factor of 0, the index of refraction 1.5) is passed over.

import { brightness, DIELECTRIC, metallicOf } from '../../scene/specularGlossiness.ts';
import type { SceneMaterial, SceneTextures, Vec3, Vec4 } from '../../scene/types.ts';
import type { Element } from './element.ts';
import type { Textures } from './textures.ts';

/** Reflectances nearer to 4 % than this look the same: ten bits of a display. */
const SAME_REFLECTANCE = 1e-3;
/** What a clear pane reflects at its two faces, and so hides of what is behind it. */
const PANE = 0.08;
/** Part of the light that a sheen of full colour returns, over all directions; as three.js scales its layers. */
const SHEEN_ALBEDO = 0.157;

const LEFT_OUT = 'left out';

/** A material on its way down: factors, textures and alpha mode that layers may change. */
class Layered {
  baseColor: Vec4;
  metallic: number;
  roughness: number;
  alphaMode: SceneMaterial['alphaMode'];
  textures: SceneTextures;
  /** The base colour is the factor alone. */
  readonly plainColor: boolean;
  readonly plainMetallic: boolean;
  readonly #converted: boolean;

  constructor(material: SceneMaterial) {
    const { baseColor, metallic, roughness, alphaMode, textures } = material;
    this.baseColor = baseColor;
    this.metallic = metallic;
    this.roughness = roughness;
    this.alphaMode = alphaMode;
    this.textures = textures;
    // What is converted texel by texel takes its factors from before the conversion.
    this.#converted = material.specularGlossiness !== undefined;
    this.plainColor = !textures.baseColor && !this.#converted;
    this.plainMetallic = !textures.metallic && !this.#converted;
  }

  setColor([r, g, b]: Vec3): void {
    this.baseColor = [r, g, b, this.baseColor[3]];
  }

  /** Multiplies the base colour, textured or not; false where it is converted. */
  tint([r, g, b]: Vec3): boolean {
    if (this.#converted) return false;
    this.setColor([this.baseColor[0] * r, this.baseColor[1] * g, this.baseColor[2] * b]);
    return true;
  }

  /** Moves the roughness towards a value by a weight, in the texture too; false where it is converted. */
  mixRoughness(towards: number, weight: number): boolean {
    if (this.#converted) return false;
    const { roughness } = this.textures;
    const kept = this.roughness * (1 - weight);
    const added = towards * weight;
    if (!roughness) {
      this.roughness = kept + added;
      return true;
    }
    const all = (value: number): Vec4 => [value, value, value, value];
    this.textures = { ...this.textures, roughness: { ...roughness, scale: all(kept), bias: all(added) } };
    this.roughness = 1;
    return true;
  }

  /** How much of the surface is no metal, as far as the factor tells. */
  get dielectric(): number {
    return this.plainMetallic ? 1 - this.metallic : 1;
  }
}

/** One layer: what was done about it, null when it changes nothing. */
type Layer = (material: Element, to: Layered, textures: Textures) => string | null;

/** KHR_materials_ior and KHR_materials_specular together say how much a dielectric reflects. */
const reflectance: Layer = (material, to) => {
  const ior = material.extension('KHR_materials_ior')?.number('ior', 1.5) ?? 1.5;
  const specular = material.extension('KHR_materials_specular');
  const factor = specular?.number('specularFactor', 1) ?? 1;
  const color = (specular?.numbers('specularColorFactor', 3) ?? [1, 1, 1]) as readonly number[];
  const textured = specular?.has('specularTexture') || specular?.has('specularColorTexture');
  // An index of 0 stands for a reflectance of 1; here it follows from the formula.
  const normal = ((ior - 1) / (ior + 1)) ** 2;
  const [r, g, b] = color.map((c) => Math.min(normal * c, 1) * factor);
  const name = [material.extension('KHR_materials_ior') && 'ior', specular && 'specular'].filter(Boolean).join(' and ');
  const lost = textured ? ', without its textures' : '';
  if (to.dielectric === 0) return null;
  if ([r, g, b].every((value) => Math.abs(value - DIELECTRIC) < SAME_REFLECTANCE)) {
    return textured ? `${name} ${LEFT_OUT}` : null;
  }
  const strength = brightness(r, g, b);
  if (strength < DIELECTRIC) {
    const done = to.mixRoughness(1, 1 - strength / DIELECTRIC);
    return done ? `${name} made rougher for reflecting less than 4 %${lost}` : `${name} ${LEFT_OUT}`;
  }
  if (!to.plainColor || !to.plainMetallic || to.metallic > 0) return `${name} ${LEFT_OUT}`;
  const [baseRed, baseGreen, baseBlue] = to.baseColor;
  const found = metallicOf([baseRed, baseGreen, baseBlue], [r, g, b]);
  to.setColor(found.color);
  to.metallic = found.metallic;
  return `${name} made as metallic as it reflects${lost}`;
};

/** A stretched highlight becomes the round one of the same area: the mean of both widths (roughness squared). */
const anisotropy: Layer = (material, to) => {
  const ext = material.extension('KHR_materials_anisotropy');
  const strength = ext?.number('anisotropyStrength', 0) ?? 0;
  if (strength === 0) return null;
  if (to.textures.roughness || !to.mixRoughness(0, 0)) return `anisotropy ${LEFT_OUT}`;
  const across = to.roughness ** 2;
  const along = across + (1 - across) * strength ** 2;
  to.roughness = (across * along) ** 0.25;
  return 'anisotropy evened out';
};

/** The coat's highlight is what one sees of a dielectric under it; a metal's own is far brighter. */
const clearcoat: Layer = (material, to) => {
  const ext = material.extension('KHR_materials_clearcoat');
  const factor = ext?.number('clearcoatFactor', 0) ?? 0;
  if (ext === null || factor === 0) return null;
  const weight = factor * (1 - to.metallic);
  if (ext.has('clearcoatTexture') || weight <= 0) return `clear coat ${LEFT_OUT}`;
  const done = to.mixRoughness(ext.number('clearcoatRoughnessFactor', 0), weight);
  return done ? 'clear coat made the roughness' : `clear coat ${LEFT_OUT}`;
};

const sheen: Layer = (material, to) => {
  const color = material.extension('KHR_materials_sheen')?.numbers('sheenColorFactor', 3) ?? [0, 0, 0];
  const most = Math.max(...color);
  if (most === 0) return null;
  if (!to.plainColor) return `sheen ${LEFT_OUT}`;
  const under = 1 - SHEEN_ALBEDO * most;
  const mixed = color.map((c, i) => to.baseColor[i] * under + SHEEN_ALBEDO * c);
  to.setColor([mixed[0], mixed[1], mixed[2]]);
  return 'sheen mixed into the base colour';
};

/** Light that passes is coloured by what it passes, and hidden by what it does not pass (Beer's law for the volume). */
const transmission: Layer = (material, to, textures) => {
  const ext = material.extension('KHR_materials_transmission');
  const factor = (ext?.number('transmissionFactor', 0) ?? 0) * to.dielectric;
  if (ext === null || factor === 0) return null;
  let tinted = '';
  const volume = material.extension('KHR_materials_volume');
  const thickness = volume?.number('thicknessFactor', 0) ?? 0;
  const distance = volume?.number('attenuationDistance', 0) ?? 0;
  if (thickness > 0 && distance > 0) {
    const color = volume?.numbers('attenuationColor', 3) ?? [1, 1, 1];
    const [r, g, b] = color.map((c) => c ** (thickness / distance));
    tinted = to.tint([r, g, b]) ? ', coloured by its volume' : ', without its volume';
  }
  const [red, green, blue, alpha] = to.baseColor;
  const seen = Math.min(factor * (0.2126 * red + 0.7152 * green + 0.0722 * blue), 1 - PANE);
  const own = to.alphaMode === 'opaque' ? 1 : alpha;
  to.alphaMode = 'blend';
  const use = textures.use(ext, 'transmissionTexture', { channel: 'r', colorSpace: 'linear', scale: -seen, bias: 1 });
  if (use && !to.textures.opacity) {
    to.textures = { ...to.textures, opacity: use };
    to.baseColor = [red, green, blue, own];
    return `transmission made alpha${tinted}`;
  }
  to.baseColor = [red, green, blue, own * (1 - seen)];
  return `transmission made alpha${use ? ', without its texture' : ''}${tinted}`;
};

/** A volume that nothing passes through is not seen. */
const leftOut =
  (extension: string, factor: string, name: string): Layer =>
  (material) =>
    (material.extension(extension)?.number(factor, 0) ?? 0) === 0 ? null : `${name} ${LEFT_OUT}`;

const LAYERS: readonly Layer[] = [
  reflectance,
  anisotropy,
  clearcoat,
  sheen,
  transmission,
  leftOut('KHR_materials_diffuse_transmission', 'diffuseTransmissionFactor', 'diffuse transmission'),
  leftOut('KHR_materials_iridescence', 'iridescenceFactor', 'iridescence'),
  leftOut('KHR_materials_dispersion', 'dispersion', 'dispersion'),
];

/** The nearest material without layers, and what was done about each layer that changes something. */
export function withoutLayers(
  element: Element,
  material: SceneMaterial,
  textures: Textures,
): { readonly material: SceneMaterial; readonly said: readonly string[] } {
  const to = new Layered(material);
  const said: string[] = [];
  for (const layer of LAYERS) {
    const words = layer(element, to, textures);
    if (words !== null) said.push(words);
  }
  const { baseColor, metallic, roughness, alphaMode, textures: slots } = to;
  return { material: { ...material, baseColor, metallic, roughness, alphaMode, textures: slots }, said };
}
