// What casts a shadow on what is seen: of each light, what stands between it and the seen surfaces near the zone. Only pixels of
// the light's picture that such a surface lies in are looked at, and in each of them the surface nearest to the light.

import type { SceneLight, Vec3 } from '../../scene/types.ts';
import { eyeView, type View } from '../../zone/look.ts';
import { type Surface, surfaceOf } from '../../zone/surface.ts';
import { lookFromAll } from './seenTriangles.ts';
import type { ZoneParts } from './zoneParts.ts';
import type { ZoneThreads } from './zoneThreads.ts';

/** Metres from the middle of the zone: further off, no shadow is looked for. */
const REACH = 100;
/** Pixels along a side of a light's picture: about those of a shadow map of the engine, 2048, twice as fine. */
const SIDE = 4096;
/** Of a light at a place, pixels for a tangent of 1. */
const PLACE_SCALE = 512;
/** Metres between the sun and the middle of the zone. */
const SUN = 5000;

/** The triangles of a surface that were seen within reach, as one of their own; null: none. */
function receiver(
  { positions, indices, firstVertices, firstTriangles, triangles }: Surface,
  pixels: Uint32Array,
): Surface | null {
  const points: number[] = [];
  for (let cluster = 0; cluster + 1 < firstTriangles.length; cluster++) {
    for (let t = firstTriangles[cluster]; t < firstTriangles[cluster + 1]; t++) {
      if (pixels[triangles[t]] === 0) continue;
      const at = [0, 1, 2].map((k) => (firstVertices[cluster] + indices[t * 3 + k]) * 3);
      if (!at.some((i) => Math.hypot(positions[i], positions[i + 1], positions[i + 2]) <= REACH)) continue;
      for (const i of at) points.push(positions[i], positions[i + 1], positions[i + 2]);
    }
  }
  if (points.length === 0) return null;
  return surfaceOf(
    Float32Array.from(points),
    Uint32Array.from({ length: points.length / 3 }, (_, i) => i),
    false,
  );
}

/** Whether something of these boxes may lie within reach. */
function isNear(boxes: Float32Array): boolean {
  for (let at = 0; at < boxes.length; at += 6) {
    const away = [0, 1, 2].map((axis) => Math.max(boxes[at + axis], 0, -boxes[at + axis + 3]));
    if (Math.hypot(...away) <= REACH) return true;
  }
  return false;
}

/** A light's picture of the receivers. */
function viewOf({ kind, world }: SceneLight, middle: Vec3, windows: readonly Surface[]): View {
  const column = (k: number): Vec3 => [world[k * 4], world[k * 4 + 1], world[k * 4 + 2]];
  const place = column(3);
  if (kind !== 'directional') {
    return eyeView([place[0] - middle[0], place[1] - middle[1], place[2] - middle[2]], PLACE_SCALE, windows);
  }
  const [right, up, back] = [column(0), column(1), column(2)];
  const eye: Vec3 = [back[0] * SUN, back[1] * SUN, back[2] * SUN];
  return { eye, sides: [{ right, up, back }], size: SIDE, scale: SIDE / (2 * REACH), parallel: 2 * SUN, windows };
}

/** Adds to `pixels`, of each part the pixels of its triangles, what casts shadows on what they show. Gives how many triangles came. */
export async function addShadowCasters(
  lights: readonly SceneLight[],
  parts: ZoneParts,
  middle: Vec3,
  pixels: (Uint32Array | null)[],
  threads: ZoneThreads,
): Promise<number> {
  const casting = lights.filter(({ castsShadow }) => castsShadow);
  if (casting.length === 0) return 0;
  const isLetGo = (part: number) => parts.parts[part].surface === null && isNear(parts.parts[part].boxes);
  await parts.load(pixels.flatMap((shown, part) => (shown && isLetGo(part) ? [part] : [])));
  const windows = pixels.flatMap((shown, part) => {
    const surface = parts.parts[part].surface;
    return (shown && surface && receiver(surface, shown)) ?? [];
  });
  if (windows.length === 0) return 0;
  const views = casting.map((light) => viewOf(light, middle, windows));
  const looks = await lookFromAll(views, parts, (view) => threads.look(view, parts));
  let added = 0;
  for (const { seen } of looks) {
    for (const { part, triangles } of seen) {
      const counts = pixels[part] ?? new Uint32Array(parts.triangleCount(part));
      pixels[part] = counts;
      for (const triangle of triangles) {
        if (counts[triangle] > 0) continue;
        counts[triangle] = 1;
        added++;
      }
    }
  }
  return added;
}
