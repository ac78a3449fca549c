// Lights and cameras of a scene of Urho3D. Both look along +Z of their node there and along -Z in the engine: mirrored at Z no
// turn is needed. Attributes and their defaults are those of Light.cpp and Camera.cpp.

import { enumAttribute, flagAttribute, numberAttributes, textAttribute } from '../../formats/urho3d/xml/attributes.ts';
import type { XmlElement } from '../../formats/urho3d/xml/document.ts';
import { rigidFrame } from '../../scene/matrix.ts';
import type { Mat4, SceneCamera, SceneLight, Vec3 } from '../../scene/types.ts';
import { DEFAULT_ASPECT_RATIO } from '../gltf/nodes/cameras.ts';
import { brightness } from '../photometry.ts';

/** A component of a node, and where it is. */
export interface Component {
  readonly element: XmlElement;
  /** The name of the node. */
  readonly name: string;
  /** The path of the node. */
  readonly path: string;
  readonly world: Mat4;
  /** The scene, for messages. */
  readonly file: string;
}

/** A part of a Scene, or null with the reason why it is left out; `changed`: what of it is another thing here. */
export interface Taken<T> {
  readonly part: T | null;
  readonly changed: readonly string[];
}

const left = (why: string): Taken<never> => ({ part: null, changed: [why] });

const KINDS: ReadonlyMap<string, 'directional' | 'spot' | 'point'> = new Map([
  ['directional', 'directional'],
  ['spot', 'spot'],
  ['point', 'point'],
]);
const WIDEST = 160;

/** Throws UC3971 for values that are no numbers. */
export function lightOf({ element, name, path, world, file }: Component): Taken<SceneLight> {
  const number = (wanted: string, instead: number) => numberAttributes(element, wanted, [instead], file, path)[0];
  const known = enumAttribute(element, 'Light Type', KINDS, 'point');
  // The engine keeps the type that a light has first.
  const kind = known ?? 'point';
  const [red, green, blue] = colorOf(element, file, path);
  const power = number('Brightness Multiplier', 1);
  if (power < 0 || [red, green, blue].some((value) => value < 0)) return left('lights that darken, left out');
  // Watts a steradian, as this program writes them; a directional light has watts a square metre.
  const emitted = brightness([red, green, blue], kind === 'directional' ? power : power * 4 * Math.PI, 0);
  if (emitted === null) return left('lights whose brightness does not fit 32 bits, left out');
  const fov = Math.min(Math.max(number('Spot FOV', 30), 0), WIDEST);
  const changed = [
    ...(known === null ? ['lights of an unknown type, which are points'] : []),
    ...(kind === 'directional' ? [] : ['how lights fade with distance']),
    ...(kind === 'spot' ? ['how spots fade towards their edge'] : []),
    ...(flagAttribute(element, 'Use Physical Values', false) ? ['temperatures and lumens of lights'] : []),
    ...(hasTexture(element) ? ['textures of lights'] : []),
  ];
  const part: SceneLight = {
    name,
    path,
    kind,
    world: rigidFrame(world),
    ...emitted,
    radius: Math.max(0, number('Radius', 0)),
    range: kind === 'directional' ? 0 : Math.max(0, number('Range', 10)),
    cone: kind === 'spot' ? { inner: 0, outer: fov / 2 } : null,
    areaSize: null,
    castsShadow: flagAttribute(element, 'Cast Shadows', false),
  };
  return { part, changed };
}

/** Red, green and blue; alpha may be missing. */
function colorOf(element: XmlElement, file: string, path: string): Vec3 {
  const words = textAttribute(element, 'Color').trim().split(/\s+/).length;
  const usual = [1, 1, 1, 1].slice(0, words === 3 ? 3 : 4);
  const [red, green, blue] = numberAttributes(element, 'Color', usual, file, path);
  return [red, green, blue];
}

const hasTexture = (element: XmlElement): boolean =>
  ['Attenuation Texture', 'Light Shape Texture'].some((name) => /;./.test(textAttribute(element, name)));

/** Throws UC3971 for values that are no numbers. */
export function cameraOf({ element, name, path, world, file }: Component): Taken<SceneCamera> {
  const number = (wanted: string, instead: number) => numberAttributes(element, wanted, [instead], file, path)[0];
  if (flagAttribute(element, 'Orthographic', false)) return left('parallel cameras, left out');
  const near = number('Near Clip', 0.1);
  const far = number('Far Clip', 1000);
  const half = Math.tan((number('FOV', 45) * Math.PI) / 360);
  const fovY = (Math.atan(half / number('Zoom', 1)) * 360) / Math.PI;
  const isAuto = flagAttribute(element, 'Auto Aspect Ratio', true);
  const aspectRatio = isAuto ? DEFAULT_ASPECT_RATIO : number('Aspect Ratio', 1);
  // In 32 bits, as files store them: planes that differ by less are one.
  const stored = [fovY, near, far, aspectRatio].map(Math.fround);
  const isSound = stored.every((value) => value > 0 && value < Number.POSITIVE_INFINITY);
  if (!isSound || stored[0] >= 180 || stored[2] <= stored[1]) return left('cameras out of range, left out');
  return { part: { name, path, world: rigidFrame(world), fovY, near, far, aspectRatio }, changed: [] };
}
