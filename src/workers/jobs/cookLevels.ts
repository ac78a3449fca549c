// The levels of one tile from its own meshes: LODs with the tile's materials, an HLOD with as few as its look
// allows. Made after all payloads are written, when it is known which positions are shared.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { BAND_GAP, MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import type { DrawnMesh, Surface } from '../../formats/format.ts';
import { isMadeOfCards } from '../../geometry/hlod/cards.ts';
import type { SharedPositions } from '../../geometry/lod/borders.ts';
import { type LeftOut, type Level, LevelMaker } from '../../geometry/lod/levels.ts';
import type { SimplifiedPart } from '../../geometry/lod/simplifiedPart.ts';
import type { Bounds } from '../../scene/types.ts';
import { ceilCentimetre } from '../../tiling/streaming/centimetres.ts';
import { distanceOfError, errorAtDistance, pixelAtDistance } from '../../tiling/streaming/ladder.ts';
import type { LodQuality } from '../../tiling/streaming/lodQuality.ts';
import { type Reach, reachRadii, widenRadii } from '../../tiling/streaming/radii.ts';
import { bakeOnto, bakeProxy, isWorthBaking, type ProxyImages } from './bakeProxy.ts';
import { type FoldedImages, foldMaterials, MAX_FOLDED_SIDE, type Rounding } from './foldMaterials.ts';
import { LevelJudge, type Likeness } from './levelJudge.ts';
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
}

/** Where pictures fail, a level of so many times the triangles is tried. */
const FINER = 1.6;

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

  const make = async (look: ProxyLook, kind: 'lod' | 'hlod', ratio: number): Promise<Candidate | LeftOut> => {
    const { parts, finish } = look;
    const reach = streaming * (kind === 'lod' ? LOD_REACH : HLOD_REACH);
    // A level that pictures are to pass is one that the engine can show.
    const furthest = judge === null ? reach : Math.min(reach, MAX_QUERY_RADIUS);
    const twoPixels = errorAtDistance(streaming + BAND_GAP * (cooked.length + 1));
    const before = parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
    const made = await maker.make(parts.map(partOf), { ratio, limit: errorAtDistance(furthest), twoPixels, before });
    if ('obstacle' in made) return made;
    const { error } = made;
    const meshes = await finish(made.meshes, error);
    const nearest = Math.max(least, distanceOfError(error));
    const likeness = judge && (await judge.likeness(meshes, kind, nearest, furthest));
    return { meshes, triangles: trianglesOf(meshes), error, likeness };
  };

  const add = async (looks: readonly LookMaker[], asked: string, kind: 'lod' | 'hlod', wanted: number) => {
    if (judge !== null && least > MAX_QUERY_RADIUS) {
      const from = `would be shown from ${ceilCentimetre(least)} m on`;
      const end = `the engine draws no level beyond ${MAX_QUERY_RADIUS} m`;
      diagnostics.report('UC2060', file, tileId, `${asked} (${wanted}) ${from}, and ${end}`);
      return;
    }
    let obstacle: LeftOut | null = null;
    let chosen: Candidate | null = null;
    for (const look of looks) {
      // Where one look fails by much, the others fail too: they share the simplified surface, or nearly.
      if (chosen !== null && (isShown(chosen) || !nearlyPasses(chosen))) break;
      const parts = await look();
      const made = await make(parts, kind, wanted);
      if ('obstacle' in made) {
        obstacle ??= made;
        continue;
      }
      if (chosen === null || isBetter(made, chosen)) chosen = made;
      if (!nearlyPasses(made) || wanted * FINER >= 1) continue;
      const finer = await make(parts, kind, wanted * FINER);
      if (!('obstacle' in finer) && isBetter(finer, chosen)) chosen = finer;
    }
    if (chosen === null) {
      if (obstacle) diagnostics.report('UC2060', file, tileId, leftOut(asked, obstacle, wanted));
      return;
    }
    const { meshes, triangles, error, likeness } = chosen;
    if (!isShown(chosen)) {
      diagnostics.report('UC2060', file, tileId, `${asked} (${wanted}) ${likenessText(likeness as Likeness)}`);
      return;
    }
    const name = kind === 'hlod' ? 'hlod' : `lod${cooked.length + 1}`;
    const nearest = Math.max(least, distanceOfError(error));
    const looksFrom = likeness === null ? undefined : ceilCentimetre(Math.max(nearest, likeness.distance));
    if (looksFrom !== undefined && likeness !== null && likeness.distance > nearest) {
      const from = `is shown from ${looksFrom} m, not from ${ceilCentimetre(nearest)} m`;
      diagnostics.report('UC2063', file, tileId, `${name} ${from}: nearer, it does not look like full detail`);
    }
    least = (looksFrom ?? nearest) + BAND_GAP;
    cooked.push({ name, fileType: kind, meshes, triangles, error, ...(looksFrom === undefined ? {} : { looksFrom }) });
  };
  for (const [i, ratio] of job.lods.entries()) {
    const look = finishedLook(cooked.at(-1)?.meshes ?? tile);
    await add([async () => look], `lod${i + 1}`, 'lod', ratio);
  }
  if (job.hlod !== null) {
    const near = cooked.at(-1)?.meshes ?? tile;
    await add(looksOf(near, job, streaming), 'hlod', 'hlod', job.hlod);
  }
  return cooked;
}

const isShown = ({ likeness }: Candidate): boolean => likeness === null || likeness.passes;

/** Whether a level fails by so little that a finer one may pass. */
function nearlyPasses({ likeness }: Candidate): boolean {
  return likeness !== null && !likeness.passes && likeness.isNear;
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

type LookMaker = () => Promise<ProxyLook>;

/**
 * The looks that the tile's HLOD may have, the best first: folded, or baked where folding would lose colours and textures
 * may be made. Folded materials are simplified under other constraints, so that baking onto those may be possible where
 * baking onto one surface is not.
 */
function looksOf(near: readonly DrawnMesh[], job: LevelJob, streaming: number): LookMaker[] {
  const { tileId, meshes: detail, images, rounding, textureSize } = job;
  const folded = async () => {
    const plain = await unfoldPalettes(near, rounding);
    return foldMaterials(plain, tileId, rounding, foldedImages(images), errorAtDistance(streaming));
  };
  if (textureSize === null || !isWorthBaking(detail)) return [async () => finishedLook(await folded())];
  // No HLOD is shown nearer than this (ladder.ts).
  const pixelAt = (error: number) => pixelAtDistance(Math.max(streaming + BAND_GAP, distanceOfError(error)));
  const request = { name: tileId, detail, images, rounding, textureSize, pixelAt };
  const baked = [() => bakeProxy(near, request), async () => bakeOnto(await folded(), request)];
  // Pictures choose what comes after the first; without them, what is baked is preferred.
  return job.likeness === null ? baked : [baked[0], async () => finishedLook(await folded()), baked[1]];
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
