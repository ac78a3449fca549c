// Writes the main file of a shard: what its tiles and clusters turned out to be, and what they were made from, so that the
// shards of several machines can be merged (mergeShards.ts).

import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { CODE_DIGEST } from '../../../bytes/codeDigest.ts';
import { sha256Hex } from '../../../bytes/sha256.ts';
import { VERSION } from '../../../bytes/version.ts';
import { relativeDiagnostic, relativeText } from '../../../config/relativeDiagnostic.ts';
import { settingsDigest } from '../../../config/settings.ts';
import { mainFile } from '../../../config/targets.ts';
import type { ReportedDiagnostic } from '../../../diagnostics/diagnostic.ts';
import type { SetTile } from '../../../formats/manifest/write.ts';
import { DEFAULT_FORMAT } from '../../../formats/registry.ts';
import type { ShardCommon, ShardPart, ShardTile } from '../../../formats/shard/document.ts';
import { shardText } from '../../../formats/shard/text.ts';
import { fileSha256 } from '../../../importers/fileStamp.ts';
import type { SharedTexture } from '../../../output/sharedTextures.ts';
import type { PlannedTile, ScenePlan } from '../../../tiling/types.ts';
import type { MadeScene, Workshop } from '../../made.ts';
import { type OpenSource, ofItsSource, partsOf, pathIn } from '../../openSource.ts';
import type { Session } from '../../session.ts';
import type { CookJob } from '../../types.ts';
import { sourceTriangles } from '../../zone/figures.ts';
import type { SetParts } from '../tileSet/assembleSet.ts';
import type { ShardTarget } from './earlierShard.ts';

/**
 * Writes the main file into the set, which holds all other files of the shard. `parts`: those of the set that this share has.
 * `textures`: those that it shares with other sets.
 */
export function writeShardFile(
  target: ShardTarget,
  parts: SetParts,
  textures: readonly SharedTexture[],
  made: MadeScene,
  { set, reports }: Workshop,
  { job, opened }: Session,
): void {
  const { settings, policy, workingFolder = resolve() } = job;
  const { shard, sceneName } = target;
  const { selection, objects, tiles: plan } = made.plan;
  if (plan === null) throw new Error('a shard has tiles');
  const written = new Map(
    [...parts.tiles, ...(parts.shared ? [parts.shared] : [])].map((tile) => [tile.planned.id, tile]),
  );
  const clusters = new Map(parts.clusters.map((cluster) => [cluster.planned.id, cluster]));
  const { lights = [], cameras = [] } = parts.authored;
  const common: ShardCommon = {
    version: VERSION,
    code: CODE_DIGEST,
    scene: sceneName,
    place: shard.place,
    source: job.source,
    settings: settingsDigest(settings),
    format: settings.format ?? DEFAULT_FORMAT,
    budgets: parts.budgets,
    severities: {
      strict: policy.strict,
      deny: [...policy.deny].sort(),
      allow: [...policy.allow].sort(),
      warn: [...(policy.warn ?? [])].sort(),
    },
    plan: {
      digest: planDigest(plan),
      mode: plan.mode,
      profile: plan.profile,
      bounds: plan.bounds,
      tileSize: plan.tileSize,
      tileSizeMode: plan.tileSizeMode,
      defaultRange: plan.defaultRange,
      floors: plan.floors,
      sharedShell: plan.sharedShell,
      cut: plan.cut.map(({ pieces }) => pieces),
      tiles: plan.tiles.map(({ id }) => id),
      shared: plan.shared?.id ?? null,
      clusters: (made.plan.clusters ?? []).map(({ id }) => id),
      objects: objects.length,
      triangles: sourceTriangles(objects, made.plan.zone),
    },
    lights: lights.map((light) => ({ ...light, world: [...light.world] })),
    cameras: cameras.map((camera) => ({ ...camera, world: [...camera.world] })),
    colorGrade: parts.authored.colorGrade ?? null,
    ...(made.plan.zone ? { zone: made.plan.zone.figures } : {}),
  };
  const own: ShardPart = {
    index: shard.index,
    count: shard.count,
    common,
    inputs: inputsOf(job, opened),
    tiles: [...selection.written].flatMap(({ tile }) => (tile ? [tileEntry(tile, written.get(tile.id) ?? null)] : [])),
    clusters: selection.clusters.map(({ id, priority, members }) => {
      const cluster = clusters.get(id);
      return {
        id,
        priority,
        members: members.map((member) => member.id),
        written: cluster
          ? {
              members: cluster.members.map(({ planned }) => planned.id),
              bounds: cluster.bounds,
              hlod: cluster.hlod,
              blank: payloadEntry(cluster.blank),
            }
          : null,
      };
    }),
    counts: parts.counts,
    totals: {
      triangles: made.payloads.triangles,
      levels: [...made.levels.totals, ...(made.clusters ? [made.clusters.total] : [])],
      materials: [...made.payloads.materials].map(({ name }) => name).sort(),
    },
    files: set.listed
      .map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    diagnostics: reports
      .end()
      .flatMap(({ stage, id, reported }) =>
        reported.length === 0
          ? []
          : [{ stage, id, reported: reported.map((one) => reportEntry(one, job, workingFolder)) }],
      ),
  };
  const shared = textures.map(({ name, size, sha256 }) => ({ name, bytes: size, sha256 }));
  const part = target.shared ? { ...own, textures: shared } : own;
  set.write(basename(mainFile(target)), new TextEncoder().encode(shardText(part)));
}

