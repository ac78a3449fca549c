// Triangle lists, strips and fans (glTF 2.0, 3.7.2.1, "Topology types") as one list of corners, with the winding that
// the specification gives each of them.

export const TRIANGLES = 4;
const TRIANGLE_STRIP = 5;
const TRIANGLE_FAN = 6;

export function isTriangleMode(mode: number): boolean {
  return mode >= TRIANGLES && mode <= TRIANGLE_FAN;
}

/** How many whole triangles a number of corners makes. */
export function triangleCount(mode: number, corners: number): number {
  return mode === TRIANGLES ? Math.floor(corners / 3) : Math.max(0, corners - 2);
}

/** Corners of the triangles, three each. `indices` null: vertices 0 to `count` in order. May return `indices` itself. */
export function triangleCorners(mode: number, indices: Uint32Array | null, count: number): Uint32Array {
  const triangles = triangleCount(mode, count);
  if (mode === TRIANGLES) {
    if (indices) return indices.length === triangles * 3 ? indices : indices.subarray(0, triangles * 3);
    const corners = new Uint32Array(triangles * 3);
    for (let i = 0; i < corners.length; i++) corners[i] = i;
    return corners;
  }
  const corners = new Uint32Array(triangles * 3);
  const at = indices ? (i: number) => indices[i] : (i: number) => i;
  for (let i = 0, to = 0; i < triangles; i++, to += 3) {
    if (mode === TRIANGLE_STRIP) {
      // p_i = { v_i, v_(i + 1 + i % 2), v_(i + 2 - i % 2) }
      corners[to] = at(i);
      corners[to + 1] = at(i + 1 + (i % 2));
      corners[to + 2] = at(i + 2 - (i % 2));
    } else {
      // p_i = { v_(i + 1), v_(i + 2), v_0 }
      corners[to] = at(i + 1);
      corners[to + 1] = at(i + 2);
      corners[to + 2] = at(0);
    }
  }
  return corners;
}
