// Reads plain values of long number arrays in the kernel (kernel/assembly/numberText.ts), which takes two thirds of the time
// of the loop in numberArrays.ts. That loop reads everything else, and whatever is wrong.

import { type Address, type Kernel, kernel } from '../../../../kernel/kernel.ts';
import type { UsdaCursor } from '../cursor.ts';
import type { NumberArray } from './numberTypes.ts';
import type { Component, ValueType } from './valueTypes.ts';

/** The components that the kernel reads, by their numbers there. */
const COMPONENTS: Partial<Record<Component, number>> = { uchar: 0, int: 1, uint: 2, float: 3, double: 4 };

/** In smaller layers and for shorter arrays the loop in numberArrays.ts is faster: loading and calling the kernel takes time. */
const MIN_LAYER_BYTES = 2 ** 20;
const MIN_ARRAY_BYTES = 2 ** 10;

/** The text that lies in the kernel's memory at a time. */
const WINDOW = 2 ** 16;
/** Zeros after the text, where the kernel stops. */
const PADDING = 16;
/** A number takes two bytes of text at least, a digit and a comma, and eight bytes of memory at most. */
const NUMBER_BYTES = (WINDOW / 2) * 8;

/** After so many values that are not plain, none between them, the rest of an array is not tried. */
const MAX_MISSES = 64;
const NONE = new Uint8Array(0);

export class PlainNumbers {
  readonly #cursor: UsdaCursor;
  readonly #type: ValueType;
  readonly #component: number;
  readonly #end: number;
  readonly #memory: Kernel;
  readonly #text: Address;
  readonly #numbers: Address;
  readonly #read: Address;
  /** The range of the layer that lies at `text`. */
  #from = 0;
  #to = 0;
  #misses = 0;

  /** `end`: where the text of the array ends, with its bracket. To be used inside of `memory.within`. */
  constructor(memory: Kernel, cursor: UsdaCursor, type: ValueType, end: number) {
    this.#memory = memory;
    this.#cursor = cursor;
    this.#type = type;
    this.#component = COMPONENTS[type.component] as number;
    this.#end = end;
    this.#text = memory.allocate(WINDOW + PADDING);
    this.#numbers = memory.allocate(NUMBER_BYTES);
    this.#read = memory.allocate(4);
  }

  /** Reads values and moves the cursor past them. The result is void after the next call; empty: the next one is not plain. */
  next(): NumberArray {
    if (this.#misses > MAX_MISSES) return NONE;
    let numbers = this.#readWindow();
    if (numbers.length === 0 && this.#moveWindow()) numbers = this.#readWindow();
    this.#misses = numbers.length === 0 ? this.#misses + 1 : 0;
    return numbers;
  }

  /** Reads what of the window is after the cursor. */
  #readWindow(): NumberArray {
    const { rank, width } = this.#type;
    const { pos } = this.#cursor;
    if (pos < this.#from || pos >= this.#to) return NONE;
    const text = this.#text + pos - this.#from;
    const { calls } = this.#memory;
    const count = calls.readPlainNumbers(text, rank, width, this.#component, this.#numbers, this.#read);
    if (count === 0) return NONE;
    this.#cursor.pos += this.#memory.uint32(this.#read, 1)[0];
    return this.#numbersOf(count);
  }

  /**
   * Puts text from the cursor on into the kernel's memory. A value that is cut by the end of the window is in the next one.
   * False if half of the text is still to be read: then its first value is not plain, and copying it again would not help.
   */
  #moveWindow(): boolean {
    const { bytes, pos } = this.#cursor;
    if (pos >= this.#end || (pos < this.#to && (this.#to === this.#end || pos < this.#from + WINDOW / 2))) return false;
    this.#from = pos;
    this.#to = Math.min(pos + WINDOW, this.#end);
    const length = this.#to - pos;
    const text = this.#memory.uint8(this.#text, length + PADDING);
    text.set(bytes.subarray(pos, this.#to));
    text.fill(0, length);
    return true;
  }

  #numbersOf(count: number): NumberArray {
    const at = this.#numbers;
    switch (this.#type.component) {
      case 'uchar':
        return this.#memory.uint8(at, count);
      case 'int':
        return this.#memory.int32(at, count);
      case 'uint':
        return this.#memory.uint32(at, count);
      case 'double':
        return this.#memory.float64(at, count);
      default:
        return this.#memory.float32(at, count);
    }
  }
}

/**
 * Runs `work`, which reads the array whose text goes from the cursor to the bracket at `close`, with a reader of its plain
 * values; null if the kernel is not worth it, or cannot read the type.
 */
export function withPlainNumbers<T>(
  cursor: UsdaCursor,
  type: ValueType,
  close: number,
  work: (plain: PlainNumbers | null) => T,
): T {
  const isLong = cursor.bytes.length >= MIN_LAYER_BYTES && close - cursor.pos >= MIN_ARRAY_BYTES;
  if (!isLong || COMPONENTS[type.component] === undefined) return work(null);
  return kernel.within((memory) => work(new PlainNumbers(memory, cursor, type, close + 1)));
}
