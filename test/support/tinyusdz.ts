// An independent reader of crates: tinyusdz, compiled for browsers, which gives a layer as USD text.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface NativeLoader {
  loadAsLayerFromBinary(bytes: Uint8Array, name: string): boolean;
  layerToString(): string;
  error(): string;
  delete(): void;
}

interface Tinyusdz {
  readonly TinyUSDZLoaderNative: new () => NativeLoader;
}

/** What is used of WebAssembly, which the types of this project do not have. */
interface Assembly {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => object;
}

type Start = (module: object) => Promise<Tinyusdz>;

let started: Promise<Tinyusdz> | null = null;

/** Starts the module, which only runs where it finds the globals of a worker of a browser. */
async function start(): Promise<Tinyusdz> {
  const script = createRequire(import.meta.url).resolve('tinyusdz');
  // The package does not say that its script is a module.
  const source = readFileSync(script).toString('base64');
  const { default: run } = (await import(`data:text/javascript;base64,${source}`)) as { default: Start };
  const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Assembly }).WebAssembly;
  const wasm = new Module(readFileSync(script.replace(/\.js$/, '.wasm')));
  const worker = { self: globalThis, WorkerGlobalScope: class {}, location: { href: 'file:///' } };
  const before = Object.keys(worker).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  const type = Object.getOwnPropertyDescriptor(process, 'type');
  Object.assign(globalThis, worker);
  Object.defineProperty(process, 'type', { value: 'renderer', configurable: true });
  try {
    return await run({
      instantiateWasm: (imports: object, done: (instance: object) => void) => {
        done(new Instance(wasm, imports));
        return {};
      },
    });
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
    if (type) Object.defineProperty(process, 'type', type);
    else Reflect.deleteProperty(process, 'type');
  }
}

/** A crate as USD text. Throws what tinyusdz says of a crate that it does not read. */
export async function textOfCrate(crate: Uint8Array): Promise<string> {
  started ??= start();
  const { TinyUSDZLoaderNative } = await started;
  const loader = new TinyUSDZLoaderNative();
  try {
    if (!loader.loadAsLayerFromBinary(crate, 'layer.usdc')) throw new Error(loader.error());
    return loader.layerToString();
  } finally {
    loader.delete();
  }
}
