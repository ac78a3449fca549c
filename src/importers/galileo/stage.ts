// A Galileo mesh as rows, for inspection: the skeletons that the file names, then its vertex groups with the arrays as the file has
// them, in its own space and under the names of its text.

import { SLICE_ARRAYS, type SliceArray } from '../../formats/galileo/layout.ts';
import { materialNames } from '../../formats/galileo/materials.ts';
import { readGalileo } from '../../formats/galileo/read.ts';
import { statedSkeletons } from '../../formats/galileo/skeletons.ts';
import type { GalileoGroup, GalileoMesh } from '../../formats/galileo/types.ts';
import { type Content, wholeOf } from '../content.ts';
import { shownArray } from '../shownValues.ts';
import type { StageDescription } from '../usd/index.ts';
import type { ShownAttribute, StagePrimRow } from '../usd/stageDocument.ts';

/** Throws SourceError with the errors of the file. */
export async function describeGalileo(path: string, content: Content): Promise<StageDescription> {
  const mesh = await readGalileo(wholeOf(content, path), path);
  return { kind: 'gali', rows: rowsOf(mesh) };
}

const row = (
  path: string,
  type: string,
  attributes: Record<string, ShownAttribute>,
  relationships: Record<string, readonly string[]>,
): StagePrimRow => ({ path, type, specifier: 'def', instance: false, attributes, relationships, arcs: [] });

function* rowsOf(mesh: GalileoMesh): Generator<StagePrimRow> {
  const names = materialNames(mesh);
  const stated = statedSkeletons(mesh);
  for (const [i, { name, joints }] of (stated?.skeletons ?? []).entries()) {
    const column = (type: string, of: (joint: (typeof joints)[number]) => string | number): ShownAttribute => ({
      type,
      value: shownArray(joints.length, (joint) => of(joints[joint])),
    });
    const attributes = {
      name: { type: 'string', value: name },
      joints: column('string[]', (joint) => joint.name),
      parents: column('int[]', ({ parent }) => parent),
    };
    yield row(`/skeleton_${i}`, 'skeleton', attributes, {});
  }
  for (const [i, group] of mesh.groups.entries()) {
    const material = names?.[i] ?? null;
    const skeleton = stated?.groups[i] ?? null;
    yield row(`/group_${i}`, 'vertex group', arraysOf(group), {
      ...(material === null ? {} : { material: [material] }),
      ...(skeleton === null ? {} : { skeleton: [`/skeleton_${skeleton}`] }),
    });
  }
}

/** The arrays of a group; channels of one attribute are numbered. */
function arraysOf(group: GalileoGroup): Record<string, ShownAttribute> {
  const shown: Record<string, ShownAttribute> = {};
  for (const [name, kind] of SLICE_ARRAYS) {
    const given = group[name];
    if (ArrayBuffer.isView(given)) shown[name] = shownColumn(given, kind);
    else for (const [channel, values] of given.entries()) shown[`${name}/${channel}`] = shownColumn(values, kind);
  }
  return shown;
}

function shownColumn(
  values: Float32Array | Uint32Array | Uint16Array | Uint8Array,
  { scalar, components }: SliceArray,
): ShownAttribute {
  const element = (i: number) =>
    components === 1 ? values[i] : [...values.subarray(i * components, (i + 1) * components)];
  const type = components === 1 ? `${scalar}[]` : `${scalar}[${components}][]`;
  return { type, value: shownArray(values.length / components, element) };
}
