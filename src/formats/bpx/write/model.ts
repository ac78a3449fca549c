// Writes models, in the layout of the text: the crate has none. Sections come in the order in which they refer to each other:
// format, each vertex array with its indices, strings, bones, frames, animations.

import { LAYOUTS, MODEL } from '../container/layout.ts';
import { WrittenStrings } from '../container/strings.ts';
import { type WrittenSection, writeBpx } from '../container/write.ts';
import { vertexBytes } from '../kinds/model.ts';
import {
  ANIMATION,
  ANIMATION_ARRAY,
  BONE,
  BONE_ARRAY,
  COMPONENT_TYPES,
  FRAME_ARRAY,
  INDEX_ARRAY,
  MATRIX_NUMBERS,
  MAX_BONES,
  MAX_COMPONENT_COUNT,
  MAX_COMPONENTS,
  MODEL_EXT,
  VERTEX_ARRAY,
  VERTEX_FORMAT,
} from '../records.ts';
import type { BpxModel, BpxVertexArray } from '../types.ts';
import { joined, type PackOptions, recordBytes, zeros } from './sections.ts';

/** Throws an Error, which is a bug of the caller, for a model that no valid file can hold. */
export function writeBpxModel(model: BpxModel, { isPacked = false }: PackOptions = {}): Uint8Array {
  const { arrays, bones, frames, animations } = model;
  if (arrays.length === 0) throw new Error('a model without vertices');
  const strings = new WrittenStrings();
  const sections: WrittenSection[] = [{ type: MODEL.vertexFormat, bytes: vertexFormatBytes(model) }];
  const nextNumber = () => LAYOUTS.spec.firstSection + sections.length;
  // Material 0 of a model without strings is none; with strings none is an empty one.
  const hasStrings = bones !== null || animations !== null || arrays.some(({ material }) => material !== null);
  const written = new Map<Uint32Array, number>();
  for (const [i, array] of arrays.entries()) {
    checkArray(array, model, i);
    const { indices, vertexCount, vertices } = array;
    const known = indices === null ? 0 : written.get(indices);
    const indexArray = known ?? nextNumber() + 1;
    const material = hasStrings ? strings.add(array.material ?? '') : 0;
    const bytes = joined([recordBytes(VERTEX_ARRAY, { material, vertexCount, indexArray }), vertices]);
    sections.push({ type: MODEL.vertexArray, bytes, isPacked });
    if (indices === null || known !== undefined) continue;
    written.set(indices, indexArray);
    const indexBytes = joined([recordBytes(INDEX_ARRAY, { indexCount: indices.length }), indices]);
    sections.push({ type: MODEL.indexArray, bytes: indexBytes, isPacked });
  }
  const rig = rigSections(model, strings);
  if (hasStrings) sections.push({ type: MODEL.strings, bytes: strings.bytes() });
  const frameCount = frames && bones ? frames.length / MATRIX_NUMBERS / bones.length : 0;
  if (animations?.some(({ firstFrame, frameCount: count }) => firstFrame + count > frameCount)) {
    throw new Error(`an animation beyond ${frameCount} frames`);
  }
  sections.push(...rig.map((section) => ({ ...section, isPacked })));
  const typeExt = recordBytes(MODEL_EXT, { reserved: zeros(8) });
  return writeBpx({ layout: 'spec', kind: 'model', typeExt, sections });
}

function vertexFormatBytes({ components }: BpxModel): Uint8Array {
  const isSound = components.every(({ count }) => count >= 1 && count <= MAX_COMPONENT_COUNT);
  if (!isSound || components.length > MAX_COMPONENTS) throw new Error(`${components.length} components of a vertex`);
  const header = { vertexSize: vertexBytes(components), componentCount: components.length, reserved: 0 };
  const bytes = components.map(({ type, count }) => {
    const [number] = COMPONENT_TYPES.find(([, name]) => name === type) ?? [0];
    return number | (count << 4);
  });
  return joined([recordBytes(VERTEX_FORMAT, header), Uint8Array.from(bytes)]);
}

function checkArray({ vertexCount, vertices, indices }: BpxVertexArray, { components }: BpxModel, i: number): void {
  if (vertices.length !== vertexCount * vertexBytes(components)) {
    throw new Error(`vertex array ${i} has ${vertices.length} bytes for ${vertexCount} vertices`);
  }
  if ((indices?.length ?? vertexCount) % 3 !== 0) throw new Error(`vertex array ${i} is no triangles`);
}

function rigSections({ bones, frames, animations }: BpxModel, strings: WrittenStrings): WrittenSection[] {
  const sections: WrittenSection[] = [];
  if (bones) {
    if (bones.length < 1 || bones.length > MAX_BONES) throw new Error(`${bones.length} bones`);
    const records = bones.map(({ name, matrix }) =>
      recordBytes(BONE, { matrix: [...matrix], name: strings.add(name) }),
    );
    const bytes = joined([recordBytes(BONE_ARRAY, { boneCount: bones.length }), ...records]);
    sections.push({ type: MODEL.boneArray, bytes });
  }
  if (frames) {
    const frameCount = frames.length / MATRIX_NUMBERS / (bones?.length ?? 0);
    if (!Number.isInteger(frameCount)) throw new Error(`frames of ${frames.length} numbers for ${bones?.length} bones`);
    sections.push({ type: MODEL.frameArray, bytes: joined([recordBytes(FRAME_ARRAY, { frameCount }), frames]) });
  }
  if (animations) {
    const records = animations.map((animation) =>
      recordBytes(ANIMATION, { ...animation, name: strings.add(animation.name) }),
    );
    const header = recordBytes(ANIMATION_ARRAY, { animationCount: animations.length });
    sections.push({ type: MODEL.animationArray, bytes: joined([header, ...records]) });
  }
  return sections;
}
