// How much the engine's loader does at a time, and how long it waits before it changes something. Sources, of UntoldEngine:
// GeometryStreamingSystem.swift with its extensions TileStreaming and Eviction, and MemoryBudgetManager.swift. Times are
// seconds.

/** The loader looks at all tiles this often, and more often while tiles wait to be loaded. */
export const TICK = 0.1;
export const BACKLOG_TICK = 0.016;

/** Loads at once: of full tiles (maxConcurrentTileLoads), of LODs and of HLODs. */
export const FULL_LOADS = 2;
export const LOD_LOADS = 4;
export const HLOD_LOADS = 4;
/** The files of full tiles that are loaded at once have at most so many bytes together; one tile always may (tileParseMemoryBudgetMB). */
export const PARSE_BYTES = 200 * 2 ** 20;

/** A full tile is requested if the camera's view, wider by so many metres on all sides, contains a part of its bounds. */
export const VIEW_MARGIN = 20;

/** A full tile is unloaded after the camera was beyond its unload radius for so long, and it was loaded for so long. */
export const UNLOAD_DELAY = 3;
export const MIN_RESIDENCE = 8;
export const UNLOADS_A_TICK = 2;

/** What is shown of a tile changes at most this often. */
export const DWELL = 1;

/** Of all memory that the engine may use, the share that is for geometry. */
export const GEOMETRY_SHARE = 0.6;
/** The least memory that the engine takes for its own, in bytes, on every platform. */
export const MIN_MEMORY = 512 * 2 ** 20;
/** Geometry is evicted from the first share of its budget on, until it takes the second one. */
export const EVICT_ABOVE = 0.85;
export const EVICT_TO = 0.7;

/** What the engine's own exporter gives tiles without a tier. */
export const DEFAULT_LOAD_PRIORITY = 10;
