// action.yml as a runner runs it: every step of jobs that fail, validate, keep a cache and install in each way; and a job with the
// packed package itself.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Runner, stubbedRunner } from './support/actionJobs.ts';
import { ACTION, runAction } from './support/actionRunner.ts';
import { filesBelow, put, temporaryFolder } from './support/files.ts';
import { squareGltf } from './support/squareGltf.ts';

const root = resolve(import.meta.dirname, '..');

describe.skipIf(process.platform === 'win32')('a job', () => {
  let runner: Runner;
  beforeEach(() => {
    runner = stubbedRunner();
  });
  afterEach(() => rmSync(runner.folder, { recursive: true }));

  test('tells what failed, and then neither validates nor ends well', async () => {
    const ran = await runner.job({ sources: 'a\nbad', validate: 'true' });
    expect([ran.ok, ran.outputs.sources, ran.outputs.failed]).toEqual([false, '2', '1']);
    expect(runner.calls().map(([command]) => command)).toEqual(['cook']);
    expect(ran.ran).toContain('Save the cache');
    expect((await runner.job({ sources: 'no report\nbad' })).outputs).toEqual({
      sources: '0',
      failed: '0',
      report: '',
    });
  });

  test('validates the main files of what was cooked', async () => {
    expect((await runner.job({ sources: 'a\nb c', validate: 'true' })).ok).toBe(true);
    expect(runner.calls()[1]).toEqual(['validate', '--', 'tiles/a.json', 'tiles/b c.json']);
    expect((await runner.job({ sources: 'a', validate: 'strict' })).ok).toBe(true);
    expect(runner.calls()[1]).toEqual(['validate', '--strict', '--', 'tiles/a.json']);
    expect((await runner.job({ sources: 'a', validate: 'yes' })).log).toContain(
      '::error::validate is true, false or strict, not yes',
    );
  });

  test('keeps one cache a branch, also where the cook fails, and none twice', async () => {
    const kept = () => readdirSync(join(runner.folder, 'shelf')).map((name) => decodeURIComponent(name).split('@')[1]);
    expect((await runner.job({ sources: 'a' })).ran).not.toContain('Remove the earlier cache of the branch');
    expect(kept()).toEqual(['main']);
    expect((await runner.job({ sources: 'a' })).ran).not.toContain('Save the cache');
    runner.tools();
    expect((await runner.job({ sources: 'a\nbad' })).ran).toContain('Save the cache');
    expect(runner.tools().at(-1)).toMatch(
      /^gh\|cache\|delete\|untold-Linux@main@[0-9a-f]{32}\|--repo\|owner\/content\|$/,
    );
    expect(kept()).toEqual(['main']);
    expect((await runner.job({ sources: 'a\nbad' }, 'feature/x,y')).ran).not.toContain('Save the cache');
    expect((await runner.job({ sources: 'c' }, 'feature/x,y')).ran).toContain('Save the cache');
    expect(kept().sort()).toEqual(['feature/x_y', 'main']);
  });

  test('installs a version, a tarball by its path with and without ./, and a packed checkout', async () => {
    const installed = async (version: string) => {
      const { ok, log } = await runner.job({ version });
      return [ok, ...(ok ? runner.tools() : [/::error::.*/.exec(log)?.[0]])];
    };
    const npm = (what: string) => `npm|install|--prefix|/temp/untold|--no-save|--no-audit|--no-fund|${what}|`;
    expect(await installed('1.2.3')).toEqual([true, npm('untold-cook@1.2.3')]);
    put(runner.folder, 'checkout/tools/u.tgz', '');
    put(runner.folder, 'checkout/kit/package.json', '{}');
    put(runner.folder, 'action/package.json', '{}');
    expect(await installed('tools/u.tgz')).toEqual([true, npm('/checkout/tools/u.tgz')]);
    expect(await installed('./tools/u.tgz')).toEqual([true, npm('/checkout/tools/u.tgz')]);
    const packed = ['npm|ci|--ignore-scripts|', 'npm|pack|--pack-destination|/temp/untold|'];
    for (const version of ['kit', './kit', '']) {
      expect(await installed(version)).toEqual([true, ...packed, npm('/temp/untold/untold-cook-9.9.9.tgz')]);
    }
    expect(await installed('tools/v.tgz')).toEqual([false, '::error::there is no package tools/v.tgz']);
  });
});

/** Installs a tarball without a network: its own files, and links to the packages that it needs. */
const NPM = `#!/bin/bash
set -e
package="$3/node_modules/untold-cook"
mkdir -p "$package"
tar -xzf "\${@: -1}" -C "$package" --strip-components 1
ln -s "$MODULES" "$package/node_modules"
`;

test.skipIf(process.platform === 'win32')(
  'with the packed package builds a project, and again with the cache of the run before',
  async () => {
    const folder = temporaryFolder();
    try {
      const pack = ['pack', '--offline', '--silent', '--pack-destination', folder];
      execFileSync('npm', pack, { cwd: root, stdio: 'pipe' });
      const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
      mkdirSync(join(folder, 'bin'));
      writeFileSync(join(folder, 'bin/npm'), NPM, { mode: 0o755 });
      const work = join(folder, 'checkout');
      put(work, 'art/town.gltf', squareGltf());
      put(
        work,
        'untold.config.json',
        JSON.stringify({ sources: 'art/', targets: { small: { out: 'tiles', lod: 'none' } } }),
      );
      const job = (name: string, inputs: Readonly<Record<string, string>>) =>
        runAction(inputs, {
          action: ACTION,
          actionPath: root,
          workspace: work,
          temp: join(folder, name),
          shelf: join(folder, 'shelf'),
          branch: 'main',
          variables: {
            PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
            MODULES: join(root, 'node_modules'),
          },
        });
      const version = `../${packed}`;
      const first = await job('one', { version, sources: 'small', validate: 'strict', report: 'page.html' });
      expect([first.ok, first.outputs.sources, first.outputs.failed, first.log]).toEqual([
        true,
        '1',
        '0',
        expect.stringContaining('1 of 1 source cooked'),
      ]);
      expect(JSON.parse(readFileSync(first.outputs.report, 'utf8')).results[0].source).toBe('art/town.gltf');
      expect(filesBelow(work).filter((name) => /^(page\.html|tiles\/town\.json)$/.test(name))).toHaveLength(2);
      // What is a program's own is not among it: no tests, no sources, no tools.
      const installed = readdirSync(join(folder, 'one/untold/node_modules/untold-cook'));
      expect(installed).not.toContain('src');
      put(work, 'art/bad.gltf', '{');
      const second = await job('two', { version, sources: 'small', validate: 'true' });
      expect([second.ok, second.outputs.sources, second.outputs.failed]).toEqual([false, '2', '1']);
      expect(second.log).toMatch(/art\/town\.gltf: up to date[\s\S]*0 of 2 sources cooked, 1 up to date, 1 failed/);
      expect(second.log).toContain('error UC');
      expect((await job('three', { version: 'none.tgz' })).log).toContain('::error::there is no package none.tgz');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
