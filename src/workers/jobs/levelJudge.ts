// Judges levels by pictures: full detail and a level are drawn as the screen shows them from a distance, and compared. A
// level may be shown from where the two look alike. The idea is that of Lindstrom and Turk, "Image-driven simplification"
// (2000): what counts of a level is how it looks, not how far its surface lies off.

import type { DrawnMesh, MeshMaterial } from '../../formats/format.ts';
import { type Camera, viewsOf } from '../../raster/camera.ts';
import { meanDifference } from '../../raster/mean.ts';
import { type ByteDifference, compareBytes } from '../../raster/metrics.ts';
import { type Picture, render } from '../../raster/render.ts';
import { buildRasterScene, type RasterMaterial, type RasterScene } from '../../raster/scene.ts';
import type { Texture } from '../../raster/texture.ts';
import type { Bounds, Vec4 } from '../../scene/types.ts';
import type { Mips } from '../../textures/atlas/mips.ts';
import { lightThroughMaterial } from '../../textures/seenThrough.ts';
import type { PaintedTexture, TextureFiles } from '../../textures/types.ts';
import {
  type JudgedKind,
  LIKENESS_LIMITS,
  type LodQuality,
  type SimilarityLimits,
} from '../../tiling/streaming/lodQuality.ts';
import type { ProxyImages } from './bakeProxy.ts';
import { stepsBeyond } from './finerLevel.ts';
import { mipsOfMade } from './madeTextures.ts';

/**
 * The views of viewsOf that are drawn here: two low and two high ones, from four quarters of the circle. Of all choices of
 * four, these have the means nearest to those over all thirteen views, measured with 45 levels of three towns.
 */
export const JUDGED_VIEWS = [0, 9, 3, 11] as const;
/** By about so much the means over the four views may be better than those over all, so so much more is asked of them. */
const MARGIN = { ssim: 0.002, psnr: 0.3 } as const;
/** How often the way between a distance that fails and one that passes is halved. */
const HALVINGS = 2;
/** From one distance to the next, at which pictures are drawn. */
const STEP = 1.25;

/** The nearest distance from `near` on from which the steps of pictures lead to `usual`, both in metres. */
export function nearestJudged(near: number, usual: number): number {
  let nearest = usual;
  while (nearest / STEP >= near) nearest /= STEP;
  return nearest;
}

/** What is asked of the means over the views that are drawn here. */
export function judgedLimits(quality: LodQuality, kind: JudgedKind): SimilarityLimits {
  const { ssim, psnr, meanColor } = LIKENESS_LIMITS[quality][kind];
  return { ssim: ssim + MARGIN.ssim, psnr: psnr + MARGIN.psnr, meanColor };
}

/** How like full detail a level looks from a distance. */
export interface Similarity extends SimilarityLimits {
  /** Metres. */
  readonly distance: number;
  readonly passes: boolean;
  /** Whether the mean colour is further off than it may be. */
  readonly failsByColor: boolean;
}

export interface JudgedTile {
  /** Full detail. */
  readonly meshes: readonly DrawnMesh[];
  readonly bounds: Bounds;
  readonly images: ProxyImages;
  readonly textures: TextureFiles;
  /** No level is shown nearer than so many metres. */
  readonly nearest: number;
  readonly quality: LodQuality;
}

/** Full detail as one camera sees it. */
interface ReferenceView {
  readonly camera: Camera;
  /** Null until it is first asked for. */
  picture: Picture | null;
}

interface Look {
  readonly similarity: Similarity;
  /** Of the views in the order in which they were drawn. */
  readonly worstFirst: readonly number[];
}

function similarityOf(views: readonly ByteDifference[], distance: number, min: SimilarityLimits): Similarity {
  const { ssim, psnr, meanColor } = meanDifference(views);
  const failsByColor = meanColor > min.meanColor;
  const passes = ssim >= min.ssim && psnr >= min.psnr && !failsByColor;
  return { distance, ssim, psnr, meanColor, passes, failsByColor };
}

export class LevelJudge {
  readonly #tile: JudgedTile;
  readonly #textures = new Map<Mips, Texture>();
  #full: RasterScene | null = null;
  /** Pictures of full detail by distance. */
  readonly #references = new Map<number, ReferenceView[]>();

  constructor(tile: JudgedTile) {
    this.#tile = tile;
  }

