// The last step of formats whose files are made of payloads: the payloads leave the set, and what is made of them comes in.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import type { AssembledTile, Assembly, Authored } from '../../formats/format.ts';
import { type EmittedCluster, planMapPath, type SetTile } from '../../formats/manifest/write.ts';
import { recordText } from '../../formats/urho3d/target/record.ts';
import type { OutputSet } from '../../output/outputSet.ts';
import { planMap } from '../../output/planMap.ts';
import { fileBytes, type PreparedTexture } from '../../textures/types.ts';
import { drawDistances } from '../../tiling/streaming/drawDistances.ts';
import type { TileRadii } from '../../tiling/streaming/setRadii.ts';
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

/** A tile with its payloads by the distances from which they are drawn. The last one of a member of a cluster draws nothing. */
function assembledTile(tile: SetTile, radii: TileRadii, cluster: EmittedCluster | undefined): AssembledTile {
  const drawn = cluster ? { bounds: cluster.bounds, hlod: cluster.distances.hlod } : null;
  const { lods, hlod, end } = drawDistances(radii, tile.bounds, drawn);
  const { lods: levels = [], hlod: far = null } = tile;
  return {
    id: tile.planned.id,
    drawDistance: end,
    levels: [
      { path: tile.path, distance: 0 },
      ...levels.map(({ path }, i) => ({ path, distance: lods[i] })),
      ...(far && hlod !== null ? [{ path: far.path, distance: hlod }] : []),
    ],
  };
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
