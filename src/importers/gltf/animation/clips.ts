// The animations of a glTF file as clips (glTF 2.0, 3.11). A damaged channel is left out with a warning: a file that is
// drawn well at rest is no error.

import type { SceneChannel, SceneClip, SceneCurve, SceneWeights } from '../../../scene/types.ts';
import { type Accessors, FLOAT, toFloats } from '../data/accessors.ts';
import type { Element } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import type { Skeletons } from './skeletons.ts';

const INTERPOLATIONS: Readonly<Record<string, SceneCurve['interpolation']>> = {
  LINEAR: 'linear',
  STEP: 'step',
  CUBICSPLINE: 'cubic',
};
const SIZES = { translation: 3, rotation: 4, scale: 3 } as const;
type Moved = keyof typeof SIZES;

const isMoved = (path: string): path is Moved => Object.hasOwn(SIZES, path);

/** What moves a node; times are those of the file. */
interface Moves {
  translation: SceneCurve | null;
  rotation: SceneCurve | null;
  scale: SceneCurve | null;
}

/** Why a curve cannot be used; a text. */
type Fault = string;

/** A curve with the times of the file. `size`: numbers of a value, each an element where it moves weights. */
function readNumbers(
  sampler: Element,
  size: number,
  isWeights: boolean,
  accessors: Accessors,
): Pick<SceneCurve, 'interpolation' | 'times' | 'values'> | Fault {
  const input = sampler.index('input', accessors.list.length, 'accessors');
  const output = sampler.index('output', accessors.list.length, 'accessors');
  if (input < 0 || output < 0) return 'a sampler lacks its input or output';
  const name = sampler.string('interpolation') ?? 'LINEAR';
  const interpolation = Object.hasOwn(INTERPOLATIONS, name) ? INTERPOLATIONS[name] : null;
  if (interpolation === null) return `its interpolation is ${name}`;
  const [times, values] = [accessors.list[input], accessors.list[output]];
  if (times.type !== 'SCALAR' || times.componentType !== FLOAT) return `${times.path} does not hold floats`;
  const type = isWeights ? 'SCALAR' : size === 4 ? 'VEC4' : 'VEC3';
  if (values.type !== type) return `${values.path} is ${values.type}, not ${type}`;
  if (values.componentType !== FLOAT && !values.normalized) return `${values.path} holds whole numbers`;
  const rows = times.count * (interpolation === 'cubic' ? 3 : 1) * (isWeights ? size : 1);
  if (times.count === 0 || values.count !== rows) return `${times.count} keys, and ${values.count} values for them`;
  const at = Float64Array.from(accessors.floats(input));
  const data = Float64Array.from(toFloats(accessors.raw(output), values));
  for (let k = 0; k < at.length; k++) {
    if (!Number.isFinite(at[k])) return `key ${k} is at ${at[k]} s`;
    if (k > 0 && at[k] <= at[k - 1]) return `key ${k} is at ${at[k]} s, after one at ${at[k - 1]} s`;
  }
  const wrong = data.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) return `value ${Math.floor(wrong / size)} is not finite`;
  return { interpolation, times: at, values: data };
}

function readCurve(sampler: Element, size: 3 | 4, accessors: Accessors): SceneCurve | Fault {
  const read = readNumbers(sampler, size, false, accessors);
  return typeof read === 'string' ? read : { ...read, size };
}

/** Where nodes of the file are in the scene, and the names of the morph targets of each. */
export interface ClipPlaces {
  /** By node its index in the scene, -1 for none. */
  readonly nodeOf: Int32Array;
  readonly drawnBy: ReadonlyMap<number, readonly number[]>;
  readonly targets: (node: number) => readonly string[];
}

