// How much the engine holds and draws at a time. Sources, of UntoldEngine: BatchingSystem.swift (batch cells),
// GeometryStreamingSystem+TileStreaming.swift (out-of-core tiles).

/** A tile with this many renderable nodes is loaded out-of-core: mesh by mesh, a few uploads at a time. */
export const OUT_OF_CORE_MESHES = 50;

/**
 * The most vertices of one batch cell on macOS, the lowest limit of all platforms. The engine draws the meshes of a
 * fuller cell unbatched. The edge of a cell is the larger of the manifest's tile_size.x and tile_size.z.
 */
export const BATCH_CELL_VERTICES = 160_000;
