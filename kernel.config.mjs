// Compiles the kernel (src/kernel/assembly, AssemblyScript) to WebAssembly. That takes longer than the rest of the build, so
// the module is kept in the repository (src/kernel/kernel.wasm), with the digest of its sources as a custom section. Where
// these have changed, the build compiles them and puts the new module there, to be committed with them.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryOf, kernelFunctions, kernelSources } from './kernelCalls.config.mjs';

const root = import.meta.dirname;
const kept = join(root, 'src/kernel/kernel.wasm');

/** Where the compiler looks for the entry file, which is made when it asks. */
const ENTRY = 'src/kernel/assembly/index.ts';

/** What the compiler is told. */
const OPTIONS = [
  ENTRY,
  '--outFile',
  'kernel.wasm',
  // The same instructions on every machine: SIMD, but none whose results differ.
  '--enable',
  'simd',
  '--disable',
  'relaxed-simd',
  '-O3',
  '--converge',
  // No runtime, no imports: the module allocates nothing and never aborts.
  '--runtime',
  'stub',
  '--noAssert',
  '--use',
  'abort=',
];

/** The name of the custom section. */
const SOURCES = 'sources';

/** SHA-256 of all that decides the module: its sources, the options, and the versions of the compiler. */
function sourcesDigest() {
  const hash = createHash('sha256').update(JSON.stringify(OPTIONS));
  for (const { path, content } of kernelSources()) {
    hash.update(JSON.stringify([path, content.length])).update(content);
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const name of ['assemblyscript', 'binaryen']) hash.update(packages[`node_modules/${name}`].integrity);
  return hash.digest();
}

/** Whether these are the bytes of a module that was made of these sources. */
function isMadeOf(bytes, digest) {
  if (!WebAssembly.validate(bytes)) return false;
  const sections = WebAssembly.Module.customSections(new WebAssembly.Module(bytes), SOURCES);
  return sections.length === 1 && digest.equals(Buffer.from(sections[0]));
}

/** The module with a custom section (WebAssembly core specification, 5.5.3): id 0, size, name, content, all below 128 bytes. */
function withDigest(bytes, digest) {
  return Buffer.concat([
    bytes,
    Buffer.of(0, 1 + SOURCES.length + digest.length, SOURCES.length),
    Buffer.from(SOURCES),
    digest,
  ]);
}

/** The bytes of the module, compiled where the kept one is not made of these sources. `say` is told of that. */
export async function keptKernel(say) {
  const digest = sourcesDigest();
  const bytes = existsSync(kept) ? readFileSync(kept) : null;
  if (bytes !== null && isMadeOf(bytes, digest)) return bytes;
  say('compiling the kernel, whose sources are not those of src/kernel/kernel.wasm: about a quarter of a minute');
  const made = await compileKernel(digest);
  const whole = `${kept}.${process.pid}`;
  writeFileSync(whole, made);
  renameSync(whole, kept);
  say('src/kernel/kernel.wasm is new: commit it with the sources of the kernel');
  return made;
}

/** Imports name files with their extension, as everywhere in src/; the compiler adds one more. */
function readSource(name, folder) {
  if (name === ENTRY) return entryOf(kernelFunctions(kernelSources()));
  const path = join(folder, name).replace(/\.ts\.ts$/, '.ts');
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** The bytes of a module that is compiled now. Throws with what the compiler says of a mistake. */
export async function compileKernel(digest = sourcesDigest()) {
  // Loading the compiler takes a second, so that only who compiles loads it.
  const { main } = await import('assemblyscript/asc');
  let bytes = null;
  const { error, stderr } = await main([...OPTIONS, '--baseDir', root], {
    readFile: readSource,
    writeFile: (_, contents) => {
      bytes = contents;
    },
    listFiles: () => [],
  });
  if (error || bytes === null) throw new Error(`the kernel cannot be compiled: ${stderr}`);
  return withDigest(bytes, digest);
}
