// KHR_lights_punctual: directional, point and spot lights. Their numbers are more often wrong than their JSON. A number out
// of range is replaced and named in a warning, because a light costs no geometry.

import type { LightKind, SceneLight, Vec3 } from '../../../../scene/types.ts';
import { brightness, fitsFloat32, irradianceOfLux, wattsOfCandela } from '../../../photometry.ts';
import type { Element } from '../../document/element.ts';
import type { Notes } from '../../document/notes.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_lights_punctual';

export const KHR_LIGHTS_PUNCTUAL: Extension = {
  name: NAME,
  support: 'full',
  effect: 'Lights are stored in the units of the engine: watts, metres, degrees.',
  codes: ['UC1350', 'UC1380'],
};

export type LightDef = Omit<SceneLight, 'path' | 'world'>;

const KINDS: ReadonlySet<string> = new Set(['directional', 'point', 'spot'] satisfies LightKind[]);

const DEGREES = 180 / Math.PI;
/** The default and the upper limit of spot.outerConeAngle, in radians. */
const DEFAULT_OUTER_CONE = Math.PI / 4;
const MAX_OUTER_CONE = Math.PI / 2;

/** Reports that the value of a property cannot be used, and which one is used instead. */
type Correct = (property: string, instead: string) => void;

function readColor(light: Element, correct: Correct): Vec3 {
  const color = light.numbers('color', 3) ?? [1, 1, 1];
  if (color.some((c) => c < 0)) correct('color', 'its negative components are 0');
  return [Math.max(color[0], 0), Math.max(color[1], 0), Math.max(color[2], 0)];
}

function readCone(light: Element, correct: Correct): NonNullable<SceneLight['cone']> {
  const spot = light.child('spot');
  let outer = spot?.number('outerConeAngle', DEFAULT_OUTER_CONE) ?? DEFAULT_OUTER_CONE;
  let inner = spot?.number('innerConeAngle', 0) ?? 0;
  // Exporters round pi / 2 to float32, which is above it.
  if (outer <= 0 || outer > MAX_OUTER_CONE + 1e-6) {
    correct('outerConeAngle', outer <= 0 ? 'pi/4 is used' : 'pi/2 is used');
    outer = outer <= 0 ? DEFAULT_OUTER_CONE : MAX_OUTER_CONE;
  }
  if (inner < 0 || inner > outer) {
    correct('innerConeAngle', inner < 0 ? '0 is used' : 'the outer angle is used');
    inner = inner < 0 ? 0 : outer;
  }
  return { inner: inner * DEGREES, outer: Math.min(outer, MAX_OUTER_CONE) * DEGREES };
}

function readLight(light: Element, notes: Notes): LightDef | null {
  const { path, name } = light;
  const leave = (kind: string, tell: (names: string) => string): null => {
    notes.add('UC1350', kind, path, name, tell);
    return null;
  };
  const correct: Correct = (property, instead) => {
    const message = `${property} is out of range, ${instead}`;
    notes.add('UC1380', message, path, name, (names) => `${message}: ${names}`);
  };
  const type = light.string('type') ?? '';
  if (!KINDS.has(type)) {
    return leave('type', (names) => `neither directional nor point nor spot, left out: ${names}`);
  }
  const kind = type as LightKind;
  const color = readColor(light, correct);
  let intensity = light.number('intensity', 1);
  if (intensity < 0) {
    correct('intensity', '0 is used');
    intensity = 0;
  }
  let range = kind === 'directional' ? 0 : light.number('range', 0);
  if (range < 0 || (range === 0 && kind !== 'directional' && light.has('range'))) {
    correct('range', 'the light is unbounded');
    range = 0;
  }
  const strength = kind === 'directional' ? irradianceOfLux(intensity) : wattsOfCandela(intensity);
  const bright = brightness(color, strength, 0);
  if (bright === null || !fitsFloat32(range)) {
    return leave('numbers', (names) => `the brightness or range does not fit float32, left out: ${names}`);
  }
  return {
    name,
    kind,
    ...bright,
    radius: 0,
    range,
    cone: kind === 'spot' ? readCone(light, correct) : null,
    areaSize: null,
    castsShadow: true,
  };
}

/** All lights of the file, null for those that cannot be used: UC1350, UC1380; UC1307 for JSON of the wrong type. */
export function readLights(root: Element, notes: Notes): readonly (LightDef | null)[] {
  const lights = root.extension(NAME)?.elements('lights') ?? [];
  return lights.map((light) => readLight(light, notes));
}

/** How many lights the file has, for checking references to them. */
export function lightCount(root: Element): number {
  return root.extension(NAME)?.count('lights') ?? 0;
}

/** The light of a node by its index, -1 for none. */
export function lightOf(node: Element, lights: number): number {
  return node.extension(NAME)?.index('light', lights, 'lights') ?? -1;
}
