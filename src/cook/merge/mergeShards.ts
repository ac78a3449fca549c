// Merges the shards of a set: checks that they belong together, copies their files, and writes the manifest that one cook of
// the whole scene would have written. The set appears completely or not at all, as that of a cook.

import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../bytes/sha256.ts';
import type { FolderTarget } from '../../config/types.ts';
import { Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import { faultsOf } from '../../diagnostics/environment.ts';
import { applyPolicy, enforcePolicy, type SeverityPolicy } from '../../diagnostics/policy.ts';
import type { SetTile } from '../../formats/manifest/write.ts';
import { loadFormat } from '../../formats/registry.ts';
import type { ShardPart, ShardTile } from '../../formats/shard/document.ts';
import { blockedFolder, regularFile } from '../../output/commitJournal.ts';
import { openWhenFree } from '../../output/openWhenFree.ts';
import type { OutputSet, WrittenFile } from '../../output/outputSet.ts';
import { hashedPath, withoutHash } from '../../output/payloads.ts';
import type { SharedTexture, SharedTextures } from '../../output/sharedTextures.ts';
import { verifySet } from '../../output/verify.ts';
import { isTexturePath } from '../../textures/name.ts';
import type { TileSummary } from '../../tiling/types.ts';
import { coverageOf } from '../../workers/jobs/coverage.ts';
import { throwIfAborted } from '../interruption.ts';
import type { WrittenCluster } from '../made.ts';
import { cookedOutcome, failedOutcome } from '../outcome.ts';
import { sharedPath } from '../outputs/sharedTextures.ts';
import { hasLevels, type SetParts, writeManifest } from '../outputs/tileSet/assembleSet.ts';
import { tileSet } from '../outputs/tileSet/tileSet.ts';
import { checkStreamed, streamedSet } from '../steps/verify/checkStreamed.ts';
import type { CookOutcome, CookTotals, LevelTotals } from '../types.ts';
import { inOrderOfParts, type NamedShard } from './agreement.ts';

export interface MergeJob {
  /** Of one set, in any order; one at least. */
  readonly shards: readonly NamedShard[];
  /** The output folder; absolute. */
  readonly out: string;
  readonly force: boolean;
  /** Seconds to wait for a cook that holds the set. */
  readonly lockTimeout: number;
  /** The folder of the textures that the sets of the output share, if they share any. */
  readonly textures: SharedTextures;
}

/** The way from the folder of a set to the output that it lies in, with `/` at its end; '': they are one. */
const wayUp = (place: string): string => (place === '' ? '' : '../'.repeat(place.split('/').length));

/** The target of the set that shards are merged into. */
export function mergedTarget({ shards, out, textures }: Pick<MergeJob, 'shards' | 'out' | 'textures'>): FolderTarget {
  const { place, scene } = shards[0].part.common;
  const target: FolderTarget = { kind: 'folder', folder: join(out, place), sceneName: scene };
  if (shards.every(({ part }) => part.textures === undefined)) return target;
  return { ...target, shared: { folder: textures.folder, uri: `../${wayUp(place)}Textures/` } };
}

/** As cookSource: 'ok' only when the whole set was written, read back, checked and moved in. Throws only what is a bug. */
export async function mergeShards(
  job: MergeJob,
  onWait: (holder: string) => void = () => {},
  signal?: AbortSignal,
): Promise<CookOutcome> {
  const { source, severities } = job.shards[0].part.common;
  const { strict, deny, allow, warn } = severities;
  const policy: SeverityPolicy = { strict, deny: new Set(deny), allow: new Set(allow), warn: new Set(warn) };
  const diagnostics = new Diagnostics();
  const filesRead = job.shards.map(({ file }) => file);
  try {
    const merged = await merge(job, { diagnostics, policy, onWait, signal });
    return cookedOutcome({ source }, merged, filesRead);
  } catch (error) {
    const errors = faultsOf(error, source);
    if (errors === null) throw error;
    return failedOutcome({ source, policy }, diagnostics.list, errors, filesRead);
  }
}

interface MergeContext {
  readonly diagnostics: Diagnostics;
  readonly policy: SeverityPolicy;
  readonly onWait: (holder: string) => void;
  readonly signal: AbortSignal | undefined;
}

async function merge(job: MergeJob, { diagnostics, policy, onWait, signal }: MergeContext) {
  const shards = inOrderOfParts(job.shards);
  const parts = shards.map(({ part }) => part);
  const { common } = parts[0];
  const target = mergedTarget(job);
  const output = tileSet(target);
  const { base, main } = output;
  const options = { base, main, earlier: () => output.earlier(), force: job.force };
  const waiting = { max: job.lockTimeout * 1000, onWait, onRetry: () => throwIfAborted(signal) };
  repeatDiagnostics(parts, diagnostics);
  enforcePolicy(diagnostics.list, policy);
  if (parts.every(({ tiles }) => tiles.every(({ written }) => written === null))) {
    fail('UC2200', common.source, '', 'every triangle is degenerate');
  }
  const format = await loadFormat(common.format);
  const set = await openWhenFree(options, waiting);
  try {
    const paths = copyFiles(shards, set, signal);
    const shared = sharedOf(shards);
    const { uri = '' } = target.shared ?? {};
    const beside = new Map(shared.map((one) => [sharedPath(`${common.scene}/`, uri, one.name), one] as const));
    const ofSet = setParts(parts, (path) => paths.get(path) ?? path);
    const sharedTextures = [...beside].map(([path, { sha256 }]) => ({ path, sha256 }));
    const whole = target.shared ? { ...ofSet, sharedTextures } : ofSet;
    await writeManifest(whole, { set, format, beside, signal }, diagnostics);
    const streamed = hasLevels(whole)
      ? await checkStreamed({
          ...streamedSet(new TextDecoder().decode(set.readBack(main)), whole),
          draw: (path, bounds, views) => coverageOf(format, { name: path, file: set.readBack(path), bounds, views }),
          ahead: 1,
          source: common.source,
          diagnostics,
          onPayload: () => throwIfAborted(signal),
        })
      : null;
    await verifySet(set, format, () => throwIfAborted(signal), beside);
    const judged = enforcePolicy(diagnostics.list, policy);
    await set.synced();
    throwIfAborted(signal);
    const { written } = set;
    const before = await output.texturesBefore(job.textures.folder, common.format);
    const brought = new Set<string>();
    const warnings = await job.textures.commit(
      shared,
      before,
      () => ({ list: set.commit() }),
      (name) => brought.add(name),
    );
    const leftOver = warnings.list.map((warning) => applyPolicy(warning, policy));
    const ofOthers = shared.map(({ name, size, sha256 }) => ({
      path: join(job.textures.folder, name),
      bytes: size,
      sha256,
      ...(brought.has(name) ? {} : { isFound: true }),
    }));
    return {
      outputs: [...written.map(({ path, bytes, sha256 }) => ({ path: set.pathOf(path), bytes, sha256 })), ...ofOthers],
      totals: {
        ...totalsOf(parts, whole, [...written, ...ofOthers]),
        streamed,
      },
      diagnostics: [...judged, ...leftOver],
    };
  } finally {
    set.discard();
  }
}

/** The diagnostics of all shards in the order of one cook: of those that are kept once, the same ones are kept. */
function repeatDiagnostics(parts: readonly ShardPart[], diagnostics: Diagnostics): void {
  const { tiles, shared, clusters } = parts[0].common.plan;
  const payloads = shared === null ? tiles : [...tiles, shared];
  const orders = { scene: [''], payload: payloads, levels: payloads, cluster: clusters };
  const found = new Map<string, ShardPart['diagnostics'][number]['reported'][number][]>();
  for (const { stage, id, reported } of parts.flatMap((part) => part.diagnostics)) {
    const key = `${stage}\0${id}`;
    const known = found.get(key);
    if (known) known.push(...reported);
    else found.set(key, [...reported]);
  }
  for (const [stage, ids] of Object.entries(orders)) {
    for (const id of ids) {
      const reported = found.get(`${stage}\0${id}`) ?? [];
      // Codes were checked when the shard was read.
      diagnostics.repeat(reported as unknown as Parameters<Diagnostics['repeat']>[0]);
    }
  }
}

/**
 * Copies the files of all shards into the set, each once, and gives their paths there by those in the shards: a name may have
 * more digits of the hash where the set had another file of that name. Throws UC4204.
 */
function copyFiles(
  shards: readonly NamedShard[],
  set: OutputSet,
  signal: AbortSignal | undefined,
): Map<string, string> {
  const copied = new Map<string, { readonly sha256: string; readonly file: string }>();
  const paths = new Map<string, string>();
  for (const { file, part } of shards) {
    const base = dirname(file);
    for (const { path, bytes, sha256 } of part.files) {
      throwIfAborted(signal);
      const content = checkedFile(base, path, { bytes, sha256, shard: file });
      const other = copied.get(path);
      if (other) {
        if (other.sha256 !== sha256) fail('UC4201', file, '', `it has another ${path} than ${other.file}`);
        continue;
      }
      copied.set(path, { sha256, file });
      const isTexture = path.startsWith(`${part.common.scene}/Textures/`);
      const to = isTexture ? path : hashedPath(withoutHash(path), sha256, set.earlier);
      paths.set(path, to);
      set.write(to, content, sha256);
    }
  }
  return paths;
}

/** The textures that the shards share with other sets, each once, in order of their names. Throws UC4204. */
function sharedOf(shards: readonly NamedShard[]): readonly SharedTexture[] {
  const found = new Map<string, SharedTexture>();
  for (const { file, part } of shards) {
    const root = join(dirname(file), wayUp(part.common.place));
    for (const { name, bytes, sha256 } of part.textures ?? []) {
      const read = () => checkedFile(root, `Textures/${name}`, { bytes, sha256, shard: file });
      read();
      const other = found.get(name);
      if (other && other.sha256 !== sha256) fail('UC4201', file, '', `it has another ${name} than another shard`);
      found.set(name, { name, size: bytes, sha256, read });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The content of a listed file. Its size is compared before it is read; links are not followed. */
function checkedFile(
  base: string,
  path: string,
  { bytes, sha256, shard }: { readonly bytes: number; readonly sha256: string; readonly shard: string },
): Uint8Array {
  const file = join(base, path);
  const refuse = (why: string): never => fail('UC4204', file, '', `${why}; ${shard} lists it`);
  if (blockedFolder(base, path)) return refuse('a link or a file stands where its folder should be');
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return refuse('it is not there');
  if (!stat.isFile()) return refuse('it is not a regular file');
  if (stat.size !== bytes) return refuse(`it has ${stat.size} bytes instead of ${bytes}`);
  const content = regularFile(file);
  if (content === null) return refuse('it cannot be read');
  if (sha256Hex(content) !== sha256) return refuse('its content has changed');
  return content;
}

/** The parts of the whole set. `placed`: the path in the set of a file of a shard. */
function setParts(parts: readonly ShardPart[], placed: (path: string) => string): SetParts {
  const { common } = parts[0];
  const { plan } = common;
  const entries = new Map(parts.flatMap(({ tiles }) => tiles.map((tile) => [tile.id, tile] as const)));
  const planned = new Map([...entries].map(([id, tile]) => [id, tileSummary(tile)]));
  const written = new Map<string, SetTile>();
  for (const [id, tile] of entries) {
    if (tile.written === null) continue;
    const level = <L extends { readonly path: string }>(one: L): L => ({ ...one, path: placed(one.path) });
    const { lods, hlod, path, ...measures } = tile.written;
    const levels = { lods: lods.map(level), hlod: hlod && level(hlod) };
    written.set(id, { ...measures, ...levels, path: placed(path), planned: planned.get(id) as TileSummary });
  }
  const clusters = new Map(parts.flatMap((part) => part.clusters.map((cluster) => [cluster.id, cluster] as const)));
  const counts = parts.flatMap((part) => (part.counts ? [part.counts] : []));
  return {
    sceneName: common.scene,
    folder: `${common.scene}/`,
    source: common.source,
    settings: common.settings,
    plan: { ...plan, cut: plan.cut.map((pieces) => ({ pieces })) },
    budgets: common.budgets,
    authored: {
      lights: common.lights.map((light) => ({ ...light, world: Float64Array.from(light.world) })),
      cameras: common.cameras.map((camera) => ({ ...camera, world: Float64Array.from(camera.world) })),
      ...(common.colorGrade ? { colorGrade: common.colorGrade } : {}),
    },
    tiles: plan.tiles.flatMap((id) => written.get(id) ?? []),
    shared: plan.shared === null ? null : (written.get(plan.shared) ?? null),
    clusters: plan.clusters.flatMap((id): WrittenCluster[] => {
      const cluster = clusters.get(id);
      if (!cluster?.written) return [];
      const { members, bounds, hlod, blank } = cluster.written;
      return [
        {
          planned: {
            id,
            priority: cluster.priority,
            members: cluster.members.flatMap((one) => planned.get(one) ?? []),
          },
          members: members.map((member) => written.get(member) as SetTile),
          bounds,
          hlod: { ...hlod, path: placed(hlod.path) },
          blank: { ...blank, path: placed(blank.path) },
        },
      ];
    }),
    counts: counts.length === 0 ? null : counts.reduce(addCounts),
  };
}

const addCounts = (a: NonNullable<ShardPart['counts']>, b: NonNullable<ShardPart['counts']>) => ({
  clusters: a.clusters + b.clusters,
  few: a.few + b.few,
  far: a.far + b.far,
});

function tileSummary({ id, cell, tree, bounds, priority, range, triangles, boxes, pieces }: ShardTile): TileSummary {
  const cut = new Set(pieces);
  const objects = Array.from({ length: boxes.length / 6 }, (_, i) => {
    const [x, y, z, u, v, w] = boxes.slice(6 * i, 6 * i + 6);
    const box: TileSummary['bounds'] = { min: [x, y, z], max: [u, v, w] };
    return { bounds: box, piece: cut.has(i) ? {} : null };
  });
  return { id, cell, tree, bounds, priority, range, objects, estimate: { triangles } };
}

function totalsOf(
  parts: readonly ShardPart[],
  whole: SetParts,
  written: readonly WrittenFile[],
): Omit<CookTotals, 'streamed'> {
  const { plan, zone } = parts[0].common;
  const { objects, triangles } = plan;
  const payloads = whole.shared ? [...whole.tiles, whole.shared] : whole.tiles;
  const levels = new Map<string, LevelTotals>();
  for (const one of parts.flatMap(({ totals }) => totals.levels)) {
    const { tiles, triangles } = levels.get(one.level) ?? { tiles: 0, triangles: 0 };
    levels.set(one.level, { level: one.level, tiles: tiles + one.tiles, triangles: triangles + one.triangles });
  }
  return {
    objects,
    tiles: payloads.length,
    models: 0,
    trianglesIn: triangles,
    trianglesOut: parts.reduce((sum, { totals }) => sum + totals.triangles, 0),
    levels: [...levels.values()],
    vertices: payloads.reduce((sum, { vertices }) => sum + vertices, 0),
    materials: new Set(parts.flatMap(({ totals }) => totals.materials)).size,
    textures: written.filter(({ path }) => isTexturePath(path)).length,
    files: written.length,
    bytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(zone ? { zone } : {}),
  };
}
