// The files that other programs run us by: the GitHub Action, the pre-commit hooks, the Dockerfile. Every command and flag in
// them must exist, and the scripts of the action run here as a runner would run them.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMAND_OPTIONS, type CommandOption } from '../src/config/options/table.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Flags of the table with and without value, for one command. */
function flagsOf(command: string): Set<string> {
  const options = (COMMAND_OPTIONS as Readonly<Record<string, readonly CommandOption[]>>)[command];
  expect(options, command).toBeDefined();
  return new Set(options.flatMap(({ name, short }) => [`--${name}`, `--no-${name}`, ...(short ? [`-${short}`] : [])]));
}

/** Checks that a command line of ours names a command and flags that exist. */
function check(words: readonly string[]): void {
  const [command, ...rest] = words;
  const flags = flagsOf(command);
  for (const word of rest.filter((text) => text.startsWith('-') && text !== '--')) {
    expect([...flags], `untold ${words.join(' ')}`).toContain(word.replace(/=.*/, ''));
  }
}

interface Step {
  readonly name: string;
  readonly run: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The steps of action.yml that are scripts. A reader of the few forms of YAML that the file has. */
function steps(): Step[] {
  return read('action.yml')
    .split(/^ {4}- name: /m)
    .slice(1)
    .map((text) => {
      const run = /^ {6}run: \|\n((?: {8}.*\n|\n)*)/m.exec(text)?.[1] ?? '';
      const environment = [...text.matchAll(/^ {8}(UNTOLD_\w+): (.*)$/gm)].map(([, name, value]) => [name, value]);
      return {
        name: text.split('\n')[0],
        run: run.replace(/^ {8}/gm, ''),
        environment: Object.fromEntries(environment),
      };
    });
}

describe('action.yml', () => {
  test('has the inputs that its steps use, and no step reads an input as code', () => {
    const text = read('action.yml');
    const inputs = [...text.split('\nruns:')[0].matchAll(/^ {2}([\w-]+):$/gm)].map((match) => match[1]);
    expect(inputs).toEqual(['sources', 'out', 'args', 'version']);
    const used = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map((match) => match[1]);
    expect([...new Set(used)].sort()).toEqual([...inputs].sort());
    expect(steps().map(({ run }) => run.includes('${{'))).toEqual([false, false, false, false]);
    expect(text).toContain('uses: actions/cache@');
  });

  test('cooks with a command line that exists', () => {
    const { run, environment } = steps()[3];
    const [, line] = /bin\/untold\.js" (.*)/.exec(run) ?? [];
    check(line.replaceAll('"', '').split(' '));
    expect(Object.keys(environment)).toContain('UNTOLD_CACHE_DIR');
  });

  test.skipIf(process.platform === 'win32')('passes words on as they are', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold ci-')));
    try {
      const cli = join(folder, 'node_modules/untold-cook/bin');
      mkdirSync(cli, { recursive: true });
      writeFileSync(join(cli, 'untold.js'), 'console.log(JSON.stringify(process.argv.slice(2)))');
      const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', steps()[3].run], {
        cwd: folder,
        encoding: 'utf8',
        env: {
          ...process.env,
          UNTOLD_PREFIX: folder,
          UNTOLD_OUT: 'my tiles',
          UNTOLD_ARGS: '--root\n.\n',
          UNTOLD_SOURCES: 'art/a b.gltf\n\n$(touch hacked)\n--strange.glb',
        },
      });
      expect(status).toBe(0);
      const words = [
        'cook',
        '--out',
        'my tiles',
        '--root',
        '.',
        '--',
        'art/a b.gltf',
        '$(touch hacked)',
        '--strange.glb',
      ];
      expect(JSON.parse(stdout)).toEqual(words);
      expect(existsSync(join(folder, 'hacked'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('.pre-commit-hooks.yaml runs commands that exist, for files that they read', () => {
  const hooks = read('.pre-commit-hooks.yaml')
    .split(/^- id: /m)
    .slice(1);
  expect(hooks).toHaveLength(3);
  const pattern = (hook: string) => new RegExp(/^ {2}files: '(.*)'$/m.exec(hook)?.[1] as string);
  const entry = (hook: string) => /^ {2}entry: untold (.*)$/m.exec(hook)?.[1] ?? '';
  for (const hook of hooks) check(entry(hook).split(' '));
  const [files, manifests, sources] = hooks.map(pattern);
  expect(['a/b.untold', 'a.utex', 'a.untold.md'].map((path) => files.test(path))).toEqual([true, true, false]);
  expect(['tiles/a.json', 'x/tiles/b/a.json', 'package.json'].map((path) => manifests.test(path))).toEqual([
    true,
    true,
    false,
  ]);
  expect(['a.usdz', 'b/c.glb', 'a.json'].map((path) => sources.test(path))).toEqual([true, true, false]);
});

test('Dockerfile copies what the package ships and does not run as root', () => {
  const text = read('Dockerfile');
  const copied = [...text.matchAll(/^COPY --from=build \/src\/(\S+)/gm)].map((match) => match[1]);
  for (const path of copied)
    expect([path, path === 'node_modules' || existsSync(join(root, path))]).toEqual([path, true]);
  // docs and schemas are for people: the command reads neither.
  for (const path of ['bin', 'dist', 'pipelines', 'package.json', 'node_modules']) expect(copied).toContain(path);
  expect(text).toMatch(/^USER (?!root)\w+$/m);
  const { scripts } = JSON.parse(read('package.json'));
  for (const [, script] of text.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script);
});

test.skipIf(process.platform === 'win32')('what the image holds runs through a link', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold-')));
  try {
    symlinkSync(join(root, 'bin/untold.js'), join(folder, 'untold'));
    const { stdout, status } = spawnSync(join(folder, 'untold'), ['--version'], { cwd: folder, encoding: 'utf8' });
    expect([status, stdout.trim()]).toEqual([0, JSON.parse(read('package.json')).version]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
