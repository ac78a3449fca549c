// Puts payloads of tiles on the stage. It is told what is to be shown of each tile and what is to be held beside that; what
// was shown stays until its successor has been read.

import type { Scene } from 'three';
import type { LoadedPayload, PayloadStore } from './drawing/payloads.ts';

interface Slot {
  /** What is to be shown; null: nothing. */
  wanted: string | null;
  /** What is on the stage. */
  staged: LoadedPayload | null;
  /** Payloads that were asked for; undefined: not read yet, null: they cannot be read. */
  readonly held: Map<string, LoadedPayload | null | undefined>;
  keep: ReadonlySet<string>;
}

/** The payloads on the stage. Tiles, and two pictures that are compared, may share a file: how many show it. */
export class StagedPayloads {
  readonly #shown = new Map<LoadedPayload, number>();

  /** True: it was not there before. */
  add(payload: LoadedPayload): boolean {
    const before = this.#shown.get(payload) ?? 0;
    this.#shown.set(payload, before + 1);
    return before === 0;
  }

  /** True: nobody shows it any more. */
  remove(payload: LoadedPayload): boolean {
    const left = (this.#shown.get(payload) ?? 1) - 1;
    if (left > 0) this.#shown.set(payload, left);
    else this.#shown.delete(payload);
    return left <= 0;
  }

  get all(): Iterable<LoadedPayload> {
    return this.#shown.keys();
  }
}

export interface DirectedStage {
  readonly store: PayloadStore;
  readonly scene: Scene;
  readonly staged: StagedPayloads;
}

export class Director {
  readonly #slots: Slot[];
  readonly #store: PayloadStore;
  readonly #scene: Scene;
  readonly #onChange: (tile: number) => void;
  readonly #all: StagedPayloads;

  constructor(tiles: number, { store, scene, staged }: DirectedStage, onChange: (tile: number) => void) {
    this.#slots = Array.from({ length: tiles }, () => ({
      wanted: null,
      staged: null,
      held: new Map(),
      keep: new Set(),
    }));
    this.#store = store;
    this.#scene = scene;
    this.#all = staged;
    this.#onChange = onChange;
  }

  /** What is on the stage of a tile. */
  staged(tile: number): LoadedPayload | null {
    return this.#slots[tile].staged;
  }

  /** Tiles whose payload is not on the stage yet. */
  get waiting(): number {
    return this.#slots.filter(({ wanted, held }) => wanted !== null && held.get(wanted) === undefined).length;
  }

  set(tile: number, wanted: string | null, beside: readonly string[] = []): void {
    const slot = this.#slots[tile];
    slot.wanted = wanted;
    slot.keep = new Set(wanted === null ? beside : [wanted, ...beside]);
    for (const path of slot.keep) {
      if (slot.held.has(path)) continue;
      slot.held.set(path, undefined);
      void this.#store.take(path).then((payload) => {
        if (!slot.held.has(path)) return;
        slot.held.set(path, payload);
        this.#stage(tile);
      });
    }
    this.#stage(tile);
  }

  /** Gives back what is neither wanted nor shown any more. */
  #release({ held, keep, staged }: Slot): void {
    for (const path of [...held.keys()]) {
      if (keep.has(path) || staged?.path === path) continue;
      held.delete(path);
      this.#store.release(path);
    }
  }

  #stage(tile: number): void {
    const slot = this.#slots[tile];
    const next = slot.wanted === null ? null : slot.held.get(slot.wanted);
    // Not read yet: what is there stays.
    if (next !== undefined && next !== slot.staged) {
      const before = slot.staged;
      slot.staged = next;
      if (next) this.#add(next);
      if (before) this.#remove(before);
      this.#onChange(tile);
    }
    this.#release(slot);
  }

  #add(payload: LoadedPayload): void {
    if (this.#all.add(payload)) this.#scene.add(payload.group);
  }

  #remove(payload: LoadedPayload): void {
    if (this.#all.remove(payload)) payload.group.removeFromParent();
  }
}
