// Packed maps: metallic, roughness and occlusion in channels of one image. Each slot plans a file of its own. Where one of
// them needs new texels and the others need none in its channel, all of them read one new file: an inverted roughness in
// green leaves the metallic in blue as it is. Pure; for recipes.ts.

import type { TextureSlot } from '../../scene/materialSlots.ts';
import type { BakeChannel } from './bake.ts';
import type { PlacedTexture } from './route.ts';

/** A slot of a packed map, and the one channel of its file that the engine reads for it. */
export interface PackedSlot {
  readonly slot: TextureSlot;
  readonly texture: PlacedTexture;
  readonly channel: number;
  /** What the channel is made of; null: the slot has a recipe that cannot be shared. */
  readonly from: BakeChannel | null;
  /** The file is the source's own bytes. */
  readonly isCopy: boolean;
}

/** Slots that read one file, and the channels of it. */
export interface SharedFile {
  readonly slots: readonly PackedSlot[];
  readonly channels: readonly BakeChannel[];
}

export const plainChannel = (c: number): BakeChannel => ({ part: 0, channel: c, scale: 1, bias: 0 });

/** Whether two textures sample the same image in the same way. */
export function sameSampling(a: PlacedTexture, b: PlacedTexture): boolean {
  const key = ({ source, use }: PlacedTexture) =>
    JSON.stringify([source.index, use.uvSet, use.transform, use.wrapS, use.wrapT]);
  return key(a) === key(b);
}

function isEqual(a: BakeChannel, b: BakeChannel): boolean {
  return a.part === b.part && a.channel === b.channel && a.scale === b.scale && a.bias === b.bias;
}

/** The files that several slots share; slots that are in none of them keep their own. Earlier slots come first. */
export function sharedFiles(slots: readonly PackedSlot[]): SharedFile[] {
  const files: SharedFile[] = [];
  const left = new Set(slots);
  for (const first of slots) {
    if (!left.delete(first) || first.from === null) continue;
    const claims = new Map<number, BakeChannel>([[first.channel, first.from]]);
    const members = [first];
    for (const other of left) {
      const { texture, channel, from } = other;
      if (from === null || !sameSampling(first.texture, texture)) continue;
      if (first.texture.use.colorSpace !== texture.use.colorSpace) continue;
      const claimed = claims.get(channel);
      if (claimed && !isEqual(claimed, from)) continue;
      claims.set(channel, from);
      members.push(other);
      left.delete(other);
    }
    // Copies of one image are one file already.
    if (members.length === 1 || members.every(({ isCopy }) => isCopy)) continue;
    const channels = (claims.has(3) ? [0, 1, 2, 3] : [0, 1, 2]).map((c) => claims.get(c) ?? plainChannel(c));
    files.push({ slots: members, channels });
  }
  return files;
}
