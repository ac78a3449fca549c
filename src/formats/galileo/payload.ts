// One payload as a Galileo mesh: a vertex group for each mesh, in the order of the payload. The engine has +Y up and V up, a
// file +Z up and V down: (x, y, z) becomes (x, -z, y), a rotation, so that triangles and the signs of tangents stay.

import { basename, extname } from 'node:path';
import { diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import { attributesFrom, COLOR_SETS, UV_SETS } from '../../geometry/mesh/attributes.ts';
import { type Float32Mesh, valuesOf } from '../../geometry/mesh/mesh.ts';
import { countedColors } from '../floatMesh.ts';
import type { DrawnFile, EncodedPayload, FormatCode, PayloadInput, PayloadMesh } from '../format.ts';
import { bakedMeasures, NAMED_ONLY } from '../wholeOutput.ts';
import { WEIGHT_SUM } from './layout.ts';
import { materialNames, materialsExtension } from './materials.ts';
import { readGalileo } from './read.ts';
import { namedSkeleton, skeletonsExtension } from './skeletons.ts';
import { frames, type GalileoStored, UNORM, unormU, unormV, unormWeights } from './storedMesh.ts';
import type { GalileoGroup } from './types.ts';
import { writeGalileo } from './write.ts';

/** Triples or quadruples of the engine in the file's space, or the other way round. */
export function turned(values: Float32Array, size: 3 | 4, direction: 1 | -1): Float32Array {
  const out = values.slice();
  for (let at = 0; at < out.length; at += size) {
    const [y, z] = [values[at + 1], values[at + 2]];
    // Less 0 is -0 where 0 was: adding 0 makes it 0.
    out[at + 1] = -direction * z + 0;
    out[at + 2] = direction * y + 0;
  }
  return out;
}

/** A channel of texture coordinates, V down. */
const storedUvs = (uvs: Float32Array): Uint16Array =>
  Uint16Array.from(uvs, (value, i) => (i % 2 === 1 ? unormV(value) : unormU(value)));

/** A channel of texture coordinates as others have it: V up. */
export const readUvs = (uvs: Uint16Array): Float32Array =>
  Float32Array.from(uvs, (value, i) => (i % 2 === 1 ? 1 - value / UNORM : value / UNORM));

/** The channels up to the last set that the mesh has: files number them, so that a set that is missing before another is zeros. */
function texcoordsOf(mesh: Float32Mesh): Uint16Array[] {
  const last = UV_SETS.findLastIndex((set) => mesh.attributes[set] !== undefined);
  return UV_SETS.slice(0, last + 1).map((set) => storedUvs(valuesOf(mesh, set)));
}

/** Whether a skeleton moves the mesh: joints of others have no meaning. */
const isMoved = ({ stored, rig }: PayloadMesh<GalileoStored>): boolean =>
  rig !== undefined && stored.attributes.joints !== undefined && stored.attributes.weights !== undefined;

function groupOf(mesh: PayloadMesh<GalileoStored>): GalileoGroup {
  const { stored } = mesh;
  const { normals, tangents } = frames(stored);
  const { joints, weights } = stored.attributes;
  const influences = isMoved(mesh) && joints && weights ? { joints, weights } : null;
  return {
    indices: stored.indices,
    positions: turned(stored.positions, 3, 1),
    normals: turned(normals, 3, 1),
    tangents: turned(tangents, 4, 1),
    texcoords: texcoordsOf(stored),
    colors: countedColors(stored),
    joints: influences ? [Uint16Array.from(influences.joints)] : [],
    weights: influences ? [unormWeights(influences.weights)] : [],
    extensionChannels: 0,
    extensionAttributes: new Uint8Array(0),
    firstExtension: null,
  };
}

function meshOf({
  indices,
  positions,
  normals,
  tangents,
  texcoords,
  colors,
  joints,
  weights,
}: GalileoGroup): Float32Mesh {
  const values = new Map<string, Float32Array | Uint8Array>([
    ['normal', turned(normals, 3, -1)],
    ['tangent', turned(tangents, 4, -1)],
    ...UV_SETS.slice(0, texcoords.length).map((set, i) => [set, readUvs(texcoords[i])] as const),
    ...COLOR_SETS.slice(0, colors.length).map((set, i) => [set, colors[i]] as const),
  ]);
  if (joints.length > 0) {
    values.set('joints', Float32Array.from(joints[0]));
    values.set(
      'weights',
      Float32Array.from(weights[0], (weight) => weight / WEIGHT_SUM),
    );
  }
  return {
    vertexCount: positions.length / 3,
    positions: turned(positions, 3, -1),
    attributes: attributesFrom((semantic) => values.get(semantic)),
    indices,
  };
}

/** What a scene is called: its file without folder and extension, so that equal scenes are equal in every folder. */
export const sceneName = (file: string): string => basename(file, extname(file));

/** Throws UC2420 for each group whose texture coordinates need too many triangles; UC1101 and UC1102. */
export async function encodePayload(input: PayloadInput<GalileoStored>): Promise<EncodedPayload> {
  const { meshes, options, authored } = input;
  const { file = '' } = options;
  const faults = meshes.flatMap(({ stored, surface }) => {
    if (stored.tooFar === null) return [];
    const message = `the group of material ${surface.material.name} reaches over too many repeats`;
    return [diagnostic('UC2420', file, stored.tooFar.path, message)];
  });
  if (faults.length > 0) throw new SourceError(faults);
  const names = meshes.map(({ surface }) => surface.material.name);
  const skeletonOf = meshes.map((mesh) => (isMoved(mesh) && mesh.rig ? mesh.rig.skeleton : null));
  const skeletons = (authored.skeletons ?? []).map(namedSkeleton);
  const hasJoints = skeletonOf.some((skeleton) => skeleton !== null);
  const bytes = await writeGalileo({
    groups: meshes.map(groupOf),
    extensions: [
      materialsExtension(names, hasJoints ? 1 : null),
      ...(hasJoints ? [skeletonsExtension({ skeletons, groups: skeletonOf })] : []),
    ],
    firstExtension: 0,
    identity: { scene: sceneName(file), mesh: '/' },
  });
  return { file: bytes, ...bakedMeasures(meshes) };
}

export const decodePayload: FormatCode['decode'] = async (file, name) =>
  (await readGalileo(file, name)).groups.map(meshOf);

export async function drawnFile(file: Uint8Array, name: string): Promise<DrawnFile> {
  const read = await readGalileo(file, name);
  const names = materialNames(read) ?? read.groups.map(() => null);
  const materials = [...new Set(names)];
  const meshes = read.groups.map(meshOf).map((mesh, i) => ({
    positions: mesh.positions,
    normals: mesh.attributes.normal,
    uv0: mesh.attributes.uv0 ?? new Float32Array(mesh.vertexCount * 2),
    indices: mesh.indices,
    material: materials.indexOf(names[i]),
  }));
  return { meshes, materials: materials.map(() => NAMED_ONLY) };
}

export const measurePayload: FormatCode['measure'] = async (file, name) => {
  const { groups } = await readGalileo(file, name);
  const vertices = groups.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  return { meshes: groups.length, vertices, textures: [] };
};
