// Cooks that find what they make: nothing changed since the last one, on this machine; and a second machine that has the cache of a
// server alone. The server is in this process, and answers each request after a while, as one of the same building does.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import {
  costBeside,
  costFigures,
  type Figure,
  middle,
  type Row,
  repeated,
  seconds,
  times,
  untold,
} from '../measure.ts';
import { writeThings } from '../things.ts';
import { writeTown } from '../town.ts';

/** Tiles of the set that is cooked again, each with a few meshes of one triangle. */
const TILES = 1000;
const MESHES = 9;
const WARM_SECONDS = 0.1;

export const warmStart: Row = {
  name: 'warm',
  about: `a set of ${TILES} tiles, cooked again with nothing changed`,
  measure(folder, runs) {
    const source = join(folder, 'things.glb');
    writeThings(TILES * MESHES, 4, source);
    const options = ['cook', source, '--out', `${join(folder, 'tiles')}/`, '--tile-size', String(Math.sqrt(MESHES))];
    const again = () => untold(...options, '--cache-dir', join(folder, 'cache'), '--quiet');
    // The first run of repeated(), which is not counted, makes the set.
    const warm = middle(repeated(runs, again));
    const start = middle(repeated(runs, () => untold('--version')));
    const { wall, cpu } = { wall: warm.wall - start.wall, cpu: warm.cpu - start.cpu };
    return [seconds('beyond start-up, wall', wall, WARM_SECONDS), seconds('beyond start-up, CPU', cpu)];
  },
};

/** Starts the server of a cache; gives its address, and what ends it. */
async function serveCache(latencyMilliseconds: number) {
  const stored = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    await new Promise((done) => setTimeout(done, latencyMilliseconds));
    if (method === 'PUT') stored.set(url, Buffer.concat(parts));
    response.statusCode = method === 'PUT' || stored.has(url) ? 200 : 404;
    response.end(method === 'GET' ? stored.get(url) : undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

function digestOf(out: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(relative(out, path)).update(readFileSync(path));
  return hash.digest('hex');
}

const LATENCY = 2;
/** The seconds that the second machine may take, as a share of a cook. */
const SHARE = 1 / 20;

async function cookTwice(triangles: number, folder: string, runs: number): Promise<Figure[]> {
  const source = join(folder, 'town.glb');
  writeTown(triangles, source);
  const { url, close } = await serveCache(LATENCY);
  const of = (machine: string) => join(folder, machine);
  const cookOn = (machine: string) =>
    costBeside(
      ...['cook', source, '--out', join(of(machine), 'tiles'), '--cache-dir', join(of(machine), 'cache')],
      ...['--tile-size', '50', '--remote-cache', url, '--quiet'],
    );
  try {
    const first = await cookOn('first');
    const seconds: (typeof first)[] = [];
    for (let run = 0; run < runs; run++) {
      rmSync(of('second'), { recursive: true, force: true });
      seconds.push(await cookOn('second'));
    }
    if (digestOf(of('first/tiles')) !== digestOf(of('second/tiles')))
      throw new Error('the machines made different sets');
    const second = middle(seconds);
    return [
      ...costFigures('first machine', first),
      ...costFigures('second machine', second),
      times('second machine, wall, as a share of the first', second.wall / first.wall, SHARE),
    ];
  } finally {
    close();
  }
}

export const remoteCache: Row = {
  name: 'remote',
  about: `a town of a million triangles with default levels from a server's cache, ${LATENCY} ms a request`,
  measure: (folder, runs) => cookTwice(1_000_000, folder, runs),
};

export const remoteCacheOfTen: Row = {
  name: 'remote-10m',
  about: `a town of ten million triangles with default levels from a server's cache, ${LATENCY} ms a request`,
  isLarge: true,
  measure: (folder, runs) => cookTwice(10_000_000, folder, runs),
};
