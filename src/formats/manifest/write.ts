// The manifest of a cook, with its keys in the order of the engine's own exporter: version 3 for grids, 4 for trees. Few
// keys are there that the engine does not read: those that a person or another tool needs.

import { VERSION } from '../../bytes/version.ts';
import { center } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { batchCellSize } from '../../tiling/partition/budgets.ts';
import type { ClusterEntry } from '../../tiling/streaming/clusterRadii.ts';
import { getsLevels, type HlodCluster } from '../../tiling/streaming/hlodClusters.ts';
import { DEFAULT_PRIORITY } from '../../tiling/streaming/priority.ts';
import type { Radii } from '../../tiling/streaming/radii.ts';
import type { TileRadii } from '../../tiling/streaming/setRadii.ts';
import type { PlannedTile, PlanSummary, TileSummary } from '../../tiling/types.ts';
import type { Authored, EmittedPayload } from '../format.ts';
import { UniqueNames } from '../uniqueNames.ts';
import { authoredLists } from '../untold/lightsAndCameras.ts';
import { isSharedPath } from '../untold/sharedUris.ts';
import { isPathOfSet } from '../urho3d/target/names.ts';
import type { ManifestFile } from './schema.ts';

/** A level of a tile as it was written. */
export interface EmittedLevel {
  readonly path: string;
  /** Measured, in metres, as statedError gives it. */
  readonly error: number;
  /** Metres from which pictures of it look like full detail; absent: the error alone decides from where it is shown. */
  readonly looksFrom?: number | undefined;
}

/** An error in metres as manifests state it: with six digits. */
export const statedError = (error: number): number => Number(error.toPrecision(6));

/** One payload as it was written, by this cook or by that of a part of the set; its bounds contain its levels, too. */
export interface SetTile extends EmittedPayload {
  readonly planned: TileSummary;
  /** From near to far; absent: none. */
  readonly lods?: readonly EmittedLevel[];
  readonly hlod?: EmittedLevel | null;
}

/** A tile of this cook. */
export interface EmittedTile extends SetTile {
  readonly planned: PlannedTile;
}

/** An HLOD cluster as it was written. */
export interface EmittedCluster {
  readonly planned: Pick<HlodCluster, 'id' | 'priority'> & { readonly members: readonly Pick<PlannedTile, 'tree'>[] };
  /** The bounds of its members with their levels. */
  readonly bounds: Bounds;
  readonly hlod: EmittedLevel;
  readonly distances: ClusterEntry;
  /** The file without meshes that takes the role of its full detail. */
  readonly blank: EmittedPayload;
}

export interface ManifestInput {
  readonly sceneName: string;
  /** The folder of payloads, relative to the manifest, with `/` at its end. */
  readonly folder: string;
  /** SHA-256 of the settings that decide the bytes. Cooking one tile of this set later needs the same settings. */
  readonly settings: string;
  readonly plan: Omit<PlanSummary, 'bounds' | 'floors' | 'cut' | 'defaultRange'>;
  /** Most vertices of a batch cell of the engine: the cells are made small enough for that. */
  readonly maxBatchVertices: number;
  readonly tiles: readonly SetTile[];
  readonly shared: SetTile | null;
  /** Absent: none. */
  readonly clusters?: readonly EmittedCluster[];
  /** As tiling/streaming gives them; members of clusters have the radii that their cluster gave them. */
  readonly radii: ReadonlyMap<SetTile, TileRadii>;
  /** For tiles that state none; from them the engine takes its texture distances. */
  readonly defaults: Radii;
  /** Lights and cameras of the whole scene. */
  readonly authored: Authored;
  /** All other files of the set. */
  readonly files: readonly ManifestFile[];
  /** Textures that it shares with other sets, relative to the manifest; absent: it shares none. */
  readonly sharedTextures?: readonly ManifestFile[] | undefined;
}

/** The exporter's grid has one layer; the engine takes a cell's size from x and z. */
const LAYER_HEIGHT = 10000;
/** The manifest of a tree states a tile size that this share of its tiles does not exceed. */
const TILE_SIZE_QUANTILE = 0.9;

const axes = (v: readonly [number, number, number]) => ({ x: v[0], y: v[1], z: v[2] });

