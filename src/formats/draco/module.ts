// Instances of the WebAssembly build of Google's Draco decoder, with a limit on their memory. Damaged data can make the
// decoder ask for up to 2 GiB and fill it for many seconds, so its memory is limited according to the sizes that the mesh
// declares.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DecoderModule } from 'draco3dgltf';
import { loadLibrary, requireWasmMemory } from '../../diagnostics/environment.ts';

/** The part of the global WebAssembly that is used here; the types of Node leave it out. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(code: object, imports: object): Promise<{ readonly exports: Readonly<Record<string, unknown>> }>;
};

const PAGE_BYTES = 65536;

export interface DracoModule {
  readonly module: DecoderModule;
  readonly memory: WasmMemory;
  /** In bytes: growth beyond it fails. Set it right before decoding, for another decode may have used the module meanwhile. */
  limit: number;
  /** Growth beyond the limit was refused since this was set to false. */
  refused: boolean;
}

let compiled: Promise<object> | null = null;
let current: DracoModule | null = null;

/** A module for a limit of that many bytes: the last one, unless its memory is larger already, because it never shrinks. */
export async function dracoModule(limit: number): Promise<DracoModule> {
  if (current === null || current.memory.buffer.byteLength > limit) {
    compiled ??= loadLibrary('draco3dgltf', compile);
    const code = await compiled;
    current = await loadLibrary('draco3dgltf', () => instantiate(code));
  }
  return current;
}

/** Makes the next call use a new module. A failed decode leaves the memory of the old one in an unknown state. */
export function dropDracoModule(): void {
  current = null;
}

async function compile(): Promise<object> {
  requireWasmMemory();
  const folder = dirname(createRequire(import.meta.url).resolve('draco3dgltf'));
  return WebAssembly.compile(readFileSync(join(folder, 'draco_decoder_gltf.wasm')));
}

async function instantiate(code: object): Promise<DracoModule> {
  const { default: draco } = await import('draco3dgltf');
  let memory: WasmMemory | undefined;
  const module = await new Promise<DecoderModule>((resolve, reject) => {
    const options = {
      // The module would print errors; a diagnostic reports them.
      print() {},
      printErr() {},
      instantiateWasm(imports: object, done: (instance: object) => void) {
        WebAssembly.instantiate(code, imports).then((instance) => {
          memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory) as WasmMemory;
          done(instance);
        }, reject);
        return {};
      },
    };
    draco.createDecoderModule(options).then(resolve, reject);
  });
  const made: DracoModule = { module, memory: memory!, limit: 0, refused: false };
  const grow = made.memory.grow.bind(made.memory);
  // The allocator of the module catches exceptions of `grow` and reports that there is no memory.
  made.memory.grow = (pages) => {
    if (made.memory.buffer.byteLength + pages * PAGE_BYTES <= made.limit) return grow(pages);
    made.refused = true;
    throw new RangeError('memory limit');
  };
  return made;
}
