// The LOD chain of a model of a pack. Where pictures decide, each level is the coarsest one that looks like the model from its
// distance; the distances double. With ratios, levels are those of the engine's own cook: fixed shares of the triangles, shown
// by a formula of their number.

import {
  engineErrorLimit,
  engineScreenSize,
  MAX_OF_LEVEL_BEFORE,
  MIN_CHAIN_TRIANGLES,
  screenSizeAt,
} from '../../../engine/screenSize.ts';
import type { MeshMaterial } from '../../../formats/format.ts';
import type { Model } from '../../../formats/untold/levelFile.ts';
import { LevelMaker, type LevelRequest, MAX_OF_BEFORE_JUDGED } from '../../../geometry/lod/levels.ts';
import type { SimplifiedMesh } from '../../../geometry/lod/simplifiedMesh.ts';
import type { Bounds } from '../../../scene/types.ts';
import type { TextureFiles } from '../../../textures/types.ts';
import { errorAtDistance, pixelAtDistance } from '../../../tiling/streaming/ladder.ts';
import type { LodQuality } from '../../../tiling/streaming/lodQuality.ts';
import type { ProxyImages } from '../bakeProxy.ts';
import { stepsBeyond, trianglesForSteps } from '../finerLevel.ts';
import { judgedLimits, LevelJudge, type Similarity } from '../levelJudge.ts';
import { ChainModel, type StoredLevel } from './chainModel.ts';

export interface ChainRequest {
  readonly model: Model;
  /** What each part of the model is drawn with. */
  readonly surfaces: readonly MeshMaterial[];
  readonly images: ProxyImages;
  readonly textures: TextureFiles;
  /** Shares of the triangles, falling; null: what looks like the model decides. */
  readonly ratios: readonly number[] | null;
  /** Models of fewer triangles get no levels; absent: as the engine's cook has it. */
  readonly minTriangles?: number;
  /** With `ratios`: pixels that a triangle may cover; absent: as the engine's cook has it. */
  readonly pixelsPerTriangle?: number;
  /** How like the model pictures must look; null: deviations alone decide. */
  readonly quality: LodQuality | null;
}

/** A level of a chain. */
export interface ChainLevel extends StoredLevel {
  /** The share of the view's height from which it is shown. */
  readonly screenSize: number;
  /** Measured, in metres. */
  readonly error: number;
  /** What pictures say from there; null: nobody asked. */
  readonly similarity: Similarity | null;
}

export interface CookedChain {
  readonly levels: readonly ChainLevel[];
  /** In words why there are none; null: there are some. */
  readonly leftOut: string | null;
}

/** Radii from the centre at which the first level is tried, and the last. */
export const NEAREST = 2;
export const FURTHEST = 200;
/** From one level to the next. */
const STEP = 2;
/** Pixels that the surface of a level may lie off where pictures decide, at the first try. */
const JUDGED_PIXELS = 1;
/** The next try has this share of the pixels, where the level does not look like the model and has lost pieces smaller than them. */
const FINER = 0.35;
/** A level with less than this share of the triangles that it may have is taken to have lost such pieces. */
const LOST_PIECES = 0.9;
/** The share of the triangles of the level before that is tried first, and the most that is tried. */
const FIRST_SHARE = 0.25;
const LAST_SHARE = MAX_OF_BEFORE_JUDGED;
/** What fails is tried again with so many times the triangles, or more. */
const MIN_GAIN = 1.3;
/** Steps of error (finerLevel.ts) that the next try leaves to spare. */
const SPARE_STEPS = 2;
/** How often a level is tried for one distance. */
const ATTEMPTS = 4;
/** Coarser levels save nothing. */
const MIN_TRIANGLES = 24;

/** Why a model gets no levels, not even an artist's; null: it may get some. */
export function levelsObstacle({ obstacle, bounds }: Pick<Model, 'obstacle' | 'bounds'>): string | null {
  if (obstacle !== null) return obstacle;
  // Distances and sizes on the screen are multiples of the radius.
  return radiusOf(bounds) > 0 ? null : 'its bounds are a single point';
}

/** Why a model gets no simplified levels whatever they look like; null: it may get some. */
export function chainObstacle(
  model: Pick<Model, 'obstacle' | 'triangles' | 'bounds'>,
  min = MIN_CHAIN_TRIANGLES,
): string | null {
  const why = levelsObstacle(model);
  if (why !== null) return why;
  const { triangles } = model;
  return triangles < min
    ? `it has ${triangles} triangles, fewer than the ${min} from which levels are worth their files`
    : null;
}

/** Half the diagonal of a box: the radius of the sphere by which the engine chooses levels. */
export const radiusOf = ({ min, max }: Bounds): number =>
  Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2;

/** The chain of a model, the finest level first. */
export async function cookChain(request: ChainRequest): Promise<CookedChain> {
  const why = chainObstacle(request.model, request.minTriangles);
  if (why !== null) return { levels: [], leftOut: why };
  const chain = new Chain(request);
  await (request.ratios === null ? chain.byLooks() : chain.byRatios(request.ratios));
  const { levels } = chain;
  return { levels, leftOut: levels.length > 0 ? null : chain.whyNone };
}

interface Candidate {
  readonly level: StoredLevel;
  readonly error: number;
}

class Chain {
  readonly levels: ChainLevel[] = [];
  whyNone = 'no level with fewer triangles could be made';
  readonly #model: ChainModel;
  readonly #maker: LevelMaker;
  readonly #request: ChainRequest;
  readonly #radius: number;
  #judge: LevelJudge | null = null;

