// What an eye sees: the six sides of a cube around it, drawn with the numbers of triangles (kernel/assembly/seen.ts). Nearer
// clusters come first, and what lies behind everything drawn so far is passed over: of a town that is nearly all.

import type { Address, Kernel } from '../kernel/kernel.ts';
import type { Vec3 } from '../scene/types.ts';
import type { Surface } from './surface.ts';
import { CLUSTER_TRIANGLES } from './surface.ts';
import { FACES } from './zone.ts';

/** Numbers of eight bytes that a view begins with. */
const VIEW_NUMBERS = 16;
/** What is nearer to an eye than this many metres is not seen. */
const NEAR = 0.01;
/** Sides of pictures are multiples of it. */
const TILE = 32;
/** Bytes of a tile, of its blocks and of a vertex, as the kernel has them (kernel/assembly/seenTiles.ts, seen.ts). */
const TILE_RECORD = 56;
const TILE_BLOCKS = 64;
const VERTEX = 48;

const OPAQUE = 0;
const CLEAR = 1;
const OPEN = 2;
const OPEN_AROUND = 3;

/** A part of the scene: its triangles, or the boxes that they lie in as long as nobody needs them. */
export interface Part {
  /** Relative to the middle of the zone, six numbers each: their least and greatest corners. */
  readonly boxes: Float32Array;
  readonly surface: Surface | null;
}

/** Triangles of a part that were seen, and in how many pixels. */
export interface SeenPart {
  readonly part: number;
  readonly triangles: Uint32Array;
  readonly pixels: Uint32Array;
}

export interface Look {
  readonly seen: readonly SeenPart[];
  /** Pixels that show an opaque surface. */
  readonly pixels: number;
  /** Parts that may be seen, and whose triangles are not here. */
  readonly missing: readonly number[];
  /** Parts with triangles that may be seen. */
  readonly drawn: readonly number[];
}

export type Side = (typeof FACES)[number];

/** From where, and how, parts are looked at. All positions are relative to the middle of the zone. */
export interface View {
  readonly eye: Vec3;
  /** Each looks along -back: the six of a cube, or one where rays are parallel. */
  readonly sides: readonly Side[];
  /** Pixels along each side. */
  readonly size: number;
  /** Pixels that a tangent of 1 covers; of parallel rays, that a metre covers. */
  readonly scale: number;
  /** 0: the eye is a point; otherwise rays are parallel, and reach so many metres. */
  readonly parallel: number;
  /** What is seen is seen in front of these surfaces or behind them; empty: everywhere. */
  readonly windows: readonly Surface[];
  /** Absent: windows end where they end. Otherwise all tiles of the picture are open that have a pixel so near to one. */
  readonly around?: number;
}

/** Pixels along a side of what is drawn of a view. */
export const picturePixels = ({ size }: View): number => Math.ceil(size / TILE) * TILE;

/** The views of each side alone. */
export const sideViews = (view: View): View[] => view.sides.map((side) => ({ ...view, sides: [side] }));

/** The six sides around an eye, at a sharpness of `scale` pixels for a tangent of 1, seen through windows if there are any. */
export function eyeView(eye: Vec3, scale: number, windows: readonly Surface[]): View {
  return { eye, sides: FACES, size: 2 * scale, scale, parallel: 0, windows };
}

/** The numbers of boxes in an order, and the boxes in it. */
export interface NearestFirst {
  readonly order: Uint32Array;
  readonly boxes: Float32Array;
}

/** The boxes of all clusters and of all parts without triangles, in the order of parts. */
export class Boxes {
  readonly count: number;
  /** Six numbers each. */
  readonly boxes: Float32Array;
  readonly parts: Uint32Array;
  /** The cluster of the part; WHOLE: the part itself, whose triangles are not here. */
  readonly clusters: Uint32Array;
  #last: (NearestFirst & { readonly key: string }) | null = null;

  constructor(parts: readonly Part[]) {
    const sizes = parts.map(({ boxes }) => boxes.length / 6);
    this.count = sizes.reduce((sum, size) => sum + size, 0);
    this.boxes = new Float32Array(this.count * 6);
    this.parts = new Uint32Array(this.count);
    this.clusters = new Uint32Array(this.count);
    let at = 0;
    for (const [part, { boxes, surface }] of parts.entries()) {
      this.boxes.set(boxes, at * 6);
      for (let cluster = 0; cluster < sizes[part]; cluster++, at++) {
        this.parts[at] = part;
        this.clusters[at] = surface ? cluster : WHOLE;
      }
    }
  }

