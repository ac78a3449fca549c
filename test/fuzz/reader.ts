// What fuzzing knows of a reader: sound inputs, how they are damaged, and how an input is read as deeply as the product
// reads it.

import type { Mutator } from './mutators/bytes.ts';
import { pick, randomFrom, seedOf } from './random.ts';

/** A sound input. */
export interface Seed {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Files beside it, which stay sound. */
  readonly beside?: Readonly<Record<string, Uint8Array>>;
  /** It has errors as it is, such as references that lead nowhere, and all of it is read in spite of them. */
  readonly isRefused?: boolean;
}

export interface Case {
  readonly seed: Seed;
  readonly bytes: Uint8Array;
  /** The number of the case, by which slow steps are left out of most cases. */
  readonly number: number;
  /** A folder for files, which the reader leaves as it finds it. */
  readonly folder: string;
}

export interface Reader {
  readonly name: string;
  readonly seeds: () => readonly Seed[] | Promise<readonly Seed[]>;
  readonly damage: Mutator;
  /** Codes of the errors that the input has; none: it is sound. Throws SourceError for coded errors, all else is a fault. */
  readonly read: (input: Case) => Promise<readonly string[]>;
}

/** What the rule is about: inputs below 64 KB. */
export const MAX_INPUT_BYTES = 65_535;

/** The input of a case: the same for the same reader, seed and number on every machine. */
export function damaged(
  reader: Reader,
  seeds: readonly Seed[],
  seed: number,
  number: number,
): { readonly from: Seed; readonly bytes: Uint8Array } {
  const random = randomFrom(seedOf(reader.name, seed, number));
  const from = pick(random, seeds);
  let { bytes } = from;
  const times = random(4) === 0 ? 2 + random(3) : 1;
  for (let i = 0; i < times; i++) bytes = reader.damage(bytes, random);
  return { from, bytes: bytes.length > MAX_INPUT_BYTES ? bytes.slice(0, MAX_INPUT_BYTES) : bytes };
}
