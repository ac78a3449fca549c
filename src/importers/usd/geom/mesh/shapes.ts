// Tessellates parametric shapes (UsdGeom Cube, Sphere, Cylinder, Cone, Capsule, Plane) as drawables.

import { boundsOfPoints } from '../../../../scene/bounds.ts';
import type { Mat4 } from '../../../../scene/types.ts';
import type { StagePrim } from '../../compose/stage/stage.ts';
import { numberOf, textOf } from '../../compose/values/values.ts';
import { drawnColors } from './drawnColors.ts';
import { type Drawable, type GeomContext, materialOf } from './mesh.ts';
import { arc, revolve, type ShapeMesh, type Strip } from './revolve.ts';

/** The largest distance between a round shape and its polygons, in metres, unless it needs more than MAX_SEGMENTS. */
const CHORD_ERROR = 0.002;
const MIN_SEGMENTS = 12;
const MAX_SEGMENTS = 64;

/** The number of segments of a circle of `radius` metres, a multiple of 4. */
function segmentsOf(radius: number): number {
  if (!(radius > CHORD_ERROR)) return MIN_SEGMENTS;
  const wanted = Math.PI / Math.acos(1 - CHORD_ERROR / radius);
  return Math.min(MAX_SEGMENTS, Math.max(MIN_SEGMENTS, Math.ceil(wanted / 4) * 4));
}

/** The largest scale of a matrix along an axis. */
function largestScale(m: Mat4): number {
  return Math.max(Math.hypot(m[0], m[1], m[2]), Math.hypot(m[4], m[5], m[6]), Math.hypot(m[8], m[9], m[10]));
}

/** Turns a shape from Z to another axis. It permutes coordinates cyclically, which keeps the winding. */
function turnTo(axis: string, shape: ShapeMesh): ShapeMesh {
  if (axis === 'Z') return shape;
  const shift = axis === 'X' ? 1 : 2;
  const turn = <T extends Float64Array | Float32Array>(from: T): T => {
    const to = from.slice() as T;
    for (let i = 0; i < from.length; i += 3) for (let c = 0; c < 3; c++) to[i + ((c + shift) % 3)] = from[i + c];
    return to;
  };
  return { ...shape, points: turn(shape.points), normals: turn(shape.normals) };
}

function cube(size: number): ShapeMesh {
  const h = size / 2;
  const points: number[] = [];
  const normals: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      for (const [a, b] of [
        [-h, -h],
        [h, -h],
        [h, h],
        [-h, h],
      ]) {
        const point = [0, 0, 0];
        point[axis] = side * h;
        // The opposite side needs the opposite winding, so one of its two axes is mirrored.
        point[u] = side > 0 ? a : -a;
        point[v] = b;
        points.push(...point);
        const normal = [0, 0, 0];
        normal[axis] = side;
        normals.push(...normal);
      }
    }
  }
  return {
    points: Float64Array.from(points),
    normals: Float32Array.from(normals),
    faceCounts: new Uint32Array(6).fill(4),
    corners: Uint32Array.from({ length: 24 }, (_, i) => i),
  };
}

function plane(width: number, length: number, axis: string): ShapeMesh {
  const w = width / 2;
  const l = length / 2;
  const [points, normal] =
    axis === 'X'
      ? [
          [0, -l, -w, 0, l, -w, 0, l, w, 0, -l, w],
          [1, 0, 0],
        ]
      : axis === 'Y'
        ? [
            [-w, 0, -l, -w, 0, l, w, 0, l, w, 0, -l],
            [0, 1, 0],
          ]
        : [
            [-w, -l, 0, w, -l, 0, w, l, 0, -w, l, 0],
            [0, 0, 1],
          ];
  return {
    points: Float64Array.from(points),
    normals: Float32Array.from([...normal, ...normal, ...normal, ...normal]),
    faceCounts: Uint32Array.of(4),
    corners: Uint32Array.of(0, 1, 2, 3),
  };
}

/** The side of a cone or cylinder. */
function side(bottom: number, top: number, height: number): Strip {
  const length = Math.hypot(height, bottom - top) || 1;
  const normalR = height / length;
  const normalZ = (bottom - top) / length;
  return {
    rings: [
      { r: bottom, z: -height / 2, normalR, normalZ },
      { r: top, z: height / 2, normalR, normalZ },
    ],
  };
}

function frustum(bottom: number, top: number, height: number, segments: number): ShapeMesh {
  const disks = [
    { r: bottom, z: -height / 2, facing: -1 as const },
    { r: top, z: height / 2, facing: 1 as const },
  ];
  return revolve([side(bottom, top, height)], disks, segments);
}

