// The scene that is left of another for the eyes of a zone: what they see, no finer than they can tell, with few draws. Whatever
// moves, is tagged or is no part of this stays as it is.

import type { ZoneSettings } from '../../config/zoneSettings.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { effectiveTags } from '../../scene/tags.ts';
import type { Scene } from '../../scene/types.ts';
import { type CellMesh, mergedInCells } from '../../zone/cells.ts';
import { ringsOf, type ZoneMesh } from '../../zone/thin.ts';
import { boxesOf, middleOf, outerEyes, type Zone } from '../../zone/zone.ts';
import { materialOf } from '../steps/textures/vertexColors.ts';
import { materialOfGroup } from './colorGroups.ts';
import type { Pictured, ZoneFigures } from './figures.ts';
import { type Budget, countOf } from './fitted.ts';
import { MaterialJoiner } from './joined/join.ts';
import type { ZoneView } from './keptMeshes.ts';
import { type KeptParts, keptParts, type Wanted } from './keptParts.ts';
import { leftScene } from './leftScene.ts';
import { picturedScene } from './pictured.ts';
import {
  type HoleProof,
  holeFigures,
  holesOfObjects,
  NOTHING_PROVEN,
  type ObjectHoles,
  proveHoles,
  sendBack,
} from './proveHoles.ts';
import { seenTriangles } from './seenTriangles.ts';
import { addShadowCasters } from './shadowCasters.ts';
import { besideCells, wholeDraws, wholeFigures } from './wholeObjects.ts';
import { type ThinScene, USUAL_ERROR, withinBudget } from './withinBudget.ts';
import { type PartSource, ZoneParts } from './zoneParts.ts';
import { texelsOf } from './zoneTexels.ts';
import type { ZoneThreads } from './zoneThreads.ts';

export interface ZoneScene {
  readonly scene: Scene;
  readonly figures: ZoneFigures;
  /** More triangles are left than the device is advised to have. */
  readonly isOver: boolean;
  /** Parts that could not be simplified. */
  readonly loose: readonly PartSource[];
  /** What pictures of source and result are made of. */
  readonly pictured: Pictured;
  /** Objects with holes that could not be closed. */
  readonly holes: readonly ObjectHoles[];
  /** By material, the texels along a side of its images that eyes can tell; absent: all of them. */
  readonly texels: ReadonlyMap<number, number>;
}

/**
 * How often the error may still grow after holes were found; from then on only when further places have looked. Otherwise results only
 * get finer, until all holes are closed.
 */
const MAX_GROWING = 2;

/** Nodes that stay as they are: what moves or deforms, and what its author has tagged. Not those that nobody draws. */
function protectedNodes(
  { nodes, meshes, clips = [] }: Scene,
  moved: ReadonlySet<number>,
  hidden: ReadonlySet<number>,
): Set<number> {
  const tags = effectiveTags(nodes);
  const driven = new Set<number>();
  for (const { channels } of clips) {
    for (const { target } of channels) if (target.kind === 'node') driven.add(target.node);
  }
  const found = new Set<number>();
  for (const [index, { parent, mesh, below }] of nodes.entries()) {
    if (driven.has(parent) || (below !== undefined && driven.has(below))) driven.add(index);
    if (mesh < 0 || hidden.has(index)) continue;
    const deforms = meshes[mesh].primitives.some((one) => one.bound !== undefined || one.morphs !== undefined);
    if (deforms || moved.has(index) || driven.has(index) || tags[index] !== null) found.add(index);
  }
  return found;
}

/**
 * The scene that is left for the eyes of a zone. `moved`: nodes that a skeleton moves. `hidden`: nodes that nobody draws. `maxPixels`:
 * larger images are not decoded. Throws UC2289 if nothing can be seen from the zone.
 */
