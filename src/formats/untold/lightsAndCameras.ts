// Lights and cameras of a scene in the forms that the engine reads: records of a single file's chunks, and the manifest's
// `scene_lights` and `scene_cameras`. Both hold the same numbers as the engine's own exporter writes. The engine registers
// them only when it is asked to (loadSceneAuthored), never with a mesh or a tile. Tiles therefore have none: the engine
// would parse the copies of every tile and use none of them.

import type { Mat4, SceneCamera, SceneLight, Vec3 } from '../../scene/types.ts';
import type { Authored } from '../format.ts';
import type { UniqueNames } from '../uniqueNames.ts';
import { LIGHT_TYPES } from './container/records.ts';
import type { UntoldCamera, UntoldLight } from './types.ts';

/** The exporter's least radius and edge of a light, and the decoder's least distance of a clip plane, in metres. */
const MIN_LENGTH = 0.001;
/** The exporter's least half-angle of a cone, in degrees. */
const MIN_CONE = 0.1;
/** Values of fields that a kind of light does not use. */
const UNUSED = { innerCone: 5, outerCone: 10, areaSize: [1, 1], falloff: 0.5 } as const;

const column = (m: Mat4, c: number): Vec3 => [m[c * 4], m[c * 4 + 1], m[c * 4 + 2]];
/** The negated vector, with 0 in place of -0: equal numbers are written as equal bytes. */
const negative = (v: Vec3): Vec3 => [0 - v[0], 0 - v[1], 0 - v[2]];
const clamp01 = (value: number): number => Math.min(Math.max(value, 0), 1);

function lightRecord(light: SceneLight, entity: number, name: string): UntoldLight {
  const { kind, world, cone, areaSize: area } = light;
  const outerCone = cone ? Math.max(cone.outer, MIN_CONE) : UNUSED.outerCone;
  const areaSize = area ? ([Math.max(area[0], MIN_LENGTH), Math.max(area[1], MIN_LENGTH)] as const) : UNUSED.areaSize;
  return {
    entity,
    name,
    type: kind,
    castsShadow: light.castsShadow,
    radiometric: true,
    customDistance: light.range > 0,
    color: [clamp01(light.color[0]), clamp01(light.color[1]), clamp01(light.color[2])],
    intensity: light.intensity,
    position: column(world, 3),
    // The exporter gives an area light the longer edge as its radius.
    radius: area ? Math.max(...areaSize) : Math.max(light.radius, MIN_LENGTH),
    direction: negative(column(world, 2)),
    falloff: light.range,
    right: column(world, 0),
    innerCone: cone ? Math.min(Math.max(cone.inner, MIN_CONE), outerCone) : UNUSED.innerCone,
    up: column(world, 1),
    outerCone,
    areaSize,
    sourcePower: light.sourcePower,
    sourceExposure: light.sourceExposure,
    localTransform: world,
  };
}

function cameraRecord(camera: SceneCamera, entity: number, name: string): UntoldCamera {
  const { world } = camera;
  const nearClip = Math.max(camera.near, MIN_LENGTH);
  const forward = negative(column(world, 2));
  const localTransform = Float64Array.from(world);
  localTransform.set(forward, 8);
  return {
    entity,
    name,
    position: column(world, 3),
    fovYDegrees: camera.fovY,
    forward,
    nearClip,
    up: column(world, 1),
    // The engine raises clip planes to a millimetre at least. Both must not become equal by that.
    farClip: Math.max(camera.far, 2 * MIN_LENGTH),
    right: column(world, 0),
    aspectRatio: Math.max(camera.aspectRatio, MIN_LENGTH),
    localTransform,
  };
}

/**
 * Records of a file: names made unique among `names`, ids from `firstEntity` on, lights before cameras. Kinds of which
 * there are none are left out.
 */
export function authoredRecords(
  { lights = [], cameras = [] }: Authored,
  names: UniqueNames,
  firstEntity: number,
): { readonly lights?: readonly UntoldLight[]; readonly cameras?: readonly UntoldCamera[] } {
  let entity = firstEntity;
  const lightRecords = lights.map((light) => lightRecord(light, entity++, names.take(light.name, 'light')));
  const cameraRecords = cameras.map((camera) => cameraRecord(camera, entity++, names.take(camera.name, 'camera')));
  return {
    ...(lights.length > 0 ? { lights: lightRecords } : {}),
    ...(cameras.length > 0 ? { cameras: cameraRecords } : {}),
  };
}

/** Row by row, the translation in the fourth column. */
function rows(m: Mat4): number[][] {
  return [0, 1, 2, 3].map((r) => [m[r], m[4 + r], m[8 + r], m[12 + r]]);
}

function manifestLight(light: UntoldLight) {
  const type = Number(Object.entries(LIGHT_TYPES).find(([, name]) => name === light.type)?.[0]);
  return {
    entity_name: light.name,
    kind: light.type,
    light_type: type,
    color: light.color,
    intensity: light.intensity,
    position: light.position,
    radius: light.radius,
    range: light.falloff,
    direction: light.direction,
    falloff: UNUSED.falloff,
    right: light.right,
    inner_cone: light.innerCone,
    up: light.up,
    outer_cone: light.outerCone,
    area_size: light.areaSize,
    source_power: light.sourcePower,
    source_exposure: light.sourceExposure,
    casts_shadow: light.castsShadow,
    uses_radiometric_units: light.radiometric,
    local_transform_rows: rows(light.localTransform),
  };
}

function manifestCamera(camera: UntoldCamera) {
  return {
    entity_name: camera.name,
    position: camera.position,
    forward: camera.forward,
    up: camera.up,
    right: camera.right,
    fov_y_degrees: camera.fovYDegrees,
    near_clip: camera.nearClip,
    far_clip: camera.farClip,
    aspect_ratio: camera.aspectRatio,
    local_transform_rows: rows(camera.localTransform),
  };
}

/** The manifest's two lists; they are always there, empty where there is nothing. */
export function authoredLists(authored: Authored, names: UniqueNames) {
  const { lights = [], cameras = [] } = authoredRecords(authored, names, 0);
  return { scene_lights: lights.map(manifestLight), scene_cameras: cameras.map(manifestCamera) };
}
