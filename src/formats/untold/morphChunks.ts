// Chunks 23, 24 and 26: morph targets, their entries, and the poses that drive them. They follow all others, as the engine's
// exporter has them; a file without targets has none of them.

import type { MorphDriver } from '../../scene/types.ts';
import { type Chunk, plainChunk, type StringTable, tableBytes } from './container/chunks.ts';
import { type RecordOf, recordSize } from './container/layout.ts';
import { CHUNK, MORPH_DRIVER, MORPH_ENTRY, MORPH_FLAGS, MORPH_TARGET } from './container/records.ts';
import type { Table, Tables } from './container/tables.ts';
import { ENTRY_HALVES } from './storedMorphs.ts';
import type { UntoldMorph, UntoldScene } from './types.ts';

/** Bytes of the vertex before the halves of an entry. */
const VERTEX_BYTES = 4;

/** Throws for values that the engine cannot load. They are mistakes of the caller, not of a source. */
function checkMorph({ mesh, name, vertices, deltas }: UntoldMorph, { meshes }: UntoldScene): void {
  const wrong = (what: string): never => {
    throw new Error(`morph target "${name}": ${what}`);
  };
  const { vertexCount } = meshes[mesh] ?? wrong(`no mesh ${mesh}`);
  if (deltas.length !== vertices.length * ENTRY_HALVES) wrong('deltas are not six halves an entry');
  if (vertices.some((vertex, e) => e > 0 && vertex <= vertices[e - 1])) wrong('vertices do not ascend');
  if (vertices.length > 0 && vertices[vertices.length - 1] >= vertexCount) wrong('it moves a vertex beyond the mesh');
}

/** None without targets. */
export function morphChunks(scene: UntoldScene, version: number, strings: StringTable): readonly Chunk[] {
  const { morphs = [] } = scene;
  if (morphs.length === 0) return [];
  for (const morph of morphs) checkMorph(morph, scene);
  const entryBytes = recordSize(MORPH_ENTRY, version);
  const entries: Uint8Array[] = [];
  const drivers: RecordOf<typeof MORPH_DRIVER>[] = [];
  let firstEntryIndex = 0;
  const targets = morphs.map((morph, targetIndex): RecordOf<typeof MORPH_TARGET> => {
    const { mesh, name, hasNormals, positionScale, vertices, deltas } = morph;
    const bytes = new Uint8Array(vertices.length * entryBytes);
    const view = new DataView(bytes.buffer);
    for (let e = 0; e < vertices.length; e++) {
      view.setUint32(e * entryBytes, vertices[e], true);
      for (let h = 0; h < ENTRY_HALVES; h++) {
        view.setUint16(e * entryBytes + VERTEX_BYTES + h * 2, deltas[e * ENTRY_HALVES + h], true);
      }
    }
    entries.push(bytes);
    const record = {
      meshRecordIndex: mesh,
      nameOffset: strings.add(name),
      flags: hasNormals ? MORPH_FLAGS.normals : 0,
      firstEntryIndex,
      entryCount: vertices.length,
      positionScale,
    };
    firstEntryIndex += vertices.length;
    for (const { joint, kernel, pose, radius } of morph.drivers) {
      const jointPathOffset = strings.add(joint);
      drivers.push({ targetIndex, jointPathOffset, kernel, poseRotation: pose, radius, reserved0: 0 });
    }
    return record;
  });
  const driven = plainChunk(CHUNK.morphDriver, [tableBytes(MORPH_DRIVER, version, drivers)], drivers.length);
  return [
    plainChunk(CHUNK.morphTarget, [tableBytes(MORPH_TARGET, version, targets)], targets.length),
    plainChunk(CHUNK.morphTargetData, entries, firstEntryIndex),
    ...(drivers.length > 0 ? [driven] : []),
  ];
}

function entriesOf(table: Table<typeof MORPH_ENTRY>, first: number, count: number) {
  const vertices = new Uint32Array(count);
  const deltas = new Uint16Array(count * ENTRY_HALVES);
  const { view, recordSize: size } = table;
  for (let e = 0; e < count; e++) {
    const at = (first + e) * size;
    vertices[e] = view.getUint32(at, true);
    for (let h = 0; h < ENTRY_HALVES; h++) {
      deltas[e * ENTRY_HALVES + h] = view.getUint16(at + VERTEX_BYTES + h * 2, true);
    }
  }
  return { vertices, deltas };
}

/** The targets of a file that the checks have passed: all ranges lie in their tables. */
export function readMorphs(tables: Tables): UntoldMorph[] {
  const entries = tables.table(MORPH_ENTRY, CHUNK.morphTargetData);
  const drivers = new Map<number, MorphDriver[]>();
  for (const { targetIndex, jointPathOffset, kernel, poseRotation: pose, radius } of tables
    .table(MORPH_DRIVER, CHUNK.morphDriver)
    .map((record) => record)) {
    const ofTarget = drivers.get(targetIndex) ?? [];
    drivers.set(targetIndex, ofTarget);
    const joint = tables.strings.at(jointPathOffset);
    ofTarget.push({ joint, kernel, pose: [pose[0], pose[1], pose[2], pose[3]], radius });
  }
  return tables.table(MORPH_TARGET, CHUNK.morphTarget).map((record, i) => ({
    mesh: record.meshRecordIndex,
    name: tables.strings.at(record.nameOffset),
    hasNormals: (record.flags & MORPH_FLAGS.normals) !== 0,
    positionScale: record.positionScale,
    ...entriesOf(entries, record.firstEntryIndex, record.entryCount),
    drivers: drivers.get(i) ?? [],
  }));
}

export interface MorphDescription {
  readonly name: string;
  /** Index of the mesh record. */
  readonly mesh: number;
  /** Vertices that it moves. */
  readonly entries: number;
  readonly hasNormals: boolean;
}

/** What `untold inspect` tells of targets; the file may be broken. */
export function describeMorphs(tables: Tables, limit: number): MorphDescription[] {
  return tables.table(MORPH_TARGET, CHUNK.morphTarget).map(
    (record) => ({
      name: tables.strings.at(record.nameOffset),
      mesh: record.meshRecordIndex,
      entries: record.entryCount,
      hasNormals: (record.flags & MORPH_FLAGS.normals) !== 0,
    }),
    limit,
  );
}
