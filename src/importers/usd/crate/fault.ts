// What the crate decoders throw among themselves. They know offsets and counts but neither file nor prim; readCrate and
// its specs turn a fault into a SourceError that names both.

import type { Code } from '../../../diagnostics/diagnostic.ts';

/** Broken or excessive data. `code` is null where the place decides: UC1404 in the structure, UC1405 in a value. */
export class CrateFault extends Error {
  readonly code: Code | null;

  constructor(message: string, code: Code | null = null) {
    super(message);
    this.name = 'CrateFault';
    this.code = code;
  }
}

/** A value of a kind that is not read here (unknown type, array edit): its field, entry or sample is left out. */
export class UnreadableValue extends Error {
  readonly code: 'UC1407' | 'UC1409';

  constructor(message: string, code: 'UC1407' | 'UC1409') {
    super(message);
    this.name = 'UnreadableValue';
    this.code = code;
  }
}

/** The data contradicts itself or the file's length. */
export function corrupt(message: string): never {
  throw new CrateFault(message);
}

/** The data may be sound, but is more than one process should unpack. */
export function tooLarge(message: string): never {
  throw new CrateFault(message, 'UC1406');
}
