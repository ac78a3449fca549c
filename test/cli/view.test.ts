// `untold view` as a user runs it: what it prints, how it ends, and what --open starts.

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untold, untoldBytes } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf());
  expect((await untold(folder, ['cook', 'town.gltf', '--out', 'tiles'])).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Viewing {
  readonly url: string;
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the command and waits for the address. */
function view(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Viewing> {
  const child = spawn(process.execPath, [BIN, 'view', ...args], { cwd: folder, env: environment(more) });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      if (!stdout.endsWith('\n')) return;
      const end = (signal: NodeJS.Signals) => {
        child.kill(signal);
        return ended;
      };
      resolve({ url: stdout.trim(), output: () => ({ stdout, stderr }), end });
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
}

const isWindows = process.platform === 'win32';

test.skipIf(isWindows).each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('the address is the answer, and %s ends it with %i', async (signal, code) => {
  const { url, output, end } = await view(['tiles']);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
  expect((await fetch(url)).status).toBe(200);
  expect(await end(signal)).toBe(code);
  expect(output().stdout).toBe(`${url}\n`);
  expect(output().stderr).toBe('tiles/town.json: 1 tile, at the address above until Ctrl-C\n');
  await expect(fetch(url)).rejects.toThrow();
});

test.skipIf(isWindows || process.platform === 'darwin')(
  '--open gives the address to a program, not to a shell',
  async () => {
    // A folder with a name that a shell would take apart.
    const bin = join(folder, 'bin $(touch hacked); `touch hacked`');
    const program = put(
      bin,
      'xdg-open',
      `#!${process.execPath}\nrequire('node:fs').writeFileSync(process.env.SAID, JSON.stringify(process.argv.slice(2)));\n`,
    );
    chmodSync(program, 0o755);
    const said = join(folder, 'said.json');
    const { url, output, end } = await view(['tiles', '--open', '--quiet'], {
      PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
      SAID: said,
    });
    for (let i = 0; i < 200 && !existsSync(said); i++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(JSON.parse(readFileSync(said, 'utf8'))).toEqual([url]);
    expect(existsSync(join(folder, 'hacked'))).toBe(false);
    expect(await end('SIGINT')).toBe(130);
    expect(output().stderr).not.toContain('UC5006');
  },
);

test.skipIf(isWindows || process.platform === 'darwin')(
  'a browser that cannot be started is told, and the page stays',
  async () => {
    const { url, output, end } = await view(['tiles', '--open'], { PATH: folder });
    for (let i = 0; i < 200 && !output().stderr.includes('UC5006'); i++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(output().stderr).toContain('warning UC5006 --open: xdg-open: ENOENT');
    expect((await fetch(url)).status).toBe(200);
    expect(await end('SIGINT')).toBe(130);
  },
);

test('on a terminal a line says how far the cook of a source is', async () => {
  const ended = 'town.gltf (cooked): 1 tile, ';
  const live = { isTerminal: true, variables: { TERM: 'xterm' } };
  const told = await untoldBytes(folder, ['view', 'town.gltf', '--export', 'told'], live);
  expect(told.code).toBe(0);
  expect(told.stderr).toMatch(/^\[1\/2\] {2}░{10} {3}0% {2}0:00 {2}read, \d+ threads? {2}town\.gltf\r/);
  expect(told.stderr).toContain(`\x1b[K${ended}`);
  const quiet = await untoldBytes(folder, ['view', 'town.gltf', '--export', 'quiet', '--quiet'], live);
  expect([quiet.code, quiet.stderr]).toEqual([0, '']);
  const recorded = await untold(folder, ['view', 'town.gltf', '--export', 'recorded']);
  expect(recorded.stderr.startsWith(ended)).toBe(true);
});

test.each([
  [['view'], 2, 'UC1002'],
  [['view', 'tiles', '--port', '70000'], 2, 'UC1003 --port'],
  [['view', 'tiles', '--against', 'town.gltf'], 2, 'UC5000 town.gltf'],
  [['view', 'lost'], 3, 'UC1200 lost'],
] as const)('%s is refused', async (args, code, words) => {
  const ran = await untold(folder, args);
  expect([ran.code, ran.stdout]).toEqual([code, '']);
  expect(ran.stderr).toContain(`error ${words}`);
});