export async function zoneScene(
  scene: Scene,
  zone: Zone,
  request: Budget & Pick<ZoneSettings, 'pixelsPerDegree' | 'keepShadows' | 'proofEyes'>,
  moved: ReadonlySet<number>,
  hidden: ReadonlySet<number>,
  threads: ZoneThreads,
  maxPixels?: number,
): Promise<ZoneScene> {
  const scale = (request.pixelsPerDegree * 180) / Math.PI;
  const view: ZoneView = { zone, middle: middleOf(zone), pixel: 1 / scale };
  const whole = protectedNodes(scene, moved, hidden);
  const nodes = scene.nodes.flatMap(({ mesh }, i) => (mesh >= 0 && !whole.has(i) && !hidden.has(i) ? [i] : []));
  const parts = new ZoneParts(scene, nodes, view.middle);
  const seen = await seenTriangles(zone, parts, scale, threads);
  const { lights = [] } = scene;
  const casters = request.keepShadows ? await addShadowCasters(lights, parts, view.middle, seen.pixels, threads) : 0;
  const wanted: Wanted = { pixels: seen.pixels, careful: new Set(), exact: new Map(), known: new Map() };
  const joiner = new MaterialJoiner(scene, view, maxPixels);
  const looking = { scale, eyes: request.proofEyes };
  const make = (first: number, grows: boolean) =>
    madeScene(scene, parts, wanted, view, request, whole, threads, joiner, { first, grows });
  const prove = (made: MadeScene, before: HoleProof | null) =>
    proveHoles(scene, zone, parts, made, looking, threads, before);
  let made = await make(USUAL_ERROR, true);
  let looked = 0;
  let proof = await prove(made, NOTHING_PROVEN);
  for (let again = 0; proof.holes.length > 0; again++) {
    if (!sendBack(proof, made.flags, parts, wanted)) {
      // Holes are reported only after every picture was looked at.
      if (proof.isWhole) break;
      proof = await prove(made, null);
      continue;
    }
    const grows = again < MAX_GROWING || proof.looked > looked;
    looked = proof.looked;
    made = await make(made.error, grows);
    proof = await prove(made, proof);
  }
  const { objects, loose, thin, merged, cut, error, isOver, joined } = made;
  const sum = (of: (one: (typeof objects)[number]) => number) => objects.reduce((all, one) => all + of(one), 0);
  const figures: ZoneFigures = {
    boxes: boxesOf(zone),
    eyes: seen.eyes,
    rounds: seen.rounds,
    newShare: seen.newShare,
    trianglesBefore: parts.triangles,
    trianglesSeen: sum((one) => one.seen) - casters,
    trianglesKept: sum((one) => one.kept),
    trianglesAfter: countOf(thin) + loose.reduce((all, { kept }) => all + kept, 0),
    casters,
    ...wholeFigures(scene, whole),
    sectors: cut.sectors,
    draws: merged.length + loose.length + wholeDraws(scene, whole),
    joined: joined?.gone.size ?? 0,
    error,
    proof: holeFigures(proof),
    objects,
  };
  const drawn = joined ? { ...scene, materials: joined.materials, images: joined.images } : scene;
  const result = leftScene(drawn, whole, loose, merged);
  // Joined textures have what eyes can tell already.
  const own = thin.filter(({ key }) => materialOfGroup(key) < scene.materials.length);
  const apart = [...materialsOf(scene, whole), ...loose.map(({ source }) => source.material)];
  return {
    scene: result,
    figures,
    isOver,
    loose: loose.map(({ source }) => source),
    texels: texelsOf(scene, own, apart, view),
    holes: holesOfObjects(scene, parts, proof),
    pictured: {
      ...(await picturedScene(scene, whole, parts, view, proof.eyes, threads)),
      result,
      joined: joined?.gone ?? new Set(),
    },
  };
}

/** The parts that are kept, simplified within the budget, and merged cell by cell. */
interface MadeScene extends KeptParts, ThinScene {
  readonly merged: readonly CellMesh[];
}

/** `whole`: nodes that stay as they are, and take their part of the budget. */
async function madeScene(
  scene: Scene,
  parts: ZoneParts,
  wanted: Wanted,
  view: ZoneView,
  budget: Budget,
  whole: ReadonlySet<number>,
  threads: ZoneThreads,
  joiner: MaterialJoiner,
  errors: { readonly first: number; readonly grows: boolean },
): Promise<MadeScene> {
  const kept = await keptParts(scene, parts, wanted, view);
  const { meshes, loose } = kept;
  if (meshes.length === 0 && loose.length === 0 && whole.size === 0) {
    fail('UC2289', scene.source, '--viewer-zone', 'nothing can be seen from it');
  }
  const left = (limit: number | null, taken: number) => (limit === null ? null : Math.max(1, limit - taken));
  const ofWhole = wholeFigures(scene, whole).trianglesWhole;
  const ofOthers = {
    ...budget,
    draws: left(budget.draws, wholeDraws(scene, whole) + loose.length),
    beside: besideCells(scene, whole, loose),
    triangles: left(budget.triangles, ofWhole + loose.reduce((sum, one) => sum + one.kept, 0)),
  };
  const rings = await ringsOf(meshes, view.zone);
  const join = (thin: readonly ZoneMesh[]) => joiner.join(thin);
  const made = await withinBudget(rings, view, ofOthers, outerEyes(view.zone), threads, join, errors);
  return { ...kept, ...made, merged: await mergedInCells(made.thin, made.cut) };
}

/** The materials of nodes. */
function materialsOf({ nodes, meshes }: Scene, list: Iterable<number>): number[] {
  return [...list].flatMap((node) =>
    meshes[nodes[node].mesh].primitives.flatMap((primitive) =>
      [-1, ...primitive.subsets.keys()].map((subset) => materialOf(primitive, subset)),
    ),
  );
}
