// What the engine's texture loader takes. Source: the published untold format text, materials and textures, and the
// Metal feature set tables for the GPUs that the engine runs on.

/** The largest side of a texture in pixels. */
export const MAX_TEXTURE_SIDE = 16_384;
