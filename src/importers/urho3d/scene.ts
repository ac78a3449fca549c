// Scenes and prefabs of Urho3D as sources: nodes, the models that stand there with their materials, lights and cameras.

import { basename, extname } from 'node:path';
import { flagAttribute, resourceAttribute, textAttribute, variantsOf } from '../../formats/urho3d/xml/attributes.ts';
import type { XmlElement } from '../../formats/urho3d/xml/document.ts';
import { readSceneRoot } from '../../formats/urho3d/xml/scene.ts';
import type { Scene, SceneCamera, SceneLight } from '../../scene/types.ts';
import { wholeOf } from '../content.ts';
import type { ImportContext, Importer } from '../importer.ts';
import { AnimatedModels } from './animatedModels.ts';
import { Findings } from './findings.ts';
import { type Component, cameraOf, lightOf, type Taken } from './lightsAndCameras.ts';
import { MissingFiles } from './missing.ts';
import { Materials, type StatedMaterials } from './modelMaterials.ts';
import { type LoadedModel, Models } from './models.ts';
import { SceneNodes } from './nodes.ts';
import { Prefabs, prefabNode } from './prefabs.ts';
import { Resources } from './resources.ts';

/** A document: the file of a scene or a prefab, read once more for each reference to it. */
interface Document {
  readonly file: string;
  /** Nodes by their numbers in the file: of several with one number the first. */
  readonly nodes: Map<string, number>;
  /** Groups, whose instances may be nodes that come later. */
  readonly groups: { readonly element: XmlElement; readonly node: number }[];
  /** Files of the documents around it, itself last. */
  readonly around: readonly string[];
}

const documentOf = (file: string, around: readonly string[] = []): Document => ({
  file,
  nodes: new Map(),
  groups: [],
  around: [...around, file],
});

/**
 * Throws SourceError for documents that cannot be read, UC2485 with each file that is not found, UC2489 for prefabs that hold
 * themselves, UC1209 beyond --max-prims; reports UC2450 to UC2459 and UC2486 to UC2488.
 */
export const importUrho3dScene: Importer = async (path, content, context) => {
  const reader = new SceneReader(path, context);
  reader.read(readSceneRoot(wholeOf(content, path), path));
  return reader.scene();
};

/** Components that become parts of a Scene. */
const HANDLED: ReadonlySet<string> = new Set([
  'StaticModel',
  'AnimatedModel',
  'StaticModelGroup',
  'Light',
  'Camera',
  'PrefabReference',
]);

class SceneReader {
  readonly #path: string;
  readonly #context: ImportContext;
  readonly #missing: MissingFiles;
  readonly #materials: Materials;
  readonly #models: Models;
  readonly #animated: AnimatedModels;
  readonly #findings = new Findings();
  readonly #nodes: SceneNodes;
  readonly #prefabs: Prefabs;
  readonly #lights: SceneLight[] = [];
  readonly #cameras: SceneCamera[] = [];
  /** The node that is the scene; -1: none is. */
  #top = -1;

  constructor(path: string, context: ImportContext) {
    const { files, diagnostics } = context;
    const resources = new Resources(path, files);
    this.#path = path;
    this.#context = context;
    this.#missing = new MissingFiles(resources);
    this.#materials = new Materials(path, resources, diagnostics);
    this.#prefabs = new Prefabs(path, files);
    this.#models = new Models(context, this.#materials);
    this.#nodes = new SceneNodes(path, files.limits);
    const [models, nodes, findings] = [this.#models, this.#nodes, this.#findings];
    this.#animated = new AnimatedModels({ context, resources, models, nodes, findings });
  }

  read(root: XmlElement): void {
    const document = documentOf(this.#path);
    if (root.name === 'node') this.#node(root, -1, document);
    else this.#scene(root, document);
    this.#groups(document);
    this.#missing.check();
  }

  scene(): Scene {
    this.#materials.report();
    const parts = this.#models.parts();
    const skeletons = this.#animated.skeletons(parts.skeletons);
    this.#findings.report(this.#path, this.#context.diagnostics);
    return {
      source: this.#path,
      kind: 'scene',
      upAxis: 'Y',
      metersPerUnit: 1,
      nodes: this.#nodes.list,
      ...parts,
      ...skeletons,
      materials: this.#materials.list,
      images: this.#materials.images.list,
      lights: this.#lights,
      cameras: this.#cameras,
      ...this.#animated.clips(this.#path, basename(this.#path, extname(this.#path))),
    };
  }

  /** A scene is no node here, unless something stands at it. */
  #scene(root: XmlElement, document: Document): void {
    const types = root.children.flatMap(({ name, attributes: { type = '' } }) => (name === 'component' ? [type] : []));
    if (types.some((type) => HANDLED.has(type))) {
      this.#top = this.#nodes.add(root, -1, document.file);
      this.#standAt(root, this.#top, document);
    } else for (const type of types) this.#findings.component(type);
    this.#nodesBelow(root, this.#top, document);
  }

  #node(element: XmlElement, parent: number, document: Document): void {
    const node = this.#nodes.add(element, parent, document.file);
    this.#standAt(element, node, document);
    this.#nodesBelow(element, node, document);
  }

