// The geometries of a .mdl file as primitives in engine space. Geometries may share buffers; each takes the vertices that its
// triangles use.

import { flipV, mirrorZ, reverseWinding } from '../../formats/urho3d/axes.ts';
import type { Semantic } from '../../formats/urho3d/model/elements.ts';
import type { Model, Morph } from '../../formats/urho3d/model/layout.ts';
import { type VertexColumn, vertexColumn } from '../../formats/urho3d/model/vertices.ts';
import { boundsOfPoints } from '../../scene/bounds.ts';
import { morphedPolygons } from '../../scene/morphs.ts';
import type {
  Attribute,
  MorphDeltas,
  PolygonMesh,
  PrimitiveMorphs,
  ScenePrimitive,
  SkinWeights,
} from '../../scene/types.ts';
import { areDirections, areTangents } from '../directions.ts';
import { sortedDeltas } from '../morphDeltas.ts';
import { morphNames } from '../morphNames.ts';

/** Names of the texture coordinates in the Scene, by their index in the file. */
export const UV_SETS = ['TEXCOORD_0', 'TEXCOORD_1'] as const;
/** Joints and weights of a vertex. */
const INFLUENCES = 4;
const BYTE = 255;

/** What the triangles of a geometry use of its buffer: the vertices, and the triangles in their numbers. */
interface Used {
  readonly vertices: Uint32Array;
  readonly corners: Uint32Array;
}

const ofVertex = (data: Float32Array, size: number): Attribute => ({
  data,
  size,
  interpolation: 'vertex',
  indices: null,
});

/** Elements of some vertices. */
function taken<T extends VertexColumn['values']>(values: T, size: number, vertices: Uint32Array): T {
  const out = new (values.constructor as new (length: number) => T)(vertices.length * size);
  for (let v = 0; v < vertices.length; v++) {
    for (let k = 0; k < size; k++) out[v * size + k] = values[vertices[v] * size + k];
  }
  return out;
}

/** The deltas of vertices that a geometry uses, in its numbers and in engine space. */
function usedDeltas(deltas: Morph['buffers'][number]['deltas'], numberOf: ReadonlyMap<number, number>): MorphDeltas {
  const { vertex, position, normal } = deltas;
  const rows = Uint32Array.from([...vertex.keys()].filter((row) => numberOf.has(vertex[row])));
  return sortedDeltas({
    vertices: rows.map((row) => numberOf.get(vertex[row]) as number),
    positions: position ? mirrorZ(taken(position, 3, rows)) : new Float32Array(rows.length * 3),
    normals: normal && mirrorZ(taken(normal, 3, rows)),
  });
}

/** What moves a primitive. */
export interface Motion {
  /** By morph the weight with which the vertices are read; missing ones are 0. */
  readonly weights: readonly number[];
  /** Null: no skin. */
  readonly skin: {
    /** Index into Scene.skins. */
    readonly number: number;
    /** By bone its joint. */
    readonly joints: Uint32Array;
  } | null;
}

/** A morph of a geometry. */
interface OwnMorph {
  readonly name: string;
  readonly weight: number;
  readonly deltas: Morph['buffers'][number]['deltas'];
}

export class Geometries {
  readonly #model: Model;
  /** By buffer and element. Reading one passes the whole buffer. */
  readonly #columns = new Map<string, VertexColumn | null>();
  /** By buffer: the pass that numbered a vertex last, and the number it gave. No pass looks at vertices that it does not use. */
  readonly #marks: { readonly pass: Uint32Array; readonly number: Uint32Array }[];
  #passes = 0;

