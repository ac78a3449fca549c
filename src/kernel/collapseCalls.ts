// What the kernel exports for edge collapse and welding (assembly/collapse.ts, assembly/weld.ts), for TypeScript.

import type { Address } from './address.ts';

/** Functions that tell yes or no give 1 or 0. */
export interface CollapseCalls {
  addLocks(locked: Address, held: Address, seams: Address, count: number, lock: number, locks: Address): void;
  pickFlags(flags: Address, flagCount: number, numbers: Address, count: number, scale: number, to: Address): number;
  spreadFlags(flags: Address, numbers: Address, count: number, to: Address): void;
  keepComponents(
    indices: Address,
    triangleCount: number,
    componentOf: Address,
    locked: Address,
    dropped: Address,
    to: Address,
  ): number;
  changedCorners(
    indices: Address,
    triangleCount: number,
    componentOf: Address,
    held: Address,
    heldBefore: Address,
    isChanged: Address,
    isOfChanged: Address,
    to: Address,
  ): number;
  unflaggedCorners(indices: Address, count: number, flags: Address, to: Address): number;
  losesLocked(
    before: Address,
    beforeCount: number,
    after: Address,
    afterCount: number,
    ids: Address,
    locked: Address,
    used: Address,
  ): number;
  mixesMeshes(indices: Address, count: number, meshOf: Address): number;
  nearestVertex(positions: Address, count: number, x: number, y: number, z: number): number;
  placeColumn(from: Address, size: number, count: number, to: Address, width: number): void;
  firstOfEach(numbers: Address, total: number, first: Address): void;
}
