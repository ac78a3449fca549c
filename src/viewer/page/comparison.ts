// A second picture of the tiles: another level of the same set, or another output, to be drawn beside or against the first.

import type { Scene } from 'three';
import type { CookedTile } from '../../formats/manifest/tiles.ts';
import { Director, type StagedPayloads } from './director.ts';
import type { LoadedPayload, PayloadStore } from './drawing/payloads.ts';
import type { ViewedSet } from './set.ts';
import { levelOf, modesOf, type ShowMode, type ShownPayload, streamingDistance } from './shown.ts';

/** What both pictures need of the page. */
export interface ComparedStage {
  readonly store: PayloadStore;
  readonly scene: Scene;
  readonly staged: StagedPayloads;
  onChange(): void;
}

export class Comparison {
  readonly tiles: readonly CookedTile[];
  readonly #director: Director;
  #mode: ShowMode = 'full';

  constructor(tiles: readonly CookedTile[], { store, scene, staged, onChange }: ComparedStage) {
    this.tiles = tiles;
    this.#director = new Director(tiles.length, { store, scene, staged }, (tile) => {
      const payload = this.#director.staged(tile);
      if (payload) payload.reach.value = streamingDistance(tiles[tile], levelOf(tiles[tile], this.#mode).level) ?? 0;
      onChange();
    });
  }

  /** Shows one level of all tiles. */
  showMode(mode: ShowMode): void {
    this.#mode = mode;
    this.tiles.forEach((tile, i) => {
      this.#director.set(i, levelOf(tile, mode).path);
    });
  }

  /** Shows full detail of the tiles that are shown at all, as they are listed. */
  showFull(shown: readonly (ShownPayload | null)[]): void {
    this.tiles.forEach((tile, i) => {
      this.#director.set(i, shown[i] ? tile.full : null);
    });
  }

  get waiting(): number {
    return this.#director.waiting;
  }

  staged(tile: number): LoadedPayload | null {
    return this.#director.staged(tile);
  }

  /** Gives everything back. */
  close(): void {
    for (const tile of this.tiles.keys()) this.#director.set(tile, null);
  }
}

/** What a menu offers to compare with. */
export interface Compared {
  readonly key: string;
  readonly text: string;
  readonly tiles: readonly CookedTile[];
  readonly mode: ShowMode;
}

/** The last parts of a name: what tells outputs apart where there is little room. */
export const shortName = ({ description }: ViewedSet): string => description.name.split('/').slice(-2).join('/');

/** The levels of the set, and those of the other output, if there is one. */
export function comparable(set: ViewedSet, against: ViewedSet | null): Compared[] {
  const levels = ({ tiles }: ViewedSet, key: string, name: string): Compared[] =>
    modesOf(tiles)
      .filter(([mode]) => mode !== 'streamed')
      .map(([mode, text]) => ({ key: `${key}${mode}`, text: `${name}${text}`, tiles, mode }));
  return [...(against ? levels(against, 'against ', `${shortName(against)}: `) : []), ...levels(set, '', '')];
}
