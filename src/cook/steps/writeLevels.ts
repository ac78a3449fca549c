// Levels of all tiles of a set: has the levels of each tile made from what was kept of it, and writes them beside it.

import type { CookSettings } from '../../config/types.ts';
import { type EmittedLevel, type EmittedTile, statedError } from '../../formats/manifest/write.ts';
import { SharedPositions } from '../../geometry/lod/borders.ts';
import { emitPayload, withSuffix } from '../../output/payloads.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import type { PreparedTexture } from '../../textures/types.ts';
import { fitsMemory } from '../../tiling/streaming/setRadii.ts';
import type { PlannedTile } from '../../tiling/types.ts';
import { inOrder } from '../../workers/inOrder.ts';
import { imageSide } from '../../workers/jobRunner.ts';
import type { LevelsJob, LevelsResult } from '../../workers/jobs.ts';
import type { KeptTiles, Workshop, WrittenLevels, WrittenPayloads } from '../made.ts';
import type { CookPlan, PlannedPayload } from '../planned.ts';
import type { Session } from '../session.ts';
import type { LevelTotals } from '../types.ts';
import { KeptLevels } from '../units/keptLevels.ts';
import { AuthoredLevelMeshes, type AuthoredMeshes } from './levels/authoredMeshes.ts';
import { LevelImages } from './levels/levelImages.ts';
import type { LevelSource, LevelSources } from './levels/levelSources.ts';
import type { WantedLevels } from './plan/wantedLevels.ts';
import { aheadOf } from './workshop.ts';

/**
 * Makes and writes the levels of all tiles that get some, in the order of the plan, after all payloads: only then is it known
 * which vertices tiles share. Reports what is left out and why. Throws JobFailure, and what the set throws.
 */
export async function writeLevels(
  plan: CookPlan,
  { tiles, forLevels: sources }: WrittenPayloads,
  kept: KeptTiles,
  workshop: Workshop,
  session: Session,
): Promise<WrittenLevels> {
  const all = new Map([...kept.tiles, ...tiles]);
  if (plan.levels === null || sources === null) return { tiles: all, textures: new Set(), totals: [], images: null };
  const { set, runners, reports, jobScene } = workshop;
  const { job, diagnostics, progress } = session;
  const images = new LevelImages(jobScene, set.held, job.settings);
  const totals = totalsOf(plan.levels);
  const used = new Map<string, PreparedTexture>();
  const sharedRows = sources.sharedRows();
  runners.setShared(sharedRows);
  const authored = new AuthoredLevelMeshes(plan, workshop, sources.tiles.keys());
  const begin = levelMaker(levelSettings(plan, job.settings), sources, authored, sharedRows, images, workshop);
  const onTile = (done: number) => progress({ phase: 'levels', done, total: sources.tiles.size });
  let done = 0;
  onTile(done);
  for await (const [[payload, { tile }], { levels, reported }] of inOrder(sources.tiles, aheadOf(workshop), begin)) {
    reports.begin('levels', tile.planned.id);
    diagnostics.repeat(reported);
    let withLevels: EmittedTile = { ...tile, lods: [], hlod: null };
    for (const { name, fileType, triangles, error, looksFrom, textures: drawnWith, made, ...encoded } of levels) {
      // Beside its tile, under the planned name with the level's.
      const path = withSuffix(payload.path, `_${name}`);
      const emitted = await emitPayload(workshop, encoded, path, true);
      withLevels = withLevel(withLevels, emitted.bounds, {
        fileType,
        level: { path: emitted.path, error: statedError(error), ...(looksFrom === undefined ? {} : { looksFrom }) },
      });
      for (const texture of [...drawnWith.map((fileName) => images.textureOf(fileName)), ...made]) {
        if (!used.has(texture.fileName)) used.set(texture.fileName, texture);
      }
      const total = totals.get(name) as LevelTotals;
      totals.set(name, { level: name, tiles: total.tiles + 1, triangles: total.triangles + triangles });
    }
    all.set(tile.planned, withLevels);
    onTile(++done);
  }
  return { tiles: all, textures: new Set(used.values()), totals: [...totals.values()], images };
}

function totalsOf({ lods, hlod }: WantedLevels): Map<string, LevelTotals> {
  const names = [...lods.map((_, i) => `lod${i + 1}`), ...(hlod === null ? [] : ['hlod'])];
  return new Map(names.map((level) => [level, { level, tiles: 0, triangles: 0 }]));
}

