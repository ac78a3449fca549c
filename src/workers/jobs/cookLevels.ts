// The levels of one tile from its own meshes: LODs with the tile's materials, an HLOD with as few as its look
// allows. Made after all payloads are written, when it is known which positions are shared.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { BAND_GAP, MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import type { DrawnMesh, Surface } from '../../formats/format.ts';
import { isMadeOfCards } from '../../geometry/hlod/cards.ts';
import type { SharedPositions } from '../../geometry/lod/borders.ts';
import { type LeftOut, type Level, LevelMaker, MOST_OF_BEFORE_JUDGED } from '../../geometry/lod/levels.ts';
import type { SimplifiedPart } from '../../geometry/lod/simplifiedPart.ts';
import type { Bounds } from '../../scene/types.ts';
import { ceilCentimetre } from '../../tiling/streaming/centimetres.ts';
import { distanceOfError, errorAtDistance, pixelAtDistance } from '../../tiling/streaming/ladder.ts';
import type { LodQuality } from '../../tiling/streaming/lodQuality.ts';
import { type Reach, reachRadii, widenRadii } from '../../tiling/streaming/radii.ts';
import { bakeOnto, bakeProxy, isWorthBaking, type ProxyImages } from './bakeProxy.ts';
import { stepsBeyond, trianglesForSteps } from './finerLevel.ts';
import { type FoldedImages, foldMaterials, MAX_FOLDED_SIDE, type Rounding } from './foldMaterials.ts';
import { judgedLimits, LevelJudge, type Likeness } from './levelJudge.ts';
import { type FoldedMesh, finishedLook, type ProxyLook, trianglesOf } from './proxyLook.ts';
import { unfoldPalettes } from './unfoldPalettes.ts';

/** A level may be moved out to this many times the least streaming radius of its tile until its error is unseen. */
const LOD_REACH = 2;
const HLOD_REACH = 3;

export interface LevelJob {
  readonly tileId: string;
  readonly reach: Reach;
  /** Of the tile's vertices. */
  readonly bounds: Bounds;
  readonly meshes: readonly DrawnMesh[];
  readonly lods: readonly number[];
  readonly hlod: number | null;
  /** Of an HLOD's textures, pixels along the longer side at most; null: materials are folded, nothing is baked. */
  readonly textureSize: number | null;
  readonly images: ProxyImages;
  readonly shared: SharedPositions;
  readonly rounding: Rounding;
  /** How like full detail the pictures of levels must look; null: deviations alone decide. */
  readonly likeness: LodQuality | null;
}

export interface CookedLevel {
  /** `lod1` …, `hlod`: suffix of the file's name. Those left out take no number. `far`: a group's. */
  readonly name: string;
  readonly fileType: 'lod' | 'hlod';
  readonly meshes: readonly DrawnMesh[];
  readonly triangles: number;
  /** Measured, in metres. */
  readonly error: number;
  /** Metres from which pictures of it look like full detail; absent: nobody asked. */
  readonly looksFrom?: number | undefined;
}

const OBSTACLES = {
  limit: 'more would be seen from where the level is shown',
  locks: 'the vertices on borders with other tiles have to stay',
  seams: 'borders of materials, seams of texture coordinates and open edges hold the rest',
} as const;

/** A level as it might be. */
interface Candidate extends Pick<Level, 'triangles' | 'error'> {
  readonly meshes: readonly DrawnMesh[];
  /** Null: no pictures were asked for. */
  readonly likeness: Likeness | null;
  /** Metres that its surface may lie off. */
  readonly limit: number;
  /** Whether it has more triangles than wanted. */
  readonly isHeld: boolean;
}

/** What is asked of a level: a share of the tile's triangles, and by how many pixels its surface may lie off. */
interface Fineness {
  readonly ratio: number;
  readonly pixels: number;
}

