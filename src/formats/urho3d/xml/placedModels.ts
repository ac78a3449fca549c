// The models that a scene of Urho3D places, with their materials, in engine space. Attributes as scene.ts writes them; those
// that a node leaves out have the engine's defaults.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { identity, multiply } from '../../../scene/matrix.ts';
import { fromParts } from '../../../scene/quaternion.ts';
import type { Mat4 } from '../../../scene/types.ts';
import { rotationFromUrho3d } from '../axes.ts';
import { parseXml, type XmlElement } from './document.ts';

export interface PlacedModel {
  /** Of the node; may be empty. */
  readonly name: string;
  /** Resource name. */
  readonly model: string;
  /** Resource names by geometry, as far as the scene states them; null where it states none. */
  readonly materials: readonly (string | null)[];
  readonly world: Mat4;
}

const MODELS = ['StaticModel', 'AnimatedModel'];

function attributeOf({ children }: XmlElement, wanted: string): string | null {
  const found = children.find(({ name, attributes }) => name === 'attribute' && attributes.name === wanted);
  return found?.attributes.value ?? null;
}

function numbersOf(node: XmlElement, wanted: string, instead: readonly number[], file: string): readonly number[] {
  const text = attributeOf(node, wanted);
  if (text === null) return instead;
  const values = text.trim().split(/\s+/).map(Number);
  if (values.length === instead.length && values.every(Number.isFinite)) return values;
  return fail(
    'UC3971',
    file,
    'node',
    `material or scene that Urho3D does not read: ${wanted} is "${text.slice(0, 80)}"`,
  );
}

/** Mirrored at Z, as all of Urho3D's space is. */
function localOf(node: XmlElement, file: string): Mat4 {
  const [x, y, z] = numbersOf(node, 'Position', [0, 0, 0], file);
  const rotation = rotationFromUrho3d(numbersOf(node, 'Rotation', [1, 0, 0, 0], file));
  return fromParts([x, y, 0 - z], rotation, numbersOf(node, 'Scale', [1, 1, 1], file));
}

/** Names behind the type of a list: `Material;a.xml;;b.xml`. */
const namesOf = (list: string | null): (string | null)[] =>
  (list ?? '')
    .split(';')
    .slice(1)
    .map((name) => name || null);

/** In the order of the document. Throws UC3960 and UC3971. */
export function placedModels(bytes: Uint8Array, file: string): readonly PlacedModel[] {
  const root = parseXml(bytes, file);
  if (root.name !== 'scene')
    fail('UC3971', file, '', `material or scene that Urho3D does not read: the document is a <${root.name}>`);
  const models: PlacedModel[] = [];
  const visit = ({ children }: XmlElement, above: Mat4): void => {
    for (const node of children) {
      if (node.name !== 'node') continue;
      const world = multiply(above, localOf(node, file));
      for (const component of node.children) {
        if (component.name !== 'component' || !MODELS.includes(component.attributes.type ?? '')) continue;
        const [model] = namesOf(attributeOf(component, 'Model'));
        if (!model) continue;
        const materials = namesOf(attributeOf(component, 'Material'));
        models.push({ name: attributeOf(node, 'Name') ?? '', model, materials, world });
      }
      visit(node, world);
    }
  };
  visit(root, identity());
  return models;
}
