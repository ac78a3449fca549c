// The main file of a shard: the part of a set that one of several machines has cooked, as plain data. It says what the shard
// was made of and what its tiles turned out to be, so that `untold merge` can write the manifest of the whole set. It holds
// no time and no absolute path: equal inputs and settings give equal bytes.

import { SEMANTIC_TIERS } from '../../scene/tags.ts';
import type { Vec2, Vec3 } from '../../scene/types.ts';
import { SHARD_KIND } from '../kinds.ts';
import { FORMAT_IDS } from '../registry.ts';
import {
  choice,
  count,
  flag,
  list,
  number,
  type Of,
  object,
  oneOf,
  orNull,
  pattern,
  type Shape,
  sha256,
  text,
} from './shape.ts';

export const SHARD_VERSION = 1;
/** Behind the name of the scene. */
export const SHARD_ENDING = '.shard.json';
/** Most shards of a set. */
export const MAX_SHARDS = 1024;

/** The main file of a shard, beside the folder of its payloads. */
export const shardFile = (sceneName: string): string => `${sceneName}${SHARD_ENDING}`;

/** Whether JSON text means to be the main file of a shard. */
export const isShardText = (text: string): boolean => BEGIN.test(text);
const BEGIN = new RegExp(String.raw`^\uFEFF?\s*\{\s*"kind"\s*:\s*"${SHARD_KIND}"`);

/** The names that a scene may have: what a folder and a file can be called. */
const sceneName = pattern('^[\\p{L}\\p{N}_-]+$', 'the name of a scene');
/** Parts of letters, digits and such, separated by `/`; no part is `.` or `..`. */
const PART = '(?!\\.{1,2}(?:/|$))[^/\\\\:\\u0000]+';
const path = pattern(`^${PART}(?:/${PART})*$`, 'a path inside the shard');
const place = pattern(`^(?:${PART}(?:/${PART})*)?$`, 'a folder inside the output');
const textureName = pattern('^[0-9a-f]{16}\\.[a-z0-9]+$', 'the name of a shared texture');
const id = pattern('^[^/\\\\:\\u0000]+$', 'the name of a tile');

// Its length is checked.
const point = list(number, 3) as unknown as Shape<Vec3>;
const bounds = object({ min: point, max: point });
const radii = object({ streaming: number, unload: number });
const tier = choice(...SEMANTIC_TIERS);
const profile = choice('indoor', 'outdoor');

const range = oneOf('kind', {
  grid: object({ kind: choice('grid'), tileSize: number }),
  shared: object({ kind: choice('shared') }),
  always: object({ kind: choice('always') }),
  tier: object({ kind: choice('tier'), tier, profile }),
  given: object({ kind: choice('given'), radii }),
});

const level = object({ path, error: number }, { looksFrom: number });
const payload = { path, bytes: count, gpuBytes: count, meshes: count, vertices: count, bounds };

const tile = object({
  id,
  cell: orNull(point),
  tree: orNull(object({ floor: number, nodeId: text, tier, cellBounds: bounds, spanning: flag, interior: flag })),
  bounds,
  priority: number,
  range,
  triangles: count,
  /** The six numbers of each object's bounds, and which objects are pieces. */
  boxes: list(number),
  pieces: list(count),
  /** Null: every triangle of it was degenerate. */
  written: orNull(object({ ...payload, lods: list(level), hlod: orNull(level) })),
});

const cluster = object({
  id,
  priority: number,
  members: list(id),
  /** Null: it has no HLOD. */
  written: orNull(object({ members: list(id), bounds, hlod: level, blank: object(payload) })),
});

const matrix = list(number, 16);
const light = object(
  {
    name: text,
    path: text,
    kind: choice('directional', 'point', 'spot', 'area'),
    world: matrix,
    color: point,
    intensity: number,
    sourcePower: number,
    sourceExposure: number,
    radius: number,
    range: number,
    cone: orNull(object({ inner: number, outer: number })),
    areaSize: orNull(list(number, 2) as unknown as Shape<Vec2>),
    castsShadow: flag,
  },
  { ownName: text },
);
const camera = object(
  {
    name: text,
    path: text,
    world: matrix,
    fovY: number,
    near: number,
    far: number,
    aspectRatio: number,
  },
  { ownName: text },
);

/** What became of the source for the eyes of a zone. Each shard looks at all of it. */
const zone = object({
  boxes: list(bounds),
  eyes: count,
  rounds: count,
  newShare: number,
  trianglesBefore: count,
  trianglesSeen: count,
  trianglesKept: count,
  trianglesAfter: count,
  casters: count,
  whole: count,
  trianglesWhole: count,
  sectors: count,
  draws: count,
  joined: count,
  error: number,
  proof: object({ eyes: count, holes: count, largestHole: count }),
  objects: list(object({ path: text, triangles: count, seen: count, kept: count })),
});

/** What all shards of a set have in common. `zone`: absent where it is cooked for all eyes. */
const common = object(
  {
    /** The program: its version, and a digest of its code. */
    version: text,
    code: text,
    scene: sceneName,
    /** The folder of the set below the output; '': the output itself. */
    place,
    source: text,
    settings: sha256,
    format: choice(...FORMAT_IDS),
    budgets: object({ bytes: number, meshes: number, vertices: number }),
    severities: object({ strict: flag, deny: list(text), allow: list(text), warn: list(text) }),
    plan: object({
      digest: sha256,
      mode: choice('uniform_grid', 'quadtree_floor', 'kdtree_floor'),
      profile,
      bounds,
      tileSize: number,
      tileSizeMode: choice('manual', 'auto'),
      defaultRange: range,
      floors: number,
      sharedShell: orNull(bounds),
      /** How many pieces each cut object has. */
      cut: list(count),
      tiles: list(id),
      shared: orNull(id),
      clusters: list(id),
      objects: count,
      triangles: count,
    }),
    lights: list(light),
    cameras: list(camera),
    colorGrade: orNull(object({ uri: text, size: count, domainMin: point, domainMax: point })),
  },
  { zone },
);

const severity = choice('error', 'warning', 'info');
const item = object({
  code: pattern('^UC\\d{4}$', 'a code'),
  severity,
  file: text,
  path: text,
  message: text,
  remedy: text,
});

/** Diagnostics in the order of a cook: of the scene, then of payloads, of their levels and of clusters. */
const stage = choice('scene', 'payload', 'levels', 'cluster');

const part = object(
  {
    index: count,
    count,
    common,
    /** Files that were read, relative to the folder of the source. */
    inputs: list(object({ path: text, sha256 })),
    tiles: list(tile),
    clusters: list(cluster),
    counts: orNull(object({ clusters: count, few: count, far: count })),
    totals: object({
      triangles: count,
      levels: list(object({ level: text, tiles: count, triangles: count })),
      materials: list(text),
    }),
    files: list(object({ path, bytes: count, sha256 })),
    diagnostics: list(object({ stage, id: text, reported: list(object({ item, once: orNull(text) })) })),
  },
  {
    /** Of the folder that the sets of the output share; absent: its textures are among its files. */
    textures: list(object({ name: textureName, bytes: count, sha256 })),
  },
);

/** `sha256`: of the part as JSON without blanks. */
export const SHARD_SHAPE = object({ kind: choice(SHARD_KIND), schemaVersion: choice(SHARD_VERSION), sha256, part });

export type ShardPart = Of<typeof part>;
export type ShardTile = ShardPart['tiles'][number];
export type ShardCluster = ShardPart['clusters'][number];
export type ShardCommon = ShardPart['common'];
export type ShardDiagnostics = ShardPart['diagnostics'][number];