  constructor(request: ChainRequest) {
    const { model, surfaces } = request;
    this.#request = request;
    this.#model = new ChainModel(model, surfaces);
    this.#maker = new LevelMaker(this.#model.simplified, this.#model.lockedVertices());
    this.#radius = radiusOf(model.bounds);
  }

  /** Shares of the triangles, from where the engine's formula says. */
  async byRatios(ratios: readonly number[]): Promise<void> {
    const { model, pixelsPerTriangle } = this.#request;
    for (const ratio of ratios) {
      const limit = engineErrorLimit(this.#radius * 2, model.triangles * ratio);
      const made = await this.#make({ ratio, limit: limit / this.#model.stretch });
      if (made === null || !this.#isFewer(made.level)) continue;
      this.#keep(made, engineScreenSize(made.level.triangles, pixelsPerTriangle), null);
    }
  }

  /** The coarsest levels that look like the model, from ever further away. */
  async byLooks(): Promise<void> {
    const { quality, images, textures, model } = this.#request;
    const nearest = this.#radius * (NEAREST - 1);
    if (quality !== null) {
      const meshes = await this.#model.drawn();
      this.#judge = new LevelJudge({ meshes, bounds: model.bounds, images, textures, nearest, quality });
    }
    const furthest = this.#radius * FURTHEST;
    for (let at = this.#radius * NEAREST; at <= furthest; at *= STEP) {
      if ((this.levels.at(-1)?.triangles ?? Infinity) <= MIN_TRIANGLES) return;
      const found = await this.#coarsest(at);
      if (found !== null) this.#keep(found.made, screenSizeAt(at, this.#radius), found.similarity);
    }
  }

  #before(): readonly (SimplifiedMesh & { readonly mesh: SimplifiedMesh['mesh'] })[] {
    const parts = this.levels.at(-1)?.parts;
    // Cards are those of full detail, whatever the level before has of them.
    return this.#model.simplified.map((part, i) => (parts && !part.cards ? { ...part, mesh: parts[i] } : part));
  }

  #trianglesBefore(): number {
    return this.levels.at(-1)?.triangles ?? this.#request.model.triangles;
  }

  #isFewer({ triangles }: StoredLevel): boolean {
    return triangles <= this.#trianglesBefore() * MAX_OF_LEVEL_BEFORE;
  }

  #keep({ level, error }: Candidate, screenSize: number, similarity: Similarity | null): void {
    this.levels.push({ ...level, error, screenSize, similarity });
  }

  /** A level; null where it would be no gain. */
  async #make(request: LevelRequest): Promise<Candidate | null> {
    const before = this.#before();
    const had = this.#parts(before);
    const made = await this.#maker.make(before, { ...request, before: had });
    if ('obstacle' in made) {
      this.whyNone = `a level would have ${made.triangles} of ${made.before} triangles: what is left would be seen, or holds the rest`;
      return null;
    }
    const level = this.#model.store(
      made.meshes,
      before.map(({ mesh }) => mesh),
    );
    return level && { level, error: made.error * this.#model.stretch };
  }

  /** The coarsest level that looks like the model from `at` metres from its centre. */
  async #coarsest(at: number): Promise<{ readonly made: Candidate; readonly similarity: Similarity | null } | null> {
    const { quality } = this.#request;
    const near = at - this.#radius;
    let share = FIRST_SHARE;
    let pixels = JUDGED_PIXELS;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const made = await this.#makeFor(near, share, pixels);
      if (made === null || !this.#isFewer(made.level)) return null;
      if (this.#judge === null || quality === null) return { made, similarity: null };
      const drawn = await this.#model.drawn(made.level.packed);
      const similarity = await this.#judge.similarity(drawn, 'chain', near, near);
      if (similarity.passes) return { made, similarity };
      const radii = Number((at / this.#radius).toPrecision(3));
      this.whyNone = `no level looks like the model: from ${radii} radii SSIM is ${similarity.ssim.toFixed(3)}`;
      const had = made.level.triangles / this.#trianglesBefore();
      if (had < share * LOST_PIECES) {
        pixels *= FINER;
        continue;
      }
      if (share >= LAST_SHARE) return null;
      const steps = stepsBeyond(similarity, judgedLimits(quality, 'chain')) + SPARE_STEPS;
      share = Math.min(LAST_SHARE, Math.max(share * MIN_GAIN, had * trianglesForSteps(steps)));
    }
    return null;
  }

  /** A level for so many metres from the model. `share`: of the triangles of the level before that it may have at most. */
  #makeFor(near: number, share: number, pixels: number): Promise<Candidate | null> {
    const judged = this.#judge !== null;
    const { stretch } = this.#model;
    const twoPixels = errorAtDistance(near) / stretch;
    const limit = judged ? (pixelAtDistance(near) * pixels) / stretch : twoPixels;
    // Without pictures a level is as coarse as its deviation may be.
    const ratio = ((judged ? share : 0) * this.#parts(this.#before())) / this.#parts(this.#model.simplified);
    // Cards have no deviation: without pictures nothing says how many may go.
    return this.#make({ ratio, limit, twoPixels, judged, cardRatio: 1 });
  }

  /** Triangles of what is simplified, each mesh once. */
  #parts(parts: readonly Pick<SimplifiedMesh, 'mesh'>[]): number {
    return parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
  }
}
