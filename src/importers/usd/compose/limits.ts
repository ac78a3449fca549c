// Bounds that keep hostile scenes finite; what lies beyond is UC1714.

/** Arcs on the way from a prim to an opinion. Productions use about a dozen. */
export const MAX_ARC_DEPTH = 100;
/** Sites of one prim. */
export const MAX_NODES = 10_000;
/** Prims of one stage, instance proxies included. */
export const MAX_PRIMS = 1_000_000;
/** From here on it is worth a look ahead how many there will be. */
export const MANY_PRIMS = 1_000;
/**
 * Sites of all prims together: those of arcs that name each other crosswise multiply from prim to prim. A site costs about
 * half a kilobyte, so that this many stay under a gigabyte.
 */
export const MAX_ALL_NODES = 1_500_000;
/** Characters of their paths: in deep namespaces each is as long as the way to it. */
export const MAX_PATH_CHARACTERS = 500_000_000;
/** Layers of one layer stack: sublayers that name each other crosswise multiply. */
export const MAX_LAYERS = 10_000;
/** Sites that are looked at to make the indices: those of arcs that name each other crosswise, again and again. */
export const MAX_STEPS = 100_000_000;
