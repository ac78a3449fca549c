// Which exceptions tell of the machine: real ones of Node, V8 and the system wherever a test can cause them.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { diagnostic, SourceError } from '../../src/diagnostics/diagnostic.ts';
import { environmentFault, faultsOf, loadLibrary, requireLibrary } from '../../src/diagnostics/environment.ts';

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const codeOf = (error: unknown) => environmentFault(error, 'town.glb')?.code ?? null;

describe('environmentFault', () => {
  test('takes memory that was not given for UC1102, with the file and the tile', () => {
    // 2^52 bytes fit no machine's address space.
    const error = thrown(() => new ArrayBuffer(2 ** 52));
    expect(environmentFault(error, 'town.glb', 'tile_0_0_0')).toMatchObject({
      code: 'UC1102',
      severity: 'error',
      file: 'town.glb',
      path: 'tile_0_0_0',
      message: 'no memory: Array buffer allocation failed',
    });
    const wasm = 'WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance';
    for (const message of [wasm, `Aborted(RangeError: ${wasm})`, 'WebAssembly.Memory(): could not allocate memory']) {
      expect(codeOf(new RangeError(message))).toBe('UC1102');
    }
    expect(codeOf(Object.assign(new Error('x'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }))).toBe('UC1102');
  });

  test('takes modules that are missing for UC1101, and says so in one line', () => {
    const error = thrown(() => createRequire(import.meta.url)('a-module-that-is-not-there'));
    expect(environmentFault(error, '')).toMatchObject({
      code: 'UC1101',
      message: "Cannot find module 'a-module-that-is-not-there'",
    });
  });

  test('takes calls that the system refuses for UC1103, and a working folder that is gone for UC1100', () => {
    expect(
      environmentFault(
        thrown(() => readFileSync('/nothing/there')),
        '',
      ),
    ).toMatchObject({
      code: 'UC1103',
      message: 'ENOENT at open of /nothing/there',
    });
    expect(codeOf(Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'uv_cwd' }))).toBe('UC1100');
    const thread = Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
    expect(environmentFault(thread, '')).toMatchObject({ code: 'UC1103', message: 'EAGAIN at the start of a thread' });
  });

  test('leaves bugs alone', () => {
    expect(codeOf(thrown(() => new Uint32Array(new ArrayBuffer(8), 1)))).toBeNull();
    expect(codeOf(thrown(() => new Uint8Array(-1)))).toBeNull();
    expect(codeOf(thrown(() => (null as unknown as string).length))).toBeNull();
    expect(codeOf('a text')).toBeNull();
    expect(faultsOf(new TypeError('x'), 'town.glb')).toBeNull();
  });
});

describe('a library', () => {
  test('that cannot be loaded is named, however it says so', async () => {
    const error = thrown(() =>
      requireLibrary('lz4-napi', () => {
        throw new Error('Failed to load native binding\nthe rest');
      }),
    );
    // Where it was found out is told by whoever worked on a file.
    expect(faultsOf(error, 'town.glb', 'tile_0_0_0')).toEqual([
      diagnostic('UC1101', 'town.glb', 'tile_0_0_0', 'lz4-napi: Failed to load native binding'),
    ]);
    const late = loadLibrary('sharp', () => Promise.reject(new RangeError('Array buffer allocation failed')));
    await expect(late).rejects.toThrow('UC1102');
    expect(await loadLibrary('sharp', async () => 3)).toBe(3);
  });

  test('keeps the file of an error that has one', () => {
    const error = new SourceError(diagnostic('UC1200', 'a.png', '', 'no such file'));
    expect(faultsOf(error, 'town.glb')).toEqual(error.diagnostics);
    expect(faultsOf(new SourceError(diagnostic('UC1004', '', '', 'nothing')), 'town.glb')?.[0].file).toBe('');
  });
});
