// Builds a Scene from a stage: the nodes, meshes, lights and cameras of the prims that are drawn, and reports about
// those that are left out.

import { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { multiply } from '../../../scene/matrix.ts';
import type { Mat4, Scene, SceneCamera, SceneLight, SceneNode, SourceKind } from '../../../scene/types.ts';
import type { ImportOptions } from '../../importer.ts';
import type { Stage, StagePrim } from '../compose/stage/stage.ts';
import { cameraOf } from '../lux/camera.ts';
import { lightOf } from '../lux/light.ts';
import { counted, Notes } from '../notes.ts';
import type { MaterialTable } from '../shade/materials.ts';
import { BlendShapes } from '../skel/blendShapes.ts';
import { Skeletons } from '../skel/skeletons.ts';
import { drawingChoice } from './choice.ts';
import { Drawables } from './drawables.ts';
import { Forms } from './mesh/forms.ts';
import { Summaries } from './mesh/mesh.ts';
import { PrimvarLookup } from './mesh/primvars.ts';
import { MovedXforms } from './movedXform.ts';
import { LIGHTS, SHAPES } from './primTypes.ts';
import { Prototypes } from './prototypes.ts';
import { tagsOf } from './tags.ts';
import { type Frame, noteAnimation, walkDrawn } from './walk.ts';
import { stageMetrics } from './xform.ts';

/** Adds nodes for a frame and its ancestors, parents first, and returns the index of the frame's node. */
function addNode(frame: Frame, nodes: SceneNode[], notes: Notes, moved: MovedXforms | null, base: Mat4): number {
  const missing: Frame[] = [];
  for (let at: Frame | null = frame; at !== null && at.node < 0; at = at.parent) missing.push(at);
  for (let at = missing.pop(); at; at = missing.pop()) {
    at.node = nodes.length;
    const { prim, parent, local, world } = at;
    noteAnimation(prim, notes, moved?.take(prim, at.node, parent === null ? base : null) === true);
    const tags = tagsOf(prim, notes);
    nodes.push({
      name: prim.name,
      path: prim.path,
      parent: parent?.node ?? -1,
      local,
      world,
      mesh: -1,
      ...(tags && { tags }),
    });
  }
  return frame.node;
}

const PURPOSES: ReadonlySet<string> = new Set(['default', 'render', 'proxy', 'guide']);

/** Counts the shapes that are drawn, and by purpose those that are not. */
class Draws {
  drawn = 0;
  readonly hidden = new Map<string, { count: number; first: string }>();

  hide(purpose: string, path: string): void {
    const known = this.hidden.get(purpose);
    if (known) known.count++;
    else this.hidden.set(purpose, { count: 1, first: path });
  }

  report(notes: Notes): void {
    for (const [purpose, { count, first }] of this.hidden) {
      const known = PURPOSES.has(purpose);
      const message = `left out: ${counted(count, 'shape', 'shapes')} of purpose ${purpose}, first ${first}`;
      notes.report(known ? 'UC1821' : 'UC1823', first, message);
    }
    if (this.drawn > 0) return;
    if (this.hidden.size > 0)
      notes.report(
        'UC1822',
        '/',
        `all geometry has a purpose that is not drawn: ${[...this.hidden.keys()].join(', ')}`,
      );
    else notes.report('UC1824', '/', 'the stage has no visible geometry');
  }
}

/** Whether a prim is one of the paths, or lies below one. */
const isMarker = (path: string, markers: readonly string[] = []): boolean =>
  markers.some((marker) => path === marker || path.startsWith(`${marker}/`));

/**
 * Builds the Scene with its skeletons. It draws shapes and lights that are defined, not abstract, visible, and of purpose default or
 * render; `options` can change visibility and purposes.
 *
 * Each drawn shape becomes a node with a mesh, and each of its ancestors a node without one. A mesh has one primitive;
 * shapes that arcs bring in from the same opinions and that are drawn alike share a mesh. A shape of a prototype has a
 * node below that of the instancer for each instance. Lights and cameras have world transforms and no nodes.
 *
 * `onPrim` is called for each prim that is walked, parents first. Broken shapes are reported as errors and left out; the caller can use `throwIfErrors`.
 */
export function buildScene(
  stage: Stage,
  source: string,
  kind: SourceKind,
  materials: MaterialTable,
  notes: Notes,
  options: ImportOptions = {},
  onPrim: (prim: StagePrim) => void = () => {},
): Scene {
  const { upAxis, metersPerUnit, root } = stageMetrics(stage, notes, options);
  const choice = drawingChoice(options);
  choice.selection.check(stage, notes);
  const primvars = new PrimvarLookup();
  const silent = new Notes(notes.file, new Diagnostics());
  const skeletons = new Skeletons(stage, root, notes, silent, options.keepsRigs ?? false);
  const drawables = new Drawables(
    {
      notes,
      primvars,
      materials,
      summaries: new Summaries(stage.limits),
      forms: new Forms(primvars),
      subdivides: options.subdivides ?? false,
      keepsSets: options.keepsSets ?? false,
    },
    skeletons,
    new BlendShapes(stage, notes, options.time !== undefined, options.keepsRigs ?? false),
  );
  const draws = new Draws();
  const hide = ({ prim, purpose }: Frame) => draws.hide(purpose, prim.path);
  const prototypes = new Prototypes(stage, drawables, choice, notes, hide);
  const nodes: SceneNode[] = [];
  // At a given time all stands still.
  const keepsMotion = options.keepsRigs === true && options.time === undefined;
  const moved = keepsMotion ? new MovedXforms(() => stage.timeCodesPerSecond) : null;
  const lights: SceneLight[] = [];
  const cameras: SceneCamera[] = [];
  const noted = new Set<Frame>();
  /** Reports the animation of the ancestors of a light or camera, which have no nodes that report it. */
  const noteAnimationAbove = (frame: Frame) => {
    for (let at: Frame | null = frame; at !== null && at.node < 0 && !noted.has(at); at = at.parent) {
      noted.add(at);
      noteAnimation(at.prim, notes);
    }
  };
  /** Where lights and cameras stand at nodes, they move with these. */
  const stand = (frame: Frame) => {
    if (options.keepsLenses) addNode(frame, nodes, notes, moved, root);
    else noteAnimationAbove(frame);
  };

  const draw = (frame: Frame) => {
    const { prim, purpose } = frame;
    const isGuide = !choice.purposes.has(purpose);
    const isLight = LIGHTS.has(prim.typeName);
    if (isGuide && (isLight || !isMarker(prim.path, options.markers))) return hide(frame);
    if (isLight) {
      const light = lightOf(prim, frame.world, metersPerUnit, notes);
      if (light) {
        stand(frame);
        lights.push(light);
      }
      return;
    }
    const mesh = drawables.mesh(prim, frame.world);
    if (mesh < 0) return;
    const index = addNode(frame, nodes, notes, moved, root);
    nodes[index] = { ...nodes[index], mesh, ...(isGuide ? { isGuide } : {}) };
    draws.drawn++;
  };

  const drawInstances = (frame: Frame) => {
    for (const { prim, mesh, matrix } of prototypes.placements(frame.prim, frame.world)) {
      const world = multiply(frame.world, matrix);
      if (mesh < 0) {
        const light = lightOf(prim, world, metersPerUnit, notes);
        if (light) {
          noteAnimationAbove(frame);
          lights.push(light);
        }
        continue;
      }
      const parent = addNode(frame, nodes, notes, moved, root);
      nodes.push({ name: prim.name, path: prim.path, parent, local: matrix, world, mesh });
      draws.drawn++;
    }
  };

  const walk = { roots: stage.children, base: root, purpose: 'default', isPrototype: false };
  walkDrawn(walk, choice, notes, (frame) => {
    const { prim, world } = frame;
    onPrim(prim);
    if (prim.typeName === 'PointInstancer') {
      drawInstances(frame);
      // Prototypes below an instancer are drawn only as instances.
      return false;
    }
    if (SHAPES.has(prim.typeName) || LIGHTS.has(prim.typeName)) draw(frame);
    else if (prim.typeName === 'Skeleton') skeletons.see(prim);
    else if (prim.typeName === 'Camera') {
      const camera = cameraOf(prim, world, metersPerUnit, notes);
      if (camera) {
        stand(frame);
        cameras.push(camera);
      }
    }
    return true;
  });
  draws.report(notes);
  const { meshes } = drawables;
  const skeletal = skeletons.finish(meshes, (skeleton) => {
    for (let at: StagePrim | null = skeleton; at !== null; at = at.parent) noteAnimation(at, notes);
  });
  notes.flush();
  const clips = [...(skeletal.clips ?? []), ...(moved?.clips() ?? [])];
  const moving = clips.length > 0 ? { clips } : {};
  return {
    source,
    kind,
    upAxis,
    metersPerUnit,
    nodes,
    meshes,
    lights,
    cameras,
    ...materials.finish(),
    ...skeletal,
    ...moving,
  };
}
