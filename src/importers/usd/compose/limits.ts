// Limits that keep the cost of hostile scenes finite, beside those of diagnostics/limits.ts. A scene beyond a limit is UC1714.

/** Sites of one prim. */
export const MAX_NODES = 10_000;
/** When a stage reaches this many prims, `checkPopulation` computes how many there will be in total. */
export const MANY_PRIMS = 1_000;
/**
 * Sites of all prims together, for each prim that the stage may have. The sites of arcs that reference each other multiply
 * from prim to prim. A site takes about half a kilobyte of memory: with the usual limit of prims they stay below a gigabyte.
 */
export const NODES_A_PRIM = 1.5;
/** Characters in the paths of all prims together, for each prim that the stage may have: in deep namespaces, paths are long. */
export const PATH_CHARACTERS_A_PRIM = 500;
/** Layers of one layer stack. Sublayers that list each other's sublayers multiply. */
export const MAX_LAYERS = 10_000;
/**
 * Sites that are visited to make the prim indices. Arcs that reference each other make the same sites count many times.
 */
export const MAX_STEPS = 100_000_000;
