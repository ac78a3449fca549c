// Clips and their channels. Ranges are errors, because the engine does not check them and crashes. The rest is what its
// sampler does with keys: it divides by the time between two keys, lets every channel wrap at its own last key, and shows
// the rest pose where a channel or a clip has no length.

import type { Findings } from '../../findings.ts';
import {
  ANIMATION_CHANNEL,
  ANIMATION_CLIP,
  CHUNK,
  ROTATION_KEYFRAME,
  SKELETON_JOINT,
  TRANSLATION_KEYFRAME,
} from '../container/records.ts';
import { recordPath, type Table, type Tables } from '../container/tables.ts';
import { NONE } from '../types.ts';
import { scanBudget } from './geometry.ts';
import { inTable } from './tableRange.ts';

/** The part of a clip's duration by which the last key of a channel may miss it: what float32 times cost. */
const END_TOLERANCE = 1e-6;

/** Checks a channel's keys of one kind; the time of the last one, NaN when there are fewer than two or they are wrong. */
function lastKey(
  timeOf: (index: number) => number,
  first: number,
  count: number,
  path: string,
  what: string,
  findings: Findings,
): number {
  if (count === 0) return NaN;
  if (count === 1) {
    findings.report('UC3120', path, `channel of one key: one ${what} key, at ${timeOf(first)} s`);
    return NaN;
  }
  for (let k = first; k < first + count; k++) {
    const time = timeOf(k);
    // NaN is another finding.
    if (!(time < 0 || (k > first && time <= timeOf(k - 1)))) continue;
    findings.report('UC3003', path, `key times not ascending: ${what} key ${k - first} is at ${time} s`);
    return NaN;
  }
  return timeOf(first + count - 1);
}

/** The last keys of all channels: translation at 2 i, rotation at 2 i + 1. */
function checkChannels(tables: Tables, findings: Findings): Float64Array {
  const channels = tables.table(ANIMATION_CHANNEL, CHUNK.animationChannel);
  const translations = tables.table(TRANSLATION_KEYFRAME, CHUNK.translationKeyframe);
  const rotations = tables.table(ROTATION_KEYFRAME, CHUNK.rotationKeyframe);
  const bytes = (table: Table) => table.length * table.recordSize;
  const budget = scanBudget(findings, bytes(translations) + bytes(rotations));
  const last = new Float64Array(channels.length * 2).fill(NaN);
  const timeOfTranslation = translations.column('time');
  const timeOfRotation = rotations.column('time');
  for (let i = 0; i < channels.length; i++) {
    const channel = channels.get(i);
    const path = recordPath(CHUNK.animationChannel, i);
    const { firstTranslationKeyframeIndex: t, translationKeyframeCount: tCount } = channel;
    const { firstRotationKeyframeIndex: r, rotationKeyframeCount: rCount } = channel;
    const type = CHUNK.animationChannel;
    if (
      inTable(findings, type, i, 'translation keys', t, tCount, translations.length) &&
      budget.take(tCount * translations.recordSize, path)
    ) {
      last[i * 2] = lastKey(timeOfTranslation, t, tCount, path, 'translation', findings);
    }
    if (
      inTable(findings, type, i, 'rotation keys', r, rCount, rotations.length) &&
      budget.take(rCount * rotations.recordSize, path)
    ) {
      last[i * 2 + 1] = lastKey(timeOfRotation, r, rCount, path, 'rotation', findings);
    }
  }
  return last;
}

/** Paths of all joints; null in a file without skeletons, such as a file of clips. */
function jointPaths(tables: Tables): ReadonlySet<string> | null {
  const joints = tables.table(SKELETON_JOINT, CHUNK.skeletonJoint);
  if (joints.length === 0) return null;
  const offsetOf = joints.column('jointPathOffset');
  const paths = new Set<string>();
  for (let i = 0; i < joints.length; i++) if (offsetOf(i) !== NONE) paths.add(tables.strings.at(offsetOf(i)));
  return paths;
}

/** UC3034, UC3120 and UC3131. */
export function checkAnimation(tables: Tables, findings: Findings): void {
  const clips = tables.table(ANIMATION_CLIP, CHUNK.animationClip);
  const channels = tables.table(ANIMATION_CHANNEL, CHUNK.animationChannel);
  const pathOf = channels.column('jointPathOffset');
  const last = checkChannels(tables, findings);
  const joints = jointPaths(tables);
  const budget = scanBudget(findings, channels.length * channels.recordSize);
  for (let i = 0; i < clips.length; i++) {
    const { duration, firstChannelRecordIndex: first, channelRecordCount: count } = clips.get(i);
    const path = recordPath(CHUNK.animationClip, i);
    if (duration <= 0) findings.report('UC3120', path, `clip without a duration: duration ${duration} s`);
    if (!inTable(findings, CHUNK.animationClip, i, 'channels', first, count, channels.length)) continue;
    if (!budget.take(count * channels.recordSize, path)) continue;
    for (let c = first; c < first + count; c++) {
      const channel = recordPath(CHUNK.animationChannel, c);
      // A channel without keys of a kind, or with faulty ones, has NaN here and no end to compare.
      const end = [last[c * 2], last[c * 2 + 1]].find((time) => Math.abs(time - duration) > END_TOLERANCE * duration);
      if (duration > 0 && end !== undefined) {
        findings.report(
          'UC3120',
          channel,
          `channel does not end with its clip: the last key is at ${end} s, the clip ends at ${duration} s`,
        );
      }
      if (joints === null || pathOf(c) === NONE) continue;
      const joint = tables.strings.at(pathOf(c));
      if (!joints.has(joint)) findings.report('UC3131', channel, `no joint “${joint}”`);
    }
  }
}
