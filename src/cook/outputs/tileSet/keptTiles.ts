// Cooks one tile of a set that an earlier cook wrote. Finds its payload, and checks and measures the files of all others,
// so that the manifest can be written again. The set is then the same as if everything had been cooked, if the other tiles'
// geometry has not changed. Settings and number of objects are compared with those of the earlier cook.

import { join } from 'node:path';
import { VERSION } from '../../../bytes/version.ts';
import { nearest } from '../../../config/nearest.ts';
import { settingsDigest } from '../../../config/settings.ts';
import { fail } from '../../../diagnostics/diagnostic.ts';
import type { Format } from '../../../formats/format.ts';
import {
  type EarlierTile,
  type EmittedLevel,
  type EmittedTile,
  keyOfManifest,
  sharedTexturesOf,
  tilesOfManifest,
} from '../../../formats/manifest/write.ts';
import { hashOf } from '../../../output/commitJournal.ts';
import { withoutHash } from '../../../output/payloads.ts';
import type { HlodCluster } from '../../../tiling/streaming/hlodClusters.ts';
import type { PlannedTile } from '../../../tiling/types.ts';
import type { KeptTiles, Workshop } from '../../made.ts';
import type { PayloadPlan, PlannedPayload } from '../../planned.ts';
import type { CookJob } from '../../types.ts';
import { readText } from '../setFiles.ts';

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

/**
 * Takes the files of all payloads but `only` into the set, and the HLODs of clusters without it. `manifest`: where the earlier
 * one is. Throws UC2207 and what the set and the reader throw.
 */
export async function keepTiles(
  only: PlannedPayload,
  { payloads: all, folder }: PayloadPlan,
  manifest: string,
  { set, format }: Workshop,
  { settings: asked }: CookJob,
): Promise<KeptTiles> {
  const { measure } = format;
  const { earlier: files } = set;
  const text = readText(manifest);
  const settings = settingsDigest(asked);
  const payloads = all.filter((payload) => payload !== only);
  const refuse = (why: string): never => fail('UC2207', manifest, '', why);
  const earlier = tilesOfManifest(text) ?? refuse('there is no manifest of an earlier cook');
  const before = keyOfManifest(text);
  if (before.version !== VERSION) {
    refuse(`untold ${before.version ?? 'of an unknown version'} has cooked it, and this is untold ${VERSION}`);
  }
  if (before.settings !== settings) {
    const [was, is] = [before.settings ?? 'unknown', settings].map((digest) => digest.slice(0, DIGEST_DIGITS));
    refuse(`it was cooked with other settings: theirs have the hash ${was}, those of this call ${is}`);
  }
  const listed = (path: string): string =>
    files.get(path) ?? refuse(`the manifest does not list ${path} among its files`);
  const keep = (path: string): Uint8Array => {
    set.keep(path, listed(path));
    return set.readBack(path);
  };
  const tiles = new Map<PlannedTile, EmittedTile>();
  const textures = new Set<string>();
  const shared = sharedTexturesOf(text);
  const sharedTextures = new Map<string, string>();
  const keepTexture = (path: string): void => {
    const sha256 = shared.get(path);
    if (sha256 === undefined) set.keep(path, listed(path));
    else {
      refuseChanged(set.pathOf(path), sha256);
      sharedTextures.set(path, sha256);
    }
  };
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
    const { meshes, vertices } = await measured(known, { keep, measure, textures, folder });
    const { path, bytes, gpuBytes, bounds, lods, hlod } = known;
    tiles.set(tile, { planned: tile, path, bytes, gpuBytes, bounds, meshes, vertices, lods, hlod });
  }
  for (const path of textures) keepTexture(path);
  const hlodOf = async ({ id, members }: HlodCluster): Promise<EmittedLevel | null | undefined> => {
    if (members.some((member) => member === only.tile)) return undefined;
    const hlod = earlier.get(id)?.hlod ?? null;
    if (hlod === null) return null;
    const { textures: named } = await measure(keep(hlod.path), hlod.path);
    for (const path of named.map((uri) => texturePath(uri, folder))) {
      if (!textures.has(path)) keepTexture(path);
      textures.add(path);
    }
    return hlod;
  };
  return { tiles, textures, sharedTextures, hlodOf };
}

/** Throws UC4003 unless the file that other sets share still has its content. */
function refuseChanged(path: string, sha256: string): void {
  const digest = hashOf(path);
  if (digest === sha256) return;
  const message = digest === null ? 'the file is not there' : 'its content is not what the manifest lists';
  fail('UC4003', path, '', message);
}

const texturePath = (uri: string, folder: string): string => join(folder, uri).replaceAll('\\', '/');

interface MeasureContext extends Pick<Format, 'measure'> {
  readonly keep: (path: string) => Uint8Array;
  readonly textures: Set<string>;
  readonly folder: string;
}

/** Keeps a tile with its levels; notes the textures that they name. */
async function measured({ path, lods, hlod }: EarlierTile, { keep, measure, textures, folder }: MeasureContext) {
  const measures = await measure(keep(path), path);
  const all = [...measures.textures];
  for (const level of [...lods, ...(hlod ? [hlod] : [])]) {
    all.push(...(await measure(keep(level.path), level.path)).textures);
  }
  for (const uri of all) textures.add(texturePath(uri, folder));
  return measures;
}
