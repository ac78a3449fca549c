// What a vertex of a .mdl file can hold, as tables: types and semantics of elements (Urho3D, GraphicsDefs) and the bits of
// the mask that older files have instead.

/** Types by their number in a file. */
export const ELEMENT_TYPES = {
  int: { number: 0, bytes: 4, components: 1, scalar: 'u32' },
  float: { number: 1, bytes: 4, components: 1, scalar: 'f32' },
  vector2: { number: 2, bytes: 8, components: 2, scalar: 'f32' },
  vector3: { number: 3, bytes: 12, components: 3, scalar: 'f32' },
  vector4: { number: 4, bytes: 16, components: 4, scalar: 'f32' },
  ubyte4: { number: 5, bytes: 4, components: 4, scalar: 'u8' },
  ubyte4Norm: { number: 6, bytes: 4, components: 4, scalar: 'u8' },
} as const;

/** Semantics; the number in a file is the place in this list. */
export const SEMANTICS = [
  'position',
  'normal',
  'binormal',
  'tangent',
  'texcoord',
  'color',
  'blendWeights',
  'blendIndices',
  'objectIndex',
] as const;

export type ElementType = keyof typeof ELEMENT_TYPES;
export type Semantic = (typeof SEMANTICS)[number];

export interface VertexElement {
  readonly type: ElementType;
  readonly semantic: Semantic;
  /** Of several elements of one semantic. */
  readonly index: number;
}

const TYPES = Object.keys(ELEMENT_TYPES) as ElementType[];

const element = (semantic: Semantic, type: ElementType, index = 0): VertexElement => ({ type, semantic, index });

/** The elements of a UMDL mask from bit 0 on, in the order in which a vertex has them. */
export const LEGACY: readonly VertexElement[] = [
  element('position', 'vector3'),
  element('normal', 'vector3'),
  element('color', 'ubyte4Norm'),
  element('texcoord', 'vector2'),
  element('texcoord', 'vector2', 1),
  element('texcoord', 'vector3'),
  element('texcoord', 'vector3', 1),
  element('tangent', 'vector4'),
  element('blendWeights', 'vector4'),
  element('blendIndices', 'ubyte4'),
  element('texcoord', 'vector4', 4),
  element('texcoord', 'vector4', 5),
  element('texcoord', 'vector4', 6),
  element('objectIndex', 'int'),
];

/** Bits 0-7 type, 8-15 semantic, 16-23 index; null for a type, a semantic or further bits that mean nothing. */
export function elementOf(word: number): VertexElement | null {
  const type = TYPES[word & 0xff];
  const semantic = SEMANTICS[(word >>> 8) & 0xff];
  if (type === undefined || semantic === undefined || word >>> 24 !== 0) return null;
  return { type, semantic, index: (word >>> 16) & 0xff };
}

export function elementBits({ type, semantic, index }: VertexElement): number {
  return ELEMENT_TYPES[type].number | (SEMANTICS.indexOf(semantic) << 8) | (index << 16);
}

/** The bytes of a vertex: elements lie without gaps. */
export function stride(elements: readonly VertexElement[]): number {
  return elements.reduce((sum, { type }) => sum + ELEMENT_TYPES[type].bytes, 0);
}
