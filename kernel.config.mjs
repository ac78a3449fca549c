// Compiles the kernel (src/kernel/assembly, AssemblyScript) to WebAssembly.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from 'assemblyscript/asc';

const root = import.meta.dirname;

/** Imports name files with their extension, as everywhere in src/; the compiler adds one more. */
function readSource(name, folder) {
  const path = join(folder, name).replace(/\.ts\.ts$/, '.ts');
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** The bytes of the module. Throws with what the compiler says of a mistake. */
export async function compileKernel() {
  let bytes = null;
  const { error, stderr } = await main(
    [
      'src/kernel/assembly/index.ts',
      '--baseDir',
      root,
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
    ],
    {
      readFile: readSource,
      writeFile: (_, contents) => {
        bytes = contents;
      },
      listFiles: () => [],
    },
  );
  if (error || bytes === null) throw new Error(`the kernel cannot be compiled: ${stderr}`);
  return bytes;
}
