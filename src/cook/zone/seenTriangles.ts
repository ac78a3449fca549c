// Which triangles of a scene are seen from a zone: eyes at its corners and inside, more of them until a round shows hardly
// anything that no round before it has shown.

import type { Vec3 } from '../../scene/types.ts';
import { eyeView, type Look, sideViews } from '../../zone/look.ts';
import { type Surface, surfaceOf } from '../../zone/surface.ts';
import { innerEyes, middleOf, outerEyes, type Portal, type Zone } from '../../zone/zone.ts';
import type { ZoneParts } from './zoneParts.ts';
import type { ZoneThreads } from './zoneThreads.ts';

/** Eyes of a round after the first. */
const EYES_A_ROUND = 8;
/** A round that finds less than this share of its pixels new is the last one. */
export const NEW_SHARE = 1e-4;
const MAX_ROUNDS = 16;
/** Parts are found at this share of the sharpness: what hides what is known well enough there. */
const COARSE = 1 / 4;
/** Eyes that find parts. */
const FIRST_EYES = 3;
/** Triangles that are read before the eyes look again. */
const READ_AT_ONCE = 2 ** 20;
/** Of large scenes, this share of their triangles. */
const READ_SHARE = 1 / 16;

export interface Seen {
  /** Of each part the pixels of its triangles, over all eyes; null: none of it was seen. */
  readonly pixels: (Uint32Array | null)[];
  readonly eyes: number;
  readonly rounds: number;
  /** Share of the pixels of the last round that no round before has shown. */
  readonly newShare: number;
}

export const relative = ([x, y, z]: Vec3, middle: Vec3): Vec3 => [x - middle[0], y - middle[1], z - middle[2]];

/** Windows are widened by this many pixels: a proof ignores pixels at the border of what was drawn, which would be those of the window. */
const EDGE = 12;
/** A window that is seen from its side has fewer pixels: as many metres more are looked at. */
const SLANT = 2;

/**
 * The rectangles that a zone is looked through, with some pixels more around them, as its furthest eye has those. `pixel`: metres that
 * one covers at a metre's distance.
 */
export function windowsOf(zone: Zone, middle: Vec3, pixel: number): Surface[] {
  const away = (a: Vec3, b: Vec3) => Math.hypot(...relative(a, b));
  const eyes = outerEyes(zone);
  return zone.portals.map((portal) => {
    const furthest = portal.reduce((most, corner) => Math.max(most, ...eyes.map((eye) => away(eye, corner))), 0);
    return windowOf(widened(portal, EDGE * SLANT * pixel * furthest), middle);
  });
}

/** A rectangle with so many metres more on each side. */
function widened([a, b, c, d]: Portal, metres: number): Portal {
  const unit = (to: Vec3, from: Vec3): Vec3 => {
    const [x, y, z] = relative(to, from);
    const length = Math.hypot(x, y, z) || 1;
    return [x / length, y / length, z / length];
  };
  const [across, along] = [unit(b, a), unit(d, a)];
  const moved = (corner: Vec3, i: number, k: number): Vec3 => {
    const at = (axis: number) => corner[axis] + (across[axis] * i + along[axis] * k) * metres;
    return [at(0), at(1), at(2)];
  };
  return [moved(a, -1, -1), moved(b, 1, -1), moved(c, 1, 1), moved(d, -1, 1)];
}

function windowOf(portal: Portal, middle: Vec3): Surface {
  const positions = Float32Array.from(portal.flatMap((corner) => relative(corner, middle)));
  return surfaceOf(positions, Uint32Array.of(0, 1, 2, 0, 2, 3), false);
}

/** Metres from the middle of the zone to the nearest of some boxes, squared. */
function distance(boxes: Float32Array): number {
  let nearest = Infinity;
  for (let at = 0; at < boxes.length; at += 6) {
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) sum += Math.max(boxes[at + axis], 0, -boxes[at + axis + 3]) ** 2;
    nearest = Math.min(nearest, sum);
  }
  return nearest;
}