/** Where pictures decide, the surface of a level lies off by so many pixels at most, … */
const JUDGED_PIXELS = 1;
/** … and where it must be finer for that, by so many. */
const FINER_PIXELS = 0.6;
/** Of what a level is likely to need: a HLOD may differ by more, and its error grows more slowly from there on. */
const LIKELY = { lod: 1, hlod: 0.75 } as const;
/** A level has so many times the triangles wanted, or more, where its surface may not lie off further. */
const HELD = 1.06;
/** A level after one that was held would have as many triangles, unless its surface may lie off by so many times more. */
const LOOSER = 1.75;

/**
 * Makes the levels asked for, near ones first. Where pictures decide, a level is shown from where it looks like full detail;
 * where it does from no distance in reach, finer ones are tried. Reports UC2060 for each one left out and UC2063 for each
 * one that pictures move outwards.
 */
export async function cookLevels(job: LevelJob, diagnostics: Diagnostics, file: string): Promise<CookedLevel[]> {
  const { meshes: tile, tileId, bounds, images, likeness: quality } = job;
  // Levels keep the naming of the mesh that they come from, so it says which are foliage.
  const cards = new Map(tile.filter(isFoliage).map(({ naming, mesh }) => [naming, mesh]));
  const partOf = (mesh: FoldedMesh): SimplifiedPart => ({
    mesh: cards.get(mesh.naming) ?? mesh.mesh,
    cards: cards.has(mesh.naming),
    textured: isTextured(mesh.surface),
    cells: mesh.cells,
  });
  const maker = new LevelMaker(tile.map(partOf), (positions) => job.shared.lockedVertices(positions));
  const streaming = leastStreaming(job);
  const nearestLevel = streaming + BAND_GAP;
  const judge =
    quality === null ? null : new LevelJudge({ meshes: tile, bounds, images, nearest: nearestLevel, quality });
  const cooked: CookedLevel[] = [];
  /** The nearest distance of the next level. */
  let least = nearestLevel;

  const full = trianglesOf(tile);
  /** The finest LOD that was judged, whether it is shown or not. */
  let known: Candidate | null = null;
  /** What the last level was left out for: it would stop others that are made from the same level. */
  let blocked: LeftOut | null = null;

  const make = async (
    look: ProxyLook,
    kind: 'lod' | 'hlod',
    { ratio, pixels }: Fineness,
  ): Promise<Candidate | LeftOut> => {
    const { parts, finish } = look;
    const reach = streaming * (kind === 'lod' ? LOD_REACH : HLOD_REACH);
    // A level that pictures are to pass is one that the engine can show.
    const furthest = judge === null ? reach : Math.min(reach, MAX_QUERY_RADIUS);
    const twoPixels = errorAtDistance(streaming + BAND_GAP * (cooked.length + 1));
    const before = parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
    const limit = judge === null ? errorAtDistance(furthest) : pixelAtDistance(Math.min(least, furthest)) * pixels;
    const made = await maker.make(parts.map(partOf), { ratio, limit, twoPixels, before, judged: judge !== null });
    if ('obstacle' in made) return made;
    const { error } = made;
    const meshes = await finish(made.meshes, error);
    const nearest = Math.max(least, distanceOfError(error));
    const likeness = judge && (await judge.likeness(meshes, kind, nearest, furthest));
    return {
      meshes,
      triangles: trianglesOf(meshes),
      error,
      likeness,
      limit,
      isHeld: made.triangles > ratio * full * HELD,
    };
  };

  /** The share of the tile's triangles with which a level is likely to pass, by how another one looks. */
  const likelyRatio = ({ triangles, likeness }: Candidate, kind: 'lod' | 'hlod'): number =>
    quality === null || likeness === null
      ? 0
      : LIKELY[kind] * (triangles / full) * trianglesForSteps(stepsBeyond(likeness, judgedLimits(quality, kind)) + 1);

  const add = async (looks: readonly Look[], asked: string, kind: 'lod' | 'hlod', wanted: number) => {
    const report = (why: string) => diagnostics.report('UC2060', file, tileId, `${asked} (${wanted}) ${why}`);
    if (judge !== null && least > MAX_QUERY_RADIUS) {
      const from = `would be shown from ${ceilCentimetre(least)} m on`;
      report(`${from}, and the engine draws no level beyond ${MAX_QUERY_RADIUS} m`);
      return;
    }
    const most = trianglesOf(cooked.at(-1)?.meshes ?? tile) * MOST_OF_BEFORE_JUDGED;
    let obstacle = blocked;
    let chosen: Candidate | null = null;
    const ratio = Math.max(wanted, Math.min(known === null ? 0 : likelyRatio(known, kind), most / full));
    // Only what was made into a level: one that is left out leaves room for another.
    const last = judge !== null && cooked.length > 0 ? known : null;
    const isHeld = last?.isHeld === true && pixelAtDistance(least) * JUDGED_PIXELS < last.limit * LOOSER;
    for (const { look, keepsSeams } of looks) {
      if (keepsSeams && (isHeld || blocked !== null)) continue;
      // What another look can mend are colours: the simplified surface is the same, or nearly.
      if (chosen !== null && (isShown(chosen) || !failsByColor(chosen))) break;
      const parts = await look();
      const made = await make(parts, kind, { ratio, pixels: JUDGED_PIXELS });
      if ('obstacle' in made) {
        obstacle ??= made;
        if (judge !== null && keepsSeams) blocked = made;
        continue;
      }
      if (chosen === null || isBetter(made, chosen)) chosen = made;
      if (kind === 'lod') known = made;
      if (isShown(made)) continue;
      const likely = likelyRatio(made, kind);
      if (!made.isHeld && likely * full > most) continue;
      const next = made.isHeld ? { ratio, pixels: FINER_PIXELS } : { ratio: likely, pixels: JUDGED_PIXELS };
      const finer = await make(parts, kind, next);
      if ('obstacle' in finer) continue;
      if (kind === 'lod') known = finer;
      if (isBetter(finer, chosen)) chosen = finer;
    }
    if (chosen === null) {
      if (obstacle) diagnostics.report('UC2060', file, tileId, leftOut(asked, obstacle, wanted));
      else report('would have nearly as many triangles as the level before it, or differ too much from full detail');
      return;
    }
    const { meshes, triangles, error, likeness } = chosen;
    if (!isShown(chosen)) {
      report(likenessText(likeness as Likeness));
      return;
    }
    const name = kind === 'hlod' ? 'hlod' : `lod${cooked.length + 1}`;
    const nearest = Math.max(least, distanceOfError(error));
    const looksFrom = likeness === null ? undefined : ceilCentimetre(Math.max(nearest, likeness.distance));
    if (looksFrom !== undefined && likeness !== null && likeness.distance > nearest) {
      const from = `is shown from ${looksFrom} m, not from ${ceilCentimetre(nearest)} m`;
      diagnostics.report('UC2063', file, tileId, `${name} ${from}: nearer, it does not look like full detail`);
    }
    if (judge !== null && triangles > wanted * full * HELD) {
      const share = `has ${triangles} of the tile's ${full} triangles, more than the share of ${wanted} asked for`;
      diagnostics.report('UC2063', file, tileId, `${name} ${share}: with fewer, it would not look like full detail`);
    }
    least = (looksFrom ?? nearest) + BAND_GAP;
    blocked = null;
    cooked.push({ name, fileType: kind, meshes, triangles, error, ...(looksFrom === undefined ? {} : { looksFrom }) });
  };
  for (const [i, ratio] of job.lods.entries()) {
    const look = finishedLook(cooked.at(-1)?.meshes ?? tile);
    await add([{ look: async () => look, keepsSeams: true }], `lod${i + 1}`, 'lod', ratio);
  }
  if (job.hlod !== null) {
    const near = cooked.at(-1)?.meshes ?? tile;
    await add(looksOf(near, job, streaming), 'hlod', 'hlod', job.hlod);
  }
  return cooked;
}

