// What the value decoders read from: the bytes of one crate, its structure, and a budget for the field being decoded.

import { corrupt, tooLarge } from './fault.ts';
import type { CrateStructure } from './structure.ts';

/** Bytes that one field may unpack to, views of the file not counted. */
const MAX_DECODED_BYTES = 2 ** 29;

/**
 * Bounds what one field costs. Values can point at values, so that a small file can describe an endless one: every
 * allocation and every indirection is paid for.
 */
export class Budget {
  #left = MAX_DECODED_BYTES;

  /** Throws CrateFault UC1406 when more has been spent than one field may. */
  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) tooLarge(`a single field unpacks to more than ${MAX_DECODED_BYTES} bytes`);
  }
}

export class CrateSource {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly structure: CrateStructure;
  /** Of the field being decoded; `begin` starts a new one. */
  budget = new Budget();

  constructor(bytes: Uint8Array, view: DataView, structure: CrateStructure) {
    this.bytes = bytes;
    this.view = view;
    this.structure = structure;
  }

  begin(): void {
    this.budget = new Budget();
  }

  token(index: number): string {
    const { tokens } = this.structure;
    if (index >= tokens.length) corrupt(`token ${index} of ${tokens.length}`);
    return tokens[index];
  }

  string(index: number): string {
    const { strings } = this.structure;
    if (index >= strings.length) corrupt(`string ${index} of ${strings.length}`);
    return this.structure.tokens[strings[index]];
  }

  path(index: number): string {
    const { paths } = this.structure;
    if (index >= paths.length) corrupt(`path ${index} of ${paths.length}`);
    return paths[index];
  }
}
