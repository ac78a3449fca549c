// Converts UsdLux lights to the units of the engine.
//
// UsdLux defines luminance: `intensity * 2 ^ exposure` is L in nits (cd/m2), as a viewer sees the light. The engine
// uses the power P that a light emits in all directions, in watts. A Lambertian surface of S square metres emits the
// luminous flux pi L S, so
//
//     P = pi L S / 683 lm/W                        sphere, disk, rectangle, cylinder.
//
// From far away, a sphere of radius r is a point with the luminous intensity I = L pi r2. The power of such a point
// light (photometry.ts), 4 pi I / 683, is the same number. A cone of ShapingAPI removes the light outside of the cone
// and keeps L inside of it, as a spot of the engine does. So a spot has the intensity I = L A along its axis, and P = 4
// pi L A / 683. A is the area that is visible from the axis: S / 4 for a sphere, S for a flat shape, S / pi for a
// cylinder from its side.
//
// `normalize` divides L by the surface in stage units. With m metres per unit, L = intensity / (S / m2), so S cancels
// and P = pi intensity m2 / 683. A distant light of the angular radius t has the projected solid angle pi sin2 t, so
// its illuminance is E = L pi sin2 t. If it is normalised or its radius is 0, the intensity is E itself, in lux.

import { rigidFrame } from '../../../scene/matrix.ts';
import type { Mat4, SceneLight, Vec2, Vec3 } from '../../../scene/types.ts';
import {
  type Brightness,
  brightness,
  fitsFloat32,
  hasFiniteTranslation,
  irradianceOfLux,
  wattsOfCandela,
  wattsOfNits,
} from '../../photometry.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { counted, type Notes } from '../notes.ts';
import { blackbodyColor } from './blackbody.ts';
import { appliedSchemas, LightInputs } from './inputs.ts';
import { noteLeftOut } from './leftOut.ts';

const DEGREES = 180 / Math.PI;

/** Metres per stage unit, and metres per unit along each axis of the light's space. */
interface Units {
  readonly metersPerUnit: number;
  readonly scale: Vec3;
}

/** The shape that emits light. */
interface Emitter {
  /** The emitting surface, in square metres. */
  readonly surface: number;
  /** The visible area along -Z from far away, in square metres. */
  readonly facing: number;
  /** The edges of a rectangle of the same surface, in metres; null for a shape that emits in all directions. */
  readonly size: Vec2 | null;
  /** The radius of a sphere of the same surface, in metres; 0 for a flat shape. */
  readonly radius: number;
}

/** The surface area of an ellipsoid with these half axes (Thomsen's formula; exact for a sphere, else within 1.1 %). */
function ellipsoidSurface(a: number, b: number, c: number): number {
  if (a === b && b === c) return 4 * Math.PI * a * a;
  const p = 1.6075;
  const mean = ((a * b) ** p + (a * c) ** p + (b * c) ** p) / 3;
  return 4 * Math.PI * mean ** (1 / p);
}

/** The perimeter of an ellipse from its half axes (Ramanujan's first formula; exact for a circle). */
function ellipsePerimeter(a: number, b: number): number {
  return Math.PI * (3 * (a + b) - Math.sqrt((3 * a + b) * (a + 3 * b)));
}

function allRound(surface: number, facing: number): Emitter {
  return { surface, facing, size: null, radius: Math.sqrt(surface / (4 * Math.PI)) };
}

/** The emitter of a light. World scale applies to its size (UsdLuxLightAPI: the world-space surface area). */
function emitterOf(typeName: string, inputs: LightInputs, { scale: [sx, sy, sz] }: Units): Emitter {
  if (typeName === 'RectLight') {
    const width = inputs.number('width', 1, 0) * sx;
    const height = inputs.number('height', 1, 0) * sy;
    return { surface: width * height, facing: width * height, size: [width, height], radius: 0 };
  }
  const radius = inputs.number('radius', 0.5, 0);
  if (typeName === 'DiskLight') {
    // The engine has only rectangles. A square of the same surface has the power and radiance of the disk.
    const side = Math.sqrt(Math.PI) * radius;
    const surface = Math.PI * radius * sx * radius * sy;
    return { surface, facing: surface, size: [side * sx, side * sy], radius: 0 };
  }
  if (typeName === 'CylinderLight') {
    const surface = ellipsePerimeter(radius * sy, radius * sz) * inputs.number('length', 1, 0) * sx;
    return allRound(surface, surface / Math.PI);
  }
  const surface = ellipsoidSurface(radius * sx, radius * sy, radius * sz);
  return allRound(surface, surface / 4);
}

/**
 * The cone of ShapingAPI; null if nothing restricts the light. `cone:angle` is a half-angle; the light fades between
 * angle * (1 - softness) and angle.
 */
function coneOf(prim: StagePrim, inputs: LightInputs): NonNullable<SceneLight['cone']> | null {
  const angle = inputs.attribute('shaping:cone:angle');
  if (!angle?.peek() && !appliedSchemas(prim).has('ShapingAPI')) return null;
  const outer = Math.min(inputs.number('shaping:cone:angle', 90, 0), 180);
  const softness = Math.min(Math.max(inputs.number('shaping:cone:softness', 0), 0), 1);
  return { outer, inner: outer * (1 - softness) };
}

