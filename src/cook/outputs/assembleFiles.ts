// The last step of formats whose files are made of payloads: the payloads leave the set, and what is made of them comes in.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import type { AssembledTile, Assembly, Authored } from '../../formats/format.ts';
import { type EmittedCluster, planMapPath, type SetTile } from '../../formats/manifest/write.ts';
import { recordText } from '../../formats/urho3d/target/record.ts';
import type { OutputSet } from '../../output/outputSet.ts';
import { planMap } from '../../output/planMap.ts';
import { center } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { fileBytes, type PreparedTexture } from '../../textures/types.ts';
import { drawnUntil, type TileRadii } from '../../tiling/streaming/setRadii.ts';
import { type SetParts, settledSet } from './tileSet/assembleSet.ts';

interface AssemblyContext {
  readonly set: OutputSet;
  readonly assembly: Assembly;
  readonly authored: Authored;
  /** All that payloads name. */
  readonly textures: Iterable<PreparedTexture>;
  readonly source: string;
  readonly diagnostics: Diagnostics;
}

/** Metres beyond the place where a cluster certainly takes over, for boxes of models that differ from the stated bounds. */
const HANDOVER = 16;

const radiusOf = ({ min, max }: Bounds): number => Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2;

/**
 * The metres from its nearest point beyond which a member of a cluster is not drawn. Distances of both are measured to the
 * centres of their boxes: it ends where that of the cluster is certainly passed, so that there is never a hole.
 */
function endOfMember(bounds: Bounds, { bounds: all, distances }: EmittedCluster): number {
  const [a, b] = [center(bounds), center(all)];
  const apart = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  return distances.hlod + radiusOf(all) + apart - radiusOf(bounds) + HANDOVER;
}

/** A tile with its payloads by the distances that a manifest would state. */
function assembledTile(tile: SetTile, radii: TileRadii, cluster: EmittedCluster | undefined): AssembledTile {
  const { unload, lods, hlod, prefetch } = radii;
  const { lods: levels = [], hlod: far = null } = tile;
  const last = hlod !== null && cluster ? Math.max(hlod, endOfMember(tile.bounds, cluster)) : hlod;
  const own = [
    { path: tile.path, distance: 0 },
    ...levels.map(({ path }, i) => ({ path, distance: lods[i] })),
    ...(far && last !== null ? [{ path: far.path, distance: last }] : []),
  ];
  // The engine draws the last level of a tile as far as it looks for tiles; the last one of a member draws nothing.
  const reach = own.length > 1 ? MAX_QUERY_RADIUS : prefetch === undefined ? unload : drawnUntil(radii);
  return { id: tile.planned.id, drawDistance: cluster && last !== null ? last : reach, levels: own };
}

const assembledCluster = ({ planned, hlod, blank, distances }: EmittedCluster): AssembledTile => ({
  id: planned.id,
  drawDistance: MAX_QUERY_RADIUS,
  levels: [
    { path: blank.path, distance: 0 },
    { path: hlod.path, distance: distances.hlod },
  ],
});

async function writeFiles(
  name: string,
  isSet: boolean,
  tiles: readonly AssembledTile[],
  { set, assembly, authored, textures, source, diagnostics }: AssemblyContext,
): Promise<void> {
  const byName = new Map([...textures].map((texture) => [texture.fileName, texture]));
  const payloads = new Set(set.files.map(({ path }) => path));
  // A payload leaves the set with its last use: a single file has its name, and output is not counted twice.
  const uses = new Map<string, number>();
  for (const { path } of tiles.flatMap(({ levels }) => levels)) uses.set(path, (uses.get(path) ?? 0) + 1);
  const read = (path: string): Uint8Array => {
    const bytes = set.readBack(path);
    const left = (uses.get(path) ?? 0) - 1;
    uses.set(path, left);
    if (left <= 0) {
      set.drop(path);
      payloads.delete(path);
    }
    return bytes;
  };
  const files = assembly.files({
    name,
    isSet,
    tiles,
    authored,
    read,
    texture: (fileName) => fileBytes(byName.get(fileName) as PreparedTexture, set.held),
    source,
    diagnostics,
  });
  for await (const { path, bytes } of files) set.write(path, bytes);
  // Of levels that no distance is left for.
  for (const path of payloads) set.drop(path);
}

/** Makes the files of a single file. */
export function assembleFile(name: string, path: string, context: AssemblyContext): Promise<void> {
  return writeFiles(name, false, [{ id: name, drawDistance: 0, levels: [{ path, distance: 0 }] }], context);
}

/** Makes the files of a set of tiles, with its plan map and its record. */
export async function assembleTiles(parts: SetParts, context: AssemblyContext): Promise<void> {
  const { set, diagnostics } = context;
  const { sceneName, plan, budgets, settings } = parts;
  const { tiles, shared, clusters, radii } = settledSet(parts, diagnostics);
  const all = shared ? [...tiles, shared] : tiles;
  const clusterOf = new Map<unknown, EmittedCluster>(
    clusters.flatMap((cluster) => cluster.planned.members.map((member) => [member, cluster] as const)),
  );
  const assembled = [
    ...all.map((tile) => assembledTile(tile, radii.get(tile) as TileRadii, clusterOf.get(tile.planned))),
    ...clusters.map(assembledCluster),
  ];
  await writeFiles(sceneName, true, assembled, context);
  const record = new TextEncoder().encode(recordText({ sceneName, settings, files: set.listed }));
  const bytes = set.files.reduce((sum, file) => sum + file.bytes, record.length);
  const files = { count: set.files.length + 1, bytes };
  const map = planMap({ sceneName, plan, tiles, shared, clusters, radii, budgets, files });
  set.writeBeside(planMapPath(sceneName), new TextEncoder().encode(map));
  set.write(`${sceneName}.json`, record);
}
