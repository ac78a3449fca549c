// Lights and cameras as nodes of a scene. Both look along -Z of their space in the engine and along +Z in Urho3D: mirrored at
// Z the rotation needs no turn.

import { partsOf } from '../../../scene/quaternion.ts';
import type { Mat4, SceneCamera, SceneLight } from '../../../scene/types.ts';
import { rotationToUrho3d } from '../axes.ts';
import type { SceneNode } from '../xml/scene.ts';

/** Beyond this a light of one watt a steradian gives less than a hundredth of a watt a square metre. */
const REACH_OF_ONE = 10;
const WIDEST_SPOT = 179;

type Vector = SceneNode['position'];

const BARE = { scale: [1, 1, 1], models: [], lights: [], cameras: [], children: [] } as const;

function frame(world: Mat4): Pick<SceneNode, 'position' | 'rotation'> {
  const { translation, rotation } = partsOf(world);
  const [x, y, z] = translation;
  return { position: [x, y, 0 - z], rotation: rotationToUrho3d(rotation) as unknown as SceneNode['rotation'] };
}

/** Watts a square metre, or watts a steradian: by Lambert's law an area light has P / pi in front. */
function brightnessOf({ kind, intensity }: SceneLight): number {
  if (kind === 'directional') return intensity;
  return kind === 'area' ? intensity / Math.PI : intensity / (4 * Math.PI);
}

export function lightNode(light: SceneLight): SceneNode {
  const { name, kind, world, color, range, cone, castsShadow } = light;
  const brightness = brightnessOf(light);
  const isSpot = kind === 'area' || (kind !== 'directional' && cone !== null);
  const outer = kind === 'area' ? WIDEST_SPOT / 2 : (cone?.outer ?? 0);
  return {
    ...BARE,
    name: name || 'Light',
    ...frame(world),
    lights: [
      {
        type: kind === 'directional' ? 'directional' : isSpot ? 'spot' : 'point',
        color: [...color] as unknown as Vector,
        brightness,
        range: range > 0 ? range : Math.max(1, REACH_OF_ONE * Math.sqrt(brightness)),
        spotFov: Math.min(2 * outer, WIDEST_SPOT),
        castShadows: castsShadow,
      },
    ],
  };
}

export function cameraNode({ name, world, near, far, fovY }: SceneCamera): SceneNode {
  const camera = { nearClip: near, farClip: far, fov: fovY, orthographicSize: 0 };
  return { ...BARE, name: name || 'Camera', ...frame(world), cameras: [camera] };
}

/** A tile: its vertices are in the space of the scene. */
export function tileNode(name: string, model: string, materials: readonly string[], drawDistance: number): SceneNode {
  return {
    ...BARE,
    name,
    position: [0, 0, 0],
    rotation: [1, 0, 0, 0],
    models: [{ model, materials, drawDistance, castShadows: true, animated: false }],
  };
}
