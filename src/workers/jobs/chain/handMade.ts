// The LOD chain of a model whose levels an artist has made. Each is shown from where its pictures look like the model, or from where
// coverage of the screen asks for it. Nothing is simplified: the last level is the artist's last.

import { engineScreenSize, screenSizeAt } from '../../../engine/screenSize.ts';
import type { DrawnMesh } from '../../../formats/format.ts';
import { drawnTriangles } from '../../../formats/untold/levelFile.ts';
import { deviationBetween } from '../../../geometry/lod/deviation.ts';
import { distanceOfError } from '../../../tiling/streaming/ladder.ts';
import { isFoliage, similarityText } from '../levelCandidate.ts';
import { LevelJudge, type Similarity } from '../levelJudge.ts';
import { ChainModel } from './chainModel.ts';
import { type ChainLevel, type ChainRequest, FURTHEST, NEAREST, radiusOf } from './cookChain.ts';
import type { FittedLevel } from './fitLevel.ts';

/** `model`: as fitLevels gives it. */
export type HandMadeRequest = Omit<ChainRequest, 'minTriangles' | 'pixelsPerTriangle'>;

export interface HandMadeChain {
  readonly levels: readonly Pick<ChainLevel, 'packed' | 'triangles' | 'screenSize' | 'error'>[];
  /** In words why levels are not used. */
  readonly unused: readonly string[];
}

/** Where deviations decide, a level begins so many times further away than the one before, or more. */
const STEP = 1.25;
/** Sizes are stated with five digits: a level begins at a size that is smaller by more than their rounding. */
const FALLS_BY = 1 - 1e-4;

type HandMadeLevel = HandMadeChain['levels'][number];

/** Where a level begins; or in words why it does nowhere. */
type Start = { readonly screenSize: number } | string;

/** The chain of an artist's levels, the finest first. A level has fewer triangles than the one before, by however few. */
export async function handMadeChain(request: HandMadeRequest, levels: readonly FittedLevel[]): Promise<HandMadeChain> {
  const chain = new HandMade(request);
  for (const level of levels) await chain.add(level);
  return chain;
}

class HandMade implements HandMadeChain {
  readonly levels: HandMadeLevel[] = [];
  readonly unused: string[] = [];
  readonly #request: HandMadeRequest;
  readonly #model: ChainModel;
  readonly #radius: number;
  #full: readonly DrawnMesh[] | null = null;
  #judge: LevelJudge | null = null;
  /** The number of the last level that is kept. */
  #last = 0;
  /** Metres from the centre from which the next level is tried where deviations decide. */
  #from: number;
  /** The step of the judge's distances from which it is tried where pictures do. */
  #step = 0;

  constructor(request: HandMadeRequest) {
    this.#request = request;
    this.#model = new ChainModel(request.model, request.surfaces);
    this.#radius = radiusOf(request.model.bounds);
    this.#from = this.#radius * NEAREST;
  }

  async add({ number, packed, coverageFrom }: FittedLevel): Promise<void> {
    const { model } = this.#request;
    const triangles = drawnTriangles(model.parts, packed);
    const before = this.levels.at(-1)?.triangles ?? model.triangles;
    if (triangles >= before) {
      this.#leaveOut(number, `it has ${triangles} triangles, and what it would replace has ${before}`);
      return;
    }
    const drawn = await this.#model.drawn(packed);
    const error = await this.#deviation(drawn);
    const start = await this.#start(drawn, { coverageFrom, error, triangles });
    if (typeof start === 'string') {
      this.#leaveOut(number, start);
      return;
    }
    const { screenSize } = start;
    if (screenSize >= (this.levels.at(-1)?.screenSize ?? Infinity) * FALLS_BY) {
      // The engine shows the coarser of two levels that begin at one size.
      this.levels.pop();
      this.#leaveOut(this.#last, `level ${number} begins where it does`);
    }
    this.levels.push({ packed, triangles, screenSize, error });
    this.#last = number;
  }

  #leaveOut(number: number, why: string): void {
    this.unused.push(`level ${number} made by hand is not used: ${why}`);
  }

  async #start(
    drawn: readonly DrawnMesh[],
    {
      coverageFrom,
      error,
      triangles,
    }: { readonly coverageFrom: number | null; readonly error: number; readonly triangles: number },
  ): Promise<Start> {
    const { quality, ratios } = this.#request;
    if (coverageFrom !== null) {
      if (coverageFrom === Infinity) return 'it is made for a coverage of the screen of 0';
      return { screenSize: screenSizeAt(coverageFrom, this.#radius) };
    }
    if (ratios !== null) return { screenSize: engineScreenSize(triangles) };
    const at = quality === null ? this.#fromDeviation(error) : await this.#fromPictures(drawn);
    return typeof at === 'string' ? at : { screenSize: screenSizeAt(at, this.#radius) };
  }

  /** Metres from the centre from which the deviation cannot be seen. */
  #fromDeviation(error: number): number | string {
    const at = Math.max(this.#from, distanceOfError(error) + this.#radius);
    if (at > this.#radius * FURTHEST) return `it lies ${error.toFixed(3)} m off the model`;
    this.#from = at * STEP;
    return at;
  }

  /**
   * Metres from the centre from which pictures look like the model: the nearest at which they do. They need not from further away,
   * where few pixels are left to tell.
   */
  async #fromPictures(drawn: readonly DrawnMesh[]): Promise<number | string> {
    const judge = await this.#judgeOf();
    const steps = judge.stepsUpTo(this.#radius * (FURTHEST - 1));
    let furthest: Similarity | null = null;
    for (const [step, near] of steps.entries()) {
      if (step < this.#step) continue;
      furthest = await judge.similarity(drawn, 'chain', near, near);
      if (!furthest.passes) continue;
      this.#step = step + 1;
      return near + this.#radius;
    }
    return furthest === null ? 'the level before it begins as far away as any' : `it ${similarityText(furthest)}`;
  }

  async #judgeOf(): Promise<LevelJudge> {
    const { model, images, textures, quality } = this.#request;
    if (quality === null) throw new Error('nobody asks for pictures');
    this.#judge ??= new LevelJudge({
      meshes: await this.#drawnFull(),
      bounds: model.bounds,
      images,
      textures,
      nearest: this.#radius * (NEAREST - 1),
      quality,
    });
    return this.#judge;
  }

  async #drawnFull(): Promise<readonly DrawnMesh[]> {
    this.#full ??= await this.#model.drawn();
    return this.#full;
  }

  /** Metres that the surface of a level lies off the model's. Foliage has none. */
  async #deviation(drawn: readonly DrawnMesh[]): Promise<number> {
    const full = await this.#drawnFull();
    const isSolid = (_: DrawnMesh, i: number): boolean => !isFoliage(full[i]);
    const [own, of] = [drawn, full].map((meshes) => meshes.filter(isSolid).map(({ mesh }) => mesh));
    return deviationBetween(of, own);
  }
}
