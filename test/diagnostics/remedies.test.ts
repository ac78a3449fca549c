// Remedies and causes name options and commands that exist.

import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/commandTable.ts';
import { CODES, type CodeEntry } from '../../src/diagnostics/codes.ts';

/** Options of other programs. */
const FOREIGN = new Set(['--flatten', '--disable-wasm-trap-handler']);
const FLAGS = new Set([
  '--help',
  ...COMMANDS.flatMap(({ options }) => options.flatMap(({ name }) => [`--${name}`, `--no-${name}`])),
]);
/** `cook`, `cache`, `cache clear`. */
const WORDS = new Set(COMMANDS.flatMap(({ name }) => [name, name.split(' ')[0]]));

const entries = Object.entries(CODES) as (readonly [string, CodeEntry])[];

test('options and commands that are named exist', () => {
  const unknown = entries.flatMap(([code, { cause, remedy }]) => {
    const text = `${cause} ${remedy}`;
    const flags = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag);
    const commands = [...text.matchAll(/`untold ([a-z][a-z-]*)/g)].map(([, name]) => name);
    return [
      ...flags.filter((flag) => !FLAGS.has(flag) && !FOREIGN.has(flag)),
      ...commands.filter((name) => !WORDS.has(name)),
    ].map((word) => `${code} ${word}`);
  });
  expect(unknown).toEqual([]);
});

test('remedies say what to do, and codes in them are their own', () => {
  const vague = entries.filter(([code, { remedy }]) => {
    const codes = [...remedy.matchAll(/UC\d{4}/g)].map(([one]) => one);
    return /unless the (look|scene) depends|allow this code/.test(remedy) || codes.some((one) => one !== code);
  });
  expect(vague.map(([code]) => code)).toEqual([]);
});
