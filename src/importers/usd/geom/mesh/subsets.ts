// Material subsets of a mesh (UsdGeomSubset), and the assignment of faces to them.

import type { StagePrim } from '../../compose/stage/stage.ts';
import { integersOf, textOf } from '../../compose/values/values.ts';
import type { Notes } from '../../notes.ts';
import { hasDirectBinding } from '../../shade/binding.ts';
import type { Topology } from './topology.ts';

/** The children of a mesh that assign materials to faces: subsets of the family materialBind or with a binding. */
export function materialSubsets(prim: StagePrim, notes: Notes): StagePrim[] {
  return prim.children.filter((child) => {
    // Check the specifier of the child alone: ancestors of a prototype can be overs or classes.
    if (child.typeName !== 'GeomSubset' || child.specifier !== 'def') return false;
    const family = textOf(child.attribute('familyName')?.get()?.value);
    if (family !== 'materialBind' && !hasDirectBinding(child)) return false;
    const elementType = textOf(child.attribute('elementType')?.get()?.value) ?? 'face';
    if (elementType !== 'face')
      notes.report('UC1812', child.path, `elementType is ${elementType}; the subset is ignored`);
    return elementType === 'face';
  });
}

export interface SubsetFaces {
  /** The subset of each face; -1 for none. */
  readonly faceSubsets: Int32Array;
  /** The triangle count of each subset: n - 2 for each drawn face with n corners. */
  readonly triangleCounts: readonly number[];
}

/** Assigns each face to the first subset that has it. Reports overlaps (UC1810) and indices out of range (UC1811). */
export function assignSubsets(subsets: readonly StagePrim[], topology: Topology, notes: Notes): SubsetFaces {
  const { faceCounts, holes } = topology;
  const faceSubsets = new Int32Array(faceCounts.length).fill(-1);
  const triangleCounts = subsets.map((subset, index) => {
    const faces = integersOf(subset.attribute('indices')?.get()?.value) ?? [];
    let triangles = 0;
    let stray = 0;
    let taken = 0;
    for (const f of faces) {
      if (f < 0 || f >= faceCounts.length) stray++;
      else if (faceSubsets[f] !== -1) taken += faceSubsets[f] === index ? 0 : 1;
      else {
        faceSubsets[f] = index;
        if (holes === null || holes[f] === 0) triangles += faceCounts[f] - 2;
      }
    }
    if (stray > 0) notes.report('UC1811', subset.path, `${stray} of ${faces.length} indices name no face`);
    if (taken > 0) notes.report('UC1810', subset.path, `${taken} faces belong to an earlier subset already`);
    return triangles;
  });
  return { faceSubsets, triangleCounts };
}
