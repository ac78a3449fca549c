// Solids for the samples: lathes, boxes, walls with holes for doors and windows, roofs, cards. Faces are polygons of
// [x, y, z], counter-clockwise seen from outside, in metres and Y up; `textured` gives them UVs.

export type Point = [number, number, number];
export type Corner = [number, number, number, number, number];
export type Solid = Point[][];

/** A hole in a wall: from left to right and from bottom to top, in the wall's own x and y. */
export type Hole = readonly [left: number, right: number, bottom: number, top: number];

/** A lathe around Y: rings of [radius, height], open at both ends; UVs run once around and from the first ring to the last. */
export function lathe(rings: [number, number][], sides: number): Corner[][] {
  const faces: Corner[][] = [];
  const at = ([radius, y]: [number, number], i: number, ring: number): Corner => {
    // Angles are taken modulo the circle so that the seam's two sides have the same position to the last bit.
    const angle = ((i % sides) / sides) * 2 * Math.PI;
    return [radius * Math.cos(angle), y, -radius * Math.sin(angle), i / sides, ring / (rings.length - 1)];
  };
  for (let r = 0; r + 1 < rings.length; r++) {
    for (let i = 0; i < sides; i++) {
      const a = at(rings[r], i, r);
      const b = at(rings[r], i + 1, r);
      const c = at(rings[r + 1], i + 1, r + 1);
      const d = at(rings[r + 1], i, r + 1);
      if (rings[r + 1][0] === 0) faces.push([a, b, [c[0], c[1], c[2], (i + 0.5) / sides, c[4]]]);
      else if (rings[r][0] === 0) faces.push([[a[0], a[1], a[2], (i + 0.5) / sides, a[4]], c, d]);
      else faces.push([a, b, c, d]);
    }
  }
  return faces;
}

/** A whole box; without its bottom where it stands on something. */
export function box([x0, y0, z0]: Point, [x1, y1, z1]: Point, bottom = true): Solid {
  const sides: Solid = [
    [
      [x0, y0, z1],
      [x1, y0, z1],
      [x1, y1, z1],
      [x0, y1, z1],
    ],
    [
      [x1, y0, z1],
      [x1, y0, z0],
      [x1, y1, z0],
      [x1, y1, z1],
    ],
    [
      [x1, y0, z0],
      [x0, y0, z0],
      [x0, y1, z0],
      [x1, y1, z0],
    ],
    [
      [x0, y0, z0],
      [x0, y0, z1],
      [x0, y1, z1],
      [x0, y1, z0],
    ],
    [
      [x0, y1, z1],
      [x1, y1, z1],
      [x1, y1, z0],
      [x0, y1, z0],
    ],
  ];
  if (bottom) {
    sides.push([
      [x0, y0, z0],
      [x1, y0, z0],
      [x1, y0, z1],
      [x0, y0, z1],
    ]);
  }
  return sides;
}

const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);

/**
 * A wall that faces +Z at z = 0 and is `depth` thick behind that: its front, cut along the borders of all holes so that
 * no edge ends inside another, and the reveals of the holes. `back` adds the face that looks to -Z.
 */
export function wall(width: number, height: number, depth: number, holes: readonly Hole[], back = false): Solid {
  const xs = ascending([-width / 2, width / 2, ...holes.map((hole) => hole[0]), ...holes.map((hole) => hole[1])]);
  const ys = ascending([0, height, ...holes.map((hole) => hole[2]), ...holes.map((hole) => hole[3])]);
  const isOpen = (x: number, y: number) => holes.some(([l, r, b, t]) => x >= l && x < r && y >= b && y < t);
  const faces: Solid = [];
  for (let j = 0; j + 1 < ys.length; j++) {
    for (let i = 0; i + 1 < xs.length; i++) {
      const [x0, x1, y0, y1] = [xs[i], xs[i + 1], ys[j], ys[j + 1]];
      if (isOpen(x0, y0)) continue;
      faces.push([
        [x0, y0, 0],
        [x1, y0, 0],
        [x1, y1, 0],
        [x0, y1, 0],
      ]);
      if (!back) continue;
      faces.push([
        [x1, y0, -depth],
        [x0, y0, -depth],
        [x0, y1, -depth],
        [x1, y1, -depth],
      ]);
    }
  }
  for (const [left, right, bottom, top] of holes) {
    const reveal = (x0: number, y0: number, x1: number, y1: number) =>
      faces.push([
        [x0, y0, 0],
        [x1, y1, 0],
        [x1, y1, -depth],
        [x0, y0, -depth],
      ]);
    reveal(left, top, left, bottom);
    reveal(right, top, left, top);
    reveal(right, bottom, right, top);
    // A door stands on the floor.
    if (bottom > 0) reveal(left, bottom, right, bottom);
  }
  return faces;
}

