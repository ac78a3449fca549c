// What targets that hold little but geometry leave out of a scene: one finding a kind.

import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { PreparedMaterials } from '../textures/types.ts';
import type { Authored } from './format.ts';

/** "1 light", "2 lights" */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** UC2330: lights. UC2331: cameras. `file`: for messages. */
export function lostOfLights({ lights = [], cameras = [] }: Authored, file: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (lights.length > 0)
    found.push(diagnostic('UC2330', file, lights[0].path, `left out ${counted(lights.length, 'light')}`));
  if (cameras.length > 0)
    found.push(diagnostic('UC2331', file, cameras[0].path, `left out ${counted(cameras.length, 'camera')}`));
  return found;
}

/** "1 skeleton and 2 clips"; null: there is no skeleton. */
function lostRig({ skeletons = [], clips = [] }: Authored): string | null {
  if (skeletons.length === 0) return null;
  return `${counted(skeletons.length, 'skeleton')} and ${counted(clips.length, 'clip')}`;
}

/** UC2330: lights. UC2331: cameras. UC2332: skeletons and clips. `file`: for messages. */
export function lostOfScene(authored: Authored, file: string): Diagnostic[] {
  const rig = lostRig(authored);
  return [
    ...lostOfLights(authored, file),
    ...(rig === null ? [] : [diagnostic('UC2332', file, '', `${rig}: the meshes stand as they are bound`)]),
  ];
}

/** UC2338: skeletons and clips, for a target whose vertices keep the numbers and weights of their joints. */
export function lostPoses(authored: Authored, file: string): Diagnostic[] {
  const rig = lostRig(authored);
  const kept = 'the names of joints are kept, and the meshes stand as they are bound';
  return rig === null ? [] : [diagnostic('UC2338', file, '', `${rig}: ${kept}`)];
}

/** UC2333: materials of which the name alone is kept. */
export function lostOfMaterials({ materials }: Pick<PreparedMaterials, 'materials'>, file: string): Diagnostic[] {
  if (materials.length === 0) return [];
  return [diagnostic('UC2333', file, '', `${counted(materials.length, 'material')}: the names alone are kept`)];
}

/** UC2337: height maps, for a target that has no place for them. `count`: materials with one. */
export function lostHeights(count: number, file: string): Diagnostic[] {
  return count === 0
    ? []
    : [diagnostic('UC2337', file, '', `left out the height maps of ${counted(count, 'material')}`)];
}

/** UC2334: textures, for a target that holds none. */
export function lostTextures({ textures }: Pick<PreparedMaterials, 'textures'>, file: string): Diagnostic[] {
  if (textures.length === 0) return [];
  return [diagnostic('UC2334', file, '', `left out ${counted(textures.length, 'texture')}`)];
}
