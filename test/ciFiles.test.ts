// The files that other programs run us by: the GitHub Action, the pre-commit hooks, the Dockerfile. Every command and flag in
// them must exist, and the scripts of the action run here as a runner would run them.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMMAND_OPTIONS, type CommandOption } from '../src/config/options/table.ts';
import { type Runner, stubbedRunner } from './support/actionJobs.ts';
import { ACTION as action } from './support/actionRunner.ts';

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

describe.skipIf(process.platform === 'win32')('action.yml', () => {
  let runner: Runner;
  beforeEach(() => {
    runner = stubbedRunner();
  });
  afterEach(() => rmSync(runner.folder, { recursive: true }));

  test('has the inputs and outputs that its steps use, and no step reads an input as code', () => {
    const text = read('action.yml');
    const inputs = ['sources', 'out', 'args', 'report', 'validate', 'device', 'cache-size', 'version'];
    expect(Object.keys(action.inputs)).toEqual(inputs);
    const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map((match) => match[1]);
    expect([...new Set(used)].sort()).toEqual([...inputs].sort());
    expect(Object.keys(action.outputs)).toEqual(['sources', 'failed', 'report']);
    expect(action.steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
  });

  test('cooks with command lines that exist', () => {
    for (const [, line] of action.steps.flatMap(({ run }) => [...run.matchAll(/untold"? (cook .*)\|\|/g)])) {
      check(line.replaceAll('"', '').trim().split(' '));
    }
    check(['cook', '--report', '--out']);
    check(['validate', '--strict']);
  });

  test('passes words on as they are: options of one line or several, names with spaces, a project without any', async () => {
    const ran = await runner.job({
      out: 'my tiles',
      args: '--root .  --strict --ignore "old things/"\n--lod\nnone\n\n',
      sources: 'art/a b.gltf\n\n$(touch hacked)\n--strange.glb',
      report: 'a.sarif\nmy page.html',
    });
    expect([ran.ok, ran.outputs.sources, ran.outputs.failed]).toEqual([true, '3', '0']);
    const reports = ['--report', 'TEMP', '--out', 'my tiles', '--report', 'a.sarif', '--report', 'my page.html'];
    const options = ['--root', '.', '--strict', '--ignore', 'old things/', '--lod', 'none'];
    const sources = ['art/a b.gltf', '$(touch hacked)', '--strange.glb'];
    expect(runner.calls()).toEqual([['cook', ...reports, ...options, '--', ...sources]]);
    expect(existsSync(join(runner.folder, 'checkout/hacked'))).toBe(false);
    expect(existsSync(ran.outputs.report)).toBe(true);
    expect((await runner.job({})).ok).toBe(true);
    expect(runner.calls()).toEqual([['cook', '--report', 'TEMP', '--']]);
    expect((await runner.job({ device: 'vision-pro' })).ok).toBe(true);
    expect(runner.calls()).toEqual([['cook', '--report', 'TEMP', '--device', 'vision-pro', '--']]);
    // Words that are lost would be another cook.
    expect((await runner.job({ args: '--root "a' })).ok).toBe(false);
  });
});

test('package.json has no script that npm runs or asks about where the package is installed, and builds before it packs', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const asked = ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts);
  expect([asked, scripts.prepack, scripts.postprepare]).toEqual([[], 'node build.mjs', 'node build.mjs']);
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
