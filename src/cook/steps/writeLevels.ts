// Levels of all tiles of a set: keeps what each payload holds while they are written, then has the levels of each tile made
// and writes them beside it. Tiles beyond the memory for kept meshes are read back from their files.

import type { CookSettings } from '../../config/types.ts';
import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { type EmittedLevel, type EmittedTile, statedError } from '../../formats/manifest/write.ts';
import { BorderMap, SharedPositions } from '../../geometry/lod/borders.ts';
import { emitPayload, type PayloadTarget, withSuffix } from '../../output/payloads.ts';
import { unite } from '../../scene/bounds.ts';
import type { Bounds } from '../../scene/types.ts';
import { fileBytes, type PreparedMaterial, type PreparedTexture } from '../../textures/types.ts';
import { getsLevels } from '../../tiling/streaming/hlodClusters.ts';
import { inOrder } from '../../workers/inOrder.ts';
import { imageSide } from '../../workers/jobRunner.ts';
import { foldedTexture } from '../../workers/jobs/foldMaterials.ts';
import type {
  BroughtImages,
  DrawnIndex,
  LevelsJob,
  LevelsResult,
  PayloadResult,
  StoredDrawing,
} from '../../workers/jobs.ts';
import { buffersOf } from '../../workers/transfer.ts';
import type { Runners } from '../../workers/workerPool.ts';
import type { PlannedPayload } from '../outputs/tileSet/planTiles.ts';
import type { LevelTotals } from '../types.ts';
import { KeptLevels, type LevelSettings, sharedDigest } from '../units/keptLevels.ts';
import type { KeptUnits, Unit } from '../units/unitStore.ts';
import type { WantedLevels } from './plan/wantedLevels.ts';
import { filesOf } from './textures/sceneTextures.ts';

export interface LevelContext extends PayloadTarget {
  readonly levels: WantedLevels;
  /** Whether tiles of which no level looks like full detail keep the most similar one. */
  readonly keepsCompromise: boolean;
  readonly settings: CookSettings;
  /** The scene's. */
  readonly materials: readonly PreparedMaterial[];
  readonly textures: readonly PreparedTexture[];
  readonly diagnostics: Diagnostics;
  readonly runners: Runners;
  /** Where levels are kept from cook to cook; null: nowhere. */
  readonly kept: KeptUnits | null;
  /** The diagnostics of a tile's levels are reported next. */
  readonly onReport?: ((tile: string) => void) | undefined;
}

export interface WrittenLevels {
  /** By what was added: tiles with their levels, and with bounds that hold those too. */
  readonly tiles: ReadonlyMap<EmittedTile, EmittedTile>;
  /** What the levels are drawn with. */
  readonly textures: ReadonlySet<PreparedTexture>;
  readonly totals: readonly LevelTotals[];
}

/** A tile that gets levels. */
interface WrittenTile {
  readonly tile: EmittedTile;
  readonly drawn: readonly DrawnIndex[];
  /** Its meshes, until their job begins; null where they were not kept. */
  stored: readonly StoredDrawing[] | null;
}

/** Bytes of stored meshes that are kept until the levels are made: those of about three million triangles. */
const MOST_KEPT_BYTES = 2 ** 27;

export class LevelWriter {
  readonly #context: LevelContext;
  #byName: ReadonlyMap<string, PreparedTexture> | null = null;
  readonly #borders = new BorderMap();
  /** Textures that each thread has, by its number. */
  readonly #given = new Map<number, Set<number>>();
  /** Textures that HLODs may take their colours from, or that pictures of levels are drawn with. */
  readonly #seen = new Set<number>();
  readonly #rows = new Map<PlannedPayload, Uint32Array>();
  readonly #tiles = new Map<PlannedPayload, WrittenTile>();
  /** Bytes of the meshes that are kept. */
  #kept = 0;

  constructor(context: LevelContext) {
    this.#context = context;
    const { materials, textures, settings } = context;
    const isBaked = (settings.hlodTextureSize ?? null) !== null;
    const isJudged = settings.lodCheck === 'pictures';
    for (const material of materials) {
      if (isJudged) {
        this.#seen.add(material.slots.baseColor);
        this.#seen.add(material.slots.emissive);
      } else if (!isBaked) this.#seen.add(foldedTexture(material, textures));
      else if (material.alphaMode === 'opaque') {
        this.#seen.add(material.slots.baseColor);
        this.#seen.add(material.slots.emissive);
      }
    }
    this.#seen.delete(-1);
  }

