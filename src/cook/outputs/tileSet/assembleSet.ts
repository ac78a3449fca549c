// Makes the manifest and the plan map of a set from what its tiles and clusters turned out to be: plain data, from one cook
// of the whole scene or from several that each cooked a part. Only here is the whole scene known, and with it all distances.

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { MAX_QUERY_RADIUS } from '../../../engine/streaming.ts';
import type { Authored } from '../../../formats/format.ts';
import type { ManifestFile } from '../../../formats/manifest/schema.ts';
import {
  type EmittedCluster,
  type ManifestInput,
  manifestText,
  planMapPath,
  type SetTile,
  uniteAll,
} from '../../../formats/manifest/write.ts';
import { planMap } from '../../../output/planMap.ts';
import type { Budgets } from '../../../tiling/partition/budgets.ts';
import type { ClusterEntry } from '../../../tiling/streaming/clusterRadii.ts';
import { type Radii, rangeRadii } from '../../../tiling/streaming/radii.ts';
import { setDistances } from '../../../tiling/streaming/setDistances.ts';
import type { LastingTiles } from '../../../tiling/streaming/setRadii.ts';
import type { PlannedTile, PlanSummary } from '../../../tiling/types.ts';
import type { ClusterCounts, WrittenCluster } from '../../made.ts';
import { type DrawnSet, topViews } from './topViews.ts';

/** All that a set is made of besides its files. */
export interface SetParts {
  readonly sceneName: string;
  /** The folder of its payloads, with `/` at its end. */
  readonly folder: string;
  /** The source, for diagnostics. */
  readonly source: string;
  /** SHA-256 of the settings, from settingsDigest. */
  readonly settings: string;
  /** As CookSettings has it. */
  readonly levelScale?: number | undefined;
  readonly plan: PlanSummary;
  readonly budgets: Budgets;
  /** Lights and cameras of the whole scene. */
  readonly authored: Authored;
  /** Those that were written, in the plan's order. */
  readonly tiles: readonly SetTile[];
  readonly shared: SetTile | null;
  readonly clusters: readonly WrittenCluster[];
  /** Null: nothing is to be said of the clusters that have no HLOD. */
  readonly counts: ClusterCounts | null;
  /** As the manifest lists them; absent: it has no textures in common with other sets. */
  readonly sharedTextures?: readonly ManifestFile[] | undefined;
}

/** A set with all its distances. */
export type SettledSet = Pick<ManifestInput, 'tiles' | 'shared' | 'radii' | 'defaults'> & {
  readonly clusters: readonly EmittedCluster[];
};

/** Whether any tile has a level. */
export const hasLevels = ({ tiles }: Pick<SetParts, 'tiles'>): boolean =>
  tiles.some(({ lods = [], hlod = null }) => lods.length > 0 || hlod !== null);

/** Writes plan map and manifest into the set, which holds all other files. Reports what settledSet reports, throws what topViews throws. */
export async function writeManifest(parts: SetParts, drawn: DrawnSet, diagnostics: Diagnostics): Promise<void> {
  const { set } = drawn;
  const { sceneName, folder, settings, plan, budgets, authored } = parts;
  const settled = settledSet(parts, diagnostics);
  const text = manifestText({
    ...settled,
    sceneName,
    folder,
    settings,
    plan,
    maxBatchVertices: budgets.vertices,
    authored,
    files: set.listed,
    sharedTextures: parts.sharedTextures,
  });
  const manifest = new TextEncoder().encode(text);
  const bytes = set.files.reduce((sum, file) => sum + file.bytes, manifest.length);
  const files = { count: set.files.length + 1, bytes };
  const pictures = await topViews(parts, drawn);
  const map = planMap({ ...settled, sceneName, plan, budgets, files, pictures });
  set.writeBeside(planMapPath(sceneName), new TextEncoder().encode(map));
  set.write(`${sceneName}.json`, manifest);
}

/** The tiles and clusters with all distances. Reports UC2062, UC2065, UC2066 and UC2205. */
export function settledSet(parts: SetParts, diagnostics: Diagnostics): SettledSet {
  const { source, shared, plan, levelScale } = parts;
  const all = shared ? [...parts.tiles, shared] : parts.tiles;
  const at = { scene: uniteAll(all), defaultRange: plan.defaultRange, levelScale };
  const distances = setDistances(parts.tiles, shared, parts.clusters, at);
  if (parts.counts) reportClusters(parts.counts, source, diagnostics);
  reportLasting(distances.lasting, parts, diagnostics);
  reportLadders(distances.radii, source, diagnostics);
  const { clusters, members } = shownClusters(parts.clusters, distances.clusters);
  const settled = (tile: SetTile) => members.get(tile) ?? tile;
  return {
    tiles: parts.tiles.map(settled),
    shared,
    clusters,
    radii: new Map([...distances.radii].map(([tile, radii]) => [settled(tile), radii])),
    defaults: distances.defaults,
  };
}

