// Levels of all tiles of a set: notes what each payload holds while they are written, then reads each tile back, makes
// its levels and writes them beside it. One tile's geometry is held at a time.

import { BorderMap } from '../cook/borders.ts';
import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { EmittedLevel, EmittedTile } from '../emit/manifest.ts';
import type { OutputSet } from '../emit/outputSet.ts';
import { type EmittedPayload, emitPayload, readPayload } from '../emit/payload.ts';
import type { TileMesh } from '../emit/tile.ts';
import { unite } from '../scene/bounds.ts';
import type { Bounds } from '../scene/types.ts';
import type { StagedTexture } from '../textures/types.ts';
import type { PlannedTile } from '../tiling/types.ts';
import { type CookedLevel, cookLevels, type DrawnMesh } from './cookLevels.ts';
import { hasHashedName, type PlannedPayload } from './planPayloads.ts';
import type { CookSettings, LevelTotals } from './types.ts';

export interface LevelContext {
  readonly set: OutputSet;
  readonly settings: CookSettings;
  readonly textures: readonly StagedTexture[];
  readonly diagnostics: Diagnostics;
  /** The source's name in messages. */
  readonly source: string;
}

export interface WrittenLevels {
  /** By what was added: tiles with their levels, and with bounds that hold those too. */
  readonly tiles: ReadonlyMap<EmittedTile, EmittedTile>;
  /** What each level is drawn with. */
  readonly meshes: readonly (readonly DrawnMesh[])[];
  readonly totals: readonly LevelTotals[];
}

export class LevelWriter {
  readonly #context: LevelContext;
  readonly #numbers: ReadonlyMap<PlannedPayload, number>;
  readonly #borders: BorderMap;
  readonly #tiles = new Map<PlannedPayload, { readonly tile: EmittedTile; readonly drawn: readonly DrawnMesh[] }>();

  /** `payloads`: all that will be written, with objects whose bounds no vertex lies outside of. */
  constructor(payloads: readonly PlannedPayload[], context: LevelContext) {
    this.#context = context;
    this.#numbers = new Map(payloads.map((payload, i) => [payload, i]));
    this.#borders = new BorderMap(payloads.map(boundsOfObjects));
  }

  /** A payload that was written. Those without levels matter too: tiles meet them. */
  add(payload: PlannedPayload, meshes: readonly TileMesh[], tile: EmittedTile): void {
    this.#borders.add(
      this.#numbers.get(payload) as number,
      meshes.map(({ packed }) => packed),
    );
    if (payload.fileType !== 'tile' || !getsLevels(tile.planned)) return;
    const drawn = meshes.map(({ naming, surface }) => ({ naming, surface }));
    this.#tiles.set(payload, { tile, drawn });
  }

  /** Makes and writes the levels of all tiles added. */
  async write(onTile: (done: number, total: number) => void): Promise<WrittenLevels> {
    const { set, settings, diagnostics, source } = this.#context;
    const { lods = [], hlod = null } = settings;
    const names = [...lods.map((_, i) => `lod${i + 1}`), ...(hlod === null ? [] : ['hlod'])];
    const totals = new Map(names.map((level) => [level, { level, tiles: 0, triangles: 0 }]));
    const shared = this.#borders.finish();
    const lockedVertices = (words: Uint32Array) => shared.lockedVertices(words);
    const tiles = new Map<EmittedTile, EmittedTile>();
    const meshes: DrawnMesh[][] = [];
    for (const [payload, { tile, drawn }] of this.#tiles) {
      onTile(tiles.size, this.#tiles.size);
      const packed = await readPayload(set, tile.path);
      const { id: tileId, reach } = tile.planned;
      const job = { tileId, reach, bounds: tile.bounds, drawn, packed, lods, hlod, lockedVertices };
      let withLevels: EmittedTile = { ...tile, lods: [], hlod: null };
      for (const level of await cookLevels(job, diagnostics, source)) {
        const { name, triangles } = level;
        const emitted = await this.#emit(payload, level);
        withLevels = withLevel(withLevels, emitted.bounds, {
          fileType: level.fileType,
          level: { path: emitted.path, error: level.error },
        });
        meshes.push(level.meshes.map(({ naming, surface }) => ({ naming, surface })));
        const total = totals.get(name) as LevelTotals;
        totals.set(name, { level: name, tiles: total.tiles + 1, triangles: total.triangles + triangles });
      }
      tiles.set(tile, withLevels);
    }
    return { tiles, meshes, totals: [...totals.values()] };
  }

  /** Beside its tile, under the planned name with the level's. */
  #emit(payload: PlannedPayload, { name, fileType, meshes }: CookedLevel): Promise<EmittedPayload> {
    const { set, settings, textures, source } = this.#context;
    const path = payload.path.replace(/\.untold$/, `_${name}.untold`);
    const hashedName = hasHashedName(payload, settings);
    const options = { compression: settings.compress, formatVersion: settings.formatVersion, file: source };
    return emitPayload(set, { path, hashedName, fileType, meshes, textures, authored: {}, options });
  }
}

/** In a tree only what is seen from afar, in a grid all: the exporter's choice. */
function getsLevels({ tree }: PlannedTile): boolean {
  return tree === null || tree.tier === 'ExteriorShell' || tree.tier === 'StructuralInterior';
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
function boundsOfObjects({ objects }: PlannedPayload): Bounds {
  let bounds: Bounds | null = null;
  for (const object of objects) bounds = unite(bounds, object.bounds);
  return bounds ?? { min: [0, 0, 0], max: [0, 0, 0] };
}
