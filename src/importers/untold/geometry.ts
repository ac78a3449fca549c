// Packed vertices as polygons: unpacked when somebody asks.

import { unpackVertices, VERTEX_WORDS, wordsOf } from '../../formats/untold/mesh/vertexWords.ts';
import type { UntoldMesh, UntoldSkin } from '../../formats/untold/types.ts';
import type { Attribute, PolygonMesh } from '../../scene/types.ts';

const WHITE = 0xffffffff;
/** The word of a vertex that holds its colour. */
const COLOR_WORD = VERTEX_WORDS - 1;
/** Joints and weights of each vertex. */
const INFLUENCES = 4;

/** The set that materials of cooked files use. */
export const UV_SET = 'TEXCOORD_0';

const ofVertex = (data: Float32Array, size: number): Attribute => ({
  data,
  size,
  interpolation: 'vertex',
  indices: null,
});

function colorsOf(words: Uint32Array, colors: Uint8Array): Attribute | null {
  for (let at = COLOR_WORD; at < words.length; at += VERTEX_WORDS) {
    if (words[at] !== WHITE)
      return ofVertex(
        Float32Array.from(colors, (value) => value / 255),
        4,
      );
  }
  return null;
}

/** A mesh as it is stored; `skin`: with the joints and weights of its vertices. */
export function polygonsOf({ vertices, indices }: UntoldMesh, skin: UntoldSkin | null): PolygonMesh {
  const words = wordsOf(vertices);
  const { positions, attributes } = unpackVertices(words);
  const { normal, tangent, uv0, color0 } = attributes;
  return {
    points: positions,
    faceCounts: null,
    corners: Uint32Array.from(indices),
    holes: null,
    faceSubsets: null,
    leftHanded: false,
    normals: ofVertex(normal, 3),
    missingNormals: 'smooth',
    tangents: ofVertex(tangent as Float32Array, 4),
    uvs: new Map([[UV_SET, ofVertex(uv0 as Float32Array, 2)]]),
    colors: colorsOf(words, color0 as Uint8Array),
    opacities: null,
    creases: null,
    skinning: skin && { influences: INFLUENCES, joints: skin.indices, weights: skin.weights },
  };
}
