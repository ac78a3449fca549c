// Where a package has the textures of a material. The format has no file for materials, but paths of a package may share a file: each
// texture stands also at a path that says which material uses it, and for what. These paths are ours.

import { channelOf, type FileSlot, type SlotChannels, slotKind } from '../../../scene/materialSlots.ts';
import { extensionOf } from '../../kinds.ts';

const CHANNELS = ['r', 'g', 'b', 'a'] as const;

/** `Materials/Wood/baseColor.bpx`, with its channel where a slot may read any: `Materials/Wood/roughness_g.bpx`. `material`: its path. */
function pathOf(material: string, slot: FileSlot, channel: number | null): string {
  const suffix = channel === null ? '' : `_${CHANNELS[channel]}`;
  return `${material}/${slot}${suffix}${extensionOf('bpx')}`;
}

const isInAny = (slot: FileSlot): boolean => slotKind(slot).stored === 'anyChannel';

export function slotPath(material: string, slot: FileSlot, channels: SlotChannels): string {
  return pathOf(material, slot, isInAny(slot) ? channelOf(slot, channels) : null);
}

/** The path of a slot that a package has, with the channel that it names; null: it has none. */
export function foundSlot(
  material: string,
  slot: FileSlot,
  has: (path: string) => boolean,
): { readonly path: string; readonly channel: number | null } | null {
  const channels = isInAny(slot) ? CHANNELS.keys() : [null];
  for (const channel of channels) {
    const path = pathOf(material, slot, channel);
    if (has(path)) return { path, channel };
  }
  return null;
}
