// What one call remembers of the texture files that it has made.

import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProductStore } from '../../src/textures/keptFiles.ts';
import { RememberedFiles } from '../../src/textures/rememberedFiles.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

const payload = (length: number, value: number) => new Uint8Array(length).fill(value);

describe('remembered files', () => {
  it('are found by kind and key', async () => {
    const files = new RememberedFiles(null);
    files.put('texture', 'a', payload(3, 1));
    expect(await files.find('texture', 'a')).toEqual(payload(3, 1));
    expect(await files.find('texture', 'b')).toBeNull();
    expect(await files.find('other', 'a')).toBeNull();
  });

  it('take no more memory than they may: what was asked for longest ago goes', async () => {
    const files = new RememberedFiles(null, 10);
    files.put('texture', 'a', payload(4, 1));
    files.put('texture', 'b', payload(4, 2));
    await files.find('texture', 'a');
    files.put('texture', 'c', payload(4, 3));
    files.put('texture', 'large', payload(11, 4));
    const found = await Promise.all(['a', 'b', 'c', 'large'].map((key) => files.find('texture', key)));
    expect(found.map((bytes) => bytes?.[0] ?? null)).toEqual([1, null, 3, null]);
  });

  it('go to the store behind them too, which is asked for all others', async () => {
    const asked: string[] = [];
    const given: string[] = [];
    const behind: ProductStore = {
      find: async (_, key) => {
        asked.push(key);
        return key === 'old' ? payload(1, 7) : null;
      },
      put: (_, key) => given.push(key),
    };
    const files = new RememberedFiles(behind);
    files.put('texture', 'new', payload(2, 1));
    expect(await files.find('texture', 'new')).toEqual(payload(2, 1));
    expect(await files.find('texture', 'old')).toEqual(payload(1, 7));
    expect(await files.find('texture', 'none')).toBeNull();
    files.inMemory.put('texture', 'copy', payload(1, 9));
    expect(await files.inMemory.find('texture', 'copy')).toEqual(payload(1, 9));
    expect(await files.inMemory.find('texture', 'old')).toBeNull();
    expect(given).toEqual(['new']);
    expect(asked).toEqual(['old', 'none']);
  });
});

describe('sources of a call that share an image', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    put(folder, 'wood.png', RED_PNG);
    put(folder, 'a.gltf', squareGltf({ image: 'wood.png' }));
    put(folder, 'b.gltf', squareGltf({ image: 'wood.png', size: 2 }));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  it('make its texture once, without a cache and where everything is cooked again', async () => {
    const made = vi.spyOn(RememberedFiles.prototype, 'remember');
    for (const words of [['--no-cache'], ['--force-rebuild'], ['--no-cache', '--textures', 'keep']]) {
      made.mockClear();
      const out = `tiles${words.join('')}`;
      const { code } = await untold(folder, ['cook', 'a.gltf', 'b.gltf', '--out', out, ...words]);
      expect([words, code, made.mock.calls.length]).toEqual([words, 0, 1]);
    }
  });
});
