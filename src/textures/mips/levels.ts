// Lays out what the kernel makes levels from (kernel/assembly/mips/layout.ts): windows, rows under way, and the levels.

import type { Address, Kernel } from '../../kernel/kernel.ts';
import { byteTable, linearTable } from './srgbTables.ts';
import type { MipRole, PlacedLevel } from './types.ts';
import { type FilterShape, LANCZOS3, SOFT, type WindowWeights, windowWeights } from './weights.ts';

const ROLES = { color: 0, normal: 1, data: 2, opacity: 2, height: 3 } as const;
/** Bytes of a texel while it is filtered. */
const WIDE = 16;

export function texelBytes(role: MipRole): number {
  return role === 'height' ? 2 : 4;
}

interface PlacedWindows extends WindowWeights {
  readonly address: Address;
}

/** Windows in memory; the same ones serve both axes of a square. */
class WindowsBySize {
  readonly #memory: Kernel;
  readonly #shape: FilterShape;
  readonly #placed = new Map<string, PlacedWindows>();

  constructor(memory: Kernel, shape: FilterShape) {
    this.#memory = memory;
    this.#shape = shape;
  }

  between(inputs: number, outputs: number): PlacedWindows {
    const key = `${inputs} ${outputs}`;
    const known = this.#placed.get(key);
    if (known) return known;
    const windows = windowWeights(inputs, outputs, this.#shape);
    const memory = this.#memory;
    const starts = memory.put(windows.starts);
    const weights = memory.put(Float32Array.from(windows.weights));
    const placed = { ...windows, address: memory.words(windows.taps, starts, weights) };
    this.#placed.set(key, placed);
    return placed;
  }
}

/** Rows of a ring: as many as lie between the first and the last row that any output of the given windows needs. */
export function slotsOf(inputs: number, ...filters: readonly WindowWeights[]): number {
  let slots = 1;
  for (let i = 0; i < filters[0].starts.length; i++) {
    let begin = inputs;
    let end = 0;
    for (const { starts, taps } of filters) {
      begin = Math.min(begin, starts[i]);
      end = Math.max(end, starts[i] + taps);
    }
    slots = Math.max(slots, Math.min(end, inputs) - begin);
  }
  return slots;
}

/** A level beside what the kernel leaves for it. */
export interface MadeLevel extends PlacedLevel {
  /** uint16 a texel, 65535 for 1, where they are asked for; otherwise 0. */
  readonly alphas: Address;
  /** uint16 a texel in levels of normals after the first; otherwise 0. */
  readonly lengths: Address;
}

export interface LevelsAsked {
  readonly role: MipRole;
  /** Sizes of the levels after the image; each is made from the one before. */
  readonly sizes: readonly (readonly [width: number, height: number])[];
  readonly keepAlphas: boolean;
  readonly keepLengths: boolean;
}

/** Makes levels from an image in memory. Normals of the image that are not of unit length are made so where they lie. */
export function makeLevels(memory: Kernel, image: PlacedLevel, asked: LevelsAsked): MadeLevel[] {
  const { role, sizes, keepAlphas, keepLengths } = asked;
  const pixels = image.width * image.height;
  const hasSoft = role === 'color' && !memory.calls.isOpaque(image.address, pixels);
  const sharp = new WindowsBySize(memory, LANCZOS3);
  const soft = new WindowsBySize(memory, SOFT);
  const all = [[image.width, image.height] as const, ...sizes];
  const levels: MadeLevel[] = [];
  const records: Address[] = [];
  for (const [i, [width, height]] of all.entries()) {
    const [w, h] = all[Math.max(0, i - 1)];
    const texels = width * height;
    const address = i === 0 ? image.address : memory.allocate(texels * texelBytes(role));
    const alphas = keepAlphas && i > 0 ? memory.allocate(texels * 2) : 0;
    const lengths = keepLengths && i > 0 ? memory.allocate(texels * 2) : 0;
    // A row is as long as the windows of the level that is made from it.
    const next = all[Math.min(i + 1, sizes.length)][0];
    const rowOf = (filter: WindowsBySize) =>
      memory.zeros(Math.max(width, i < sizes.length ? filter.between(width, next).taps : 0) * WIDE);
    const down = i === 0 ? null : sharp.between(h, height);
    const softDown = i === 0 || !hasSoft ? null : soft.between(h, height);
    const slots = down === null ? 0 : slotsOf(h, ...(softDown ? [down, softDown] : [down]));
    const place = (filter: WindowsBySize, windows: PlacedWindows | null) => {
      const across = windows === null ? 0 : filter.between(w, width).address;
      const ring = windows === null ? 0 : memory.allocate(slots * width * WIDE);
      return memory.words(across, windows?.address ?? 0, ring, rowOf(filter));
    };
    const sharpAt = place(sharp, down);
    const softAt = hasSoft ? place(soft, softDown) : 0;
    const finer = i === 0 ? 0 : records[i - 1];
    records.push(memory.words(width, height, address, finer, sharpAt, softAt, slots, 0, 0, alphas, lengths));
    levels.push({ width, height, address, alphas, lengths });
  }
  const tables = role === 'color' ? [memory.put(linearTable()), memory.put(byteTable())] : [0, 0];
  memory.calls.makeMips(memory.words(ROLES[role], memory.words(...records), records.length, ...tables));
  return levels;
}
