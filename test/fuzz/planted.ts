// Readers with faults of their own, by which the tests see that fuzzing finds such faults.

import { damageBytes } from './mutators/bytes.ts';
import type { Reader } from './reader.ts';

const seeds = () => [{ name: 'sound', bytes: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0) }];

const planted = (name: string, fault: (bytes: Uint8Array) => unknown): Reader => ({
  name,
  seeds,
  damage: damageBytes,
  read: async ({ bytes }) => {
    if (bytes[3] === 0 || bytes.length < 4) return [];
    await fault(bytes);
    return [];
  },
});

/** A module that loops for ever: (func (loop (br 0))), exported as f. */
const LOOP = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0, 10, 9, 1, 7, 0, 3, 0x40,
  0x0c, 0, 0x0b, 0x0b,
]);

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: { f(): void } };
};

const kept: unknown[] = [];

export const PLANTED: readonly Reader[] = [
  planted('planted-loop', () => {
    for (;;);
  }),
  planted('planted-wasm-loop', () => new WebAssembly.Instance(new WebAssembly.Module(LOOP)).exports.f()),
  planted('planted-wait', () => new Promise(() => {})),
  planted('planted-exception', (bytes) => (bytes as unknown as { absent: { deep: number } }).absent.deep),
  planted('planted-late-exception', async () => {
    setImmediate(() => {
      throw new Error('late');
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }),
  planted('planted-memory', () => {
    for (let i = 0; i < 64; i++) kept.push(new Uint8Array(2 ** 24).fill(i + 1));
  }),
  planted('planted-heap', () => {
    for (;;) kept.push(new Array(100_000).fill(kept.length));
  }),
  {
    ...planted('planted-code', () => {}),
    read: async ({ bytes }) => (bytes[3] === 0 || bytes.length < 4 ? [] : ['UC1102']),
  },
  planted('planted-end', () => process.kill(process.pid, 'SIGKILL')),
];
