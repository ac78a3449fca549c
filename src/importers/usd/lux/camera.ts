// Converts a UsdGeomCamera to a camera of the engine: a vertical field of view, and clip planes in metres.

import { rigidFrame } from '../../../scene/matrix.ts';
import type { Mat4, SceneCamera } from '../../../scene/types.ts';
import { hasFiniteTranslation } from '../../photometry.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { numberOf, textOf, tupleOf } from '../compose/values/values.ts';
import { counted, type Notes } from '../notes.ts';

/** The fallbacks of the schema: apertures and focal length in tenths of a stage unit, the range in stage units. */
const FALLBACK = {
  horizontalAperture: 20.955,
  verticalAperture: 15.2908,
  focalLength: 50,
  clippingRange: [1, 1000000],
} as const;

/** The least distance of the near plane, in metres. The engine moves nearer planes to it. */
const MIN_NEAR = 0.001;

/** The near and far plane in metres, distinct in float32. A range that cannot be used is replaced and reported. */
function planesOf(prim: StagePrim, metersPerUnit: number, notes: Notes): readonly [number, number] {
  const value = prim.attribute('clippingRange')?.get()?.value;
  const given = value === undefined ? FALLBACK.clippingRange : (tupleOf(value, 2) ?? [NaN, NaN]);
  let near = given[0] * metersPerUnit;
  let far = given[1] * metersPerUnit;
  const stored = [near, far].map(Math.fround);
  if (stored[0] > 0 && stored[1] > stored[0] && stored[1] < Infinity) return [near, far];
  if (!(stored[0] > 0 && stored[0] < Infinity)) near = MIN_NEAR;
  if (!(far > near && stored[1] < Infinity)) far = Math.max(FALLBACK.clippingRange[1] * metersPerUnit, near * 1000);
  if (!(Math.fround(far) < Infinity && Math.fround(far) > Math.fround(near))) [near, far] = [MIN_NEAR, 1000];
  const read = value === undefined || tupleOf(value, 2) ? `(${given.join(', ')})` : `of type ${value.type}`;
  notes.report('UC1852', prim.path, `clippingRange is ${read}: planes at ${near} and ${far} m are used`);
  return [near, far];
}

function noteLeftOut(prim: StagePrim, notes: Notes): void {
  const number = (name: string) => numberOf(prim.attribute(name)?.get()?.value) ?? 0;
  const leave = (what: string) =>
    notes.count('UC1856', what, prim.path, (n) => `${what} left out of ${counted(n, 'camera', 'cameras')}`);
  if (number('horizontalApertureOffset') !== 0 || number('verticalApertureOffset') !== 0) leave('the lens shift');
  if (number('fStop') !== 0) leave('the depth of field');
  if (number('exposure') !== 0) leave('the exposure');
  if ((prim.attribute('clippingPlanes')?.peek()?.count ?? 0) > 0) leave('clipping planes');
}

/**
 * The camera of a Camera prim with the transform `world`, whose scale is ignored as in UsdGeomCamera. Null after a
 * report of UC1836 if the camera is orthographic or its field of view is not valid.
 */
export function cameraOf(prim: StagePrim, world: Mat4, metersPerUnit: number, notes: Notes): SceneCamera | null {
  const leave = (kind: string) => {
    const describe = (n: number) => `left out: ${counted(n, `${kind} camera`, `${kind} cameras`)}`;
    notes.count('UC1836', kind, prim.path, describe);
    return null;
  };
  if (textOf(prim.attribute('projection')?.get()?.value) === 'orthographic') return leave('orthographic');
  const number = (name: 'horizontalAperture' | 'verticalAperture' | 'focalLength') =>
    numberOf(prim.attribute(name)?.get()?.value) ?? FALLBACK[name];
  const vertical = number('verticalAperture');
  const focal = number('focalLength');
  const fovY = (2 * Math.atan(vertical / (2 * focal)) * 180) / Math.PI;
  const aspectRatio = number('horizontalAperture') / vertical;
  const stored = [fovY, aspectRatio].map(Math.fround);
  const sound = vertical > 0 && focal > 0 && stored.every((value) => value > 0 && value < Infinity) && stored[0] < 180;
  if (!sound || !hasFiniteTranslation(world)) return leave('unusable');
  const [near, far] = planesOf(prim, metersPerUnit, notes);
  noteLeftOut(prim, notes);
  return { name: prim.name, path: prim.path, world: rigidFrame(world), fovY, near, far, aspectRatio };
}