function sphere(radius: number, segments: number): ShapeMesh {
  const rings = arc(radius, 0, -Math.PI / 2, Math.PI / 2, segments / 2);
  return revolve([{ rings }], [], segments);
}

function capsule(bottom: number, top: number, height: number, segments: number): ShapeMesh {
  const steps = segments / 4;
  const low = arc(bottom, -height / 2, -Math.PI / 2, 0, steps);
  const high = arc(top, height / 2, 0, Math.PI / 2, steps);
  const strips =
    bottom === top ? [{ rings: [...low, ...high] }] : [{ rings: low }, side(bottom, top, height), { rings: high }];
  return revolve(strips, [], segments);
}

/** Reads the sizes and the axis of a shape. Values that cannot be used are replaced and reported (UC1825). */
function dimensions(prim: StagePrim, context: GeomContext) {
  const size = (name: string, fallback: number): number => {
    const value = numberOf(prim.attribute(name)?.get()?.value) ?? fallback;
    if (value >= 0 && value < Infinity) return value;
    context.notes.report('UC1825', prim.path, `${name} is ${value}; ${fallback} is used`);
    return fallback;
  };
  const axis = (): string => {
    const value = textOf(prim.attribute('axis')?.get()?.value) ?? 'Z';
    if (value === 'X' || value === 'Y' || value === 'Z') return value;
    context.notes.report('UC1825', prim.path, `axis is "${value}"; Z is used`);
    return 'Z';
  };
  return { size, axis };
}

interface Tessellation {
  /** The number of segments of a circle; 0 if the shape is not round. */
  readonly segments: number;
  readonly make: () => ShapeMesh;
}

/** Reads the sizes of a shape, and gives its tessellation for the largest scale of its transform. */
function tessellation(prim: StagePrim, scale: number, context: GeomContext): Tessellation {
  const { size, axis } = dimensions(prim, context);
  switch (prim.typeName) {
    case 'Cube': {
      const edge = size('size', 2);
      return { segments: 0, make: () => cube(edge) };
    }
    case 'Plane': {
      const [width, length, normal] = [size('width', 2), size('length', 2), axis()];
      return { segments: 0, make: () => plane(width, length, normal) };
    }
    case 'Sphere': {
      const radius = size('radius', 1);
      const segments = segmentsOf(radius * scale);
      return { segments, make: () => sphere(radius, segments) };
    }
    case 'Cone': {
      const [radius, height, along] = [size('radius', 1), size('height', 2), axis()];
      const segments = segmentsOf(radius * scale);
      return { segments, make: () => turnTo(along, frustum(radius, 0, height, segments)) };
    }
  }
  const isCapsule = prim.typeName.startsWith('Capsule');
  const two = prim.typeName.endsWith('_1');
  const fallback = isCapsule ? 0.5 : 1;
  const bottom = size(two ? 'radiusBottom' : 'radius', fallback);
  const top = two ? size('radiusTop', fallback) : bottom;
  const [height, along] = [size('height', isCapsule ? 1 : 2), axis()];
  const make = isCapsule ? capsule : frustum;
  const segments = segmentsOf(Math.max(bottom, top) * scale);
  return { segments, make: () => turnTo(along, make(bottom, top, height, segments)) };
}

/**
 * A parametric shape as a drawable with double precision, normals and no texture coordinates. The scale of `world`, the
 * transform to metres, determines the number of segments.
 */
export function shapeDrawable(prim: StagePrim, world: Mat4, context: GeomContext): Drawable {
  const { segments, make } = tessellation(prim, largestScale(world), context);
  const use = materialOf(prim, prim, context);
  const { forms } = context;
  const key = forms.key(prim, forms.of(prim, []), [use], `${use.index} ${segments}`);
  const primitive = () => {
    const shape = make();
    const faces = shape.faceCounts.length;
    return {
      path: prim.path,
      type: prim.typeName,
      vertexCount: shape.points.length / 3,
      triangleCount: shape.corners.length - 2 * faces,
      bounds: boundsOfPoints(shape.points),
      material: use.index,
      subsets: [],
      read: async () => {
        const { points, normals, faceCounts, corners } = make();
        const counts = { faces, vertices: points.length / 3, corners: corners.length };
        return {
          points,
          faceCounts,
          corners,
          holes: null,
          faceSubsets: null,
          leftHanded: false,
          normals: { data: normals, size: 3, interpolation: 'vertex' as const, indices: null },
          missingNormals: 'smooth' as const,
          tangents: null,
          uvs: new Map(),
          ...drawnColors(prim, { faceCounts, corners, counts, uses: [use], useOfFace: null }, context),
          creases: null,
        };
      },
    };
  };
  return { key, primitive };
}
