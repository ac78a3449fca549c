// Prefabs of rbfx, an offspring of the engine: a component PrefabReference names a document, and what its root has is added to
// the node of the component (Scene/PrefabReference.cpp there). Each document is read once. A small file may stand for many
// nodes: what all of them bring in has a limit.

import { fail } from '../../diagnostics/diagnostic.ts';
import { textAttribute } from '../../formats/urho3d/xml/attributes.ts';
import type { XmlElement } from '../../formats/urho3d/xml/document.ts';
import { readSceneRoot } from '../../formats/urho3d/xml/scene.ts';
import type { SourceFiles } from '../files.ts';

/** Prefabs that stand in each other, at most: each may nest as deep as a document. */
const MAX_NESTED = 16;
/** Elements and bytes of prefabs, counted once for each reference: so much is looked at. */
const MAX_ELEMENTS = 5_000_000;
const MAX_BYTES = 256 * 2 ** 20;

interface Prefab {
  readonly root: XmlElement;
  readonly elements: number;
  readonly bytes: number;
}

const elementCount = ({ children }: XmlElement): number =>
  children.reduce((sum, child) => sum + elementCount(child), 1);

const nodesOf = ({ children }: XmlElement): XmlElement[] => children.filter(({ name }) => name === 'node');

/**
 * The node of a prefab that a reference means: of a scene the first, or what its attribute Path leads to, by names or by numbers
 * ("#1") of nodes below (NodePrefab::FindChild). Null: there is none.
 */
export function prefabNode(root: XmlElement, path: string): XmlElement | null {
  let node: XmlElement | undefined = root.name === 'scene' ? nodesOf(root)[0] : root;
  for (const step of path === '' ? [] : path.split('/')) {
    if (!node) return null;
    const below = nodesOf(node);
    node = step.startsWith('#')
      ? below[Number.parseInt(step.slice(1), 10) || 0]
      : below.find((one) => step !== '' && textAttribute(one, 'Name') === step);
  }
  return node ?? null;
}

export class Prefabs {
  readonly #source: string;
  readonly #files: SourceFiles;
  readonly #known = new Map<string, Prefab>();
  #elements = 0;
  #bytes = 0;

  /** `source`: the scene. */
  constructor(source: string, files: SourceFiles) {
    this.#source = source;
    this.#files = files;
  }

  /**
   * The root of a prefab for one more reference. `around`: the documents around it, the one that names it last. Throws what
   * reading it throws, UC2489 where prefabs do not end, UC3960 beyond a limit.
   */
  root(file: string, name: string, around: readonly string[], place: string): XmlElement {
    const from = around[around.length - 1];
    if (around.includes(file) || around.length > MAX_NESTED) {
      const why = around.includes(file) ? 'holds itself' : `stands in ${MAX_NESTED} others`;
      fail('UC2489', from, place, `the prefab "${name}" ${why}`);
    }
    let known = this.#known.get(file);
    if (!known) {
      const bytes = this.#files.read(file, from, place);
      const root = readSceneRoot(bytes, file);
      known = { root, elements: elementCount(root), bytes: bytes.length };
      this.#known.set(file, known);
    }
    this.#elements += known.elements;
    this.#bytes += known.bytes;
    if (this.#elements > MAX_ELEMENTS || this.#bytes > MAX_BYTES) {
      const most = this.#elements > MAX_ELEMENTS ? `${MAX_ELEMENTS} elements` : `${MAX_BYTES} bytes`;
      fail(
        'UC3960',
        this.#source,
        place,
        `material or scene too large: up to here its prefabs bring in more than ${most}`,
      );
    }
    return known.root;
  }
}
