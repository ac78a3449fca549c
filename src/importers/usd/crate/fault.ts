// The errors that crate decoders throw. A decoder knows offsets and counts, but neither file nor prim; readCrate and
// FieldReader turn its error into a SourceError that names both.

import type { Code } from '../../../diagnostics/diagnostic.ts';

/**
 * Broken or excessive data. With `code` null, the catcher sets the code: UC1404 in the structure, UC1405 in a value.
 */
export class CrateFault extends Error {
  readonly code: Code | null;

  constructor(message: string, code: Code | null = null) {
    super(message);
    this.name = 'CrateFault';
    this.code = code;
  }
}

/**
 * A value that is not read (unknown type, array edit). The field, dictionary entry or sample that holds it is left out.
 */
export class UnreadableValue extends Error {
  readonly code: 'UC1407' | 'UC1409';

  constructor(message: string, code: 'UC1407' | 'UC1409') {
    super(message);
    this.name = 'UnreadableValue';
    this.code = code;
  }
}

/** Throws for data that contradicts itself or the length of the file. */
export function corrupt(message: string): never {
  throw new CrateFault(message);
}

/** Throws UC1406 for data that may be valid but exceeds a limit. */
export function tooLarge(message: string): never {
  throw new CrateFault(message, 'UC1406');
}
