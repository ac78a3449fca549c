// Parts of a cook that are kept from one cook to the next, found again by the SHA-256 of everything that they are made of:
// the payloads of tiles, their levels, the HLODs of clusters. What is not found is cooked again.

import { CODE_DIGEST } from '../../bytes/codeDigest.ts';
import { pack, packedDigest, unpack } from '../../bytes/pack.ts';
import type { Shape } from '../../bytes/shape.ts';
import type { ProductStore } from '../../textures/keptFiles.ts';
import type { SceneDigests } from './sceneDigests.ts';

/** What of a tile is kept, and the kind of its entries. */
export type UnitKind = (typeof KINDS)[number];
const KINDS = ['payload', 'levels', 'cluster'] as const;

/** What a unit is made of: the digest of each of its cache key inputs, by a name for people. */
export type KeyInputs = Readonly<Record<string, string>>;

/** One unit of a cook, as a later cook is told why it is made again. */
export interface UnitNote {
  readonly kind: UnitKind;
  /** The tile or cluster. */
  readonly name: string;
  readonly keyInputs: KeyInputs;
  /** It was made anew. */
  readonly isMade: boolean;
}

/** A unit that is about to be made, unless the store has it. */
export interface Unit {
  readonly kind: UnitKind;
  readonly key: string;
}

/** Where the parts of a scene's cook are kept, and how they are named there. */
export interface KeptUnits {
  readonly store: UnitStore;
  readonly digests: SceneDigests;
}

/** Digits of a digest that are noted: enough to see a change. */
const NOTED_DIGITS = 12;

export class UnitStore {
  readonly #store: ProductStore;
  readonly #notes: UnitNote[] = [];

  constructor(store: ProductStore) {
    this.#store = store;
  }

  /** Every unit that was looked for: payloads, levels, HLODs of clusters, each by name. */
  get notes(): readonly UnitNote[] {
    const rank = ({ kind }: UnitNote) => KINDS.indexOf(kind);
    // They are found in the order in which threads and servers answer.
    return [...this.#notes].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
  }

  /** The unit of these cache key inputs, which are all that its result depends on besides the code. */
  unit(kind: UnitKind, keyInputs: KeyInputs): Unit {
    return { kind, key: packedDigest([CODE_DIGEST, kind, Object.entries(keyInputs).sort()]) };
  }

  /** What was put for a unit; null: nothing, or nothing of this shape. Its arrays are views of one buffer. */
  async find({ kind, key }: Unit, shape: Shape): Promise<unknown> {
    let last: { readonly entry: Uint8Array; readonly value: unknown } | null = null;
    const soundValue = (entry: Uint8Array): unknown => {
      if (last?.entry === entry) return last.value;
      const value = unpack(entry);
      last = { entry, value: shape(value) ? value : null };
      return last.value;
    };
    const entry = await this.#store.find(kind, key, (found) => soundValue(found) !== null);
    return entry && soundValue(entry);
  }

  put({ kind, key }: Unit, value: unknown): void {
    this.#store.put(kind, key, pack(value));
  }

  /** Notes a unit, whether it was found or made. */
  note(kind: UnitKind, name: string, keyInputs: KeyInputs, isMade: boolean): void {
    const short = Object.entries(keyInputs).map(([of, digest]) => [of, digest.slice(0, NOTED_DIGITS)]);
    this.#notes.push({ kind, name, keyInputs: Object.fromEntries(short), isMade });
  }
}
