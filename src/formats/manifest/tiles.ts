// The tiles of a manifest with their levels and distances, as the engine's loader registers them. Plain code, which runs in
// a browser too.

import { DEFAULT_LOAD_PRIORITY } from '../../engine/loading.ts';
import type { TileDistances } from '../../engine/shownLevel.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';
import type { ManifestBounds, StreamingDefaults, TileEntry, TileManifest } from './schema.ts';

/** A payload and the distance in metres from which it is shown. */
export interface CookedLevel {
  readonly path: string;
  readonly distance: number;
}

export interface CookedTile {
  readonly id: string;
  /** The bounds in the manifest; null for a single file. */
  readonly bounds: Bounds | null;
  /** Relative to the set's folder, with `/`. */
  readonly full: string;
  /** In order of their distances. */
  readonly lods: readonly CookedLevel[];
  readonly hlod: CookedLevel | null;
  /** Null: the engine shows it at every distance. */
  readonly distances: TileDistances | null;
  /** Without levels; its radii count as they are. */
  readonly shared: { readonly streaming: number | null; readonly unload: number | null } | null;
  /** The height at which the floor gate measures the camera; null where there is no gate. */
  readonly gateHeight: number | null;
  /** Higher ones are loaded first. */
  readonly priority: number;
  /** Of the file of full detail, as the manifest states them; 0 where it does not. */
  readonly bytes: number;
  /** What its geometry takes on the GPU, as our cooks state it; otherwise the size of the file. */
  readonly gpuBytes: number;
  /** `ExteriorShell` and the like; null outside of trees. */
  readonly tier: string | null;
}

export interface CookedTiles {
  readonly tiles: readonly CookedTile[];
  /** The bounds of all tiles; null where no tile has bounds. */
  readonly bounds: Bounds | null;
}

function boundsOf({ min, max }: ManifestBounds): Bounds {
  return { min: [min[0], min[1], min[2]], max: [max[0], max[1], max[2]] };
}

function isBox(bounds: ManifestBounds | undefined): bounds is ManifestBounds {
  if (!Array.isArray(bounds?.min) || !Array.isArray(bounds.max)) return false;
  return [0, 1, 2].every((k) => Number.isFinite(bounds.min[k]) && bounds.max[k] >= bounds.min[k]);
}

/** Modes whose tiles the floor gate concerns. */
const FLOOR_MODES = ['quadtree_floor', 'kdtree_floor'];

function tileOf(entry: TileEntry, defaults: StreamingDefaults, hasFloors: boolean): CookedTile {
  const levels = (entry.lod_levels ?? []).map(({ path, switch_distance }) => ({ path, distance: switch_distance }));
  const lods = levels.sort((a, b) => a.distance - b.distance);
  const [far] = entry.hlod_levels ?? [];
  const hlod = far ? { path: far.path, distance: far.switch_distance } : null;
  const isGated = hasFloors && entry.floor_id != null && entry.interior === true;
  return {
    id: entry.tile_id,
    bounds: boundsOf(entry.bounds),
    full: entry.path_relative_to_manifest,
    lods,
    hlod,
    distances: {
      streaming: entry.streaming_radius ?? defaults.streaming_radius,
      unload: entry.unload_radius ?? defaults.unload_radius,
      prefetch: entry.prefetch_radius ?? defaults.prefetch_radius ?? null,
      lods: lods.map(({ distance }) => distance),
      hlod: hlod?.distance ?? null,
      isGated: false,
    },
    shared: null,
    gateHeight: isGated ? entry.center[1] : null,
    priority: entry.priority ?? defaults.priority,
    bytes: entry.file_size_bytes,
    gpuBytes: entry.estimated_memory_bytes ?? entry.file_size_bytes,
    tier: entry.semantic_tier ?? null,
  };
}

function sharedOf(entry: TileEntry, defaults: StreamingDefaults): CookedTile {
  return {
    id: entry.tile_id,
    bounds: boundsOf(entry.bounds),
    full: entry.path_relative_to_manifest,
    lods: [],
    hlod: null,
    distances: null,
    shared: { streaming: entry.streaming_radius ?? null, unload: entry.unload_radius ?? null },
    gateHeight: null,
    priority: entry.priority ?? defaults.priority,
    bytes: entry.file_size_bytes,
    gpuBytes: entry.estimated_memory_bytes ?? entry.file_size_bytes,
    tier: null,
  };
}

/** The tiles of a manifest that the engine's decoder takes, the shared bucket last. */
export function tilesOf(manifest: TileManifest): CookedTiles {
  const { partitioning_mode: mode, streaming_defaults: defaults, shared_bucket: shared } = manifest;
  const hasFloors = FLOOR_MODES.includes(mode ?? '');
  const tiles = manifest.tiles.map((entry) => tileOf(entry, defaults, hasFloors));
  if (shared) tiles.push(sharedOf(shared, defaults));
  let bounds: Bounds | null = null;
  for (const tile of tiles) if (tile.bounds) bounds = unite(bounds, tile.bounds);
  // The engine's own exporter gives its tiles bounds of 10 km height.
  if (isBox(manifest.scene_bounds)) bounds = boundsOf(manifest.scene_bounds);
  return { tiles, bounds };
}

/** Where the cameras of the scene are, in metres. */
export function cameraPlaces(manifest: TileManifest): Vec3[] {
  const { scene_cameras: cameras = [] } = manifest as { readonly scene_cameras?: readonly { position?: unknown }[] };
  return cameras.flatMap(({ position }): Vec3[] => {
    const isPlace = Array.isArray(position) && position.length === 3 && position.every(Number.isFinite);
    return isPlace ? [position as unknown as Vec3] : [];
  });
}

/** A file as the only tile of a set. */
export function singleTile(id: string, path: string): CookedTile {
  return {
    id,
    bounds: null,
    full: path,
    lods: [],
    hlod: null,
    distances: null,
    shared: null,
    gateHeight: null,
    priority: DEFAULT_LOAD_PRIORITY,
    bytes: 0,
    gpuBytes: 0,
    tier: null,
  };
}
