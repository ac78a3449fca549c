// Pieces become one model: geometries of one material and layout are one geometry, whose levels are tile, LODs and HLOD from
// near to far. What a level does not draw with a material is a level without triangles, which the engine passes over
// (Geometry::Draw): so an HLOD with a material of its own takes the place of all geometries before it.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { geometryCentres } from '../model/bounds.ts';
import { ELEMENT_TYPES, elementBits, stride } from '../model/elements.ts';
import { type Bone, type GeometryLevel, type Model, TRIANGLE_LIST, type VertexBuffer } from '../model/layout.ts';
import { vertexColumn } from '../model/vertices.ts';
import { narrowIndices } from '../model/write.ts';
import { Morphs } from './morphs.ts';
import type { Piece, PieceMaterial } from './piece.ts';

export interface JoinedLevel {
  readonly piece: Piece;
  /** Metres from the nearest point of the box, from which on it is shown; 0 for the first. */
  readonly distance: number;
}

export interface JoinedModel {
  readonly model: Model;
  /** One for each geometry. */
  readonly materials: readonly PieceMaterial[];
  /** Half the diagonal of its box. */
  readonly radius: number;
}

/** Bones of the output. */
export interface JoinedBones {
  readonly bones: readonly Bone[];
  /** For each skeleton the number of the bone of its first joint; the others follow. */
  readonly first: readonly number[];
}

export const NO_BONES: JoinedBones = { bones: [], first: [] };

/** With more bones the engine's own importer gives each geometry a list of those that it uses. */
const MAX_GLOBAL_BONES = 64;
/** Sizes of buffers have 32 bits in the engine. */
const MAX_BUFFER_BYTES = 2 ** 32 - 1;
const SHORT_VERTICES = 65535;

/** A mesh of a piece. */
interface JoinedMesh {
  readonly piece: Piece;
  readonly mesh: number;
  readonly level: number;
}

interface Group {
  readonly material: PieceMaterial;
  readonly boneMapping: Uint32Array;
  /** By level. */
  readonly parts: JoinedMesh[][];
}

const bufferOf = ({ piece, mesh }: JoinedMesh): VertexBuffer => piece.model.vertexBuffers[mesh];
const indicesOf = ({ piece, mesh }: JoinedMesh): Uint16Array | Uint32Array => piece.model.indexBuffers[mesh];

function groupsOf(levels: readonly JoinedLevel[], { bones, first }: JoinedBones): Group[] {
  const groups = new Map<string, Group>();
  for (const [level, { piece }] of levels.entries()) {
    for (const [mesh, { material: index, skeleton, joints }] of piece.meshes.entries()) {
      const material = piece.materials[index];
      const part = { piece, mesh, level };
      const layout = bufferOf(part).elements.map(elementBits).join(' ');
      const isMapped = skeleton >= 0 && bones.length > MAX_GLOBAL_BONES;
      const mapping = isMapped ? joints.map((joint) => first[skeleton] + joint) : [];
      const key = JSON.stringify([material, layout, mapping]);
      let group = groups.get(key);
      if (!group) {
        group = { material, boneMapping: Uint32Array.from(mapping), parts: levels.map(() => []) };
        groups.set(key, group);
      }
      group.parts[level].push(part);
    }
  }
  return [...groups.values()];
}

/** The vertices of a part; blend indices as numbers of bones where no mapping says which bone they mean. */
function verticesOf(part: JoinedMesh, { bones, first }: JoinedBones): Uint8Array {
  const { data, elements, vertexCount } = bufferOf(part);
  const { skeleton, joints } = part.piece.meshes[part.mesh];
  if (skeleton < 0 || bones.length > MAX_GLOBAL_BONES) return data;
  const numbered = data.slice();
  const step = stride(elements);
  // They are the last element.
  const at = step - ELEMENT_TYPES.ubyte4.bytes;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    for (let k = 0; k < 4; k++) {
      const place = vertex * step + at + k;
      numbered[place] = first[skeleton] + joints[data[place]];
    }
  }
  return numbered;
}

interface Ended {
  readonly vertices: VertexBuffer;
  readonly indices: Uint16Array | Uint32Array;
}

/** Vertices and indices of several parts after each other. */
class Buffers {
  readonly elements: VertexBuffer['elements'];
  readonly #vertices: Uint8Array[] = [];
  readonly #indices: (Uint16Array | Uint32Array)[] = [];
  readonly #firsts: number[] = [];
  vertexCount = 0;
  indexCount = 0;

  constructor(elements: VertexBuffer['elements']) {
    this.elements = elements;
  }

  /** Returns the number of the first vertex of the part. */
  add(part: JoinedMesh, bones: JoinedBones): number {
    const first = this.vertexCount;
    this.#vertices.push(verticesOf(part, bones));
    this.#indices.push(indicesOf(part));
    this.#firsts.push(first);
    this.vertexCount += bufferOf(part).vertexCount;
    this.indexCount += indicesOf(part).length;
    return first;
  }

