// Answers that cannot be written: what asked for them must not take silence for success.

import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

function into(device: string, args: readonly string[], stream: 'stdout' | 'stderr' = 'stdout') {
  const fd = openSync(device, 'w');
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: environment(),
      stdio: stream === 'stdout' ? ['ignore', fd, 'pipe'] : ['ignore', 'pipe', fd],
    });
    return { code: status, stdout: stdout ?? '', stderr: stderr ?? '' };
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
  ])('ends with 3 and is said: %j', (args) => {
    const { code, stderr } = into(FULL, args);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error UC4000: .*standard output: ENOSPC/m);
  });

  test.each(['--version', '-V'])('ends %s with 3, without a stack', (flag) => {
    expect(into(FULL, [flag])).toEqual({ code: 3, stdout: '', stderr: '' });
  });

  test.each(['text', 'json'])('behind standard error too: --log-format %s', (format) => {
    expect(into(FULL, ['cook', 'town.gltf', '--out', 'o', '--log-format', format], 'stderr').code).toBe(3);
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
