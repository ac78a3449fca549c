// Tells faults of the machine from bugs: modules that cannot be loaded, memory that cannot be had, calls that the system
// refuses. For everybody who loads a library or catches what nobody expected.

import { ENVIRONMENT } from './codes/environment.ts';
import { type Diagnostic, diagnostic, SourceError } from './diagnostic.ts';

/** Codes of Node for modules that are missing, or whose native part the system does not load. */
const LOADING: readonly string[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'];

/** Codes of Node and of the system for memory that was not given. */
const MEMORY: readonly string[] = ['ERR_WORKER_OUT_OF_MEMORY', 'ERR_MEMORY_ALLOCATION_FAILED', 'ENOMEM'];

/**
 * Messages of V8 (messages in message-template.h and wasm-objects.cc), of Emscripten (`Aborted(OOM)`) and of libvips, none
 * of which gives a code.
 */
const MEMORY_MESSAGE =
  /Array buffer allocation failed|Cannot allocate Wasm memory|could not allocate memory|Unable to grow instance memory|Aborted\(OOM|out of memory -- size/;

const firstLine = (text: string): string => text.split('\n')[0];

/** Whether an exception says that memory was not given. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return MEMORY.includes((error as NodeJS.ErrnoException).code ?? '') || MEMORY_MESSAGE.test(error.message);
}

/**
 * UC1100 to UC1103 for an exception that tells of the machine; null for all others. `file` and `path` say what was worked
 * on.
 */
export function environmentFault(error: unknown, file: string, path = ''): Diagnostic | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (isOutOfMemory(error)) return diagnostic('UC1102', file, path, `no memory: ${firstLine(message)}`);
  // Its message is the code of the system, as EAGAIN for a limit on threads (`ulimit -u`).
  if (code === 'ERR_WORKER_INIT_FAILED') return diagnostic('UC1103', file, path, `${message} at the start of a thread`);
  if (syscall === 'uv_cwd') return diagnostic('UC1100', file, path, `the system does not name it (${code})`);
  if (code !== undefined && LOADING.includes(code)) return diagnostic('UC1101', file, path, firstLine(message));
  if (typeof code === 'string' && typeof syscall === 'string') {
    const place = (error as NodeJS.ErrnoException).path;
    return diagnostic('UC1103', file, path, `${code} at ${syscall}${place === undefined ? '' : ` of ${place}`}`);
  }
  return null;
}

/**
 * What an exception tells of the source or of the machine; null for a bug. Faults of the machine get the file and the
 * place in it that were worked on where they have none.
 */
export function faultsOf(error: unknown, file: string, path = ''): readonly Diagnostic[] | null {
  if (error instanceof SourceError) {
    return error.diagnostics.map((item) =>
      item.file === '' && item.code in ENVIRONMENT ? { ...item, file, path } : item,
    );
  }
  const fault = environmentFault(error, file, path);
  return fault && [fault];
}

/** Why a library cannot be loaded: UC1102 where memory lacks, else UC1101. */
function loadingFault(name: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const message = `${name}: ${firstLine(error instanceof Error ? error.message : String(error))}`;
  return new SourceError(diagnostic(isOutOfMemory(error) ? 'UC1102' : 'UC1101', '', '', message));
}

/** What `load` gives. Throws UC1101 or UC1102, with the library's name, for whatever it throws. */
export async function loadLibrary<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw loadingFault(name, error);
  }
}

/** As loadLibrary, for what is required and not imported. */
export function requireLibrary<T>(name: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    throw loadingFault(name, error);
  }
}

/** Type of what is used of the global WebAssembly, which the types of Node leave out. */
declare const WebAssembly: { readonly Memory: new (size: { readonly initial: number }) => unknown };

/**
 * Throws UC1102 where WebAssembly gets no memory: asked before modules that print on stderr when they cannot start, and
 * before threads, whose heaps V8 ends the process over.
 */
export function requireWasmMemory(): void {
  requireLibrary('WebAssembly', () => new WebAssembly.Memory({ initial: 1 }));
}
