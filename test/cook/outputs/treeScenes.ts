// A house with a door and a car, as glTF: pivots, scales, mirrors, shears, empty nodes; and what our own importers read of a file.

import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { diskFiles } from '../../../src/importers/files.ts';
import { importSource } from '../../../src/importers/index.ts';
import { determinant3, transformPoint } from '../../../src/scene/matrix.ts';
import type { Mat4, Scene, Vec3 } from '../../../src/scene/types.ts';
import { turn } from '../../animation/arithmetic.ts';
import type { SceneInput } from '../../importers/gltf/build.ts';

/** A box from one corner to another, in the space of its mesh, with the normals of its sides. */
export function box(min: readonly number[], max: readonly number[]) {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [0, 1]) {
      const first = positions.length / 3;
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      for (const [a, b] of [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]) {
        const point = [0, 0, 0];
        point[axis] = side ? max[axis] : min[axis];
        point[u] = a ? max[u] : min[u];
        point[v] = b ? max[v] : min[v];
        positions.push(...point);
        normals.push(...[0, 1, 2].map((k) => (k === axis ? (side ? 1 : -1) : 0)));
      }
      indices.push(...(side ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]).map((i) => first + i));
    }
  }
  return { positions, normals, indices };
}

/** Nodes by name with the pivots that they have in engine space. */
export const PIVOTS: Readonly<Record<string, readonly number[]>> = {
  House: [10, 0, 0],
  Door: [11, 0, 2],
  Spawn: [10, 0, 5],
  Car: [-4, 0.5, 1],
  WheelFrontLeft: [-3, 0.5, 2],
  WheelFrontRight: [-3, 0.5, 0],
  WheelBackLeft: [-5, 0.5, 2],
  WheelBackRight: [-5, 0.5, 0],
  Mirror: [-4, 1.5, 2],
};

/** Nodes and their parents. */
export const PARENTS: Readonly<Record<string, string>> = {
  Door: 'House',
  Spawn: 'House',
  WheelFrontLeft: 'Car',
  WheelFrontRight: 'Car',
  WheelBackLeft: 'Car',
  WheelBackRight: 'Car',
  Mirror: 'Car',
};

const wheel = (name: string, x: number, z: number) => ({
  name,
  mesh: 2,
  translation: [x, 0, z],
  scale: [0.5, 0.5, 0.25],
});

/** Extras of the file and of two of its nodes. */
export const TOWN: SceneInput = {
  materials: [{ name: 'Wood' }, { name: 'Steel', pbrMetallicRoughness: { baseColorFactor: [0.2, 0.3, 0.4, 1] } }],
  meshes: [
    { name: 'Wall', primitives: [{ ...box([-2, 0, -2], [2, 3, 2]), material: 0 }] },
    {
      name: 'Leaf',
      primitives: [
        { ...box([0, 0, 0], [1, 2, 0.1]), material: 0 },
        { ...box([0.8, 1, -0.1], [0.9, 1.1, 0.2]), material: 1 },
      ],
    },
    { name: 'Wheel', primitives: [{ ...box([-1, -1, -1], [1, 1, 1]), material: 1 }] },
    { name: 'Body', primitives: [{ ...box([-2, 0, -1], [2, 1, 1]), material: 1 }] },
    { name: 'Glass', primitives: [{ ...box([0, 0, 0], [0.3, 0.2, 0.1]), material: 1 }] },
  ],
  nodes: [
    { name: 'House', mesh: 0, translation: [10, 0, 0], children: [1, 2] },
    { name: 'Door', mesh: 1, translation: [1, 0, 2], rotation: turn([0, 1, 0], 30) },
    { name: 'Spawn', translation: [0, 0, 5] },
    { name: 'Car', translation: [-4, 0.5, 1], children: [4, 5, 6, 7, 8, 9] },
    { name: 'Body', mesh: 3, rotation: turn([0, 1, 0], 0) },
    wheel('WheelFrontLeft', 1, 1),
    wheel('WheelFrontRight', 1, -1),
    wheel('WheelBackLeft', -1, 1),
    wheel('WheelBackRight', -1, -1),
    // Mirrored, and below it a node that the scale shears.
    { name: 'Mirror', mesh: 4, translation: [0, 1, 1], scale: [-1, 1, 1], children: [10] },
    { translation: [0, 0.2, 0], scale: [1, 3, 1], children: [11] },
    { name: 'Sheared', mesh: 4, rotation: turn([0, 0, 1], 40) },
  ],
};

export async function readScene(path: string, keepsRigs = false): Promise<Scene> {
  const context = { files: diskFiles(null), diagnostics: new Diagnostics(), options: { keepsRigs } };
  return importSource(path, path, context);
}

/** The pivot of each node with a name, and the name of the nearest node above it that has another: the place of a model in a pack is called as its root. */
export function namedNodes({ nodes }: Scene): Map<string, { pivot: number[]; parent: string | undefined }> {
  const nameAbove = (node: number, own: string): string | undefined => {
    if (node < 0) return undefined;
    const { name, parent } = nodes[node];
    return name !== '' && name !== own ? name : nameAbove(parent, own);
  };
  return new Map(
    nodes.map(({ name, world, parent }) => [
      name,
      { pivot: [...world.subarray(12, 15)], parent: nameAbove(parent, name) },
    ]),
  );
}

/** The world matrix of each node as the product of local ones is its own. */
export function worldError({ nodes }: Scene): number {
  let worst = 0;
  for (const { parent, local, world } of nodes) {
    if (parent < 0) continue;
    const above = nodes[parent].world;
    for (let c = 0; c < 4; c++) {
      for (let r = 0; r < 3; r++) {
        let value = c === 3 ? above[12 + r] : 0;
        for (let k = 0; k < 3; k++) value += above[k * 4 + r] * local[c * 4 + k];
        worst = Math.max(worst, Math.abs(value - world[c * 4 + r]));
      }
    }
  }
  return worst;
}

/** All triangles in engine space, front sides counter-clockwise, each from its least corner on, in an order of their own. */
export async function drawn({ nodes, meshes }: Scene): Promise<number[][]> {
  const all: number[][] = [];
  for (const { mesh, world } of nodes) {
    if (mesh < 0) continue;
    for (const primitive of meshes[mesh].primitives) {
      const { points, corners, leftHanded } = await primitive.read();
      const turns = leftHanded !== determinant3(world) < 0;
      for (let c = 0; c < corners.length; c += 3) {
        const order = turns ? [c, c + 2, c + 1] : [c, c + 1, c + 2];
        all.push(triangle(order.map((at) => pointAt(points, corners[at], world))));
      }
    }
  }
  const key = (row: number[]) => row.map((value) => value.toFixed(3)).join(' ');
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function pointAt(points: ArrayLike<number>, vertex: number, world: Mat4): Vec3 {
  return transformPoint(world, [points[vertex * 3], points[vertex * 3 + 1], points[vertex * 3 + 2]]);
}

function triangle(corners: readonly Vec3[]): number[] {
  const keys = corners.map((corner) => corner.map((value) => (Math.round(value * 1e3) / 1e3 + 0).toFixed(3)).join(' '));
  const first = keys.indexOf([...keys].sort()[0]);
  return [0, 1, 2].flatMap((k) => [...corners[(first + k) % 3]]);
}

/** How far the corners of two lists of triangles are apart at most, in metres. */
export function apart(a: readonly number[][], b: readonly number[][]): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((max, row, i) => Math.max(max, ...row.map((value, k) => Math.abs(value - b[i][k]))), 0);
}
