// A set of tiles as a source: which payloads make the scene, and the lights and cameras that the manifest holds.

import { dirname, join } from 'node:path';
import { SourceError } from '../../diagnostics/diagnostic.ts';
import { tilesOf } from '../../formats/manifest/tiles.ts';
import { validateManifest } from '../../formats/manifest/validate.ts';
import type { UntoldCamera, UntoldLight } from '../../formats/untold/types.ts';
import type { Vec2, Vec3 } from '../../scene/types.ts';
import type { SourceFiles } from '../files.ts';

export interface ReadSet {
  /** Full detail and the shared bucket; levels are left out. */
  readonly tiles: readonly { readonly id: string; readonly path: string }[];
  readonly lights: readonly UntoldLight[];
  readonly cameras: readonly UntoldCamera[];
}

type Loose = Readonly<Record<string, unknown>>;

const numberOf = (value: unknown, instead: number): number => (Number.isFinite(value) ? (value as number) : instead);
const numbersOf = (value: unknown, instead: readonly number[]): number[] =>
  instead.map((other, k) => numberOf(Array.isArray(value) ? value[k] : undefined, other));

/** Rows of a matrix as columns; the identity for anything else. */
function matrixOf(rows: unknown): Float64Array {
  const matrix = new Float64Array(16);
  for (let r = 0; r < 4; r++) {
    for (let c = 0; c < 4; c++) {
      const row: unknown = Array.isArray(rows) ? rows[r] : undefined;
      matrix[c * 4 + r] = numberOf(Array.isArray(row) ? row[c] : undefined, r === c ? 1 : 0);
    }
  }
  return matrix;
}

const KINDS: readonly string[] = ['directional', 'point', 'spot', 'area'] satisfies UntoldLight['type'][];

function lightOf(entry: Loose): UntoldLight[] {
  if (!KINDS.includes(entry.kind as string)) return [];
  const range = numberOf(entry.range, 0);
  const intensity = numberOf(entry.intensity, 0);
  const vec3 = (name: string, instead: Vec3): Vec3 => numbersOf(entry[name], instead) as unknown as Vec3;
  return [
    {
      entity: 0,
      name: typeof entry.entity_name === 'string' ? entry.entity_name : '',
      type: entry.kind as UntoldLight['type'],
      castsShadow: entry.casts_shadow === true,
      radiometric: entry.uses_radiometric_units === true,
      customDistance: range > 0,
      color: vec3('color', [1, 1, 1]),
      intensity,
      position: vec3('position', [0, 0, 0]),
      radius: numberOf(entry.radius, 0),
      direction: vec3('direction', [0, 0, -1]),
      falloff: range,
      right: vec3('right', [1, 0, 0]),
      innerCone: numberOf(entry.inner_cone, 5),
      up: vec3('up', [0, 1, 0]),
      outerCone: numberOf(entry.outer_cone, 10),
      areaSize: numbersOf(entry.area_size, [1, 1]) as unknown as Vec2,
      sourcePower: numberOf(entry.source_power, intensity),
      sourceExposure: numberOf(entry.source_exposure, 0),
      localTransform: matrixOf(entry.local_transform_rows),
    },
  ];
}

function cameraOf(entry: Loose): UntoldCamera[] {
  const [fovYDegrees, nearClip, farClip] = [entry.fov_y_degrees, entry.near_clip, entry.far_clip].map((value) =>
    numberOf(value, 0),
  );
  if (!(fovYDegrees > 0 && fovYDegrees < 180 && nearClip > 0 && farClip > nearClip)) return [];
  const vec3 = (name: string, instead: Vec3): Vec3 => numbersOf(entry[name], instead) as unknown as Vec3;
  return [
    {
      entity: 0,
      name: typeof entry.entity_name === 'string' ? entry.entity_name : '',
      position: vec3('position', [0, 0, 0]),
      fovYDegrees,
      forward: vec3('forward', [0, 0, -1]),
      nearClip,
      up: vec3('up', [0, 1, 0]),
      farClip,
      right: vec3('right', [1, 0, 0]),
      aspectRatio: numberOf(entry.aspect_ratio, 1.5),
      localTransform: matrixOf(entry.local_transform_rows),
    },
  ];
}

const listOf = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];

/** Throws SourceError with the errors of the manifest, and for payloads that are not there or were changed. */
export async function readSet(path: string, text: string, files: SourceFiles): Promise<ReadSet> {
  const folder = dirname(path);
  const { manifest, diagnostics } = await validateManifest(text, path, {
    size: (relative) => {
      const place = join(folder, relative);
      return files.exists(place) ? files.open(place, path, '').size : null;
    },
    read: (relative) => files.read(join(folder, relative), path, ''),
  });
  // A texture that is missing is judged where it is read, as the options say.
  const errors = diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'UC3108');
  if (manifest === null || errors.length > 0) throw new SourceError(errors);
  const { scene_lights: lights, scene_cameras: cameras } = manifest as unknown as Loose;
  return {
    tiles: tilesOf(manifest).tiles.map(({ id, full }) => ({ id, path: full })),
    lights: listOf(lights).flatMap(lightOf),
    cameras: listOf(cameras).flatMap(cameraOf),
  };
}
