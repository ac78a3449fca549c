// Attributes of nodes and components in scenes and prefabs, by the names under which the engine registers them. An attribute
// that is left out has the engine's default. Of several with one name the last counts (Serializable::LoadXML sets each in turn).

import { fail } from '../../../diagnostics/diagnostic.ts';
import { nameFault } from '../package/layout.ts';
import { numbersOf, type XmlElement } from './document.ts';

const UNREAD = 'material or scene that Urho3D does not read:';

/** By element its attributes by name: a node is asked for many, and may have any number. */
const known = new WeakMap<XmlElement, ReadonlyMap<string, XmlElement>>();

function attributesOf(element: XmlElement): ReadonlyMap<string, XmlElement> {
  const before = known.get(element);
  if (before) return before;
  const found = new Map<string, XmlElement>();
  for (const child of element.children) {
    const { name } = child.attributes;
    if (child.name === 'attribute' && name !== undefined) found.set(name, child);
  }
  known.set(element, found);
  return found;
}

const attributeOf = (from: XmlElement, wanted: string): XmlElement | undefined => attributesOf(from).get(wanted);

/** The value of an attribute; `instead` where there is none. */
export const textAttribute = (from: XmlElement, wanted: string, instead = ''): string =>
  attributeOf(from, wanted)?.attributes.value ?? instead;

/** As the engine reads truth: by the first letter of true, yes or 1 (StringUtils.cpp). */
export function flagAttribute(from: XmlElement, wanted: string, instead: boolean): boolean {
  const value = textAttribute(from, wanted);
  return value === '' ? instead : /^[ty1]/i.test(value);
}

/**
 * One of `values`, whose names the engine compares in any case. `instead` where there is no attribute; null for a name that is
 * none of them.
 */
export function enumAttribute<T>(
  from: XmlElement,
  wanted: string,
  values: ReadonlyMap<string, T>,
  instead: T,
): T | null {
  const name = attributeOf(from, wanted)?.attributes.value;
  return name === undefined ? instead : (values.get(name.toLowerCase()) ?? null);
}

/** As many numbers as `instead` has. Throws UC3971 for others. `place`: the node, for messages. */
export function numberAttributes(
  from: XmlElement,
  wanted: string,
  instead: readonly number[],
  file: string,
  place: string,
): readonly number[] {
  const text = attributeOf(from, wanted)?.attributes.value;
  if (text === undefined) return instead;
  const values = numbersOf(text, instead.length);
  if (values?.length === instead.length) return values;
  const count = instead.length === 1 ? 'a number' : `${instead.length} numbers`;
  return fail('UC3971', file, place, `${UNREAD} ${wanted} is ${JSON.stringify(text.slice(0, 80))}, not ${count}`);
}

/** Values of the variants that a list has, each with its type. */
export const variantsOf = (from: XmlElement, wanted: string): readonly XmlElement['attributes'][] =>
  (attributeOf(from, wanted)?.children ?? [])
    .filter(({ name }) => name === 'variant')
    .map(({ attributes }) => attributes);

/** The name of a resource that leads from a resource folder. Throws UC3974 for one that leads outside. */
export function requireResource(name: string, file: string, place: string): string {
  const fault = nameFault(name);
  return fault === null ? name : fail('UC3974', file, place, `the name ${JSON.stringify(name)} ${fault}`);
}

/** By attribute the names of its list: a prefab may be looked at any number of times. */
const lists = new WeakMap<XmlElement, { readonly most: number; readonly names: readonly (string | null)[] }>();

/**
 * The first names, `most` of them, behind the type of a list (`Material;a.xml;;b.xml`), null for an empty one. Throws UC3974.
 */
export function resourceAttribute(
  from: XmlElement,
  wanted: string,
  most: number,
  file: string,
  place: string,
): readonly (string | null)[] {
  const attribute = attributeOf(from, wanted);
  if (attribute === undefined) return [];
  const before = lists.get(attribute);
  if (before?.most === most) return before.names;
  const words = (attribute.attributes.value ?? '').split(';', most + 1).slice(1);
  const names = words.map((name) => (name === '' ? null : requireResource(name, file, place)));
  lists.set(attribute, { most, names });
  return names;
}
