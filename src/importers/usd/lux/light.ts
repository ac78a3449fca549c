// UsdLux lights in the engine's units.
//
// UsdLux states luminance: `intensity * 2 ^ exposure` is L in nits (cd/m2), seen by a viewer from outside. The engine
// wants the power P of all that a light gives off, in watts. A Lambertian surface of S square metres gives off the
// luminous flux pi L S, so
//
//     P = pi L S / 683 lm/W                        sphere, disk, rectangle, cylinder.
//
// The sphere seen from afar is a point of the luminous intensity I = L pi r2, and 4 pi I / 683, the power of a point
// light (photometry.ts), is the same number. A cone of ShapingAPI takes what is outside and leaves L as it is inside,
// as the engine's spot does; so a spot has the intensity I = L A towards its axis, A being the area that one sees from
// there: S / 4 of a sphere, S of what is flat, S / pi of a tube from its side; P = 4 pi L A / 683.
//
// `normalize` divides L by the surface in the stage's own unit, m per unit: L = intensity / (S / m2), S cancels, and
// P = pi intensity m2 / 683. A distant light of the angular radius t covers pi sin2 t of a projected sphere, thus the
// illuminance is E = L pi sin2 t; normalised, or without any radius, the intensity is E itself, in lux.

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

/** Metres in a unit: of the stage, and along each axis of the light's own space. */
interface Units {
  readonly metersPerUnit: number;
  readonly scale: Vec3;
}

/** The shape that shines, in metres. */
interface Emitter {
  /** Square metres that give off light. */
  readonly surface: number;
  /** Square metres seen along -Z from far away. */
  readonly facing: number;
  /** Edges of a rectangle of the same surface; null: it shines all round. */
  readonly size: Vec2 | null;
  /** Of a sphere of the same surface when it shines all round. */
  readonly radius: number;
}

/** Surface of an ellipsoid by its half axes (Thomsen's formula; exact for a sphere, else within 1.1 %). */
function ellipsoidSurface(a: number, b: number, c: number): number {
  if (a === b && b === c) return 4 * Math.PI * a * a;
  const p = 1.6075;
  const mean = ((a * b) ** p + (a * c) ** p + (b * c) ** p) / 3;
  return 4 * Math.PI * mean ** (1 / p);
}

/** Perimeter of an ellipse by its half axes (Ramanujan's first formula; exact for a circle). */
function ellipsePerimeter(a: number, b: number): number {
  return Math.PI * (3 * (a + b) - Math.sqrt((3 * a + b) * (a + 3 * b)));
}

function allRound(surface: number, facing: number): Emitter {
  return { surface, facing, size: null, radius: Math.sqrt(surface / (4 * Math.PI)) };
}

/** Sizes follow the world transform, scales included (UsdLuxLightAPI: the world-space surface area). */
function emitterOf(typeName: string, inputs: LightInputs, { scale: [sx, sy, sz] }: Units): Emitter {
  if (typeName === 'RectLight') {
    const width = inputs.number('width', 1, 0) * sx;
    const height = inputs.number('height', 1, 0) * sy;
    return { surface: width * height, facing: width * height, size: [width, height], radius: 0 };
  }
  const radius = inputs.number('radius', 0.5, 0);
  if (typeName === 'DiskLight') {
    // The engine has rectangles only: one of the same surface, so that power and radiance are those of the disk.
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
 * The cone of ShapingAPI; null where nothing restricts the light. `cone:angle` is a half-angle; from
 * angle * (1 - softness) on the light fades.
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

/** A cone this wide or narrower is a spot of the engine, whose cones end at 89 degrees. */
const WIDEST_SPOT = 90;

/** Lux of a distant light for each unit of its intensity. */
function distantFactor(inputs: LightInputs): number {
  const theta = Math.min(inputs.number('angle', 0.53, 0) / 2 / DEGREES, Math.PI);
  if (theta === 0) return 1;
  const disc = Math.PI * Math.sin(theta) ** 2;
  const behind = theta > Math.PI / 2;
  // Beyond half of the sky only the half in front of a surface lights it.
  const projected = behind ? Math.PI : disc;
  const sizeFactor = behind ? 2 * Math.PI - disc : disc;
  return inputs.boolean('normalize', false) ? projected / sizeFactor : projected;
}

/** Shape and power, in W for each nit (or unit of a normalised light), of a light that has a place. */
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
    notes.count('UC1853', '', path, (n) => `no surface to shine from: ${counted(n, 'light', 'lights')}`);
  }
  const isPoint = typeName === 'SphereLight' && inputs.boolean('treatAsPoint', false);
  const nearest = (kind: string, to: string) =>
    notes.count('UC1850', kind, path, (n) => `${kind} turned into ${to}: ${n}`);
  // Per unit of intensity. A normalised light keeps the ratio of what is seen to what shines when it has no surface.
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
 * The light of a DistantLight, SphereLight, DiskLight, RectLight or CylinderLight prim that stands at `world` (engine
 * space, with the stage's unit). Null, after UC1835, when its numbers are beyond what a file can store.
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
    notes.count('UC1835', 'numbers', prim.path, (n) => `beyond float32, left out: ${counted(n, 'light', 'lights')}`);
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
