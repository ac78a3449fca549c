// The textures of a scene that levels take colours from or are drawn with, given to each thread once.

import type { CookSettings } from '../../../config/types.ts';
import { isSolid } from '../../../textures/seenThrough.ts';
import { fileBytes, type HeldFiles, type PreparedTexture } from '../../../textures/types.ts';
import { atlasedTexture } from '../../../workers/jobs/mergeMaterials.ts';
import type { BroughtImages, DrawnIndex, JobScene } from '../../../workers/jobs.ts';
import { filesOf } from '../textures/sceneTextures.ts';

export class LevelImages {
  readonly #scene: JobScene;
  readonly #held: HeldFiles;
  #byName: ReadonlyMap<string, PreparedTexture> | null = null;
  /** Textures that each thread has, by its number. */
  readonly #given = new Map<number, Set<number>>();
  /** Textures that HLODs may take their colours from, or that pictures of levels are drawn with. */
  readonly #seen = new Set<number>();

  constructor(scene: JobScene, held: HeldFiles, { hlodTextureSize = null, lodCheck }: CookSettings) {
    this.#scene = scene;
    this.#held = held;
    const isJudged = lodCheck === 'pictures';
    for (const material of scene.materials) {
      if (!isJudged && hlodTextureSize === null) this.#seen.add(atlasedTexture(material, scene.textures));
      else if (isJudged || isSolid(material)) {
        this.#seen.add(material.slots.baseColor);
        this.#seen.add(material.slots.emissive);
      }
    }
    this.#seen.delete(-1);
  }

  /** The scene's texture of this file name, or the smaller file of one. */
  textureOf(fileName: string): PreparedTexture {
    return this.#textures().get(fileName) as PreparedTexture;
  }

  hasTexture(fileName: string): boolean {
    return this.#textures().has(fileName);
  }

  #textures(): ReadonlyMap<string, PreparedTexture> {
    this.#byName ??= new Map(this.#scene.textures.flatMap(filesOf).map((texture) => [texture.fileName, texture]));
    return this.#byName;
  }

  /** Those of the scene's textures `wanted` that levels need and a thread has not been given before. */
  imagesFor(wanted: Iterable<number>, runner: number): BroughtImages {
    const given = this.#given.get(runner) ?? new Set<number>();
    this.#given.set(runner, given);
    const missing = [...wanted].filter((texture) => this.#seen.has(texture) && !given.has(texture));
    for (const texture of missing) given.add(texture);
    return missing.map((texture) => ({ texture, bytes: fileBytes(this.#scene.textures[texture], this.#held) }));
  }

  /** What the levels of a tile that draws these may be made of. */
  imagesOf(drawn: readonly DrawnIndex[], runner: number): BroughtImages {
    const wanted = new Set<number>();
    for (const { surface } of drawn) {
      if (surface.material < 0) continue;
      const { baseColor, emissive } = this.#scene.materials[surface.material].slots;
      if (surface.palette < 0) wanted.add(baseColor);
      wanted.add(emissive);
    }
    return this.imagesFor(wanted, runner);
  }
}