const isShown = ({ likeness }: Candidate): boolean => likeness === null || likeness.passes;

/** Whether a level is not shown for its colours, among others. */
function failsByColor({ likeness }: Candidate): boolean {
  return likeness !== null && !likeness.passes && likeness.failsByColor;
}

/** Whether a candidate is shown from nearer than another; of two that are not shown, the one that looks more alike. */
function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.likeness === null || b.likeness === null) return false;
  if (a.likeness.passes !== b.likeness.passes) return a.likeness.passes;
  return a.likeness.passes ? a.likeness.distance < b.likeness.distance : a.likeness.ssim > b.likeness.ssim;
}

function likenessText({ distance, ssim, psnr, meanColor }: Likeness): string {
  const figures = `SSIM ${ssim.toFixed(3)}, PSNR ${psnr.toFixed(1)} dB, mean colour off by ${meanColor.toFixed(1)} of 255`;
  return `does not look like full detail from ${distance.toFixed(0)} m: ${figures}`;
}

/** A way to a look that the HLOD may have. */
interface Look {
  readonly look: () => Promise<ProxyLook>;
  /** Whether it keeps borders of materials, as LODs do: what held a LOD then holds this too. */
  readonly keepsSeams: boolean;
}

/**
 * The looks that the tile's HLOD may have, the best first: folded, or baked where folding would lose colours and textures
 * may be made. Folded materials are simplified under other constraints, so that baking onto those may be possible where
 * baking onto one surface is not. Where pictures decide, folded materials come first: they look more alike, because
 * nothing is resampled.
 */