/** What is the same for the levels of all tiles. */
interface LevelSettings extends Pick<LevelsJob, 'hlod' | 'similarity' | 'keepsCompromise' | 'textureSize'> {
  readonly levels: WantedLevels;
}

function levelSettings({ levels, tiles }: CookPlan, settings: CookSettings): LevelSettings {
  const { hlodTextureSize: textureSize = null, lodCheck = 'geometry', lodQuality = 'good' } = settings;
  const similarity = lodCheck === 'pictures' ? lodQuality : null;
  // Estimated, so that every shard finds the same: whether the engine's memory has room for all full detail.
  const inMemory = (tiles?.tiles ?? []).map(({ bounds, estimate }) => ({ bounds, bytes: estimate.bytes }));
  const wanted = levels as WantedLevels;
  return { levels: wanted, hlod: wanted.hlod, similarity, keepsCompromise: !fitsMemory(inMemory), textureSize };
}

/** What is made of a tile: more levels than usual only where the artist has made more. */
function ofTile({ levels, ...common }: LevelSettings, byHand: AuthoredMeshes | null) {
  return { ...common, lods: levels.lods.slice(0, Math.max(levels.usual, byHand?.levels.length ?? 0)) };
}

/** Finds the levels of a tile where they are kept, or has them made and keeps them. */
function levelMaker(
  settings: LevelSettings,
  sources: LevelSources,
  authored: AuthoredLevelMeshes,
  sharedRows: Uint32Array,
  images: LevelImages,
  { set, runners, units, jobScene }: Workshop,
): (entry: readonly [PlannedPayload, LevelSource]) => Promise<LevelsResult> {
  const usesImages = settings.hlod !== null || settings.similarity !== null;
  const make = async (source: LevelSource, byHand: AuthoredMeshes | null): Promise<LevelsResult> => {
    const made = await runners.run((runner): LevelsJob => {
      const { tile, drawn, stored } = source;
      const all = [...drawn, ...(byHand?.levels.flatMap((level) => level.drawn) ?? [])];
      // The job has them from here on.
      source.stored = null;
      return {
        kind: 'levels',
        ...placeOf(tile),
        tile: stored === null ? { file: set.readBack(tile.path) } : { stored },
        drawn,
        ...(byHand ? { authored: byHand.levels } : {}),
        ...ofTile(settings, byHand),
        images: usesImages ? images.imagesOf(all, runner) : [],
      };
    });
    return byHand ? { ...made, reported: [...byHand.reported, ...made.reported] } : made;
  };
  if (units === null) return async ([payload, source]) => make(source, await authored.of(payload));
  const { store, digests } = units;
  const keptLevels = new KeptLevels(store, digests);
  const shared = new SharedPositions(sharedRows);
  const side = imageSide(settings.textureSize, jobScene);
  return async ([payload, source]) => {
    const { tile, drawn } = source;
    const byHand = await authored.of(payload);
    const input = {
      ...placeOf(tile),
      file: set.sha256Of(tile.path),
      drawn,
      authored: byHand,
      shared: sources.sharedDigestOf([payload], shared),
    };
    const keyInputs = keptLevels.ofTile(input, { ...ofTile(settings, byHand), imageSide: side });
    const unit = store.unit('levels', keyInputs);
    const found = await keptLevels.findLevels(unit, (name) => images.hasTexture(name));
    store.note('levels', tile.planned.id, keyInputs, found === null);
    if (found) {
      source.stored = null;
      return found;
    }
    const made = await make(source, byHand);
    keptLevels.put(unit, made);
    return made;
  };
}

const placeOf = ({ planned, bounds }: { readonly planned: PlannedTile; readonly bounds: Bounds }) => ({
  tileId: planned.id,
  range: planned.range,
  bounds,
});

function withLevel(
  tile: EmittedTile,
  bounds: Bounds,
  { fileType, level }: { readonly fileType: 'lod' | 'hlod'; readonly level: EmittedLevel },
): EmittedTile {
  const grown = { ...tile, bounds: unite(tile.bounds, bounds) ?? bounds };
  return fileType === 'hlod' ? { ...grown, hlod: level } : { ...grown, lods: [...(tile.lods ?? []), level] };
}
