// Proves what was made for the eyes of a zone: eyes that nobody looked from before look at the source and at the result.

import type { Scene, Vec3 } from '../../scene/types.ts';
import { type Area, goneTriangles, viewAgain } from '../../zone/areas.ts';
import type { CellMesh } from '../../zone/cells.ts';
import { type HoleLook, MAX_MISSING } from '../../zone/holes.ts';
import { eyeView, type Part, type SeenPart, sideViews, type View } from '../../zone/look.ts';
import { type Surface, surfaceOf } from '../../zone/surface.ts';
import { innerEyes, middleOf, type Zone } from '../../zone/zone.ts';
import { materialOfGroup } from './colorGroups.ts';
import type { ZoneProof } from './figures.ts';
import type { Wanted } from './keptParts.ts';
import { lookFromAll, relative, windowsOf } from './seenTriangles.ts';
import { isClear, type PartSource, placedPoints, trianglePoints, type ZoneParts } from './zoneParts.ts';
import type { ZoneThreads } from './zoneThreads.ts';

/** Places within a zone are numbered (innerEyes). Proofs begin at this number, so that they share no place with the rounds of seenTriangles.ts. */
const FIRST_EYE = 100_000;
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
  /** Of the views so many were looked at, all of each. */
  readonly looked: number;
  /** Whether these are all views. */
  readonly isWhole: boolean;
  /** What was looked at. */
  readonly made: MadeOfParts;
}

interface ProofRequest {
  /** Pixels that a tangent of 1 covers. */
  readonly scale: number;
  readonly eyes: number;
}

/** So many places of a zone that no result is made of, each once. */
export function proofEyes(zone: Zone, count: number): Vec3[] {
  return [...new Map(innerEyes(zone, FIRST_EYE, count).map((eye) => [eye.join(' '), eye])).values()];
}

/**
 * The holes of what was made. An opaque surface must be there at about its depth. Of a clear one, behind which other things are
 * seen as well, the triangle itself must have been kept where more than a hole's pixels show it.
 *
 * `before`: the proof of what was made before, from which this one was mended. Its views are looked at again where they had holes, and
 * where surfaces went. If no hole is left there, further views are looked at until some have holes. Null: all views are looked at.
 */
export async function proveHoles(
  scene: Scene,
  zone: Zone,
  parts: ZoneParts,
  made: MadeOfParts,
  { scale, eyes: count }: ProofRequest,
  threads: Pick<ZoneThreads, 'holes'>,
  before: HoleProof | null,
): Promise<HoleProof> {
  const middle = middleOf(zone);
  const windows = windowsOf(zone, middle, 1 / scale);
  const result = { parts: await madeParts(scene, middle, made), radius: radiusOf(made) };
  const eyes = proofEyes(zone, count);
  const views = eyes.flatMap((eye) => sideViews(eyeView(relative(eye, middle), scale, windows)));
  const found = new FoundHoles(parts, made);
  const look = async (looked: ReadonlyMap<number, View>) => {
    const numbers = [...looked.keys()];
    const looks = await lookFromAll(numbers, parts, (number) =>
      threads.holes(looked.get(number) as View, parts, result),
    );
    for (const [i, one] of looks.entries()) found.add(numbers[i], one);
  };
  let looked = before?.looked ?? 0;
  const again = [...(before ? viewsAgain(scene, middle, before, made, views) : [])];
  for (let from = 0; from < again.length; from += VIEWS_AT_ONCE) {
    await look(new Map(again.slice(from, from + VIEWS_AT_ONCE)));
  }
  while (looked < views.length && (before === null || found.holes.length === 0)) {
    const from = looked;
    looked = Math.min(views.length, from + VIEWS_AT_ONCE);
    await look(new Map(views.slice(from, looked).map((view, i) => [from + i, view])));
  }
  return { eyes, holes: found.holes, lost: found.lost, looked, isWhole: looked === views.length, made };
}

