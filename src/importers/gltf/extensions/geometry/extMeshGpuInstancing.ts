// EXT_mesh_gpu_instancing: a node draws its mesh once for each element of up to three accessors.

import { type Accessors, FLOAT } from '../../data/accessors.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'EXT_mesh_gpu_instancing';

export const EXT_MESH_GPU_INSTANCING: Extension = {
  name: NAME,
  support: 'partial',
  effect:
    'Instances become nodes of one mesh. A skinned mesh is drawn once; attributes of instances other than their transforms are not read.',
  codes: ['UC1313', 'UC1316', 'UC1327'],
};

/** The accessors of the transforms of a node's instances; null for a node without instances. */
export function instancingOf(node: Element): Element | null {
  return node.extension(NAME)?.required('attributes') ?? null;
}

/** Three numbers, four and three for each instance; null for an accessor that is absent. */
export interface Instances {
  readonly count: number;
  readonly translations: Float32Array | null;
  /** Quaternions, xyzw. */
  readonly rotations: Float32Array | null;
  readonly scales: Float32Array | null;
}

/** UC1313 for accessors of other types or of different lengths. `ask` is called with a count before so many are read. */
export function readInstances(attributes: Element, accessors: Accessors, ask: (count: number) => void): Instances {
  const counts: number[] = [];
  const read = (semantic: string, type: string): Float32Array | null => {
    const index = attributes.index(semantic, accessors.list.length, 'accessors');
    if (index < 0) return null;
    const accessor = accessors.list[index];
    const float = accessor.componentType === FLOAT || (semantic === 'ROTATION' && accessor.normalized);
    if (accessor.type !== type || !float) {
      attributes.fail('UC1313', `${semantic} (${accessor.path}) is not ${type} of floats`);
    }
    if (counts.length === 0) ask(accessor.count);
    else if (accessor.count !== counts[0]) {
      attributes.fail('UC1313', `element counts differ: ${[...counts, accessor.count].join(', ')}`);
    }
    counts.push(accessor.count);
    return accessors.floats(index);
  };
  const translations = read('TRANSLATION', 'VEC3');
  const rotations = read('ROTATION', 'VEC4');
  const scales = read('SCALE', 'VEC3');
  // Without any of the three, all instances coincide: one is enough.
  const count = counts[0] ?? 1;
  return { count, translations, rotations, scales };
}
