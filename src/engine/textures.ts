// What the engine's texture loader takes. Source: the published untold format text, materials and textures, and the
// Metal feature set tables for the GPUs that the engine runs on.

/** The largest side of a texture in pixels. */
export const MAX_TEXTURE_SIDE = 16_384;

/** Slots that the engine loads as sRGB, whatever the flags of the texture record state. */
export function isSrgbSlot(slot: string): boolean {
  return slot === 'baseColor' || slot === 'emissive';
}
