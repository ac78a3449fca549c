// The HLODs of HLOD clusters, after the levels of all tiles: which clusters have a place for one, their jobs and their files.
// tiling/streaming/setDistances.ts gives them their distances. Each thread holds the last levels of one cluster's tiles at a time.
//
// A cook of a part of the set has only some of the tiles, and not the exact bounds of the scene. What is decided here
// therefore follows from the bounds of the plan, which contain those.

import type { EmittedPayload } from '../../formats/format.ts';
import { type EmittedLevel, type EmittedTile, statedError } from '../../formats/manifest/write.ts';
import { SharedPositions } from '../../geometry/lod/borders.ts';
import { readWhole } from '../../importers/wholeFile.ts';
import { emitPayload } from '../../output/payloads.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { sharedTextureName } from '../../textures/name.ts';
import type { PreparedTexture } from '../../textures/types.ts';
import { type ClusterMember, clusterRange, clusterStart } from '../../tiling/streaming/clusterRadii.ts';
import type { HlodCluster } from '../../tiling/streaming/hlodClusters.ts';
import { errorAtDistance } from '../../tiling/streaming/ladder.ts';
import { type TileRadii, tileRadii } from '../../tiling/streaming/setRadii.ts';
import type { PlannedTile, ScenePlan } from '../../tiling/types.ts';
import { inOrder } from '../../workers/inOrder.ts';
import { imageSide } from '../../workers/jobRunner.ts';
import type { ClusterJob, ClusterResult } from '../../workers/jobs.ts';
import type {
  ClusterCounts,
  KeptTiles,
  Workshop,
  WrittenCluster,
  WrittenClusters,
  WrittenLevels,
  WrittenPayloads,
} from '../made.ts';
import type { CookPlan, PlannedPayload } from '../planned.ts';
import type { Session } from '../session.ts';
import { KeptLevels } from '../units/keptLevels.ts';
import type { LevelImages } from './levels/levelImages.ts';
import type { LevelSources } from './levels/levelSources.ts';
import { filesOf } from './textures/sceneTextures.ts';
import { aheadOf } from './workshop.ts';

/** The share of triangles that a cluster's HLOD keeps each time the edge of the cluster doubles. */
const RATIO_A_LEVEL = 0.5;

/** A tile with what is seen of it last: its HLOD, its last LOD, or where it has no levels full detail. */
interface FarTile {
  readonly tile: EmittedTile;
  readonly last: EmittedLevel;
}

/** A cluster with a place for an HLOD. */
interface Candidate {
  readonly cluster: HlodCluster;
  readonly members: readonly FarTile[];
  readonly far: readonly ClusterMember[];
  readonly bounds: Bounds;
  /** Largest of the members' last levels: an HLOD made from them strays by as much besides its own. */
  readonly error: number;
  /** Metres from which on it may be shown. */
  readonly range: number;
}

/**
 * Makes and writes the HLODs of clusters, from the last levels of their members; null where nobody asks for any. Throws
 * JobFailure, and what the set and the reader throw. Reports UC2060.
 */
