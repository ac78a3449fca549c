// The manifest of a tiled scene: what a cook writes (types), and what the engine's decoder demands (a schema as data).
// The decoder is all or nothing: one missing required key or one wrong type in a decoded key and the scene is refused.
// It ignores keys that the schema does not list.

/** `version` 3 with partitioning mode `uniform_grid`, as the engine's exporter writes it and tiles need it. */
export interface TileManifest {
  readonly version: number;
  readonly partitioning_mode?: string | null;
  readonly payload_dir_relative_to_manifest?: string;
  readonly axis_convention?: { readonly up: string; readonly forward: string; readonly tile_plane: string };
  readonly tile_size_mode?: string;
  readonly tile_size?: { readonly x: number; readonly y: number; readonly z: number } | null;
  readonly scene_bounds?: ManifestBounds;
  readonly streaming_defaults: StreamingDefaults;
  readonly shared_bucket?: TileEntry | null;
  readonly tiles: readonly TileEntry[];
  readonly interior_zone?: ManifestBounds | null;
  readonly colorLUT?: ManifestColorLut | null;
  readonly colorGradeLUT?: ManifestColorGradeLut | null;
  /** Only our cooks write it: every other file of the set, relative to the manifest. The engine ignores it. */
  readonly files?: readonly ManifestFile[];
  /** Only our cooks write it: the textures that the set shares with others. The engine ignores it. */
  readonly shared_textures?: readonly ManifestFile[];
}

export interface ManifestBounds {
  readonly min: readonly number[];
  readonly max: readonly number[];
}

/** Metres. */
export interface StreamingDefaults {
  readonly streaming_radius: number;
  readonly unload_radius: number;
  readonly priority: number;
  readonly prefetch_radius?: number | null;
}

export interface LevelEntry {
  readonly path: string;
  readonly switch_distance: number;
}

export interface TileEntry {
  readonly tile_id: string;
  readonly path_relative_to_manifest: string;
  readonly file_size_bytes: number;
  readonly bounds: ManifestBounds;
  readonly center: readonly number[];
  readonly streaming_radius?: number | null;
  readonly unload_radius?: number | null;
  readonly prefetch_radius?: number | null;
  readonly priority?: number | null;
  readonly hlod_levels?: readonly LevelEntry[] | null;
  readonly lod_levels?: readonly LevelEntry[] | null;
  readonly floor_id?: number | null;
  readonly quadtree_node_id?: string | null;
  readonly semantic_tier?: string | null;
  readonly interior?: boolean | null;
  readonly cell_bounds?: ManifestBounds | null;
  // Written for people and tools; the engine never reads them.
  readonly grid_coord?: readonly [number, number, number];
  readonly estimated_memory_bytes?: number;
  readonly object_count?: number;
  readonly export_policy?: string;
}

export interface ManifestColorLut {
  readonly lutUri: string;
  readonly lutSize: number;
  readonly exposure: number;
  readonly gamma: number;
  readonly shaperMinStops: number;
  readonly shaperMaxStops: number;
  readonly viewTransform?: string | null;
  readonly look?: string | null;
  readonly displayDevice?: string | null;
}

export interface ManifestColorGradeLut {
  readonly lutUri: string;
  readonly lutSize: number;
  readonly domainMin: readonly number[];
  readonly domainMax: readonly number[];
}

export interface ManifestFile {
  readonly path: string;
  readonly sha256: string;
}

/** The values that the decoder accepts for a key. */
export type Shape =
  | { readonly kind: 'string' | 'int' | 'float' | 'double' | 'bool' | 'stringOrInt' }
  | { readonly kind: 'array'; readonly of: Shape }
  | { readonly kind: 'object'; readonly required: Shapes; readonly optional: Shapes };
type Shapes = Readonly<Record<string, Shape>>;

const string: Shape = { kind: 'string' };
const int: Shape = { kind: 'int' };
const float: Shape = { kind: 'float' };
const double: Shape = { kind: 'double' };
const bool: Shape = { kind: 'bool' };
const array = (of: Shape): Shape => ({ kind: 'array', of });
const object = (required: Shapes, optional: Shapes = {}): Shape => ({ kind: 'object', required, optional });

const floats = array(float);
const bounds = object({ min: floats, max: floats });
const level = object({ path: string, switch_distance: float });

const tile = object(
  { tile_id: string, path_relative_to_manifest: string, file_size_bytes: int, bounds, center: floats },
  {
    streaming_radius: float,
    unload_radius: float,
    prefetch_radius: float,
    priority: int,
    hlod_levels: array(level),
    lod_levels: array(level),
    floor_id: int,
    quadtree_node_id: string,
    semantic_tier: string,
    interior: bool,
    cell_bounds: bounds,
  },
);

const light = object(
  {},
  {
    name: string,
    entity_name: string,
    kind: string,
    type: string,
    light_type: { kind: 'stringOrInt' },
    color: floats,
    intensity: float,
    position: floats,
    radius: float,
    range: float,
    direction: floats,
    falloff: float,
    right: floats,
    inner_cone: float,
    up: floats,
    outer_cone: float,
    area_size: floats,
    source_power: float,
    source_exposure: float,
    casts_shadow: bool,
    uses_radiometric_units: bool,
    local_transform_rows: array(floats),
  },
);

const camera = object(
  {},
  {
    name: string,
    entity_name: string,
    position: floats,
    forward: floats,
    up: floats,
    right: floats,
    fov_y_degrees: float,
    near_clip: float,
    far_clip: float,
    aspect_ratio: float,
    local_transform_rows: array(floats),
  },
);

/** Everything that the engine decodes. */
export const MANIFEST_SHAPE: Shape = object(
  {
    version: int,
    streaming_defaults: object(
      { streaming_radius: float, unload_radius: float, priority: int },
      { prefetch_radius: float },
    ),
    tiles: array(tile),
  },
  {
    partitioning_mode: string,
    shared_bucket: tile,
    tile_size: object({ x: double, y: double, z: double }),
    interior_zone: bounds,
    scene_lights: array(light),
    scene_cameras: array(camera),
    colorLUT: object(
      { lutUri: string, lutSize: int, exposure: float, gamma: float, shaperMinStops: float, shaperMaxStops: float },
      { viewTransform: string, look: string, displayDevice: string },
    ),
    colorGradeLUT: object({ lutUri: string, lutSize: int, domainMin: floats, domainMax: floats }),
  },
);
