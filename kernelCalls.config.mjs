// What the kernel's module exports, read from its sources (src/kernel/assembly): each function that one of those files exports
// and no other of them imports. Made of this are the entry file that the compiler is given, and src/kernel/calls.ts, which types
// the calls for TypeScript. A new function therefore needs no entry but its own file.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

const root = import.meta.dirname;
const assembly = 'src/kernel/assembly';
const calls = join(root, 'src/kernel/calls.ts');

/** The widest line that biome writes. */
const WIDTH = 120;

/** For TypeScript the types of what a call is given, null: none. 64-bit integers would be BigInts. */
function parameterType(type) {
  // A record that the caller lays out.
  if (type === 'usize' || /^[A-Z]/.test(type)) return 'Address';
  if (type === 'bool') return 'boolean';
  return /^([iu](8|16|32)|f32|f64)$/.test(type) ? 'number' : null;
}

/** The same of what it gives: yes or no is 1 or 0. */
function resultType(type) {
  return type === 'void' ? 'void' : type === 'bool' ? 'number' : parameterType(type);
}

/** The sources of the kernel with their paths from the root of the repository, sorted by these. */
export function kernelSources() {
  return readdirSync(join(root, assembly), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
    .map((path) => ({ path, content: readFileSync(join(root, path)) }));
}

/** `PATH NAME` of all that a source imports of others. */
function importsOf({ path, content }) {
  return [...content.toString().matchAll(/^import \{([^}]*)\} from '([^']+)'/gm)].flatMap(([, names, from]) => {
    const imported = posix.join(dirname(path), from);
    return names.split(',').map((name) => `${imported} ${name.trim()}`);
  });
}

/** The functions that the module exports, by path and name. Throws where one has a type that cannot be called with. */
export function kernelFunctions(sources) {
  const imported = new Set(sources.flatMap(importsOf));
  return sources.flatMap(({ path, content }) =>
    [...content.toString().matchAll(/^export function (\w+)(.*?) \{$/gms)]
      .filter(([, name]) => !imported.has(`${path} ${name}`))
      .map(([, name, signature]) => ({ path, name, ...signatureOf(signature, `${path}: ${name}`) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
}

function signatureOf(signature, where) {
  const [, list = '', result = ''] = /^\(([^()]*)\): (\w+)$/.exec(signature) ?? [];
  if (resultType(result) === null) throw new Error(`${where} cannot be called: ${signature}`);
  const given = list.split(',').map((text) => text.trim());
  const parameters = given
    .filter((text) => text !== '')
    .map((text) => {
      const [, name = '', type = ''] = /^(\w+): (\w+)$/.exec(text) ?? [];
      if (parameterType(type) === null) throw new Error(`${where} cannot be called with ${text}`);
      return { name, type };
    });
  return { parameters, result };
}

/** The functions of each file, in the order of the files. */
function byFile(functions) {
  const files = new Map();
  for (const one of functions) files.set(one.path, [...(files.get(one.path) ?? []), one]);
  return [...files];
}

/** The file that the compiler starts from, in the folder of the sources. It also says where the caller's memory begins. */
export function entryOf(functions) {
  const lines = byFile(functions).map(([path, own]) => {
    return `export { ${own.map(({ name }) => name).join(', ')} } from './${posix.relative(assembly, path)}';\n`;
  });
  return `${lines.join('')}export function memoryBase(): usize {\n  return __heap_base;\n}\n`;
}

/** The text of src/kernel/calls.ts, formatted as biome does. */
export function callsOf(functions) {
  const members = byFile(functions).map(([path, own]) => {
    return `  // ${posix.relative(posix.dirname(assembly), path)}\n${own.map(memberOf).join('')}`;
  });
  return `// What the kernel's module exports. The build makes this file of the sources of the kernel (kernelCalls.config.mjs).

/** An address in the kernel's memory, in bytes. */
export type Address = number;

/** Functions that tell yes or no give 1 or 0. */
export interface KernelCalls {
${members.join('\n')}}
`;
}

function memberOf({ name, parameters, result }) {
  const given = parameters.map((one) => `${one.name}: ${parameterType(one.type)}`);
  const line = `  ${name}(${given.join(', ')}): ${resultType(result)};`;
  if (line.length <= WIDTH) return `${line}\n`;
  return `  ${name}(\n${given.map((one) => `    ${one},\n`).join('')}  ): ${resultType(result)};\n`;
}

/** Writes src/kernel/calls.ts in one step, where it is not what the sources say. `say` is told of that. */
export function writeCalls(say) {
  const text = callsOf(kernelFunctions(kernelSources()));
  if (existsSync(calls) && readFileSync(calls, 'utf8') === text) return;
  const whole = `${calls}.${process.pid}`;
  writeFileSync(whole, text);
  renameSync(whole, calls);
  say('src/kernel/calls.ts is new: commit it with the sources of the kernel');
}