/** The bounds of several payloads, at least one. */
export function uniteAll(tiles: readonly Pick<SetTile, 'bounds'>[]): Bounds {
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

const levelEntry = ({ path, error, looksFrom }: EmittedLevel, distance: number) => ({
  path,
  switch_distance: distance,
  geometric_error: error,
  // For a cook of one tile alone, which keeps the levels of the others; the engine does not read it.
  ...(looksFrom === undefined ? {} : { looks_from: looksFrom }),
});

/** What a tile outside of the grid is. */
function exportPolicy({ id, range }: SetTile['planned']): string {
  if (range.kind === 'always') return 'always_loaded';
  return range.kind === 'shared' && id === 'shared' ? 'shared_bucket' : 'spanning';
}

/** One tile or the shared bucket, with the keys of version 4 if it belongs to a tree, else of version 3. */
function entry(tile: SetTile, radii: TileRadii) {
  const { id, cell, tree, objects, priority } = tile.planned;
  const { lods = [], hlod = null } = tile;
  const kind = tree
    ? { floor_id: tree.floor, quadtree_node_id: tree.nodeId, semantic_tier: tree.tier }
    : cell
      ? { grid_coord: cell }
      : { export_policy: exportPolicy(tile.planned) };
  const lodLevels = lods.map((lod, i) => levelEntry(lod, radii.lods[i]));
  const hlodLevels = hlod && radii.hlod !== null ? [levelEntry(hlod, radii.hlod)] : [];
  // The floor gate would leave a hole of a tile that has nothing but full detail to show. The HLOD of one in a cluster, whose
  // radii are given, is the empty file.
  const isLevelless = lods.length === 0 && (hlod === null || radii.prefetch !== undefined);
  return {
    tile_id: id,
    ...kind,
    path_relative_to_manifest: tile.path,
    streaming_radius: radii.streaming,
    unload_radius: radii.unload,
    ...(radii.prefetch === undefined ? {} : { prefetch_radius: radii.prefetch }),
    priority,
    // A grid lists LODs before the HLOD, and only if there are any; a tree lists them after it, always.
    ...(!tree && lods.length > 0 ? { lod_levels: lodLevels } : {}),
    hlod_levels: hlodLevels,
    ...(tree ? { lod_levels: lodLevels, interior: tree.interior && !(getsLevels(tile.planned) && isLevelless) } : {}),
    file_size_bytes: tile.bytes,
    estimated_memory_bytes: tile.gpuBytes,
    bounds: tile.bounds,
    ...(tree
      ? {
          cell_bounds: tree.cellBounds,
          secondary_representation_policy: tree.spanning ? 'none_spanning_group' : 'normal',
        }
      : {}),
    center: center(tile.bounds),
    object_count: objects.length,
  };
}

/** An HLOD cluster as a tile: it draws nothing near, and its HLOD from the switch distance on. No floor gates it. */
function clusterEntry({ planned, bounds, hlod, distances, blank }: EmittedCluster) {
  return {
    tile_id: planned.id,
    export_policy: 'far_group',
    path_relative_to_manifest: blank.path,
    streaming_radius: distances.streaming,
    unload_radius: distances.unload,
    prefetch_radius: distances.prefetch,
    priority: planned.priority,
    hlod_levels: [levelEntry(hlod, distances.hlod)],
    file_size_bytes: blank.bytes,
    estimated_memory_bytes: blank.gpuBytes,
    bounds,
    center: center(bounds),
    object_count: 0,
  };
}

/** The edge of the engine's batch cells: from the grid's cell, or from the size of nearly all tiles of a tree. */
function tileSize({ plan, tiles, maxBatchVertices }: ManifestInput): number {
  let size = plan.tileSize;
  if (plan.mode !== 'uniform_grid' && tiles.length > 0) {
    const edges = tiles.map(({ bounds: { min, max } }) => Math.max(max[0] - min[0], max[2] - min[2]));
    edges.sort((a, b) => a - b);
    size = Math.max(1, edges[Math.ceil(TILE_SIZE_QUANTILE * edges.length) - 1]);
  }
  const counted = tiles.map((tile) => ({ center: center(tile.bounds), vertices: tile.vertices }));
  return batchCellSize(counted, size, maxBatchVertices);
}

/** The bounds of the exterior shell; null outdoors and without a shell. */
function interiorZone({ plan, tiles }: ManifestInput): Bounds | null {
  if (plan.profile === 'outdoor') return null;
  const shell = tiles.filter(({ planned }) => planned.tree?.tier === 'ExteriorShell');
  return shell.length > 0 ? uniteAll(shell) : plan.sharedShell;
}

/** The manifest as text: UTF-8 JSON, two spaces, a final newline. At least one payload is needed. */
export function manifestText(input: ManifestInput): string {
  const { plan, tiles, shared, clusters = [], radii, defaults } = input;
  const payloads = shared ? [...tiles, shared] : tiles;
  const scene = uniteAll(payloads);
  const edge = tileSize(input);
  const listed = (tile: SetTile) => entry(tile, radii.get(tile) as TileRadii);
  // The engine names an entity after each tile: names of lights and cameras must differ from those.
  const names = new UniqueNames();
  for (const { planned } of [...payloads, ...clusters]) names.take(planned.id, 'tile');
  const manifest = {
    version: plan.mode === 'uniform_grid' ? 3 : 4,
    generator: 'untold-cook',
    generator_version: VERSION,
    settings_sha256: input.settings,
    partitioning_mode: plan.mode,
    payload_dir_relative_to_manifest: input.folder.slice(0, -1),
    axis_convention: { up: '+Y', forward: '+Z', tile_plane: 'XZ' },
    tile_size_mode: plan.tileSizeMode,
    tile_size: axes([edge, LAYER_HEIGHT, edge]),
    scene_bounds: scene,
    ...(plan.mode === 'uniform_grid' ? {} : { interior_zone: interiorZone(input) }),
    ...authoredLists(input.authored, names),
    ...colorGrade(input.authored),
    streaming_defaults: {
      streaming_radius: defaults.streaming,
      unload_radius: defaults.unload,
      priority: DEFAULT_PRIORITY,
    },
    shared_bucket: shared ? listed(shared) : null,
    tiles: [...tiles.map(listed), ...clusters.map(clusterEntry)],
    plan_map: planMapPath(input.sceneName),
    files: listing(input.files),
    ...(input.sharedTextures ? { shared_textures: listing(input.sharedTextures) } : {}),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Sorted, so that the order in which files were written does not show. */
const listing = (files: readonly ManifestFile[]): ManifestFile[] =>
  [...files].sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, sha256 }) => ({ path, sha256 }));

