// The types of the kernel's calls, which the build reads from its sources: they are what the compiled module says of itself.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { callsOf, entryOf, kernelFunctions, kernelSources } from '../../kernelCalls.config.mjs';

const folder = resolve(import.meta.dirname, '../../src/kernel');

const sourceOf = (path: string, lines: readonly string[]) => ({
  path: `src/kernel/assembly/${path}`,
  content: Buffer.from(`${lines.join('\n')}\n`),
});

/** Type, function and export sections of a module (WebAssembly core specification, 5.5.4, 5.5.6 and 5.5.10). */
function signaturesIn(bytes: Uint8Array): Map<string, string> {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const list = <T>(item: () => T): T[] => Array.from({ length: number() }, item);
  const TYPES = new Map([
    [0x7f, 'i32'],
    [0x7e, 'i64'],
    [0x7d, 'f32'],
    [0x7c, 'f64'],
  ]);
  const values = () => list(() => TYPES.get(bytes[at++])).join();
  const signature = () => {
    // The byte that says that it is the type of a function.
    at++;
    return `${values()} -> ${values()}`;
  };
  const text = () => String.fromCharCode(...list(() => bytes[at++]));
  let types: string[] = [];
  let functions: string[] = [];
  const exported = new Map<string, string>();
  while (at < bytes.length) {
    const id = bytes[at++];
    const end = number() + at;
    if (id === 1) types = list(signature);
    if (id === 3) functions = list(() => types[number()]);
    if (id === 7) {
      list(() => {
        const name = text();
        const kind = bytes[at++];
        const index = number();
        // The module imports nothing, so that numbers of functions begin with its own.
        if (kind === 0) exported.set(name, functions[index]);
      });
    }
    at = end;
  }
  return exported;
}

/** The type of WebAssembly that one of AssemblyScript becomes. */
const compiled = (type: string) => (type === 'void' ? '' : /^f(32|64)$/.test(type) ? type : 'i32');

test('calls.ts and the module have the same functions, parameters and results', () => {
  const functions = kernelFunctions(kernelSources());
  const read = functions.map(({ name, parameters, result }): [string, string] => [
    name,
    `${parameters.map(({ type }) => compiled(type)).join()} -> ${compiled(result)}`,
  ]);
  const inModule = signaturesIn(readFileSync(resolve(folder, 'kernel.wasm')));
  expect(inModule.get('memoryBase')).toBe(' -> i32');
  inModule.delete('memoryBase');
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(inModule));
  expect(read).toHaveLength(inModule.size);
  expect(readFileSync(resolve(folder, 'calls.ts'), 'utf8')).toBe(callsOf(functions));
});

test('a function is exported that its file exports and no other file imports', () => {
  const functions = kernelFunctions([
    sourceOf('a/sum.ts', [
      "import { word } from '../words.ts';",
      'export function sum(numbers: usize, count: u32): f64 {',
      '  return 0;',
      '}',
      'function within(): void {',
      '}',
    ]),
    sourceOf('words.ts', [
      'export function word(array: usize, i: u32): u32 {',
      '  return 0;',
      '}',
      'export function isEmpty(',
      '  tree: Hierarchy,',
      '  isAll: bool,',
      '): bool {',
      '  return true;',
      '}',
    ]),
  ]);
  const [header, members] = callsOf(functions).split('export interface KernelCalls {\n');
  expect(header).toContain('export type Address = number;');
  expect(members.split('\n')).toEqual([
    '  // assembly/a/sum.ts',
    '  sum(numbers: Address, count: number): number;',
    '',
    '  // assembly/words.ts',
    '  isEmpty(tree: Address, isAll: boolean): number;',
    '}',
    '',
  ]);
  expect(entryOf(functions).split('\n').slice(0, 2)).toEqual([
    "export { sum } from './a/sum.ts';",
    "export { isEmpty } from './words.ts';",
  ]);
});

test.each([
  'size(count: u64): void',
  'size(count: u32): i64',
  'size(count: u32 = 1): void',
  'size<T>(count: u32): void',
])('a function that cannot be called is refused: %s', (signature) => {
  const source = sourceOf('size.ts', [`export function ${signature} {`, '}']);
  expect(() => kernelFunctions([source])).toThrow('src/kernel/assembly/size.ts: size cannot be called');
});
