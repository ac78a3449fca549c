// The attributes that a vertex has in addition to its position, and what verbs do with them. Verbs that change meshes loop
// over the table: where a PolygonMesh has the values, and how they are subdivided, cut, placed, simplified, shaded and named.
// Another attribute needs a field of PolygonMesh that importers fill, and its place in the formats that store it.

import type { Attribute, PolygonMesh } from '../../scene/types.ts';

/** Fields of PolygonMesh with values of faces, vertices or corners; UV sets, which have names, stand apart. */
export type PolygonField = {
  [F in keyof PolygonMesh]-?: Attribute extends NonNullable<PolygonMesh[F]> ? F : never;
}[keyof PolygonMesh];

/** Colours that are packed to four bytes, with the opacities multiplied into their alpha. */
export interface ColorSource {
  readonly from: 'colors';
  readonly colors: PolygonField;
  readonly opacities: PolygonField | null;
  /** Whether materials draw them: then the cook may put them into a tint or a palette instead. */
  readonly isDrawn: boolean;
}

/**
 * Where a PolygonMesh has an attribute. 'field': in one of its fields, as it is. 'uvs': the set that the material chooses.
 * 'otherUvs': the set of this number, from 1 on: in glTF, of materials that are written as they are; otherwise of the sets that
 * the material does not choose, in the order of the mesh.
 * 'skinning': the joints or weights of its vertices. 'pointNumbers': the numbers by which morph targets list its points.
 */
export type AttributeSource =
  | { readonly from: 'field'; readonly field: 'normals' | 'tangents' }
  | { readonly from: 'uvs' }
  | { readonly from: 'otherUvs'; readonly number: number }
  | ColorSource
  | { readonly from: 'skinning'; readonly field: 'joints' | 'weights' }
  | { readonly from: 'pointNumbers' };

export interface AttributeKind {
  /** How many numbers each vertex has. */
  readonly components: number;
  readonly array: Float32ArrayConstructor | Uint8ArrayConstructor;
  readonly source: AttributeSource;
  /** Of polygons that are subdivided: 'refined' with them; 'whereFlat': kept by a bilinear mesh, whose shape stays; null: left out. */
  readonly subdivide: 'refined' | 'whereFlat' | null;
  /** The value of every vertex in a mesh without the attribute; 'acrossNormal': a unit vector across the vertex's normal. */
  readonly fallback: readonly number[] | 'acrossNormal';
  /**
   * Where a cut makes a vertex between two others. 'linear': each number is interpolated. 'direction': the first three are
   * interpolated and made unit length; the others are those of the nearer end. 'nearest': all are.
   */
  readonly cut: 'linear' | 'direction' | 'nearest';
  /** How a world matrix changes it. 'normal': by the inverse transpose. 'tangent': by the matrix, with its handedness. Null: it stays. */
  readonly transform: 'normal' | 'tangent' | null;
  /** How simplification counts differences as errors; null: it does not. */
  readonly simplify: SimplifyRule | null;
  /**
   * What the new shading of a level does with it. 'turned': vertices get another. 'seen' and 'seenTextured': a corner takes
   * another vertex at its position only if these agree, the latter where UVs reach a texture. Null: it is not looked at.
   */
  readonly shading: 'turned' | 'seen' | 'seenTextured' | null;
  /** As glTF 2.0 (3.7.2.1) names it; null: no file holds it. */
  readonly gltf: string | null;
}

export interface SimplifyRule {
  /** How many components count, from the first on. */
  readonly components: number;
  /**
   * 'turn': a difference of 1 counts as the limit. 'slide': a difference is one on the texture, counted in metres of
   * surface; a vertex with several values is a seam, whose sides stay together.
   */
  readonly measure: 'turn' | 'slide';
  /** A value is divided by this first. */
  readonly unit: number;
  /** Whether it is left out of meshes whose vertices all have the same value. */
  readonly optional: boolean;
}

/** The numbers of sets beyond the first: MAX_SETS in all. */
const MORE = [1, 2, 3, 4, 5, 6, 7] as const;
type More = (typeof MORE)[number];

/** A set of texture coordinates that no texture of the material is sampled with. V up. */
const otherUvs = (number: More) =>
  ({
    components: 2,
    array: Float32Array,
    source: { from: 'otherUvs', number },
    subdivide: 'refined',
    fallback: [0, 0],
    cut: 'linear',
    transform: null,
    simplify: null,
    shading: null,
    gltf: `TEXCOORD_${number}`,
  }) as const satisfies AttributeKind;

