// What readers of a GLB rely on in its JSON: lists are lists, and every reference leads to an element. Nothing else is read
// before that is known.

import { GLTF_LAYER_NAMES, layerKind } from '../../scene/gltfMaterial.ts';
import { FILE_SLOTS, slotKind } from '../../scene/materialSlots.ts';
import type { Findings } from '../findings.ts';
import { DRACO, IMAGE_EXTENSIONS, LIGHTS, VARIANTS } from './layout.ts';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A GLB of ours has seven levels, another one may have a few more in its `extras`. Messages print values: that recurses. */
const MAX_LEVELS = 64;

function isShallow(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((below) => isShallow(below, levels - 1));
}

/** Where materials refer to textures, each place once: two slots may share one. */
const TEXTURE_PATHS = new Set(
  FILE_SLOTS.flatMap((slot) => slotKind(slot).gltf ?? []).map(({ holder, key }) =>
    ['materials/[]', ...holder, key, 'index!'].join('/'),
  ),
);

const LAYER_PATHS = GLTF_LAYER_NAMES.flatMap((name) =>
  Object.keys(layerKind(name).textures).map((key) => `materials/[]/extensions/${name}/${key}/index!`),
);

/**
 * Paths of the JSON with what stands there: an index of the list that is named, so many numbers (0: any number of them), or
 * null, something that is looked at later. `[]`: each element of a list. `{}`: each property of an object. `!`: not optional.
 */
const PARTS: readonly (readonly [path: string, holds: string | number | null])[] = [
  ['extensionsUsed/[]', null],
  ['extensionsRequired/[]', null],
  ['buffers/[]/byteLength', null],
  ['bufferViews/[]/byteLength', null],
  ['accessors/[]/bufferView', 'bufferViews'],
  ['accessors/[]/min', 0],
  ['accessors/[]/max', 0],
  ['images/[]/bufferView!', 'bufferViews'],
  ['textures/[]/source', 'images'],
  ...IMAGE_EXTENSIONS.map((name) => [`textures/[]/extensions/${name}/source!`, 'images'] as const),
  ['materials/[]/pbrMetallicRoughness/baseColorFactor', 4],
  ['materials/[]/emissiveFactor', 3],
  ...LAYER_PATHS.map((path) => [path, 'textures'] as const),
  ...[...TEXTURE_PATHS].map((path) => [path, 'textures'] as const),
  ['meshes/[]/primitives!/[]/attributes!/{}', 'accessors'],
  ['meshes/[]/primitives!/[]/indices!', 'accessors'],
  ['meshes/[]/primitives!/[]/targets/[]/{}', 'accessors'],
  ['meshes/[]/primitives!/[]/material', 'materials'],
  ['meshes/[]/weights', 0],
  [`meshes/[]/primitives!/[]/extensions/${VARIANTS}/mappings!/[]/material!`, 'materials'],
  [`meshes/[]/primitives!/[]/extensions/${VARIANTS}/mappings!/[]/variants!/[]`, `extensions/${VARIANTS}/variants`],
  [`meshes/[]/primitives!/[]/extensions/${DRACO}/bufferView!`, 'bufferViews'],
  [`meshes/[]/primitives!/[]/extensions/${DRACO}/attributes!/{}`, null],
  ['cameras/[]/type', null],
  ['skins/[]/joints!/[]', 'nodes'],
  ['skins/[]/inverseBindMatrices', 'accessors'],
  ['nodes/[]/children/[]', 'nodes'],
  ['nodes/[]/mesh', 'meshes'],
  ['nodes/[]/skin', 'skins'],
  ['nodes/[]/camera', 'cameras'],
  [`nodes/[]/extensions/${LIGHTS}/light!`, `extensions/${LIGHTS}/lights`],
  ['nodes/[]/matrix', 16],
  ['nodes/[]/translation', 3],
  ['nodes/[]/rotation', 4],
  ['nodes/[]/scale', 3],
  ['animations/[]/samplers!/[]/input!', 'accessors'],
  ['animations/[]/samplers!/[]/output!', 'accessors'],
  ['animations/[]/channels!/[]/sampler!', 'animations/[]/samplers'],
  ['animations/[]/channels!/[]/target!/node', 'nodes'],
  ['scenes/[]/nodes/[]', 'nodes'],
  ['scene', 'scenes'],
];

type Path = readonly (string | number)[];

function valueAt(json: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], json);
}

/** Reports UC3703 for parts that are of another kind than glTF's, and UC3704 for references that lead nowhere. */
export function checkStructure(json: unknown, findings: Findings): void {
  if (isShallow(json)) for (const [path, holds] of PARTS) checkPart(json, path.split('/'), holds, findings);
  else findings.report('UC3703', 'chunk 0', `lists and objects lie in each other more than ${MAX_LEVELS} deep`);
}

function checkPart(json: unknown, keys: readonly string[], holds: string | number | null, findings: Findings): void {
  const at: (string | number)[] = [];
  const fault = (why: string) => findings.report('UC3703', at.join('/'), why);
  const checkNumbers = (value: unknown, count: number) => {
    const isSound = Array.isArray(value) && value.every(Number.isFinite) && (count === 0 || value.length === count);
    if (!isSound) fault(`it is no list of ${count || 'any'} numbers`);
  };
  const checkIndex = (value: unknown, list: readonly string[]) => {
    // A list below an element of another one is that of the same element.
    const own = valueAt(
      json,
      list.map((key, i) => (key === '[]' ? at[i] : key)),
    );
    const length = Array.isArray(own) ? own.length : 0;
    if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < length) return;
    findings.report('UC3704', at.join('/'), `${JSON.stringify(value)} of ${length} ${list.at(-1)}`);
  };
  const below = (name: string | number, value: unknown): void => {
    at.push(name);
    visit(value);
    at.pop();
  };
  const list = typeof holds === 'string' ? holds.split('/') : [];
  const visit = (value: unknown): void => {
    const key = keys[at.length];
    if (key === undefined) {
      if (typeof holds === 'number') checkNumbers(value, holds);
      else if (holds !== null) checkIndex(value, list);
    } else if (key === '[]') {
      if (!Array.isArray(value) || value.length === 0) fault('it is no list with elements');
      else for (const [i, child] of value.entries()) below(i, child);
    } else if (!isObject(value)) {
      fault('it is no object');
    } else if (key === '{}') {
      for (const [name, child] of Object.entries(value)) below(name, child);
    } else {
      const name = key.replace('!', '');
      if (value[name] !== undefined || name !== key) below(name, value[name]);
    }
  };
  visit(json);
}
