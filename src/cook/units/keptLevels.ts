// Levels of tiles and HLODs of clusters that are kept from cook to cook. They depend on the files that they are made from,
// which have their SHA-256, on what those are drawn with, and on which of their vertices other payloads share.

import { packedDigest } from '../../bytes/pack.ts';
import type { SharedPositions } from '../../geometry/lod/borders.ts';
import type {
  AuthoredDrawing,
  ClusterJob,
  ClusterResult,
  DrawnIndex,
  LevelResult,
  LevelsJob,
  LevelsResult,
} from '../../workers/jobs.ts';
import type { SceneDigests } from './sceneDigests.ts';
import { isClusterResult, isLevelsResult } from './unitShapes.ts';
import type { KeyInputs, Unit, UnitStore } from './unitStore.ts';

/** Which of the rows are shared, and the rows themselves: what their vertices keep. */
export function sharedDigest(shared: SharedPositions, rows: readonly Uint32Array[]): string {
  return packedDigest(
    rows.map((own) => [own, shared.lockedVertices(new Float32Array(own.buffer, own.byteOffset, own.length))]),
  );
}

/** What all levels of a scene depend on. */
export interface LevelSettings
  extends Pick<LevelsJob, 'lods' | 'hlod' | 'similarity' | 'keepsCompromise' | 'textureSize'> {
  /** Pixels of the images that HLODs take their colours from. */
  readonly imageSide: number;
}

export interface LevelsInput extends Pick<LevelsJob, 'tileId' | 'range' | 'bounds'> {
  /** SHA-256 of the tile's file. */
  readonly file: string;
  readonly drawn: readonly DrawnIndex[];
  /** What artists have made for its levels, and the files of that; null: nothing. */
  readonly authored: {
    readonly levels: readonly Omit<AuthoredDrawing, 'stored'>[];
    readonly files: readonly Uint8Array[];
  } | null;
  /** sharedDigest of the tile's rows. */
  readonly shared: string;
}

export interface ClusterInput
  extends Pick<ClusterJob, 'clusterId' | 'ratio' | 'limit' | 'error' | 'start' | 'textureSize'> {
  /** By tile, SHA-256 of the files of the members' last levels. */
  readonly files: readonly (readonly [tile: string, sha256: string])[];
  /** The scene's textures that they name, as indices of JobScene.textures. */
  readonly textures: Iterable<number>;
  readonly shared: string;
  readonly imageSide: number;
}

/** The textures are held to the end of the cook: a view would hold the files of all levels as long. */
const withOwnTextures = (level: LevelResult): LevelResult => ({
  ...level,
  made: level.made.map((texture) => ({ ...texture, bytes: texture.bytes.slice() })),
});

export class KeptLevels {
  readonly #store: UnitStore;
  readonly #digests: SceneDigests;

  constructor(store: UnitStore, digests: SceneDigests) {
    this.#store = store;
    this.#digests = digests;
  }

  ofTile({ tileId, range, bounds, file, drawn, authored, shared }: LevelsInput, settings: LevelSettings): KeyInputs {
    const found: Record<string, string> = {
      settings: packedDigest([this.#digests.common, settings]),
      'full detail': file,
      place: packedDigest([tileId, range, bounds]),
      'drawn with': this.#drawnDigest(drawn),
      ...(authored ? { 'levels made by hand': this.#authoredDigest(authored) } : {}),
      'vertices that other tiles share': shared,
    };
    for (const { surface } of [...drawn, ...(authored?.levels.flatMap((level) => level.drawn) ?? [])]) {
      found[`material ${this.#digests.materialName(surface.material)}`] = this.#digests.material(surface.material);
    }
    return found;
  }

  #drawnDigest(drawn: readonly DrawnIndex[]): string {
    return packedDigest(drawn.map((one) => ({ ...one, surface: this.#digests.kept(one.surface) })));
  }

  #authoredDigest({ levels, files }: NonNullable<LevelsInput['authored']>): string {
    const drawn = levels.map((level) => [this.#drawnDigest(level.drawn), level.coverageFrom]);
    return packedDigest([drawn, files]);
  }

  ofCluster({ files, textures, shared, clusterId, ...settings }: ClusterInput): KeyInputs {
    const found: Record<string, string> = {
      settings: packedDigest([this.#digests.common, settings]),
      place: clusterId,
      textures: packedDigest([...textures].map((index) => this.#digests.texture(index)).sort()),
      'vertices that other clusters share': shared,
    };
    for (const [tile, sha256] of files) found[`level of ${tile}`] = sha256;
    found['order of tiles'] = packedDigest(files.map(([tile]) => tile));
    return found;
  }

  /** `knows`: whether the scene has a texture of this file name. */
  async findLevels(unit: Unit, knows: (fileName: string) => boolean): Promise<LevelsResult | null> {
    const found = await this.#store.find(unit, isLevelsResult);
    if (!isLevelsResult(found) || !found.levels.every(({ textures }) => textures.every(knows))) return null;
    return { ...found, levels: found.levels.map(withOwnTextures) };
  }

  async findCluster(unit: Unit, knows: (fileName: string) => boolean): Promise<ClusterResult | null> {
    const found = await this.#store.find(unit, isClusterResult);
    if (!isClusterResult(found) || found.hlod?.textures.every(knows) === false) return null;
    return { ...found, hlod: found.hlod && withOwnTextures(found.hlod) };
  }

  put(unit: Unit, result: LevelsResult | ClusterResult): void {
    this.#store.put(unit, result);
  }
}