/** The weights of a node; null: the scene does not draw it. Times are those of the file. */
function readWeights(
  channel: Element,
  node: number,
  sampler: Element | undefined,
  { drawnBy, targets }: ClipPlaces,
  accessors: Accessors,
): SceneWeights | Fault | null {
  const names = targets(node);
  if (names.length === 0) return 'its node has no morph targets';
  const nodes = drawnBy.get(node);
  if (!nodes) return null;
  const read = sampler ? readNumbers(sampler, names.length, true, accessors) : 'it has no sampler';
  return typeof read === 'string' ? read : { path: channel.path, nodes, names, ...read };
}

const since = (curve: SceneCurve | null, start: number): SceneCurve | null =>
  curve && { ...curve, times: curve.times.map((time) => time - start) };

function clipOf(
  animation: Element,
  nodes: number,
  places: ClipPlaces,
  { skeletonOf, jointOf }: Skeletons,
  accessors: Accessors,
  notes: Notes,
): SceneClip {
  const samplers = animation.elements('samplers');
  const { nodeOf } = places;
  const moves = new Map<number, Moves>();
  const weights = new Map<number, SceneWeights>();
  const leaveOut = (channel: Element, why: string) =>
    notes.add('UC1349', why, channel.path, animation.name, (names) => `${why}: ${names}`);
  for (const channel of animation.elements('channels')) {
    const target = channel.required('target');
    const path = target.string('path') ?? '';
    const node = target.index('node', nodes, 'nodes');
    const sampler = samplers[channel.index('sampler', samplers.length, 'samplers')];
    if (path === 'weights' && node >= 0) {
      const read = readWeights(channel, node, sampler, places, accessors);
      if (typeof read === 'string') leaveOut(channel, read);
      else if (read && weights.has(node)) leaveOut(channel, 'a second channel moves the same node');
      else if (read) weights.set(node, read);
      continue;
    }
    if (node < 0 || !isMoved(path)) {
      leaveOut(channel, `channels of ${path === '' ? 'nothing' : path} are left out`);
      continue;
    }
    const curve = sampler ? readCurve(sampler, SIZES[path], accessors) : 'it has no sampler';
    if (typeof curve === 'string') {
      leaveOut(channel, curve);
      continue;
    }
    const own = moves.get(node) ?? { translation: null, rotation: null, scale: null };
    moves.set(node, own);
    if (own[path]) leaveOut(channel, 'a second channel moves the same node');
    else own[path] = curve;
  }
  const curves = [...moves.values()]
    .flatMap((own) => Object.values(own) as (SceneCurve | null)[])
    .filter((c) => c !== null);
  const spans = [...curves, ...weights.values()];
  const start = Math.min(...spans.map(({ times }) => times[0]), Infinity);
  const end = Math.max(...spans.map(({ times }) => times[times.length - 1]), -Infinity);
  const channels: SceneChannel[] = [];
  for (const [node, own] of moves) {
    const target: SceneChannel['target'] =
      jointOf[node] >= 0
        ? { kind: 'joint', skeleton: skeletonOf[node], joint: jointOf[node] }
        : { kind: 'node', node: nodeOf[node] };
    // A node that the scene does not draw.
    if (target.kind === 'node' && target.node < 0) continue;
    channels.push({
      target,
      translation: since(own.translation, start),
      rotation: since(own.rotation, start),
      scale: since(own.scale, start),
    });
  }
  const isEmpty = spans.length === 0;
  const shifted = [...weights.values()].map((one) => ({ ...one, times: one.times.map((time) => time - start) }));
  return {
    name: animation.name,
    path: animation.path,
    start: isEmpty ? 0 : start,
    duration: isEmpty ? 0 : end - start,
    channels,
    ...(shifted.length > 0 ? { weights: shifted } : {}),
  };
}

/** The clips of a file, in its order. */
export function readClips(
  root: Element,
  places: ClipPlaces,
  skeletons: Skeletons,
  accessors: Accessors,
  notes: Notes,
): SceneClip[] {
  const nodes = root.count('nodes');
  return root.elements('animations').map((animation) => clipOf(animation, nodes, places, skeletons, accessors, notes));
}
