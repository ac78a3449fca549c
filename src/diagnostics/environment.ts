// Tells faults of the machine from bugs: modules that cannot be loaded, lack of memory, calls that the system refuses. Used
// wherever a library is loaded or an unknown exception is caught.

import { ENVIRONMENT } from './codes/environment.ts';
import { type Diagnostic, diagnostic, SourceError } from './diagnostic.ts';

/** Codes of Node for modules that are missing, or whose native part the system does not load. */
const LOADING: readonly string[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'];

/** Codes of Node and of the system for lack of memory. */
const MEMORY: readonly string[] = ['ERR_WORKER_OUT_OF_MEMORY', 'ERR_MEMORY_ALLOCATION_FAILED', 'ENOMEM'];

/**
 * Messages of V8 (messages in message-template.h and wasm-objects.cc), of Emscripten (`Aborted(OOM)`) and of libvips, none
 * of which gives a code.
 */
const MEMORY_MESSAGE =
  /Array buffer allocation failed|Cannot allocate Wasm memory|could not allocate memory|Unable to grow instance memory|Aborted\(OOM|out of memory -- size/;

const firstLine = (text: string): string => text.split('\n')[0];

/** Whether an exception reports lack of memory. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return MEMORY.includes((error as NodeJS.ErrnoException).code ?? '') || MEMORY_MESSAGE.test(error.message);
}

/**
 * UC1100 to UC1103 for an exception that the machine causes; null for all others. `file` and `path` name the element that
 * was being processed.
 */
export function environmentFault(error: unknown, file: string, path = ''): Diagnostic | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (isOutOfMemory(error)) return diagnostic('UC1102', file, path, `no memory: ${firstLine(message)}`);
  // The message is a code of the system, such as EAGAIN for a limit on threads (`ulimit -u`).
  if (code === 'ERR_WORKER_INIT_FAILED') return diagnostic('UC1103', file, path, `${message} at the start of a thread`);
  if (syscall === 'uv_cwd') return diagnostic('UC1100', file, path, `the system does not name it (${code})`);
  if (code !== undefined && LOADING.includes(code)) return diagnostic('UC1101', file, path, firstLine(message));
  if (typeof code === 'string' && typeof syscall === 'string') {
    const target = (error as NodeJS.ErrnoException).path;
    return diagnostic('UC1103', file, path, `${code} at ${syscall}${target === undefined ? '' : ` of ${target}`}`);
  }
  return null;
}

/**
 * The diagnostics of an exception that the source or the machine causes; null for a bug. Faults of the machine that name no
 * file get `file` and `path`, the element that was being processed.
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

/** Why a library cannot be loaded: UC1102 for lack of memory, else UC1101. */
function loadingFault(name: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const message = `${name}: ${firstLine(error instanceof Error ? error.message : String(error))}`;
  return new SourceError(diagnostic(isOutOfMemory(error) ? 'UC1102' : 'UC1101', '', '', message));
}

/** Returns what `load` returns. Turns any exception of it into UC1101 or UC1102 with the library's name. */
export async function loadLibrary<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw loadingFault(name, error);
  }
}

/** Like loadLibrary, for libraries that are loaded by `require`. */
export function requireLibrary<T>(name: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    throw loadingFault(name, error);
  }
}

/** The part of the global WebAssembly that is used here; the types of Node leave it out. */
declare const WebAssembly: { readonly Memory: new (size: { readonly initial: number }) => unknown };

/**
 * Throws UC1102 when WebAssembly gets no memory. Called before modules that print on stderr when they cannot start, and
 * before threads, because V8 ends the process when a thread's heap gets no memory.
 */
export function requireWasmMemory(): void {
  requireLibrary('WebAssembly', () => new WebAssembly.Memory({ initial: 1 }));
}
