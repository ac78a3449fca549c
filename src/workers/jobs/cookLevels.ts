// The levels of one tile from its own meshes: LODs with the tile's materials, an HLOD with as few as its look
// allows. Made after all payloads are written, when it is known which positions are shared.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { BAND_GAP } from '../../engine/streaming.ts';
import type { DrawnMesh, Surface } from '../../formats/format.ts';
import { isMadeOfCards } from '../../geometry/hlod/cards.ts';
import type { SharedPositions } from '../../geometry/lod/borders.ts';
import { type LeftOut, type Level, LevelMaker } from '../../geometry/lod/levels.ts';
import type { SimplifiedPart } from '../../geometry/lod/simplifiedPart.ts';
import type { Bounds } from '../../scene/types.ts';
import { errorAtDistance } from '../../tiling/streaming/ladder.ts';
import { type Reach, reachRadii, widenRadii } from '../../tiling/streaming/radii.ts';
import { type FoldedImages, type FoldedMesh, foldMaterials, type Rounding } from './foldMaterials.ts';
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
  readonly images: FoldedImages;
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

  const add = async (from: readonly FoldedMesh[], asked: string, fileType: 'lod' | 'hlod', ratio: number) => {
    const limit = errorAtDistance(streaming * (fileType === 'lod' ? LOD_REACH : HLOD_REACH));
    const twoPixels = errorAtDistance(streaming + BAND_GAP * (cooked.length + 1));
    const before = from.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
    const made = await maker.make(from.map(partOf), { ratio, limit, twoPixels, before });
    if ('obstacle' in made) {
      diagnostics.report('UC2060', file, job.tileId, leftOut(asked, made, ratio));
      return;
    }
    const name = fileType === 'hlod' ? 'hlod' : `lod${cooked.length + 1}`;
    cooked.push({ name, fileType, meshes: meshesOf(from, made), triangles: made.triangles, error: made.error });
  };
  for (const [i, ratio] of job.lods.entries()) {
    await add(cooked.at(-1)?.meshes ?? tile, `lod${i + 1}`, 'lod', ratio);
  }
  if (job.hlod !== null) {
    const near = cooked.at(-1)?.meshes ?? tile;
    const plain = await unfoldPalettes(near, job.rounding);
    const unseen = errorAtDistance(streaming);
    const folded = await foldMaterials(plain, job.tileId, job.rounding, job.images, unseen);
    await add(folded, 'hlod', 'hlod', job.hlod);
  }
  return cooked;
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

export function meshesOf(from: readonly FoldedMesh[], { meshes }: Level): DrawnMesh[] {
  return from.flatMap(({ naming, surface }, i) => {
    const mesh = meshes[i];
    return mesh === null ? [] : [{ naming, surface, mesh }];
  });
}

export function leftOut(asked: string, { obstacle, triangles, before }: LeftOut, ratio: number): string {
  return `${asked} (${ratio}) would have ${triangles} of the ${before} triangles before it: ${OBSTACLES[obstacle]}`;
}
