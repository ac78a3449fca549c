// Proves that shards are the parts of one set: cooked from the same inputs with the same settings by the same program, every
// part and every tile there exactly once.

import { type Diagnostic, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import type { ShardCommon, ShardPart } from '../../formats/shard/document.ts';

/** A shard with its main file, as messages name it. */
export interface NamedShard {
  /** Absolute. */
  readonly file: string;
  readonly part: ShardPart;
}

/** What the shards of a set have in common, in the order in which a difference is named. */
const COMMON: readonly (readonly [what: string, of: (common: ShardCommon) => unknown])[] = [
  ['version of untold', ({ version, code }) => [version, code]],
  ['source', ({ source, scene, place }) => [source, scene, place]],
  ['settings', ({ settings, format, budgets }) => [settings, format, budgets]],
  ['severities of diagnostics', ({ severities }) => severities],
  ['plan', (common) => common],
];

/**
 * The shards in the order of their numbers. Throws UC4201 for one of another cook, UC4203 for one that is there twice, and
 * UC4202 for those that are missing.
 */
export function inOrderOfParts(shards: readonly NamedShard[]): readonly NamedShard[] {
  const [first] = shards;
  const foreign = shards.slice(1).flatMap((shard) => {
    const what = difference(first.part, shard.part);
    return what === null ? [] : [diagnostic('UC4201', shard.file, '', `${what} than that of ${first.file}`)];
  });
  if (foreign.length > 0) throw new SourceError(foreign);
  const byIndex = new Map<number, NamedShard>();
  const twice: Diagnostic[] = [];
  for (const shard of shards) {
    const { index, count } = shard.part;
    const other = byIndex.get(index);
    if (other) twice.push(diagnostic('UC4203', shard.file, '', `it is part ${index}/${count}, as ${other.file} is`));
    else byIndex.set(index, shard);
  }
  if (twice.length > 0) throw new SourceError(twice);
  const { count, common } = first.part;
  const missing = Array.from({ length: count }, (_, i) => i).filter((i) => !byIndex.has(i));
  if (missing.length > 0) {
    const names = missing.slice(0, MAX_NAMES).map((i) => `${i}/${count}`);
    const more = missing.length > MAX_NAMES ? ` and ${missing.length - MAX_NAMES} more` : '';
    const message = `${common.scene} lacks ${names.join(', ')}${more}`;
    fail('UC4202', first.file, '', message, `cook ${common.source} with --shard ${names[0]}, and give its folder too`);
  }
  const ordered = [...byIndex].sort(([a], [b]) => a - b).map(([, shard]) => shard);
  checkInputs(ordered);
  checkTiles(ordered);
  return ordered;
}

const MAX_NAMES = 8;

/** How a shard differs from another of the same set, in words; null: it does not. */
function difference(a: ShardPart, b: ShardPart): string | null {
  for (const [what, of] of COMMON) {
    if (JSON.stringify(of(a.common)) !== JSON.stringify(of(b.common))) return `it has another ${what}`;
  }
  return a.count === b.count ? null : `it is one of ${b.count} parts, not of ${a.count}: it has another --shard`;
}

/** A file that two shards have read must have been the same. Each reads only what its tiles need. */
function checkInputs(shards: readonly NamedShard[]): void {
  const known = new Map<string, { readonly sha256: string; readonly file: string }>();
  const foreign: Diagnostic[] = [];
  for (const { file, part } of shards) {
    const other = part.inputs
      .map(({ path, sha256 }) => ({ path, sha256, before: known.get(path) }))
      .find(({ sha256, before }) => before && before.sha256 !== sha256);
    if (other?.before) {
      foreign.push(diagnostic('UC4201', file, '', `it has read another ${other.path} than ${other.before.file}`));
    }
    for (const { path, sha256 } of part.inputs) if (!known.has(path)) known.set(path, { sha256, file });
  }
  if (foreign.length > 0) throw new SourceError(foreign);
}

/** Every tile and cluster of the plan is in one shard. */
function checkTiles(shards: readonly NamedShard[]): void {
  const owners = new Map<string, string>();
  for (const { file, part } of shards) {
    for (const { id } of [...part.tiles, ...part.clusters]) {
      const other = owners.get(id);
      if (other !== undefined) fail('UC4203', file, '', `it holds ${id}, as ${other} does`);
      owners.set(id, file);
    }
  }
  const { tiles, shared, clusters } = shards[0].part.common.plan;
  const missing = [...tiles, ...(shared === null ? [] : [shared]), ...clusters].find((id) => !owners.has(id));
  if (missing !== undefined) fail('UC4202', shards[0].file, '', `no shard holds ${missing}`);
}
