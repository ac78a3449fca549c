// A metallic-roughness material while the layers that extensions put on it are brought back to its own properties. The engine
// has one base colour, metallic value, roughness and alpha for each texel, and reflects 4 % where metallic is 0.

import type { MaterialSurface, SceneMaterial, Vec3, Vec4 } from '../../../scene/types.ts';

/** Factors, textures and alpha of a material, as the layers treated so far have left them. */
export class LayeredMaterial {
  readonly surface: { -readonly [K in keyof MaterialSurface]: MaterialSurface[K] };
  /** The base colour is a factor without a texture. */
  readonly plainColor: boolean;
  readonly plainMetallic: boolean;
  readonly #converted: boolean;

  constructor(material: SceneMaterial) {
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
    const all = (value: number): Vec4 => [value, value, value, value];
    this.surface.textures = {
      ...this.surface.textures,
      roughness: { ...roughness, scale: all(kept), bias: all(added) },
    };
    this.surface.roughness = 1;
    return true;
  }

  /** How much of the surface is no metal; 1 if a texture decides it. */
  get dielectric(): number {
    return this.plainMetallic ? 1 - this.surface.metallic : 1;
  }
}
