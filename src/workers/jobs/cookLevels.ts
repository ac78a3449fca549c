// The levels of one tile from its own meshes: LODs with the tile's materials, an HLOD with as few as its picture
// allows. Made after all payloads are written, when it is known which positions are shared.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import type { DrawnMesh, MeshMaterial } from '../../formats/format.ts';
import { isMadeOfCards } from '../../geometry/hlod/cards.ts';
import { type LeftOut, type Level, LevelMaker, MAX_OF_BEFORE_JUDGED } from '../../geometry/lod/levels.ts';
import type { SimplifiedMesh } from '../../geometry/lod/simplifiedMesh.ts';
import { ceilCentimetre } from '../../tiling/streaming/centimetres.ts';
import { errorAtDistance, pixelAtDistance } from '../../tiling/streaming/ladder.ts';
import {
  furthestStart,
  minStreaming,
  nearestStart,
  startAfter,
  startOfLevel,
} from '../../tiling/streaming/levelStart.ts';
import { stepsBeyond, trianglesForSteps } from './finerLevel.ts';
import { hlodMaterials, type MaterialChoice } from './hlodMaterials.ts';
import type { CookedLevel, LevelJob } from './levelJob.ts';
import { judgedLimits, LevelJudge, type Similarity } from './levelJudge.ts';
import { type AtlasedMesh, finishedMaterials, type ProxyMaterials, trianglesOf } from './proxyMaterials.ts';

const OBSTACLES = {
  limit: 'more would be seen from where the level is shown',
  locks: 'the vertices on borders with other tiles have to stay',
  seams: 'borders of materials, seams of texture coordinates and open edges hold the rest',
} as const;

/** A level that was asked for. */
interface Asked {
  readonly name: string;
  readonly kind: 'lod' | 'hlod';
  /** Its share of the tile's triangles. */
  readonly ratio: number;
}

