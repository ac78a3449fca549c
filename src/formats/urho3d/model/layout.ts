// The layout of a .mdl file, UMDL and UMD2, as one table of records in the order in which they are stored (Urho3D,
// "Custom file formats", binary model format; Model.cpp where the two disagree). Reader and writer follow from it.

import type { Cursor } from '../bytes/cursor.ts';
import type { MODEL_MAGICS } from '../bytes/identifier.ts';
import {
  type Before,
  type Coding,
  checked,
  f32,
  floats,
  list,
  record,
  rows,
  text,
  u8,
  u32,
  u32s,
  type ValueOf,
  when,
} from '../bytes/parts.ts';
import { elementBits, elementOf, LEGACY, stride, type VertexElement } from './elements.ts';

export type ModelFormat = (typeof MODEL_MAGICS)[number];

/** Types of primitive of the engine; the format text knows the first two. */
export const PRIMITIVES = ['triangle list', 'line list', 'point list', 'triangle strip', 'line strip', 'triangle fan'];
export const TRIANGLE_LIST = 0;
export const LINE_LIST = 1;

export const COLLISION = { sphere: 1, box: 2 } as const;
export const KNOWN_COLLISION = 0b11;

/** UMD2: a count and a word for each element. */
const elements: Coding<readonly VertexElement[]> = list({
  min: 4,
  read: (from, place) => {
    const word = from.u32(place);
    const element = elementOf(word);
    return element ?? from.fail('UC3910', place, `unknown vertex element: element 0x${word.toString(16)}`, from.at - 4);
  },
  write: (to, element) => to.u32(elementBits(element)),
});

/** UMDL: a mask with a bit for each element. */
const elementMask: Coding<readonly VertexElement[]> = {
  min: 4,
  read: (from, place) => {
    const mask = from.u32(place);
    if (mask >>> LEGACY.length !== 0)
      from.fail('UC3910', place, `unknown vertex element: mask 0x${mask.toString(16)}`, from.at - 4);
    return LEGACY.filter((_, bit) => ((mask >>> bit) & 1) === 1);
  },
  write: (to, given) => {
    const wanted = given.map(elementBits);
    const order = LEGACY.filter((element) => wanted.includes(elementBits(element)));
    if (order.some((element, i) => elementBits(element) !== wanted[i]) || order.length !== wanted.length) {
      throw new Error('these vertex elements have no mask of UMDL');
    }
    to.u32(order.reduce((mask, element) => mask | (1 << LEGACY.indexOf(element)), 0));
  },
};

function checkElements(given: readonly VertexElement[], from: Cursor, place: string): void {
  const [first] = given;
  if (first?.semantic !== 'position' || first.type !== 'vector3' || first.index !== 0) {
    const what = first ? `the first element is ${first.semantic} ${first.index} of type ${first.type}` : 'no element';
    from.fail('UC3911', place, `vertices do not begin with a position: ${what}`);
  }
}

/** As many bytes as vertices of the stride of `elements`. */
const vertexData: Coding<Uint8Array> = {
  min: 0,
  read: (from, place, before) => {
    const { vertexCount, elements } = before as unknown as VertexHead;
    from.requireRoom(vertexCount, stride(elements), place);
    return from.bytes(vertexCount * stride(elements), place);
  },
  write: (to, value, before) => {
    const { vertexCount, elements } = before as unknown as VertexHead;
    if (value.length !== vertexCount * stride(elements)) throw new Error('vertex data of another size');
    to.bytes(value);
  },
};

interface VertexHead {
  readonly vertexCount: number;
  readonly elements: readonly VertexElement[];
}

const vertexBuffer = (format: ModelFormat) =>
  record({
    vertexCount: u32,
    elements: checked(format === 'UMDL' ? elementMask : elements, checkElements),
    /** The vertices that morphs may move. */
    morphStart: u32,
    morphCount: u32,
    data: vertexData,
  });

/** u32 count, u32 size, so many indices. */
const indexBuffer: Coding<Uint16Array | Uint32Array> = {
  min: 8,
  read: (from, place) => {
    const count = from.u32(place);
    const size = from.u32(place);
    if (size !== 2 && size !== 4)
      from.fail('UC3910', place, `size of indices impossible: indices of ${size} bytes`, from.at - 4);
    from.requireRoom(count, size, place);
    const { buffer } = from.copy(count * size, place);
    return size === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
  },
  write: (to, indices) => {
    to.u32(indices.length);
    to.u32(indices.BYTES_PER_ELEMENT);
    to.bytes(new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength));
  },
};

const level = record({
  /** The level is shown from this distance on. */
  distance: f32,
  primitive: u32,
  vertexBuffer: u32,
  indexBuffer: u32,
  indexStart: u32,
  indexCount: u32,
});

const geometry = record({
  /** Blend index i means bone boneMapping[i]; empty: blend indices are numbers of bones. */
  boneMapping: u32s,
  levels: list(level),
});

/** What morphs add, times their weight. A tangent has three numbers here. */
const morphBuffer = record({
  vertexBuffer: u32,
  deltas: rows(
    u32,
    'UC3911',
    { name: 'vertex', scalar: 'u32' },
    { position: { bit: 1, count: 3 }, normal: { bit: 2, count: 3 }, tangent: { bit: 0x80, count: 3 } },
  ),
});

const morph = record({ name: text, buffers: list(morphBuffer) });

const has = (bit: number) => (before: Before) => ((before.collision as number) & bit) !== 0;

const bone = record({
  name: text,
  /** Its own number for the root. */
  parent: u32,
  position: floats(3),
  /** w x y z. */
  rotation: floats(4),
  scale: floats(3),
  /** From model space to the bone's at the time of binding: three rows of four, the last of each the translation. */
  offset: floats(12),
  collision: checked(u8, (mask, from, place) => {
    if ((mask & ~KNOWN_COLLISION) !== 0)
      from.fail('UC3902', place, `unknown collision of a bone: collision mask ${mask}`, from.at - 1);
  }),
  radius: when(has(COLLISION.sphere), f32),
  /** Minimum, then maximum. */
  box: when(has(COLLISION.box), floats(6)),
});

/** One a geometry; files of old writers end before them. */
const centres: Coding<readonly (readonly number[])[] | null> = {
  min: 0,
  read: (from, place, before) => {
    const { geometries } = before as { geometries: readonly unknown[] };
    if (from.left === 0 && geometries.length > 0) return null;
    return geometries.map((_, i) => floats(3).read(from, `${place}/${i}`, before));
  },
  write: (to, value, before) => {
    const { geometries } = before as { geometries: readonly unknown[] };
    if (value === null) return;
    if (value.length !== geometries.length) throw new Error('not one centre for each geometry');
    for (const centre of value) floats(3).write(to, centre, before);
  },
};

/** What follows the identifier. */
export const modelBody = (format: ModelFormat) =>
  record({
    vertexBuffers: list(vertexBuffer(format)),
    indexBuffers: list(indexBuffer),
    geometries: list(geometry),
    morphs: list(morph),
    bones: list(bone),
    box: floats(6),
    centres,
  });

type Body = ValueOf<ReturnType<typeof modelBody>>;

/** A .mdl file as values; arrays of vertices are views of the file. */
export type Model = { readonly format: ModelFormat } & Body;
export type VertexBuffer = Body['vertexBuffers'][number];
export type Geometry = Body['geometries'][number];
export type GeometryLevel = Geometry['levels'][number];
export type Morph = Body['morphs'][number];
export type Bone = Body['bones'][number];
