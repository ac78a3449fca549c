// Models of Urho3D for tests of the importer, made of values by the writer of the format.

import type { Animation } from '../../../src/formats/urho3d/animation/layout.ts';
import type { Bone, Model } from '../../../src/formats/urho3d/model/layout.ts';
import { packVertices, type VertexColumn } from '../../../src/formats/urho3d/model/vertices.ts';
import { writeModel } from '../../../src/formats/urho3d/model/write.ts';

const column = (
  semantic: VertexColumn['semantic'],
  type: VertexColumn['type'],
  values: VertexColumn['values'],
): VertexColumn => ({ semantic, type, index: 0, values });

const f32 = (...values: number[]) => Float32Array.from(values);

export interface ModelOptions {
  /** Three numbers a vertex, in the file's space. */
  readonly positions?: Float32Array;
  readonly normals?: Float32Array;
  readonly more?: readonly VertexColumn[];
  readonly indices?: Uint16Array;
  /** First index and number of indices of each geometry, and its bone mapping. */
  readonly geometries?: readonly { readonly range: readonly [number, number]; readonly mapping?: readonly number[] }[];
  readonly primitive?: number;
  readonly levels?: number;
  readonly bones?: readonly Bone[];
  readonly morphs?: Model['morphs'];
}

const SQUARE = f32(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0);
const UP = f32(0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1);

export function modelOf(options: ModelOptions = {}): Model {
  const { positions = SQUARE, normals = UP, more = [], bones = [], morphs = [], levels = 1, primitive = 0 } = options;
  const indices = options.indices ?? Uint16Array.of(0, 2, 1, 0, 3, 2);
  const geometries = options.geometries ?? [{ range: [0, indices.length] }];
  const columns = [column('position', 'vector3', positions), column('normal', 'vector3', normals), ...more];
  const at = (k: number) => positions.filter((_, i) => i % 3 === k);
  return {
    format: 'UMD2',
    vertexBuffers: [packVertices(columns, morphs.length > 0)],
    indexBuffers: [indices],
    geometries: geometries.map(({ range: [indexStart, indexCount], mapping = [] }) => ({
      boneMapping: Uint32Array.from(mapping),
      levels: Array.from({ length: levels }, (_, level) => ({
        distance: level * 10,
        primitive,
        vertexBuffer: 0,
        indexBuffer: 0,
        indexStart,
        indexCount,
      })),
    })),
    morphs,
    bones,
    box: [...[0, 1, 2].map((k) => Math.min(...at(k))), ...[0, 1, 2].map((k) => Math.max(...at(k)))],
    centres: geometries.map(() => [0.5, 0.5, 0]),
  };
}

export const mdl = (options: ModelOptions = {}): Uint8Array => writeModel(modelOf(options));

export const bone = (name: string, parent: number, change: Partial<Bone> = {}): Bone => ({
  name,
  parent,
  position: [0, 0, 0],
  rotation: [1, 0, 0, 0],
  scale: [1, 1, 1],
  offset: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
  collision: 0,
  radius: null,
  box: null,
  ...change,
});

/** A quarter turn of a strip: four vertices at each of three heights, with two blends a vertex through a mapping. */
export function limb(): ModelOptions & { readonly bones: readonly Bone[] } {
  const positions: number[] = [];
  const normals: number[] = [];
  const weights: number[] = [];
  const blends: number[] = [];
  for (let row = 0; row < 3; row++) {
    for (const [x, z] of [
      [-0.2, -0.1],
      [0.2, -0.1],
      [0.2, 0.3],
      [-0.2, 0.3],
    ]) {
      positions.push(x, row, z);
      normals.push(Math.sign(x) * Math.SQRT1_2, 0, Math.sign(z) * Math.SQRT1_2);
      const share = [1, 0.5, 0.25][row];
      weights.push(share, 1 - share, 0, 0);
      blends.push(0, 1, 0, 0);
    }
  }
  const indices: number[] = [];
  for (let row = 0; row < 2; row++) {
    for (let side = 0; side < 4; side++) {
      const [a, b] = [row * 4 + side, row * 4 + ((side + 1) % 4)];
      indices.push(a, a + 4, b + 4, a, b + 4, b);
    }
  }
  // The child stands before its parent, and the mapping turns their order around once more.
  const bones = [
    bone('Fore', 1, { position: [0, 1, 0], rotation: [0.9659258, 0, 0, 0.258819], offset: foreOffset() }),
    bone('Arm', 1, { position: [0, 0, 0.1], offset: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -0.1] }),
  ];
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint16Array.from(indices),
    geometries: [
      { range: [0, 24], mapping: [1, 0] },
      { range: [24, 24], mapping: [1, 0] },
    ],
    more: [
      { semantic: 'texcoord', type: 'vector2', index: 0, values: new Float32Array((positions.length / 3) * 2) },
      { semantic: 'blendWeights', type: 'vector4', index: 0, values: Float32Array.from(weights) },
      { semantic: 'blendIndices', type: 'ubyte4', index: 0, values: Uint8Array.from(blends) },
    ],
    bones,
  };
}

/** The inverse of where the second bone stands: 30 degrees about Z at (0, 1, 0.1). */
function foreOffset(): number[] {
  const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
  return [c, s, 0, -s, -s, c, 0, -c, 0, 0, 1, -0.1];
}

/** Both bones turn about axes of their own, and the first moves. */
export function wave(): Animation {
  const turn = (axis: readonly number[], degrees: number) => {
    const half = (degrees * Math.PI) / 360;
    const n = Math.hypot(...axis);
    return [Math.cos(half), ...axis.map((value) => (value / n) * Math.sin(half))];
  };
  return {
    name: 'Wave',
    length: 2,
    tracks: [
      {
        bone: 'Fore',
        keys: {
          time: f32(0, 1, 2),
          position: null,
          rotation: f32(...turn([0, 0, 1], 30), ...turn([1, 0.5, 0], 70), ...turn([0, 1, 1], 120)),
          scale: null,
        },
      },
      {
        bone: 'Arm',
        keys: {
          time: f32(0, 2),
          position: f32(0, 0, 0.1, 0.5, 0.25, -0.5),
          rotation: f32(...turn([0, 1, 0], 0), ...turn([1, 1, 0.2], 45)),
          scale: null,
        },
      },
    ],
  };
}
