// One scene, cooked in every way that must not show in a byte: threads, shards, caches, folders, locales, time zones, the
// order of arguments, and other versions of Node, which UNTOLD_NODES names.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untold as run } from '../support/command.ts';
import { contents, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';

const SAMPLES = resolve(import.meta.dirname, '../../samples');
const OPTIONS = [
  '--tile-size',
  '8',
  '--lod',
  '0.5,0.2',
  '--hlod',
  '0.1',
  '--hlod-levels',
  '2',
  '--lod-check',
  'geometry',
];

let folder: string;
let expected: Record<string, string>;
let server: Server;
let url: string;

async function untold(args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(folder, args);
  expect([code, stderr]).toEqual([0, expect.anything()]);
}

/** Runs the command in a process of its own. */
function untoldProcess(
  args: readonly string[],
  {
    cwd = folder,
    env = {},
    node = process.execPath,
  }: { cwd?: string; env?: Record<string, string>; node?: string } = {},
): void {
  execFileSync(node, [BIN, ...args], { cwd, env: environment(env), stdio: 'pipe' });
}

const cook = (out: string, ...more: string[]) =>
  untold(['cook', 'art', '--root', '.', '--out', out, '--no-cache', ...OPTIONS, ...more]);

/** Hills of 64 x 64 m, with enough triangles for levels. */
function hills(): string {
  const side = 96;
  const points: string[] = [];
  const faces: number[] = [];
  for (let z = 0; z <= side; z++) {
    for (let x = 0; x <= side; x++) {
      const y = 3 * Math.sin(x / 7) * Math.cos(z / 9) + Math.sin((x * z) / 50) / 4;
      points.push(`(${((x * 64) / side).toFixed(4)}, ${y.toFixed(4)}, ${((z * 64) / side).toFixed(4)})`);
      const at = z * (side + 1) + x;
      if (x < side && z < side) faces.push(at, at + side + 1, at + side + 2, at + 1);
    }
  }
  return `#usda 1.0
(
    defaultPrim = "Hills"
    metersPerUnit = 1
    upAxis = "Y"
)
def Mesh "Hills"
{
    point3f[] points = [${points.join(', ')}]
    int[] faceVertexCounts = [${'4, '.repeat(side * side).slice(0, -2)}]
    int[] faceVertexIndices = [${faces.join(', ')}]
}
`;
}

/** The sources of a machine. */
function put(at: string): void {
  mkdirSync(join(at, 'art'));
  cpSync(join(SAMPLES, 'usda/courtyard.usda'), join(at, 'art/courtyard.usda'));
  writeFileSync(join(at, 'art/hills.usda'), hills());
  cpSync(join(SAMPLES, 'textures'), join(at, 'textures'), { recursive: true });
}

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder);
  const stored = new Map<string, Buffer>();
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method, url: path = '' } = request;
    if (method === 'PUT') stored.set(path, Buffer.concat(parts));
    response.statusCode = method === 'PUT' || stored.has(path) ? 200 : 404;
    response.end(method === 'GET' ? stored.get(path) : undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await cook('once', '--jobs', '1');
  expected = contents(join(folder, 'once'));
  const names = Object.keys(expected);
  for (const part of ['_lod1', '_hlod', 'Textures/']) {
    expect(names.some((name) => name.includes(part))).toBe(true);
  }
  expect(names.filter((name) => /tile_\d/.test(name)).length).toBeGreaterThan(8);
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['2', '5'])('with %s threads', async (jobs) => {
  await cook(`jobs${jobs}`, '--jobs', jobs);
  expect(contents(join(folder, `jobs${jobs}`))).toEqual(expected);
});

test.each([1, 3, 8])('by %i machines', async (count) => {
  const parts = Array.from({ length: count }, (_, index) => `part${index}of${count}`);
  for (const [index, part] of parts.entries()) await cook(part, '--shard', `${index}/${count}`);
  // In another order than they were cooked in.
  await untold(['merge', ...[...parts].reverse(), '--out', `merged${count}`]);
  expect(contents(join(folder, `merged${count}`))).toEqual(expected);
});

test('with a cold, a warm and a team cache, and taken whole from another machine', async () => {
  const kept = (out: string, cache: string, ...more: string[]) =>
    untold(['cook', 'art', '--root', '.', '--out', out, '--cache-dir', cache, ...OPTIONS, ...more]);
  await kept('cold', 'cache', '--remote-cache', url);
  await kept('warm', 'cache', '--no-incremental');
  await kept('team', 'other', '--no-incremental', '--remote-cache', url);
  await kept('whole', 'third', '--remote-cache', url);
  for (const out of ['cold', 'warm', 'team', 'whole'])
    expect([out, contents(join(folder, out))]).toEqual([out, expected]);
});

test('from another folder, locale, time zone and order of arguments', async () => {
  const other = join(folder, 'an other é folder');
  mkdirSync(other);
  put(other);
  const env = { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Pacific/Chatham' };
  const args = ['cook', ...OPTIONS, '--no-cache', '--out', 'out', '--root', '.', 'art'];
  untoldProcess(args, { cwd: other, env });
  expect(contents(join(other, 'out'))).toEqual(expected);
});

const nodes = (process.env.UNTOLD_NODES ?? '').split(delimiter).filter((path) => path !== '');
if (nodes.length === 0) test.skip('UNTOLD_NODES names no other versions of Node, so that none is compared', () => {});

test.skipIf(nodes.length === 0)('by other versions of Node', async () => {
  for (const [i, node] of nodes.entries()) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const args = ['cook', 'art', '--root', '.', '--out', `node${i}`, '--no-cache', ...OPTIONS];
    untoldProcess(args, { node });
    expect([version, contents(join(folder, `node${i}`))]).toEqual([version, expected]);
  }
});