  /** The nearest to an eye first: by millimetres, then by number. Sides of one eye share it. */
  nearestFirst(eye: Vec3): NearestFirst {
    const key = eye.join(' ');
    if (this.#last?.key !== key) {
      const order = this.#orderFrom(eye);
      this.#last = { key, order, boxes: inOrder(this.boxes, order) };
    }
    return this.#last;
  }

  #orderFrom(eye: Vec3): Uint32Array {
    const { boxes, count } = this;
    const keys = new Float64Array(count);
    for (let i = 0, at = 0; i < count; i++, at += 6) {
      let sum = 0;
      for (let axis = 0; axis < 3; axis++) {
        const away = Math.max(boxes[at + axis] - eye[axis], 0, eye[axis] - boxes[at + 3 + axis]);
        sum += away * away;
      }
      keys[i] = Math.min(Math.floor(Math.sqrt(sum) * 1000), 2 ** 29) * NUMBERS + i;
    }
    keys.sort();
    const order = new Uint32Array(count);
    for (let i = 0; i < count; i++) order[i] = keys[i] % NUMBERS;
    return order;
  }
}

const WHOLE = 0xffffffff;
/** More boxes than this are too many to be told apart in a key. */
const NUMBERS = 2 ** 23;

/** How many pixels each triangle is seen in. */
export class Counts {
  readonly #ofParts = new Map<number, Map<number, number>>();

  /** `pixels`: of the triangles of a cluster. */
  add(part: number, { firstTriangles, triangles }: Surface, cluster: number, pixels: Uint32Array): void {
    let known = this.#ofParts.get(part);
    const begin = firstTriangles[cluster];
    const count = firstTriangles[cluster + 1] - begin;
    for (let i = 0; i < count; i++) {
      if (pixels[i] === 0) continue;
      if (known === undefined) {
        known = new Map();
        this.#ofParts.set(part, known);
      }
      const triangle = triangles[begin + i];
      known.set(triangle, (known.get(triangle) ?? 0) + pixels[i]);
    }
  }

  seen(): SeenPart[] {
    return [...this.#ofParts].map(([part, pixels]) => ({
      part,
      triangles: Uint32Array.from(pixels.keys()),
      pixels: Uint32Array.from(pixels.values()),
    }));
  }
}

/** Arrays in the kernel's memory that hold a cluster. */
interface ClusterRoom {
  readonly positions: Float32Array;
  readonly indices: Uint16Array;
  readonly counts: Uint32Array;
}

/** Draws one side of the cube after another into memory that serves all of them. */
export class Sides {
  readonly size: number;
  /** As kernel/assembly/seenTiles.ts lays it out, with the room for its pixels. */
  readonly view: Address;
  readonly inverses: Address;
  readonly #memory: Kernel;
  readonly #positions: Address;
  readonly #indices: Address;
  readonly #room: Address;
  readonly #counts: Address;
  readonly #boxes: Address;
  readonly #boxCount: number;
  readonly #tiles: { readonly count: number; readonly records: Address; readonly leasts: Address };
  readonly #scale: number;
  #cluster: ClusterRoom | null = null;

  /** `boxes`: in the order in which they are asked for. `isNumbered`: whether somebody asks which triangles its pixels show. */
  constructor(memory: Kernel, view: View, boxes: Float32Array, isNumbered = true) {
    this.size = picturePixels(view);
    this.#scale = view.scale;
    this.#memory = memory;
    const pixels = this.size * this.size;
    const tiles = pixels / (TILE * TILE);
    // Only the room of tiles that need pixels is ever touched.
    this.inverses = memory.allocate(pixels * 4);
    const numbers = isNumbered ? memory.allocate(pixels * 4) : 0;
    this.#tiles = { count: tiles, records: memory.zeros(tiles * TILE_RECORD), leasts: memory.zeros(tiles * 4) };
    const { records, leasts } = this.#tiles;
    const blocks = memory.zeros(tiles * TILE_BLOCKS);
    const words = [this.size, records, leasts, blocks, this.inverses, numbers, 0, 0, view.around ?? 0];
    this.view = memory.record(new Array<number>(VIEW_NUMBERS).fill(0), words);
    const vertices = CLUSTER_TRIANGLES * 3;
    this.#positions = memory.allocate(vertices * 12);
    this.#indices = memory.allocate(CLUSTER_TRIANGLES * 6);
    this.#room = memory.allocate(vertices * VERTEX);
    this.#counts = memory.allocate(CLUSTER_TRIANGLES * 4);
    this.#boxes = memory.put(boxes);
    this.#boxCount = boxes.length / 6;
  }