function colorOf(inputs: LightInputs): Vec3 {
  const color = inputs.color('color', [1, 1, 1]);
  if (!inputs.boolean('enableColorTemperature', false)) return color;
  const tint = blackbodyColor(inputs.number('colorTemperature', 6500, 0));
  return [color[0] * tint[0], color[1] * tint[1], color[2] * tint[2]];
}

type Shape = Pick<SceneLight, 'kind' | 'radius' | 'cone' | 'areaSize'>;

/** The greatest half-angle, in degrees, of a cone that becomes a spot. The engine clamps cones to 89 degrees. */
const WIDEST_SPOT = 90;

/** The illuminance of a distant light in lux, for an intensity of 1. */
function distantFactor(inputs: LightInputs): number {
  const theta = Math.min(inputs.number('angle', 0.53, 0) / 2 / DEGREES, Math.PI);
  if (theta === 0) return 1;
  const disc = Math.PI * Math.sin(theta) ** 2;
  const behind = theta > Math.PI / 2;
  // A disc larger than a hemisphere lights a surface only with the hemisphere in front of the surface.
  const projected = behind ? Math.PI : disc;
  const sizeFactor = behind ? 2 * Math.PI - disc : disc;
  return inputs.boolean('normalize', false) ? projected / sizeFactor : projected;
}

/** The shape of a light other than a distant one, and its power in watts for an intensity of 1. */
function localShape(
  prim: StagePrim,
  inputs: LightInputs,
  units: Units,
  notes: Notes,
): { readonly shape: Shape; readonly watts: number } {
  const { typeName, path } = prim;
  const emitter = emitterOf(typeName, inputs, units);
  const cone = coneOf(prim, inputs);
  const normalized = inputs.boolean('normalize', false);
  if (emitter.surface === 0 && !normalized) {
    notes.count('UC1853', '', path, (n) => `no surface that emits light: ${counted(n, 'light', 'lights')}`);
  }
  const isPoint = typeName === 'SphereLight' && inputs.boolean('treatAsPoint', false);
  const nearest = (kind: string, to: string) =>
    notes.count('UC1850', kind, path, (n) => `${kind} turned into ${to}: ${n}`);
  // `unit` is the square metres of a normalised light's surface per unit of intensity. The ratio of the visible area to
  // the surface does not depend on the surface, so it holds for a light without a surface too.
  const unit = units.metersPerUnit ** 2;
  if (cone && cone.outer <= WIDEST_SPOT && (emitter.size === null || cone.outer < WIDEST_SPOT)) {
    if (typeName !== 'SphereLight') nearest(`${typeName} with a cone`, 'spots');
    const ratio = emitter.size !== null ? 1 : typeName === 'CylinderLight' ? 1 / Math.PI : 1 / 4;
    const area = normalized ? unit * ratio : emitter.facing;
    const radius = isPoint ? 0 : Math.sqrt(emitter.facing / Math.PI);
    return { shape: { kind: 'spot', radius, cone, areaSize: null }, watts: wattsOfCandela(area) };
  }
  const watts = wattsOfNits(1, normalized ? unit : emitter.surface);
  if (emitter.size !== null) {
    if (typeName === 'DiskLight') {
      notes.count('UC1855', '', path, (n) => `squares of the same surface: ${counted(n, 'disk light', 'disk lights')}`);
    }
    return { shape: { kind: 'area', radius: 0, cone: null, areaSize: emitter.size }, watts };
  }
  if (typeName === 'CylinderLight') nearest('CylinderLight', 'points of the same power');
  else if (cone && cone.outer < 180) nearest(`SphereLight with a cone of more than ${WIDEST_SPOT} degrees`, 'points');
  const radius = isPoint ? 0 : emitter.radius;
  return { shape: { kind: 'point', radius, cone: null, areaSize: null }, watts };
}

/**
 * The light of a DistantLight, SphereLight, DiskLight, RectLight or CylinderLight prim. `world` is its transform to
 * engine space. Null after a report of UC1857 if its numbers exceed float32, in which files store them.
 */
export function lightOf(prim: StagePrim, world: Mat4, metersPerUnit: number, notes: Notes): SceneLight | null {
  const inputs = new LightInputs(prim, notes);
  const scale: Vec3 = [
    Math.hypot(world[0], world[1], world[2]),
    Math.hypot(world[4], world[5], world[6]),
    Math.hypot(world[8], world[9], world[10]),
  ];
  const isDistant = prim.typeName === 'DistantLight';
  const { shape, watts } = isDistant
    ? {
        shape: { kind: 'directional', radius: 0, cone: null, areaSize: null } as const,
        watts: irradianceOfLux(distantFactor(inputs)),
      }
    : localShape(prim, inputs, { metersPerUnit, scale }, notes);
  const intensity = inputs.number('intensity', isDistant ? 50000 : 1, 0);
  const bright: Brightness | null = brightness(colorOf(inputs), intensity * watts, inputs.number('exposure', 0));
  noteLeftOut(prim, inputs, notes);
  const sizes = [shape.radius, ...(shape.areaSize ?? [])];
  if (bright === null || !hasFiniteTranslation(world) || !sizes.every(fitsFloat32)) {
    notes.count('UC1857', 'numbers', prim.path, (n) => `beyond float32, left out: ${counted(n, 'light', 'lights')}`);
    return null;
  }
  return {
    name: prim.name,
    path: prim.path,
    world: rigidFrame(world),
    ...shape,
    ...bright,
    range: 0,
    castsShadow: inputs.boolean('shadow:enable', true),
  };
}
