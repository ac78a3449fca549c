// Proves what was made for the eyes of a zone: eyes that nobody looked from before look at the source and at the result.

import type { Scene, Vec3 } from '../../scene/types.ts';
import { type Area, viewOfAreas } from '../../zone/areas.ts';
import type { CellMesh } from '../../zone/cells.ts';
import { MAX_MISSING } from '../../zone/holes.ts';
import { eyeView, type Part, type SeenPart, sideViews, type View } from '../../zone/look.ts';
import { surfaceOf } from '../../zone/surface.ts';
import { innerEyes, middleOf, type Zone } from '../../zone/zone.ts';
import { materialOfGroup } from './colorGroups.ts';
import type { ZoneProof } from './figures.ts';
import type { Wanted } from './keptParts.ts';
import { lookFromAll, relative, windowsOf } from './seenTriangles.ts';
import { isClear, type PartSource, placedPoints, trianglePoints, type ZoneParts } from './zoneParts.ts';
import type { ZoneThreads } from './zoneThreads.ts';

/** Places within a zone are numbered (innerEyes). Proofs begin at this number, so that they share no place with the rounds of seenTriangles.ts. */
const FIRST_EYE = 100_000;
/** Pixels around a hole that are looked at again with it, beyond those that surfaces may lie off. */
const AROUND = 16;
/** Sides of eyes that are looked at before what they found is added up. */
const VIEWS_AT_ONCE = 96;

/** What was made of a scene. */
export interface MadeOfParts {
  readonly merged: readonly CellMesh[];
  /** Parts of which some triangles stay as they are. */
  readonly loose: readonly { readonly source: PartSource; readonly flags: Uint8Array }[];
  /** By part, 1 for each triangle that stays. */
  readonly flags: ReadonlyMap<number, Uint8Array>;
  /** Pixels that surfaces may lie off. */
  readonly error: number;
}

/** A hole as a view has it: a number of all sides of all eyes. */
interface ProvenHole {
  readonly view: number;
  /** Null: anywhere. */
  readonly area: Area | null;
  readonly pixels: number;
  readonly part: number;
}

export interface HoleProof {
  /** Places in the scene. */
  readonly eyes: readonly Vec3[];
  readonly holes: readonly ProvenHole[];
  /** By part, the pixels of triangles that lie in holes. */
  readonly lost: ReadonlyMap<number, Uint32Array>;
  /** Pixels that surfaces could lie off. */
  readonly error: number;
  /** Whether every view was drawn. False: only views that had holes before were drawn again, and some still have holes. */
  readonly isWhole: boolean;
}

/** So many places of a zone that no result is made of, each once. */
export function proofEyes(zone: Zone, count: number): Vec3[] {
  return [...new Map(innerEyes(zone, FIRST_EYE, count).map((eye) => [eye.join(' '), eye])).values()];
}

/**
 * The holes of what was made. An opaque surface must be there at about its depth. Of a clear one, behind which other things are
 * seen as well, the triangle itself must have been kept where more than a hole's pixels show it. `before`: the proof of a result
 * that had holes, and of which this one is made; where these were is looked at first, unless surfaces lie further off now.
 */
export async function proveHoles(
  scene: Scene,
  zone: Zone,
  parts: ZoneParts,
  made: MadeOfParts,
  { scale, eyes: count }: { readonly scale: number; readonly eyes: number },
  threads: Pick<ZoneThreads, 'holes'>,
  before: HoleProof | null,
): Promise<HoleProof> {
  const middle = middleOf(zone);
  const windows = windowsOf(zone, middle, 1 / scale);
  const result = { parts: await madeParts(scene, middle, made), radius: Math.ceil(made.error) + 1 };
  const eyes = proofEyes(zone, count);
  const views = eyes.flatMap((eye) => sideViews(eyeView(relative(eye, middle), scale, windows)));
  const first = before && made.error <= before.error ? viewsOfHoles(before.holes, views, result.radius) : null;
  const holes: ProvenHole[] = [];
  const lost = new Map<number, Uint32Array>();
  const lose = ({ part, triangles, pixels }: SeenPart) => {
    const counts = lost.get(part) ?? new Uint32Array(parts.triangleCount(part));
    lost.set(part, counts);
    for (let i = 0; i < triangles.length; i++) counts[triangles[i]] += pixels[i];
  };
  const lookAll = async (looked: ReadonlyMap<number, View>) => {
    const numbers = [...looked.keys()].sort((a, b) => a - b);
    for (let from = 0; from < numbers.length; from += VIEWS_AT_ONCE) {
      await look(numbers.slice(from, from + VIEWS_AT_ONCE), looked);
    }
  };
  const look = async (looking: readonly number[], looked: ReadonlyMap<number, View>) => {
    const looks = await lookFromAll(looking, parts, (number) =>
      threads.holes(looked.get(number) as View, parts, result),
    );
    for (const [i, look] of looks.entries()) {
      const view = looking[i];
      for (const { part, pixels, area } of look.holes) holes.push({ view, area, part, pixels });
      for (const one of look.lost) lose(one);
      for (const { part, triangles, pixels } of look.clear) {
        const flags = made.flags.get(part);
        for (let k = 0; k < triangles.length; k++) {
          if (flags?.[triangles[k]] === 1) continue;
          if (pixels[k] > MAX_MISSING) holes.push({ view, area: null, part, pixels: pixels[k] });
          lose({ part, triangles: triangles.subarray(k, k + 1), pixels: pixels.subarray(k, k + 1) });
        }
      }
    }
  };
  if (first) await lookAll(first);
  const isWhole = holes.length === 0;
  if (isWhole) await lookAll(new Map(views.entries()));
  return { eyes, holes, lost, error: made.error, isWhole };
}

