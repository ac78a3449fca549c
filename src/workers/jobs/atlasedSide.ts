// Which images are merged into atlases.

/** The longer side of an image that is merged, in pixels at most. */
export const MAX_ATLASED_SIDE = 128;
