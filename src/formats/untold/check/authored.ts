// Checks what a file may hold in addition to meshes: materials' own rules, lights, cameras, LUTs,
// muscles. rigs.ts, animation.ts and morphs.ts check the rest of it.
// Ranges and values that the table of records cannot state. Rules: the engine's loader, its exporter's conventions.

import { MIN_BASE_COLOR } from '../../../engine/materials.ts';
import type { Findings } from '../../findings.ts';
import {
  ALPHA_MODE_MASK,
  ALPHA_MODES,
  CAMERA,
  CHUNK,
  COLOR_GRADE_LUT,
  COLOR_MANAGEMENT,
  LIGHT,
  MATERIAL,
  MUSCLE,
  TEXTURE,
  TEXTURE_FLAGS,
  TEXTURE_FORMAT_RGBA16_FLOAT,
  VERSION_WITH_EMISSION,
} from '../container/records.ts';
import { recordPath, type Tables } from '../container/tables.ts';
import { NONE } from '../types.ts';
import { checkAnimation } from './animation.ts';
import type { EntityGraph } from './entities.ts';
import { checkMorphs } from './morphs.ts';
import { checkRigs } from './rigs.ts';

function checkMaterials(tables: Tables, findings: Findings): void {
  const table = tables.table(MATERIAL, CHUNK.material);
  for (let i = 0; i < table.length; i++) {
    const { flags, baseColorFactor, emissiveFactor, transmissionFactor, baseColorTextureIndex } = table.get(i);
    const path = recordPath(CHUNK.material, i);
    const alphaMode = flags & ALPHA_MODE_MASK;
    if (!(alphaMode in ALPHA_MODES)) findings.report('UC3003', path, `unknown alpha mode: alpha mode ${alphaMode}`);
    if (tables.version < VERSION_WITH_EMISSION && emissiveFactor.some((v) => v !== 0)) {
      findings.report(
        'UC3103',
        path,
        `emissive factor ${emissiveFactor.map((v) => Number(v.toPrecision(6))).join(' ')}`,
      );
    }
    // NaN is another finding; it must not be reported here too.
    if (transmissionFactor < 0 || transmissionFactor > 1) {
      findings.report(
        'UC3065',
        path,
        `material value out of range: transmission ${Number(transmissionFactor.toPrecision(6))}`,
      );
    }
    if (baseColorFactor.slice(0, 3).every((v) => v < MIN_BASE_COLOR)) {
      const drawn =
        baseColorTextureIndex === NONE
          ? 'it has no texture: earlier versions of the engine draw it white, the newest black'
          : 'the engine will draw its texture as it is, not black';
      findings.report('UC3104', path, drawn);
    }
  }
}

const isAngle = (degrees: number): boolean => degrees >= 0 && degrees <= 180;

function checkLights(tables: Tables, findings: Findings): void {
  const table = tables.table(LIGHT, CHUNK.light);
  for (let i = 0; i < table.length; i++) {
    const { intensity, radius, areaSize, innerCone, outerCone } = table.get(i);
    const path = recordPath(CHUNK.light, i);
    // NaN is another finding; it must not be reported here too.
    if (intensity < 0 || radius < 0 || areaSize.some((v) => v < 0)) {
      findings.report(
        'UC3065',
        path,
        `light value out of range: intensity ${intensity}, radius ${radius}, area ${areaSize.join(' x ')}`,
      );
    }
    if (Number.isFinite(innerCone + outerCone) && !(isAngle(innerCone) && isAngle(outerCone))) {
      findings.report('UC3065', path, `light value out of range: cones of ${innerCone} and ${outerCone} degrees`);
    }
  }
}

function checkCameras(tables: Tables, findings: Findings): void {
  const table = tables.table(CAMERA, CHUNK.camera);
  for (let i = 0; i < table.length; i++) {
    const { fovYDegrees: fov, nearClip, farClip, aspectRatio } = table.get(i);
    const path = recordPath(CHUNK.camera, i);
    if (fov <= 0 || fov >= 180)
      findings.report('UC3065', path, `camera value out of range: field of view ${fov} degrees`);
    if (nearClip <= 0 || farClip <= nearClip)
      findings.report('UC3065', path, `camera value out of range: clip planes ${nearClip} and ${farClip}`);
    if (aspectRatio <= 0) findings.report('UC3065', path, `camera value out of range: aspect ${aspectRatio}`);
  }
}