/** The triangle between a wall of `width` that ends at `height` and the roof above, facing +Z at z = 0. */
export const gable = (width: number, height: number, ridge: number): Solid => [
  [
    [-width / 2, height, 0],
    [width / 2, height, 0],
    [0, ridge, 0],
  ],
];

/** A pitched roof whose ridge runs along X: two slabs, `over` beyond the walls on all sides, `thick` high. */
export function pitchedRoof(
  width: number,
  depth: number,
  eaves: number,
  ridge: number,
  over: number,
  thick: number,
): Solid {
  const drop = (over * (ridge - eaves)) / (depth / 2);
  const [x, z, low] = [width / 2 + over, depth / 2 + over, eaves - drop];
  const slope: Solid = [
    [
      [-x, low + thick, z],
      [x, low + thick, z],
      [x, ridge + thick, 0],
      [-x, ridge + thick, 0],
    ],
    [
      [-x, ridge, 0],
      [x, ridge, 0],
      [x, low, z],
      [-x, low, z],
    ],
    [
      [-x, low, z],
      [x, low, z],
      [x, low + thick, z],
      [-x, low + thick, z],
    ],
    [
      [x, low, z],
      [x, ridge, 0],
      [x, ridge + thick, 0],
      [x, low + thick, z],
    ],
    [
      [-x, ridge, 0],
      [-x, low, z],
      [-x, low + thick, z],
      [-x, ridge + thick, 0],
    ],
  ];
  return [...slope, ...turned(slope, 2)];
}

/** A roof of four slopes that meet in a point over the middle. */
export function tentRoof(width: number, depth: number, eaves: number, top: number): Solid {
  const [x, z] = [width / 2, depth / 2];
  const ring: Point[] = [
    [-x, eaves, z],
    [x, eaves, z],
    [x, eaves, -z],
    [-x, eaves, -z],
  ];
  const tip: Point = [0, top, 0];
  return [...ring.map((corner, i): Point[] => [corner, ring[(i + 1) % 4], tip]), [...ring].reverse()];
}

/** Turned about Y by a multiple of 90 degrees, from +Z towards +X: exact. */
export function turned(faces: Solid, quarter: number): Solid {
  const c = [1, 0, -1, 0][quarter % 4];
  const s = [0, 1, 0, -1][quarter % 4];
  return faces.map((face) => face.map(([x, y, z]): Point => [c * x + s * z, y, c * z - s * x]));
}

export const moved = (faces: Solid, [dx, dy, dz]: Point): Solid =>
  faces.map((face) => face.map(([x, y, z]): Point => [x + dx, y + dy, z + dz]));

/** Newell's normal of a face's corners, unit length. */
export function faceNormal(face: readonly (readonly number[])[]): Point {
  const n: Point = [0, 0, 0];
  face.forEach((a, i) => {
    const b = face[(i + 1) % face.length];
    n[0] += (a[1] - b[1]) * (a[2] + b[2]);
    n[1] += (a[2] - b[2]) * (a[0] + b[0]);
    n[2] += (a[0] - b[0]) * (a[1] + b[1]);
  });
  const length = Math.hypot(...n);
  return [n[0] / length, n[1] / length, n[2] / length];
}

/** UVs by projection along the axis that each face looks along most, a repeat every `size` metres. */
export function textured(faces: Solid, size = 1): Corner[][] {
  return faces.map((face) => {
    const [nx, ny, nz] = faceNormal(face);
    return face.map(([x, y, z]): Corner => {
      if (Math.abs(ny) > 0.9) return [x, y, z, x / size, -z / size];
      const across = Math.abs(nx) > Math.abs(nz) ? -Math.sign(nx) * z : Math.sign(nz) * x;
      return [x, y, z, across / size, y / size];
    });
  });
}
