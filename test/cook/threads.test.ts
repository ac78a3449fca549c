// Cooks in several threads: the same bytes and the same words as in one, whatever comes in what order.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CookSettings } from '../../src/config/types.ts';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookJob, CookOutcome } from '../../src/cook/types.ts';
import { diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { KEPT_TEXTURES } from '../../src/textures/types.ts';
import { inOrder } from '../../src/workers/inOrder.ts';
import { JobFailure } from '../../src/workers/jobRunner.ts';
import type { JobScene, PayloadJob } from '../../src/workers/jobs.ts';
import { buffersOf, withOwnArrays } from '../../src/workers/transfer.ts';
import { WorkerPool } from '../../src/workers/workerPool.ts';
import { contents } from '../support/files.ts';
import { squares } from './squares.ts';

const folder = mkdtempSync(join(tmpdir(), 'untold-threads-'));
const pool = new WorkerPool(3);
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeAll(() => {
  writeFileSync(join(folder, 'squares.glb'), squares());
  writeFileSync(join(folder, 'flat.glb'), squares([4, 7]));
});

async function cook(
  source: string,
  out: string,
  threads: WorkerPool,
  settings: Partial<CookSettings> = {},
  only: string | null = null,
) {
  const job: CookJob = {
    source: join(folder, source),
    root: null,
    target: { kind: 'folder', folder: join(folder, out), sceneName: 'squares' },
    settings: { missingTexture: 'error', tileSize: 30, compress: 'lz4', lods: [0.5], hlod: 0.1, ...settings },
    policy: LENIENT,
    force: false,
    only,
  };
  return cookSource(job, { pool: threads });
}

const words = ({ status, diagnostics, totals }: CookOutcome) => ({ status, diagnostics, totals });

describe('three threads', () => {
  let one: CookOutcome;
  let expected: Readonly<Record<string, string>>;
  beforeAll(async () => {
    one = await cook('squares.glb', 'one', new WorkerPool(1));
    expected = contents(join(folder, 'one'));
  });

  test('write the bytes of one, again and again, and say the same', async () => {
    expect(one.status).toBe('ok');
    expect(one.totals?.tiles).toBe(9);
    expect(one.diagnostics.map(({ code }) => code)).toContain('UC2001');
    expect(Object.keys(expected).length).toBeGreaterThan(20);
    for (const out of ['three', 'again']) {
      const many = await cook('squares.glb', out, pool);
      expect(words(many)).toEqual(words(one));
      expect(contents(join(folder, out))).toEqual(expected);
    }
  });

  test('tell of the same place in the scene when something is wrong in several', async () => {
    const flat = await cook('flat.glb', 'flat1', new WorkerPool(1));
    const many = await cook('flat.glb', 'flat3', pool);
    expect(flat.diagnostics.filter(({ code }) => code === 'UC2010').map(({ path }) => path)).toHaveLength(2);
    expect(words(many)).toEqual(words(flat));
    expect(contents(join(folder, 'flat3'))).toEqual(contents(join(folder, 'flat1')));
  });

  test.each([
    ['one thread', new WorkerPool(1)],
    ['three', pool],
  ])('say of one tile what its meshes say, though a neighbour was prepared before it: %s', async (_, threads) => {
    const { tiles } = JSON.parse(readFileSync(join(folder, 'one', 'squares.json'), 'utf8'));
    const middle = tiles.find(({ center }: { center: number[] }) => Math.hypot(center[0] - 45, center[2] - 45) < 1);
    const tile = await cook('squares.glb', 'one', threads, {}, middle.tile_id);
    expect(tile.totals?.tiles).toBe(1);
    const dropped = ({ diagnostics }: CookOutcome) => diagnostics.filter(({ code }) => code === 'UC2001');
    expect(dropped(tile)).toHaveLength(1);
    expect(dropped(tile)).toEqual(dropped(one));
  });

  test('leave nothing behind when a payload fails, and cook the next source', async () => {
    // Nine tiles that need version 2 or more, asked to be version 1 with emission.
    const glowing = Buffer.from(squares())
      .toString('latin1')
      .replace('"name":"Green_1",', '"name":"Gr","emissiveFactor":[1,1,1],');
    const text = Buffer.from(glowing, 'latin1');
    // The lengths of the JSON chunk and of the whole change with it.
    const grown = text.length - squares().length;
    const pad = (4 - (grown % 4)) % 4;
    const jsonLength = text.readUInt32LE(12);
    const whole = Buffer.concat([
      text.subarray(0, 20 + jsonLength + grown),
      Buffer.alloc(pad, 0x20),
      text.subarray(20 + jsonLength + grown),
    ]);
    whole.writeUInt32LE(whole.length, 8);
    whole.writeUInt32LE(jsonLength + grown + pad, 12);
    writeFileSync(join(folder, 'glowing.glb'), whole);
    const failed = await cook('glowing.glb', 'failed', pool, { formatVersion: 1 });
    expect(failed.status).toBe('failed');
    expect(failed.diagnostics.map(({ code }) => code)).toContain('UC3150');
    expect(() => readdirSync(join(folder, 'failed'))).toThrow();
    const alone = await cook('glowing.glb', 'failed', new WorkerPool(1), { formatVersion: 1 });
    expect(words(failed)).toEqual(words(alone));
    const next = await cook('squares.glb', 'next', pool);
    expect(next.status).toBe('ok');
    expect(contents(join(folder, 'next'))).toEqual(expected);
  });
});

test('results are taken in order, and the first failure in order is the one that counts', async () => {
  const begun: number[] = [];
  const done: number[] = [];
  const work = (n: number): Promise<number> => {
    begun.push(n);
    return new Promise((resolve, reject) => {
      setTimeout(() => (n === 4 || n === 3 ? reject(new Error(`item ${n}`)) : resolve(n * 10)), n === 3 ? 20 : 1);
    });
  };
  const take = async () => {
    for await (const [item, result] of inOrder([1, 2, 3, 4, 5, 6, 7, 8], 3, work)) {
      expect(result).toBe(item * 10);
      done.push(item);
    }
  };
  await expect(take()).rejects.toThrow('item 3');
  expect(done).toEqual([1, 2]);
  // Item 5 began when item 2 was taken; 6 never.
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});

test('what changes threads takes along whole buffers only, and copies own theirs', () => {
  const buffer = new ArrayBuffer(64);
  const view = new Uint8Array(buffer, 8, 16);
  const whole = Float32Array.of(1, 2, 3);
  expect(buffersOf({ a: [view], b: new Map([['c', whole]]), d: whole })).toEqual([whole.buffer]);
  const { copy, buffers } = withOwnArrays({ view, twice: view, map: new Map([['whole', whole]]), text: 'x', n: null });
  expect(copy.view).toEqual(view);
  expect(copy.view.buffer).not.toBe(buffer);
  expect(copy.twice).toBe(copy.view);
  expect(copy.map.get('whole')).toEqual(whole);
  expect(copy.map.get('whole')).not.toBe(whole);
  expect([copy.text, copy.n]).toEqual(['x', null]);
  // Both are small: they share one buffer, each where its kind may begin.
  expect(buffers).toEqual([copy.view.buffer]);
  expect(copy.map.get('whole')!.buffer).toBe(copy.view.buffer);
  const pooled = withOwnArrays(Buffer.from('abc')).copy;
  expect([pooled.constructor, ...pooled]).toEqual([Uint8Array, 97, 98, 99]);
});

test('large arrays change threads in buffers of their own, thousands of small ones in few', () => {
  const large = new Float64Array(1000).fill(7);
  const small = Array.from({ length: 5000 }, (_, i) => Float32Array.of(i, -i, 0.5));
  const { copy, buffers } = withOwnArrays({ large, small, none: new Uint32Array(0) });
  expect(copy.large.buffer.byteLength).toBe(8000);
  expect(copy.small.map(([i, j]) => i + j)).toEqual(small.map(() => 0));
  expect(copy.small[4999]).toEqual(small[4999]);
  expect(copy.none).toEqual(new Uint32Array(0));
  // 5000 arrays of 12 bytes, each on 8: 80,000 bytes in buffers of 65,536.
  expect(buffers.length).toBe(3);
});

/** A scene without anything. */
const empty: JobScene = {
  source: 'nothing.glb',
  materials: [],
  textures: [],
  palettes: [],
  format: 'untold',
  textureSettings: KEPT_TEXTURES,
  cache: null,
  write: { compression: 'none', formatVersion: 3 },
};

/** Cooks a tile that holds nothing. */
const payload = (tileId: string): PayloadJob => ({
  kind: 'payload',
  tileId,
  fileType: 'tile',
  authored: {},
  objects: [],
  sources: [],
  forget: [],
  neighbours: [],
  instances: null,
  keepsMeshes: false,
});
const nothing = () => payload('tile');

describe('a pool', () => {
  test('starts threads ahead, and those serve the scene', async () => {
    const made = vi.fn();
    process.on('worker', made);
    const own = new WorkerPool(2);
    try {
      own.start(1);
      own.start(3);
      const runners = own.forScene(empty, 2);
      await Promise.all([runners.run(nothing), runners.run(nothing)]);
      expect(made).toHaveBeenCalledTimes(2);
    } finally {
      process.off('worker', made);
      await own.close();
    }
  });

  test('builds no job of a scene that was given up, whatever scene the threads have by then', async () => {
    const first = pool.forScene(empty, 2);
    first.abandon();
    const second = pool.forScene(empty, 2);
    const late = vi.fn(nothing);
    await expect(first.run(late)).rejects.toThrow('dropped');
    expect(late).not.toHaveBeenCalled();
    expect((await second.run(nothing)).payload).toBeNull();
    second.abandon();
  });

  test('tells of a job that cannot be built to whoever asked for it, and goes on with the next', async () => {
    const runners = pool.forScene(empty, 2);
    // The first two take both threads: the third is built when one of them has its answer.
    const results = await Promise.allSettled([
      runners.run(nothing),
      runners.run(nothing),
      runners.run((): PayloadJob => {
        throw new Error('the file is gone');
      }),
      runners.run(nothing),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect((results[2] as PromiseRejectedResult).reason).toEqual(new Error('the file is gone'));
    runners.abandon();
  });
});

test('the jobs that wait are rejected when their scene is given up', async () => {
  const runners = pool.forScene(empty, 2);
  // The threads take the first two: the others wait.
  const jobs = [1, 2, 3, 4].map(() => runners.run(nothing));
  runners.abandon();
  const ends = await Promise.allSettled(jobs);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
});

describe('a thread that fails', () => {
  const town: JobScene = { ...empty, source: 'town.glb' };
  const result =
    "{ kind: 'payload', payload: null, drawn: [], stored: null, borders: new Uint32Array(0), prepared: [], reported: [] }";

  /** A pool whose threads answer every job as they should, but do `fault` when they get that of the tile `bad`. */
  function poolWith(name: string, fault: string): WorkerPool {
    const module = join(folder, `${name}.mjs`);
    writeFileSync(
      module,
      `import { parentPort as port } from 'node:worker_threads';
       let number = 0;
       const answer = (message) => port.postMessage(message && { number, ...message });
       port.on('message', (request) => {
         if (request.kind !== 'job') return;
         number = request.number;
         if (request.job.tileId === 'bad') { ${fault} }
         else answer({ kind: 'done', result: ${result} });
       });`,
    );
    return new WorkerPool(2, pathToFileURL(module));
  }

  const FAULTS: readonly (readonly [name: string, fault: string, code: string, message: RegExp])[] = [
    ['ends', 'process.exit(7)', 'UC1104', /^the thread that cooked it ended with code 7$/],
    ['throws', 'throw new TypeError("no table")', 'UC1104', /ended by TypeError: no table$/],
    ['throws what is no error', 'throw "no table"', 'UC1104', /ended by /],
    ['answers nothing', 'answer(null)', 'UC1104', /gave an answer that is none$/],
    [
      'answers another job',
      `answer({ kind: 'done', result: { kind: 'levels', levels: [], reported: [] } })`,
      'UC1104',
      /none$/,
    ],
    ['answers a job before', `answer({ number: number - 1, kind: 'done', result: ${result} })`, 'UC1104', /none$/],
    ['answers without a result', `answer({ kind: 'done' })`, 'UC1104', /none$/],
    ['fails without a reason', `answer({ kind: 'failed' })`, 'UC1104', /none$/],
    [
      'has too little memory',
      'throw Object.assign(new Error("limit"), { code: "ERR_WORKER_OUT_OF_MEMORY" })',
      'UC1102',
      /limit$/,
    ],
    [
      'lacks a library',
      'throw Object.assign(new Error("no sharp"), { code: "MODULE_NOT_FOUND" })',
      'UC1101',
      /no sharp$/,
    ],
  ];

  test.each(FAULTS)('%s: its job names the tile, the rest is refused, the next scene is cooked', async (...fault) => {
    const [name, action, code, message] = fault;
    const failing = poolWith(name.replaceAll(' ', '-'), action);
    const runners = failing.forScene(town, 2);
    const results = await Promise.allSettled(['a', 'bad', 'b', 'c'].map((tile) => runners.run(() => payload(tile))));
    const failed = results[1] as PromiseRejectedResult;
    expect(results[0].status).toBe('fulfilled');
    expect(failed.reason).toBeInstanceOf(JobFailure);
    expect(failed.reason.errors).toEqual([
      { ...diagnostic(code as 'UC1104', 'town.glb', 'bad', ''), message: expect.stringMatching(message) },
    ]);
    // Whatever was answered before is kept; nothing of this scene runs afterwards.
    await expect(runners.run(() => payload('late'))).rejects.toBe(failed.reason);
    runners.abandon();
    const next = failing.forScene(town, 2);
    const after = await Promise.all(['d', 'e', 'f'].map((tile) => next.run(() => payload(tile))));
    expect(after.map(({ payload }) => payload)).toEqual([null, null, null]);
    next.abandon();
    await failing.close();
  });

  test('answers twice: the second answer is taken for that of no other job', async () => {
    const failing = poolWith('twice', `const done = { kind: 'done', result: ${result} }; answer(done); answer(done);`);
    const runners = failing.forScene(town, 2);
    const results = await Promise.allSettled(['bad', 'bad'].map((tile) => runners.run(() => payload(tile))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const error = await runners.run(() => payload('bad')).catch((reason: unknown) => reason);
    expect((error as JobFailure).errors[0].message).toMatch(/gave an answer (that is none|without a job)$/);
    await failing.close();
  });

  test('ends the cook of its source with its code and its tile, and nothing is left behind', async () => {
    const out = join(folder, 'broken');
    const failing = poolWith('first', 'process.exit(1)');
    const module = join(folder, 'first.mjs');
    writeFileSync(module, readFileSync(module, 'utf8').replace("request.job.tileId === 'bad'", 'true'));
    const outcome = await cook('squares.glb', 'broken', failing);
    expect(outcome.status).toBe('failed');
    expect(outcome.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'UC1104', file: join(folder, 'squares.glb'), path: expect.stringMatching(/^tile_\d+_0_\d+$/) },
    ]);
    expect(existsSync(out)).toBe(false);
    await failing.close();
  });
});

test('threads for a large source start before it is read, and only where they will be used', async () => {
  const source = join(folder, 'large.glb');
  writeFileSync(source, '');
  truncateSync(source, 24e6);
  const started: number[] = [];
  class Watched extends WorkerPool {
    override start(wanted: number): void {
      started.push(wanted);
    }
  }
  const startedFor = async (job: Partial<CookJob>): Promise<number[]> => {
    started.length = 0;
    const target = { kind: 'folder', folder: join(folder, 'large'), sceneName: 'large' } as const;
    const settings: CookSettings = { missingTexture: 'error', tileSize: 25, compress: 'none' };
    const whole: CookJob = { source, root: null, target, settings, policy: LENIENT, force: false, ...job };
    // No header of a GLB: the file cannot be read.
    expect((await cookSource(whole, { pool: new Watched(8) })).status).toBe('failed');
    return [...started];
  };
  expect(await startedFor({})).toEqual([3]);
  expect(await startedFor({ dryRun: true })).toEqual([]);
  expect(await startedFor({ only: 'tile' })).toEqual([]);
  expect(await startedFor({ target: { kind: 'file', path: join(folder, 'one.untold') } })).toEqual([]);
  truncateSync(source, 7e6);
  expect(await startedFor({})).toEqual([0]);
});
