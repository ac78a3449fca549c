// The materials of an output: each a file of its own, named for its content, with the textures that it needs.

import { sha256Hex } from '../../../bytes/sha256.ts';
import { alphaOfGlass, lightThrough } from '../../../scene/transmission.ts';
import { textureName } from '../../../textures/name.ts';
import type { OutputFile } from '../../format.ts';
import { writeMaterial } from '../xml/material.ts';
import { pbrMaterial } from '../xml/pbr.ts';
import { drawsOcclusion } from './encode.ts';
import type { PieceMaterial } from './piece.ts';
import { TextureWriter } from './textures.ts';

export class MaterialWriter {
  readonly #folder: string;
  readonly #textures: TextureWriter;
  readonly #known = new Map<string, string>();
  readonly #taken = new Map<string, string>();
  #files: OutputFile[] = [];
  /** Materials whose occlusion map has no unit, for emission takes it. */
  withoutOcclusion = 0;
  withoutHeight = 0;
  /** Materials whose transmission became alpha. */
  glass = 0;

  /** Folders end in `/`. `read`: the bytes of a texture of the cook. */
  constructor(materials: string, textures: string, read: (fileName: string) => Uint8Array) {
    this.#folder = materials;
    this.#textures = new TextureWriter(textures, read);
  }

  /** The files since the last call. */
  take(): readonly OutputFile[] {
    const files = [...this.#textures.take(), ...this.#files];
    this.#files = [];
    return files;
  }

  /** The resource name of a material. */
  async add(material: PieceMaterial): Promise<string> {
    const key = JSON.stringify(material);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const bytes = writeMaterial(pbrMaterial(await this.#pbr(material)));
    const sha256 = sha256Hex(bytes);
    const others = new Set([...this.#taken].filter(([, hash]) => hash !== sha256).map(([name]) => name));
    const name = textureName(material.name, sha256, 'xml', others);
    const path = `${this.#folder}${name}`;
    if (!this.#taken.has(name.toLowerCase())) this.#files.push({ path, bytes });
    this.#taken.set(name.toLowerCase(), sha256);
    this.#known.set(key, path);
    return path;
  }

  async #pbr(material: PieceMaterial): Promise<Parameters<typeof pbrMaterial>[0]> {
    const { alphaMode, doubleSided, vertexColors, roughness, metallic, emissive } = material;
    const [red, green, blue, alpha] = material.baseColor;
    const through = lightThrough(material, (slot) => slot !== 'opacity' && material.textures[slot] !== null);
    if (through > 0) this.glass++;
    const own = alphaMode === 'opaque' ? 1 : alpha;
    const hasOcclusion = drawsOcclusion(material);
    if (material.textures.occlusion !== null && !hasOcclusion) this.withoutOcclusion++;
    if (material.textures.height !== null) this.withoutHeight++;
    const textures = Object.entries({
      baseColor: await this.#textures.baseColor(material),
      normal: await this.#textures.normal(material),
      metallicRoughness: await this.#textures.metallicRoughness(material),
      emissive: await this.#textures.emissive(material),
      occlusion: hasOcclusion ? await this.#textures.occlusion(material) : undefined,
    }).filter(([, name]) => name !== undefined);
    return {
      baseColor: through > 0 ? [red, green, blue, own * alphaOfGlass(material.baseColor, through)] : material.baseColor,
      emissive,
      roughness,
      metallic,
      alphaMode: through > 0 ? 'blend' : alphaMode,
      doubleSided,
      vertexColors,
      textures: Object.fromEntries(textures),
    };
  }
}
