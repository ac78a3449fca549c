// Reads the tags for the tiling from prims: custom attributes `userProperties:untold_*`, as Blender writes the custom
// properties of an object, `untold_*`, or entries of customData with these names.

import { type NodeTags, readTags, TAG_KEYS } from '../../../scene/tags.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { textOf } from '../compose/values/values.ts';
import type { Value } from '../layer.ts';
import type { Notes } from '../notes.ts';

const NAMES = TAG_KEYS.flatMap((key) => [key, `userProperties:${key}`]);

/** The tags of a prim; null for none. Attributes are stronger than customData. Reports UC2210 for unknown values. */
export function tagsOf(prim: StagePrim, notes: Notes): NodeTags | null {
  const data = prim.metadata('customData');
  const entries = data?.type === 'Dictionary' ? (data.value as ReadonlyMap<string, Value>) : null;
  const properties: (readonly [string, unknown])[] = [];
  const add = (name: string, value: Value | null | undefined) => {
    // `readTags` refuses values that are not text by their type.
    if (value) properties.push([name, textOf(value) ?? value.value]);
  };
  for (const name of NAMES) add(name, entries?.get(name));
  for (const name of NAMES) add(name, prim.attribute(name)?.get()?.value);
  if (properties.length === 0) return null;
  const { tags, unknown } = readTags(properties);
  for (const what of unknown) notes.report('UC2210', prim.path, what);
  return tags;
}
