// What the value decoders read from: the bytes of one crate, its structure, and a budget for the field being decoded.

import { corrupt, tooLarge } from './fault.ts';
import type { CrateStructure } from './structure.ts';

/**
 * Bytes that one field may unpack to, views of the file not counted: 64 times the file, for points and the like are
 * never packed, so that what belongs to them unpacks to a few times the file at most; 16 MiB of any file, and 512 MiB.
 */
export function mostDecodedBytes(storedBytes: number): number {
  return Math.min(2 ** 29, Math.max(2 ** 24, 64 * storedBytes));
}

/**
 * Bounds what one field costs. Values can point at values, so that a small file can describe an endless one: every
 * allocation and every indirection is paid for.
 */
export class Budget {
  readonly #most: number;
  #left: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Throws CrateFault UC1406 when more has been spent than one field may. */
  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) tooLarge(`a single field unpacks to more than ${this.#most} bytes`);
  }
}

export class CrateSource {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly structure: CrateStructure;
  readonly #mostDecoded: number;
  /** Of the field being decoded; `begin` starts a new one. */
  budget: Budget;

  /** `storedBytes`: of the file that holds the crate, where the crate is packed in it; else of the crate. */
  constructor(bytes: Uint8Array, view: DataView, structure: CrateStructure, storedBytes = bytes.length) {
    this.bytes = bytes;
    this.view = view;
    this.structure = structure;
    this.#mostDecoded = mostDecodedBytes(storedBytes);
    this.budget = new Budget(this.#mostDecoded);
  }

  begin(): void {
    this.budget = new Budget(this.#mostDecoded);
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
