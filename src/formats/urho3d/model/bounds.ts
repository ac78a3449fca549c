// What a writer states of the geometry of a model: the box by which the engine culls it, and the centres by which it sorts
// geometries. Both are those of the first levels at rest.

import type { GeometryLevel, Model } from './layout.ts';
import { vertexColumn } from './vertices.ts';

type Drawn = Pick<Model, 'vertexBuffers' | 'indexBuffers' | 'geometries'>;

/** Calls `visit` with each corner that the first level of a geometry draws. */
function visitCorners(
  { vertexBuffers, indexBuffers }: Drawn,
  level: GeometryLevel,
  visit: (x: number, y: number, z: number) => void,
): void {
  const { values } = vertexColumn(vertexBuffers[level.vertexBuffer], 'position')!;
  const indices = indexBuffers[level.indexBuffer];
  for (let i = level.indexStart; i < level.indexStart + level.indexCount; i++) {
    const at = 3 * indices[i];
    visit(values[at], values[at + 1], values[at + 2]);
  }
}

/** Minimum and maximum, x y z each; zeros for a model without corners. */
export function modelBox(model: Drawn): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const { levels } of model.geometries) {
    visitCorners(model, levels[0], (...corner) => {
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis], corner[axis]);
        box[axis + 3] = Math.max(box[axis + 3], corner[axis]);
      }
    });
  }
  return box[0] <= box[3] ? box : [0, 0, 0, 0, 0, 0];
}

/** The mean of the corners of each geometry, as the engine's own importer writes it; zeros for one without corners. */
export function geometryCentres(model: Drawn): number[][] {
  return model.geometries.map(({ levels }) => {
    const sum = [0, 0, 0];
    let corners = 0;
    visitCorners(model, levels[0], (x, y, z) => {
      sum[0] += x;
      sum[1] += y;
      sum[2] += z;
      corners++;
    });
    return sum.map((value) => (corners > 0 ? value / corners : 0));
  });
}
