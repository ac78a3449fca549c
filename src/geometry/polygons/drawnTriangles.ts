// The triangles of a subset that are drawn: those with an area.

import type { PolygonMesh } from '../../scene/types.ts';
import { hasArea } from '../mesh/optimise.ts';
import { type Triangulation, triangulate } from './triangulate.ts';

export interface DrawnTriangles {
  readonly triangles: Triangulation;
  /** How many more there are without an area. */
  readonly dropped: number;
}

export function drawnTriangles(mesh: PolygonMesh, subset: number): DrawnTriangles {
  const cut = triangulate(mesh, subset);
  const triangles = withArea(mesh, cut);
  return { triangles, dropped: cut.count - triangles.count };
}

/** The triangles with an area; the same ones when all have. */
function withArea(mesh: PolygonMesh, cut: Triangulation): Triangulation {
  const { points, corners } = mesh;
  let kept: Uint32Array | null = null;
  let number = 0;
  for (let t = 0; t < cut.count; t++) {
    const a = cut.corners ? cut.corners[t * 3] : t * 3;
    const b = cut.corners ? cut.corners[t * 3 + 1] : t * 3 + 1;
    const c = cut.corners ? cut.corners[t * 3 + 2] : t * 3 + 2;
    if (hasArea(points, corners[a] * 3, corners[b] * 3, corners[c] * 3)) {
      if (kept) kept[number] = t;
      number++;
    } else if (kept === null) {
      kept = new Uint32Array(cut.count);
      for (let k = 0; k < t; k++) kept[k] = k;
    }
  }
  if (kept === null) return cut;
  const outCorners = new Uint32Array(number * 3);
  const outFaces = new Uint32Array(number);
  for (let i = 0; i < number; i++) {
    const t = kept[i];
    for (let k = 0; k < 3; k++) outCorners[i * 3 + k] = cut.corners ? cut.corners[t * 3 + k] : t * 3 + k;
    outFaces[i] = cut.faces ? cut.faces[t] : t;
  }
  return { ...cut, count: number, corners: outCorners, faces: outFaces };
}