/** What is looked at again of views: the areas of their holes, or all of one. */
function viewsOfHoles(holes: readonly ProvenHole[], views: readonly View[], radius: number): Map<number, View> {
  const areas = new Map<number, (Area | null)[]>();
  for (const { view, area } of holes) {
    const own = areas.get(view);
    if (own) own.push(area);
    else areas.set(view, [area]);
  }
  return new Map(
    [...areas].map(([number, list]) => {
      const view = views[number];
      const known = list.flatMap((area) => area ?? []);
      // Only the areas of the holes are drawn, if all of them are known. A view through windows is already limited to areas, and is
      // drawn whole.
      const isPart = known.length === list.length && view.windows.length === 0;
      return [number, isPart ? viewOfAreas(view, known, radius + AROUND) : view];
    }),
  );
}

/** What was made of a scene, as eyes look at it: merged meshes, and triangles that stay as they are. */
async function madeParts(scene: Scene, middle: Vec3, { merged, loose }: MadeOfParts): Promise<Part[]> {
  const made: Part[] = [];
  const add = (positions: Float32Array, corners: Uint32Array, material: number) => {
    if (corners.length === 0) return;
    const surface = surfaceOf(positions, corners, isClear(scene.materials[material]));
    made.push({ boxes: surface.boxes, surface });
  };
  for (const { key, mesh } of merged) {
    const positions = mesh.positions.map((value, i) => value - middle[i % 3]);
    add(positions, mesh.indices, materialOfGroup(key));
  }
  for (const { source, flags } of loose) {
    const polygons = await source.primitive.read();
    const corners = trianglePoints(polygons, source.subset).filter((_, i) => flags[Math.floor(i / 3)] === 1);
    add(placedPoints(polygons.points, scene.nodes[source.node].world, middle), corners, source.material);
  }
  return made;
}

/**
 * Sends what lies in holes back: triangles that are not kept count as seen from now on. Parts whose kept triangles lie too far off are
 * simplified with care, and where that was not enough these triangles stay as they are. Gives whether anything changes by that.
 */
export function sendBack(
  { lost }: Pick<HoleProof, 'lost'>,
  kept: MadeOfParts['flags'],
  parts: Pick<ZoneParts, 'triangleCount'>,
  { pixels, careful, exact }: Wanted,
): boolean {
  let changes = false;
  for (const [part, counts] of lost) {
    const flags = kept.get(part);
    const isCareful = careful.has(part);
    for (let t = 0; t < counts.length; t++) {
      if (counts[t] === 0) continue;
      if (flags?.[t] === 1 && !isCareful) {
        careful.add(part);
        changes = true;
        continue;
      }
      const known = flags?.[t] === 1 ? exact.get(part) : pixels[part];
      const own = known ?? new Uint32Array(parts.triangleCount(part));
      if (flags?.[t] === 1) exact.set(part, own);
      else pixels[part] = own;
      changes ||= own[t] === 0;
      own[t] += counts[t];
    }
  }
  return changes;
}

/** What the eyes found. */
export function holeFigures({ eyes, holes }: Pick<HoleProof, 'eyes' | 'holes'>): ZoneProof {
  return {
    eyes: eyes.length,
    holes: holes.length,
    largestHole: holes.reduce((most, { pixels }) => Math.max(most, pixels), 0),
  };
}

/** The holes of an object of the source. */
export interface ObjectHoles {
  readonly path: string;
  /** Over all eyes. */
  readonly holes: number;
  /** Pixels. */
  readonly largest: number;
}

/** By object, the one with the largest hole first. */
export function holesOfObjects({ nodes }: Scene, parts: ZoneParts, { holes }: HoleProof): ObjectHoles[] {
  const found = new Map<string, ObjectHoles>();
  for (const { part, pixels } of holes) {
    const { path } = nodes[parts.sources[part].node];
    const before = found.get(path);
    found.set(path, { path, holes: (before?.holes ?? 0) + 1, largest: Math.max(before?.largest ?? 0, pixels) });
  }
  return [...found.values()].sort((a, b) => b.largest - a.largest || (a.path < b.path ? -1 : 1));
}
