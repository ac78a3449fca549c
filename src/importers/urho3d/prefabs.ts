// The documents of prefabs, each read once. A small file may stand for many nodes: what all of them bring in has a limit.

import { fail } from '../../diagnostics/diagnostic.ts';
import type { XmlElement } from '../../formats/urho3d/xml/document.ts';
import { readSceneRoot } from '../../formats/urho3d/xml/scene.ts';
import type { SourceFiles } from '../files.ts';

/** Elements of prefabs, counted once for each node that stands for one: so much is looked at. */
const MAX_ELEMENTS = 5_000_000;

const elementCount = ({ children }: XmlElement): number =>
  children.reduce((sum, child) => sum + elementCount(child), 1);

export class Prefabs {
  readonly #source: string;
  readonly #files: SourceFiles;
  readonly #known = new Map<string, { readonly root: XmlElement; readonly elements: number }>();
  #elements = 0;

  /** `source`: the scene. */
  constructor(source: string, files: SourceFiles) {
    this.#source = source;
    this.#files = files;
  }

  /** The root of a prefab for one more node. Throws what reading it throws, and UC3960 beyond the limit. */
  root(file: string, from: string, place: string): XmlElement {
    let known = this.#known.get(file);
    if (!known) {
      const root = readSceneRoot(this.#files.read(file, from, place), file);
      known = { root, elements: elementCount(root) };
      this.#known.set(file, known);
    }
    this.#elements += known.elements;
    if (this.#elements > MAX_ELEMENTS) {
      const what = `up to here its prefabs bring in more than ${MAX_ELEMENTS} elements`;
      fail('UC3960', this.#source, place, `material or scene too large: ${what}`);
    }
    return known.root;
  }
}
