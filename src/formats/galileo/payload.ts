// One payload as a Galileo mesh: a vertex group for each mesh, in the order of the payload. The engine has +Y up and V up, a
// file +Z up and V down: (x, y, z) becomes (x, -z, y), a rotation, so that triangles and the signs of tangents stay.

import { basename, extname } from 'node:path';
import { diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import { COLOR_SETS } from '../../geometry/mesh/attributes.ts';
import type { Float32Mesh } from '../../geometry/mesh/mesh.ts';
import { countedColors } from '../floatMesh.ts';
import type { DrawnFile, EncodedPayload, FormatCode, PayloadInput } from '../format.ts';
import { bakedMeasures, NAMED_ONLY } from '../wholeOutput.ts';
import { materialNames, materialsExtension } from './materials.ts';
import { readGalileo } from './read.ts';
import { frames, type GalileoStored, UNORM, unormU, unormV } from './storedMesh.ts';
import type { GalileoGroup } from './types.ts';
import { writeGalileo } from './write.ts';

/** Triples or quadruples of the engine in the file's space, or the other way round. */
function turned(values: Float32Array, size: 3 | 4, direction: 1 | -1): Float32Array {
  const out = values.slice();
  for (let at = 0; at < out.length; at += size) {
    const [y, z] = [values[at + 1], values[at + 2]];
    // Less 0 is -0 where 0 was: adding 0 makes it 0.
    out[at + 1] = -direction * z + 0;
    out[at + 2] = direction * y + 0;
  }
  return out;
}

function groupOf(mesh: Float32Mesh): GalileoGroup {
  const { normals, tangents } = frames(mesh);
  const { uv0 } = mesh.attributes;
  return {
    indices: mesh.indices,
    positions: turned(mesh.positions, 3, 1),
    normals: turned(normals, 3, 1),
    tangents: turned(tangents, 4, 1),
    texcoords: uv0 ? [Uint16Array.from(uv0, (value, i) => (i % 2 === 1 ? unormV(value) : unormU(value)))] : [],
    colors: countedColors(mesh),
    joints: [],
    weights: [],
    extensionChannels: 0,
    extensionAttributes: new Uint8Array(0),
    firstExtension: null,
  };
}

function meshOf({ indices, positions, normals, tangents, texcoords, colors }: GalileoGroup): Float32Mesh {
  const [uvs] = texcoords;
  return {
    vertexCount: positions.length / 3,
    positions: turned(positions, 3, -1),
    attributes: {
      normal: turned(normals, 3, -1),
      tangent: turned(tangents, 4, -1),
      ...(uvs && { uv0: Float32Array.from(uvs, (value, i) => (i % 2 === 1 ? 1 - value / UNORM : value / UNORM)) }),
      ...Object.fromEntries(COLOR_SETS.flatMap((semantic, set) => (colors[set] ? [[semantic, colors[set]]] : []))),
    },
    indices,
  };
}

/** What a scene is called: its file without folder and extension, so that equal scenes are equal in every folder. */
export const sceneName = (file: string): string => basename(file, extname(file));

/** Throws UC2420 for each group whose texture coordinates need too many triangles; UC1101 and UC1102. */
export async function encodePayload({ meshes, options }: PayloadInput<GalileoStored>): Promise<EncodedPayload> {
  const { file = '' } = options;
  const faults = meshes.flatMap(({ stored, surface }) => {
    if (stored.tooFar === null) return [];
    const message = `the group of material ${surface.material.name} reaches over too many repeats`;
    return [diagnostic('UC2420', file, stored.tooFar.path, message)];
  });
  if (faults.length > 0) throw new SourceError(faults);
  const names = meshes.map(({ surface }) => surface.material.name);
  const bytes = await writeGalileo({
    groups: meshes.map(({ stored }) => groupOf(stored)),
    extensions: [materialsExtension(names)],
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