  /** The engine leaves the transform of a scene out of what is below it (Node::UpdateWorldTransform). */
  #nodesBelow({ children }: XmlElement, parent: number, document: Document): void {
    const above = parent === this.#top ? -1 : parent;
    for (const child of children) if (child.name === 'node') this.#node(child, above, document);
  }

  /** Puts the components of an element at a node, which has the number of the element. */
  #standAt(element: XmlElement, node: number, document: Document): void {
    const { id } = element.attributes;
    if (id !== undefined && !document.nodes.has(id)) document.nodes.set(id, node);
    if (!this.#nodes.isEnabled(node)) return;
    for (const child of element.children) {
      if (child.name === 'component' && flagAttribute(child, 'Is Enabled', true))
        this.#component(child, node, document);
    }
  }

  #component(element: XmlElement, node: number, document: Document): void {
    const type = element.attributes.type ?? '';
    const component = this.#at(element, node, document);
    if (type === 'StaticModel') this.#model(component, (...model) => this.#still(node, ...model));
    else if (type === 'AnimatedModel')
      this.#model(component, (loaded, stated) => this.#animated.place(component, node, loaded, stated));
    else if (type === 'StaticModelGroup') document.groups.push({ element, node });
    else if (type === 'Light') this.#take(lightOf(component), this.#lights);
    else if (type === 'Camera') this.#take(cameraOf(component), this.#cameras);
    else if (type === 'PrefabReference') this.#prefab(component, node, document);
    else this.#findings.component(type);
  }

  #at(element: XmlElement, node: number, { file }: Document): Component {
    const { name, path, world } = this.#nodes.list[node];
    return { element, name, path, world, file };
  }

  #take<T>({ part, changed }: Taken<T>, list: T[]): void {
    if (part !== null) list.push(part);
    for (const what of changed) this.#findings.change(what);
  }

  /** Adds the components and nodes of a prefab to a node. Numbers of nodes mean those of its own document. */
  #prefab(component: Component, node: number, document: Document): void {
    const { element, file, path } = component;
    const [name = null] = resourceAttribute(element, 'Prefab', 1, file, path);
    const place = name === null ? null : this.#missing.find(name, component);
    if (name === null || place === null) return;
    const root = this.#prefabs.root(place, name, document.around, path);
    const part = prefabNode(root, textAttribute(element, 'Path'));
    if (part === null) {
      this.#findings.change('references to prefabs without such a node');
      return;
    }
    const own = documentOf(place, document.around);
    this.#standAt(part, node, own);
    this.#nodesBelow(part, node, own);
    this.#groups(own);
  }

  /** Loads the model of a component and gives it to `then` with its materials. */
  #model(component: Component, then: (loaded: LoadedModel, stated: StatedMaterials | null) => void): void {
    const { element, path, file } = component;
    const [name = null] = resourceAttribute(element, 'Model', 1, file, path);
    const place = name === null ? null : this.#missing.find(name, component);
    if (name === null || place === null) return;
    const loaded = this.#models.load(place, () => this.#context.files.open(place, file, name));
    this.#findings.attributes(element);
    // A scene that names no materials leaves them to the list beside the model.
    const names = resourceAttribute(element, 'Material', loaded.model.geometries.length, file, path);
    then(loaded, names.some((one) => one !== null) ? { names, file, place: path } : null);
  }

  #still(node: number, loaded: LoadedModel, stated: StatedMaterials | null): void {
    this.#nodes.place(node, this.#models.still(loaded, { place: this.#nodes.list[node].path, stated }));
  }

  /** The groups of a document: a model at each of the nodes that a group lists, and not at its own. */
  #groups(document: Document): void {
    for (const { element, node } of document.groups) {
      const component = this.#at(element, node, document);
      this.#model(component, (loaded, stated) => {
        const mesh = this.#models.still(loaded, { place: component.path, stated });
        // The first value is their number.
        for (const { value = '' } of variantsOf(element, 'Instance Nodes').slice(1)) {
          const instance = document.nodes.get(value);
          if (instance === undefined) this.#findings.change('instances of groups at nodes that are not there');
          else if (this.#nodes.isEnabled(instance)) this.#nodes.place(instance, mesh);
        }
      });
    }
  }
}
