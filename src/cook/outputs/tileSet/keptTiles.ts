// Cooks one tile of a set that an earlier cook wrote. Finds its payload, and checks and measures the files of all others,
// so that the manifest can be written again. The set is then the same as if everything had been cooked, if the other tiles'
// geometry has not changed. Settings and number of objects are compared with those of the earlier cook.

import { join } from 'node:path';
import { VERSION } from '../../../bytes/version.ts';
import { nearest } from '../../../config/nearest.ts';
import { fail } from '../../../diagnostics/diagnostic.ts';
import type { Format } from '../../../formats/format.ts';
import {
  type EarlierTile,
  type EmittedLevel,
  type EmittedTile,
  keyOfManifest,
  tilesOfManifest,
} from '../../../formats/manifest/write.ts';
import type { OutputSet } from '../../../output/outputSet.ts';
import { withoutHash } from '../../../output/payloads.ts';
import type { HlodCluster } from '../../../tiling/streaming/hlodClusters.ts';
import type { PlannedTile } from '../../../tiling/types.ts';
import type { PlannedPayload } from './planTiles.ts';

/** Digits of a hash in a message. */
const DIGEST_DIGITS = 8;

/** The payload with this name. Throws UC2206 with the nearest name. */
export function payloadOf(only: string, payloads: readonly PlannedPayload[], source: string): PlannedPayload {
  const found = payloads.find(({ tile }) => tile?.id === only);
  if (found) return found;
  const ids = payloads.flatMap(({ tile }) => (tile ? [tile.id] : []));
  const near = nearest(only, ids);
  const remedy = near === null ? undefined : `did you mean ${near}? --dry-run lists all names`;
  return fail('UC2206', source, '', `no tile is called ${only}`, remedy);
}

export interface KeptTiles {
  readonly tiles: ReadonlyMap<PlannedTile, EmittedTile>;
  /** Relative to the set's base; keepHlod adds to them. */
  readonly textures: ReadonlySet<string>;
  /** Takes the HLOD of an HLOD cluster into the set too; null: it had none. Throws as keepPayloads does. */
  readonly keepHlod: (cluster: HlodCluster) => Promise<EmittedLevel | null>;
}

export interface KeepRequest {
  readonly set: OutputSet;
  readonly format: Format;
  /** The earlier manifest, '' when there is none, and its files with their SHA-256. */
  readonly manifest: { readonly path: string; readonly text: string };
  readonly files: ReadonlyMap<string, string | null>;
  /** The hash of this cook's settings, from settingsDigest. */
  readonly settings: string;
  /** The payload that is cooked. */
  readonly only: PlannedPayload;
  /** All other payloads of the plan. */
  readonly payloads: readonly PlannedPayload[];
  /** Relative to the set's base, with a `/` at its end. */
  readonly payloadFolder: string;
}

/** Takes the files of all other payloads into the set. Throws UC2207 and what the set and the reader throw. */
export async function keepPayloads(request: KeepRequest): Promise<KeptTiles> {
  const { set, manifest, files, settings, payloads, only, payloadFolder } = request;
  const { measure } = request.format;
  const refuse = (why: string): never => fail('UC2207', manifest.path, '', why);
  const earlier = tilesOfManifest(manifest.text) ?? refuse('there is no manifest of an earlier cook');
  const before = keyOfManifest(manifest.text);
  if (before.version !== VERSION) {
    refuse(`untold ${before.version ?? 'of an unknown version'} has cooked it, and this is untold ${VERSION}`);
  }
  if (before.settings !== settings) {
    const [was, is] = [before.settings ?? 'unknown', settings].map((digest) => digest.slice(0, DIGEST_DIGITS));
    refuse(`it was cooked with other settings: theirs have the hash ${was}, those of this call ${is}`);
  }
  const keep = (path: string): Uint8Array => {
    set.keep(path, files.get(path) ?? refuse(`the manifest does not list ${path} among its files`));
    return set.readBack(path);
  };
  const tiles = new Map<PlannedTile, EmittedTile>();
  const textures = new Set<string>();
  const ids = new Set([only, ...payloads].map(({ tile }) => tile?.id));
  for (const [id, { blank }] of earlier) if (!blank && !ids.has(id)) refuse(`the plan has no tile ${id} any more`);
  const written = new Set([...files.keys()].map(withoutHash));
  for (const { path: planned, tile } of payloads) {
    if (tile === null) continue;
    const known = earlier.get(tile.id);
    if (!known) {
      // A piece's cell may turn out to hold nothing: then no file was written.
      if (tile.objects.every(({ piece }) => piece) && !written.has(planned)) continue;
      return refuse(`the tile ${tile.id} is new`);
    }
    if (known.objectCount !== tile.objects.length) {
      return refuse(`the tile ${tile.id} had ${known.objectCount} objects and has ${tile.objects.length} now`);
    }
    const { meshes, vertices } = await measured(known, { keep, measure, textures, payloadFolder });
    const { path, bytes, gpuBytes, bounds, lods, hlod } = known;
    tiles.set(tile, { planned: tile, path, bytes, gpuBytes, bounds, meshes, vertices, lods, hlod });
  }
  for (const path of textures) keep(path);
  const keepHlod = async ({ id }: HlodCluster): Promise<EmittedLevel | null> => {
    const hlod = earlier.get(id)?.hlod ?? null;
    if (hlod === null) return null;
    const { textures: named } = await measure(keep(hlod.path), hlod.path);
    for (const path of named.map((uri) => texturePath(uri, payloadFolder))) {
      if (!textures.has(path)) keep(path);
      textures.add(path);
    }
    return hlod;
  };
  return { tiles, textures, keepHlod };
}

const texturePath = (uri: string, payloadFolder: string): string => join(payloadFolder, uri).replaceAll('\\', '/');

interface MeasureContext extends Pick<Format, 'measure'> {
  readonly keep: (path: string) => Uint8Array;
  readonly textures: Set<string>;
  readonly payloadFolder: string;
}

/** Keeps a tile with its levels; notes the textures that they name. */
async function measured({ path, lods, hlod }: EarlierTile, { keep, measure, textures, payloadFolder }: MeasureContext) {
  const measures = await measure(keep(path), path);
  const all = [...measures.textures];
  for (const level of [...lods, ...(hlod ? [hlod] : [])]) {
    all.push(...(await measure(keep(level.path), level.path)).textures);
  }
  for (const uri of all) textures.add(texturePath(uri, payloadFolder));
  return measures;
}
