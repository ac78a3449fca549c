// The main file of a shard as text, and back. What is read comes from another machine: its sizes, names and numbers are
// checked before they are used.

import { sha256Hex } from '../../bytes/sha256.ts';
import { CODES } from '../../diagnostics/codes.ts';
import { type Diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { SHARD_KIND } from '../kinds.ts';
import { MAX_SHARDS, SHARD_SHAPE, SHARD_VERSION, type ShardPart } from './document.ts';

/** JSON in one line. */
export function shardText(part: ShardPart): string {
  const sha256 = sha256Hex(JSON.stringify(part));
  return `${JSON.stringify({ kind: SHARD_KIND, schemaVersion: SHARD_VERSION, sha256, part })}\n`;
}

/** Reads a shard's main file. `file`: for messages. Throws UC4200 for what is none, or damaged. */
export function readShardText(text: string, file: string): ShardPart {
  const refuse = (why: string): never => fail('UC4200', file, '', why);
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return refuse('it is no JSON, or cut off');
  }
  const { kind, schemaVersion } = (value ?? {}) as { readonly kind?: unknown; readonly schemaVersion?: unknown };
  if (kind !== SHARD_KIND) return refuse('it is not the main file of a shard');
  if (schemaVersion !== SHARD_VERSION) return refuse('another version of untold has cooked it');
  const fault = SHARD_SHAPE.fault(value, '');
  if (fault !== null) return refuse(fault);
  // Its shape was checked.
  const { sha256, part } = value as { readonly sha256: string; readonly part: ShardPart };
  if (sha256Hex(JSON.stringify(part)) !== sha256) return refuse('it was changed after it was cooked');
  const found = inconsistency(part);
  return found === null ? part : refuse(found);
}

/** What does not fit together in a part of a sound shape; null: all does. */
function inconsistency({
  index,
  count,
  common,
  tiles,
  clusters,
  files,
  textures = [],
  diagnostics,
}: ShardPart): string | null {
  const { plan, scene } = common;
  if (count < 1 || count > MAX_SHARDS || index >= count) return `there is no shard ${index} of ${count}`;
  const planned = new Set([...plan.tiles, ...(plan.shared === null ? [] : [plan.shared])]);
  const paths = new Set<string>();
  for (const { path } of files) {
    if (!path.startsWith(`${scene}/`)) return `${path} does not lie in the folder of the scene`;
    if (paths.has(path)) return `${path} is listed twice`;
    paths.add(path);
  }
  const misnamed = textures.find(({ name, sha256 }) => !sha256.startsWith(name.slice(0, name.indexOf('.'))));
  if (misnamed) return `${misnamed.name} does not begin with its hash`;
  const own = new Map<string, ShardPart['tiles'][number]>();
  for (const tile of tiles) {
    if (!planned.has(tile.id)) return `the plan has no tile ${tile.id}`;
    if (own.has(tile.id)) return `the tile ${tile.id} is there twice`;
    if (tile.boxes.length % 6 !== 0) return `the tile ${tile.id} has broken boxes`;
    own.set(tile.id, tile);
    const { written } = tile;
    const levels = written ? [...written.lods, ...(written.hlod ? [written.hlod] : [])] : [];
    const missing = (written ? [written, ...levels] : []).find(({ path }) => !paths.has(path));
    if (missing) return `the tile ${tile.id} names ${missing.path}, which is not listed`;
  }
  const ids = new Set(plan.clusters);
  const clustered = new Set<string>();
  for (const { id, members, written } of clusters) {
    if (!ids.delete(id)) return `the plan has no cluster ${id}, or it is there twice`;
    if (members.some((member) => !own.has(member))) return `the cluster ${id} has tiles of other shards`;
    if (written === null) continue;
    for (const path of [written.hlod.path, written.blank.path]) {
      if (!paths.has(path)) return `the cluster ${id} names ${path}, which is not listed`;
    }
    for (const member of written.members) {
      const tile = members.includes(member) ? own.get(member)?.written : null;
      if (!tile || (tile.hlod === null && tile.lods.length === 0)) return `the tile ${member} of ${id} has no levels`;
      if (clustered.has(member)) return `the tile ${member} is in two clusters`;
      clustered.add(member);
    }
    if (written.members.length === 0) return `the cluster ${id} has no tiles`;
  }
  const unknown = diagnostics.flatMap(({ reported }) => reported).find(({ item }) => !Object.hasOwn(CODES, item.code));
  return unknown ? `there is no code ${unknown.item.code}` : null;
}

/** What is wrong with a shard's main file. */
export function shardFaults(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  try {
    readShardText(new TextDecoder().decode(bytes), file);
    return [];
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics;
    throw error;
  }
}
