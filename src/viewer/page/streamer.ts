// The loader's simulation as the page runs it: in real time while the camera moves, recorded, so that every moment can be
// looked at again.

import { GEOMETRY_SHARE, MIN_MEMORY } from '../../engine/loading.ts';
import type { CookedTile } from '../../formats/manifest/tiles.ts';
import { type Connection, type LoaderState, StreamLoader } from '../streaming/loader.ts';
import type { Eye } from '../streaming/view.ts';

/** Where files come from. The engine prescribes nothing: these are examples. */
export const CONNECTIONS = {
  disk: ['Disk, 500 MB/s', { delay: 0.005, rate: 500e6 }],
  wifi: ['Wi-Fi, 100 Mbit/s', { delay: 0.03, rate: 12.5e6 }],
  mobile: ['Mobile, 20 Mbit/s', { delay: 0.08, rate: 2.5e6 }],
} as const satisfies Readonly<Record<string, readonly [string, Connection]>>;

export type ConnectionName = keyof typeof CONNECTIONS;

/** The least that the engine gives to geometry on any platform. */
export const MIN_BUDGET = GEOMETRY_SHARE * MIN_MEMORY;

/** Seconds between two moments of the record, and how many are kept: ten minutes. */
const STEP = 0.1;
const MAX_MOMENTS = 6000;

export interface Moment {
  readonly state: LoaderState;
  readonly position: readonly number[];
  readonly target: readonly number[];
}

export class Streamer {
  readonly #tiles: readonly CookedTile[];
  readonly #bytes: Readonly<Record<string, number>>;
  #loader: StreamLoader;
  #connection: ConnectionName = 'disk';
  #budget = MIN_BUDGET;
  #moments: Moment[] = [];
  #sinceMoment = 0;

  constructor(tiles: readonly CookedTile[], bytes: Readonly<Record<string, number>>) {
    this.#tiles = tiles;
    this.#bytes = bytes;
    this.#loader = this.#fresh();
  }

  #fresh(): StreamLoader {
    return new StreamLoader(this.#tiles, {
      connection: CONNECTIONS[this.#connection][1],
      budget: this.#budget,
      fileBytes: (path) => this.#bytes[path] ?? 0,
    });
  }

  /** Begins anew with nothing loaded. */
  restart(): void {
    this.#loader = this.#fresh();
    this.#moments = [];
    this.#sinceMoment = 0;
  }

  get loader(): StreamLoader {
    return this.#loader;
  }

  get connection(): ConnectionName {
    return this.#connection;
  }

  set connection(name: ConnectionName) {
    this.#connection = name;
    this.restart();
  }

  get budget(): number {
    return this.#budget;
  }

  set budget(bytes: number) {
    this.#budget = bytes;
    this.restart();
  }

  get moments(): readonly Moment[] {
    return this.#moments;
  }

  /** Goes on with a camera at one place. True: another moment was recorded. */
  advance(seconds: number, eye: Eye, target: readonly number[]): boolean {
    this.#loader.advance(seconds, eye);
    this.#sinceMoment += seconds;
    if (this.#sinceMoment < STEP && this.#moments.length > 0) return false;
    this.#sinceMoment = 0;
    this.#moments.push({ state: this.#loader.state(), position: [...eye.position], target: [...target] });
    if (this.#moments.length > MAX_MOMENTS) this.#moments.shift();
    return true;
  }
}