/** The proof of nothing: to begin with. */
export const NOTHING_PROVEN: HoleProof = {
  eyes: [],
  holes: [],
  lost: new Map(),
  looked: 0,
  isWhole: false,
  made: { merged: [], loose: [], flags: new Map(), error: 0 },
};

/** Pixels around one in which a surface may lie that was made of what it shows. */
const radiusOf = ({ error }: MadeOfParts): number => Math.ceil(error) + 1;

/** Adds up what views found. */
class FoundHoles {
  readonly holes: ProvenHole[] = [];
  readonly lost = new Map<number, Uint32Array>();
  readonly #parts: ZoneParts;
  readonly #flags: MadeOfParts['flags'];

  constructor(parts: ZoneParts, { flags }: MadeOfParts) {
    this.#parts = parts;
    this.#flags = flags;
  }

  add(view: number, { holes, lost, clear }: HoleLook): void {
    for (const { part, pixels, area } of holes) this.holes.push({ view, area, part, pixels });
    for (const one of lost) this.#lose(one);
    for (const { part, triangles, pixels } of clear) {
      const flags = this.#flags.get(part);
      for (let k = 0; k < triangles.length; k++) {
        if (flags?.[triangles[k]] === 1) continue;
        if (pixels[k] > MAX_MISSING) this.holes.push({ view, area: null, part, pixels: pixels[k] });
        this.#lose({ part, triangles: triangles.subarray(k, k + 1), pixels: pixels.subarray(k, k + 1) });
      }
    }
  }

  #lose({ part, triangles, pixels }: SeenPart): void {
    const counts = this.lost.get(part) ?? new Uint32Array(this.#parts.triangleCount(part));
    this.lost.set(part, counts);
    for (let i = 0; i < triangles.length; i++) counts[triangles[i]] += pixels[i];
  }
}

/** Views that were looked at before: what is looked at again of each, by its number. Those of which nothing is, are left out. */
function viewsAgain(
  { materials }: Scene,
  middle: Vec3,
  before: HoleProof,
  made: MadeOfParts,
  views: readonly View[],
): Map<number, View> {
  const looked = views.slice(0, before.looked);
  // A view through windows is one of areas already, and a closer look may find more.
  const isWhole = views.some(({ windows }) => windows.length > 0) || radiusOf(made) < radiusOf(before.made);
  if (isWhole) return new Map(looked.entries());
  const meshesOf = ({ merged }: MadeOfParts) =>
    merged.flatMap(({ key, mesh }) => (isClear(materials[materialOfGroup(key)]) ? [] : [mesh]));
  const corners = goneTriangles(meshesOf(before.made), meshesOf(made));
  const positions = corners.map((value, i) => value - middle[i % 3]);
  const indices = Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
  const gone: Surface[] = positions.length > 0 ? [surfaceOf(positions, indices, false)] : [];
  const areas = new Map<number, (Area | null)[]>();
  for (const { view, area } of before.holes) areas.set(view, [...(areas.get(view) ?? []), area]);
  const again = new Map<number, View>();
  for (const [number, view] of looked.entries()) {
    const own = areas.get(number) ?? [];
    const known = own.flatMap((area) => area ?? []);
    if (known.length < own.length) again.set(number, view);
    else if (known.length + gone.length > 0) again.set(number, viewAgain(view, known, gone, radiusOf(made)));
  }
  return again;
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
  { pixels, careful, exact, known }: Wanted,
): boolean {
  let changes = false;
  for (const [part, counts] of lost) {
    known.delete(part);
    const flags = kept.get(part);
    const isCareful = careful.has(part);
    for (let t = 0; t < counts.length; t++) {
      if (counts[t] === 0) continue;
      if (flags?.[t] === 1 && !isCareful) {
        careful.add(part);
        changes = true;
        continue;
      }
      const before = flags?.[t] === 1 ? exact.get(part) : pixels[part];
      const own = before ?? new Uint32Array(parts.triangleCount(part));
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
