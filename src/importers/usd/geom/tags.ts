// Tags for the tiling on prims: custom attributes `userProperties:untold_*`, as Blender writes an object's custom
// properties, or entries of customData by the same names, bare too.

import { type NodeTags, readTags, TAG_KEYS } from '../../../scene/tags.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { textOf } from '../compose/values/values.ts';
import type { Value } from '../layer.ts';
import type { Notes } from '../notes.ts';

const NAMES = TAG_KEYS.flatMap((key) => [key, `userProperties:${key}`]);

/** The prim's own tags; null for none. Attributes are stronger than customData. UC2210 for values that are not known. */
export function tagsOf(prim: StagePrim, notes: Notes): NodeTags | null {
  const data = prim.metadata('customData');
  const entries = data?.type === 'Dictionary' ? (data.value as ReadonlyMap<string, Value>) : null;
  const properties: (readonly [string, unknown])[] = [];
  const add = (name: string, value: Value | null | undefined) => {
    // What is no text is refused by its kind.
    if (value) properties.push([name, textOf(value) ?? value.value]);
  };
  for (const name of NAMES) add(name, entries?.get(name));
  for (const name of NAMES) add(name, prim.attribute(name)?.get()?.value);
  if (properties.length === 0) return null;
  const { tags, unknown } = readTags(properties);
  for (const what of unknown) notes.report('UC2210', prim.path, what);
  return tags;
}
