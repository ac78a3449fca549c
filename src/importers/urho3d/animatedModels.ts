// Animated models of a scene: skeletons where bones move them, morphs at their weights, and the clips of the animations that
// they play.

import { requireResource, variantsOf } from '../../formats/urho3d/xml/attributes.ts';
import type { Scene, SceneClip } from '../../scene/types.ts';
import type { ImportContext } from '../importer.ts';
import { withBoneNodes } from './boneNodes.ts';
import { clipsOf } from './clips.ts';
import type { Findings } from './findings.ts';
import type { Component } from './lightsAndCameras.ts';
import type { StatedMaterials } from './modelMaterials.ts';
import type { LoadedModel, Models } from './models.ts';
import { hasUnequalScale, isSheared, morphWeights } from './motion.ts';
import type { SceneNodes } from './nodes.ts';
import type { Resources } from './resources.ts';

/** What the reader of a scene has at hand. */
interface Surroundings {
  readonly context: ImportContext;
  readonly resources: Resources;
  readonly models: Models;
  readonly nodes: SceneNodes;
  readonly findings: Findings;
}

export class AnimatedModels {
  readonly #around: Surroundings;
  /** By rig, the node of its model. */
  readonly #rigged: number[] = [];
  /** By animation that the scene plays, the rigs that it moves. */
  readonly #played = new Map<string, Set<number>>();
  #hasBones = false;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Throws what the model, its weights and the names of its animations throw, UC1209 for more joints than --max-prims. */
  place(component: Component, node: number, loaded: LoadedModel, stated: StatedMaterials | null): void {
    const { context, models, nodes, findings } = this.#around;
    const { path, world } = component;
    const { isMoved, model } = loaded;
    this.#hasBones ||= isMoved;
    const use = { place: path, stated, weights: morphWeights(component, model.morphs.length) };
    // Tiles stand still: UC2453 says so.
    const animations = isMoved && !context.options.keepsRigs ? [] : this.#animations(component);
    const isPlayed = animations.length > 0 || (isMoved && (context.files.search?.animations ?? []).length > 0);
    if (!isMoved && animations.length > 0)
      findings.change('animations of models of which bones move no vertex, left out');
    if (isMoved && context.options.keepsRigs && !isPlayed && isSheared(world)) {
      // Joints have no shear (UC2071), and nothing moves them: vertices alone stand where the scene has them.
      findings.change('bones of models that are sheared and play nothing, left out');
      nodes.place(node, models.posed(loaded, use));
      return;
    }
    if (isMoved && context.options.keepsRigs) nodes.needJoints(model.bones.length, path);
    const { mesh, rig } = models.moved(loaded, use, world);
    if (rig !== null) {
      const number = this.#rigged.push(node) - 1;
      for (const file of animations) this.#played.set(file, (this.#played.get(file) ?? new Set<number>()).add(number));
      if (isPlayed && hasUnequalScale(world)) findings.change('motion of models whose scale differs by axis');
    }
    nodes.place(node, mesh);
  }

  /** Skeletons with the nodes of the scene that are their joints. */
  skeletons(skeletons: Scene['skeletons']): Pick<Scene, 'skeletons'> {
    if (!skeletons) return {};
    const { nodes, findings } = this.#around;
    const found = withBoneNodes(skeletons, this.#rigged, nodes.list);
    for (let i = 0; i < found.posed; i++) findings.change('poses of bones');
    return { skeletons: found.skeletons };
  }

  /** The clips of --animation and of the scene. `model`: the name of the scene. Throws and reports what reading them does. */
  clips(source: string, model: string): Pick<Scene, 'clips'> {
    const { context, models } = this.#around;
    const asked = { source, model, rigs: models.rigs, isMoved: this.#hasBones, played: this.#played };
    const clips: readonly SceneClip[] = clipsOf(asked, context.files, context.diagnostics);
    return clips.length > 0 ? { clips } : {};
  }

  /** Files of the animations that a component plays. Throws UC3974 for names that lead outside. */
  #animations({ element, path, file }: Component): string[] {
    const { resources, findings } = this.#around;
    return variantsOf(element, 'Animation States').flatMap(({ type, value = '' }) => {
      const [, name = ''] = type === 'ResourceRef' ? value.split(';', 2) : [];
      if (name === '') return [];
      const place = resources.find(requireResource(name, file, path));
      if (place === null) findings.animation(name);
      return place ?? [];
    });
  }
}