  /**
   * The similarity at the nearest distance from `nearest` to `furthest` metres at which a level passes; or, where it passes
   * at none, that at the distance last looked at. Pictures from afar are small: LODs that are simplified are looked at from there
   * first, for of 372 of them in three towns none passed nearer that failed there. What HLODs and levels made by hand lose may
   * show from afar alone: `startsFar` is false for them.
   */
  async similarity(
    meshes: readonly DrawnMesh[],
    kind: JudgedKind,
    nearest: number,
    furthest: number,
    startsFar = kind === 'lod',
  ): Promise<Similarity> {
    const level = await this.#sceneOf(meshes);
    // Once all views are drawn from one distance, it is known which differ most.
    let order: readonly number[] | null = null;
    const at = async (step: number): Promise<Similarity> => {
      const looked = await this.#lookAt(level, kind, this.#distanceOf(step), order);
      order ??= looked.worstFirst;
      return looked.similarity;
    };
    let low = this.#stepAt(nearest);
    let high = this.#stepAt(furthest);
    if (high <= low) return at(low);
    const far = startsFar ? await at(high) : null;
    if (far !== null && !far.passes) return far;
    const near = await at(low);
    if (near.passes) return near;
    let best = far ?? (await at(high));
    if (!best.passes) return best;
    for (let i = 0; i < HALVINGS && high > low + 1; i++) {
      const middle = (low + high) >> 1;
      const similarity = await at(middle);
      if (similarity.passes) {
        best = similarity;
        high = middle;
      } else low = middle;
    }
    return best;
  }

  /** The distances in metres at which pictures are drawn, up to one. */
  stepsUpTo(furthest: number): number[] {
    return Array.from({ length: this.#stepAt(furthest) + 1 }, (_, step) => this.#distanceOf(step));
  }

  /** Distances are steps of a ladder, so that levels share pictures of full detail: the last step up to a distance. */
  #stepAt(distance: number): number {
    let step = 0;
    while (this.#distanceOf(step + 1) <= distance) step++;
    return step;
  }

  #distanceOf(step: number): number {
    let distance = this.#tile.nearest;
    for (let i = 0; i < step; i++) distance *= STEP;
    return distance;
  }

  /**
   * The similarity from a distance, over all views. Where it is known from another distance which half of them has more steps of
   * error, that half is drawn first. If its means pass, those over all are taken to pass, and the other half is not drawn.
   */
  async #lookAt(
    level: RasterScene,
    kind: JudgedKind,
    distance: number,
    order: readonly number[] | null,
  ): Promise<Look> {
    const references = this.#referencesAt(distance);
    const min = judgedLimits(this.#tile.quality, kind);
    const all = order ?? references.keys();
    const views: ByteDifference[] = [];
    let similarity: Similarity | null = null;
    for (const i of all) {
      const reference = references[i];
      reference.picture ??= render(await this.#fullDetail(), reference.camera);
      views.push(compareBytes(reference.picture, render(level, reference.camera)));
      if (views.length < references.length && (order === null || views.length * 2 !== references.length)) continue;
      similarity = similarityOf(views, distance, min);
      if (similarity.passes) break;
    }
    const steps = views.map((view) => (view.meanColor > min.meanColor ? Infinity : stepsBeyond(view, min)));
    const worstFirst = [...views.keys()].sort((a, b) => steps[b] - steps[a] || a - b);
    return { similarity: similarity as Similarity, worstFirst };
  }

  async #fullDetail(): Promise<RasterScene> {
    this.#full ??= await this.#sceneOf(this.#tile.meshes);
    return this.#full;
  }

  #referencesAt(distance: number): ReferenceView[] {
    let references = this.#references.get(distance);
    if (!references) {
      const cameras = viewsOf(this.#tile.bounds, distance);
      references = JUDGED_VIEWS.map((i) => ({ camera: cameras[i], picture: null }));
      this.#references.set(distance, references);
    }
    return references;
  }

  async #sceneOf(meshes: readonly DrawnMesh[]): Promise<RasterScene> {
    const parts = [];
    for (const { surface, mesh } of meshes) {
      parts.push({
        positions: mesh.positions,
        indices: mesh.indices,
        normals: mesh.attributes.normal,
        uv0: mesh.attributes.uv0 ?? null,
        // The engine does not draw colours of vertices.
        color0: null,
        surface: await this.#surfaceOf(surface),
      });
    }
    return buildRasterScene(parts);
  }

  async #surfaceOf({ material, tint, palette, emission }: MeshMaterial): Promise<RasterMaterial> {
    const { baseColor, emissive, alphaMode, alphaCutoff, slots } = material;
    const transmission = lightThroughMaterial(material);
    const isGlowing = emissive.some((value) => value > 0);
    return {
      baseColor: baseColor.map((value, c) => value * (tint?.[c] ?? 1)) as unknown as Vec4,
      baseColorTexture: await this.#texture(palette, slots.baseColor),
      emissive,
      emissiveTexture: isGlowing ? await this.#texture(emission ?? null, slots.emissive) : null,
      alphaMode,
      alphaCutoff,
      transmission,
    };
  }

  /** A texture that was made for a surface, else one of the scene's; null: none, or one that cannot be read. */
  async #texture(made: PaintedTexture | null, index: number): Promise<Texture | null> {
    let mips: Mips | null = null;
    if (made !== null) {
      mips = await mipsOfMade(made, this.#tile.textures);
    } else if (index >= 0) {
      mips = await this.#tile.images(index);
    }
    if (mips === null) return null;
    let texture = this.#textures.get(mips);
    if (!texture) {
      texture = { levels: mips.map(({ width, height, data }) => ({ width, height, texels: data })) };
      this.#textures.set(mips, texture);
    }
    return texture;
  }
}
