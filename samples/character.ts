// What a character is made of: joints that stand upright at rest, surfaces swept from rings whose vertices follow joints, and
// clips of keys. Described once, in metres and Y up; characterGltf.ts writes it.

import type { SampleMaterial } from './courtyard.ts';
import type { Point } from './shapes.ts';

export interface CharacterJoint {
  readonly name: string;
  /** Null: the root. Parents stand before their children. */
  readonly parent: string | null;
  /** In the character's space. At rest no joint is turned. */
  readonly place: Point;
}

/** Joints and how much a vertex follows each; together 1. */
export type Influences = readonly (readonly [joint: string, weight: number])[];

export interface CharacterPart {
  readonly material: string;
  readonly positions: readonly Point[];
  readonly normals: readonly Point[];
  /** V up. */
  readonly uvs: readonly (readonly [number, number])[];
  readonly influences: readonly Influences[];
  readonly triangles: readonly (readonly [number, number, number])[];
}

export type Quaternion = readonly [x: number, y: number, z: number, w: number];

export interface CharacterTrack {
  readonly joint: string;
  /** One for each time of the clip. */
  readonly turns: readonly Quaternion[];
  /** How far the joint is from its place at rest; absent: it stays there. */
  readonly moves?: readonly Point[];
}

export interface CharacterClip {
  readonly name: string;
  /** Seconds; the pose of the last is that of the first. */
  readonly times: readonly number[];
  readonly tracks: readonly CharacterTrack[];
}

export interface Character {
  readonly name: string;
  readonly materials: readonly SampleMaterial[];
  readonly joints: readonly CharacterJoint[];
  readonly parts: readonly CharacterPart[];
  readonly clips: readonly CharacterClip[];
}

export const add = (a: Point, b: Point, scale = 1): Point => [
  a[0] + b[0] * scale,
  a[1] + b[1] * scale,
  a[2] + b[2] * scale,
];
export const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const unit = (a: Point): Point => add([0, 0, 0], a, 1 / Math.hypot(...a));

/** A closed curve around a centre: an ellipse with the half axes `right` and `ahead`; without extent it is a point. */
export interface Ring {
  readonly centre: Point;
  readonly right: Point;
  readonly ahead: Point;
}

/** A swept surface before its vertices have influences. `right` x `ahead` of its rings points to the next ring. */
export interface Sweep {
  readonly rings: readonly Ring[];
  readonly sides: number;
}

/** An ellipsoid; its rings follow each other along the second of the half axes, which are a right-handed frame. */
export function ellipsoid(centre: Point, [a, b, c]: readonly Point[], sides: number, rings: number): Sweep {
  return {
    sides,
    rings: Array.from({ length: rings + 1 }, (_, i): Ring => {
      const angle = (Math.PI * i) / rings;
      const wide = i === 0 || i === rings ? 0 : Math.sin(angle);
      return {
        centre: add(centre, b, -Math.cos(angle)),
        right: add([0, 0, 0], a, wide),
        ahead: add([0, 0, 0], c, -wide),
      };
    }),
  };
}

export const upright = (x: number, y: number, z: number): Point[] => [
  [x, 0, 0],
  [0, y, 0],
  [0, 0, z],
];

/** A tube through points with radii, closed at both ends; `side` is across all of its directions. */
export function tube(points: readonly (readonly [Point, number])[], side: Point, sides: number): Sweep {
  const along = points.map((_, i) => {
    const [from] = points[Math.max(0, i - 1)];
    const [to] = points[Math.min(points.length - 1, i + 1)];
    return unit(add(to, from, -1));
  });
  const rings = points.map(([centre, radius], i): Ring => {
    const right = unit(add(side, along[i], -dot(side, along[i])));
    const ahead = cross(along[i], right);
    return { centre, right: add([0, 0, 0], right, radius), ahead: add([0, 0, 0], ahead, radius) };
  });
  const point = (centre: Point): Ring => ({ centre, right: [0, 0, 0], ahead: [0, 0, 0] });
  return { rings: [point(points[0][0]), ...rings, point(points[points.length - 1][0])], sides };
}

/** From the first joint on, each further one takes over around its place along the way. */
export function chain(at: number, first: string, further: readonly (readonly [number, string])[], width: number) {
  let influences: [string, number][] = [[first, 1]];
  for (const [place, joint] of further) {
    const share = Math.min(1, Math.max(0, (at - place + width) / (2 * width)));
    const smooth = share * share * (3 - 2 * share);
    influences = [
      ...influences.map(([name, weight]): [string, number] => [name, weight * (1 - smooth)]),
      [joint, smooth],
    ];
  }
  const kept = influences.filter(([, weight]) => weight > 1e-3);
  const sum = kept.reduce((all, [, weight]) => all + weight, 0);
  return kept.map(([joint, weight]) => [joint, weight / sum] as const);
}

/** Sweeps as one part with smooth normals. `bend` moves points of the surface. */
export function part(
  material: string,
  sweeps: readonly (readonly [Sweep, (at: Point) => Influences])[],
  bend: (at: Point) => Point = (at) => at,
): CharacterPart {
  const positions: Point[] = [];
  const normals: Point[] = [];
  const uvs: [number, number][] = [];
  const influences: Influences[] = [];
  const triangles: [number, number, number][] = [];
  for (const [{ rings, sides }, follow] of sweeps) {
    const first = positions.length;
    rings.forEach(({ centre, right, ahead }, r) => {
      for (let i = 0; i <= sides; i++) {
        // Taken modulo the circle, so that both sides of the seam have the same position to the last bit.
        const angle = ((i % sides) / sides) * 2 * Math.PI;
        const at = bend(add(add(centre, right, Math.cos(angle)), ahead, Math.sin(angle)));
        positions.push(at);
        influences.push(follow(at));
        uvs.push([i / sides, r / (rings.length - 1)]);
      }
    });
    const own: [number, number, number][] = [];
    const isPoint = ({ right }: Ring) => Math.hypot(...right) === 0;
    for (let r = 0; r + 1 < rings.length; r++) {
      for (let i = 0; i < sides; i++) {
        const a = first + r * (sides + 1) + i;
        const d = a + sides + 1;
        if (!isPoint(rings[r])) own.push([a, a + 1, isPoint(rings[r + 1]) ? d : d + 1]);
        if (!isPoint(rings[r + 1])) own.push([a, d + 1, d]);
      }
    }
    normals.push(...smoothNormals(positions, first, own));
    triangles.push(...own);
  }
  return { material, positions, normals, uvs, influences, triangles };
}

/** Normals of the vertices from `first` on: those at one place share the sum over all their triangles, by area. */
function smoothNormals(positions: readonly Point[], first: number, triangles: readonly [number, number, number][]) {
  const key = (index: number) => positions[index].map(Math.fround).join();
  const sums = new Map<string, Point>();
  for (const corners of triangles) {
    const [a, b, c] = corners.map((index) => positions[index]);
    const area = cross(add(b, a, -1), add(c, a, -1));
    for (const place of new Set(corners.map(key))) sums.set(place, add(sums.get(place) ?? [0, 0, 0], area));
  }
  return positions.slice(first).map((_, i) => unit(sums.get(key(first + i)) ?? [0, 1, 0]));
}
