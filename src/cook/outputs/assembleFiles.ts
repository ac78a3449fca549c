// The last step of formats whose files are made of payloads: the payloads leave the set, and what is made of them comes in.

import { MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import type { AssembledTile, AssemblyInput, Authored } from '../../formats/format.ts';
import { type EmittedCluster, planMapPath, type SetTile } from '../../formats/manifest/write.ts';
import { recordText } from '../../formats/urho3d/target/record.ts';
import { planMap } from '../../output/planMap.ts';
import { fileBytes, type PreparedTexture } from '../../textures/types.ts';
import { drawDistances } from '../../tiling/streaming/drawDistances.ts';
import type { TileRadii } from '../../tiling/streaming/setRadii.ts';
import type { MadeScene, Workshop } from '../made.ts';
import type { Session } from '../session.ts';
import { type SetParts, settledSet } from './tileSet/assembleSet.ts';

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

/** Writes what the format makes of the payloads in the set, which leave it. */
async function writeFiles(
  output: Pick<AssemblyInput, 'name' | 'isSet' | 'tiles' | 'authored'>,
  { textures }: MadeScene,
  { set, format: { assembly } }: Workshop,
  { job, diagnostics }: Session,
): Promise<void> {
  if (assembly === null) throw new Error('the payloads of this format are its files');
  const payloads = new Set(set.files.map(({ path }) => path));
  // A payload leaves the set with its last use: a single file has its name, and output is not counted twice.
  const uses = new Map<string, number>();
  for (const { path } of output.tiles.flatMap(({ levels }) => levels)) uses.set(path, (uses.get(path) ?? 0) + 1);
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
    ...output,
    read,
    texture: (fileName) => fileBytes(textures.get(fileName) as PreparedTexture, set.held),
    source: job.source,
    diagnostics,
  });
  for await (const { path, bytes } of files) set.write(path, bytes);
  // Of levels that no distance is left for.
  for (const path of payloads) set.drop(path);
}

/** Makes the files of a single file from its payload, whose path is `main`. */
export function assembleFile(
  main: string,
  authored: Authored,
  made: MadeScene,
  workshop: Workshop,
  session: Session,
): Promise<void> {
  const { name, payloads } = made.plan;
  const [{ tree }] = payloads;
  const whole: AssembledTile = { id: name, drawDistance: 0, levels: [{ path: main, distance: 0 }] };
  const nodes = tree ? { tree } : {};
  return writeFiles({ name, isSet: false, tiles: [whole], authored, ...nodes }, made, workshop, session);
}

/** Makes the files of a set of tiles, with its plan map and its record. */
export async function assembleTiles(
  parts: SetParts,
  made: MadeScene,
  workshop: Workshop,
  session: Session,
): Promise<void> {
  const { set } = workshop;
  const { sceneName, plan, budgets, settings } = parts;
  const { tiles, shared, clusters, radii } = settledSet(parts, session.diagnostics);
  const all = shared ? [...tiles, shared] : tiles;
  const clusterOf = new Map<unknown, EmittedCluster>(
    clusters.flatMap((cluster) => cluster.planned.members.map((member) => [member, cluster] as const)),
  );
  const { lights = [], cameras = [] } = parts.authored;
  const assembled = [
    ...all.map((tile) => assembledTile(tile, radii.get(tile) as TileRadii, clusterOf.get(tile.planned))),
    ...clusters.map(assembledCluster),
  ];
  const authored = { lights, cameras };
  await writeFiles({ name: sceneName, isSet: true, tiles: assembled, authored }, made, workshop, session);
  const record = new TextEncoder().encode(recordText({ sceneName, settings, files: set.listed }));
  const bytes = set.files.reduce((sum, file) => sum + file.bytes, record.length);
  const files = { count: set.files.length + 1, bytes };
  const map = planMap({ sceneName, plan, tiles, shared, clusters, radii, budgets, files });
  set.writeBeside(planMapPath(sceneName), new TextEncoder().encode(map));
  set.write(`${sceneName}.json`, record);
}
