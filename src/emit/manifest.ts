// The manifest of a grid cook, in the order of keys that the engine's own exporter writes. Keys that the engine never
// reads are kept few: what a person or another tool needs to find its way.

import { center } from '../scene/bounds.ts';
import type { Bounds } from '../scene/types.ts';
import { ladder } from '../tiling/ladder.ts';
import { DEFAULT_PRIORITY } from '../tiling/priority.ts';
import { gridRadii, type Radii, sharedRadii, widenRadii } from '../tiling/radii.ts';
import { type Authored, authoredLists } from './lightsAndCameras.ts';
import type { WrittenFile } from './outputSet.ts';
import { UniqueNames } from './tile.ts';

/** A level of a tile as it was written. */
export interface EmittedLevel {
  readonly path: string;
  /** Measured, in metres. */
  readonly error: number;
}

/** One payload as it was written. */
export interface EmittedTile {
  readonly id: string;
  readonly cell: readonly [number, number, number] | null;
  readonly path: string;
  readonly bytes: number;
  /** Tight, of the stored vertices, those of the levels too. */
  readonly bounds: Bounds;
  /** From near to far; absent: none. */
  readonly lods?: readonly EmittedLevel[];
  readonly hlod?: EmittedLevel | null;
  readonly objectCount: number;
  /** tilePriority of its objects. */
  readonly priority: number;
  /** 32 bytes a vertex and the indices. */
  readonly gpuBytes: number;
}

export interface ManifestInput {
  readonly sceneName: string;
  readonly tileSize: number;
  readonly tiles: readonly EmittedTile[];
  readonly shared: EmittedTile | null;
  /** Lights and cameras of the whole scene. */
  readonly authored: Authored;
  /** All other files of the set. */
  readonly files: readonly WrittenFile[];
}

/** The exporter's grid has one layer; the engine takes a cell's size from x and z. */
const LAYER_HEIGHT = 10000;

const axes = (v: readonly [number, number, number]) => ({ x: v[0], y: v[1], z: v[2] });

function uniteAll(tiles: readonly EmittedTile[]): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const { bounds } of tiles) {
    for (let i = 0; i < 3; i++) {
      min[i] = Math.min(min[i], bounds.min[i]);
      max[i] = Math.max(max[i], bounds.max[i]);
    }
  }
  return { min, max };
}

function entry(tile: EmittedTile, radii: Radii) {
  const { lods = [], hlod = null } = tile;
  const errors = lods.map(({ error }) => error);
  const distances = ladder(radii.streaming, radii.unload, errors, hlod?.error ?? null);
  const level = ({ path, error }: EmittedLevel, distance: number) => ({
    path,
    switch_distance: distance,
    geometric_error: Number(error.toPrecision(6)),
  });
  return {
    tile_id: tile.id,
    ...(tile.cell ? { grid_coord: tile.cell } : { export_policy: 'shared_bucket' }),
    path_relative_to_manifest: tile.path,
    streaming_radius: radii.streaming,
    unload_radius: distances.unload,
    priority: tile.priority,
    ...(lods.length > 0 ? { lod_levels: lods.map((lod, i) => level(lod, distances.lods[i])) } : {}),
    hlod_levels: hlod && distances.hlod !== null ? [level(hlod, distances.hlod)] : [],
    file_size_bytes: tile.bytes,
    estimated_memory_bytes: tile.gpuBytes,
    bounds: tile.bounds,
    center: center(tile.bounds),
    object_count: tile.objectCount,
  };
}

/** The manifest as text: UTF-8 JSON, two spaces, a final newline. At least one payload is needed. */
export function manifestText(input: ManifestInput): string {
  const payloads = input.shared ? [...input.tiles, input.shared] : input.tiles;
  const scene = uniteAll(payloads);
  const grid = gridRadii(scene, input.tileSize);
  const defaults = widenRadii(grid, null);
  // The engine makes an entity of each tile's id too.
  const names = new UniqueNames();
  for (const { id } of payloads) names.take(id, 'tile');
  const manifest = {
    version: 3,
    generator: 'untold-cook',
    partitioning_mode: 'uniform_grid',
    payload_dir_relative_to_manifest: input.sceneName,
    axis_convention: { up: '+Y', forward: '+Z', tile_plane: 'XZ' },
    tile_size_mode: 'manual',
    tile_size: axes([input.tileSize, LAYER_HEIGHT, input.tileSize]),
    scene_bounds: scene,
    ...authoredLists(input.authored, names),
    streaming_defaults: {
      streaming_radius: defaults.streaming,
      unload_radius: defaults.unload,
      priority: DEFAULT_PRIORITY,
    },
    shared_bucket: input.shared ? entry(input.shared, widenRadii(sharedRadii(scene), input.shared.bounds)) : null,
    tiles: input.tiles.map((tile) => entry(tile, widenRadii(grid, tile.bounds))),
    files: input.files.map(({ path, sha256 }) => ({ path, sha256 })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/**
 * The files that an earlier manifest of ours lists, relative to its folder, with their SHA-256; null when the text is no manifest of ours.
 * Only paths below the scene's own payload folder are believed.
 */
export function filesOfManifest(text: string, sceneName: string): ReadonlyMap<string, string | null> | null {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return null;
  }
  const { generator, files } = (manifest ?? {}) as { generator?: unknown; files?: unknown };
  if (generator !== 'untold-cook' || !Array.isArray(files)) return null;
  const paths = new Map<string, string | null>();
  for (const file of files as unknown[]) {
    const { path, sha256 } = (file ?? {}) as { path?: unknown; sha256?: unknown };
    if (typeof path !== 'string' || !path.startsWith(`${sceneName}/`)) continue;
    if (/[\\\0:]/.test(path) || path.split('/').some((part) => part === '' || part === '.' || part === '..')) continue;
    paths.set(path, typeof sha256 === 'string' ? sha256 : null);
  }
  return paths;
}