/** The scene's colour grade; nothing without one. */
function colorGrade({ colorGrade: grade }: Authored): object {
  if (!grade) return {};
  const { uri, size, domainMin, domainMax } = grade;
  return { colorGradeLUT: { lutUri: uri, lutSize: size, domainMin, domainMax } };
}

/** The map of the plan, relative to the manifest's folder. */
export const planMapPath = (sceneName: string): string => `${sceneName}.plan.svg`;

/** What a manifest of ours was cooked with; null for what it does not state. */
export interface ManifestKey {
  /** SHA-256 of the settings. */
  readonly settings: string | null;
  /** The version of untold. */
  readonly version: string | null;
}

export function keyOfManifest(text: string): ManifestKey {
  try {
    const { settings_sha256: settings, generator_version: version } = (JSON.parse(text) ?? {}) as Record<
      string,
      unknown
    >;
    return {
      settings: typeof settings === 'string' ? settings : null,
      version: typeof version === 'string' ? version : null,
    };
  } catch {
    return { settings: null, version: null };
  }
}

/**
 * The files that an earlier manifest of ours lists, relative to its folder, with their SHA-256; null when the text is no
 * manifest of ours, nor a record of a set of Urho3D. Takes only the scene's own map and paths in its folders; the map's
 * SHA-256 is null. Where the folder of payloads has another name than the scene, the manifest must be of that scene, and files
 * without a SHA-256 are not taken: a manifest that somebody else wrote could name any folder beside it.
 */
export function filesOfManifest(text: string, sceneName: string): ReadonlyMap<string, string | null> | null {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return null;
  }
  const { generator, files, plan_map: map, target, ...stated } = (manifest ?? {}) as Record<string, unknown>;
  if (generator !== 'untold-cook' || !Array.isArray(files)) return null;
  const isOfScene = map === planMapPath(sceneName);
  const folder = (isOfScene ? plainName(stated.payload_dir_relative_to_manifest) : null) ?? sceneName;
  const paths = new Map<string, string | null>();
  // The map is moved in after the manifest: after a killed cook its content may be an older one.
  if (isOfScene) paths.set(map, null);
  for (const file of files as unknown[]) {
    const { path, sha256 } = (file ?? {}) as { path?: unknown; sha256?: unknown };
    if (typeof path !== 'string') continue;
    if (target === 'urho3d' ? !isPathOfSet(path, sceneName) : !path.startsWith(`${folder}/`)) continue;
    if (/[\\\0:]/.test(path) || path.split('/').some((part) => part === '' || part === '.' || part === '..')) continue;
    if (typeof sha256 === 'string') paths.set(path, sha256);
    else if (folder === sceneName) paths.set(path, null);
  }
  return paths;
}

