// The source that value decoders read from: the bytes of one crate, its structure, and a memory budget for each field.

import type { CrateBytes } from './coding/crateBytes.ts';
import { corrupt, tooLarge } from './fault.ts';
import type { CrateStructure } from './structure.ts';

/**
 * The limit of bytes that one field may unpack to; views of the file do not count. The limit is 64 times the file,
 * within 16 MiB and 512 MiB. Crates do not pack points and vectors, so the packed arrays of a real mesh unpack to a few
 * times the size of the file at most.
 */
export function maxDecodedBytes(storedBytes: number): number {
  return Math.min(2 ** 29, Math.max(2 ** 24, 64 * storedBytes));
}

/**
 * The memory budget of one field. Values can point at values, so a small file can describe an endless value. Each
 * allocation and each indirection spends from the budget.
 */
export class Budget {
  readonly #max: number;
  #left: number;
  #plain: number;

  /** `plain`: bytes that may be copied from the file before copies are spent too. */
  constructor(max: number, plain: number) {
    this.#max = max;
    this.#left = max;
    this.#plain = plain;
  }

  /** Notes a copy of plain elements. A field that refers to each byte of the file once spends nothing. */
  copy(bytes: number): void {
    this.#plain -= bytes;
    if (this.#plain >= 0) return;
    this.spend(-this.#plain);
    this.#plain = 0;
  }

  /** Throws CrateFault UC1406 if the budget is exceeded. */
  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) tooLarge(`a single field unpacks to more than ${this.#max} bytes`);
  }
}

export class CrateSource {
  readonly bytes: CrateBytes;
  readonly structure: CrateStructure;
  readonly #maxDecoded: number;
  /** The budget of the field that is being decoded; `begin` starts a new one. */
  budget: Budget;

  /** `storedBytes`: the size of the file that contains the crate; of a package if the crate is packed in one. */
  constructor(bytes: CrateBytes, structure: CrateStructure, storedBytes = bytes.size) {
    this.bytes = bytes;
    this.structure = structure;
    this.#maxDecoded = maxDecodedBytes(storedBytes);
    this.budget = new Budget(this.#maxDecoded, this.bytes.size);
  }

  begin(): void {
    this.budget = new Budget(this.#maxDecoded, this.bytes.size);
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
