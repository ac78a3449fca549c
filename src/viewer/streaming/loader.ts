// What the engine's loader holds and shows of a set while a camera moves: its rules step by step, without drawing anything.
// The same calls give the same states on every machine, so that a test in Node predicts what the page shows. Left out: the
// order by what nearer tiles hide, loading mesh by mesh, and failures.
//
// How long a load takes is not a rule of the engine. It is told by a connection here: a delay, and bytes a second that all
// loads at a time share.

import {
  BACKLOG_TICK,
  DWELL,
  EVICT_ABOVE,
  EVICT_TO,
  FULL_LOADS,
  HLOD_LOADS,
  LOD_LOADS,
  MIN_RESIDENCE,
  PARSE_BYTES,
  TICK,
  UNLOAD_DELAY,
  UNLOADS_A_TICK,
  VIEW_MARGIN,
} from '../../engine/loading.ts';
import { FLOOR_GATE, HYSTERESIS, loaderBands, MAX_QUERY_RADIUS, REQUEST_MARGIN } from '../../engine/streaming.ts';
import type { CookedTile } from '../../formats/manifest/tiles.ts';
import { distanceToBounds } from '../../scene/bounds.ts';
import { type Eye, importance, isInView } from './view.ts';

/** A payload of a tile: 0 full detail, 1 and more its LODs from near to far, then its HLOD. */
export type PayloadIndex = number;

export interface Connection {
  /** Seconds before the first byte. */
  readonly delay: number;
  /** Bytes a second. */
  readonly rate: number;
}

export interface LoaderOptions {
  readonly connection: Connection;
  /** Bytes of geometry that the engine may hold. */
  readonly budget: number;
  /** The size of a payload's file. */
  fileBytes(path: string): number;
}

const ABSENT = 0;
const LOADING = 1;
const LOADED = 2;

interface Payload {
  readonly path: string;
  /** Metres from which it is shown; full detail: 0. */
  readonly from: number;
  readonly file: number;
  readonly gpu: number;
  state: typeof ABSENT | typeof LOADING | typeof LOADED;
  /** Of a load: seconds of delay and bytes that are missing. */
  delay: number;
  missing: number;
  /** When it was loaded. */
  since: number;
}

interface Tile {
  readonly tile: CookedTile;
  readonly payloads: readonly Payload[];
  /** Indices into payloads of the LODs that the loader keeps. */
  readonly lods: readonly PayloadIndex[];
  /** -1: none. */
  readonly hlod: PayloadIndex;
  readonly reach: number;
  readonly streaming: number;
  readonly unload: number;
  distance: number;
  /** How long the camera has been beyond the unload radius; negative: it is not. */
  beyondSince: number;
  /** The payload that is shown, -1 for none, and since when. */
  shown: PayloadIndex;
  shownSince: number;
  /** The level that the distance asks for, which the camera must leave by a tenth before a nearer one comes. */
  wanted: PayloadIndex;
}

/** What is loaded and shown at a moment, in the order of the tiles. */
export interface LoaderState {
  readonly time: number;
  /** The payload that is shown of each tile, -1 for none. */
  readonly shown: Int8Array;
  /** A bit for each payload that is in memory. */
  readonly loaded: Uint16Array;
  /** A bit for each payload that is being loaded. */
  readonly loading: Uint16Array;
  readonly residentBytes: number;
  readonly loadsInFlight: number;
}

/** Manifests do not state the geometry of levels: the size of the file stands for it. */
function payload(path: string, from: number, { fileBytes }: LoaderOptions, gpu = fileBytes(path)): Payload {
  return { path, from, file: fileBytes(path), gpu, state: ABSENT, delay: 0, missing: 0, since: 0 };
}

