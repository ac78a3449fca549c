// USD text of skinned stages, for the tests of skeletons.

import type { ImportOptions } from '../../../../src/importers/importer.ts';
import type { BoundPrimitive, PolygonMesh, Scene, SceneCurve } from '../../../../src/scene/types.ts';
import { type Imported, importText as importWith, quad } from '../importText.ts';

/** Imports with skeletons, skins and clips. */
export const importText = (
  body: string,
  metadata?: string,
  files?: Readonly<Record<string, Uint8Array>>,
  options: ImportOptions = {},
): Promise<Imported> => importWith(body, metadata, files, { keepsRigs: true, ...options });

export const at = (x: number, y: number, z: number): string =>
  `((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (${x}, ${y}, ${z}, 1))`;

/** The matrix with this translation as the Scene has it. */
export const moved = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

/** Two joints on top of each other: Hip at (0, 1, 0) and Leg at (0, 3, 0) of the skeleton. */
export const CHAIN = `uniform token[] joints = ["Hip", "Hip/Leg"]
  uniform matrix4d[] bindTransforms = [${at(0, 1, 0)}, ${at(0, 3, 0)}]
  uniform matrix4d[] restTransforms = [${at(0, 1, 0)}, ${at(0, 2, 0)}]`;

export const skeleton = (properties = CHAIN, name = 'S', rest = ''): string =>
  `def Skeleton "${name}" {\n${properties}\n${rest}\n}`;

/** Influences of the four points of a quad. */
export const influences = (joints: string, weights: string, size = 1, interpolation = 'vertex'): string =>
  `int[] primvars:skel:jointIndices = [${joints}] ( elementSize = ${size}; interpolation = "${interpolation}" )
   float[] primvars:skel:jointWeights = [${weights}] ( elementSize = ${size}; interpolation = "${interpolation}" )`;

export const PLAIN = influences('0, 0, 1, 1', '1, 1, 1, 1');

export const BOUND = 'rel skel:skeleton = </R/S>';

/** A SkelRoot R with a skeleton S and a quad m. */
export const rig = (mesh = `${BOUND}\n${PLAIN}`, bones = skeleton(), more = '', root = ''): string =>
  `def SkelRoot "R" {\n${root}\n${bones}\n${quad('m', mesh)}\n${more}\n}`.replaceAll(' }', '\n}');

export function boundAt(scene: Scene, path = '/R/m'): BoundPrimitive | undefined {
  const node = scene.nodes.find((n) => n.path === path && n.mesh >= 0);
  if (!node) throw new Error(`nothing is drawn at ${path}`);
  return scene.meshes[node.mesh].primitives[0].bound;
}

export async function skinningAt(scene: Scene, path = '/R/m'): Promise<NonNullable<PolygonMesh['skinning']>> {
  const skinning = (await boundAt(scene, path)?.read())?.skinning;
  if (!skinning) throw new Error(`${path} is not bound`);
  return skinning;
}

/** The times and values of a curve. */
export const keysOf = (curve: SceneCurve | null | undefined): [number[], number[]] | null =>
  curve ? [[...curve.times], [...curve.values]] : null;
