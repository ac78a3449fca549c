// Texture files that one thread of a call has made, in memory: sources that are cooked after one another often share their textures, and each
// is then decoded and encoded once, with a cache or without.

import type { ProductStore } from './keptFiles.ts';

/** Bytes that are remembered at most: what was asked for longest ago goes first. */
const MAX_BYTES = 32e6;

export class RememberedFiles implements ProductStore {
  /** A store of the remembered products alone. Products that are put here are not passed to the store behind, where they are not worth their room. */
  readonly inMemory: ProductStore = {
    find: async (kind, key) => this.#remembered(kind, key),
    put: (kind, key, payload) => this.remember(kind, key, payload),
  };
  readonly #behind: ProductStore | null;
  readonly #maxBytes: number;
  /** By kind and key, those asked for longest ago first. */
  readonly #products = new Map<string, Uint8Array>();
  #bytes = 0;

  /** `behind`: gets every product too, and is asked for what is not remembered. */
  constructor(behind: ProductStore | null, maxBytes = MAX_BYTES) {
    this.#behind = behind;
    this.#maxBytes = maxBytes;
  }

  async find(kind: string, key: string, accepts?: (payload: Uint8Array) => boolean): Promise<Uint8Array | null> {
    return this.#remembered(kind, key) ?? (await this.#behind?.find(kind, key, accepts)) ?? null;
  }

  #remembered(kind: string, key: string): Uint8Array | null {
    const name = `${kind} ${key}`;
    const known = this.#products.get(name);
    if (known === undefined) return null;
    this.#products.delete(name);
    this.#products.set(name, known);
    return known;
  }

  put(kind: string, key: string, payload: Uint8Array): void {
    this.#behind?.put(kind, key, payload);
    this.remember(kind, key, payload);
  }

  remember(kind: string, key: string, payload: Uint8Array): void {
    const name = `${kind} ${key}`;
    if (payload.length > this.#maxBytes || this.#products.has(name)) return;
    this.#products.set(name, payload);
    this.#bytes += payload.length;
    for (const [oldest, { length }] of this.#products) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#products.delete(oldest);
      this.#bytes -= length;
    }
  }
}
