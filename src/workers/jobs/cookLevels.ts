// The levels of one tile from its own meshes: LODs with the tile's materials, an HLOD with as few as its picture
// allows. Made after all payloads are written, when it is known which positions are shared.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import type { DrawnMesh } from '../../formats/format.ts';
import { deviationBetween } from '../../geometry/lod/deviation.ts';
import { type LeftOut, LevelMaker, MAX_OF_BEFORE_JUDGED } from '../../geometry/lod/levels.ts';
import type { SimplifiedMesh } from '../../geometry/lod/simplifiedMesh.ts';
import { ceilCentimetre } from '../../tiling/streaming/centimetres.ts';
import { errorAtDistance, pixelAtDistance } from '../../tiling/streaming/ladder.ts';
import {
  furthestStart,
  minJudgedStreaming,
  minStreaming,
  nearestStart,
  startAfter,
  startOfLevel,
} from '../../tiling/streaming/levelStart.ts';
import { stepsBeyond, trianglesForSteps } from './finerLevel.ts';
import { hlodMaterials, type MaterialChoice } from './hlodMaterials.ts';
import {
  type Candidate,
  failsByColor,
  isBetter,
  isFoliage,
  isShown,
  isTextured,
  leftOutText,
  similarityText,
  solid,
} from './levelCandidate.ts';
import type { AuthoredLevel, CookedLevel, LevelJob } from './levelJob.ts';
import { judgedLimits, LevelJudge, nearestJudged, type Similarity } from './levelJudge.ts';
import { type AtlasedMesh, drawnWith, finishedMaterials, type ProxyMaterials, trianglesOf } from './proxyMaterials.ts';

/** A level that was asked for. */
interface Asked {
  readonly name: string;
  readonly kind: 'lod' | 'hlod';
  /** Its share of the tile's triangles. */
  readonly ratio: number;
}

/** What becomes of the objects that have no level made by hand. */
interface Others {
  readonly meshes: readonly DrawnMesh[];
  /** In metres. */
  readonly error: number;
}

/** How a level is made. */
interface Fineness {
  /** Share of the tile's triangles. */
  readonly ratio: number;
  /** Its surface lies off by so many pixels at most, seen from so many metres. */
  readonly pixels: number;
  readonly from: number;
}

/** Where pictures decide, the surface of a level lies off by so many pixels at most, … */
const JUDGED_PIXELS = 1;
/** … and where it must be finer for that, by so many. */
const FINER_PIXELS = 0.6;
/** Of what a level is likely to need: an HLOD may differ by more, and its error grows more slowly from there on. */
const LIKELY = { lod: 1, hlod: 0.75 } as const;
/** The limit held a level that has so many times the triangles wanted, or more. */
const HELD = 1.06;
/** What a limit held has fewer triangles only where its surface may lie off by so many times more. */
const LOOSER = 1.75;

/**
 * Makes the levels asked for, near ones first. Where pictures decide, a level is shown from where it looks like full detail;
 * where it does from no distance in reach, a finer one is tried. Reports UC2060 for each one left out, and UC2063 for each
 * one that pictures move outwards or that has more triangles than asked for. Where none passes and the job asks for it, the most
 * similar one is kept and UC2064 reported.
 */
export async function cookLevels(job: LevelJob, diagnostics: Diagnostics, file: string): Promise<CookedLevel[]> {
  const levels = new TileLevels(job, diagnostics, file);
  for (const [i, ratio] of job.lods.entries()) {
    const asked = { name: `lod${i + 1}`, kind: 'lod', ratio } as const;
    const authored = job.authored?.[i];
    if (authored) await levels.addAuthored(asked, authored, i + 1);
    else await levels.addLod(asked);
  }
  if (job.hlod !== null) await levels.addHlod({ name: 'hlod', kind: 'hlod', ratio: job.hlod });
  if (job.keepsCompromise && levels.cooked.length === 0) await levels.addCompromise();
  return levels.cooked;
}

