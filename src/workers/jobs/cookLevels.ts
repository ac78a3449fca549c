// The levels of one tile from its own meshes: LODs with the tile's materials, an HLOD with as few as its look
// allows. Made after all payloads are written, when it is known which positions are shared.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { BAND_GAP } from '../../engine/streaming.ts';
import type { DrawnMesh, Surface } from '../../formats/format.ts';
import { isMadeOfCards } from '../../geometry/hlod/cards.ts';
import type { SharedPositions } from '../../geometry/lod/borders.ts';
import { type LeftOut, LevelMaker } from '../../geometry/lod/levels.ts';
import type { SimplifiedPart } from '../../geometry/lod/simplifiedPart.ts';
import type { Bounds } from '../../scene/types.ts';
import { distanceOfError, errorAtDistance, pixelAtDistance } from '../../tiling/streaming/ladder.ts';
import { type Reach, reachRadii, widenRadii } from '../../tiling/streaming/radii.ts';
import { bakeOnto, bakeProxy, isWorthBaking, type ProxyImages } from './bakeProxy.ts';
import { type FoldedImages, foldMaterials, MAX_FOLDED_SIDE, type Rounding } from './foldMaterials.ts';
import { type FoldedMesh, finishedLook, type ProxyLook } from './proxyLook.ts';
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
}

export interface CookedLevel {
  /** `lod1` …, `hlod`: suffix of the file's name. Those left out take no number. `far`: a group's. */
  readonly name: string;
  readonly fileType: 'lod' | 'hlod';
  readonly meshes: readonly DrawnMesh[];
  readonly triangles: number;
  /** Measured, in metres. */
  readonly error: number;
}

const OBSTACLES = {
  limit: 'more would be seen from where the level is shown',
  locks: 'the vertices on borders with other tiles have to stay',
  seams: 'borders of materials, seams of texture coordinates and open edges hold the rest',
} as const;

/** Makes the levels asked for, near ones first. Reports UC2060 for each one left out. */
export async function cookLevels(job: LevelJob, diagnostics: Diagnostics, file: string): Promise<CookedLevel[]> {
  const tile = job.meshes;
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
  const cooked: CookedLevel[] = [];

  const add = async (looks: readonly LookMaker[], asked: string, fileType: 'lod' | 'hlod', ratio: number) => {
    const limit = errorAtDistance(streaming * (fileType === 'lod' ? LOD_REACH : HLOD_REACH));
    const twoPixels = errorAtDistance(streaming + BAND_GAP * (cooked.length + 1));
    let obstacle: LeftOut | null = null;
    for (const look of looks) {
      const { parts, finish } = await look();
      const before = parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
      const made = await maker.make(parts.map(partOf), { ratio, limit, twoPixels, before });
      if ('obstacle' in made) {
        obstacle ??= made;
        continue;
      }
      const name = fileType === 'hlod' ? 'hlod' : `lod${cooked.length + 1}`;
      const { triangles, error } = made;
      cooked.push({ name, fileType, meshes: await finish(made.meshes, error), triangles, error });
      return;
    }
    if (obstacle) diagnostics.report('UC2060', file, job.tileId, leftOut(asked, obstacle, ratio));
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
  return [() => bakeProxy(near, request), async () => bakeOnto(await folded(), request)];
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
