// Scenes and prefabs of Urho3D as sources: nodes, the models that stand there with their materials, lights and cameras.

import { basename, extname } from 'node:path';
import { type Diagnostic, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { rotationFromUrho3d } from '../../formats/urho3d/axes.ts';
import {
  flagAttribute,
  numberAttributes,
  requireResource,
  resourceAttribute,
  textAttribute,
  variantsOf,
} from '../../formats/urho3d/xml/attributes.ts';
import type { XmlElement } from '../../formats/urho3d/xml/document.ts';
import { readSceneRoot } from '../../formats/urho3d/xml/scene.ts';
import { identity, multiply } from '../../scene/matrix.ts';
import { fromParts } from '../../scene/quaternion.ts';
import type { Mat4, Scene, SceneCamera, SceneLight, SceneNode, Vec3 } from '../../scene/types.ts';
import { wholeOf } from '../content.ts';
import type { ImportContext, Importer } from '../importer.ts';
import { fitsFloat32 } from '../photometry.ts';
import { withBoneNodes } from './boneNodes.ts';
import { clipsOf } from './clips.ts';
import { Findings } from './findings.ts';
import { type Component, cameraOf, lightOf, type Taken } from './lightsAndCameras.ts';
import { Materials } from './modelMaterials.ts';
import { type LoadedModel, Models } from './models.ts';
import { hasUnequalScale, morphWeights } from './motion.ts';
import { Prefabs } from './prefabs.ts';
import { Resources } from './resources.ts';

/** Prefabs that stand in each other, at most: each may nest as deep as a document. */
const MAX_PREFABS = 16;

/** A document: the file of a scene or a prefab, read once more for each node that stands for it. */
interface Document {
  readonly file: string;
  /** Nodes by their numbers in the file: of several with one number the first. */
  readonly nodes: Map<string, number>;
  /** Groups, whose instances may be nodes that come later. */
  readonly groups: { readonly element: XmlElement; readonly node: number }[];
  /** Files of the prefabs around it, itself last. */
  readonly around: readonly string[];
}

type Draft = { -readonly [K in keyof SceneNode]: SceneNode[K] };

/**
 * Throws SourceError for documents that cannot be read, UC2485 with each file that is not found, UC2489 for prefabs that hold
 * themselves, UC1209 beyond --max-prims; reports UC2450 to UC2459 and UC2486 to UC2488.
 */
export const importUrho3dScene: Importer = async (path, content, context) => {
  const reader = new SceneReader(path, context);
  reader.read(readSceneRoot(wholeOf(content, path), path));
  return reader.scene();
};

class SceneReader {
  readonly #path: string;
  readonly #context: ImportContext;
  readonly #resources: Resources;
  readonly #materials: Materials;
  readonly #models: Models;
  readonly #findings = new Findings();
  readonly #nodes: Draft[] = [];
  readonly #enabled: boolean[] = [];
  readonly #lights: SceneLight[] = [];
  readonly #cameras: SceneCamera[] = [];
  readonly #prefabs: Prefabs;
  /** Errors for files that are not found, and the names of these. */
  readonly #missing: Diagnostic[] = [];
  readonly #missed = new Set<string>();
  /** By rig, the node of its model. */
  readonly #rigged: number[] = [];
  /** By animation that the scene plays, the rigs that it moves. */
  readonly #played = new Map<string, Set<number>>();
  #joints = 0;
  #hasBones = false;

  constructor(path: string, context: ImportContext) {
    this.#path = path;
    this.#context = context;
    this.#resources = new Resources(path, context.files);
    this.#materials = new Materials(path, this.#resources, context.diagnostics);
    this.#prefabs = new Prefabs(path, context.files);
    this.#models = new Models(context, this.#materials);
  }

  read(root: XmlElement): void {
    const document = { file: this.#path, nodes: new Map(), groups: [], around: [this.#path] };
    if (root.name === 'node') this.#node(root, -1, identity(), document);
    else this.#nodesBelow(root, this.#sceneNode(root, document), document);
    this.#groups(document);
    if (this.#missing.length > 0) throw new SourceError(this.#missing);
  }

  scene(): Scene {
    const { files, diagnostics } = this.#context;
    this.#materials.report();
    const parts = this.#models.parts();
    const skeletons = this.#boneNodes(parts.skeletons);
    this.#findings.report(this.#path, diagnostics);
    const model = basename(this.#path, extname(this.#path));
    const { rigs } = this.#models;
    const asked = { source: this.#path, model, rigs, isMoved: this.#hasBones, played: this.#played };
    const clips = clipsOf(asked, files, diagnostics);
    return {
      source: this.#path,
      kind: 'scene',
      upAxis: 'Y',
      metersPerUnit: 1,
      nodes: this.#nodes,
      ...parts,
      ...skeletons,
      materials: this.#materials.list,
      images: this.#materials.images.list,
      lights: this.#lights,
      cameras: this.#cameras,
      ...(clips.length > 0 ? { clips } : {}),
    };
  }

  /** Skeletons with the nodes of the scene that are their joints. */
  #boneNodes(skeletons: Scene['skeletons']): Pick<Scene, 'skeletons'> {
    if (!skeletons) return {};
    const children = this.#nodes.map((): number[] => []);
    for (const [i, { parent }] of this.#nodes.entries()) if (parent >= 0) children[parent].push(i);
    const found = skeletons.map((skeleton, i) => withBoneNodes(skeleton, this.#rigged[i], this.#nodes, children));
    for (const { isPosed } of found) if (isPosed) this.#findings.change('poses of bones');
    return { skeletons: found.map(({ skeleton }) => skeleton) };
  }

  /** A scene is no node here, unless something stands at it: -1. */
  #sceneNode(root: XmlElement, document: Document): number {
    const types = root.children.flatMap(({ name, attributes: { type = '' } }) => (name === 'component' ? [type] : []));
    if (types.some((type) => HANDLED.has(type))) return this.#add(root, -1, identity(), document);
    for (const type of types) this.#findings.component(type);
    return -1;
  }

  #node(element: XmlElement, parent: number, above: Mat4, document: Document): void {
    const { prefab } = element.attributes;
    if (prefab === undefined || prefab === '') {
      this.#nodesBelow(element, this.#add(element, parent, above, document), document);
      return;
    }
    const place = `nodes/${this.#nodes.length}`;
    const file = this.#resources.find(requireResource(prefab, document.file, place));
    if (file === null) {
      this.#miss(prefab, place);
      return;
    }
    if (document.around.includes(file) || document.around.length >= MAX_PREFABS) {
      const why = document.around.includes(file) ? 'holds itself' : `stands in ${MAX_PREFABS} others`;
      fail('UC2489', document.file, place, `the prefab "${prefab}" ${why}`);
    }
    const own = { file, nodes: new Map(), groups: [], around: [...document.around, file] };
    const root = this.#prefabs.root(file, document.file, place);
    // The node says where its prefab stands: of equal attributes the first counts.
    const merged = { ...root, children: [...element.children, ...root.children] };
    const node = this.#add(merged, parent, above, own);
    const { id } = element.attributes;
    if (id !== undefined && !document.nodes.has(id)) document.nodes.set(id, node);
    this.#nodesBelow(merged, node, own);
    this.#groups(own);
  }

  #nodesBelow({ children }: XmlElement, parent: number, document: Document): void {
    const above = parent < 0 ? identity() : this.#nodes[parent].world;
    for (const child of children) if (child.name === 'node') this.#node(child, parent, above, document);
  }

  /** Adds a node with its components, without what is below it. */
  #add(element: XmlElement, parent: number, above: Mat4, document: Document): number {
    const { file } = document;
    const path = `nodes/${this.#nodes.length}`;
    const numbers = (wanted: string, usual: readonly number[]) => numberAttributes(element, wanted, usual, file, path);
    const [x, y, z] = numbers('Position', [0, 0, 0]);
    const turn = rotationFromUrho3d(numbers('Rotation', [1, 0, 0, 0]));
    const scale = numbers('Scale', [1, 1, 1]) as unknown as Vec3;
    const local = fromParts([x, y, 0 - z], turn, scale);
    const world = multiply(above, local);
    if (!world.every(fitsFloat32)) {
      const what = 'the position, rotation and scale of the nodes down to here do not fit 32 bits';
      fail('UC3971', file, path, `material or scene that Urho3D does not read: ${what}`);
    }
    const isMirrored = scale.some((value) => value < 0);
    const node = this.#push({
      name: textAttribute(element, 'Name'),
      path,
      parent,
      local,
      ...(isMirrored ? { scale } : {}),
      world,
      mesh: -1,
    });
    const { id } = element.attributes;
    if (id !== undefined && !document.nodes.has(id)) document.nodes.set(id, node);
    this.#enabled[node] = flagAttribute(element, 'Is Enabled', true);
    if (this.#enabled[node]) this.#components(element, node, document);
    return node;
  }

  #push(node: Draft): number {
    const { limits } = this.#context.files;
    const count = this.#nodes.push(node);
    limits.need(
      'prims',
      count + this.#joints,
      'UC1209',
      this.#path,
      node.path,
      () => `up to here it has ${count} nodes`,
    );
    return count - 1;
  }

  #components({ children }: XmlElement, node: number, document: Document): void {
    for (const element of children) {
      if (element.name !== 'component' || !flagAttribute(element, 'Is Enabled', true)) continue;
      const type = element.attributes.type ?? '';
      const { name, path, world } = this.#nodes[node];
      const component: Component = { element, name, path, world, file: document.file };
      if (type === 'StaticModel' || type === 'AnimatedModel') this.#model(component, node, type === 'AnimatedModel');
      else if (type === 'StaticModelGroup') document.groups.push({ element, node });
      else if (type === 'Light') this.#take(lightOf(component), this.#lights);
      else if (type === 'Camera') this.#take(cameraOf(component), this.#cameras);
      else this.#findings.component(type);
    }
  }

  #take<T>({ part, changed }: Taken<T>, list: T[]): void {
    if (part !== null) list.push(part);
    for (const what of changed) this.#findings.change(what);
  }

  #model(component: Component, node: number, isAnimated: boolean): void {
    const { element, path, world } = component;
    const loaded = this.#load(component);
    if (loaded === null) return;
    this.#findings.attributes(element);
    const use = { place: path, stated: this.#stated(component) };
    if (!isAnimated) {
      this.#place(node, this.#models.still(loaded, use));
      return;
    }
    this.#hasBones ||= loaded.isMoved;
    const weights = morphWeights(component, loaded.model.morphs.length);
    const { mesh, rig } = this.#models.moved(loaded, { ...use, weights }, world);
    if (rig !== null) {
      this.#joints += rig.skeleton.joints.length;
      const number = this.#rigged.push(node) - 1;
      const isPlayed = this.#plays(component, number) || (this.#context.files.search?.animations ?? []).length > 0;
      if (isPlayed && hasUnequalScale(world)) this.#findings.change('motion of models whose scale differs by axis');
    }
    this.#place(node, mesh);
  }

  /** Notes the animations that a component plays. Whether there are some. */
  #plays({ element, path, file }: Component, rig: number): boolean {
    let isPlayed = false;
    for (const { type, value = '' } of variantsOf(element, 'Animation States')) {
      const [, name = ''] = type === 'ResourceRef' ? value.split(';') : [];
      if (name === '') continue;
      const place = this.#resources.find(requireResource(name, file, path));
      if (place === null) {
        this.#findings.change('animations that are not found');
        continue;
      }
      isPlayed = true;
      this.#played.set(place, (this.#played.get(place) ?? new Set<number>()).add(rig));
    }
    return isPlayed;
  }

  #load({ element, path, file }: Component): LoadedModel | null {
    const [name] = resourceAttribute(element, 'Model', file, path);
    if (name === undefined || name === null) return null;
    const place = this.#resources.find(name);
    if (place === null) return this.#miss(name, path);
    return this.#models.load(place, () => this.#context.files.open(place, file, name));
  }

  /** A scene that names none leaves them to the list beside the model. */
  #stated({ element, path, file }: Component) {
    const names = resourceAttribute(element, 'Material', file, path);
    return names.some((name) => name !== null) ? { names, file, place: path } : null;
  }

  #miss(name: string, place: string): null {
    if (this.#missed.has(name)) return null;
    this.#missed.add(name);
    const expected = this.#resources.expected(name);
    this.#missing.push(diagnostic('UC2485', this.#path, place, `"${name}" is not found, as in ${expected}`));
    return null;
  }

  /** Puts a mesh at a node, or at one of its own below where there is one already. */
  #place(node: number, mesh: number): void {
    if (mesh < 0) return;
    const at = this.#nodes[node];
    if (at.mesh < 0) {
      at.mesh = mesh;
      return;
    }
    const { name, world } = at;
    this.#push({ name, path: `nodes/${this.#nodes.length}`, parent: node, local: identity(), world, mesh });
  }

  /** The groups of a document: a model at each of the nodes that a group lists, and not at its own. */
  #groups({ file, nodes, groups }: Document): void {
    for (const { element, node } of groups) {
      const { name, path, world } = this.#nodes[node];
      const component = { element, name, path, world, file };
      const loaded = this.#load(component);
      if (loaded === null) continue;
      this.#findings.attributes(element);
      const mesh = this.#models.still(loaded, { place: path, stated: this.#stated(component) });
      // The first value is their number.
      for (const { value = '' } of variantsOf(element, 'Instance Nodes').slice(1)) {
        const instance = nodes.get(value);
        if (instance === undefined) this.#findings.change('instances of groups at nodes that are not there');
        else if (this.#enabled[instance]) this.#place(instance, mesh);
      }
    }
  }
}

/** Components that become parts of a Scene. */
const HANDLED: ReadonlySet<string> = new Set(['StaticModel', 'AnimatedModel', 'StaticModelGroup', 'Light', 'Camera']);
