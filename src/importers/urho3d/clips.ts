// .ani files as clips of a model's skeleton: tracks find bones by their names, and what a track lacks stays as it is at rest.

import { basename, extname } from 'node:path';
import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { Track } from '../../formats/urho3d/animation/layout.ts';
import { readAnimation } from '../../formats/urho3d/animation/read.ts';
import { mirrorZ, rotationFromUrho3d } from '../../formats/urho3d/axes.ts';
import { ownClipName } from '../../formats/urho3d/target/names.ts';
import { justBefore } from '../../scene/justBefore.ts';
import type { SceneChannel, SceneClip, SceneCurve } from '../../scene/types.ts';
import type { SourceFiles } from '../files.ts';
import type { BoneRig } from './skeleton.ts';

/** Rotations in engine space, four numbers each. */
function rotations(values: Float32Array): Float32Array {
  const changed = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += 4) {
    changed.set(rotationFromUrho3d(Array.from(values.subarray(at, at + 4))), at);
  }
  return changed;
}

/**
 * The keys of a track as keys at times that ascend: its number and its time. Of several at one time the engine moves towards the
 * first and goes on from the last, so the first is held just before, and others are never seen.
 */
function ascendingKeys(time: Float32Array): { readonly key: number; readonly time: number }[] {
  const kept: { readonly key: number; readonly time: number }[] = [];
  for (const [key, at] of time.entries()) {
    const isFirst = key === 0 || time[key - 1] < at;
    const isLast = key === time.length - 1 || time[key + 1] > at;
    if (isLast) kept.push({ key, time: at });
    else if (isFirst && at > 0) {
      const before = justBefore(at);
      if (kept.length === 0 || before > kept[kept.length - 1].time) kept.push({ key, time: before });
    }
  }
  return kept;
}

/** One part of a track, in engine space. Null: the track does not have it. */
function curveOf(time: Float32Array, values: Float32Array | null, size: 3 | 4): SceneCurve | null {
  if (values === null || time.length === 0) return null;
  const kept = ascendingKeys(time);
  return {
    interpolation: 'linear',
    size,
    times: Float64Array.from(kept, ({ time: at }) => at),
    values: Float64Array.from(kept.flatMap(({ key }) => [...values.subarray(key * size, (key + 1) * size)])),
  };
}

function channelOf({ bone, keys }: Track, { byName, skeleton }: ClipRig): SceneChannel | null {
  const joint = byName.get(bone);
  if (joint === undefined) return null;
  // Only times and vertices of rows can be whole numbers; values never are.
  const { time, position, rotation, scale } = keys as Record<keyof typeof keys, Float32Array>;
  return {
    target: { kind: 'joint', skeleton, joint },
    translation: curveOf(time, position && mirrorZ(position), 3),
    rotation: curveOf(time, rotation && rotations(rotation), 4),
    scale: curveOf(time, scale, 3),
  };
}

const stemOf = (path: string): string => basename(path, extname(path));

/**
 * The names of clips. Exporters give many files one inner name ("Take 001"): these are called as their files are, and so is a
 * clip without a name; what is still equal gets a number. The name of the model in front, as this program writes it, is left out.
 */
function namesOf(inner: readonly string[], paths: readonly string[], model: string): string[] {
  const own = inner.map((name) => ownClipName(name, model));
  const chosen = own.map((name, i) =>
    name === '' || own.indexOf(name) !== own.lastIndexOf(name) ? stemOf(paths[i]) : name,
  );
  const taken = new Set<string>();
  return chosen.map((name) => {
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
    taken.add(free);
    return free;
  });
}

/** What a clip needs of a rig. */
interface ClipRig extends Pick<BoneRig, 'byName'> {
  /** Index into Scene.skeletons. */
  readonly skeleton: number;
}

/** Who asks for clips, for messages, and what they move. */
export interface ClipRequest {
  readonly source: string;
  /** The name of the model or scene. */
  readonly model: string;
  readonly rigs: readonly BoneRig[];
  /** Whether bones could move something, where there are no rigs. */
  readonly isMoved: boolean;
  /** By path of a file that a scene plays, indices of the rigs that it moves there. */
  readonly played: ReadonlyMap<string, ReadonlySet<number>>;
}

/**
 * The clips of the files that --animation names, each of which moves all rigs that have its bones, and of those that a scene plays,
 * in their order. Throws what reading them throws; reports UC2457 for tracks without a bone, and UC1015 where there is no rig.
 */
export function clipsOf(
  { source, model, rigs, isMoved, played }: ClipRequest,
  files: SourceFiles,
  diagnostics: Diagnostics,
): SceneClip[] {
  const asked = files.search?.animations ?? [];
  if (asked.length > 0 && rigs.length === 0) {
    const why = isMoved ? 'no effect on tiles, which stand still' : 'no vertex of the model has weights of bones';
    diagnostics.report('UC1015', source, '--animation', why);
    return [];
  }
  const all = rigs.map(({ byName, skin: { skeleton } }): ClipRig => ({ byName, skeleton }));
  const inScene = [...played].filter(([path]) => !asked.includes(path));
  const wanted = [
    ...asked.map((path) => ({ path, from: '', moved: all })),
    ...inScene.map(([path, own]) => ({ path, from: source, moved: all.filter((_, i) => own.has(i)) })),
  ];
  const read = wanted.map(({ path, from }) => readAnimation(files.read(path, from, ''), path));
  const names = namesOf(
    read.map(({ name }) => name),
    wanted.map(({ path }) => path),
    model,
  );
  return read.map(({ length, tracks }, i) => {
    const { path, moved } = wanted[i];
    const lost = tracks.filter(({ bone }) => !moved.some(({ byName }) => byName.has(bone)));
    if (lost.length > 0) {
      const shown = lost.slice(0, 3).map(({ bone }) => `"${bone}"`);
      const more = lost.length > shown.length ? ` and ${lost.length - shown.length} more` : '';
      diagnostics.report('UC2457', path, '', `${shown.join(', ')}${more}, of ${tracks.length} tracks`);
    }
    const channels = moved.flatMap((rig) => tracks.flatMap((track) => channelOf(track, rig) ?? []));
    return { name: names[i], path, duration: length, start: 0, channels };
  });
}