  /** A payload that stands beside others, whether it gets levels or not: tiles meet it. */
  meet(payload: PlannedPayload, { borders }: PayloadResult): void {
    this.#borders.add(borders);
    if ((this.#context.settings.hlodLevels ?? 1) > 1 || this.#context.kept) this.#rows.set(payload, borders);
  }

  /**
   * The positions that payloads of several owners have: which the HLODs of clusters keep. `ownerOf` gives the number of a
   * cluster, null for a payload in none. Only if there are clusters.
   */
  sharedBetween(ownerOf: (payload: PlannedPayload) => number | null): Uint32Array {
    const borders = new BorderMap();
    for (const [payload, rows] of this.#rows) borders.add(rows, ownerOf(payload));
    return borders.sharedRows();
  }

  /** sharedDigest of the positions that a payload has where others may have them too. */
  sharedDigestOf(payloads: readonly PlannedPayload[], shared: SharedPositions): string {
    const rows = payloads.flatMap((payload) => this.#rows.get(payload) ?? []);
    return sharedDigest(shared, rows);
  }

  /** Whether the stored meshes of a payload are wanted with its result. */
  keepsMeshesOf({ fileType, tile }: PlannedPayload): boolean {
    return fileType === 'tile' && tile !== null && getsLevels(tile) && this.#kept < MOST_KEPT_BYTES;
  }

  /** A payload that was written. */
  add(payload: PlannedPayload, { drawn, stored }: PayloadResult, tile: EmittedTile): void {
    if (payload.fileType !== 'tile' || !getsLevels(tile.planned)) return;
    const bytes = buffersOf(stored).reduce((sum, { byteLength }) => sum + byteLength, 0);
    const hasRoom = this.#kept + bytes <= MOST_KEPT_BYTES;
    if (hasRoom) this.#kept += bytes;
    this.#tiles.set(payload, { tile, drawn, stored: hasRoom ? stored : null });
  }

  /** Makes and writes the levels of all tiles added. */
  async write(onTile: (done: number, total: number) => void): Promise<WrittenLevels> {
    const { set, levels: wanted, keepsCompromise, settings, diagnostics, runners } = this.#context;
    const { lods, hlod } = wanted;
    const { hlodTextureSize: textureSize = null, lodCheck = 'geometry', lodQuality = 'good' } = settings;
    const names = [...lods.map((_, i) => `lod${i + 1}`), ...(hlod === null ? [] : ['hlod'])];
    const totals = new Map(names.map((level) => [level, { level, tiles: 0, triangles: 0 }]));
    const tiles = new Map<EmittedTile, EmittedTile>();
    const used = new Map<string, PreparedTexture>();
    const likeness = lodCheck === 'pictures' ? lodQuality : null;
    const sharedRows = this.#borders.sharedRows();
    runners.setShared(sharedRows);
    const make = (written: WrittenTile): Promise<LevelsResult> =>
      runners.run((runner): LevelsJob => {
        const { tile, drawn, stored } = written;
        // The job has them from here on.
        written.stored = null;
        const { id: tileId, reach } = tile.planned;
        return {
          kind: 'levels',
          tileId,
          reach,
          bounds: tile.bounds,
          tile: stored === null ? { file: set.readBack(tile.path) } : { stored },
          drawn,
          lods,
          hlod,
          likeness,
          keepsCompromise,
          textureSize,
          images: hlod === null && lodCheck === 'geometry' ? [] : this.#imagesOf(drawn, runner),
        };
      });
    const begin = this.#keeping(make, { lods, hlod, likeness, keepsCompromise, textureSize }, sharedRows);
    onTile(0, this.#tiles.size);
    for await (const [[payload, { tile }], { levels, reported }] of inOrder(this.#tiles, aheadOf(runners), begin)) {
      this.#context.onReport?.(tile.planned.id);
      diagnostics.repeat(reported);
      let withLevels: EmittedTile = { ...tile, lods: [], hlod: null };
      for (const { name, fileType, triangles, error, looksFrom, textures: drawnWith, made, ...encoded } of levels) {
        // Beside its tile, under the planned name with the level's.
        const path = withSuffix(payload.path, `_${name}`);
        const emitted = await emitPayload(this.#context, encoded, path, true);
        withLevels = withLevel(withLevels, emitted.bounds, {
          fileType,
          level: { path: emitted.path, error: statedError(error), ...(looksFrom === undefined ? {} : { looksFrom }) },
        });
        for (const texture of [...drawnWith.map((name) => this.textureOf(name)), ...made]) {
          if (!used.has(texture.fileName)) used.set(texture.fileName, texture);
        }
        const total = totals.get(name) as LevelTotals;
        totals.set(name, { level: name, tiles: total.tiles + 1, triangles: total.triangles + triangles });
      }
      tiles.set(tile, withLevels);
      onTile(tiles.size, this.#tiles.size);
    }
    return { tiles, textures: new Set(used.values()), totals: [...totals.values()] };
  }

  /** Finds the levels of a tile where they are kept, or makes them and keeps them. */
  #keeping(
    make: (written: WrittenTile) => Promise<LevelsResult>,
    settings: Omit<LevelSettings, 'imageSide'>,
    sharedRows: Uint32Array,
  ): (entry: readonly [PlannedPayload, WrittenTile]) => Promise<LevelsResult> {
    const { kept, set, materials } = this.#context;
    if (kept === null) return ([, written]) => make(written);
    const { store, digests } = kept;
    const keptLevels = new KeptLevels(store, digests);
    const shared = new SharedPositions(sharedRows);
    const all = { ...settings, imageSide: imageSide(settings.textureSize, { materials }) };
    return async ([payload, written]) => {
      const { tile, drawn } = written;
      const { id: tileId, reach } = tile.planned;
      const input = {
        tileId,
        reach,
        bounds: tile.bounds,
        file: set.sha256Of(tile.path),
        drawn,
        shared: this.sharedDigestOf([payload], shared),
      };
      const ingredients = keptLevels.ofTile(input, all);
      const unit: Unit = store.unit('levels', ingredients);
      const found = await keptLevels.findLevels(unit, (name) => this.hasTexture(name));
      store.note('levels', tileId, ingredients, found === null);
      if (found) {
        written.stored = null;
        return found;
      }
      const made = await make(written);
      keptLevels.put(unit, made);
      return made;
    };
  }

  /** The scene's texture of this file name, or the smaller file of one. */
  textureOf(fileName: string): PreparedTexture {
    return this.#textures().get(fileName) as PreparedTexture;
  }

  hasTexture(fileName: string): boolean {
    return this.#textures().has(fileName);
  }

  #textures(): ReadonlyMap<string, PreparedTexture> {
    this.#byName ??= new Map(this.#context.textures.flatMap(filesOf).map((texture) => [texture.fileName, texture]));
    return this.#byName;
  }

  /** Of the scene's textures `wanted` the base colours and the emission of opaque surfaces that a thread has not been given before. */
  imagesFor(wanted: Iterable<number>, runner: number): BroughtImages {
    const given = this.#given.get(runner) ?? new Set<number>();
    this.#given.set(runner, given);
    const missing = [...wanted].filter((texture) => this.#seen.has(texture) && !given.has(texture));
    for (const texture of missing) given.add(texture);
    const { textures, set } = this.#context;
    return missing.map((texture) => ({ texture, bytes: fileBytes(textures[texture], set.held) }));
  }

  /** What a far tile's atlas may be made of. */
  #imagesOf(drawn: readonly DrawnIndex[], runner: number): BroughtImages {
    const wanted = new Set<number>();
    for (const { surface } of drawn) {
      if (surface.material < 0) continue;
      const { baseColor, emissive } = this.#context.materials[surface.material].slots;
      if (surface.palette < 0) wanted.add(baseColor);
      wanted.add(emissive);
    }
    return this.imagesFor(wanted, runner);
  }
}

/** Jobs that wait or run at once: no thread is ever out of work, and few results wait. */
export function aheadOf({ count }: Runners): number {
  return count === 1 ? 1 : 2 * count;
}

function withLevel(
  tile: EmittedTile,
  bounds: Bounds,
  { fileType, level }: { readonly fileType: 'lod' | 'hlod'; readonly level: EmittedLevel },
): EmittedTile {
  const grown = { ...tile, bounds: unite(tile.bounds, bounds) ?? bounds };
  return fileType === 'hlod' ? { ...grown, hlod: level } : { ...grown, lods: [...(tile.lods ?? []), level] };
}
