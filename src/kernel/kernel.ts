// The kernel of this thread: one WebAssembly instance and its memory, laid out by whoever calls it. Its source is
// assembly/, compiled as kernel.wasm (kernel.config.mjs). The main thread compiles the module once and hands it to the
// workers.

import { readFileSync } from 'node:fs';
import { diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import { requireLibrary } from '../diagnostics/environment.ts';
import type { Address, KernelCalls } from './calls.ts';

export type { Address, KernelCalls };

/** A compiled module; only its identity counts here. */
export type KernelModule = object;

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

type Exports = KernelCalls & { readonly memory: Memory; memoryBase(): Address };

/** Type of what is used of the global WebAssembly, which the types of Node leave out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => KernelModule;
  readonly Instance: new (module: KernelModule) => { readonly exports: unknown };
};

const PAGE = 65536;
/** One page less than addresses reach, so that the end of the memory has an address too. */
const MAX_BYTES = 65535 * PAGE;
/** Memory grows by whole megabytes. */
const STEP = 1 << 20;
/** Memory beyond this goes back after use unless a kernel is made with another limit; it never shrinks otherwise. */
const KEPT_BYTES = 32 << 20;
/** Allocations begin at multiples of this many bytes: enough for every SIMD load. */
const ALIGNMENT = 16;

/** Bundled or not, the module stands beside the code. */
const file = new URL('./kernel.wasm', import.meta.url);

let compiled: KernelModule | null = null;

/** The compiled kernel, for other threads. Throws UC1101 or UC1102 where it cannot be had. */
export function kernelModule(): KernelModule {
  compiled ??= requireLibrary('the kernel', () => new WebAssembly.Module(readFileSync(file)));
  return compiled;
}

/** Makes this thread use a module that another thread has compiled. */
export function useKernelModule(module: KernelModule): void {
  compiled = module;
}

/**
 * The kernel and its memory. All use of it is inside `within`, so that nothing else runs meanwhile: cooks that take turns in
 * one thread share it. Memory has two parts: what is kept for one owner, and above it what a call of `within` lays out.
 */
export class Kernel {
  #exports: Exports | null = null;
  /** Where the next allocation begins. */
  #top: Address = 0;
  #depth = 0;
  #kept: { readonly owner: object; readonly value: unknown; end: Address } | null = null;
  readonly #maxKept: number;

  /** `maxKept`: memory beyond so many bytes goes back after use. */
  constructor(maxKept = KEPT_BYTES) {
    this.#maxKept = maxKept;
  }

  /** The functions of the module. */
  get calls(): KernelCalls {
    return this.#instance();
  }

  /** How large the memory is at present. */
  get bytes(): number {
    return this.#exports?.memory.buffer.byteLength ?? 0;
  }

  #instance(): Exports {
    if (this.#exports) return this.#exports;
    const module = kernelModule();
    const { exports } = requireLibrary('the kernel', () => new WebAssembly.Instance(module));
    this.#exports = exports as Exports;
    this.#top = this.#exports.memoryBase();
    return this.#exports;
  }

  /** Runs `work`, gives its result, and frees what it allocated. `work` must be synchronous. */
  within<T>(work: (kernel: Kernel) => T): T {
    this.#instance();
    const begin = this.#top;
    this.#depth++;
    try {
      return work(this);
    } finally {
      this.#depth--;
      // Only the outermost call can have laid out what is kept.
      this.#top = this.#depth > 0 ? begin : (this.#kept?.end ?? this.#instance().memoryBase());
      if (this.#depth === 0 && this.bytes > this.#maxKept) {
        this.#exports = null;
        this.#kept = null;
      }
    }
  }

  /**
   * The value that `make` gave for this owner before, if its allocations are still in memory; otherwise calls `make`. Call
   * it first in `within`, before anything is allocated. `owner` only identifies the value; it is held in memory until
   * another owner comes.
   */
  kept<T>(owner: object, make: (kernel: Kernel) => T): T {
    if (this.#kept?.owner === owner) return this.#kept.value as T;
    if (this.#depth !== 1) throw new Error('data is kept inside one call of `within` only');
    this.#kept = null;
    this.#top = this.#instance().memoryBase();
    const value = make(this);
    this.#kept = { owner, value, end: this.#top };
    return value;
  }

  /** Runs `work`, whose allocations are added to what is kept. Call it right after `kept`. */
  addKept(work: () => void): void {
    const kept = this.#kept;
    if (kept === null || this.#depth !== 1 || this.#top !== kept.end) throw new Error('something else was allocated');
    work();
    kept.end = this.#top;
  }

  /** Allocates this many bytes, uninitialised. Views that were made before must not be used again. Throws UC1102. */
  allocate(bytes: number): Address {
    const { memory } = this.#instance();
    const at = Math.ceil(this.#top / ALIGNMENT) * ALIGNMENT;
    const end = at + bytes;
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) {
      const grown = Math.min(MAX_BYTES, memory.buffer.byteLength + Math.ceil(missing / STEP) * STEP);
      try {
        if (end > MAX_BYTES) throw new RangeError();
        memory.grow((grown - memory.buffer.byteLength) / PAGE);
      } catch {
        throw new SourceError(diagnostic('UC1102', '', '', `no memory: the kernel needs ${Math.ceil(end / STEP)} MB`));
      }
    }
    this.#top = end;
    return at;
  }

  /** Copies an array into memory. */
  put(array: Float32Array | Float64Array | Uint32Array | Uint16Array | Uint8Array): Address {
    const at = this.allocate(array.byteLength);
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    new Uint8Array(this.#instance().memory.buffer, at, array.byteLength).set(bytes);
    return at;
  }

  /** Allocates this many bytes, all 0. */
  zeros(bytes: number): Address {
    const at = this.allocate(bytes);
    this.uint8(at, bytes).fill(0);
    return at;
  }

  /** Writes words one after the other: addresses and counts of what assembly/layout.ts names. */
  words(...words: readonly number[]): Address {
    return this.put(Uint32Array.from(words));
  }

  /** Writes numbers of eight bytes, then words: what assembly/ lays out in that order. */
  record(numbers: readonly number[], words: readonly number[]): Address {
    const at = this.allocate(numbers.length * 8 + words.length * 4);
    this.float64(at, numbers.length).set(numbers);
    this.uint32(at + numbers.length * 8, words.length).set(words);
    return at;
  }

  /** A view of the memory, void after the next allocation. */
  uint8(at: Address, length: number): Uint8Array {
    return new Uint8Array(this.#instance().memory.buffer, at, length);
  }

  /** A view of the memory, void after the next allocation. */
  uint32(at: Address, length: number): Uint32Array {
    return new Uint32Array(this.#instance().memory.buffer, at, length);
  }

  /** A view of the memory, void after the next allocation. */
  int32(at: Address, length: number): Int32Array {
    return new Int32Array(this.#instance().memory.buffer, at, length);
  }

  /** A view of the memory, void after the next allocation. */
  float32(at: Address, length: number): Float32Array {
    return new Float32Array(this.#instance().memory.buffer, at, length);
  }

  /** A view of the memory, void after the next allocation. */
  float64(at: Address, length: number): Float64Array {
    return new Float64Array(this.#instance().memory.buffer, at, length);
  }
}

/** The kernel of this thread. */
export const kernel = new Kernel();