class TileLevels {
  readonly cooked: CookedLevel[] = [];
  readonly #job: LevelJob;
  readonly #diagnostics: Diagnostics;
  readonly #file: string;
  readonly #maker: LevelMaker;
  readonly #judge: LevelJudge | null;
  /** The least streaming radius of the tile, and that at which pictures let a LOD be shown, in metres. */
  readonly #streaming: number;
  readonly #near: number;
  /** Triangles of the tile. */
  readonly #full: number;
  /** Foliage as the tile has it. Levels keep the naming of the mesh that they come from, so it says which are foliage. */
  readonly #cards: ReadonlyMap<unknown, DrawnMesh['mesh']>;
  /** How many coarser levels made by hand there are, by the naming of a mesh. */
  readonly #coarser: ReadonlyMap<unknown, number>;
  /** The nearest distance of the next level, in metres. */
  #min: number;
  /** The last LOD that was judged, whether it is shown or not. */
  #known: Candidate | null = null;
  /**
   * Metres: a level whose surface may lie off by little more than this would have nearly as many triangles as the one
   * before it, because a level was held or left out at this limit. Infinity: it was left out for something else.
   */
  #heldAt = 0;
  /** What stopped the last level that was tried, if anything did. */
  #obstacle: LeftOut | null = null;
  /** Of the levels that pictures left out, the most similar one. */
  #closest: { readonly asked: Asked; readonly candidate: Candidate } | null = null;