  constructor(model: Model) {
    this.#model = model;
    this.#marks = model.vertexBuffers.map(({ vertexCount }) => ({
      pass: new Uint32Array(vertexCount),
      number: new Uint32Array(vertexCount),
    }));
  }

  #column(buffer: number, semantic: Semantic, index = 0): VertexColumn | null {
    const key = `${buffer} ${semantic} ${index}`;
    const known = this.#columns.get(key);
    if (known !== undefined) return known;
    const column = vertexColumn(this.#model.vertexBuffers[buffer], semantic, index);
    this.#columns.set(key, column);
    return column;
  }

  #level(geometry: number) {
    return this.#model.geometries[geometry].levels[0];
  }

  #used(geometry: number): Used {
    const { vertexBuffer, indexBuffer, indexStart, indexCount } = this.#level(geometry);
    const indices = this.#model.indexBuffers[indexBuffer];
    const { pass, number } = this.#marks[vertexBuffer];
    const own = ++this.#passes;
    const corners = new Uint32Array(indexCount);
    const vertices: number[] = [];
    for (let i = 0; i < indexCount; i++) {
      const vertex = indices[indexStart + i];
      if (pass[vertex] !== own) {
        pass[vertex] = own;
        number[vertex] = vertices.length;
        vertices.push(vertex);
      }
      corners[i] = number[vertex];
    }
    return { vertices: Uint32Array.from(vertices), corners: reverseWinding(corners) };
  }

  #positions(geometry: number, { vertices }: Used): Float32Array {
    const { values } = this.#column(this.#level(geometry).vertexBuffer, 'position') as VertexColumn;
    return mirrorZ(taken(values as Float32Array, 3, vertices));
  }

  /** Whether normals of a geometry point nowhere: they are made anew. */
  hasLostNormals(geometry: number): boolean {
    const normals = this.#column(this.#level(geometry).vertexBuffer, 'normal');
    if (normals?.type !== 'vector3') return false;
    return !areDirections(taken(normals.values as Float32Array, 3, this.#used(geometry).vertices));
  }

  primitive(geometry: number, material: number, motion: Motion | null): ScenePrimitive {
    const used = this.#used(geometry);
    const skin = motion?.skin ?? null;
    const joints = skin && this.#joints(geometry, skin.joints);
    const morphs = motion === null ? [] : this.#morphs(geometry, motion.weights);
    const isChanged = morphs.some(({ weight }) => weight !== 0);
    const points = isChanged ? this.#read(geometry, null, morphs).points : this.#positions(geometry, used);
    return {
      path: `geometries/${geometry}`,
      type: 'geometry',
      vertexCount: used.vertices.length,
      storedVertexCount: used.vertices.length,
      triangleCount: used.corners.length / 3,
      bounds: boundsOfPoints(points),
      material,
      subsets: [],
      read: async () => this.#read(geometry, null, morphs),
      ...(skin && joints
        ? { bound: { skin: skin.number, read: async () => this.#read(geometry, joints, morphs) } }
        : {}),
      ...(morphs.length > 0 ? { morphs: this.#targets(geometry, morphs) } : {}),
    };
  }

  /** The morphs that move vertices of the buffer. */
  #morphs(geometry: number, weights: readonly number[]): readonly OwnMorph[] {
    const { vertexBuffer } = this.#level(geometry);
    const { morphs } = this.#model;
    const names = morphNames(
      morphs.map(({ name }) => name),
      morphs.length,
    );
    return morphs.flatMap(({ buffers }, i) => {
      const found = buffers.find((buffer) => buffer.vertexBuffer === vertexBuffer);
      return found ? [{ name: names[i], weight: weights[i] ?? 0, deltas: found.deltas }] : [];
    });
  }

  #targets(geometry: number, morphs: readonly OwnMorph[]): PrimitiveMorphs {
    return {
      targets: morphs.map(({ name, weight, deltas: { tangent } }) => ({
        name,
        weight,
        ...(tangent ? { lost: ['tangent deltas'] as const } : {}),
      })),
      read: async () => this.#deltas(this.#used(geometry), morphs),
    };
  }

  #deltas({ vertices }: Used, morphs: readonly OwnMorph[]): MorphDeltas[] {
    const numberOf = new Map([...vertices].map((vertex, i) => [vertex, i]));
    return morphs.map(({ deltas }) => usedDeltas(deltas, numberOf));
  }

  /** By blend index its joint; null where nothing moves the geometry. */
  #joints(geometry: number, numberOf: Uint32Array): Uint32Array | null {
    const { vertexBuffer } = this.#level(geometry);
    const hasBlends = this.#column(vertexBuffer, 'blendWeights') && this.#column(vertexBuffer, 'blendIndices');
    if (!hasBlends) return null;
    const { boneMapping } = this.#model.geometries[geometry];
    return boneMapping.length === 0 ? numberOf : Uint32Array.from(boneMapping, (bone) => numberOf[bone]);
  }

  /** With the morphs at their weights. */
  #read(geometry: number, joints: Uint32Array | null, morphs: readonly OwnMorph[]): PolygonMesh {
    const read = this.#still(geometry, joints);
    const shown = morphs.filter(({ weight }) => weight !== 0);
    if (shown.length === 0) return read;
    const deltas = this.#deltas(this.#used(geometry), shown);
    return morphedPolygons(
      read,
      deltas.map((one, i) => ({ ...one, weight: shown[i].weight })),
    );
  }

  #still(geometry: number, joints: Uint32Array | null): PolygonMesh {
    const { vertexBuffer } = this.#level(geometry);
    const used = this.#used(geometry);
    const { vertices, corners } = used;
    const values = (semantic: Semantic, type: VertexColumn['type'], size: number, index = 0) => {
      const column = this.#column(vertexBuffer, semantic, index);
      return column?.type === type ? taken(column.values, size, vertices) : null;
    };
    const normals = values('normal', 'vector3', 3) as Float32Array | null;
    const tangents = values('tangent', 'vector4', 4) as Float32Array | null;
    const colors = values('color', 'ubyte4Norm', 4);
    const uvs = UV_SETS.flatMap((set, i) => {
      const read = values('texcoord', 'vector2', 2, i) as Float32Array | null;
      return read ? [[set, ofVertex(flipV(read), 2)] as const] : [];
    });
    return {
      points: this.#positions(geometry, used),
      faceCounts: null,
      corners,
      holes: null,
      faceSubsets: null,
      leftHanded: false,
      normals: normals && areDirections(normals) ? ofVertex(mirrorZ(normals), 3) : null,
      missingNormals: 'smooth',
      tangents: tangents && areTangents(tangents) ? ofVertex(mirrorZ(tangents, 4), 4) : null,
      uvs: new Map(uvs),
      colors:
        colors &&
        ofVertex(
          Float32Array.from(colors, (value) => value / BYTE),
          4,
        ),
      opacities: null,
      creases: null,
      skinning: joints && this.#weights(vertexBuffer, vertices, joints),
    };
  }

  #weights(buffer: number, vertices: Uint32Array, joints: Uint32Array): SkinWeights {
    const stored = this.#column(buffer, 'blendWeights') as VertexColumn;
    const indices = taken((this.#column(buffer, 'blendIndices') as VertexColumn).values, INFLUENCES, vertices);
    const scale = stored.type === 'ubyte4Norm' ? 1 / BYTE : 1;
    const weights = Float32Array.from(taken(stored.values, INFLUENCES, vertices), (value) =>
      Math.max(0, value * scale),
    );
    return {
      influences: INFLUENCES,
      // The check has refused weights of bones that are not there; without a weight any number may stand there.
      joints: Uint32Array.from(indices, (index) => joints[index] ?? 0),
      weights,
    };
  }
}
