// The kernel's memory: what is laid out, what stays, how it grows and ends.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { faultsOf } from '../../src/diagnostics/environment.ts';
import { Kernel, kernelModule } from '../../src/kernel/kernel.ts';

declare const WebAssembly: { readonly Module: { imports(module: object): unknown[] } };

const MB = 1 << 20;

test('the module imports nothing, is small, and is compiled once', () => {
  expect(WebAssembly.Module.imports(kernelModule())).toEqual([]);
  expect(kernelModule()).toBe(kernelModule());
  expect(readFileSync(resolve(import.meta.dirname, '../../src/kernel/kernel.wasm')).length).toBeLessThan(128 << 10);
});

describe('memory', () => {
  test('holds arrays of any kind, aligned, and grows under them', () => {
    new Kernel().within((memory) => {
      const floats = memory.put(Float64Array.of(1.5, -2, 1e300));
      const words = memory.put(Uint32Array.of(7, 0xffffffff).subarray(1));
      const before = memory.bytes;
      const large = memory.allocate(5 * MB);
      expect(memory.bytes).toBeGreaterThanOrEqual(before + 5 * MB - MB);
      memory.float64(large, (5 * MB) / 8).fill(3);
      expect([...memory.float64(floats, 3)]).toEqual([1.5, -2, 1e300]);
      expect([...memory.uint32(words, 1)]).toEqual([0xffffffff]);
      for (const address of [floats, words, large, memory.words(1, 2, 3)]) expect(address % 16).toBe(0);
    });
  });

  test('what is kept grows by what is added right after it', () => {
    const kernel = new Kernel();
    const owner = {};
    const first = kernel.within((memory) => {
      memory.kept(owner, () => null);
      let added = 0;
      memory.addKept(() => {
        added = memory.put(Uint32Array.of(5));
      });
      expect(() => memory.addKept(() => {})).not.toThrow();
      memory.allocate(64);
      expect(() => memory.addKept(() => {})).toThrow('something else was allocated');
      return added;
    });
    kernel.within((memory) => {
      memory.kept(owner, () => expect.unreachable());
      expect(memory.allocate(16)).toBeGreaterThan(first);
      expect([...memory.uint32(first, 1)]).toEqual([5]);
    });
    expect(() => new Kernel().addKept(() => {})).toThrow('something else was allocated');
  });

  test('is free again after use, after a failure too', () => {
    const kernel = new Kernel();
    const first = kernel.within((memory) => memory.allocate(100));
    expect(() =>
      kernel.within((memory) => {
        memory.allocate(1000);
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(kernel.within((memory) => memory.allocate(100))).toBe(first);
    kernel.within((memory) => {
      const outer = memory.allocate(16);
      const inner = memory.within(() => memory.allocate(16));
      expect(inner).toBeGreaterThan(outer);
      expect(memory.allocate(16)).toBe(inner);
    });
  });

  test('goes back when much was used', () => {
    const kernel = new Kernel();
    kernel.within((memory) => memory.allocate(MB));
    expect(kernel.bytes).toBeGreaterThan(MB);
    kernel.within((memory) => memory.allocate(40 * MB));
    expect(kernel.bytes).toBe(0);
    expect(kernel.within((memory) => memory.put(Uint32Array.of(1)))).toBeGreaterThan(0);
  });

  test('that cannot be had is a fault of the machine', () => {
    const kernel = new Kernel();
    const ask = () => kernel.within((memory) => memory.allocate(2 ** 32));
    expect(ask).toThrow(SourceError);
    try {
      ask();
    } catch (error) {
      const [fault] = faultsOf(error, 'town.glb', 'tile 0_0_0') ?? [];
      expect(fault).toMatchObject({ code: 'UC1102', file: 'town.glb', path: 'tile 0_0_0' });
      expect(fault.message).toContain('the kernel needs 4097 MB');
    }
    expect(kernel.within((memory) => memory.uint32(memory.put(Uint32Array.of(5)), 1)[0])).toBe(5);
  });
});

describe('what is kept', () => {
  const keep = (kernel: Kernel, owner: object, value: number) =>
    kernel.within((memory) => {
      const at = memory.kept(owner, () => memory.put(Uint32Array.of(value)));
      // What is laid out above it does not touch it.
      memory.put(new Uint32Array(100));
      return memory.uint32(at, 1)[0];
    });

  test('stays for its owner until another one comes', () => {
    const kernel = new Kernel();
    const [a, b] = [{}, {}];
    expect(keep(kernel, a, 1)).toBe(1);
    expect(keep(kernel, a, 2)).toBe(1);
    expect(keep(kernel, b, 3)).toBe(3);
    expect(keep(kernel, a, 4)).toBe(4);
  });

  test('is made again where making it failed or its memory went back', () => {
    const kernel = new Kernel();
    const owner = {};
    const fail = () => {
      throw new Error('stop');
    };
    expect(() => kernel.within((memory) => memory.kept(owner, fail))).toThrow('stop');
    expect(keep(kernel, owner, 1)).toBe(1);
    kernel.within((memory) => memory.allocate(40 * MB));
    expect(keep(kernel, owner, 2)).toBe(2);
  });

  test('is laid out before all else', () => {
    const kernel = new Kernel();
    expect(() => kernel.within((memory) => memory.within(() => memory.kept({}, () => 1)))).toThrow('kept');
  });
});
