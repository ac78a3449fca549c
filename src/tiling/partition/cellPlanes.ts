// The planes at which objects are cut: the borders of grid cells or of quadtree nodes, or planes coarser or finer by powers
// of two. A border is the same number for every object and every distance of planes. Each plane is rounded to float32, as
// the vertices on it are.

import type { CutPlanes } from '../../scene/planes.ts';
import type { Bounds } from '../../scene/types.ts';

/** No object is cut into more cells than this. */
export const MAX_CELLS = 16_384;

/** Planes nearer than this to an end of an object do not cut it: touching a border is not crossing it. Metres. */
export const BORDER_MARGIN = 1e-4;

/** Least edge of a cell, in metres; */
const FINEST = 0.01;
/** as a share of the object's largest coordinate (1,024 steps of a float32); */
const FINEST_OF_OBJECT = 2 ** -14;
/** and as a share of the scene's largest coordinate, because cells are counted from the ends of the scene. */
const FINEST_OF_SCENE = 2 ** -22;

/**
 * The planes that cut bounds. `fineness` is their distance: 0 for the borders of the mode's cells; each step up halves the
 * distance, each step down doubles it. Null: there would be more than MAX_CELLS cells, or cells too small to be told
 * apart. A lower fineness gives fewer planes, and a low enough one none.
 */
export type PlanesAt = (bounds: Bounds, fineness: number) => CutPlanes | null;

/** Whether any plane can cut the bounds: they must be wider than both margins along X or Z. */
export function hasRoom({ min, max }: Bounds): boolean {
  return Math.max(max[0] - min[0], max[2] - min[2]) > 2 * BORDER_MARGIN;
}

export const cellCount = ({ x, z }: CutPlanes): number => (x.length + 1) * (z.length + 1);

const largest = ({ min, max }: Bounds): number =>
  Math.max(Math.abs(min[0]), Math.abs(max[0]), Math.abs(min[2]), Math.abs(max[2]));

function finest(bounds: Bounds, scene: Bounds): number {
  return Math.max(FINEST, largest(bounds) * FINEST_OF_OBJECT, largest(scene) * FINEST_OF_SCENE);
}

/** From [x, -z], where cells are counted, to planes in ascending order; -0 becomes 0. */
function cutPlanes(u: readonly number[], v: readonly number[]): CutPlanes {
  return { x: u, z: v.map((plane) => 0 - plane).reverse() };
}

/** The planes of one axis of [x, -z] between two coordinates; null: too many, or too close. */
type AlongAxis = (axis: 0 | 1, from: number, to: number) => number[] | null;

function inside(bounds: Bounds, along: AlongAxis): CutPlanes | null {
  const u = along(0, bounds.min[0] + BORDER_MARGIN, bounds.max[0] - BORDER_MARGIN);
  const v = along(1, -bounds.max[2] + BORDER_MARGIN, -bounds.min[2] - BORDER_MARGIN);
  if (u === null || v === null) return null;
  const planes = cutPlanes(u, v);
  return cellCount(planes) > MAX_CELLS ? null : planes;
}

/** The planes of a grid whose cells of `size` metres are counted from `origin` along +X and -Z. */
export function gridPlanes(scene: Bounds, origin: readonly [number, number], size: number): PlanesAt {
  return (bounds, fineness) => {
    // Doubling is exact, and k cells of 2 * edge give the same number as 2k of edge: finer planes include the coarser ones.
    const edge = size * 2 ** -fineness;
    const smallest = finest(bounds, scene);
    return inside(bounds, (axis, from, to) => {
      if (!(from < to)) return [];
      if (edge < smallest || (to - from) / edge > MAX_CELLS) return null;
      const planes: number[] = [];
      for (let k = Math.floor((from - origin[axis]) / edge); ; k++) {
        const plane = Math.fround(origin[axis] + k * edge);
        if (plane >= to) return planes;
        if (plane > from) planes.push(plane);
      }
    });
  };
}

/**
 * The planes of a quadtree over the scene's footprint. Fineness 0: the borders of the largest nodes whose longer side is
 * at most `size`, or of the smallest nodes. Finer planes halve the nodes as the tree does.
 */
export function quadtreePlanes(scene: Bounds, size: number, deepest: number): PlanesAt {
  const ends = [
    [scene.min[0], scene.max[0]],
    [-scene.max[2], -scene.min[2]],
  ] as const;
  const longer = Math.max(...ends.map(([low, high]) => high - low));
  let base = 0;
  while (base < deepest && longer / 2 ** base > size) base++;
  return (bounds, fineness) => {
    const depth = Math.max(0, base + fineness);
    const smallest = finest(bounds, scene);
    return inside(bounds, (axis, from, to) => {
      if (!(from < to)) return [];
      const [low, high] = ends[axis];
      const edge = (high - low) / 2 ** depth;
      if (depth > 0 && (edge < smallest || (to - from) / edge > MAX_CELLS)) return null;
      const planes: number[] = [];
      const halve = (lowEnd: number, highEnd: number, left: number) => {
        if (left === 0 || highEnd <= from || lowEnd >= to) return;
        const middle = (lowEnd + highEnd) / 2;
        const plane = Math.fround(middle);
        halve(lowEnd, middle, left - 1);
        if (plane > from && plane < to) planes.push(plane);
        halve(middle, highEnd, left - 1);
      };
      halve(low, high, depth);
      return planes;
    });
  };
}

/**
 * The side of a plane that the piece from `low` to `high` lies on, 0 below and 1 above; null: across. At the ends of its
 * object a piece reaches beyond a plane by as much as the margin.
 */
export function sideOfPlane(low: number, high: number, plane: number): 0 | 1 | null {
  if (plane > low + BORDER_MARGIN && plane < high - BORDER_MARGIN) return null;
  return (low + high) / 2 <= plane ? 0 : 1;
}

/** The cell of a grid, counted from `origin`, between whose rounded borders a coordinate lies. */
export function cellBetweenPlanes(at: number, origin: number, size: number): number {
  const cell = Math.floor((at - origin) / size);
  if (at < Math.fround(origin + cell * size)) return cell - 1;
  return at >= Math.fround(origin + (cell + 1) * size) ? cell + 1 : cell;
}
