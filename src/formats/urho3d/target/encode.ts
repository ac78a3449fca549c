// Cooked meshes as a piece: vertices in Urho3D's space, layout and order, one geometry for each mesh.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { COLOR_SETS } from '../../../geometry/mesh/attributes.ts';
import type { Float32Mesh } from '../../../geometry/mesh/mesh.ts';
import { boundsOfPoints, unite } from '../../../scene/bounds.ts';
import { channelsOf, factorsOf, fileSlots } from '../../../scene/materialSlots.ts';
import type { Bounds, Vec4 } from '../../../scene/types.ts';
import type { PreparedTexture } from '../../../textures/types.ts';
import { drawnMesh, type FloatMesh } from '../../floatMesh.ts';
import {
  type EncodedPayload,
  entityCount,
  type MeshMaterial,
  type PayloadInput,
  type PayloadMesh,
  slotTexture,
  type WriteOptions,
} from '../../format.ts';
import { flipV, mirrorBox, mirrorZ, reverseWinding } from '../axes.ts';
import { geometryCentres, modelBox } from '../model/bounds.ts';
import { type Geometry, type Model, TRIANGLE_LIST, type VertexBuffer } from '../model/layout.ts';
import { packVertices, type VertexColumn } from '../model/vertices.ts';
import { narrowIndices } from '../model/write.ts';
import { Morphs, morphDeltas } from './morphs.ts';
import { type PieceMaterial, type PieceMesh, writePiece } from './piece.ts';
import { boneOfNode } from './treeBones.ts';

/** Blend indices are bytes. */
const MAX_BONES = 256;

const ORIGIN: Bounds = { min: [0, 0, 0], max: [0, 0, 0] };

function materialOf(surface: MeshMaterial, vertexColors: boolean, textures: readonly PreparedTexture[]): PieceMaterial {
  const { material, tint } = surface;
  const { name, alphaMode, alphaCutoff } = material;
  return {
    name,
    alphaMode,
    alphaCutoff,
    ...factorsOf(material),
    baseColor: material.baseColor.map((value, k) => value * (tint?.[k] ?? 1)) as unknown as Vec4,
    ...channelsOf(material),
    doubleSided: material.doubleSided ?? false,
    vertexColors,
    textures: fileSlots((slot) => slotTexture(surface, slot, textures)?.fileName ?? null),
  };
}

/** The occlusion map takes the unit of emission, where that is free. */
export const drawsOcclusion = ({ textures }: Pick<PieceMaterial, 'textures'>): boolean =>
  textures.occlusion !== null && textures.emissive === null;

/** The joints that move a mesh, ascending, and for each vertex the places of its four in that list. */
function boneIndices(joints: ArrayLike<number>, weights: ArrayLike<number>) {
  const used = new Set<number>();
  for (let i = 0; i < joints.length; i++) if (weights[i] > 0) used.add(joints[i]);
  const mapping = [...used].sort((a, b) => a - b);
  const place = new Map(mapping.map((joint, i) => [joint, i]));
  const indices = new Uint8Array(joints.length);
  for (let i = 0; i < joints.length; i++) indices[i] = weights[i] > 0 ? (place.get(joints[i]) as number) : 0;
  return { mapping, indices };
}

const column = (
  semantic: VertexColumn['semantic'],
  type: VertexColumn['type'],
  values: VertexColumn['values'],
  index = 0,
) => ({ semantic, type, values, index }) satisfies VertexColumn;

/** What of a mesh its vertices depend on. */
interface VertexParts {
  /** The occlusion map reads the second texture coordinates. */
  readonly twice: boolean;
  readonly bones: Uint8Array | null;
  readonly isMorphed: boolean;
}

/** Vertices in the usual order of elements. */
function verticesOf({ positions, attributes }: Float32Mesh, { twice, bones, isMorphed }: VertexParts): VertexBuffer {
  const { normal, tangent, uv0, weights } = attributes;
  const uvs = uv0 && flipV(uv0 as Float32Array);
  const columns = [
    column('position', 'vector3', mirrorZ(positions)),
    column('normal', 'vector3', mirrorZ(normal as Float32Array)),
    ...COLOR_SETS.flatMap((set, i) => {
      const colors = attributes[set];
      return colors ? [column('color', 'ubyte4Norm', colors, i)] : [];
    }),
    ...(uvs ? [column('texcoord', 'vector2', uvs)] : []),
    ...(uvs && twice ? [column('texcoord', 'vector2', uvs, 1)] : []),
    ...(tangent ? [column('tangent', 'vector4', mirrorZ(tangent as Float32Array, 4))] : []),
    ...(bones && weights
      ? [column('blendWeights', 'vector4', weights as Float32Array), column('blendIndices', 'ubyte4', bones)]
      : []),
  ];
  return packVertices(columns, isMorphed);
}

