// Reads what moves a model: bones, a matrix for each frame and bone, and animations, which are ranges of frames.

import type { Findings } from '../../findings.ts';
import { MODEL } from '../container/layout.ts';
import type { BpxContainer } from '../container/open.ts';
import type { BpxStrings } from '../container/strings.ts';
import {
  ANIMATION,
  ANIMATION_ARRAY,
  BONE,
  BONE_ARRAY,
  bytesOf,
  FRAME_ARRAY,
  FRAME_MATRIX,
  MATRIX_NUMBERS,
  MAX_BONES,
  PADDED_BONE_ARRAY,
} from '../records.ts';
import type { BpxAnimation, BpxBone, BpxModel } from '../types.ts';
import { hasLength, headerOf, recordAt, sectionOf } from './sections.ts';

export function readRig(
  container: BpxContainer,
  strings: BpxStrings,
  findings: Findings,
): Pick<BpxModel, 'bones' | 'frames' | 'animations'> {
  const bones = readBones(container, strings, findings);
  const frames = readFrames(container, bones, findings);
  const frameCount = frames && bones ? frames.length / MATRIX_NUMBERS / bones.length : 0;
  return { bones, frames, animations: readAnimations(container, frameCount, strings, findings) };
}

function readBones(container: BpxContainer, strings: BpxStrings, findings: Findings): BpxBone[] | null {
  const section = sectionOf(container, MODEL.boneArray);
  const header = section && headerOf(BONE_ARRAY, section, findings);
  if (!section || !header) return null;
  const { place, bytes } = section;
  const { boneCount } = header;
  if (boneCount < 1 || boneCount > MAX_BONES) {
    findings.report('UC3657', place, `${boneCount} bones`);
    return null;
  }
  const size = boneCount * bytesOf(BONE);
  const first = bytes.length === PADDED_BONE_ARRAY + size ? PADDED_BONE_ARRAY : bytesOf(BONE_ARRAY);
  if (!hasLength(section, first + size, findings)) return null;
  return Array.from({ length: boneCount }, (_, i) => {
    const { matrix, name } = recordAt(BONE, bytes, first + i * bytesOf(BONE));
    const bone = `${place} bone ${i}`;
    if (!matrix.every(Number.isFinite))
      findings.report('UC3656', bone, `number of a BPX model is not finite: its matrix is ${matrix.join(' ')}`);
    return { name: strings.at(name, bone) ?? '', matrix: Float32Array.from(matrix) };
  });
}

/** Matrices of 16 numbers, frame by frame one for each bone. */
function readFrames(
  container: BpxContainer,
  bones: readonly BpxBone[] | null,
  findings: Findings,
): Float32Array | null {
  const section = sectionOf(container, MODEL.frameArray);
  const header = section && headerOf(FRAME_ARRAY, section, findings);
  if (!section || !header) return null;
  const { place } = section;
  if (!bones) {
    findings.report('UC3644', place, `frames without bones: ${header.frameCount} frames and no bones`);
    return null;
  }
  const size = header.frameCount * bones.length * bytesOf(FRAME_MATRIX);
  if (!hasLength(section, bytesOf(FRAME_ARRAY) + size, findings)) return null;
  const frames = new Float32Array(section.bytes.slice(bytesOf(FRAME_ARRAY)).buffer);
  const at = frames.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) {
    const [frame, bone] = [
      Math.floor(at / MATRIX_NUMBERS / bones.length),
      Math.floor(at / MATRIX_NUMBERS) % bones.length,
    ];
    findings.report(
      'UC3656',
      place,
      `number of a BPX model is not finite: ${frames[at]} in the matrix of frame ${frame}, bone ${bone}`,
    );
  }
  return frames;
}

function readAnimations(
  container: BpxContainer,
  frames: number,
  strings: BpxStrings,
  findings: Findings,
): BpxAnimation[] | null {
  const section = sectionOf(container, MODEL.animationArray);
  const header = section && headerOf(ANIMATION_ARRAY, section, findings);
  if (!section || !header) return null;
  const { place, bytes } = section;
  if (!hasLength(section, bytesOf(ANIMATION_ARRAY) + header.animationCount * bytesOf(ANIMATION), findings)) return null;
  return Array.from({ length: header.animationCount }, (_, i) => {
    const values = recordAt(ANIMATION, bytes, bytesOf(ANIMATION_ARRAY) + i * bytesOf(ANIMATION));
    const { firstFrame, frameCount, framesPerSecond } = values;
    const animation = `${place} animation ${i}`;
    if (firstFrame + frameCount > frames) {
      findings.report(
        'UC3624',
        animation,
        `animation beyond the frames of the model: frames ${firstFrame} to ${firstFrame + frameCount} of ${frames}`,
      );
    }
    if (!(framesPerSecond > 0) || !Number.isFinite(framesPerSecond)) {
      findings.report('UC3656', animation, `frame rate of an animation impossible: ${framesPerSecond} frames a second`);
    }
    return { name: strings.at(values.name, animation) ?? '', firstFrame, frameCount, framesPerSecond };
  });
}
