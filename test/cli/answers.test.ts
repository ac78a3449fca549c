// Answers that cannot be written: what asked for them must not take silence for success.

import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untoldBytes } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Refuses every byte with ENOSPC. */
const FULL = '/dev/full';

/** Runs the command in this process with a stream that leads to a device. */
async function into(device: string, args: readonly string[], stream: 'stdout' | 'stderr' = 'stdout') {
  const fd = openSync(device, 'w');
  try {
    return await untoldBytes(folder, args, { files: { [stream]: fd } });
  } finally {
    closeSync(fd);
  }
}

/** Runs the command as a process, whose answer goes to a device. */
function processInto(device: string, args: readonly string[]) {
  const fd = openSync(device, 'w');
  try {
    const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], {
      cwd: folder,
      env: environment(),
      stdio: ['ignore', fd, 'pipe'],
    });
    return { code: status, stderr: stderr.toString() };
  } finally {
    closeSync(fd);
  }
}

describe.skipIf(!existsSync(FULL))('a full disk behind standard output', () => {
  test.each([
    [['cook', 'town.gltf', '--out', 'o', '--json', '--quiet']],
    [['inspect', 'town.gltf', '--json']],
    [['inspect', 'town.gltf']],
    [['explain']],
    [['explain', 'UC1203', '--json']],
    [['validate', 'nothing.untold', '--json']],
    [['--help']],
  ])('ends with 3 and is said: %j', async (args) => {
    const { code, stderr } = await into(FULL, args);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error UC4000: .*standard output: ENOSPC/m);
  });

  test('ends a process with 3 too', () => {
    expect(processInto(FULL, ['explain', 'UC1203'])).toMatchObject({ code: 3 });
    for (const flag of ['--version', '-V']) expect(processInto(FULL, [flag])).toEqual({ code: 3, stderr: '' });
  });

  test.each(['text', 'json'])('behind standard error too: --log-format %s', async (format) => {
    const args = ['cook', 'town.gltf', '--out', 'o', '--log-format', format];
    expect((await into(FULL, args, 'stderr')).code).toBe(3);
  });
});

/** Runs a line of the shell, in which $U is the program. */
function shell(line: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd: folder,
    encoding: 'utf8',
    env: environment({ U: `${process.execPath} ${BIN}` }),
  });
  return { code: status, stdout, stderr };
}

describe.skipIf(process.platform === 'win32')('a file that may not grow', () => {
  // The shell bounds the size of files: like a disk that fills up, the system takes a part of the text.
  test('takes a part of the answer: exit code 3', () => {
    const whole = shell('$U explain --json | wc -c');
    expect(Number(whole.stdout)).toBeGreaterThan(8192);
    const { code, stderr } = shell('trap "" XFSZ; ulimit -f 4; $U explain --json >answer.json');
    expect(code).toBe(3);
    expect(stderr).toContain('standard output: EFBIG');
  });
});

describe.skipIf(process.platform === 'win32')('a reader', () => {
  test('that stops reading is no fault', () => {
    expect(shell('$U explain --json | head -c 1; echo $PIPESTATUS').stdout).toBe('{0\n');
    expect(shell('set -o pipefail; $U --version | true').code).toBe(0);
  });

  test('that is slow gets all', () => {
    const { stdout } = shell('$U explain --json | (sleep 0.3; wc -c)');
    expect(stdout).toBe(shell('$U explain --json >a.json; wc -c <a.json').stdout);
  });
});
