// Places a scene elsewhere: a point of the source becomes the origin, and all is turned and scaled about it. Only matrices
// and lengths change, in float64, so that a site far from 0 loses nothing: vertices are rounded once, when they are placed.

import { axisTurn, identity, multiply, rigidFrame, scaling } from './matrix.ts';
import { multiplyQuaternions, quaternionOf } from './quaternion.ts';
import type {
  Mat4,
  ParallelCamera,
  Scene,
  SceneCamera,
  SceneChannel,
  SceneClip,
  SceneCurve,
  SceneLight,
  SceneNode,
  Vec3,
} from './types.ts';

/** Where a source lies in the output. All of it is said in the source's own axes. */
export interface Placement {
  /** The point of the source, in its own units, that becomes 0; absent: its own 0. */
  readonly origin?: Vec3 | undefined;
  /** Degrees about X, then Y, then Z, whose axes stay where they are (rotateXYZ of USD); absent: none. */
  readonly rotate?: Vec3 | undefined;
  /** Absent: 1. */
  readonly scale?: number | undefined;
}

/** Cosines and sines of quarter turns, exact. */
const QUARTERS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

function cosSin(degrees: number): readonly [number, number] {
  const turn = ((degrees % 360) + 360) % 360;
  if (turn % 90 === 0) return QUARTERS[(turn / 90) % 4];
  const angle = (turn * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)];
}

/** The change from the axes of the source to Y up: for Z up, (x, y, z) becomes (x, z, -y). */
function toYUp({ upAxis }: Scene): Mat4 {
  return upAxis === 'Z' ? axisTurn(0, 0, -1) : identity();
}

/** The scene in its new place. The scene itself if nothing moves. */
export function placedScene(scene: Scene, { origin = [0, 0, 0], rotate = [0, 0, 0], scale = 1 }: Placement): Scene {
  if ([...origin, ...rotate].every((value) => value === 0) && scale === 1) return scene;
  const up = toYUp(scene);
  // The inverse of a turn is its transpose.
  const down = scene.upAxis === 'Z' ? axisTurn(0, 0, 1) : identity();
  let turn = identity();
  for (const axis of [0, 1, 2]) turn = multiply(axisTurn(axis, ...cosSin(rotate[axis])), turn);
  const linear = multiply(scaling(scale, scale, scale), multiply(up, multiply(turn, down)));
  const unit = scene.metersPerUnit;
  const [x, y, z] = [0, 1, 2].map((r) => (up[r] * origin[0] + up[4 + r] * origin[1] + up[8 + r] * origin[2]) * unit);

  const placed = (world: Mat4): Mat4 => {
    // The origin is taken off first: the difference of two large numbers is exact, their turned sums would not be.
    const near = Float64Array.from(world);
    near[12] -= x;
    near[13] -= y;
    near[14] -= z;
    return multiply(linear, near);
  };
  const placedLight = (light: SceneLight): SceneLight => {
    // What is lit keeps its brightness: a power spreads over an area, which has the square of the scale.
    const power = light.kind === 'directional' ? 1 : scale ** 2;
    return {
      ...light,
      world: rigidFrame(placed(light.world)),
      intensity: light.intensity * power,
      sourcePower: light.sourcePower * power,
      radius: light.radius * scale,
      range: light.range * scale,
      areaSize: light.areaSize && [light.areaSize[0] * scale, light.areaSize[1] * scale],
    };
  };
  const placedCamera = (camera: SceneCamera): SceneCamera => ({
    ...camera,
    world: rigidFrame(placed(camera.world)),
    near: camera.near * scale,
    far: camera.far * scale,
  });
  const placedParallel = (camera: ParallelCamera): ParallelCamera => ({
    ...camera,
    world: rigidFrame(placed(camera.world)),
    halfWidth: camera.halfWidth * scale,
    halfHeight: camera.halfHeight * scale,
    near: camera.near * scale,
    far: camera.far * scale,
  });
  const { lights, cameras, parallelCameras, skeletons, skins, clips } = scene;
  return {
    ...scene,
    nodes: scene.nodes.map((node) => {
      const world = placed(node.world);
      return { ...node, local: node.parent < 0 ? world : node.local, world };
    }),
    ...(lights && { lights: lights.map(placedLight) }),
    ...(cameras && { cameras: cameras.map(placedCamera) }),
    ...(parallelCameras && { parallelCameras: parallelCameras.map(placedParallel) }),
    ...(skeletons && { skeletons: skeletons.map((one) => ({ ...one, root: placed(one.root) })) }),
    ...(skins && {
      skins: skins.map((skin) => (skin.bindSpace ? { ...skin, bindSpace: placed(skin.bindSpace) } : skin)),
    }),
    ...(clips && { clips: clips.map((clip) => placedClip(clip, scene.nodes, { placed, linear, scale })) }),
  };
}

interface Moved {
  /** Where a matrix in engine space goes. */
  readonly placed: (world: Mat4) => Mat4;
  /** Its rotation and scale. */
  readonly linear: Mat4;
  readonly scale: number;
}

/** A clip whose root nodes, which have no parent that is placed, move in the new place. */
function placedClip(clip: SceneClip, nodes: readonly SceneNode[], { placed, linear, scale }: Moved): SceneClip {
  const turn = quaternionOf(linear);
  const origin = placed(identity());
  const mapped = (curve: SceneCurve | null, map: (from: number[], isTangent: boolean) => readonly number[]) => {
    if (curve === null) return null;
    const { size } = curve;
    const values = new Float64Array(curve.values.length);
    for (let at = 0; at < values.length; at += size) {
      const isTangent = curve.interpolation === 'cubic' && (at / size) % 3 !== 1;
      values.set(map([...curve.values.subarray(at, at + size)], isTangent), at);
    }
    return { ...curve, values };
  };
  const channels = clip.channels.map((channel): SceneChannel => {
    const { target, translation, rotation, scale: scales } = channel;
    if (target.kind !== 'node' || nodes[target.node].parent >= 0) return channel;
    return {
      target,
      translation: mapped(translation, ([x, y, z], isTangent) =>
        [0, 1, 2].map((r) => linear[r] * x + linear[4 + r] * y + linear[8 + r] * z + (isTangent ? 0 : origin[12 + r])),
      ),
      rotation: mapped(rotation, (q) => multiplyQuaternions(turn, q)),
      scale: mapped(scales, (values) => values.map((value) => value * scale)),
    };
  });
  return { ...clip, channels };
}