  /** Gives whether something can be seen. */
  begin({ eye, parallel, windows, around }: View, side: Side): boolean {
    this.#place(eye, side, parallel);
    this.#memory.calls.clearSeen(this.view, windows.length === 0 ? 1 : 0);
    const mode = around === undefined ? OPEN : OPEN_AROUND;
    for (const window of windows) {
      for (let cluster = 0; cluster * 6 < window.boxes.length; cluster++) this.#draw(window, cluster, mode, 0);
    }
    return windows.length === 0 || this.#memory.calls.hasOpenTiles(this.view) !== 0;
  }

  /** Whether any box lies on a side: there is nothing to draw otherwise. */
  hasBoxes({ eye, parallel }: View, side: Side): boolean {
    this.#place(eye, side, parallel);
    this.#memory.calls.clearSeen(this.view, 1);
    return this.nextSeen(0) < this.#boxCount;
  }

  /** As begin(), for what stands out in front of sides that were drawn: its inverse depth is more than `factor` times theirs. */
  beginBefore(made: Sides, { eye, parallel }: View, side: Side, factor: number): void {
    this.#place(eye, side, parallel);
    this.#memory.calls.clearBefore(this.view, made.view, factor);
  }

  /** As begin(), for the tiles around marked pixels of another picture alone. The side may be of another eye, or turned. */
  beginAround(marked: Sides, { eye, parallel }: View, side: Side, around: number): void {
    this.#place(eye, side, parallel);
    this.#memory.calls.clearSeen(this.view, 0);
    this.#memory.calls.openMarked(this.view, marked.view, around);
  }

  #place(eye: Vec3, { right, up, back }: Side, parallel: number): void {
    const numbers = [...eye, ...right, ...up, ...back, this.#scale, NEAR, parallel];
    this.#memory.float64(this.view, numbers.length).set(numbers);
  }

  /** Of the boxes from `from` on the first one that may be seen; their count: none. */
  nextSeen(from: number): number {
    return this.#memory.calls.nextSeenBox(this.view, this.#boxes, from, this.#boxCount);
  }

  /** Draws a cluster; its first triangle has number `first`. Of clear ones gives the pixels of each triangle. */
  draw(surface: Surface, cluster: number, first: number): Uint32Array {
    return this.#draw(surface, cluster, surface.isClear ? CLEAR : OPAQUE, first);
  }

