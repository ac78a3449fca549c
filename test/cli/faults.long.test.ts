// What happens to cooks that remember and share: killed at any moment, with a full disk, few file handles, a folder that
// cannot be written or goes away, and beside other cooks of the same set, from this host and from another. The set is never
// broken, the error has a code, and the next cook gives what a cold cook gives.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';

const SAMPLE = resolve(import.meta.dirname, '../../samples/courtyard.usdz');
const COOK = ['cook', 'scene.usdz', '--tile-size', '4', '--lod', '0.5', '--hlod', '0.2', '--textures', 'png'];
const isPosix = process.platform !== 'win32';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  copyFileSync(SAMPLE, join(folder, 'scene.usdz'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A cache of a team that keeps what is put. */
let server: Server;
let url: string;
beforeAll(async () => {
  const files = new Map<string, Buffer>();
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      // The cook was killed while it sent this.
      return;
    }
    const { method, url: path = '' } = request;
    if (method === 'PUT') files.set(path, Buffer.concat(parts));
    response.statusCode = files.has(path) ? 200 : 404;
    response.end(files.get(path));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const caches = (name = 'cache'): string[] => ['--cache-dir', name, '--remote-cache', url];

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

function ended(child: ChildProcess): Promise<Ended> {
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  return new Promise((done) => child.on('close', (code) => done({ code, stderr })));
}

/** Starts a cook; this process has to stay free for it, which it asks for entries. */
function begin(args: readonly string[], more: { env?: Record<string, string>; imports?: string } = {}): ChildProcess {
  const flags = more.imports ? ['--import', more.imports] : [];
  return spawn(process.execPath, [...flags, BIN, ...args], {
    cwd: folder,
    env: environment(more.env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

const run = (...args: string[]): Promise<Ended> => untold(folder, args);

/** What a cook without any cache writes. */
async function cold(...more: string[]): Promise<Record<string, string>> {
  expect((await run(...COOK, ...more, '--out', 'cold', '--no-cache')).code).toBe(0);
  const found = contents(join(folder, 'cold'));
  rmSync(join(folder, 'cold'), { recursive: true });
  return found;
}

/** If there is a set, it is whole. */
async function expectWhole(out: string, when: string): Promise<void> {
  if (!existsSync(join(folder, out, 'scene.json'))) return;
  const { code, stderr } = await untold(folder, ['validate', '--strict', `${out}/scene.json`]);
  expect([when, code, stderr]).toEqual([when, 0, expect.stringMatching(/valid\n$/)]);
}

/** The next cook gives the bytes of a cold one and leaves nothing else. */
async function expectNext(out: string, wanted: Record<string, string>, when: string): Promise<void> {
  const { code, stderr } = await run(...COOK, '--out', out, ...caches());
  expect([when, code, stderr]).toEqual([when, 0, expect.anything()]);
  expect([when, contents(join(folder, out))]).toEqual([when, wanted]);
}

/** Park and Miller's generator. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

const KILLS = 4;
const MAX_ROUNDS = 60;

describe('a cook that is killed', () => {
  test.each([
    ['without a set before it', false],
    ['over an earlier set', true],
  ])(
    '%s leaves no broken set, and nothing that misleads the next one',
    async (_, hasEarlier) => {
      const begun = Date.now();
      const wanted = await cold();
      // Milliseconds within which a cook is killed, with an empty cache and with a full one; less where it ended first.
      const within = [Date.now() - begun, Date.now() - begun];
      if (hasEarlier) {
        expect((await run(...COOK, '--lod', '0.25', '--out', 'earlier', '--no-cache')).code).toBe(0);
      }
      const next = random(hasEarlier ? 7 : 8);
      let killed = 0;
      for (let round = 0; killed < KILLS && round < MAX_ROUNDS; round++) {
        rmSync(join(folder, 'tiles'), { recursive: true, force: true });
        if (hasEarlier) cpSync(join(folder, 'earlier'), join(folder, 'tiles'), { recursive: true });
        // With a cache that is filled already in every other round.
        if (round % 2 === 0) rmSync(join(folder, 'cache'), { recursive: true, force: true });
        const child = begin([...COOK, '--out', 'tiles', ...caches()]);
        const timer = setTimeout(() => child.kill('SIGKILL'), within[round % 2] * (0.2 + 0.8 * next()));
        const { code } = await ended(child);
        clearTimeout(timer);
        if (code === null) killed++;
        else within[round % 2] *= 0.7;
        const when = `round ${round}`;
        await expectWhole('tiles', when);
        await expectNext('tiles', wanted, when);
      }
      expect(killed).toBe(KILLS);
    },
    1_200_000,
  );
});

describe('a cook whose disk is full', () => {
  const mounted = (place: string, size: string): boolean =>
    process.platform === 'linux' &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place]).status === 0;
  const place = () => {
    mkdirSync(join(folder, 'small'), { recursive: true });
    return join(folder, 'small');
  };
  afterEach(() => {
    if (folder) spawnSync('umount', ['-l', join(folder, 'small')]);
  });

  test('says so, leaves the earlier set, and ends well when there is room again', async (context) => {
    if (!mounted(place(), '40m')) return context.skip();
    const wanted = await cold();
    const bytes = 1024;
    expect((await run(...COOK, '--lod', '0.25', '--out', 'small/tiles', ...caches())).code).toBe(0);
    const before = contents(join(folder, 'small/tiles'));
    // Room for less than a set: another one does not fit beside the first.
    for (const left of [0, 8 * bytes, 64 * bytes]) {
      const used = Object.keys(before).length;
      expect(used).toBeGreaterThan(3);
      fill(join(folder, 'small/filler'), left);
      const { code, stderr } = await run(...COOK, '--out', 'small/tiles', ...caches());
      expect([left, code, stderr]).toEqual([left, 3, expect.stringMatching(/UC4000/)]);
      expect(contents(join(folder, 'small/tiles'))).toEqual(before);
      rmSync(join(folder, 'small/filler'));
    }
    await expectNext('small/tiles', wanted, 'with room');
  }, 600_000);

  test('of the cache alone: cooks all the same', async (context) => {
    if (!mounted(place(), '32k')) return context.skip();
    const wanted = await cold();
    const { code, stderr } = await run(...COOK, '--out', 'tiles', '--cache-dir', 'small/cache');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/UC110\d/)]);
    expect(contents(join(folder, 'tiles'))).toEqual(wanted);
    const second = await run(...COOK, '--out', 'tiles', '--cache-dir', 'small/cache');
    expect(second.code).toBe(0);
    expect(contents(join(folder, 'tiles'))).toEqual(wanted);
  }, 600_000);

  /** Fills the disk but for so many bytes. */
  function fill(path: string, left: number): void {
    spawnSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=1024']);
    const size = readFileSync(path).length;
    spawnSync('truncate', ['-s', String(Math.max(0, size - left)), path]);
  }
});

describe.runIf(isPosix)('a cook with little', () => {
  test('64 file handles: cooks, or says what is missing, and the set is whole', async () => {
    const wanted = await cold();
    for (const more of [[], ['--jobs', '5']]) {
      const args = [process.execPath, BIN, ...COOK, '--out', 'tiles', ...more, ...caches()];
      const child = spawn('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...args], {
        cwd: folder,
        env: environment(),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const { code, stderr } = await ended(child);
      if (code !== 0) expect([code, stderr]).toEqual([3, expect.stringMatching(/UC(11|40|12)\d\d/)]);
      else expect(contents(join(folder, 'tiles'))).toEqual(wanted);
      await expectWhole('tiles', more.join(' '));
      await expectNext('tiles', wanted, more.join(' '));
    }
  }, 600_000);

  test('a folder that cannot be written: says so and changes nothing', async (context) => {
    mkdirSync(join(folder, 'closed'));
    const isRoot = process.getuid?.() === 0;
    // Rights do not stop root: a file system that is mounted read-only does.
    const place = join(folder, 'closed');
    if (isRoot) {
      if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', place]).status !== 0) return context.skip();
    } else chmodSync(place, 0o555);
    try {
      const out = await run(...COOK, '--out', 'closed/tiles', ...caches());
      expect([out.code, out.stderr]).toEqual([3, expect.stringMatching(/UC40\d\d/)]);
      // A cache there is only a warning.
      const wanted = await cold();
      const cache = await run(...COOK, '--out', 'tiles', '--cache-dir', 'closed/cache');
      expect([cache.code, cache.stderr]).toEqual([0, expect.stringMatching(/UC110\d/)]);
      expect(contents(join(folder, 'tiles'))).toEqual(wanted);
    } finally {
      if (isRoot) spawnSync('umount', ['-l', place]);
      else chmodSync(place, 0o755);
    }
  }, 600_000);

  test('a folder that goes away meanwhile: says so, and the next cook is whole', async () => {
    const begun = Date.now();
    const wanted = await cold();
    const length = Date.now() - begun;
    const next = random(3);
    let went = 0;
    for (let round = 0; round < 6; round++) {
      for (const name of ['tiles', 'gone', 'cache']) rmSync(join(folder, name), { recursive: true, force: true });
      mkdirSync(join(folder, 'tiles'));
      const child = begin([...COOK, '--out', 'tiles', ...caches()]);
      const ending = ended(child);
      const pause = (time: number) => new Promise((done) => setTimeout(done, time));
      // The set has begun once its staging folder is there.
      while (child.exitCode === null && !existsSync(join(folder, 'tiles/.cooking'))) await pause(5);
      await pause(round === 0 ? 0 : length * 0.8 * next());
      if (existsSync(join(folder, 'tiles'))) renameSync(join(folder, 'tiles'), join(folder, 'gone'));
      rmSync(join(folder, 'cache'), { recursive: true, force: true });
      const { code, stderr } = await ending;
      if (code !== 0) went++;
      if (code !== 0) expect([round, code, stderr]).toEqual([round, 3, expect.stringMatching(/UC(40|11)\d\d/)]);
      for (const out of ['tiles', 'gone']) await expectWhole(out, `round ${round}`);
      await expectNext('tiles', wanted, `round ${round}`);
    }
    expect(went).toBeGreaterThan(0);
  }, 600_000);
});

/** Makes a process believe that it runs on another machine. */
const HOST = `
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
os.hostname = () => process.env.FAKE_HOST;
syncBuiltinESMExports();
`;

describe('two cooks of one set at once', () => {
  test.each([
    ['from two processes', false],
    ['from two hosts', true],
  ])(
    '%s: one waits for the other or says for whom, and the set is whole',
    async (_, otherHosts) => {
      const wanted = await cold();
      const imports = pathToFileURL(put(folder, 'host.mjs', HOST)).href;
      for (const wait of ['60', '0']) {
        rmSync(join(folder, 'tiles'), { recursive: true, force: true });
        const both = ['a', 'b'].map((host) =>
          ended(
            begin([...COOK, '--out', 'tiles', '--lock-timeout', wait, ...caches(`cache-${host}`)], {
              env: { FAKE_HOST: host },
              ...(otherHosts ? { imports } : {}),
            }),
          ),
        );
        const outcomes = await Promise.all(both);
        for (const { code, stderr } of outcomes) {
          if (wait === '60') expect([code, stderr]).toEqual([0, expect.anything()]);
          else if (code !== 0) expect([code, stderr]).toEqual([3, expect.stringMatching(/UC4004/)]);
        }
        expect(outcomes.some(({ code }) => code === 0)).toBe(true);
        expect(contents(join(folder, 'tiles'))).toEqual(wanted);
        await expectWhole('tiles', wait);
      }
    },
    600_000,
  );
});
