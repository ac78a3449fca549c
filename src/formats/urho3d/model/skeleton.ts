// The rules for the bones of a .mdl file.

import type { Findings } from '../../findings.ts';
import { isRotation } from '../bytes/rotation.ts';
import type { Bone } from './layout.ts';

export function checkBones(bones: readonly Bone[], findings: Findings): void {
  const names = new Set<string>();
  const roots: number[] = [];
  for (const [i, bone] of bones.entries()) {
    const place = `bones/${i}`;
    if (bone.parent >= bones.length)
      findings.report(
        'UC3914',
        place,
        `bone with a parent that is not there: parent ${bone.parent} of ${bones.length} bones`,
      );
    if (bone.parent === i) roots.push(i);
    const { position, scale, offset, radius, box } = bone;
    const numbers = [...position, ...scale, ...offset, ...bone.rotation, radius ?? 0, ...(box ?? [])];
    if (!numbers.every(Number.isFinite))
      findings.report('UC3928', place, 'number that is not finite: a number is not finite');
    else if (!isRotation(bone.rotation))
      findings.report('UC3928', place, `rotation is no unit quaternion: rotation ${bone.rotation.join(' ')}`);
    if (names.has(bone.name))
      findings.report('UC3985', place, `two bones of one name: another bone is called "${bone.name}"`);
    names.add(bone.name);
  }
  if (roots.length > 1) findings.report('UC3986', 'bones', `bones ${roots.slice(0, 4).join(', ')} are roots`);
  const circle = firstInCircle(bones);
  if (circle >= 0) findings.report('UC3914', `bones/${circle}`, 'bones in a circle: is its own ancestor');
}

/** The first bone whose ancestors lead back to itself, though it is no root; -1 for none. Each bone is passed once. */
function firstInCircle(bones: readonly Bone[]): number {
  /** The walk that came to a bone first; 0: none yet. */
  const walks = new Uint32Array(bones.length);
  for (let start = 0; start < bones.length; start++) {
    let at = start;
    while (at < bones.length && walks[at] === 0) {
      walks[at] = start + 1;
      if (bones[at].parent === at) break;
      at = bones[at].parent;
    }
    if (at < bones.length && walks[at] === start + 1 && bones[at].parent !== at) return at;
  }
  return -1;
}