/** The clusters that have distances, and their members, of which the own HLOD becomes the last LOD and a file without meshes the HLOD. */
function shownClusters(written: readonly WrittenCluster[], distances: ReadonlyMap<WrittenCluster, ClusterEntry>) {
  const members = new Map<SetTile, SetTile>();
  const clusters: EmittedCluster[] = [];
  for (const cluster of written) {
    const own = distances.get(cluster);
    if (!own) continue;
    const { planned, bounds, hlod, blank } = cluster;
    for (const tile of cluster.members) {
      const { lods = [], hlod: last } = tile;
      members.set(tile, {
        ...tile,
        lods: last ? [...lods, last] : lods,
        hlod: { path: blank.path, error: hlod.error },
      });
    }
    clusters.push({ planned, bounds, hlod, distances: own, blank });
  }
  return { clusters, members };
}

/** Tiles that a message names; it counts the others. */
const NAMED = 5;

function named(tiles: readonly SetTile[]): string {
  const ids = tiles.slice(0, NAMED).map(({ planned }) => planned.id);
  return `${ids.join(', ')}${tiles.length > NAMED ? ` and ${tiles.length - NAMED} more` : ''}`;
}

/** Says which tiles without levels are drawn in full detail up to the end (UC2065), and which end before others (UC2066). */
function reportLasting(
  { widened, ended, until }: LastingTiles<SetTile>,
  parts: SetParts,
  diagnostics: Diagnostics,
): void {
  const { source } = parts;
  const whole = [...widened.keys()];
  // Where nobody asked for levels, there is nothing else to draw.
  if (whole.length > 0 && hasLevels(parts)) {
    const bytes = whole.reduce((sum, { gpuBytes }) => sum + gpuBytes, 0);
    const what = `full detail of ${whole.length} ${whole.length === 1 ? 'tile' : 'tiles'} is drawn up to ${until} m`;
    diagnostics.report('UC2065', source, '', `${what}, ${(bytes / 1e6).toFixed(1)} MB on the GPU: ${named(whole)}`);
  }
  if (ended.length > 0) {
    const what = `${ended.length} ${ended.length === 1 ? 'tile ends' : 'tiles end'} before the others`;
    diagnostics.report('UC2066', source, '', `${what}, which are drawn up to ${until} m: ${named(ended)}`);
  }
}

/** Says once (UC2062) what becomes of clusters that have no place for an HLOD. */
function reportClusters({ clusters, few, far }: ClusterCounts, source: string, diagnostics: Diagnostics): void {
  const why = [
    ...(clusters === 0 ? ['no two tiles with levels lie together'] : []),
    ...(few > 0 ? [`${few} of ${clusters} clusters have fewer than two tiles with levels`] : []),
    ...(far > 0
      ? [`${far} of ${clusters} clusters have tiles that would be seen beyond ${MAX_QUERY_RADIUS} m with it`]
      : []),
  ];
  if (why.length > 0) diagnostics.report('UC2062', source, '', why.join('; '));
}

/** Notes (UC2205) unload radii that were given and that the levels of tiles are moved out beyond, by tier. */
function reportLadders(
  radii: ReadonlyMap<{ readonly planned: Pick<PlannedTile, 'range' | 'bounds' | 'tree'> }, Radii>,
  source: string,
  diagnostics: Diagnostics,
): void {
  const widened = new Map<string, { readonly given: number; readonly used: number }>();
  for (const [{ planned }, { unload }] of radii) {
    const { range, bounds, tree } = planned;
    if (range.kind !== 'given') continue;
    const given = rangeRadii(range, bounds, null);
    if (unload <= given.unload) continue;
    const tier = tree?.tier ?? 'cells';
    const used = Math.max(unload, widened.get(tier)?.used ?? 0);
    widened.set(tier, { given: given.unload, used });
  }
  for (const [tier, { given, used }] of widened) {
    diagnostics.report('UC2205', source, '', `${tier}: ${given} m becomes up to ${used} m, for the levels of tiles`);
  }
}
