// `npx tsx bench/incremental.ts [TRIANGLES|SOURCE [TILE_SIZE]]`: a generated town of so many triangles, a million by default,
// or a source of yours, cooked cold, with its cache on a server of this machine;
// cooked again with nothing changed; and cooked by a second machine that has the server's cache only. Prints wall and CPU
// time of each whole command, start-up included, and compares the outputs of both machines.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type Cost, childSeconds } from './peer.ts';
import { writeTown } from './town.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const folder = mkdtempSync(join(tmpdir(), 'untold-incremental-'));
const stored = new Map<string, Buffer>();
const server = createServer(async (request, response) => {
  const { method, url = '' } = request;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (method === 'PUT') stored.set(url, Buffer.concat(parts));
  response.statusCode = method === 'PUT' || stored.has(url) ? 200 : 404;
  response.end(method === 'GET' ? stored.get(url) : undefined);
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** As costOf, without keeping this process from serving. */
async function untold(...args: string[]): Promise<Cost & { readonly stderr: string }> {
  const begin = performance.now();
  const script = '"$@" >/dev/null || exit $?; times';
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, cli, ...args]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise((done) => child.on('close', done));
  const wall = (performance.now() - begin) / 1000;
  if (code !== 0) throw new Error(stderr);
  return { wall, cpu: childSeconds(stdout), stderr };
}

function digestOf(out: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(relative(out, path)).update(readFileSync(path));
  return `${files.length} files, ${hash.digest('hex').slice(0, 16)}`;
}

try {
  const [wanted = '1000000', size = '50'] = process.argv.slice(2);
  const isCount = /^\d+$/.test(wanted);
  const source = isCount ? join(folder, 'town.glb') : resolve(wanted);
  if (isCount) writeTown(Number(wanted), source);
  const cook = (machine: string) =>
    untold(
      ...['cook', source, '--out', join(folder, machine, 'tiles'), '--cache-dir', join(folder, machine, 'cache')],
      ...['--tile-size', size, '--remote-cache', url],
    );
  const say = (what: string, { wall, cpu }: Cost) =>
    process.stdout.write(
      `${what.padEnd(34)}${wall.toFixed(2).padStart(8)} s wall${cpu.toFixed(2).padStart(8)} s CPU\n`,
    );
  say('untold --version', await untold('--version'));
  const cold = await cook('first');
  process.stdout.write(cold.stderr);
  say('cold', cold);
  const again = await cook('first');
  if (!again.stderr.includes('up to date')) throw new Error(again.stderr);
  say('the same machine, nothing changed', again);
  const bytes = [...stored.values()].reduce((sum, { length }) => sum + length, 0);
  const second = await cook('second');
  say('a second machine', second);
  const digests = ['first', 'second'].map((machine) => digestOf(join(folder, machine, 'tiles')));
  process.stdout.write(
    `${stored.size} entries of ${(bytes / 1e6).toFixed(0)} MB on the server; ${digests.join(' and ')}\n`,
  );
  process.stdout.write(`second machine: ${(cold.wall / second.wall).toFixed(1)} times faster\n`);
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
