// A metallic-roughness material while the layers that glTF's extensions and USD's clearcoat put on it are brought back to its
// own properties. The engine has one base colour, metallic value, roughness and alpha for each texel, and reflects 4 % where
// metallic is 0.

import type { MaterialSurface, TextureUse, Vec3, Vec4 } from '../../scene/types.ts';

/** Factors, textures and alpha of a material, as the layers treated so far have left them. */
export class LayeredMaterial {
  readonly surface: { -readonly [K in keyof MaterialSurface]: MaterialSurface[K] };
  /** The base colour is a factor without a texture. */
  readonly plainColor: boolean;
  readonly plainMetallic: boolean;
  readonly #converted: boolean;

  constructor(material: MaterialSurface) {
    const { textures } = material;
    this.surface = { ...material };
    // Texels of the specular workflow are converted with the factors of the file, so that changing the converted factors
    // has no effect on them.
    this.#converted = material.specularWorkflow !== undefined;
    this.plainColor = !textures.baseColor && !this.#converted;
    this.plainMetallic = !textures.metallic && !this.#converted;
  }

  setColor([r, g, b]: Vec3): void {
    this.surface.baseColor = [r, g, b, this.surface.baseColor[3]];
  }

  /** Multiplies the base colour, textured or not; false for textures of the specular workflow. */
  tint([r, g, b]: Vec3): boolean {
    if (this.#converted) return false;
    this.setColor([this.surface.baseColor[0] * r, this.surface.baseColor[1] * g, this.surface.baseColor[2] * b]);
    return true;
  }

  /** Multiplies the base colour and adds white to it, in the texture too; false for textures of the specular workflow. */
  mixColor(kept: number, added: number): boolean {
    if (this.#converted) return false;
    const [r, g, b] = this.surface.baseColor;
    const { baseColor } = this.surface.textures;
    if (!baseColor) {
      this.setColor([r * kept + added, g * kept + added, b * kept + added]);
      return true;
    }
    const { scale, bias } = baseColor;
    const mixed: TextureUse = {
      ...baseColor,
      scale: [scale[0] * r * kept, scale[1] * g * kept, scale[2] * b * kept, scale[3]],
      bias: [bias[0] * r * kept + added, bias[1] * g * kept + added, bias[2] * b * kept + added, bias[3]],
    };
    this.surface.textures = { ...this.surface.textures, baseColor: mixed };
    this.setColor([1, 1, 1]);
    return true;
  }

  /** Moves the roughness towards a value by a weight, in the texture too; false for textures of the specular workflow. */
  mixRoughness(towards: number, weight: number): boolean {
    if (this.#converted) return false;
    const { roughness } = this.surface.textures;
    const kept = this.surface.roughness * (1 - weight);
    const added = towards * weight;
    if (!roughness) {
      this.surface.roughness = kept + added;
      return true;
    }
    const scale = roughness.scale.map((value) => value * kept);
    const bias = roughness.bias.map((value) => value * kept + added);
    return this.#setRoughness({ ...roughness, scale: scale as unknown as Vec4, bias: bias as unknown as Vec4 });
  }

  /** Moves the roughness, if it is a factor alone, towards a value by a weight times the texels of `mask`; false otherwise. */
  maskRoughness(mask: TextureUse, towards: number, weight: number): boolean {
    const { roughness } = this.surface;
    return this.#readRoughness(mask, (towards - roughness) * weight, roughness);
  }

  /** Moves the roughness, if it is a factor alone, towards the texels of `use` times a factor by a weight; false otherwise. */
  textureRoughness(use: TextureUse, factor: number, weight: number): boolean {
    return this.#readRoughness(use, factor * weight, this.surface.roughness * (1 - weight));
  }

  /** Makes the roughness `scale` times a texel, and `bias`. */
  #readRoughness(use: TextureUse, scale: number, bias: number): boolean {
    if (this.#converted || this.surface.textures.roughness) return false;
    return this.#setRoughness({ ...use, scale: [scale, scale, scale, scale], bias: [bias, bias, bias, bias] });
  }

  #setRoughness(roughness: TextureUse): true {
    this.surface.textures = { ...this.surface.textures, roughness };
    this.surface.roughness = 1;
    return true;
  }

  /** How much of the surface is no metal; 1 if a texture decides it. */
  get dielectric(): number {
    return this.plainMetallic ? 1 - this.surface.metallic : 1;
  }
}