function tileState(tile: CookedTile, options: LoaderOptions): Tile {
  const payloads = [payload(tile.full, 0, options, tile.gpuBytes)];
  const lods: PayloadIndex[] = [];
  let hlod = -1;
  let reach = Infinity;
  let streaming = Infinity;
  let unload = Infinity;
  if (tile.distances) {
    const { distances } = tile;
    const bands = loaderBands(distances.streaming, distances.unload, distances.hlod, distances.lods);
    streaming = distances.streaming;
    unload = bands.unload;
    const middle = (streaming + unload) / 2;
    reach = distances.prefetch ? Math.max(streaming, Math.min(distances.prefetch, unload)) : middle;
    tile.lods.forEach(({ path }, i) => {
      const from = bands.lods[i];
      if (from !== null) lods.push(payloads.length);
      payloads.push(payload(path, from ?? Infinity, options));
    });
    if (tile.hlod && bands.hlod !== null) {
      hlod = payloads.length;
      payloads.push(payload(tile.hlod.path, bands.hlod, options));
    }
  } else if (tile.shared) {
    streaming = tile.shared.streaming ?? Infinity;
    unload = tile.shared.unload ?? Infinity;
    reach = (streaming + unload) / 2;
  }
  return {
    tile,
    payloads,
    lods,
    hlod,
    reach,
    streaming,
    unload,
    distance: Infinity,
    beyondSince: -1,
    shown: -1,
    shownSince: -Infinity,
    wanted: -1,
  };
}

/** Bits of a mask: payloads beyond are not told apart in states. The engine's own exporter writes 4 payloads a tile. */
const MAX_PAYLOADS = 16;

export class StreamLoader {
  readonly #tiles: readonly Tile[];
  readonly #options: LoaderOptions;
  #time = 0;
  #untilTick = 0;
  #resident = 0;

  constructor(tiles: readonly CookedTile[], options: LoaderOptions) {
    this.#options = options;
    this.#tiles = tiles.map((tile) => tileState(tile, options));
  }

  /** The path of a tile's payload. */
  path(tile: number, index: PayloadIndex): string | null {
    return this.#tiles[tile]?.payloads[index]?.path ?? null;
  }

  /** `full`, `lod1` …, `hlod`. */
  levelName(tile: number, index: PayloadIndex): string {
    if (index === 0) return 'full';
    return index === this.#tiles[tile].hlod ? 'hlod' : `lod${index}`;
  }

  /** Goes on by so many seconds, in which the camera is at one place. */
  advance(seconds: number, eye: Eye): void {
    let left = seconds;
    // The sum of many small steps ends a little beside a tick.
    while (left > 1e-9) {
      const step = Math.min(left, this.#untilTick);
      if (step > 0) {
        this.#transfer(step);
        this.#time += step;
        this.#untilTick -= step;
        left -= step;
      }
      if (this.#untilTick <= 1e-9) this.#untilTick = this.#tick(eye) ? BACKLOG_TICK : TICK;
    }
  }

  state(): LoaderState {
    const count = this.#tiles.length;
    const shown = new Int8Array(count);
    const loaded = new Uint16Array(count);
    const loading = new Uint16Array(count);
    let loadsInFlight = 0;
    this.#tiles.forEach((tile, i) => {
      shown[i] = tile.shown;
      tile.payloads.slice(0, MAX_PAYLOADS).forEach(({ state }, index) => {
        if (state === LOADED) loaded[i] |= 1 << index;
        if (state !== LOADING) return;
        loading[i] |= 1 << index;
        loadsInFlight++;
      });
    });
    return { time: this.#time, shown, loaded, loading, residentBytes: this.#resident, loadsInFlight };
  }

  /** Loads go on for so many seconds; those that get their last byte meanwhile end. */
  #transfer(seconds: number): void {
    const { rate } = this.#options.connection;
    let left = seconds;
    while (left > 0) {
      const running = this.#inFlight();
      if (running.length === 0) return;
      const receiving = running.filter(({ delay }) => delay <= 0);
      const share = receiving.length === 0 ? 0 : rate / receiving.length;
      // Until the next load begins to receive or ends.
      let step = left;
      for (const { delay, missing } of running) step = Math.min(step, delay > 0 ? delay : missing / share);
      for (const one of running) {
        if (one.delay > 0) one.delay -= step;
        else one.missing -= share * step;
        if (one.delay > 1e-12 || one.missing > 1e-6) continue;
        one.state = LOADED;
        one.since = this.#time + (seconds - left) + step;
        this.#resident += one.gpu;
      }
      left -= step;
    }
  }

