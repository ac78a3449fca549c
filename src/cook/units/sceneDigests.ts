// Digests of what the jobs of a scene refer to by index: materials, textures, palettes. Indices change when something is
// added to a scene; digests do not, so that what is kept of the other tiles is still found.

import { packedDigest } from '../../bytes/pack.ts';
import type { PreparedMaterial, PreparedTexture } from '../../textures/types.ts';
import {
  DEFAULT_MATERIAL,
  type FaceColor,
  type JobScene,
  type MeshMaterialIndex,
  type MeshSource,
} from '../../workers/jobs.ts';

/** What a mesh is drawn with, digests in place of indices; null: the default material, or no palette. */
export interface KeptMeshMaterial extends Pick<MeshMaterialIndex, 'tint'> {
  readonly material: string | null;
  readonly palette: string | null;
}

/** What files state of a texture; its bytes have their SHA-256. */
function textureFacts({ bytes: _, smaller = [], ...facts }: PreparedTexture): unknown {
  return { ...facts, smaller: smaller.map(textureFacts) };
}

export class SceneDigests {
  readonly #scene: JobScene;
  readonly #textures: readonly string[];
  readonly #materials: readonly string[];
  readonly #palettes: readonly string[];
  readonly #materialIndices: ReadonlyMap<string, number>;
  readonly #paletteIndices: ReadonlyMap<string, number>;
  readonly default = packedDigest(DEFAULT_MATERIAL);
  /** Of what is the same for all jobs of the scene. */
  readonly common: string;

  constructor(scene: JobScene) {
    this.#scene = scene;
    const textures = scene.textures.map((texture) => packedDigest(textureFacts(texture)));
    this.#textures = textures;
    const materialDigest = ({ slots, ...material }: PreparedMaterial) => {
      const named = Object.entries(slots).map(([slot, index]) => [slot, index < 0 ? null : textures[index]]);
      return packedDigest([material, named]);
    };
    this.#materials = scene.materials.map(materialDigest);
    this.#palettes = scene.palettes.map((palette) => packedDigest(textureFacts(palette)));
    this.#materialIndices = new Map(this.#materials.map((digest, i) => [digest, i]));
    this.#paletteIndices = new Map(this.#palettes.map((digest, i) => [digest, i]));
    const { source, format, textureSettings, write } = scene;
    this.common = packedDigest([source, format, textureSettings, write]);
  }

  texture(index: number): string {
    return this.#textures[index];
  }

  material(index: number): string {
    return index < 0 ? this.default : this.#materials[index];
  }

  /** A name for people. */
  materialName(index: number): string {
    return index < 0 ? DEFAULT_MATERIAL.name : this.#scene.materials[index].name;
  }

  kept({ material, tint, palette }: MeshMaterialIndex): KeptMeshMaterial {
    return {
      material: material < 0 ? null : this.#materials[material],
      tint,
      palette: palette < 0 ? null : this.#palettes[palette],
    };
  }

  /** The indices of a surface that was kept; null: this scene has no such material or palette. */
  index({ material, tint, palette }: KeptMeshMaterial): MeshMaterialIndex | null {
    const materialIndex = material === null ? -1 : this.#materialIndices.get(material);
    const paletteIndex = palette === null ? -1 : this.#paletteIndices.get(palette);
    if (materialIndex === undefined || paletteIndex === undefined) return null;
    return { material: materialIndex, tint, palette: paletteIndex };
  }

  /** Of a mesh as jobs get it. Its polygons must have been read. */
  mesh({ primitives }: MeshSource): string {
    return packedDigest(
      primitives.map(({ path, faces, polygons }) => {
        if (typeof polygons === 'function') throw new Error(`the polygons of ${path} were not read`);
        const groups = faces.map(({ material, color, ...face }) => ({
          ...face,
          material: this.material(material),
          color: this.#color(color),
        }));
        return { path, faces: groups, polygons };
      }),
    );
  }

  #color(color: FaceColor): unknown {
    return 'palette' in color ? { ...color, palette: this.#palettes[color.palette] } : color;
  }
}
