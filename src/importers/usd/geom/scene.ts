// A stage as a Scene: which prims are drawn, where they stand, and what is left out.

import { multiply } from '../../../scene/matrix.ts';
import type { Scene, SceneCamera, SceneLight, SceneNode, SourceKind } from '../../../scene/types.ts';
import type { ImportOptions } from '../../importer.ts';
import type { Stage } from '../compose/stage/stage.ts';
import { cameraOf } from '../lux/camera.ts';
import { lightOf } from '../lux/light.ts';
import { counted, type Notes } from '../notes.ts';
import type { MaterialTable } from '../shade/materials.ts';
import { drawingChoice } from './choice.ts';
import { Drawables } from './drawables.ts';
import { Forms } from './mesh/forms.ts';
import { Summaries } from './mesh/mesh.ts';
import { PrimvarLookup } from './mesh/primvars.ts';
import { LIGHTS, SHAPES } from './primTypes.ts';
import { Prototypes } from './prototypes.ts';
import { tagsOf } from './tags.ts';
import { type Frame, noteAnimation, walkDrawn } from './walk.ts';
import { stageMetrics } from './xform.ts';

/** Gives a frame and its ancestors nodes, parents first. */
function placeNode(frame: Frame, nodes: SceneNode[], notes: Notes): number {
  const missing: Frame[] = [];
  for (let at: Frame | null = frame; at !== null && at.node < 0; at = at.parent) missing.push(at);
  for (let at = missing.pop(); at; at = missing.pop()) {
    at.node = nodes.length;
    const { prim, parent, local, world } = at;
    noteAnimation(prim, notes);
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

/** Counts of what could be drawn and why it is not. */
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
      notes.report('UC1822', '/', `no geometry but of purpose ${[...this.hidden.keys()].join(', ')}`);
    else notes.report('UC1824', '/', 'the stage holds no visible geometry');
  }
}

/**
 * Builds the Scene. Drawn are shapes and lights that are defined, not abstract, and, unless `options` choose otherwise,
 * visible and of purpose default or render.
 * Every such shape becomes a node, and so does every ancestor of one (a node without a mesh). A shape has a mesh with one
 * primitive, the same as other shapes that arcs bring in from the same opinions and that are drawn alike. Shapes of
 * prototypes have a node for each placement by a PointInstancer, below the instancer's. Lights and cameras stand beside
 * the nodes, where their prims do.
 * Shapes that are broken are reported as errors and left out; the caller decides with `throwIfErrors`.
 */
export function buildScene(
  stage: Stage,
  source: string,
  kind: SourceKind,
  materials: MaterialTable,
  notes: Notes,
  options: ImportOptions = {},
): Scene {
  const { upAxis, metersPerUnit, root } = stageMetrics(stage, notes, options);
  const choice = drawingChoice(options);
  choice.selection.check(stage, notes);
  const primvars = new PrimvarLookup();
  const drawables = new Drawables({
    notes,
    primvars,
    materials,
    summaries: new Summaries(),
    forms: new Forms(primvars),
    subdivides: options.subdivides ?? false,
  });
  const draws = new Draws();
  const hide = ({ prim, purpose }: Frame) => draws.hide(purpose, prim.path);
  const prototypes = new Prototypes(stage, drawables, choice, notes, hide);
  const nodes: SceneNode[] = [];
  const lights: SceneLight[] = [];
  const cameras: SceneCamera[] = [];
  const placed = new Set<Frame>();
  /** What a light or camera follows is frozen as what is drawn. */
  const placeBesideNodes = (frame: Frame) => {
    for (let at: Frame | null = frame; at !== null && at.node < 0 && !placed.has(at); at = at.parent) {
      placed.add(at);
      noteAnimation(at.prim, notes);
    }
  };

  const draw = (frame: Frame) => {
    const { prim, purpose } = frame;
    if (!choice.purposes.has(purpose)) return hide(frame);
    if (LIGHTS.has(prim.typeName)) {
      const light = lightOf(prim, frame.world, metersPerUnit, notes);
      if (light) {
        placeBesideNodes(frame);
        lights.push(light);
      }
      return;
    }
    const mesh = drawables.mesh(prim, frame.world);
    if (mesh < 0) return;
    const index = placeNode(frame, nodes, notes);
    nodes[index] = { ...nodes[index], mesh };
    draws.drawn++;
  };

  const drawInstances = (frame: Frame) => {
    for (const { prim, mesh, matrix } of prototypes.placements(frame.prim, frame.world)) {
      const world = multiply(frame.world, matrix);
      if (mesh < 0) {
        const light = lightOf(prim, world, metersPerUnit, notes);
        if (light) {
          placeBesideNodes(frame);
          lights.push(light);
        }
        continue;
      }
      const parent = placeNode(frame, nodes, notes);
      nodes.push({ name: prim.name, path: prim.path, parent, local: matrix, world, mesh });
      draws.drawn++;
    }
  };

  const walk = { roots: stage.children, base: root, purpose: 'default', isPrototype: false };
  walkDrawn(walk, choice, notes, (frame) => {
    const { prim, world } = frame;
    if (prim.typeName === 'PointInstancer') {
      drawInstances(frame);
      // Prototypes below an instancer are not drawn in place.
      return false;
    }
    if (SHAPES.has(prim.typeName) || LIGHTS.has(prim.typeName)) draw(frame);
    else if (prim.typeName === 'Camera') {
      const camera = cameraOf(prim, world, metersPerUnit, notes);
      if (camera) {
        placeBesideNodes(frame);
        cameras.push(camera);
      }
    }
    return true;
  });
  draws.report(notes);
  notes.flush();
  const { meshes } = drawables;
  return { source, kind, upAxis, metersPerUnit, nodes, meshes, lights, cameras, ...materials.finish() };
}
