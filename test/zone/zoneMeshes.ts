// Small meshes around the middle of a zone.

import type { Vec3 } from '../../src/scene/types.ts';
import type { ZoneMesh } from '../../src/zone/thin.ts';
import { triangleMesh } from '../geometry/meshes.ts';

/** A small triangle in a direction of so many degrees from +X towards +Z. */
export function trianglesAt(degrees: number, key = '0', middle: Vec3 = [0, 0, 0], metres = 10): ZoneMesh {
  const [x, z] = [Math.cos((degrees * Math.PI) / 180) * metres, Math.sin((degrees * Math.PI) / 180) * metres];
  const corner = (dx: number, dy: number) => [middle[0] + x + dx, middle[1] + dy, middle[2] + z];
  return {
    key,
    isTextured: false,
    mesh: triangleMesh([corner(-0.01, 0), corner(0.01, 0), corner(0, 0.02)], [0, 1, 2]),
  };
}
