// A stage as a Scene: which prims are drawn, where they stand, and what is left out.

import { identity, multiply } from '../../../scene/matrix.ts';
import type {
  Mat4,
  Scene,
  SceneCamera,
  SceneLight,
  SceneMesh,
  SceneNode,
  ScenePrimitive,
  SourceKind,
} from '../../../scene/types.ts';
import { counted, type Notes } from '../compose/notes.ts';
import { animatedAttributes, type Stage, type StagePrim } from '../compose/stage.ts';
import { booleanOf, textOf } from '../compose/values.ts';
import { cameraOf } from '../lux/camera.ts';
import { noteLightGeometry } from '../lux/leftOut.ts';
import { lightOf } from '../lux/light.ts';
import type { MaterialTable } from '../shade/materials.ts';
import { type GeomContext, meshPrimitive } from './mesh.ts';
import { CLOSED, isImageable, isXformable, LIGHTS, omission, SHAPES } from './primTypes.ts';
import { PrimvarLookup } from './primvars.ts';
import { shapePrimitive } from './shapes.ts';
import { localTransform, stageMetrics } from './xform.ts';

/** A prim on the way down, with what it inherits. */
interface Frame {
  readonly prim: StagePrim;
  /** null: stands in the stage's root space. */
  readonly parent: Frame | null;
  readonly local: Mat4;
  readonly world: Mat4;
  /** The nearest authored purpose, own or inherited. */
  readonly purpose: string;
  /** Index of its node once something at or below it is drawn. */
  node: number;
}

const FROZEN_IRRELEVANT = /^(?:extent|primvars:skel:|skel:|velocities$|accelerations$|userProperties:)/;

/** Says which attributes of a prim would move or change over time. */
function noteAnimation(prim: StagePrim, notes: Notes): void {
  const names = animatedAttributes(prim).filter((name) => !FROZEN_IRRELEVANT.test(name));
  if (names.length > 0) notes.say('UC1702', prim.path, `frozen at the earliest time: ${names.join(', ')}`);
}

/** Gives a frame and its ancestors nodes, parents first. */
function placeNode(frame: Frame, nodes: SceneNode[], notes: Notes): number {
  const missing: Frame[] = [];
  for (let at: Frame | null = frame; at !== null && at.node < 0; at = at.parent) missing.push(at);
  for (let at = missing.pop(); at; at = missing.pop()) {
    at.node = nodes.length;
    const { prim, parent, local, world } = at;
    noteAnimation(prim, notes);
    nodes.push({ name: prim.name, path: prim.path, parent: parent?.node ?? -1, local, world, mesh: -1 });
  }
  return frame.node;
}

/** A prim's own visibility; null when it is not imageable or authors none. */
function isInvisible(prim: StagePrim): boolean {
  return isImageable(prim.typeName) && textOf(prim.attribute('visibility')?.get()?.value) === 'invisible';
}

function ownPurpose(prim: StagePrim): string | null {
  return isImageable(prim.typeName) ? textOf(prim.attribute('purpose')?.get()?.value) : null;
}

function hasXformOps(prim: StagePrim): boolean {
  return prim.attribute('xformOpOrder')?.peek() != null;
}

function transformOf(prim: StagePrim, notes: Notes) {
  if (isXformable(prim.typeName)) return localTransform(prim, notes);
  if (hasXformOps(prim)) {
    const what = prim.typeName === '' ? 'a typeless prim' : `a ${prim.typeName}`;
    notes.say('UC1818', prim.path, `${what} is not transformed: its xformOps are ignored`);
  }
  return { matrix: identity(), resetsStack: false };
}

function noteOmissions(prim: StagePrim, notes: Notes): void {
  const left = omission(prim.typeName);
  if (left) {
    const tell = (n: number) => (n === 1 ? `left out: ${prim.typeName}` : `${n} ${left.kind} are left out`);
    notes.count(left.code, left.kind, prim.path, tell);
  }
  const drawMode = textOf(prim.attribute('model:drawMode')?.get()?.value);
  const applied = booleanOf(prim.attribute('model:applyDrawMode')?.get()?.value) === true;
  if (applied && drawMode !== null && !['default', 'inherited'].includes(drawMode)) {
    notes.count(
      'UC1839',
      '',
      prim.path,
      (n) => `${counted(n, 'model asks', 'models ask')} to be drawn as ${drawMode} or the like`,
    );
  }
}

const DEFORMERS = ['primvars:skel:jointIndices', 'primvars:skel:jointWeights', 'skel:blendShapes'];