const MIN_LUT_SIZE = 2;
const MAX_LUT_SIZE = 64;
const MAX_CUBE_SIZE = 129;

function checkLuts(tables: Tables, findings: Findings): void {
  const management = tables.table(COLOR_MANAGEMENT, CHUNK.colorManagement);
  const textures = tables.table(TEXTURE, CHUNK.texture);
  for (let i = 0; i < management.length; i++) {
    const { lutTextureIndex, lutSize: n, gamma, shaperMinStops, shaperMaxStops } = management.get(i);
    const path = recordPath(CHUNK.colorManagement, i);
    if (n < MIN_LUT_SIZE || n > MAX_LUT_SIZE)
      findings.report('UC3067', path, `colour management record invalid: LUT size ${n}`);
    if (gamma <= 0) findings.report('UC3067', path, `colour management record invalid: gamma ${gamma}`);
    if (shaperMaxStops <= shaperMinStops) {
      findings.report('UC3067', path, `colour management record invalid: stops ${shaperMinStops} to ${shaperMaxStops}`);
    }
    if (lutTextureIndex === NONE) findings.report('UC3067', path, 'colour management record invalid: no LUT texture');
    if (lutTextureIndex >= textures.length) continue;
    const { textureFormat, flags, mipCount, width, height } = textures.get(lutTextureIndex);
    if (textureFormat !== TEXTURE_FORMAT_RGBA16_FLOAT || mipCount !== 1 || (flags & TEXTURE_FLAGS.lut) === 0) {
      findings.report(
        'UC3067',
        path,
        `colour management record invalid: texture ${lutTextureIndex} is no rgba16Float LUT with one mip`,
      );
    }
    if (width !== n * n || height !== n) {
      findings.report(
        'UC3067',
        path,
        `colour management record invalid: texture ${lutTextureIndex} is ${width}x${height}, not ${n * n}x${n}`,
      );
    }
  }
  const grade = tables.table(COLOR_GRADE_LUT, CHUNK.colorGradeLUT);
  for (let i = 0; i < grade.length; i++) {
    const { lutUriOffset, lutSize, domainMin, domainMax } = grade.get(i);
    const path = recordPath(CHUNK.colorGradeLUT, i);
    if (lutUriOffset === NONE) findings.report('UC3067', path, 'colour grade LUT record invalid: names no file');
    if (lutSize < MIN_LUT_SIZE || lutSize > MAX_CUBE_SIZE)
      findings.report('UC3067', path, `colour grade LUT record invalid: LUT size ${lutSize}`);
    if (domainMin.some((low, a) => domainMax[a] <= low)) {
      findings.report(
        'UC3067',
        path,
        `colour grade LUT record invalid: domain ${domainMin.join(' ')} to ${domainMax.join(' ')}`,
      );
    }
  }
}

function checkMuscles(tables: Tables, graph: EntityGraph, findings: Findings): void {
  const table = tables.table(MUSCLE, CHUNK.muscle);
  const skeletonOf = table.column('skeletonEntityId');
  for (let i = 0; i < table.length; i++) {
    const id = skeletonOf(i);
    if (!graph.indexOfId.has(id)) {
      findings.report(
        'UC3034',
        recordPath(CHUNK.muscle, i),
        `record refers to a missing entity: no entity has the id ${id}`,
      );
    }
  }
}

/** UC3003, UC3034, UC3065, UC3067, UC3103, UC3104, UC3120, UC3131 and UC3132. */
export function checkAuthored(tables: Tables, graph: EntityGraph, findings: Findings): void {
  checkMaterials(tables, findings);
  checkLights(tables, findings);
  checkCameras(tables, findings);
  checkLuts(tables, findings);
  checkRigs(tables, graph, findings);
  checkAnimation(tables, findings);
  checkMorphs(tables, findings);
  checkMuscles(tables, graph, findings);
}
