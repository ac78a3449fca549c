// Looks again from an eye at what was made of a scene, only where that may differ from what was looked at before.

import type { Triangles } from '../geometry/mesh/mesh.ts';
import { PositionIds } from '../geometry/mesh/positionIds.ts';
import type { View } from './look.ts';
import { picturePixels } from './look.ts';
import { type Surface, surfaceOf } from './surface.ts';

/** Edges of a rectangle in pixels, from the left and from the bottom of a side's picture. */
export interface Area {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** An area in which so many pixels lie that touch, of which the first one is known: no other lies lower. */
export function areaOf(x: number, y: number, pixels: number): Area {
  return { left: x - pixels, bottom: y, right: x + 1 + pixels, top: y + pixels };
}

/**
 * A view of one side that shows some areas, and where surfaces are that went, alone. `radius`: pixels that surfaces may lie off. A pixel
 * with a surface so near to it lacks none; a surface that went may have been the one, and what is there now lies no further off.
 */
export function viewAgain(view: View, areas: readonly Area[], gone: readonly Surface[], radius: number): View {
  const windows = areas.length > 0 ? [areaWindows(view, areas), ...gone] : gone;
  // One more pixel, because pixels that touch are one hole.
  return { ...view, windows, around: 2 * radius + 1 };
}

/** Rectangles a metre ahead of the eye. */
function areaWindows(view: View, areas: readonly Area[]): Surface {
  const { eye, scale } = view;
  const [{ right, up, back }] = view.sides;
  const size = picturePixels(view);
  const positions: number[] = [];
  const indices: number[] = [];
  for (const area of areas) {
    const [left, bottom] = [Math.max(0, area.left), Math.max(0, area.bottom)];
    const [end, top] = [Math.min(size, area.right), Math.min(size, area.top)];
    const first = positions.length / 3;
    for (const [x, y] of [
      [left, bottom],
      [end, bottom],
      [end, top],
      [left, top],
    ]) {
      const [across, along] = [(x - size / 2) / scale, (y - size / 2) / scale];
      for (const axis of [0, 1, 2]) positions.push(eye[axis] + right[axis] * across + up[axis] * along - back[axis]);
    }
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  return surfaceOf(Float32Array.from(positions), Uint32Array.from(indices), false);
}

/** The triangles of meshes that are not among those of others: three numbers for each of their corners. */
export function goneTriangles(before: readonly Triangles[], after: readonly Triangles[]): Float32Array {
  const ids = new PositionIds();
  const [old, now] = [before, after].map((list) => list.map((mesh) => cornerIds(mesh, ids)));
  const known = new TriangleSet(now, ids.count);
  const gone: number[] = [];
  for (const [m, corners] of old.entries()) {
    const { positions, indices } = before[m];
    for (let i = 0; i < corners.length; i += 3) {
      if (known.has(corners, i)) continue;
      for (let k = 0; k < 3; k++) {
        const at = indices[i + k] * 3;
        gone.push(positions[at], positions[at + 1], positions[at + 2]);
      }
    }
  }
  return Float32Array.from(gone);
}

/** The position ids of corners, of each triangle the least one first. */
function cornerIds({ positions, indices }: Triangles, ids: PositionIds): Uint32Array {
  const ofVertices = ids.of(positions);
  const corners = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [ofVertices[indices[i]], ofVertices[indices[i + 1]], ofVertices[indices[i + 2]]];
    const turn = a <= b && a <= c ? 0 : b <= c ? 1 : 2;
    for (let k = 0; k < 3; k++) corners[i + k] = ofVertices[indices[i + ((k + turn) % 3)]];
  }
  return corners;
}

/** Triangles of position ids, found by their least one. */
class TriangleSet {
  /** Where the triangles of each id begin; one more entry is the end. */
  readonly #first: Uint32Array;
  /** Their other two ids. */
  readonly #others: Uint32Array;

  constructor(lists: readonly Uint32Array[], idCount: number) {
    const first = new Uint32Array(idCount + 2);
    for (const corners of lists) for (let i = 0; i < corners.length; i += 3) first[corners[i] + 2]++;
    for (let id = 2; id < first.length; id++) first[id] += first[id - 1];
    this.#others = new Uint32Array(first[idCount + 1] * 2);
    for (const corners of lists) {
      for (let i = 0; i < corners.length; i += 3) {
        // Ends as the first of the id after it.
        const at = first[corners[i] + 1]++;
        this.#others[at * 2] = corners[i + 1];
        this.#others[at * 2 + 1] = corners[i + 2];
      }
    }
    this.#first = first;
  }

  has(corners: Uint32Array, i: number): boolean {
    const end = this.#first[corners[i] + 1];
    for (let at = this.#first[corners[i]]; at < end; at++) {
      if (this.#others[at * 2] === corners[i + 1] && this.#others[at * 2 + 1] === corners[i + 2]) return true;
    }
    return false;
  }
}