function noteDeformation(prim: StagePrim, notes: Notes): void {
  if (DEFORMERS.some((name) => prim.attribute(name)?.peek())) {
    notes.count(
      'UC1837',
      '',
      prim.path,
      (n) => `cooked as authored points: ${counted(n, 'skinned or blended mesh', 'skinned or blended meshes')}`,
    );
  }
}

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
      const known = purpose === 'proxy' || purpose === 'guide';
      const message = `left out: ${counted(count, 'shape', 'shapes')} of purpose ${purpose}, first ${first}`;
      notes.say(known ? 'UC1821' : 'UC1823', first, message);
    }
    if (this.drawn > 0) return;
    if (this.hidden.size > 0)
      notes.say('UC1822', '/', `no geometry but of purpose ${[...this.hidden.keys()].join(', ')}`);
    else notes.say('UC1824', '/', 'the stage holds no visible geometry');
  }
}

/**
 * Builds the Scene. Drawn are shapes and lights that are defined, not abstract, visible and of purpose default or render; every
 * such prim becomes a mesh with one primitive and a node, and so does every ancestor of one (a node without a mesh).
 * Lights and cameras stand beside the nodes, where their prims do.
 * Shapes that are broken are reported as errors and left out; the caller decides with `throwIfErrors`.
 */
export function buildScene(
  stage: Stage,
  source: string,
  kind: SourceKind,
  materials: MaterialTable,
  notes: Notes,
): Scene {
  const { upAxis, metersPerUnit, root } = stageMetrics(stage, notes);
  const context: GeomContext = { notes, primvars: new PrimvarLookup(), materials };
  const nodes: SceneNode[] = [];
  const meshes: SceneMesh[] = [];
  const lights: SceneLight[] = [];
  const cameras: SceneCamera[] = [];
  const draws = new Draws();
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
    if (purpose !== 'default' && purpose !== 'render') return draws.hide(purpose, prim.path);
    if (LIGHTS.has(prim.typeName)) {
      const light = lightOf(prim, frame.world, metersPerUnit, notes);
      if (light) {
        placeBesideNodes(frame);
        lights.push(light);
      }
      return;
    }
    const isMesh = prim.typeName === 'Mesh';
    const primitive: ScenePrimitive | null = isMesh
      ? meshPrimitive(prim, context)
      : shapePrimitive(prim, frame.world, context);
    if (primitive === null) return;
    noteDeformation(prim, notes);
    noteLightGeometry(prim, notes);
    const index = placeNode(frame, nodes, notes);
    nodes[index] = { ...nodes[index], mesh: meshes.length };
    meshes.push({ name: prim.name, path: prim.path, primitives: [primitive] });
    draws.drawn++;
  };

  // Depth first in namespace order, on a stack of our own: depth is the file's to choose.
  const pending: { readonly prim: StagePrim; readonly parent: Frame | null }[] = [];
  const push = (children: readonly StagePrim[], parent: Frame | null) => {
    for (let i = children.length - 1; i >= 0; i--) pending.push({ prim: children[i], parent });
  };
  push(stage.children, null);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { prim, parent } = next;
    if (!prim.isDefined || prim.isAbstract || CLOSED.has(prim.typeName)) continue;
    if (isInvisible(prim)) {
      notes.count(
        'UC1820',
        '',
        prim.path,
        (n) => `left out with all below: ${counted(n, 'invisible prim', 'invisible prims')}`,
      );
      continue;
    }
    noteOmissions(prim, notes);
    // Prototypes below an instancer are not drawn in place.
    if (prim.typeName === 'PointInstancer') continue;
    const { matrix, resetsStack } = transformOf(prim, notes);
    const above = resetsStack ? null : parent;
    const local = above === null ? multiply(root, matrix) : matrix;
    const world = above === null ? local : multiply(above.world, matrix);
    const purpose = ownPurpose(prim) ?? parent?.purpose ?? 'default';
    const frame: Frame = { prim, parent: above, local, world, purpose, node: -1 };
    if (SHAPES.has(prim.typeName) || LIGHTS.has(prim.typeName)) draw(frame);
    else if (prim.typeName === 'Camera') {
      const camera = cameraOf(prim, world, metersPerUnit, notes);
      if (camera) {
        placeBesideNodes(frame);
        cameras.push(camera);
      }
    }
    push(prim.children, frame);
  }
  draws.report(notes);
  notes.flush();
  return { source, kind, upAxis, metersPerUnit, nodes, meshes, lights, cameras, ...materials.finish() };
}