  #inFlight(): Payload[] {
    return this.#tiles.flatMap(({ payloads }) => payloads.filter(({ state }) => state === LOADING));
  }

  /** One look at all tiles. True: some wait to be loaded. */
  #tick(eye: Eye): boolean {
    for (const tile of this.#tiles) {
      tile.distance = tile.tile.bounds ? distanceToBounds(eye.position, tile.tile.bounds) : 0;
      tile.wanted = this.#wantedLevel(tile);
    }
    this.#unloadFar();
    this.#releaseLevels();
    this.#evict();
    const waits = this.#request(eye);
    for (const tile of this.#tiles) this.#show(tile);
    return waits;
  }

  #isGated({ tile: { gateHeight } }: Tile, eye: Eye): boolean {
    return gateHeight !== null && Math.abs(gateHeight - eye.position[1]) > FLOOR_GATE;
  }

  /** The level, other than full detail, that the distance asks for; -1: none. */
  #wantedLevel({ lods, hlod, payloads, distance, wanted }: Tile): PayloadIndex {
    if (distance > MAX_QUERY_RADIUS) return -1;
    const begins = (index: PayloadIndex) => payloads[index].from * (wanted >= index ? HYSTERESIS : 1);
    if (hlod >= 0 && (distance >= begins(hlod) || lods.length === 0)) return hlod;
    for (let i = lods.length - 1; i >= 0; i--) if (distance >= begins(lods[i])) return lods[i];
    // Stands for full detail until that is there.
    return lods[0] ?? -1;
  }

  #unload(one: Payload): void {
    if (one.state === LOADED) this.#resident -= one.gpu;
    one.state = ABSENT;
  }

  /** Full tiles beyond their unload radius, the farthest first, two a tick. */
  #unloadFar(): void {
    const due: Tile[] = [];
    for (const tile of this.#tiles) {
      const [full] = tile.payloads;
      if (tile.distance <= tile.unload && tile.distance <= MAX_QUERY_RADIUS) tile.beyondSince = -1;
      else if (tile.beyondSince < 0) tile.beyondSince = this.#time;
      if (full.state !== LOADED || tile.beyondSince < 0) continue;
      const isLate = this.#time - tile.beyondSince >= UNLOAD_DELAY - 1e-9;
      if (isLate && this.#time - full.since >= MIN_RESIDENCE - 1e-9) due.push(tile);
    }
    due.sort((a, b) => b.distance - a.distance);
    for (const { payloads } of due.slice(0, UNLOADS_A_TICK)) this.#unload(payloads[0]);
  }

  /** Levels that are neither shown nor wanted go; loads of them end. */
  #releaseLevels(): void {
    for (const tile of this.#tiles) {
      const isFull = tile.shown === 0 && tile.payloads[0].state === LOADED;
      for (const index of tile.hlod >= 0 ? [...tile.lods, tile.hlod] : tile.lods) {
        const one = tile.payloads[index];
        if (one.state === ABSENT || index === tile.shown) continue;
        if (index !== tile.wanted || isFull) this.#unload(one);
      }
    }
  }

  /** Above its budget geometry goes, the farthest first: full tiles and HLODs beyond their streaming radius, and LODs that are not shown. */
  #evict(): void {
    const { budget } = this.#options;
    if (this.#resident <= budget * EVICT_ABOVE) return;
    const candidates = this.#tiles
      .filter(({ distance, streaming }) => distance > streaming)
      .sort((a, b) => b.distance - a.distance || (a.tile.id < b.tile.id ? -1 : 1));
    for (const tile of candidates) {
      for (const one of tile.payloads) {
        if (this.#resident <= budget * EVICT_TO) return;
        if (one.state === LOADED) this.#unload(one);
      }
    }
  }

  /** Begins loads: full tiles, then LODs, then HLODs, each by priority and by what the camera looks at. */
  #request(eye: Eye): boolean {
    const wanting: { readonly tile: Tile; readonly index: PayloadIndex; readonly rank: number }[] = [];
    // Above the limit nothing is begun that would be evicted at once.
    const hasRoom = this.#resident <= this.#options.budget * EVICT_ABOVE;
    for (const tile of this.#tiles) {
      const { payloads, lods, distance, wanted } = tile;
      if (distance > MAX_QUERY_RADIUS) continue;
      const rank = tile.tile.bounds ? importance(eye, tile.tile.bounds) : Infinity;
      const isNear = distance <= tile.reach + REQUEST_MARGIN && (!lods.length || distance <= payloads[lods[0]].from);
      const isSeen = !tile.tile.bounds || isInView(eye, tile.tile.bounds, VIEW_MARGIN);
      if (payloads[0].state === ABSENT && isNear && isSeen && !this.#isGated(tile, eye)) {
        if (hasRoom || distance <= tile.streaming) wanting.push({ tile, index: 0, rank });
      }
      const isFull = payloads[0].state === LOADED;
      if (wanted > 0 && !isFull && payloads[wanted].state === ABSENT && hasRoom)
        wanting.push({ tile, index: wanted, rank });
    }
    const order = (a: (typeof wanting)[number], b: (typeof wanting)[number]) =>
      b.tile.tile.priority - a.tile.tile.priority ||
      Number(b.tile.distance <= b.tile.streaming) - Number(a.tile.distance <= a.tile.streaming) ||
      b.rank - a.rank ||
      (a.tile.tile.id < b.tile.tile.id ? -1 : 1);
    wanting.sort(order);
    const kindOf = (tile: Tile, index: PayloadIndex) => (index === 0 ? 0 : index === tile.hlod ? 2 : 1);
    const running = [0, 0, 0];
    let parsed = 0;
    for (const tile of this.#tiles) {
      tile.payloads.forEach(({ state, file }, index) => {
        if (state !== LOADING) return;
        running[kindOf(tile, index)]++;
        if (index === 0) parsed += file;
      });
    }
    let waits = false;
    for (const kind of [0, 1, 2]) {
      for (const { tile, index } of wanting) {
        if (kindOf(tile, index) !== kind) continue;
        const one = tile.payloads[index];
        const isFree = running[kind] < [FULL_LOADS, LOD_LOADS, HLOD_LOADS][kind];
        const fits = kind !== 0 || running[0] === 0 || parsed + one.file <= PARSE_BYTES;
        if (!isFree || !fits) {
          waits = true;
          continue;
        }
        one.state = LOADING;
        one.delay = this.#options.connection.delay;
        one.missing = one.file;
        running[kind]++;
        if (kind === 0) parsed += one.file;
      }
    }
    return waits;
  }

  /** Changes what is shown of a tile, no sooner than a second after the last change. */
  #show(tile: Tile): void {
    const { payloads, lods, hlod, wanted, shown } = tile;
    const has = (index: PayloadIndex) => index >= 0 && payloads[index].state === LOADED;
    let next = -1;
    if (has(0)) next = 0;
    else if (has(wanted)) next = wanted;
    else next = [...lods, hlod].find(has) ?? -1;
    if (next === shown) return;
    const isGone = !has(shown);
    if (!isGone && this.#time - tile.shownSince < DWELL - 1e-9) return;
    tile.shown = next;
    tile.shownSince = this.#time;
  }
}
