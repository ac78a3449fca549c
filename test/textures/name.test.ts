import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/bytes/sha256.ts';
import { createLimit } from '../../src/textures/limit.ts';
import { sanitizeStem, textureName } from '../../src/textures/name.ts';

describe('sanitizeStem', () => {
  it.each([
    ['wall-A_01', 'wall-A_01'],
    ['stone wall (2).final', 'stone_wall__2__final'],
    ['../../etc/passwd', '______etc_passwd'],
    ['Straße🧱', 'Stra_e_'],
    ['', 'texture'],
    ['aux', 'aux_'],
    ['LPT1', 'LPT1_'],
    ['console', 'console'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('makes %j %j', (stem, clean) => expect(sanitizeStem(stem)).toBe(clean));
});

describe('textureName', () => {
  // FIPS 180-2, example B.1: SHA-256 of "abc".
  const hash = sha256Hex(new TextEncoder().encode('abc'));

  it('ends with eight digits of the hash', () => {
    expect(textureName('wall', hash, 'png', new Set())).toBe('wall_ba7816bf.png');
  });

  it('takes more digits when another content has that name, compared without case', () => {
    expect(textureName('Wall', hash, 'png', new Set(['wall_ba7816bf.png']))).toBe('Wall_ba7816bf8f01cfea.png');
  });
});

describe('createLimit', () => {
  it('runs work in order, never more than so many at once, failures included', async () => {
    const limit = createLimit(2);
    let running = 0;
    let max = 0;
    const started: number[] = [];
    const results = await Promise.allSettled(
      [0, 1, 2, 3, 4].map((i) =>
        limit(async () => {
          started.push(i);
          max = Math.max(max, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running--;
          if (i === 1) throw new Error('no');
          return i;
        }),
      ),
    );
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect({ started, max, running }).toEqual({ started: [0, 1, 2, 3, 4], max: 2, running: 0 });
  });

  it('holds no more at once than its budget, but for work that is heavier alone', async () => {
    const limit = createLimit(3, 10);
    const open = new Set<number>();
    const seen: string[] = [];
    const work = (weight: number, i: number) =>
      limit(async () => {
        open.add(i);
        seen.push([...open].join());
        await new Promise((resolve) => setImmediate(resolve));
        open.delete(i);
      }, weight);
    // 4 and 6 fit together, 25 waits for both, 1 waits for 25, 9 fits beside it.
    await Promise.all([4, 6, 25, 1, 9].map(work));
    expect(seen).toEqual(['0', '0,1', '2', '3', '3,4']);
  });
});