/** A level as it might be. */
interface Candidate extends Pick<Level, 'triangles' | 'error'> {
  readonly meshes: readonly DrawnMesh[];
  /** Null: no pictures were asked for. */
  readonly similarity: Similarity | null;
  /** Metres that its surface may lie off. */
  readonly limit: number;
  /** Whether it has more triangles than wanted. */
  readonly isHeld: boolean;
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
  for (const [i, ratio] of job.lods.entries()) await levels.addLod({ name: `lod${i + 1}`, kind: 'lod', ratio });
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
  readonly #streaming: number;
  /** Triangles of the tile. */
  readonly #full: number;
  /** Foliage as the tile has it. Levels keep the naming of the mesh that they come from, so it says which are foliage. */
  readonly #cards: ReadonlyMap<unknown, DrawnMesh['mesh']>;
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
    const { meshes, range, bounds, images, similarity: quality, format } = job;
    this.#job = job;
    this.#diagnostics = diagnostics;
    this.#file = file;
    this.#cards = new Map(meshes.filter(isFoliage).map(({ naming, mesh }) => [naming, mesh]));
    const parts = meshes.map((mesh) => this.#partOf(mesh));
    this.#maker = new LevelMaker(parts, (positions) => job.shared.lockedVertices(positions));
    this.#streaming = minStreaming(range, bounds);
    this.#min = nearestStart(this.#streaming);
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
    await this.#add(asked, hlodMaterials(this.#before(), this.#job, this.#streaming));
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
    if (this.#judge !== null && this.#min > MAX_QUERY_RADIUS) {
      const from = `would be shown from ${ceilCentimetre(this.#min)} m on`;
      this.#leaveOut(asked, `${from}, and the engine draws no level beyond ${MAX_QUERY_RADIUS} m`);
      return;
    }
    const chosen = await this.#choose(asked, looks);
    if (chosen !== null && isShown(chosen)) this.#keep(asked, chosen);
    else if (chosen?.similarity) {
      const known = this.#closest?.candidate.similarity;
      if (!known || chosen.similarity.ssim > known.ssim) this.#closest = { asked, candidate: chosen };
      this.#leaveOut(asked, similarityText(chosen.similarity));
    } else if (this.#obstacle !== null) this.#leaveOut(asked, leftOutText(this.#obstacle));
    else this.#leaveOut(asked, 'would have nearly as many triangles as the level before it, or differ too much');
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

  /** The distances for which a level may be made: the nearest one, and where that is too near the furthest. */
  #distances({ kind }: Asked, keepsSeams: boolean): number[] {
    const furthest = this.#furthest(kind);
    if (this.#judge === null) return [furthest];
    const distances = furthest > this.#min ? [this.#min, furthest] : [furthest];
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
    for (const from of distances) {
      const made = await this.#make(asked, materials, { ratio, pixels: JUDGED_PIXELS, from });
      if ('obstacle' in made) {
        this.#obstacle ??= made;
        if (this.#judge === null) return null;
        if (keepsSeams) this.#heldAt = made.obstacle === 'limit' ? pixelAtDistance(from) * JUDGED_PIXELS : Infinity;
        if (made.obstacle !== 'limit') return null;
        continue;
      }
      if (isShown(made)) return made;
      const next = made.isHeld
        ? { ratio, pixels: FINER_PIXELS, from }
        : { ratio: this.#likelyRatio(made, asked.kind), pixels: JUDGED_PIXELS, from };
      if (!made.isHeld && next.ratio * this.#full > max) return made;
      const finer = await this.#make(asked, materials, next);
      return 'obstacle' in finer || !isBetter(finer, made) ? made : finer;
    }
    return null;
  }

  async #make({ kind }: Asked, { parts, finish }: ProxyMaterials, fineness: Fineness): Promise<Candidate | LeftOut> {
    const { ratio, pixels, from } = fineness;
    const judge = this.#judge;
    const twoPixels = errorAtDistance(nearestStart(this.#streaming, this.cooked.length));
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

  /** The share of the tile's triangles with which a level is likely to pass, by how another one looks. */
  #likelyRatio({ triangles, similarity }: Candidate, kind: 'lod' | 'hlod'): number {
    const quality = this.#job.similarity;
    if (quality === null || similarity === null) return 0;
    const steps = stepsBeyond(similarity, judgedLimits(quality, kind)) + 1;
    return LIKELY[kind] * (triangles / this.#full) * trianglesForSteps(steps);
  }

  /** Adds a level to those of the tile, and gives its name. */
  #keep({ kind, ratio }: Asked, { meshes, triangles, error, similarity, limit, isHeld }: Candidate): string {
    const name = kind === 'hlod' ? 'hlod' : `lod${this.cooked.length + 1}`;
    const report = (what: string, why: string) => {
      this.#diagnostics.report('UC2063', this.#file, this.#job.tileId, `${name} ${what}: ${why}`);
    };
    const nearest = startOfLevel(this.#min, error);
    const looksFrom = similarity === null ? undefined : ceilCentimetre(Math.max(nearest, similarity.distance));
    if (looksFrom !== undefined && similarity !== null && similarity.distance > nearest) {
      const moved = `is shown from ${looksFrom} m, not from ${ceilCentimetre(nearest)} m`;
      report(moved, 'nearer, it does not look like full detail');
    }
    if (this.#judge !== null && triangles > ratio * this.#full * HELD) {
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

const isShown = ({ similarity }: Candidate): boolean => similarity === null || similarity.passes;

/** Whether a level is not shown for its colours, among others. */
function failsByColor({ similarity }: Candidate): boolean {
  return similarity !== null && !similarity.passes && similarity.failsByColor;
}

/** Whether a candidate is shown from nearer than another; of two that are not shown, the one that looks more alike. */
function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.similarity === null || b.similarity === null) return false;
  if (a.similarity.passes !== b.similarity.passes) return a.similarity.passes;
  return a.similarity.passes ? a.similarity.distance < b.similarity.distance : a.similarity.ssim > b.similarity.ssim;
}

function similarityText({ distance, ssim, psnr, meanColor }: Similarity): string {
  const figures = `SSIM ${ssim.toFixed(3)}, PSNR ${psnr.toFixed(1)} dB, mean colour off by ${meanColor.toFixed(1)} of 255`;
  return `does not look like full detail from ${distance.toFixed(0)} m: ${figures}`;
}

/** Whether UVs reach anything: a texture of the material, a palette or an atlas. */
export function isTextured({ material, palette }: MeshMaterial): boolean {
  return palette !== null || Object.values(material.slots).some((slot) => slot >= 0);
}

export function isFoliage({ surface, mesh }: Pick<DrawnMesh, 'surface' | 'mesh'>): boolean {
  return surface.material.alphaMode === 'mask' && isMadeOfCards(mesh);
}

export function leftOutText({ obstacle, triangles, before }: LeftOut): string {
  return `would have ${triangles} of the ${before} triangles before it: ${OBSTACLES[obstacle]}`;
}