/** A set of colours that materials do not draw. */
const moreColors = (number: More) =>
  ({
    components: 4,
    array: Uint8Array,
    source: { from: 'colors', colors: `colors${number}`, opacities: null, isDrawn: false },
    subdivide: 'refined',
    fallback: [255, 255, 255, 255],
    cut: 'linear',
    transform: null,
    simplify: null,
    shading: null,
    gltf: `COLOR_${number}`,
  }) as const satisfies AttributeKind;

const OTHER_UVS = Object.fromEntries(MORE.map((number) => [`uv${number}`, otherUvs(number)])) as {
  readonly [S in `uv${More}`]: ReturnType<typeof otherUvs>;
};
const MORE_COLORS = Object.fromEntries(MORE.map((number) => [`color${number}`, moreColors(number)])) as {
  readonly [S in `color${More}`]: ReturnType<typeof moreColors>;
};

/** `fallback` follows glTF 2.0, 3.7.2.1, and what formats store for a missing one. */
export const ATTRIBUTES = {
  normal: {
    components: 3,
    array: Float32Array,
    source: { from: 'field', field: 'normals' },
    subdivide: 'whereFlat',
    fallback: [0, 0, 1],
    cut: 'direction',
    transform: 'normal',
    simplify: { components: 3, measure: 'turn', unit: 1, optional: false },
    shading: 'turned',
    gltf: 'NORMAL',
  },
  /** Unit tangent, and +1 or -1: bitangent = cross(normal, tangent) * w. */
  tangent: {
    components: 4,
    array: Float32Array,
    source: { from: 'field', field: 'tangents' },
    subdivide: null,
    fallback: 'acrossNormal',
    cut: 'direction',
    transform: 'tangent',
    simplify: null,
    shading: 'turned',
    gltf: 'TANGENT',
  },
  /** V up. */
  uv0: {
    components: 2,
    array: Float32Array,
    source: { from: 'uvs' },
    subdivide: 'refined',
    fallback: [0, 0],
    cut: 'linear',
    transform: null,
    simplify: { components: 2, measure: 'slide', unit: 1, optional: false },
    shading: 'seenTextured',
    gltf: 'TEXCOORD_0',
  },
  ...OTHER_UVS,
  /** Linear rgba, 255 is 1. */
  color0: {
    components: 4,
    array: Uint8Array,
    source: { from: 'colors', colors: 'colors', opacities: 'opacities', isDrawn: true },
    subdivide: 'refined',
    fallback: [255, 255, 255, 255],
    cut: 'linear',
    transform: null,
    simplify: { components: 3, measure: 'turn', unit: 255, optional: true },
    shading: 'seen',
    gltf: 'COLOR_0',
  },
  ...MORE_COLORS,
  /** Numbers of joints in the skeleton that the mesh follows; those whose weight is 0 are 0. */
  joints: {
    components: 4,
    array: Float32Array,
    source: { from: 'skinning', field: 'joints' },
    subdivide: null,
    fallback: [0, 0, 0, 0],
    cut: 'nearest',
    transform: null,
    simplify: null,
    shading: null,
    gltf: 'JOINTS_0',
  },
  /** Of the joints, the largest first; they add up to 1, or are all 0 in a mesh that follows no skeleton. */
  weights: {
    components: 4,
    array: Float32Array,
    source: { from: 'skinning', field: 'weights' },
    subdivide: null,
    fallback: [0, 0, 0, 0],
    cut: 'nearest',
    transform: null,
    simplify: null,
    shading: null,
    gltf: 'WEIGHTS_0',
  },
  /**
   * The number by which morph targets list the vertex's point, as the four bytes of a word; 0: none moves it. Vertices that
   * differ in it are never joined, so that each can get the deltas of its point.
   */
  point: {
    components: 4,
    array: Uint8Array,
    source: { from: 'pointNumbers' },
    subdivide: null,
    fallback: [0, 0, 0, 0],
    cut: 'nearest',
    transform: null,
    simplify: null,
    shading: null,
    gltf: null,
  },
} as const satisfies Record<string, AttributeKind>;

export type Semantic = keyof typeof ATTRIBUTES;
export type AttributeArray = Float32Array | Uint8Array;

/** Components times vertexCount numbers for each attribute that the mesh has; normals are in every mesh. */
export type Attributes = { readonly [S in Exclude<Semantic, 'normal'>]?: ArrayOf<S> } & {
  readonly normal: Float32Array;
};
type ArrayOf<S extends Semantic> = (typeof ATTRIBUTES)[S]['array'] extends Uint8ArrayConstructor
  ? Uint8Array
  : Float32Array;

