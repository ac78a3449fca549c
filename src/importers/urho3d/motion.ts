// What a scene states of a model that moves, and what of it outputs cannot hold.

import { fail } from '../../diagnostics/diagnostic.ts';
import { textAttribute } from '../../formats/urho3d/xml/attributes.ts';
import { numbersOf } from '../../formats/urho3d/xml/document.ts';
import { axisLengths } from '../../scene/quaternion.ts';
import type { Mat4 } from '../../scene/types.ts';
import type { Component } from './lightsAndCameras.ts';

/** By how much lengths of axes differ that are not equal. */
const UNEQUAL = 1e-3;
/** Cosine of the angle between two axes from which they are not at right angles. */
const SHEARED = 1e-4;

/** Whether bones that turn below a matrix would be sheared: joints of outputs have a translation, a rotation and the scale at rest. */
export function hasUnequalScale(world: Mat4): boolean {
  const lengths = axisLengths(world);
  return Math.max(...lengths) > Math.min(...lengths) * (1 + UNEQUAL);
}

/** Whether axes of a matrix are not at right angles, as those of a node that is turned inside an unequal scale. */
export function isSheared(m: Mat4): boolean {
  const lengths = axisLengths(m);
  const cosine = (a: number, b: number) =>
    [0, 1, 2].reduce((sum, k) => sum + m[a * 4 + k] * m[b * 4 + k], 0) / (lengths[a] * lengths[b] || 1);
  return Math.max(...[cosine(0, 1), cosine(1, 2), cosine(2, 0)].map(Math.abs)) > SHEARED;
}

/** By morph its weight, which a scene has as a byte: 255 is 1 (AnimatedModel.cpp). Throws UC3971. */
export function morphWeights({ element, path, file }: Component, count: number): number[] {
  const words = textAttribute(element, 'Morphs').trim().split(/\s+/, count);
  const bytes = words.filter((word) => word !== '').map((word) => numbersOf(word, 1)?.[0] ?? Number.NaN);
  const wrong = bytes.findIndex((byte) => !(Number.isInteger(byte) && byte >= 0 && byte <= 255));
  if (wrong >= 0) {
    const shown = JSON.stringify(words[wrong].slice(0, 80));
    fail('UC3971', file, path, `material or scene that Urho3D does not read: Morphs has ${shown}, which is no byte`);
  }
  return bytes.map((byte) => byte / 255);
}