const nameOf = ({ naming, surface }: PayloadMesh<FloatMesh>): string =>
  'tile' in naming ? `${naming.tile}_${naming.mesh ?? surface.material.name}` : naming.entity;

/** All of a mesh follows one bone. */
function following(mesh: Float32Mesh): Float32Mesh {
  const weights = new Float32Array(mesh.vertexCount * 4);
  for (let vertex = 0; vertex < mesh.vertexCount; vertex++) weights[vertex * 4] = 1;
  return { ...mesh, attributes: { ...mesh.attributes, weights } };
}

/** Builds one piece. Throws UC2410 for a mesh with more bones than bytes can count. */
export async function encodePayload(input: PayloadInput<FloatMesh>): Promise<EncodedPayload> {
  const { meshes, textures, options, authored, tree } = input;
  const boneOf = boneOfNode(tree ?? []);
  const treeSkeleton = authored.skeletons?.length ?? 0;
  const materials = new Map<string, { readonly index: number; readonly material: PieceMaterial }>();
  const pieces: PieceMesh[] = [];
  const vertexBuffers: VertexBuffer[] = [];
  const indexBuffers: (Uint16Array | Uint32Array)[] = [];
  const geometries: Geometry[] = [];
  const morphs = new Morphs();
  let bounds: Bounds | null = null;
  for (const mesh of meshes) {
    const { stored, placements = null, rig, surface, node = -1 } = mesh;
    const bone = rig ? undefined : boneOf.get(node);
    const still = await drawnMesh(stored, placements);
    const drawn = bone === undefined ? still : following(still);
    const { joints, weights } = drawn.attributes;
    const moved =
      bone !== undefined
        ? { mapping: [bone], indices: new Uint8Array(drawn.vertexCount * 4) }
        : rig && joints && weights
          ? boneIndices(joints, weights)
          : null;
    if (moved && moved.mapping.length > MAX_BONES) {
      fail('UC2410', options.file ?? '', nameOf(mesh), `${moved.mapping.length} bones move it`);
    }
    const material = materialOf(surface, drawn.attributes.color0 !== undefined, textures);
    const key = JSON.stringify(material);
    const known = materials.get(key) ?? { index: materials.size, material };
    materials.set(key, known);
    const own = rig?.bounds ?? boundsOfPoints(drawn.positions) ?? ORIGIN;
    bounds = unite(bounds, own);
    pieces.push({
      name: nameOf(mesh),
      material: known.index,
      skeleton: moved ? (rig?.skeleton ?? treeSkeleton) : -1,
      joints: moved?.mapping ?? [],
      reach: moved ? mirrorBox([...own.min, ...own.max]) : null,
    });
    const targets = rig?.morphs && stored.points ? morphDeltas(stored.points, rig.morphs) : [];
    for (const { name, deltas } of targets) morphs.add(name, vertexBuffers.length, deltas);
    const vertices = verticesOf(drawn, {
      twice: drawsOcclusion(material),
      bones: moved?.indices ?? null,
      isMorphed: targets.length > 0,
    });
    const level = {
      distance: 0,
      primitive: TRIANGLE_LIST,
      vertexBuffer: vertexBuffers.push(vertices) - 1,
      indexBuffer: indexBuffers.push(narrowIndices(reverseWinding(drawn.indices), drawn.vertexCount)) - 1,
      indexStart: 0,
      indexCount: drawn.indices.length,
    };
    geometries.push({ boneMapping: new Uint32Array(0), levels: [level] });
  }
  const model = pieceModel(vertexBuffers, indexBuffers, geometries, morphs.list());
  const file = writePiece({ materials: [...materials.values()].map((one) => one.material), meshes: pieces, model });
  const arrays = [...vertexBuffers.map(({ data }) => data), ...indexBuffers];
  return {
    file,
    bounds: bounds ?? ORIGIN,
    gpuBytes: arrays.reduce((sum, { byteLength }) => sum + byteLength, 0),
    meshes: meshes.reduce((sum, mesh) => sum + entityCount(mesh), 0),
    vertices: vertexBuffers.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
  };
}

function pieceModel(
  vertexBuffers: Model['vertexBuffers'],
  indexBuffers: Model['indexBuffers'],
  geometries: Model['geometries'],
  morphs: Model['morphs'],
): Model {
  const drawn = { vertexBuffers, indexBuffers, geometries };
  // The bones are those of the output, which a piece does not have: blend indices are checked when it is joined.
  return { format: 'UMD2', ...drawn, morphs, bones: [], box: modelBox(drawn), centres: geometryCentres(drawn) };
}

/** A piece that draws nothing. */
export async function encodeBlank(_name: string, _options: WriteOptions): Promise<EncodedPayload> {
  const file = writePiece({ materials: [], meshes: [], model: pieceModel([], [], [], []) });
  return { file, bounds: ORIGIN, gpuBytes: 0, meshes: 0, vertices: 0 };
}
