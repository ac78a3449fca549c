// Clips as files of their own: the engine loads a `.untoldanim` beside a model, and gives the clip its name then.

import { CLIP_EXTENSION } from '../../engine/names.ts';
import type { RigClip } from '../../scene/rig.ts';
import type { FormatCode, WriteOptions } from '../format.ts';
import { readUntold } from './read.ts';
import type { UntoldScene } from './types.ts';
import { writeUntold } from './write.ts';

const ORIGIN = { min: [0, 0, 0], max: [0, 0, 0] } as const;

async function encode(clip: RigClip, options: WriteOptions): Promise<Uint8Array> {
  const scene: UntoldScene = {
    fileType: 'animation',
    worldBounds: ORIGIN,
    entities: [],
    meshes: [],
    materials: [],
    textures: [],
    clips: [clip],
  };
  return writeUntold(scene, options);
}

async function nameIn(file: Uint8Array): Promise<string | null> {
  const { fileType, clips = [] } = await readUntold(file, '');
  return fileType === 'animation' ? (clips[0]?.name ?? null) : null;
}

export const CLIPS: FormatCode['clips'] = { extension: CLIP_EXTENSION, encode, nameIn };
