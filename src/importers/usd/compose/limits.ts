// Limits that keep the cost of hostile scenes finite. A scene beyond a limit is UC1714.

/** Arcs between a prim and an opinion. Production scenes use about a dozen. */
export const MAX_ARC_DEPTH = 100;
/** Sites of one prim. */
export const MAX_NODES = 10_000;
/** Prims of one stage, instance proxies included. */
export const MAX_PRIMS = 1_000_000;
/** When a stage reaches this many prims, `checkPopulation` computes how many there will be in total. */
export const MANY_PRIMS = 1_000;
/**
 * Sites of all prims together. The sites of arcs that reference each other multiply from prim to prim. A site takes
 * about half a kilobyte of memory, so this limit keeps them below a gigabyte.
 */
export const MAX_ALL_NODES = 1_500_000;
/** Characters in the paths of all prims together: in deep namespaces, paths are long. */
export const MAX_PATH_CHARACTERS = 500_000_000;
/** Layers of one layer stack. Sublayers that list each other's sublayers multiply. */
export const MAX_LAYERS = 10_000;
/**
 * Sites that are visited to make the prim indices. Arcs that reference each other make the same sites count many times.
 */
export const MAX_STEPS = 100_000_000;