/** Of missing parts the nearest ones, as many as are read at once. */
function nearestMissing(parts: ZoneParts, missing: Iterable<number>): number[] {
  const distances = new Map([...missing].map((part) => [part, distance(parts.parts[part].boxes)]));
  const order = [...distances.keys()].sort((a, b) => distances.get(a)! - distances.get(b)! || a - b);
  const most = Math.max(READ_AT_ONCE, parts.triangles * READ_SHARE);
  const chosen: number[] = [];
  let triangles = 0;
  for (const part of order) {
    if (triangles > most) break;
    chosen.push(part);
    triangles += parts.sources[part].primitive.triangleCount;
  }
  return chosen;
}

/** Looks from each eye until every part that it would see has been read. */
export async function lookFromAll<V, L extends Pick<Look, 'missing' | 'drawn'>>(
  eyes: readonly V[],
  parts: ZoneParts,
  look: (eye: V) => Promise<L>,
): Promise<L[]> {
  const looks: (L | null)[] = eyes.map(() => null);
  const drawn = new Set<number>();
  for (;;) {
    const missing = new Set<number>();
    await Promise.all(
      eyes.map(async (eye, i) => {
        if (looks[i] !== null) return;
        const found = await look(eye);
        if (found.missing.length === 0) looks[i] = found;
        for (const part of found.missing) missing.add(part);
        for (const part of found.drawn) drawn.add(part);
      }),
    );
    if (missing.size === 0) return looks as L[];
    parts.forget(drawn);
    await parts.load(nearestMissing(parts, missing));
  }
}

/** Finds what is seen of the parts. Each eye is a job of its own; what they find does not depend on who looked. */
export async function seenTriangles(zone: Zone, parts: ZoneParts, scale: number, threads: ZoneThreads): Promise<Seen> {
  const middle = middleOf(zone);
  const windows = windowsOf(zone, middle, 1 / scale);
  const first = outerEyes(zone).map((eye) => relative(eye, middle));
  // A side that shows parts without triangles is looked at again, and not the whole eye.
  const lookAt = (eyes: readonly Vec3[], sharpness: number) => {
    const views = eyes.flatMap((eye) => sideViews(eyeView(eye, sharpness, windows)));
    return lookFromAll(views, parts, (view) => threads.look(view, parts));
  };
  await lookAt(first.slice(0, FIRST_EYES), scale * COARSE);
  const pixels: (Uint32Array | null)[] = parts.sources.map(() => null);
  // A zone without room has the same places in every round.
  const looked = new Set<string>();
  const isNew = (eye: Vec3): boolean => looked.size < looked.add(eye.join(' ')).size;
  let eyes = 0;
  for (let round = 1; ; round++) {
    const from = (round - 2) * EYES_A_ROUND;
    const inner = () => innerEyes(zone, from, EYES_A_ROUND).map((eye) => relative(eye, middle));
    const places = (round === 1 ? first : inner()).filter(isNew);
    const looks = await lookAt(places, scale);
    eyes += places.length;
    let all = 0;
    let fresh = 0;
    const known = pixels.map((counts) => counts?.slice() ?? null);
    for (const { seen } of looks) {
      for (const { part, triangles, pixels: shown } of seen) {
        const counts = pixels[part] ?? new Uint32Array(parts.triangleCount(part));
        pixels[part] = counts;
        for (let i = 0; i < triangles.length; i++) {
          all += shown[i];
          if (!known[part] || known[part]![triangles[i]] === 0) fresh += shown[i];
          counts[triangles[i]] += shown[i];
        }
      }
    }
    const newShare = fresh / Math.max(1, all);
    if ((round > 1 && newShare < NEW_SHARE) || round === MAX_ROUNDS) return { pixels, eyes, rounds: round, newShare };
  }
}
