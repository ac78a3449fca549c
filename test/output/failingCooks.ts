// Runs failingCooks.mjs in a process of its own, with failingCalls.mjs loaded before it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, inject } from 'vitest';
import type { CookOptions } from '../../src/index.ts';

/** `one`: one call is refused; `rest`: all calls from that one on. */
export type Span = 'one' | 'rest';
export type CallKind = 'open' | 'write' | 'rename' | 'sync';

export interface FailingCooks {
  readonly source: string;
  /** The output is `out`, a cache is `cache`. */
  readonly options: CookOptions;
  /** Options of the cook of an earlier set, beside `options`; absent: there is none. */
  readonly earlier?: CookOptions;
  readonly kinds: readonly CallKind[];
  readonly spans: readonly Span[];
  /** Each of the first calls of a kind is refused, 30 unless told, and then one of `step`, 3 unless told. */
  readonly each?: number;
  readonly step?: number;
}

export interface FailedCook {
  readonly span: Span;
  readonly kind: CallKind;
  /** The number of the first refused call. */
  readonly at: number;
  readonly exitCode: number;
  /** Of errors. */
  readonly codes: readonly string[];
  /** What the output is afterwards: as before, as that of a cook without faults, or its content. */
  readonly stands: string | null;
}

const here = (name: string) => resolve(import.meta.dirname, name);

export async function failingCooks(folder: string, cooks: FailingCooks): Promise<readonly FailedCook[]> {
  const fault = inject('bundleFault');
  if (fault) throw new Error(fault);
  const library = here('../../dist/index.js');
  const imports = pathToFileURL(here('failingCalls.mjs')).href;
  const given = JSON.stringify({ library, ...cooks });
  const child = spawn(process.execPath, ['--import', imports, here('failingCooks.mjs'), given], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const lines = stdout.split('\n').slice(0, -1);
  const last = lines.at(-1);
  expect([status, stderr, last]).toEqual([0, '', '"complete"']);
  return lines.slice(0, -1).map((line) => JSON.parse(line) as FailedCook);
}

/**
 * Each cook failed by the disk alone and changed nothing, or did without the call and is complete. `withTextures`: textures
 * that were moved into a folder of many files may stay, because another cook may name them by then.
 */
export function expectAllOrNothing(cooks: readonly FailedCook[], { withTextures = false } = {}): void {
  const isBefore = ({ stands }: FailedCook) =>
    stands === 'before' || (withTextures && !/^(?!Textures\b)/m.test(stands ?? ''));
  const wrong = cooks.filter((cook) => {
    const { exitCode, codes, stands } = cook;
    return exitCode === 0 ? stands !== 'new' : exitCode !== 3 || String(codes) !== 'UC4000' || !isBefore(cook);
  });
  expect(wrong).toEqual([]);
}
