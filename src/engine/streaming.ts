// How the engine's loader streams tiles: the rules and constants of its distances. Sources, of UntoldEngine:
// Sources/UntoldEngine/Systems/RegistrationSystem.swift (normalizeTileStreamingBands) and GeometryStreamingSystem.swift
// with its extension TileStreaming. Distances are metres, from the camera to the nearest point of a tile's bounds.

/** Least gap between neighbouring distances of one tile: streaming radius, LODs, HLOD (normalizeTileStreamingBands). */
export const BAND_GAP = 4;
/** The loader moves a LOD out to this share of the streaming radius at least. */
const NEAREST_LOD = 0.35;
/** The loader ends an HLOD this far before the unload radius at the latest. */
export const HLOD_MARGIN = 1;

/** Tiles, LODs, HLODs and the shared bucket are considered within this distance only (maxQueryRadius). */
export const MAX_QUERY_RADIUS = 500;
/** The loader requests a full tile up to this far beyond its prefetch radius. */
export const REQUEST_MARGIN = 1;
/** A camera that approaches must come within this share of a level's distance before the nearer level is loaded. */
export const HYSTERESIS = 0.9;
/** The floor gate requests no full tile whose centre is further than this above or below the camera (floorProximityGateY). */
export const FLOOR_GATE = 5;

/**
 * The octree's root covers ±1000 m (OctreeSystem.swift). With MAX_QUERY_RADIUS the loader queries it from up to 1500 m
 * away, so tiles beyond are never requested.
 */
export const OCTREE_REACH = 1000 + MAX_QUERY_RADIUS;

/**
 * The largest coordinate with usable distances. The engine compares squared distances in float32, which ends at 3.4e38:
 * a distance must stay below 1.8e19. Radii are several diagonals of a tile, and a diagonal is at most 3.5 times the
 * largest coordinate.
 */
export const LARGEST_COORDINATE = 1e18;

export interface Bands {
  readonly unload: number;
  /** Null: no HLOD. */
  readonly hlod: number | null;
  /** Ascending. Null for a level that is dropped. */
  readonly lods: readonly (number | null)[];
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** The distances in use, for radii and switch distances in metres; `lods` in any order, `hlod` null for none. */
export function loaderBands(streaming: number, unload: number, hlod: number | null, lods: readonly number[]): Bands {
  const raised = Math.max(unload, streaming + BAND_GAP);
  const nearest = streaming + BAND_GAP;
  const far = hlod !== null && hlod > 0 ? clamp(hlod, nearest, Math.max(nearest, raised - HLOD_MARGIN)) : null;
  const ceiling = (far ?? raised) - BAND_GAP;
  let floor = Math.max(1, NEAREST_LOD * streaming);
  const sorted = [...lods].sort((a, b) => a - b);
  const kept = sorted.map((lod, i) => {
    const value = clamp(lod, floor, Math.max(floor, ceiling - BAND_GAP * (sorted.length - 1 - i)));
    floor = value + BAND_GAP;
    return value > ceiling ? null : value;
  });
  return { unload: raised, hlod: far ?? hlod, lods: kept };
}