function looksOf(near: readonly DrawnMesh[], job: LevelJob, streaming: number): Look[] {
  const { tileId, meshes: detail, images, rounding, textureSize } = job;
  const fold = async () => {
    const plain = await unfoldPalettes(near, rounding);
    return foldMaterials(plain, tileId, rounding, foldedImages(images), errorAtDistance(streaming));
  };
  const folded: Look = { look: async () => finishedLook(await fold()), keepsSeams: true };
  if (textureSize === null || !isWorthBaking(detail)) return [folded];
  // No HLOD is shown nearer than this (ladder.ts).
  const pixelAt = (error: number) => pixelAtDistance(Math.max(streaming + BAND_GAP, distanceOfError(error)));
  const request = { name: tileId, detail, images, rounding, textureSize, pixelAt };
  const baked: Look = { look: () => bakeProxy(near, request), keepsSeams: false };
  if (job.likeness !== null) return [folded, baked];
  return [baked, { look: async () => bakeOnto(await fold(), request), keepsSeams: true }];
}

function foldedImages(images: ProxyImages): FoldedImages {
  return async (texture) => {
    const mips = await images(texture);
    const isSmall = ({ width, height }: { readonly width: number; readonly height: number }) =>
      Math.max(width, height) <= MAX_FOLDED_SIDE;
    return mips?.find(isSmall) ?? null;
  };
}

/** Where the tile is loaded at the latest, in metres: a distance that was given does not depend on the scene. */
function leastStreaming({ reach, bounds }: LevelJob): number {
  const least = { streaming: 0, unload: 0 };
  return (reach.kind === 'given' ? reachRadii(reach, bounds, bounds) : widenRadii(least, bounds)).streaming;
}

/** Whether UVs reach anything: a texture of the material, a palette or an atlas. */
export function isTextured({ material, palette }: Surface): boolean {
  return palette !== null || Object.values(material.slots).some((slot) => slot >= 0);
}

function isFoliage({ surface, mesh }: DrawnMesh): boolean {
  return surface.material.alphaMode === 'mask' && isMadeOfCards(mesh);
}

export function leftOut(asked: string, { obstacle, triangles, before }: LeftOut, ratio: number): string {
  return `${asked} (${ratio}) would have ${triangles} of the ${before} triangles before it: ${OBSTACLES[obstacle]}`;
}