/** The textures that an earlier manifest of ours shares with other sets, relative to its folder, with their SHA-256. */
export function sharedTexturesOf(text: string): ReadonlyMap<string, string> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return new Map();
  }
  const { generator, shared_textures: listed } = (manifest ?? {}) as Record<string, unknown>;
  if (generator !== 'untold-cook' || !Array.isArray(listed)) return new Map();
  return new Map(
    (listed as unknown[]).flatMap((file) => {
      const { path, sha256 } = (file ?? {}) as Record<string, unknown>;
      return isText(path) && isText(sha256) && isSharedPath(path) ? [[path, sha256] as const] : [];
    }),
  );
}

/** The name of one folder; null for all else. */
const plainName = (value: unknown): string | null =>
  typeof value === 'string' && /^[^./\\\0:][^/\\\0:]*$/.test(value) ? value : null;

/** One payload of an earlier manifest of ours; `blank`: an HLOD cluster, whose file has no meshes. */
export interface EarlierTile {
  readonly blank: boolean;
  readonly path: string;
  readonly objectCount: number;
  readonly bytes: number;
  readonly gpuBytes: number;
  readonly bounds: Bounds;
  readonly lods: readonly EmittedLevel[];
  readonly hlod: EmittedLevel | null;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isPoint = (value: unknown): value is Bounds['min'] =>
  Array.isArray(value) && value.length === 3 && value.every(isNumber);

function earlierLevels(value: unknown): EmittedLevel[] | null {
  const levels: EmittedLevel[] = [];
  for (const level of Array.isArray(value) ? (value as unknown[]) : []) {
    const { path, geometric_error: error, looks_from: looksFrom } = (level ?? {}) as Record<string, unknown>;
    if (!isText(path) || !isNumber(error) || !(looksFrom === undefined || isNumber(looksFrom))) return null;
    levels.push({ path, error, ...(looksFrom === undefined ? {} : { looksFrom }) });
  }
  return levels;
}

/**
 * The payloads of a manifest of ours by their ids, with the shared bucket; null if the text is no such manifest or was
 * changed.
 */
export function tilesOfManifest(text: string): ReadonlyMap<string, EarlierTile> | null {
  let manifest: Record<string, unknown>;
  try {
    manifest = (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return null;
  }
  const { generator, tiles, shared_bucket: shared } = manifest;
  if (generator !== 'untold-cook' || !Array.isArray(tiles)) return null;
  const found = new Map<string, EarlierTile>();
  for (const value of [...(tiles as unknown[]), ...(shared ? [shared] : [])]) {
    const tile = (value ?? {}) as Record<string, unknown>;
    const { tile_id: id, path_relative_to_manifest: path, object_count: objectCount } = tile;
    const { file_size_bytes: bytes, estimated_memory_bytes: gpuBytes } = tile;
    const { min, max } = (tile.bounds ?? {}) as Record<string, unknown>;
    const lods = earlierLevels(tile.lod_levels);
    const hlods = earlierLevels(tile.hlod_levels);
    if (!isText(id) || !isText(path) || !isPoint(min) || !isPoint(max) || !lods || !hlods) return null;
    if (!isNumber(objectCount) || !isNumber(bytes) || !isNumber(gpuBytes)) return null;
    const blank = tile.export_policy === 'far_group';
    found.set(id, { path, objectCount, bytes, gpuBytes, bounds: { min, max }, lods, hlod: hlods[0] ?? null, blank });
  }
  return withoutClusters(found);
}

/** Paths of HLODs, with the names that writeLevels.ts gives. */
const HLOD_NAME = /_hlod_[0-9a-f]+\.[^./]+$/;

/** The tiles as they were before clusters changed their members: the HLOD of a member had become its last LOD. */
function withoutClusters(found: ReadonlyMap<string, EarlierTile>): ReadonlyMap<string, EarlierTile> {
  const blanks = new Set([...found.values()].filter(({ blank }) => blank).map(({ path }) => path));
  const own = (tile: EarlierTile): EarlierTile => {
    if (!tile.hlod || !blanks.has(tile.hlod.path)) return tile;
    const last = tile.lods.at(-1);
    return last && HLOD_NAME.test(last.path)
      ? { ...tile, lods: tile.lods.slice(0, -1), hlod: last }
      : { ...tile, hlod: null };
  };
  return new Map([...found].map(([id, tile]) => [id, own(tile)]));
}
