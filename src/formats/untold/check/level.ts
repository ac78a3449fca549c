// Compares a level file of a chain with its model. The engine gives a level the materials of its model where both have the same tables, and
// culls it by the model's bounds.

import type { Code } from '../../../diagnostics/codes.ts';
import { Findings } from '../../findings.ts';
import { type Container, entryOf, readContainer } from '../container/container.ts';
import { CHUNK, chunkName, MESH, REQUIRED_CHUNKS } from '../container/records.ts';
import { openTables, type Table } from '../container/tables.ts';
import { COPIED_CHUNKS, levelObstacle } from '../levelFile.ts';

/** What of a file is compared. */
export interface LevelFacts {
  readonly container: Container;
  readonly meshes: Table<typeof MESH>;
  /** Over all mesh records. */
  readonly triangles: number;
}

/** Null for what is no .untold file; what is wrong with it the check of the file itself tells. */
export async function levelFacts(bytes: Uint8Array, name: string): Promise<LevelFacts | null> {
  const container = await readContainer(bytes, new Findings(name), { engine: false, only: [CHUNK.mesh] });
  if (container === null) return null;
  const meshes = openTables(container).table(MESH, CHUNK.mesh);
  const counts = meshes.column('indexCount');
  let indices = 0;
  for (let i = 0; i < meshes.length; i++) indices += counts(i);
  return { container, meshes, triangles: indices / 3 };
}

export interface LevelFault {
  readonly code: Code;
  readonly message: string;
}

const storedBytes = (container: Container, type: number): Uint8Array | null => {
  const entry = entryOf(container, type);
  return entry ? container.bytes.subarray(entry.fileOffset, entry.fileOffset + entry.compressedSize) : null;
};

const isSame = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a !== null && b !== null && Buffer.compare(a, b) === 0;

/** A share of a coordinate by which float32 rounds. */
const ROUNDING = 2 ** -23;

function isWithin(inner: readonly number[], outer: readonly number[], sign: 1 | -1): boolean {
  return inner.every((value, k) => (outer[k] - value) * sign <= Math.abs(outer[k]) * ROUNDING);
}

/** Why a model has no chain; null: it may have one. */
export function chainFault({ container }: LevelFacts): LevelFault | null {
  const why = levelObstacle(container.entries);
  return why === null ? null : { code: 'UC3277', message: why };
}

/** What is wrong with a level. `before`: the one before it, or the model. */
export function levelFaults(model: LevelFacts, before: LevelFacts, level: LevelFacts): LevelFault[] {
  const faults: LevelFault[] = [];
  const differing = COPIED_CHUNKS.filter(
    (type) => !isSame(storedBytes(model.container, type), storedBytes(level.container, type)),
  );
  if (differing.length > 0) {
    faults.push({ code: 'UC3273', message: `other bytes in ${differing.map(chunkName).join(', ')}` });
  }
  const { length } = model.meshes;
  if (level.meshes.length !== length) {
    faults.push({ code: 'UC3273', message: `${level.meshes.length} mesh records, the model has ${length}` });
  } else {
    for (let i = 0; i < length; i++) {
      const [own, whole] = [level.meshes.get(i), model.meshes.get(i)];
      if (own.materialIndex !== whole.materialIndex || own.entityId !== whole.entityId) {
        faults.push({ code: 'UC3273', message: `mesh ${i} is of another entity or has another material` });
      }
      const isInside =
        isWithin(own.localBoundsMin, whole.localBoundsMin, 1) && isWithin(own.localBoundsMax, whole.localBoundsMax, -1);
      if (!isInside) faults.push({ code: 'UC3274', message: `mesh ${i} reaches beyond the bounds of the model's` });
    }
  }
  if (level.triangles >= before.triangles) {
    faults.push({ code: 'UC3275', message: `${level.triangles} triangles, ${before.triangles} before it` });
  }
  const types = level.container.entries.map(({ type }) => type);
  if (level.container.fileType !== 'lod' || types.join() !== REQUIRED_CHUNKS.join()) {
    const has = `file type ${level.container.fileType ?? 'unknown'}, chunks ${types.map(chunkName).join(', ')}`;
    faults.push({ code: 'UC3276', message: has });
  }
  return faults;
}
