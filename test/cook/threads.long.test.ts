// A pool of threads that is closed in the middle of a call of the system.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { put, temporaryFolder } from '../support/files.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A scene without anything. */
const EMPTY = {
  source: 'nothing.glb',
  materials: [],
  textures: [],
  palettes: [],
  format: 'untold',
  textureSettings: {},
  cache: null,
  write: { compression: 'none', formatVersion: 3 },
};

/** A thread that answers every job at once, and then takes two seconds to end: a call of the system is not interrupted. */
const ANSWERING = `import { spawnSync } from 'node:child_process';
  import { parentPort as port } from 'node:worker_threads';
  port.on('message', ({ kind, number, job }) => {
    if (kind !== 'job') return;
    port.postMessage({ number, kind: 'done', result: { kind: 'payload' } });
    if (job.tileId === 'late') spawnSync(process.execPath, ['-e', 'setTimeout(() => {}, 2000)']);
  });`;

test('a pool is closed while an answer is on its way, and its process goes on', () => {
  const module = pathToFileURL(put(folder, 'answering.mjs', ANSWERING));
  const from = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  // The main thread does not look while the thread answers: close() comes before that answer is taken.
  const program = `import { WorkerPool } from ${from('../../src/workers/workerPool.ts')};
    const pool = new WorkerPool(1, new URL(${JSON.stringify(module.href)}), { isApart: true });
    const runners = pool.forScene(${JSON.stringify(EMPTY)}, 1);
    const run = (tileId) => runners.run(() => ({ kind: 'payload', tileId }));
    await run('early');
    const late = run('late');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    runners.abandon();
    const waiting = late.catch(() => {});
    await pool.close();
    await waiting;
    process.stdout.write('closed');`;
  const file = put(folder, 'closing.mjs', program);
  const options = { encoding: 'utf8', timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file], options);
  expect([status, stdout, stderr]).toEqual([0, 'closed', '']);
});