export async function writeClusters(
  plan: CookPlan,
  { forLevels: sources }: WrittenPayloads,
  levels: WrittenLevels,
  kept: KeptTiles,
  workshop: Workshop,
  session: Session,
): Promise<WrittenClusters | null> {
  const { images } = levels;
  if (plan.clusters === null || plan.tiles === null || sources === null || images === null) return null;
  const { set, format, runners, reports } = workshop;
  const { job, diagnostics, progress } = session;
  const { levelScale } = job.settings;
  const { candidates, counts } = findCandidates(plan.selection.clusters, plan.tiles, levels.tiles, levelScale);
  const owners = new Map<PlannedTile, number>();
  for (const [i, { members }] of candidates.entries()) for (const { tile } of members) owners.set(tile.planned, i);
  const sharedRows = sources.sharedBetween(({ tile }) => (tile && owners.get(tile)) ?? null);
  runners.setShared(sharedRows);

  const texturesOf = textureReader(plan, levels, workshop);
  const { hlodTextureSize: textureSize = null, hlodLevels = 1 } = job.settings;
  const ratio = RATIO_A_LEVEL ** (hlodLevels - 1);
  const keeping = clusterKeeper(plan, sources, images, sharedRows, workshop);
  const begin = async ({
    cluster,
    members,
    far,
    error,
    range,
  }: Candidate): Promise<ClusterResult | EmittedLevel | null> => {
    const earlier = await kept.hlodOf(cluster);
    if (earlier !== undefined) return earlier;
    const { palettes: named, textures: ofScene } = await texturesOf(members);
    const request = {
      clusterId: cluster.id,
      ratio,
      limit: errorAtDistance(range) - error,
      error,
      start: clusterStart(far),
      textureSize,
    };
    const make = () =>
      runners.run(
        (runner): ClusterJob => ({
          ...request,
          kind: 'cluster',
          files: members.map(({ tile, last }) => ({ name: tile.planned.id, file: set.readBack(last.path) })),
          palettes: named,
          images: textureSize === null ? [] : images.imagesFor(ofScene, runner),
        }),
      );
    return keeping(request, members, ofScene, make);
  };

  const written: WrittenCluster[] = [];
  const textures: PreparedTexture[] = [];
  let blank: EmittedPayload | null = null;
  let triangles = 0;
  let cooked = 0;
  let done = 0;
  const onCluster = () => progress({ phase: 'levels', done, total: candidates.length });
  onCluster();
  for await (const [{ cluster, members, bounds, error }, made] of inOrder(candidates, aheadOf(workshop), begin)) {
    done++;
    onCluster();
    if (made === null) continue;
    let hlod: EmittedLevel;
    if ('kind' in made) {
      reports.begin('cluster', cluster.id);
      diagnostics.repeat(made.reported);
      if (made.hlod === null) continue;
      const { path } = await emitPayload(workshop, made.hlod, `${plan.folder}${cluster.id}${format.extension}`, true);
      hlod = { path, error: statedError(made.hlod.error + error) };
      textures.push(...made.hlod.textures.map((name) => images.textureOf(name)), ...made.hlod.made);
      triangles += made.hlod.triangles;
      cooked++;
    } else {
      hlod = made;
    }
    blank ??= await writeBlank(plan, workshop);
    written.push({ planned: cluster, members: members.map(({ tile }) => tile), bounds, hlod, blank });
  }
  return { clusters: written, counts, textures, total: { level: 'far', tiles: cooked, triangles } };
}

type KeepCluster = (
  request: Pick<ClusterJob, 'clusterId' | 'ratio' | 'limit' | 'error' | 'start' | 'textureSize'>,
  members: readonly FarTile[],
  textures: Iterable<number>,
  make: () => Promise<ClusterResult>,
) => Promise<ClusterResult>;

/** Finds the HLOD of a cluster where it is kept, or makes it and keeps it. */
function clusterKeeper(
  { payloads }: CookPlan,
  sources: LevelSources,
  images: LevelImages,
  sharedRows: Uint32Array,
  { units, set, jobScene }: Workshop,
): KeepCluster {
  if (units === null) return (_request, _members, _textures, make) => make();
  const { store, digests } = units;
  const byTile = new Map(payloads.map((payload) => [payload.tile, payload]));
  const payloadOf = (tile: PlannedTile) => byTile.get(tile) as PlannedPayload;
  const keptLevels = new KeptLevels(store, digests);
  const shared = new SharedPositions(sharedRows);
  return async (request, members, textures, make) => {
    const keyInputs = keptLevels.ofCluster({
      ...request,
      files: members.map(({ tile, last }) => [tile.planned.id, set.sha256Of(last.path)]),
      textures,
      shared: sources.sharedDigestOf(
        members.map(({ tile }) => payloadOf(tile.planned)),
        shared,
      ),
      imageSide: imageSide(request.textureSize, jobScene),
    });
    const unit = store.unit('cluster', keyInputs);
    const found = await keptLevels.findCluster(unit, (name) => images.hasTexture(name));
    store.note('cluster', request.clusterId, keyInputs, found === null);
    if (found) return found;
    const made = await make();
    keptLevels.put(unit, made);
    return made;
  };
}

