// Machines that a command cannot work on: what the quick and the long tests of them share.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject } from 'vitest';
import { ENVIRONMENT } from '../../src/diagnostics/codes/environment.ts';
import { BIN, environment } from '../support/process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const LZ4_TILE = resolve(ROOT, 'test/fixtures/untold/valid-v1-lz4.untold');

/** Runs a text in the shell, with the command line as "$@". */
export function shell(folder: string, script: string, args: readonly string[]) {
  const fault = inject('bundleFault');
  if (fault) throw new Error(fault);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, BIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
  });
  return { code: status, stdout, stderr };
}

/** Runs the command in a folder that is removed before. */
export const GONE = 'mkdir gone && cd gone && rmdir ../gone && "$@"';

const STACK = /\n\s+at |node:internal|UC1099/;

/** The package in a folder of its own, its libraries linked but for those in `without`. */
export function installed(folder: string, without: readonly string[]): string {
  const fault = inject('bundleFault');
  if (fault) throw new Error(fault);
  for (const part of ['bin', 'dist', 'pipelines', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, 'package', part), { recursive: true });
  }
  const modules = join(folder, 'package/node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!without.includes(name)) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  }
  return join(folder, 'package/bin/untold.js');
}

export function run(folder: string, bin: string, args: readonly string[]) {
  const options = { cwd: folder, encoding: 'utf8', env: environment() } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], options);
  expect(stderr).not.toMatch(STACK);
  return { code: status, stdout, stderr };
}

/** Options that cook the squares of manyTriangles in two tiles and two threads, in full detail alone. */
export const MANY = ['--jobs', '2', '--tile-size', '10', '--lod', 'none', '--hlod', 'none'];

/** Two flat squares of 45,000 triangles each, 7.5 m wide, 20 m from each other. */
export function manyTriangles(): string {
  const side = 151;
  const points: string[] = [];
  const indices: number[] = [];
  for (let i = 0; i < side * side; i++) points.push(`(${(i % side) / 20}, 0, ${Math.floor(i / side) / 20})`);
  for (let z = 0; z < side - 1; z++) {
    for (let x = 0; x < side - 1; x++) {
      const a = z * side + x;
      indices.push(a, a + side, a + side + 1, a + 1);
    }
  }
  const mesh = (name: string, x: number) => `def Mesh "${name}" {
    int[] faceVertexCounts = [${new Array((side - 1) ** 2).fill(4)}]
    int[] faceVertexIndices = [${indices}]
    point3f[] points = [${points}]
    uniform token subdivisionScheme = "none"
    double3 xformOp:translate = (${x}, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
  }`;
  return `#usda 1.0\n(\n  upAxis = "Y"\n  metersPerUnit = 1\n)\n${mesh('A', 0)}\n${mesh('B', 20)}\n`;
}

/** A cook that has `limit` kB of address space ends in UC1102. */
export function expectNoSpace(folder: string, limit: number, words: readonly string[]): void {
  const { code, stderr } = shell(folder, `ulimit -v ${limit} && "$@"`, ['cook', ...words, '--out', 'tiles']);
  expect([words, code]).toEqual([words, 3]);
  expect(stderr).toContain(`error UC1102 ${words[0]}`);
  expect(stderr).toContain(ENVIRONMENT.UC1102.remedy);
  expect(stderr).not.toMatch(STACK);
  expect(stderr).not.toContain('Aborted');
  expect(existsSync(join(folder, 'tiles'))).toBe(false);
}
