// Levels of all tiles of a set: notes what each payload holds while they are written, then reads each tile back, makes
// its levels and writes them beside it. One tile's geometry is held at a time.

import { BorderMap } from '../cook/borders.ts';
import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { EmittedLevel, EmittedTile } from '../emit/manifest.ts';
import type { OutputSet } from '../emit/outputSet.ts';
import { emitPayload, type FileType, readPayload } from '../emit/payload.ts';
import type { TileMesh } from '../emit/tile.ts';
import { unite } from '../scene/bounds.ts';
import type { Bounds } from '../scene/types.ts';
import type { StagedTexture } from '../textures/types.ts';
import type { PlannedObject } from '../tiling/types.ts';
import { cookLevels, type DrawnMesh } from './cookLevels.ts';
import type { CookSettings, LevelTotals } from './types.ts';

export interface LevelPayload {
  readonly fileType: FileType;
  readonly objects: readonly PlannedObject[];
}

export interface LevelContext {
  readonly set: OutputSet;
  readonly settings: CookSettings;
  readonly textures: readonly StagedTexture[];
  readonly diagnostics: Diagnostics;
  /** The source's name in messages. */
  readonly source: string;
}

export interface WrittenLevels<P> {
  /** Tiles with their levels, and with bounds that hold those too. */
  readonly tiles: ReadonlyMap<P, EmittedTile>;
  /** What each level is drawn with. */
  readonly meshes: readonly (readonly DrawnMesh[])[];
  readonly totals: readonly LevelTotals[];
}

export class LevelWriter<P extends LevelPayload> {
  readonly #context: LevelContext;
  readonly #numbers: ReadonlyMap<P, number>;
  readonly #borders: BorderMap;
  readonly #tiles = new Map<P, { readonly tile: EmittedTile; readonly drawn: readonly DrawnMesh[] }>();

  /** `payloads`: all that will be written, with objects whose bounds no vertex lies outside of. */
  constructor(payloads: readonly P[], context: LevelContext) {
    this.#context = context;
    this.#numbers = new Map(payloads.map((payload, i) => [payload, i]));
    this.#borders = new BorderMap(payloads.map(boundsOfObjects));
  }

  /** A payload that was written. Shared buckets get no levels, but tiles meet them too. */
  add(payload: P, meshes: readonly TileMesh[], tile: EmittedTile): void {
    this.#borders.add(
      this.#numbers.get(payload) as number,
      meshes.map(({ packed }) => packed),
    );
    if (payload.fileType !== 'tile') return;
    const drawn = meshes.map(({ naming, surface }) => ({ naming, surface }));
    this.#tiles.set(payload, { tile, drawn });
  }

  /** Makes and writes the levels of all tiles added. */
  async write(onTile: (done: number, total: number) => void): Promise<WrittenLevels<P>> {
    const { set, settings, diagnostics, source } = this.#context;
    const { lods = [], hlod = null } = settings;
    const names = [...lods.map((_, i) => `lod${i + 1}`), ...(hlod === null ? [] : ['hlod'])];
    const totals = new Map(names.map((level) => [level, { level, tiles: 0, triangles: 0 }]));
    const shared = this.#borders.finish();
    const lockedVertices = (words: Uint32Array) => shared.lockedVertices(words);
    const tiles = new Map<P, EmittedTile>();
    const meshes: DrawnMesh[][] = [];
    for (const [payload, { tile, drawn }] of this.#tiles) {
      onTile(tiles.size, this.#tiles.size);
      const packed = await readPayload(set, tile.path);
      const job = { tileId: tile.id, bounds: tile.bounds, drawn, packed, lods, hlod, lockedVertices };
      let withLevels: EmittedTile = { ...tile, lods: [], hlod: null };
      for (const level of await cookLevels(job, diagnostics, source)) {
        const { name, triangles } = level;
        const path = tile.path.replace(/\.untold$/, `_${name}.untold`);
        withLevels = withLevel(withLevels, await this.#emit(path, level.fileType, level.meshes), {
          fileType: level.fileType,
          level: { path, error: level.error },
        });
        meshes.push(level.meshes.map(({ naming, surface }) => ({ naming, surface })));
        const total = totals.get(name) as LevelTotals;
        totals.set(name, { level: name, tiles: total.tiles + 1, triangles: total.triangles + triangles });
      }
      tiles.set(payload, withLevels);
    }
    return { tiles, meshes, totals: [...totals.values()] };
  }

  async #emit(path: string, fileType: FileType, meshes: readonly TileMesh[]): Promise<Bounds> {
    const { set, settings, textures } = this.#context;
    const options = { compression: settings.compress, formatVersion: settings.formatVersion };
    const { bounds } = await emitPayload(set, { path, fileType, meshes, textures, authored: {}, options });
    return bounds;
  }
}

function withLevel(
  tile: EmittedTile,
  bounds: Bounds,
  { fileType, level }: { readonly fileType: 'lod' | 'hlod'; readonly level: EmittedLevel },
): EmittedTile {
  const grown = { ...tile, bounds: unite(tile.bounds, bounds) ?? bounds };
  return fileType === 'hlod' ? { ...grown, hlod: level } : { ...grown, lods: [...(tile.lods ?? []), level] };
}

/** A box that no vertex of the payload lies outside of. */
function boundsOfObjects({ objects }: LevelPayload): Bounds {
  let bounds: Bounds | null = null;
  for (const object of objects) bounds = unite(bounds, object.bounds);
  return bounds ?? { min: [0, 0, 0], max: [0, 0, 0] };
}
