// Every rule for the content of a .ani file, one code each.

import type { Findings } from '../../findings.ts';
import { isRotation } from '../bytes/rotation.ts';
import type { Animation, Track } from './layout.ts';

export function checkAnimationRules({ length, tracks }: Animation, findings: Findings): void {
  const isLength = length >= 0 && Number.isFinite(length);
  if (!isLength) findings.report('UC3928', '', `length of an animation impossible: ${length} seconds`);
  const bones = new Set<string>();
  for (const [i, track] of tracks.entries()) {
    const place = `tracks/${i}`;
    if (bones.has(track.bone)) findings.report('UC3941', place, `another track is for "${track.bone}"`);
    bones.add(track.bone);
    checkTimes(track, isLength ? length : Number.POSITIVE_INFINITY, place, findings);
    checkValues(track, place, findings);
  }
}

function checkTimes({ keys: { time } }: Track, length: number, place: string, findings: Findings): void {
  let before = 0;
  for (const [key, at] of time.entries()) {
    if (!(at >= before) || !Number.isFinite(at)) {
      findings.report(
        'UC3928',
        `${place}/keys/${key}`,
        `keys of a track do not ascend: at ${at} seconds, not before ${before}`,
      );
      return;
    }
    before = at;
  }
  if (before > length)
    findings.report(
      'UC3982',
      place,
      `keys behind the end of an animation: the last key is at ${before} of ${length} seconds`,
    );
}

function checkValues({ keys }: Track, place: string, findings: Findings): void {
  for (const name of ['position', 'rotation', 'scale'] as const) {
    const values = keys[name];
    const wrong = values === null ? -1 : values.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0)
      findings.report('UC3928', place, `number that is not finite: ${name}: number ${wrong} is not finite`);
  }
  const rotations = keys.rotation ?? new Float32Array(0);
  for (let key = 0; 4 * key < rotations.length; key++) {
    if (isRotation(rotations, 4 * key) || !rotations.subarray(4 * key, 4 * key + 4).every(Number.isFinite)) continue;
    const rotation = rotations.subarray(4 * key, 4 * key + 4).join(' ');
    findings.report('UC3928', `${place}/keys/${key}`, `rotation is no unit quaternion: rotation ${rotation}`);
    return;
  }
}