/** The clusters with a place for an HLOD, and how many have none. */
function findCandidates(
  clusters: readonly HlodCluster[],
  plan: ScenePlan,
  emitted: ReadonlyMap<PlannedTile, EmittedTile>,
  levelScale?: number,
): { readonly candidates: readonly Candidate[]; readonly counts: ClusterCounts } {
  const radii = tileRadii([...emitted.values()], plan.bounds, levelScale);
  const candidates: Candidate[] = [];
  let few = 0;
  let far = 0;
  for (const cluster of clusters) {
    const members = cluster.members.flatMap((planned): FarTile[] => {
      const tile = emitted.get(planned);
      if (!tile) return [];
      return [{ tile, last: tile.hlod ?? tile.lods?.at(-1) ?? { path: tile.path, error: 0 } }];
    });
    if (members.filter(({ tile }) => tile.hlod || tile.lods?.length).length < 2) {
      few++;
      continue;
    }
    const farMembers = members.map(({ tile }) => ({ bounds: tile.bounds, ...(radii.get(tile) as TileRadii) }));
    const bounds = farMembers.slice(1).reduce((all, tile) => unite(all, tile.bounds) ?? all, farMembers[0].bounds);
    const range = clusterRange(bounds, farMembers);
    const error = Math.max(...members.map(({ last }) => last.error));
    if (range === null) far++;
    else candidates.push({ cluster, members, far: farMembers, bounds, error, range });
  }
  return { candidates, counts: { clusters: clusters.length, few, far } };
}

interface FarTextures {
  /** Indices of the scene's. */
  readonly textures: ReadonlySet<number>;
  /** Bytes of others, which were made for levels or for colours, by file name. */
  readonly palettes: ReadonlyMap<string, Uint8Array>;
}

/** Gives the textures that the last levels of tiles name. */
function textureReader(
  { folder }: CookPlan,
  levels: WrittenLevels,
  { set, format, jobScene }: Workshop,
): (tiles: readonly FarTile[]) => Promise<FarTextures> {
  const { sharedTextures: uri = null } = jobScene.write;
  const nameOf = (texture: PreparedTexture) => (uri === null ? texture.fileName : sharedTextureName(texture));
  const known = new Map(jobScene.textures.flatMap((texture, i) => filesOf(texture).map((file) => [nameOf(file), i])));
  const made = new Map<string, Uint8Array>();
  // Those of the scene come from here, not from threads that never had their bytes.
  for (const texture of [...jobScene.palettes, ...levels.textures]) {
    const { bytes } = texture;
    // `bytes` is null where the cook holds no bytes. Textures of the scene are found through `known` instead.
    if (bytes !== null && !made.has(nameOf(texture))) made.set(nameOf(texture), bytes);
  }
  const earlier = (name: string) =>
    uri === null ? set.readBack(`${folder}Textures/${name}`) : readWhole(set.pathOf(`${folder}${uri}${name}`));
  return async (tiles) => {
    const found = new Map<string, Uint8Array>();
    const textures = new Set<number>();
    for (const { last } of tiles) {
      for (const fileName of await format.textureNames(set.readBack(last.path))) {
        const index = known.get(fileName);
        if (index !== undefined) textures.add(index);
        if (index !== undefined || found.has(fileName)) continue;
        found.set(fileName, made.get(fileName) ?? earlier(fileName));
      }
    }
    return { textures, palettes: found };
  };
}

/** The file without meshes: one for the whole scene. */
async function writeBlank({ name, folder }: CookPlan, workshop: Workshop): Promise<EmittedPayload> {
  const { format, jobScene } = workshop;
  const encoded = await format.encodeBlank(`${name}_blank`, { ...jobScene.write, file: jobScene.source });
  return emitPayload(workshop, encoded, `${folder}${name}_blank${format.extension}`, true);
}