  constructor(job: LevelJob, diagnostics: Diagnostics, file: string) {
    const { meshes, range, bounds, images, similarity: quality, format, authored = [] } = job;
    this.#job = job;
    this.#diagnostics = diagnostics;
    this.#file = file;
    const all = [...meshes, ...authored.flatMap((level) => level.meshes)];
    this.#cards = new Map(all.filter(isFoliage).map(({ naming, mesh }) => [naming, mesh]));
    this.#coarser = new Map(all.map(({ naming, coarser = 0 }) => [naming, coarser]));
    const parts = meshes.map((mesh) => this.#partOf(mesh));
    this.#maker = new LevelMaker(parts, (positions) => job.shared.lockedVertices(positions));
    this.#streaming = minStreaming(range, bounds);
    this.#near = quality === null ? this.#streaming : minJudgedStreaming(range, bounds);
    this.#min = nearestJudged(nearestStart(this.#near), nearestStart(this.#streaming));
    this.#judge =
      quality === null
        ? null
        : new LevelJudge({ meshes, bounds, images, textures: format.textures, nearest: this.#min, quality });
    this.#full = trianglesOf(meshes);
  }

  async addLod(asked: Asked): Promise<void> {
    const materials = finishedMaterials(this.#before());
    await this.#add(asked, [{ materials: async () => materials, keepsSeams: true }]);
  }

  async addHlod(asked: Asked): Promise<void> {
    // Few materials and a baked atlas are for where many tiles are seen.
    this.#min = Math.max(this.#min, nearestStart(this.#streaming));
    const before = this.#before();
    const looks = hlodMaterials(before, this.#job, this.#streaming);
    // The deviation of levels made by hand may leave no room for more: then it is made of full detail.
    const isByHand = before.some(({ naming }) => this.#coarserOf(naming) > 0);
    if (isByHand) looks.push(...hlodMaterials(this.#job.meshes, this.#job, this.#streaming));
    await this.#add(asked, looks);
  }

  /**
   * Level number `level`, from 1, with the artist's meshes for the objects that have some. The others are simplified as far as
   * the whole still looks like full detail. Where the artist says from which screen coverage on, pictures judge the others alone.
   */
  async addAuthored(asked: Asked, { meshes: byHand, coverageFrom }: AuthoredLevel, level: number): Promise<void> {
    if (this.#isTooFar(asked)) return;
    // As far as an HLOD may be moved out: an artist's level is not made again with more triangles.
    const furthest = this.#furthest('hlod');
    if (coverageFrom !== null && coverageFrom > furthest) {
      this.#leaveOut(asked, `is made by hand for less of the screen than it covers at ${ceilCentimetre(furthest)} m`);
      return;
    }
    const isOther = ({ naming }: DrawnMesh) => this.#coarserOf(naming) < level;
    const full = this.#job.meshes.filter(isOther);
    const replaced = this.#job.meshes.filter((mesh) => !isOther(mesh));
    const judge = coverageFrom === null ? this.#judge : this.#judge && full.length > 0 ? this.#judgeOf(full) : null;
    const nearest = Math.max(this.#min, coverageFrom ?? 0);
    const deviation =
      this.#judge === null && coverageFrom === null ? deviationBetween(solid(replaced), solid(byHand)) : 0;
    let best: Candidate | null = null;
    for (const others of await this.#others(full, this.#before().filter(isOther), asked.ratio)) {
      const meshes = [...others.meshes, ...byHand];
      const error = Math.max(others.error, deviation);
      const start = startOfLevel(nearest, error);
      if (start > furthest) continue;
      const judged = coverageFrom === null ? meshes : others.meshes;
      const similarity = judge && (await judge.similarity(judged, 'lod', start, furthest, false));
      const triangles = trianglesOf(meshes);
      const made = { meshes, triangles, error, similarity, limit: 0, isHeld: false, byHand: { coverageFrom } };
      if (best === null || isBetter(made, best)) best = made;
      if (isShown(best)) break;
    }
    const before = trianglesOf(this.#before());
    if (best === null) this.#leaveOut(asked, `is made by hand, and lies ${deviation.toFixed(3)} m off full detail`);
    else if (best.triangles >= before)
      this.#leaveOut(asked, `has ${best.triangles} of the ${before} triangles before it`);
    else if (isShown(best)) this.#keep(asked, best);
    else this.#leaveOutUnlike(asked, best, 'is made by hand, and ');
  }

  /** What objects without a level made by hand may become: simplified as any level is, or what they were before. */
  async #others(full: readonly DrawnMesh[], before: readonly DrawnMesh[], ratio: number): Promise<Others[]> {
    if (before.length === 0) return [{ meshes: [], error: 0 }];
    const asBefore = { meshes: before, error: this.cooked.at(-1)?.error ?? 0 };
    const parts = (meshes: readonly DrawnMesh[]) => meshes.map((mesh) => this.#partOf(mesh));
    const maker = new LevelMaker(parts(full), (positions) => this.#job.shared.lockedVertices(positions));
    const judged = this.#judge !== null;
    for (const from of this.#distances({ kind: 'lod' }, false)) {
      const twoPixels = this.#twoPixels(from);
      const limit = judged ? pixelAtDistance(from) * JUDGED_PIXELS : errorAtDistance(from);
      const made = await maker.make(parts(before), { ratio, limit, twoPixels, before: trianglesOf(before), judged });
      if (!('obstacle' in made)) return [{ meshes: drawnWith(before, made.meshes), error: made.error }, asBefore];
    }
    return [asBefore];
  }

  #coarserOf(naming: unknown): number {
    return this.#coarser.get(naming) ?? 0;
  }

  #judgeOf(meshes: readonly DrawnMesh[]): LevelJudge | null {
    const { bounds, images, similarity: quality, format } = this.#job;
    if (quality === null) return null;
    return new LevelJudge({ meshes, bounds, images, textures: format.textures, nearest: this.#min, quality });
  }

  /** Keeps the most similar of the levels left out, from as far away as a level may begin. */
  async addCompromise(): Promise<void> {
    if (this.#closest === null || this.#judge === null) return;
    const { asked, candidate } = this.#closest;
    const furthest = this.#furthest(asked.kind);
    const similarity = await this.#judge.similarity(candidate.meshes, asked.kind, furthest, furthest);
    const name = this.#keep(asked, { ...candidate, similarity });
    const from = `is shown from ${ceilCentimetre(similarity.distance)} m with SSIM ${similarity.ssim.toFixed(3)}`;
    this.#diagnostics.report('UC2064', this.#file, this.#job.tileId, `${name} ${from}`);
  }

  /** What the next level is made from. */
  #before(): readonly DrawnMesh[] {
    return this.cooked.at(-1)?.meshes ?? this.#job.meshes;
  }

  #partOf(mesh: AtlasedMesh): SimplifiedMesh {
    const cards = this.#cards.get(mesh.naming);
    return {
      mesh: cards ?? mesh.mesh,
      cards: cards !== undefined,
      textured: isTextured(mesh.surface),
      cells: mesh.cells,
    };
  }

  async #add(asked: Asked, looks: readonly MaterialChoice[]): Promise<void> {
    if (this.#isTooFar(asked)) return;
    const chosen = await this.#choose(asked, looks);
    if (chosen !== null && isShown(chosen)) this.#keep(asked, chosen);
    else if (chosen?.similarity) this.#leaveOutUnlike(asked, chosen);
    else if (this.#obstacle !== null) this.#leaveOut(asked, leftOutText(this.#obstacle));
    else this.#leaveOut(asked, 'would have nearly as many triangles as the level before it, or differ too much');
  }

  /** Leaves a level out that would be shown from further than the engine draws any. */
  #isTooFar(asked: Asked): boolean {
    if (this.#judge === null || this.#min <= MAX_QUERY_RADIUS) return false;
    const from = `would be shown from ${ceilCentimetre(this.#min)} m on`;
    this.#leaveOut(asked, `${from}, and the engine draws no level beyond ${MAX_QUERY_RADIUS} m`);
    return true;
  }

  /** Leaves a level out that does not look like full detail, and remembers the one that looks most like it. */
  #leaveOutUnlike(asked: Asked, candidate: Candidate, what = ''): void {
    const similarity = candidate.similarity as Similarity;
    const known = this.#closest?.candidate.similarity;
    if (!known || similarity.ssim > known.ssim) this.#closest = { asked, candidate };
    this.#leaveOut(asked, `${what}${similarityText(similarity)}`);
  }

  #leaveOut({ name, ratio }: Asked, why: string): void {
    this.#diagnostics.report('UC2060', this.#file, this.#job.tileId, `${name} (${ratio}) ${why}`);
  }

  /** The best candidate of all looks; null: none can be made. */
  async #choose(asked: Asked, looks: readonly MaterialChoice[]): Promise<Candidate | null> {
    let chosen: Candidate | null = null;
    let isTried = false;
    for (const { materials, keepsSeams } of looks) {
      // What another look can mend are colours: the simplified surface is the same, or nearly.
      if (chosen !== null && (isShown(chosen) || !failsByColor(chosen))) break;
      const distances = this.#distances(asked, keepsSeams);
      if (distances.length === 0) continue;
      // Where nothing is tried, what stopped the level before stops this one too.
      if (!isTried) this.#obstacle = null;
      isTried = true;
      const made = await this.#makeLook(asked, await materials(), distances, keepsSeams);
      if (made !== null && (chosen === null || isBetter(made, chosen))) chosen = made;
    }
    return chosen;
  }

  /** The distances for which a level may be made: the nearest one, and where that is too near, further ones. */
  #distances({ kind }: Pick<Asked, 'kind'>, keepsSeams: boolean): number[] {
    const furthest = this.#furthest(kind);
    if (this.#judge === null) return [furthest];
    const usual = nearestStart(this.#streaming);
    const distances = [this.#min, usual, furthest].filter((one, i) => i === 2 || (one >= this.#min && one < furthest));
    if (distances[0] === distances[1]) distances.shift();
    if (!keepsSeams || this.#heldAt === 0) return distances;
    return distances.filter((distance) => pixelAtDistance(distance) * JUDGED_PIXELS >= this.#heldAt * LOOSER);
  }

  #furthest(kind: 'lod' | 'hlod'): number {
    return furthestStart(this.#streaming, kind, this.#judge !== null);
  }

  /** A level of one look, or where that is not shown the better one of it and a finer one. */
  async #makeLook(
    asked: Asked,
    materials: ProxyMaterials,
    distances: readonly number[],
    keepsSeams: boolean,
  ): Promise<Candidate | null> {
    const max = trianglesOf(this.#before()) * MAX_OF_BEFORE_JUDGED;
    const likely = this.#known === null ? 0 : this.#likelyRatio(this.#known, asked.kind);
    const ratio = Math.max(asked.ratio, Math.min(likely, max / this.#full));
    const usual = nearestStart(this.#streaming);
    let best: Candidate | null = null;
    for (const from of distances) {
      const made = await this.#make(asked, materials, { ratio, pixels: JUDGED_PIXELS, from });
      if ('obstacle' in made) {
        // A limit as tight as that of the nearest distance shows as any obstacle.
        if (from < usual && from !== distances.at(-1)) continue;
        this.#obstacle ??= made;
        if (this.#judge === null) return null;
        if (keepsSeams) this.#heldAt = made.obstacle === 'limit' ? pixelAtDistance(from) * JUDGED_PIXELS : Infinity;
        if (made.obstacle !== 'limit') return best;
        continue;
      }
      const finer = isShown(made) ? null : await this.#makeFiner(asked, materials, made, { ratio, from, max });
      const better = finer !== null && isBetter(finer, made) ? finer : made;
      if (best === null || isBetter(better, best)) best = better;
      // What is made for a distance that is too near may lie closer to full detail than the next level needs to.
      if (isShown(best) || from >= usual) return best;
    }
    return best;
  }

  /** A finer level than one that is not shown; null: it would hardly be smaller than the level before. `max`: its triangles. */
  async #makeFiner(
    asked: Asked,
    materials: ProxyMaterials,
    made: Candidate,
    { ratio, from, max }: Pick<Fineness, 'ratio' | 'from'> & { readonly max: number },
  ): Promise<Candidate | null> {
    const next = made.isHeld
      ? { ratio, pixels: FINER_PIXELS, from }
      : { ratio: this.#likelyRatio(made, asked.kind), pixels: JUDGED_PIXELS, from };
    if (!made.isHeld && next.ratio * this.#full > max) return null;
    const finer = await this.#make(asked, materials, next);
    return 'obstacle' in finer ? null : finer;
  }

  async #make({ kind }: Asked, { parts, finish }: ProxyMaterials, fineness: Fineness): Promise<Candidate | LeftOut> {
    const { ratio, pixels, from } = fineness;
    const judge = this.#judge;
    const twoPixels = this.#twoPixels(from);
    const before = parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
    const limit = judge === null ? errorAtDistance(from) : pixelAtDistance(from) * pixels;
    const request = { ratio, limit, twoPixels, before, judged: judge !== null };
    const made = await this.#maker.make(
      parts.map((part) => this.#partOf(part)),
      request,
    );
    if ('obstacle' in made) return made;
    const { error } = made;
    const meshes = await finish(made.meshes, error);
    const nearest = startOfLevel(this.#min, error);
    const similarity = judge && (await judge.similarity(meshes, kind, nearest, this.#furthest(kind)));
    const isHeld = made.triangles > ratio * this.#full * HELD;
    const candidate = { meshes, triangles: trianglesOf(meshes), error, similarity, limit, isHeld };
    if (kind === 'lod') this.#known = candidate;
    return candidate;
  }

  /** Metres that two pixels cover from the nearest distance of a level that is made for one: nearer than usual, or not. */
  #twoPixels(from: number): number {
    const isNear = from < nearestStart(this.#streaming);
    return errorAtDistance(nearestStart(isNear ? this.#near : this.#streaming, this.cooked.length));
  }

  /** The share of the tile's triangles with which a level is likely to pass, by how another one looks. */
  #likelyRatio({ triangles, similarity }: Candidate, kind: 'lod' | 'hlod'): number {
    const quality = this.#job.similarity;
    if (quality === null || similarity === null) return 0;
    const steps = stepsBeyond(similarity, judgedLimits(quality, kind)) + 1;
    return LIKELY[kind] * (triangles / this.#full) * trianglesForSteps(steps);
  }

  /** Adds a level to those of the tile, and gives its name. */
  #keep({ kind, ratio }: Asked, candidate: Candidate): string {
    const { meshes, triangles, error, similarity, limit, isHeld, byHand } = candidate;
    const name = kind === 'hlod' ? 'hlod' : `lod${this.cooked.length + 1}`;
    const report = (what: string, why: string) => {
      this.#diagnostics.report('UC2063', this.#file, this.#job.tileId, `${name} ${what}: ${why}`);
    };
    const coverageFrom = byHand?.coverageFrom ?? null;
    const nearest = startOfLevel(Math.max(this.#min, coverageFrom ?? 0), error);
    const isPlaced = similarity !== null || coverageFrom !== null;
    const looksFrom = isPlaced ? ceilCentimetre(Math.max(nearest, similarity?.distance ?? 0)) : undefined;
    if (looksFrom !== undefined && similarity !== null && similarity.distance > nearest) {
      const moved = `is shown from ${looksFrom} m, not from ${ceilCentimetre(nearest)} m`;
      report(moved, 'nearer, it does not look like full detail');
    }
    if (this.#judge !== null && !byHand && triangles > ratio * this.#full * HELD) {
      const share = `has ${triangles} of the tile's ${this.#full} triangles, more than the share of ${ratio} asked for`;
      report(share, 'with fewer, it would not look like full detail');
    }
    this.#min = startAfter(looksFrom ?? nearest);
    this.#heldAt = isHeld ? limit : 0;
    this.#obstacle = null;
    const from = looksFrom === undefined ? {} : { looksFrom };
    this.cooked.push({ name, fileType: kind, meshes, triangles, error, nearest: looksFrom ?? nearest, ...from });
    return name;
  }
}
