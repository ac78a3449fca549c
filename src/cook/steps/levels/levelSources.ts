// What the levels of tiles are made from, kept while payloads are written: the meshes of tiles, and the positions that
// payloads share. Tiles beyond the memory for meshes are read back from their files.

import type { EmittedTile } from '../../../formats/manifest/write.ts';
import { BorderMap, type SharedPositions } from '../../../geometry/lod/borders.ts';
import { getsLevels } from '../../../tiling/streaming/hlodClusters.ts';
import type { DrawnIndex, PayloadResult, StoredDrawing } from '../../../workers/jobs.ts';
import { buffersOf } from '../../../workers/transfer.ts';
import type { PlannedPayload } from '../../planned.ts';
import { sharedDigest } from '../../units/keptLevels.ts';

/** A tile that gets levels. */
export interface LevelSource {
  readonly tile: EmittedTile;
  readonly drawn: readonly DrawnIndex[];
  /** Its meshes, until their job begins; null where they were not kept. */
  stored: readonly StoredDrawing[] | null;
}

/** Bytes of stored meshes that are kept until the levels are made: those of about three million triangles. */
const MAX_KEPT_BYTES = 2 ** 27;

export class LevelSources {
  readonly #keepsRows: boolean;
  readonly #borders = new BorderMap();
  readonly #rows = new Map<PlannedPayload, Uint32Array>();
  readonly #tiles = new Map<PlannedPayload, LevelSource>();
  /** Bytes of the meshes that are kept. */
  #kept = 0;

  /** `keepsRows`: sharedBetween or sharedDigestOf will be asked. */
  constructor(keepsRows: boolean) {
    this.#keepsRows = keepsRows;
  }

  /** The tiles that get levels, in the order in which they were written. */
  get tiles(): ReadonlyMap<PlannedPayload, LevelSource> {
    return this.#tiles;
  }

  /** A payload that stands beside others, whether it gets levels or not: tiles meet it. */
  meet(payload: PlannedPayload, { borders }: PayloadResult): void {
    this.#borders.add(borders);
    if (this.#keepsRows) this.#rows.set(payload, borders);
  }

  /** Whether the stored meshes of a payload are wanted with its result. */
  keepsMeshesOf({ fileType, tile }: PlannedPayload): boolean {
    return fileType === 'tile' && tile !== null && getsLevels(tile) && this.#kept < MAX_KEPT_BYTES;
  }

  /** A payload that was written. */
  add(payload: PlannedPayload, { drawn, stored }: PayloadResult, tile: EmittedTile): void {
    if (payload.fileType !== 'tile' || !getsLevels(tile.planned)) return;
    const bytes = buffersOf(stored).reduce((sum, { byteLength }) => sum + byteLength, 0);
    const hasRoom = this.#kept + bytes <= MAX_KEPT_BYTES;
    if (hasRoom) this.#kept += bytes;
    this.#tiles.set(payload, { tile, drawn, stored: hasRoom ? stored : null });
  }

  /** The positions that several payloads have. */
  sharedRows(): Uint32Array {
    return this.#borders.sharedRows();
  }

  /** The positions that payloads of several owners have. `ownerOf`: the number of a payload's owner, null for none. */
  sharedBetween(ownerOf: (payload: PlannedPayload) => number | null): Uint32Array {
    const borders = new BorderMap();
    for (const [payload, rows] of this.#rows) borders.add(rows, ownerOf(payload));
    return borders.sharedRows();
  }

  /** sharedDigest of the positions that payloads have where others may have them too. */
  sharedDigestOf(payloads: readonly PlannedPayload[], shared: SharedPositions): string {
    const rows = payloads.flatMap((payload) => this.#rows.get(payload) ?? []);
    return sharedDigest(shared, rows);
  }
}
