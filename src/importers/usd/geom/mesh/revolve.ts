// Makes the polygons of round shapes: rotates a profile about the Z axis, with smooth normals along each strip of it.

/**
 * A part of a profile without a hard edge: radius, height and normal (radial, axial) of each ring, from bottom to top.
 */
export interface Strip {
  readonly rings: readonly {
    readonly r: number;
    readonly z: number;
    readonly normalR: number;
    readonly normalZ: number;
  }[];
}

/** Polygons with one normal per vertex. */
export interface ShapeMesh {
  readonly points: Float64Array;
  readonly normals: Float32Array;
  readonly faceCounts: Uint32Array;
  readonly corners: Uint32Array;
}

/** A flat disk at height z, one polygon, whose front faces up (+1) or down (-1) the axis. */
export interface Disk {
  readonly r: number;
  readonly z: number;
  readonly facing: 1 | -1;
}

/**
 * Rotates strips and disks about Z in `segments` steps (a multiple of 4, so that the shape has its full extent on each
 * axis). Faces are counter-clockwise seen from outside. A ring of radius 0 makes triangles. Each point of such a ring
 * has the normal of the middle of its segment, so that the tip of a cone is shaded smoothly.
 */
export function revolve(strips: readonly Strip[], disks: readonly Disk[], segments: number): ShapeMesh {
  const points: number[] = [];
  const normals: number[] = [];
  const faceCounts: number[] = [];
  const corners: number[] = [];
  const cos = (i: number) => Math.cos((2 * Math.PI * i) / segments);
  const sin = (i: number) => Math.sin((2 * Math.PI * i) / segments);
  const ring = (r: number, z: number, normalR: number, normalZ: number): number => {
    const first = points.length / 3;
    const shift = r === 0 ? 0.5 : 0;
    for (let i = 0; i < segments; i++) {
      points.push(r * cos(i), r * sin(i), z);
      normals.push(normalR * cos(i + shift), normalR * sin(i + shift), normalZ);
    }
    return first;
  };
  for (const { rings } of strips) {
    const firsts = rings.map(({ r, z, normalR, normalZ }) => ring(r, z, normalR, normalZ));
    for (let k = 0; k + 1 < rings.length; k++) {
      const [low, high] = [firsts[k], firsts[k + 1]];
      const [lowPole, highPole] = [rings[k].r === 0, rings[k + 1].r === 0];
      if (lowPole && highPole) continue;
      for (let i = 0; i < segments; i++) {
        const j = (i + 1) % segments;
        if (lowPole) corners.push(low + i, high + j, high + i);
        else if (highPole) corners.push(low + i, low + j, high + i);
        else corners.push(low + i, low + j, high + j, high + i);
        faceCounts.push(lowPole || highPole ? 3 : 4);
      }
    }
  }
  for (const { r, z, facing } of disks) {
    if (r === 0) continue;
    const first = ring(r, z, 0, facing);
    for (let i = 0; i < segments; i++) corners.push(first + (facing > 0 ? i : segments - 1 - i));
    faceCounts.push(segments);
  }
  return {
    points: Float64Array.from(points),
    normals: Float32Array.from(normals),
    faceCounts: Uint32Array.from(faceCounts),
    corners: Uint32Array.from(corners),
  };
}

/** The rings of a sphere between two latitudes, in radians. `centre` is the height of the centre of the sphere. */
export function arc(radius: number, centre: number, from: number, to: number, steps: number): Strip['rings'][number][] {
  return Array.from({ length: steps + 1 }, (_, k) => {
    const latitude = from + ((to - from) * k) / steps;
    // At the poles the radius must be exactly 0; the cosine is not.
    const pole = Math.abs(Math.abs(latitude) - Math.PI / 2) < 1e-12;
    const c = pole ? 0 : Math.cos(latitude);
    const s = Math.sin(latitude);
    return { r: radius * c, z: centre + radius * s, normalR: c, normalZ: s };
  });
}