  /** `isMorphed`: whether morphs move some of the vertices. */
  end(file: string, max: number, isMorphed: boolean): Ended {
    const { elements, vertexCount, indexCount } = this;
    const bytes = vertexCount * stride(elements);
    if (bytes > max)
      fail('UC2411', file, '', `a vertex buffer would have ${bytes} bytes, of which there may be ${max}`);
    const data = new Uint8Array(bytes);
    const indices = new Uint32Array(indexCount);
    let at = 0;
    let to = 0;
    for (const [i, vertices] of this.#vertices.entries()) {
      data.set(vertices, at);
      at += vertices.length;
      for (const index of this.#indices[i]) indices[to++] = this.#firsts[i] + index;
    }
    const morphCount = isMorphed ? vertexCount : 0;
    const vertices = { vertexCount, elements, morphStart: 0, morphCount, data };
    return { vertices, indices: narrowIndices(indices, vertexCount) };
  }
}

/** Buffers with room for so many vertices more of that layout, so that short indices stay short. */
function roomFor(all: Buffers[], of: Map<string, Buffers>, elements: VertexBuffer['elements'], count: number): Buffers {
  const key = elements.map(elementBits).join(' ');
  const known = of.get(key);
  if (known && known.vertexCount + count <= SHORT_VERTICES) return known;
  const fresh = new Buffers(elements);
  all.push(fresh);
  of.set(key, fresh);
  return fresh;
}

/** Adds the morphs of a part, whose first vertex is `first` of the buffer. */
function addMorphs({ piece, mesh }: JoinedMesh, vertexBuffer: number, first: number, to: Morphs): void {
  for (const { name, buffers } of piece.model.morphs) {
    const own = buffers.find((buffer) => buffer.vertexBuffer === mesh);
    if (!own) continue;
    const vertex = Uint32Array.from(own.deltas.vertex, (number) => first + number);
    to.add(name, vertexBuffer, { ...own.deltas, vertex });
  }
}

/** Minimum and maximum over all vertices, and where skeletons may move them. */
function boxOf(levels: readonly JoinedLevel[]): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  const take = (values: ArrayLike<number>) => {
    for (let i = 0; i < values.length; i++) {
      box[i % 3] = Math.min(box[i % 3], values[i]);
      box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], values[i]);
    }
  };
  for (const { piece } of levels) {
    for (const buffer of piece.model.vertexBuffers) take(vertexColumn(buffer, 'position')!.values);
    for (const { reach } of piece.meshes) if (reach) take(reach);
  }
  return box[0] <= box[3] ? box.map(Math.fround) : [0, 0, 0, 0, 0, 0];
}

/** The least mean side that the engine divides by (M_EPSILON). */
const MIN_SIDE = 1e-6;

/**
 * A distance in metres from the nearest point of a box as models state it: the engine measures to the centre of the box, and
 * divides by the mean of its sides (StaticModel::UpdateBatches, Camera::GetLodDistance).
 */
export function lodDistance(metres: number, box: readonly number[]): number {
  const sides = [0, 1, 2].map((axis) => box[axis + 3] - box[axis]);
  const mean = Math.max((sides[0] + sides[1] + sides[2]) / 3, MIN_SIDE);
  return Math.fround((metres + radiusOf(box)) / mean);
}

const radiusOf = (box: readonly number[]): number => Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2;

/** The centre of a geometry is that of the first level that draws something. */
function centresOf(model: Omit<Model, 'format' | 'centres'>): number[][] {
  const drawn = model.geometries.map((geometry) => ({
    ...geometry,
    levels: geometry.levels.filter(({ indexCount }) => indexCount > 0),
  }));
  return geometryCentres({ ...model, geometries: drawn });
}

/** Joins levels. `file`: for messages. Throws UC2411 where a buffer has more than `max` bytes. */
export function joinModel(
  levels: readonly JoinedLevel[],
  bones: JoinedBones,
  file: string,
  max = MAX_BUFFER_BYTES,
): JoinedModel {
  const groups = groupsOf(levels, bones);
  const all: Buffers[] = [];
  const morphs = new Morphs();
  const drawn = groups.map(() => [] as (GeometryLevel | null)[]);
  for (const level of levels.keys()) {
    const open = new Map<string, Buffers>();
    for (const [i, { parts }] of groups.entries()) {
      const own = parts[level];
      if (own.length === 0) {
        drawn[i].push(null);
        continue;
      }
      const count = own.reduce((sum, part) => sum + bufferOf(part).vertexCount, 0);
      const buffers = roomFor(all, open, bufferOf(own[0]).elements, count);
      const indexStart = buffers.indexCount;
      const number = all.indexOf(buffers);
      for (const part of own) addMorphs(part, number, buffers.add(part, bones), morphs);
      const range = { indexStart, indexCount: buffers.indexCount - indexStart };
      drawn[i].push({ distance: 0, primitive: TRIANGLE_LIST, vertexBuffer: number, indexBuffer: number, ...range });
    }
  }
  const box = boxOf(levels);
  const distances = levels.map(({ distance }, level) => (level === 0 ? 0 : lodDistance(distance, box)));
  const ended = all.map((buffers, i) => buffers.end(file, max, morphs.move(i)));
  const geometries = groups.map(({ boneMapping }, i) => ({ boneMapping, levels: shownLevels(drawn[i], distances) }));
  const parts = {
    vertexBuffers: ended.map(({ vertices }) => vertices),
    indexBuffers: ended.map(({ indices }) => indices),
    geometries,
    morphs: morphs.list(),
    bones: bones.bones,
    box,
  };
  const model: Model = { format: 'UMD2', ...parts, centres: centresOf(parts) };
  return { model, materials: groups.map(({ material }) => material), radius: radiusOf(box) };
}

/** The levels of a geometry with their distances; several in a row without triangles are one. */
function shownLevels(levels: readonly (GeometryLevel | null)[], distances: readonly number[]): GeometryLevel[] {
  const first = levels.find((level) => level !== null) as GeometryLevel;
  const shown: GeometryLevel[] = [];
  for (const [i, level] of levels.entries()) {
    const before = shown.at(-1);
    if (level === null && before?.indexCount === 0) continue;
    const of = level ?? { ...first, indexStart: 0, indexCount: 0 };
    // Two distances that 32 bits cannot tell apart: the farther level is shown.
    if (before && distances[i] <= before.distance) shown.pop();
    shown.push({ ...of, distance: before && distances[i] <= before.distance ? before.distance : distances[i] });
  }
  return shown;
}
