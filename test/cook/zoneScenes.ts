// Small scenes around a zone, made in code: each object has a material of its own, by whose name it is found in the output.

import type { ZoneSettings } from '../../src/config/zoneSettings.ts';
import { buildGlb, type PrimitiveInput, type SceneInput } from '../importers/gltf/build.ts';
import { type Cooked, cookFiles, type Triangle, trianglesOf } from './cooked.ts';

type Point = readonly [number, number, number];

/** Eyes that see little sharply: pictures of 256 pixels, which take milliseconds. */
export function zone(more: Partial<ZoneSettings> = {}): ZoneSettings {
  return {
    prims: [],
    boxes: [],
    points: [],
    portals: [],
    keepShadows: true,
    pixelsPerDegree: 2,
    proofEyes: 4,
    triangles: null,
    visibleTriangles: null,
    draws: null,
    ...more,
  };
}

/** Eyes within 30 cm of a place. */
export const around = ([x, y, z]: Point, reach = 0.3) =>
  ({ min: [x - reach, y - reach, z - reach], max: [x + reach, y + reach, z + reach] }) as const;

/** A box of twelve triangles, seen from outside. */
export function box([x0, y0, z0]: Point, [x1, y1, z1]: Point): PrimitiveInput {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++) positions.push(i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0);
  const sides = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return { positions, indices: sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]) };
}

/** Rectangles of two triangles each: four corners in order around. */
export function rectangles(...list: readonly (readonly Point[])[]): PrimitiveInput {
  return {
    positions: list.flat(2),
    indices: list.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((k) => i * 4 + k)),
    uvs: list.flatMap(() => [0, 0, 1, 0, 1, 1, 0, 1]),
  };
}

/** Ground of `side` x `side` squares of two triangles. */
export function grid(side: number, size: number, height: (x: number, z: number) => number): PrimitiveInput {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= side; i++) {
    for (let k = 0; k <= side; k++) {
      const [x, z] = [(k / side - 0.5) * size, (i / side - 0.5) * size];
      positions.push(x, height(x, z), z);
    }
  }
  for (let i = 0; i < side; i++) {
    for (let k = 0; k < side; k++) {
      const a = i * (side + 1) + k;
      indices.push(a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2);
    }
  }
  return { positions, indices: Uint32Array.from(indices) };
}

export interface Placed {
  readonly shape: PrimitiveInput;
  /** JSON of its material besides its name. */
  readonly material?: object;
  /** JSON of its node besides its name and mesh. */
  readonly node?: object;
}

/** A glTF scene: of each object a mesh, a node and a material of its name. `more`: nodes and root properties beside them. */
export function sceneOf(
  objects: Readonly<Record<string, Placed>>,
  more: { readonly nodes?: readonly object[]; readonly root?: SceneInput['root'] } = {},
): SceneInput {
  const list = Object.entries(objects);
  return {
    meshes: list.map(([name, { shape }], material) => ({ name, primitives: [{ ...shape, material }] })),
    materials: list.map(([name, { material = {} }]) => ({ name, ...material })),
    nodes: [...list.map(([name, { node = {} }], mesh) => ({ name, mesh, ...node })), ...(more.nodes ?? [])],
    ...(more.root ? { root: more.root } : {}),
  };
}

/** A closed room of 6 x 2.5 x 6 m whose wall at x = 3 may have an opening of 2 x 1 m. */
export function room(isOpen: boolean): PrimitiveInput {
  if (!isOpen) return box([-3, 0, -3], [3, 2.5, 3]);
  const wall = (y0: number, y1: number, z0: number, z1: number): Point[] => [
    [3, y0, z0],
    [3, y0, z1],
    [3, y1, z1],
    [3, y1, z0],
  ];
  return rectangles(
    [
      [-3, 0, -3],
      [-3, 0, 3],
      [-3, 2.5, 3],
      [-3, 2.5, -3],
    ],
    [
      [-3, 0, -3],
      [3, 0, -3],
      [3, 0, 3],
      [-3, 0, 3],
    ],
    [
      [-3, 2.5, -3],
      [3, 2.5, -3],
      [3, 2.5, 3],
      [-3, 2.5, 3],
    ],
    [
      [-3, 0, -3],
      [3, 0, -3],
      [3, 2.5, -3],
      [-3, 2.5, -3],
    ],
    [
      [-3, 0, 3],
      [3, 0, 3],
      [3, 2.5, 3],
      [-3, 2.5, 3],
    ],
    wall(0, 1, -3, 3),
    wall(2, 2.5, -3, 3),
    wall(1, 2, -3, -1),
    wall(1, 2, 1, 3),
  );
}

export interface CookedZone extends Cooked {
  /** Of each material the triangles that are drawn with it. */
  readonly triangles: ReadonlyMap<string, readonly Triangle[]>;
  /** The number of triangles of each object that is left. */
  readonly left: Readonly<Record<string, number>>;
}

export function byMaterial(cooked: Cooked): CookedZone {
  const triangles = new Map<string, Triangle[]>();
  for (const triangle of trianglesOf(cooked.scene)) {
    const name = cooked.scene.materials[triangle.material]?.name ?? '';
    triangles.set(name, [...(triangles.get(name) ?? []), triangle]);
  }
  return { ...cooked, triangles, left: Object.fromEntries([...triangles].map(([name, list]) => [name, list.length])) };
}

/** Cooks a glTF scene for the eyes of a zone. */
export async function cookZone(scene: SceneInput, viewerZone: ZoneSettings): Promise<CookedZone> {
  return byMaterial(await cookFiles({ 'scene.glb': buildGlb(scene) }, { viewerZone }));
}