/** In the order of the table: what an attribute's fallback depends on comes before it. */
export const SEMANTICS = Object.keys(ATTRIBUTES) as readonly Semantic[];

export const kindOf = (semantic: Semantic): AttributeKind => ATTRIBUTES[semantic];

export type ColorSemantic = {
  [S in Semantic]: (typeof ATTRIBUTES)[S]['source']['from'] extends 'colors' ? S : never;
}[Semantic];

/** The sets of vertex colours, the first one first. */
export const COLOR_SETS = SEMANTICS.filter(
  (semantic): semantic is ColorSemantic => kindOf(semantic).source.from === 'colors',
);

export type UvSemantic = {
  [S in Semantic]: (typeof ATTRIBUTES)[S]['source']['from'] extends 'uvs' | 'otherUvs' ? S : never;
}[Semantic];

export const isUvs = (semantic: Semantic): semantic is UvSemantic =>
  ['uvs', 'otherUvs'].includes(kindOf(semantic).source.from);

/** The sets of texture coordinates by their numbers: first the one that the material chooses, if it chooses one. */
export const UV_SETS = SEMANTICS.filter(isUvs);

/** Fields of PolygonMesh with colours or opacities. */
export type ColorField = {
  [S in ColorSemantic]:
    | (typeof ATTRIBUTES)[S]['source']['colors']
    | NonNullable<(typeof ATTRIBUTES)[S]['source']['opacities']>;
}[ColorSemantic];

/** The fields of PolygonMesh that an attribute is read from. */
export function polygonFields(semantic: Semantic): readonly PolygonField[] {
  const { source } = kindOf(semantic);
  if (source.from === 'field') return [source.field];
  if (source.from !== 'colors') return [];
  return source.opacities === null ? [source.colors] : [source.colors, source.opacities];
}

export const COLOR_FIELDS = COLOR_SETS.flatMap(polygonFields) as readonly ColorField[];

/** The colours and opacities of a mesh, as `make` gives them for each field. */
export function colorFields(make: (field: ColorField) => Attribute | null): Pick<PolygonMesh, ColorField> {
  const made: Partial<Record<ColorField, Attribute | null>> = {};
  for (const field of COLOR_FIELDS) made[field] = make(field);
  return made as Pick<PolygonMesh, ColorField>;
}

/** The attributes that `make` gives an array for; it is asked in the order of the table. */
export function attributesFrom(
  make: (semantic: Semantic, kind: AttributeKind, made: Partial<Attributes>) => AttributeArray | undefined,
): Attributes {
  const made: Partial<Record<Semantic, AttributeArray>> = {};
  for (const semantic of SEMANTICS) {
    const values = make(semantic, kindOf(semantic), made as Partial<Attributes>);
    if (values !== undefined) made[semantic] = values;
  }
  return made as Attributes;
}

/** Attributes with each array replaced by what `change` makes of it. */
export function mapAttributes(
  attributes: Attributes,
  change: (values: AttributeArray, kind: AttributeKind, semantic: Semantic) => AttributeArray,
): Attributes {
  return attributesFrom((semantic, kind) => {
    const values = attributes[semantic];
    return values && change(values, kind, semantic);
  });
}

/** Writes the fallback of an attribute to vertices `first` to `first + count` of `out`, which have the given normals. */
export function fillFallback(
  { fallback, components }: AttributeKind,
  normals: Float32Array,
  out: AttributeArray,
  first: number,
  count: number,
): void {
  for (let v = first; v < first + count; v++) {
    if (fallback === 'acrossNormal') acrossNormal(normals, v * 3, out, v * components);
    else for (let k = 0; k < components; k++) out[v * components + k] = fallback[k];
  }
}

/** A normal counts as parallel to X if the absolute cosine of their angle exceeds this … */
const PARALLEL = 0.999999;
/** … and its squared sine is less than this. The cosine alone would not do: normals of ten bits may be longer than 1. */
const PARALLEL_SINE = 3e-6;

/** The default tangent, +X with sign +1; +Y where the normal at `normals[from]` is +X or -X. Writes four numbers at `out[at]`. */
export function acrossNormal(normals: Float32Array, from: number, out: AttributeArray, at: number): void {
  const y = normals[from + 1];
  const z = normals[from + 2];
  const parallel = Math.abs(normals[from]) > PARALLEL && y * y + z * z < PARALLEL_SINE;
  out[at] = parallel ? 0 : 1;
  out[at + 1] = parallel ? 1 : 0;
  out[at + 2] = 0;
  out[at + 3] = 1;
}