const payloadEntry = ({ path, bytes, gpuBytes, meshes, vertices, bounds }: Omit<SetTile, 'planned'>) => ({
  path,
  bytes,
  gpuBytes,
  meshes,
  vertices,
  bounds,
});

function tileEntry(tile: PlannedTile, written: SetTile | null): ShardTile {
  const { id, cell, tree, bounds, priority, range, estimate, objects } = tile;
  return {
    id,
    cell,
    tree,
    bounds,
    priority,
    range,
    triangles: estimate.triangles,
    boxes: objects.flatMap(({ bounds: { min, max } }) => [...min, ...max]),
    pieces: objects.flatMap(({ piece }, i) => (piece ? [i] : [])),
    written: written && { ...payloadEntry(written), lods: written.lods ?? [], hlod: written.hlod ?? null },
  };
}

/** The same for equal plans: what every tile holds, and where. */
function planDigest({ tiles, shared }: ScenePlan): string {
  const hash = createHash('sha256');
  for (const { id, stem, objects } of shared ? [...tiles, shared] : tiles) {
    const held = objects.map(({ node, bounds, triangles, vertices, piece }) => [
      node,
      bounds,
      triangles,
      vertices,
      piece,
    ]);
    hash.update(JSON.stringify([id, stem, held]));
  }
  return hash.digest('hex');
}

/** Files that were read, by paths that do not depend on the machine: relative to the folder of the source. */
function inputsOf(job: CookJob, opened: OpenSource): ShardPart['inputs'] {
  const given = new Map(
    partsOf(job).flatMap(({ source, content }) =>
      content ? [[pathIn(job, source), sha256Hex(content)] as const] : [],
    ),
  );
  const { workingFolder = resolve() } = job;
  const folder = job.joined ? workingFolder : dirname(pathIn(job, job.source));
  const traced = new Map(opened.trace()?.read.map(({ path, sha256 }) => [path, sha256]));
  const paths = new Set([...given.keys(), ...opened.filesRead]);
  return [...paths]
    .map((path) => {
      const name = relative(folder, path).split(sep).join('/');
      // On another drive: only its last part is known to be the same elsewhere.
      const shown = isAbsolute(name) ? (path.split(sep).at(-1) ?? '') : name;
      return { path: shown, sha256: given.get(path) ?? traced.get(path) ?? fileSha256(path) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Keys may hold paths of this machine: their digests are as good. */
function reportEntry({ item, once }: ReportedDiagnostic, job: CookJob, workingFolder: string) {
  return {
    item: relativeDiagnostic(ofItsSource(job, item), workingFolder),
    once: once === null ? null : sha256Hex(relativeText(once, workingFolder)).slice(0, 16),
  };
}
