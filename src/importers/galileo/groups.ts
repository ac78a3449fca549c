// A vertex group as a primitive in engine space. Its arrays are made when somebody asks.

import { WEIGHT_SUM } from '../../formats/galileo/layout.ts';
import { readUvs, turned } from '../../formats/galileo/payload.ts';
import type { GalileoGroup } from '../../formats/galileo/types.ts';
import { boundsOfPoints } from '../../scene/bounds.ts';
import {
  type Attribute,
  MAX_SETS,
  type MoreColors,
  type PolygonMesh,
  type ScenePrimitive,
  type SkinWeights,
} from '../../scene/types.ts';

/** Joints and weights of a vertex in one channel. */
const INFLUENCES = 4;
const BYTE = 255;

const ofVertex = (data: Float32Array, size: number): Attribute => ({
  data,
  size,
  interpolation: 'vertex',
  indices: null,
});

/** `skin`: of what moves it; null: nothing does. `tooMany`: is told of channels for which a Scene has no place. */
export function groupPrimitive(
  group: GalileoGroup,
  number: number,
  material: number,
  skin: number | null,
  tooMany: (message: string) => void,
): ScenePrimitive {
  const { texcoords, colors, positions, indices } = group;
  for (const [channels, what] of [
    [texcoords, 'texture coordinates'],
    [colors, 'colours'],
  ] as const) {
    if (channels.length > MAX_SETS) tooMany(`${channels.length} channels of ${what}: ${MAX_SETS} are read`);
  }
  return {
    path: `groups/${number}`,
    type: 'group',
    vertexCount: positions.length / 3,
    storedVertexCount: positions.length / 3,
    triangleCount: indices.length / 3,
    bounds: boundsOfPoints(turned(positions, 3, -1)),
    material,
    subsets: [],
    read: async () => polygonsOf(group),
    undrawnSets: () => ({ uvs: Math.max(0, texcoords.length - 1), colors: Math.max(0, colors.length - 1) }),
    ...(skin === null
      ? {}
      : { bound: { skin, read: async () => ({ ...polygonsOf(group), skinning: skinningOf(group) }) } }),
  };
}

function polygonsOf({ positions, indices, normals, tangents, texcoords, colors }: GalileoGroup): PolygonMesh {
  const [first = null, ...others] = colors.slice(0, MAX_SETS).map((channel) =>
    ofVertex(
      Float32Array.from(channel, (value) => value / BYTE),
      4,
    ),
  );
  const more: MoreColors = Object.fromEntries(others.map((set, i) => [`colors${i + 1}`, set]));
  return {
    points: turned(positions, 3, -1),
    faceCounts: null,
    corners: Uint32Array.from(indices),
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: ofVertex(turned(normals, 3, -1), 3),
    missingNormals: 'smooth',
    tangents: ofVertex(turned(tangents, 4, -1), 4),
    uvs: new Map(texcoords.slice(0, MAX_SETS).map((channel, i) => [`TEXCOORD_${i}`, ofVertex(readUvs(channel), 2)])),
    colors: first,
    ...more,
    opacities: null,
    creases: null,
  };
}

/** The influences of all channels of a vertex, one channel after the other. */
function skinningOf({ joints, weights, positions }: GalileoGroup): SkinWeights {
  const influences = joints.length * INFLUENCES;
  const vertices = positions.length / 3;
  const allJoints = new Uint16Array(vertices * influences);
  const allWeights = new Float32Array(vertices * influences);
  for (const [channel, numbers] of joints.entries()) {
    for (let v = 0; v < vertices; v++) {
      for (let k = 0; k < INFLUENCES; k++) {
        const weight = weights[channel][v * INFLUENCES + k];
        if (weight === 0) continue;
        const to = v * influences + channel * INFLUENCES + k;
        allJoints[to] = numbers[v * INFLUENCES + k];
        allWeights[to] = weight / WEIGHT_SUM;
      }
    }
  }
  return { influences, joints: allJoints, weights: allWeights };
}
