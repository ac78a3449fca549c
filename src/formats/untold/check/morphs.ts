// Morph targets, their entries and drivers. Ranges are errors: the engine checks those of targets and drivers, and skips vertices
// beyond the mesh. The rest is what its kernel does with entries: it adds them without order, so that of two entries of one
// vertex one is lost, and it moves meshes with a skin alone.

import type { Findings } from '../../findings.ts';
import {
  CHUNK,
  MESH,
  MORPH_DRIVER,
  MORPH_ENTRY,
  MORPH_FLAGS,
  MORPH_TARGET,
  SKELETON_JOINT,
  SKIN,
} from '../container/records.ts';
import { recordPath, type Table, type Tables } from '../container/tables.ts';
import { NONE } from '../types.ts';
import { scanBudget } from './geometry.ts';
import { inTable } from './tableRange.ts';

/** The kernel that the engine has: a Gaussian of the angle. */
const KERNELS = 1;
/** The engine takes a smaller radius for this one. */
const MIN_RADIUS = 0.001;
/** Squared lengths of a quaternion may be off by this: roundings of float32. */
const UNIT = 1e-3;
/** Bytes of an entry before the deltas of its normal, in halves. */
const NORMAL_HALVES = [5, 6, 7];

interface Entries {
  readonly table: Table<typeof MORPH_ENTRY>;
  readonly vertexOf: (index: number) => number;
}

/** The entries of a target that moves a mesh of `vertexCount` vertices. */
function checkEntries(
  { table, vertexOf }: Entries,
  { first, count, hasNormals }: { readonly first: number; readonly count: number; readonly hasNormals: boolean },
  vertexCount: number,
  path: string,
  findings: Findings,
): void {
  const { view, recordSize } = table;
  let last = -1;
  let seen: Set<number> | null = null;
  let isTurned = false;
  for (let e = first; e < first + count; e++) {
    const vertex = vertexOf(e);
    if (vertex >= vertexCount) {
      findings.report('UC3034', path, `morph data out of range: entry ${e} moves vertex ${vertex} of ${vertexCount}`);
      return;
    }
    isTurned ||= NORMAL_HALVES.some((half) => (view.getUint16(e * recordSize + half * 2, true) & 0x7fff) !== 0);
    if (seen === null && vertex > last) {
      last = vertex;
      continue;
    }
    if (seen === null) {
      seen = new Set();
      for (let before = first; before < e; before++) seen.add(vertexOf(before));
    }
    if (seen.has(vertex)) {
      findings.report('UC3120', path, `vertex twice in a morph target: entry ${e} moves vertex ${vertex} again`);
      return;
    }
    seen.add(vertex);
  }
  if (seen !== null) findings.report('UC3132', path, 'vertices of a morph target not ascending');
  if (isTurned && !hasNormals) {
    findings.report('UC3120', path, 'morph target with deltas of normals, which bit 0 of its flags does not announce');
  }
}

function checkTargets(tables: Tables, findings: Findings): void {
  const targets = tables.table(MORPH_TARGET, CHUNK.morphTarget);
  if (targets.length === 0) return;
  const table = tables.table(MORPH_ENTRY, CHUNK.morphTargetData);
  if (!tables.container.payloads.has(CHUNK.morphTargetData)) {
    findings.report('UC3034', recordPath(CHUNK.morphTarget, 0), 'morph data out of range: the file has no entries');
  }
  const entries = { table, vertexOf: table.column('vertex') };
  const meshes = tables.table(MESH, CHUNK.mesh);
  const vertexCountOf = meshes.column('vertexCount');
  const skinned = new Set(tables.table(SKIN, CHUNK.skin).map(({ meshRecordIndex }) => meshRecordIndex));
  const budget = scanBudget(findings, table.length * table.recordSize);
  const names = new Map<number, Set<string>>();
  for (let i = 0; i < targets.length; i++) {
    const {
      meshRecordIndex: mesh,
      nameOffset,
      flags,
      positionScale,
      firstEntryIndex: first,
      entryCount: count,
    } = targets.get(i);
    const path = recordPath(CHUNK.morphTarget, i);
    if (mesh === NONE) findings.report('UC3034', path, 'morph data out of range: names no mesh');
    const hasNormals = (flags & MORPH_FLAGS.normals) !== 0;
    if ((flags & ~MORPH_FLAGS.normals) >>> 0 !== 0)
      findings.report('UC3132', path, `flags of a morph target unknown: ${flags}`);
    if (positionScale === 0) findings.report('UC3120', path, 'morph target with a scale of 0, which moves nothing');
    if (!inTable(findings, CHUNK.morphTarget, i, 'entries', first, count, table.length)) continue;
    if (mesh >= meshes.length) continue;
    if (!skinned.has(mesh))
      findings.report('UC3120', path, `morph target of mesh ${mesh}, which has no skin: it never moves`);
    const name = tables.strings.at(nameOffset);
    const ofMesh = names.get(mesh) ?? new Set<string>();
    names.set(mesh, ofMesh);
    if (nameOffset === NONE) findings.report('UC3120', path, 'morph target without a name, by which its weight is set');
    else if (name !== '' && ofMesh.has(name))
      findings.report('UC3120', path, `two morph targets of mesh ${mesh} called "${name}"`);
    ofMesh.add(name);
    if (count === 0 || !budget.take(count * table.recordSize, path)) continue;
    checkEntries(entries, { first, count, hasNormals }, vertexCountOf(mesh), path, findings);
  }
}

function checkDrivers(tables: Tables, findings: Findings): void {
  const drivers = tables.table(MORPH_DRIVER, CHUNK.morphDriver);
  if (drivers.length === 0) return;
  const joints = new Set(
    tables.table(SKELETON_JOINT, CHUNK.skeletonJoint).map(({ jointPathOffset }) => tables.strings.at(jointPathOffset)),
  );
  for (let i = 0; i < drivers.length; i++) {
    const { targetIndex, jointPathOffset, kernel, poseRotation, radius } = drivers.get(i);
    const path = recordPath(CHUNK.morphDriver, i);
    if (targetIndex === NONE) findings.report('UC3034', path, 'morph data out of range: drives no target');
    const joint = tables.strings.at(jointPathOffset);
    if (joint === '' || !joints.has(joint))
      findings.report('UC3131', path, `driver of the joint "${joint}", which no skeleton has`);
    if (kernel >= KERNELS) findings.report('UC3132', path, `kernel of a driver unknown: ${kernel}`);
    const square = poseRotation.reduce((sum, part) => sum + part * part, 0);
    if (Math.abs(square - 1) > UNIT)
      findings.report('UC3120', path, `pose of a driver is no rotation: ${poseRotation.join(' ')}`);
    if (radius < MIN_RADIUS)
      findings.report('UC3120', path, `radius of a driver of ${radius}: the engine takes ${MIN_RADIUS}`);
  }
}

/** UC3034, UC3120, UC3131 and UC3132. */
export function checkMorphs(tables: Tables, findings: Findings): void {
  checkTargets(tables, findings);
  checkDrivers(tables, findings);
}