  #draw(
    { positions, indices, firstVertices, firstTriangles }: Surface,
    cluster: number,
    mode: number,
    first: number,
  ): Uint32Array {
    const memory = this.#memory;
    const [beginVertex, endVertex] = [firstVertices[cluster], firstVertices[cluster + 1]];
    const [begin, end] = [firstTriangles[cluster], firstTriangles[cluster + 1]];
    const vertices = endVertex - beginVertex;
    const count = end - begin;
    const room = this.#clusterRoom();
    room.positions.set(positions.subarray(beginVertex * 3, endVertex * 3));
    room.indices.set(indices.subarray(begin * 3, end * 3));
    const counts = room.counts.subarray(0, count);
    if (mode === CLEAR) counts.fill(0);
    const drawn = [this.#positions, vertices, this.#indices, count, first] as const;
    memory.calls.drawSeen(this.view, mode, ...drawn, this.#room, this.#counts);
    return counts;
  }

  /** Where clusters are put; memory that grows takes these arrays away. */
  #clusterRoom(): ClusterRoom {
    if (this.#cluster === null || this.#cluster.positions.length === 0) {
      const memory = this.#memory;
      const vertices = CLUSTER_TRIANGLES * 3;
      const { buffer } = memory.uint8(this.#indices, 0);
      this.#cluster = {
        positions: memory.float32(this.#positions, vertices * 3),
        indices: new Uint16Array(buffer, this.#indices, vertices),
        counts: memory.uint32(this.#counts, CLUSTER_TRIANGLES),
      };
    }
    return this.#cluster;
  }

  /** The pixels of each number, and of all together. */
  count(numbers: number): { readonly counts: Uint32Array; readonly pixels: number } {
    return this.#memory.within((memory) => {
      const counts = memory.zeros(numbers * 4);
      const pixels = memory.calls.countSeen(this.view, counts);
      return { counts: memory.uint32(counts, numbers).slice(), pixels };
    });
  }
}

/**
 * What a view shows of the parts. Parts without triangles hide nothing, and are listed where they are not hidden: side by side, the
 * nearest first. `boxes`: of the parts.
 */
export function lookFrom(kernel: Kernel, view: View, parts: readonly Part[], boxes: Boxes): Look {
  const { order, boxes: sorted } = boxes.nearestFirst(view.eye);
  return kernel.within((memory) => {
    const sides = new Sides(memory, view, sorted);
    const counts = new Counts();
    const missing = new Set<number>();
    const used = new Set<number>();
    let pixels = 0;
    for (const side of view.sides) {
      if (!sides.hasBoxes(view, side)) continue;
      if (!sides.begin(view, side)) continue;
      const { opaque, clear, triangles } = drawOpaque(sides, parts, boxes, order, missing, used);
      const shown = sides.count(triangles);
      pixels += shown.pixels;
      for (const { part, surface, cluster, first } of opaque) {
        counts.add(part, surface, cluster, shown.counts.subarray(first - 1));
      }
      countClear(sides, clear, parts, boxes, order, counts);
    }
    return { seen: counts.seen(), pixels, missing: [...missing], drawn: [...used] };
  });
}

export interface Drawn {
  readonly part: number;
  readonly surface: Surface;
  readonly cluster: number;
  /** The number of its first triangle. */
  readonly first: number;
}

/**
 * Draws what is opaque of the parts on a side that was begun; its boxes are in this order. Gives the clusters, the places in the
 * order of clear ones that may be seen, and how many triangles have numbers. `missing`, `used`: to these, parts without and with
 * triangles are added.
 */
export function drawOpaque(
  sides: Sides,
  parts: readonly Part[],
  boxes: Boxes,
  order: Uint32Array,
  missing: Set<number>,
  used: Set<number>,
): { readonly opaque: readonly Drawn[]; readonly clear: readonly number[]; readonly triangles: number } {
  const opaque: Drawn[] = [];
  const clear: number[] = [];
  let next = 1;
  for (let i = sides.nextSeen(0); i < order.length; i = sides.nextSeen(i + 1)) {
    const part = boxes.parts[order[i]];
    const cluster = boxes.clusters[order[i]];
    const { surface } = parts[part];
    if (surface === null) {
      missing.add(part);
      continue;
    }
    used.add(part);
    if (surface.isClear) clear.push(i);
    else {
      sides.draw(surface, cluster, next);
      opaque.push({ part, surface, cluster, first: next });
      next += surface.firstTriangles[cluster + 1] - surface.firstTriangles[cluster];
    }
  }
  return { opaque, clear, triangles: next - 1 };
}

/** Adds the pixels of clear clusters that nothing opaque hides. */
export function countClear(
  sides: Sides,
  clear: readonly number[],
  parts: readonly Part[],
  boxes: Boxes,
  order: Uint32Array,
  counts: Counts,
): void {
  for (const i of clear) {
    if (sides.nextSeen(i) !== i) continue;
    const part = boxes.parts[order[i]];
    const cluster = boxes.clusters[order[i]];
    const surface = parts[part].surface as Surface;
    counts.add(part, surface, cluster, sides.draw(surface, cluster, 0));
  }
}

/** Boxes, six numbers each, in an order. */
function inOrder(boxes: Float32Array, order: Uint32Array): Float32Array {
  const sorted = new Float32Array(boxes.length);
  for (let i = 0; i < order.length; i++) {
    const from = order[i] * 6;
    for (let k = 0; k < 6; k++) sorted[i * 6 + k] = boxes[from + k];
  }
  return sorted;
}
