// Reports the properties of UsdLux lights that lights of the engine do not have. Each kind is counted and reported
// once.

import type { StagePrim } from '../compose/stage/stage.ts';
import { booleanOf } from '../compose/values/values.ts';
import { counted, type Notes } from '../notes.ts';
import { appliedSchemas, type LightInputs } from './inputs.ts';

const CONNECTABLE = [
  ...['intensity', 'exposure', 'color', 'colorTemperature', 'enableColorTemperature', 'normalize'],
  ...['radius', 'width', 'height', 'length', 'angle', 'shaping:cone:angle', 'shaping:cone:softness'],
];

/** Whether a collection for light or shadow linking leaves prims out. */
function isLinked(prim: StagePrim, collection: string): boolean {
  const name = `collection:${collection}`;
  if (booleanOf(prim.attribute(`${name}:includeRoot`)?.get()?.value) === false) return true;
  return (prim.relationship(`${name}:excludes`)?.targets().length ?? 0) > 0;
}

/** Reports UC1851 for each authored property of a light that the engine does not have. */
export function noteLeftOut(prim: StagePrim, inputs: LightInputs, notes: Notes): void {
  const leave = (what: string) =>
    notes.count('UC1851', what, prim.path, (n) => `${what} left out of ${counted(n, 'light', 'lights')}`);
  if (inputs.text('texture:file') !== '') leave('the texture');
  if (inputs.text('shaping:ies:file') !== '') leave('the IES profile');
  if (inputs.number('shaping:focus', 0) !== 0) leave('the focus');
  if (inputs.number('diffuse', 1) !== 1 || inputs.number('specular', 1) !== 1) {
    leave('the multipliers of diffuse and specular response');
  }
  const tinted = inputs.color('shadow:color', [0, 0, 0]).some((c) => c !== 0);
  if (tinted || inputs.number('shadow:distance', -1) >= 0 || inputs.number('shadow:falloff', -1) >= 0) {
    leave('the colour, distance or falloff of shadows');
  }
  if (isLinked(prim, 'lightLink') || isLinked(prim, 'shadowLink')) leave('the linking to some objects only');
  const filters = [prim.relationship('light:filters'), prim.relationship('filters')];
  if (filters.some((rel) => (rel?.targets().length ?? 0) > 0)) leave('the filters');
  if (CONNECTABLE.some((name) => (inputs.attribute(name)?.connections().length ?? 0) > 0)) {
    leave('the connections of inputs');
  }
}

/** Reports UC1857 for geometry with an applied light schema: it is drawn, but emits no light. */
export function noteLightGeometry(prim: StagePrim, notes: Notes): void {
  const schemas = appliedSchemas(prim);
  if (!['LightAPI', 'MeshLightAPI', 'VolumeLightAPI'].some((name) => schemas.has(name))) return;
  const describe = (n: number) => `drawn, but emitting no light: ${counted(n, 'shape', 'shapes')} with a light schema`;
  notes.count('UC1857', 'shapes', prim.path, describe);
}
