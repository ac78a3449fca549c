import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shownFlag } from '../../src/config/options/option.ts';
import {
  COOK_OPTIONS,
  EXPLAIN_OPTIONS,
  INSPECT_OPTIONS,
  RENDER_OPTIONS,
  VALIDATE_OPTIONS,
} from '../../src/config/options/table.ts';
import { CODES } from '../../src/diagnostics/codes.ts';
import { GUIDES } from '../../src/diagnostics/guides.ts';
import { untold } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { BIN, environment, start, untoldProcess } from '../support/process.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMMANDS = ['cook', 'validate', 'inspect', 'render', 'explain'];

describe('the version', () => {
  const { version } = JSON.parse(readFileSync(resolve(BIN, '../../package.json'), 'utf8'));

  test.each(['--version', '-V'])('is printed by %s', (flag) => {
    expect(untoldProcess(folder, [flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('loads next to nothing', () => {
    // Bytes of the entry and all that it imports at once; what import() names comes later, if at all.
    const seen = new Set<string>();
    const load = (file: string): number => {
      if (seen.has(file)) return 0;
      seen.add(file);
      const text = readFileSync(file, 'utf8');
      const next = [...text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)].map((match) => join(dirname(file), match[1]));
      return text.length + next.reduce((sum, path) => sum + load(path), 0);
    };
    expect(load(resolve(BIN, '../../dist/cli.js'))).toBeLessThan(4000);
  });
});

describe('help', () => {
  test('is on stdout when asked for, and names every command', async () => {
    for (const args of [['--help'], ['-h'], ['help']]) {
      const { code, stdout, stderr } = await untold(folder, args);
      expect([code, stderr]).toEqual([0, '']);
      for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    }
  });

  test('is on stderr with exit code 2 when no command is given', async () => {
    const { code, stdout, stderr } = await untold(folder, []);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Usage: untold/);
  });

  test.each([
    ['cook', COOK_OPTIONS],
    ['validate', VALIDATE_OPTIONS],
    ['inspect', INSPECT_OPTIONS],
    ['render', RENDER_OPTIONS],
    ['explain', EXPLAIN_OPTIONS],
  ] as const)('of %s has examples, and lists the options that it takes', async (command, options) => {
    const { code, stdout } = await untold(folder, [command, '--help']);
    expect(code).toBe(0);
    expect((await untold(folder, ['help', command])).stdout).toBe(stdout);
    expect(stdout).toContain('Examples:');
    const listed = [...stdout.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map((match) => match[1]);
    expect(listed.sort()).toEqual([...options.map((option) => shownFlag(option).slice(2)), 'help'].sort());
  });
});

describe('what the command line cannot mean ends with 2', () => {
  test.each([
    [['cok', 'x.glb'], 'UC1000', 'did you mean cook?'],
    [['frobnicate'], 'UC1000', 'see `untold --help`'],
    [['cook', 'x.glb', '--tile-sise', '3'], 'UC1001', 'did you mean --tile-size?'],
    [['cook', 'x.glb', '--frobnicate'], 'UC1001', 'see `untold cook --help`'],
    [['validate', 'x', '--strickt'], 'UC1001', 'did you mean --strict?'],
    [['validate', 'x', '--strict=yes'], 'UC1003', 'takes no value'],
    [['cook'], 'UC1002', 'or `untold init` writes a project file that names them'],
    [['cook', 'x.glb'], 'UC1002', 'give --out DIR or --out FILE.untold'],
    [['cook', 'x.glb', '--out'], 'UC1002', '--out'],
    [['inspect', 'a', 'b'], 'UC1013', 'see `untold inspect --help`'],
    [['cook', 'x', '--out', 'o', '--tile-size', 'big'], 'UC1003', 'a number from 0.1 to 10000'],
    [
      ['cook', 'x', '--out', 'o', '--compress', 'lz5'],
      'UC1003',
      'one of none, lz4, lz4-fast, zstd, meshopt, quantize, draco; did you mean lz4?',
    ],
    [['cook', 'x', '--out', 'o', '--format-version', '9'], 'UC1003', 'a whole number from 1 to 4'],
    [['cook', 'x', '--out', 'o', '--missing-texture', 'ignore'], 'UC1003', 'one of error, drop, placeholder'],
    [['cook', 'x', '--out', 'o', '--log-format', 'xml'], 'UC1003', 'one of text, json'],
    [['cook', 'x', '--out', 'o', '--root', 'nowhere'], 'UC1003', 'nowhere is not a folder'],
    [['inspect', 'x', '--root', 'nowhere'], 'UC1003', 'nowhere is not a folder'],
    [['cook', 'x', '--out', 'o', '--deny', 'UC9999'], 'UC1010', '--deny'],
    [['cook', 'x', '--out', 'o', '--allow', 'UC1203'], 'UC1003', 'UC1203 is an error'],
    [['cook', 'x', '--out', 'o', '--allow', 'uc3104', '--deny', 'UC3104'], 'UC1012', 'UC3104 is also given to --deny'],
    [['cook', 'x', '--out', 'o', '--quiet', '--verbose'], 'UC1012', 'leave one of them out'],
    [['cook', 'x', '--out', 'o', '--pipeline', 'outdor'], 'UC1007', 'did you mean outdoor?'],
    [['cook', 'x*', '--out', 'o'], 'UC1004', 'x*'],
    [['cook', '.', '--out', 'o'], 'UC1004', 'the folder holds no'],
    [['cook', '.', '--out', 'o'], 'UC1004', '.untoldpack, .gali, .bpx, .mdl or .xml file has to be named itself'],
    [['cook', 'x', 'y', '--out', 'o.untold'], 'UC1006', 'give --out a folder'],
    [['explain', 'UC123'], 'UC1010', '`untold explain` lists all codes'],
    [['explain', 'constructor'], 'UC1010', 'there is no code'],
  ])('%j: %s', async (args, code, hint) => {
    const ran = await untold(folder, args);
    expect(ran.stderr).toMatch(new RegExp(`^error ${code}[ :]`));
    expect(ran.stderr).toContain(hint);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
  });
});

describe('explain', () => {
  test('tells of one code', async () => {
    const { code, stdout, stderr } = await untold(folder, ['explain', 'uc1203']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^UC1203 error: referenced file is missing\n\n {2}The source refers to.*\n\nRemedy\n {2}restore/,
    );
  });

  test('tells of the code that replaced a retired one', async () => {
    const { stdout } = await untold(folder, ['explain', '3603', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'UC3601', retired: 'UC3603' });
    expect((await untold(folder, ['explain', 'UC3603'])).stdout).toMatch(/^UC3603 is retired: UC3601 replaces it\.\n/);
    expect(JSON.parse((await untold(folder, ['explain', 'UC3601', '--json'])).stdout)).not.toHaveProperty('retired');
  });

  test('gives one document', async () => {
    const { severity, title, cause, remedy } = CODES.UC1300;
    const { stdout } = await untold(folder, ['explain', '--json', 'UC1300']);
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: 1, code: 'UC1300', severity, title, cause, remedy });
    expect(Object.keys(JSON.parse(stdout))).toEqual(['schemaVersion', 'code', 'severity', 'title', 'cause', 'remedy']);
    const guided = JSON.parse((await untold(folder, ['explain', '--json', 'UC1203'])).stdout);
    expect(guided.guide).toEqual(GUIDES.UC1203);
  });

  test('lists all codes', async () => {
    const codes = Object.keys(CODES).sort();
    const lines = (await untold(folder, ['explain'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(0, 6))).toEqual(codes);
    const { codes: listed } = JSON.parse((await untold(folder, ['explain', '--json'])).stdout);
    expect(listed.map((entry: { code: string }) => entry.code)).toEqual(codes);
  });
});

describe('a command that ends before it begins', () => {
  test('still puts its document on stdout with --json', async () => {
    const nothing = ['nothing/*.glb', '--json'];
    const cooked = await untold(folder, ['cook', ...nothing, '--out', 'tiles']);
    expect([cooked.code, JSON.parse(cooked.stdout)]).toMatchObject([
      2,
      { results: [], diagnostics: [{ code: 'UC1004' }] },
    ]);
    const validated = await untold(folder, ['validate', ...nothing]);
    expect([validated.code, JSON.parse(validated.stdout)]).toMatchObject([
      2,
      { files: [], diagnostics: [{ code: 'UC1004' }] },
    ]);
    const inspected = await untold(folder, ['inspect', 'nothing.glb', '--json']);
    expect([inspected.code, JSON.parse(inspected.stdout)]).toMatchObject([3, { diagnostics: [{ code: 'UC1200' }] }]);
    const refused = await untold(folder, ['cook', 'a.glb', '--json', '--frob']);
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([2, { diagnostics: [{ code: 'UC1001' }] }]);
  });
});

describe('the streams', () => {
  test('nobody reading is no error', async () => {
    const child = start(folder, ['explain', '--json']);
    child.stdout.destroy();
    const errors: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    const code = await new Promise((done) => child.on('close', done));
    expect([code, Buffer.concat(errors).toString()]).toEqual([0, '']);
  });

  test('colours when forced, never with NO_COLOR', async () => {
    expect((await untold(folder, ['frob'], { FORCE_COLOR: '1' })).stderr).toContain('\x1b[31merror\x1b[39m');
    expect((await untold(folder, ['frob'], { FORCE_COLOR: '1', NO_COLOR: '1' })).stderr).not.toContain('\x1b');
    expect((await untold(folder, ['frob'])).stderr).not.toContain('\x1b');
  });
});

test('without a bundle the command says how to make one', () => {
  cpSync(dirname(BIN), join(folder, 'package/bin'), { recursive: true });
  cpSync(resolve(BIN, '../../package.json'), join(folder, 'package/package.json'));
  const bin = join(folder, 'package/bin/untold.js');
  const { status, stderr } = spawnSync(process.execPath, [bin, '--version'], { encoding: 'utf8', env: environment() });
  expect(status).toBe(3);
  expect(stderr).toContain('npm run build');
  rmSync(join(folder, 'package'), { recursive: true });
});
