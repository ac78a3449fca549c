// A cooked set as the engine would load it: its tiles with their levels, from the manifest, or one .untold file as the only
// tile of a set.

import { dirname } from 'node:path';
import { expandSources } from '../../config/sources.ts';
import { type Diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import type { TileDistances } from '../../engine/shownLevel.ts';
import type { ManifestBounds, StreamingDefaults, TileEntry, TileManifest } from '../../formats/manifest/schema.ts';
import { validateManifest } from '../../formats/manifest/validate.ts';
import { FORMATS, formatOfContent } from '../../formats/registry.ts';
import { codeOf, isFolder, readWhole, readWholeText, refusal } from '../../importers/wholeFile.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { diskProbe, isManifestText } from '../manifestFiles.ts';

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
}

export interface CookedSet {
  /** For messages. */
  readonly file: string;
  /** Absolute. */
  readonly folder: string;
  readonly tiles: readonly CookedTile[];
  /** The bounds of all tiles; null for a single file, whose geometry must be read to find them. */
  readonly bounds: Bounds | null;
  readonly warnings: readonly Diagnostic[];
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
  };
}

function sharedOf(entry: TileEntry): CookedTile {
  return {
    id: entry.tile_id,
    bounds: boundsOf(entry.bounds),
    full: entry.path_relative_to_manifest,
    lods: [],
    hlod: null,
    distances: null,
    shared: { streaming: entry.streaming_radius ?? null, unload: entry.unload_radius ?? null },
    gateHeight: null,
  };
}

function setOf(manifest: TileManifest, file: string, folder: string, warnings: readonly Diagnostic[]): CookedSet {
  const hasFloors = FLOOR_MODES.includes(manifest.partitioning_mode ?? '');
  const tiles = manifest.tiles.map((entry) => tileOf(entry, manifest.streaming_defaults, hasFloors));
  if (manifest.shared_bucket) tiles.push(sharedOf(manifest.shared_bucket));
  let bounds: Bounds | null = null;
  for (const tile of tiles) if (tile.bounds) bounds = unite(bounds, tile.bounds);
  // The engine's own exporter gives its tiles bounds of 10 km height.
  if (isBox(manifest.scene_bounds)) bounds = boundsOf(manifest.scene_bounds);
  return { file, folder, tiles, bounds, warnings };
}

function readText(path: string): string {
  try {
    return readWholeText(path);
  } catch (error) {
    return fail('UC1200', path, '', `${path} ${refusal(codeOf(error))}`);
  }
}

function readBytes(path: string): Uint8Array {
  try {
    return readWhole(path);
  } catch (error) {
    return fail('UC1200', path, '', `${path} ${refusal(codeOf(error))}`);
  }
}

/** The only manifest below a folder. */
function manifestBelow(folder: string, name: string, cwd: string): string {
  const found = expandSources([folder], cwd, ['.json'], (path) => isManifestText(readText(path)) === true);
  if (found.length !== 1) fail('UC5000', name, '', `the folder holds ${found.length} manifests`);
  return found[0];
}

function fileAsSet(path: string, file: string, extension: string): CookedSet {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const tile: CookedTile = {
    id: name.endsWith(extension) ? name.slice(0, -extension.length) : name,
    bounds: null,
    full: path.slice(dirname(path).length).replace(/^[\\/]/, ''),
    lods: [],
    hlod: null,
    distances: null,
    shared: null,
    gateHeight: null,
  };
  return { file, folder: dirname(path), tiles: [tile], bounds: null, warnings: [] };
}

/**
 * The set at an absolute path: a manifest, a folder that holds one, or a cooked file. Throws UC1200, UC5000, and the
 * errors of a manifest that the engine refuses or whose files are not there.
 */
export async function openCookedSet(given: string, name: string, cwd: string): Promise<CookedSet> {
  const path = isFolder(given) ? manifestBelow(given, name, cwd) : given;
  const file = path === given ? name : path;
  const bytes = readBytes(path);
  const format = formatOfContent(bytes);
  if (format !== null) return fileAsSet(path, file, FORMATS[format].extension);
  const text = new TextDecoder().decode(bytes);
  if (isManifestText(text) !== true) fail('UC5000', file, '', 'it is neither a manifest nor a cooked file');
  const { manifest, diagnostics } = await validateManifest(text, file, diskProbe(dirname(path)));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (manifest === null || errors.length > 0) throw new SourceError(errors);
  // A missing texture is reported when it is to be drawn.
  const warnings = diagnostics.filter(({ code }) => code !== 'UC3108');
  return setOf(manifest, file, dirname(path), warnings);
}
