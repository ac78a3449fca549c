// Diagnostics: findings about a source or a file. Library code adds them to a `Diagnostics` list or throws a `SourceError`;
// only the command line prints them. codes.ts has the table of codes.

import { CODES, type Code, type Severity } from './codes.ts';

export type { Code, Severity } from './codes.ts';

/** One finding about one element. `path` names the element inside the file: `/Town/House`, `meshes/4`, `chunk 6`. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  /** The file as the user named it, or as it was found from there; '' when no file is concerned. */
  readonly file: string;
  /** Element inside the file, '' for the file as a whole. */
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

/** Builds a diagnostic from the table; `remedy` replaces the table's when the caller knows a better one. */
export function diagnostic(code: Code, file: string, path: string, message: string, remedy?: string): Diagnostic {
  const entry = CODES[code];
  return { code, severity: entry.severity, file, path, message, remedy: remedy ?? entry.remedy };
}

/** An error of the source, the environment or the command line: carries at least one diagnostic of severity error. */
export class SourceError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: Diagnostic | readonly Diagnostic[]) {
    const list = Array.isArray(diagnostics) ? (diagnostics as readonly Diagnostic[]) : [diagnostics as Diagnostic];
    super(list.map((d) => `${d.code} ${d.file}${d.path ? ` ${d.path}` : ''}: ${d.message}`).join('\n'));
    this.name = 'SourceError';
    this.diagnostics = list;
  }
}

/** Throws a coded error at once. */
export function fail(code: Code, file: string, path: string, message: string, remedy?: string): never {
  throw new SourceError(diagnostic(code, file, path, message, remedy));
}

/** A diagnostic of one collection, as `repeat` adds it to another. */
export interface ReportedDiagnostic {
  readonly item: Diagnostic;
  /** The key that was given to `once`; null if it was added by `add` or `report`. */
  readonly once: string | null;
}

/**
 * Collects diagnostics of one source. Equal diagnostics are kept once. `once` keeps one for each code and key, for
 * warnings that would otherwise repeat for each vertex or node.
 */
export class Diagnostics {
  readonly #reported: ReportedDiagnostic[] = [];
  readonly #seen = new Set<string>();
  /** By code and file: where the diagnostic of `worst` is in `#reported`, and how large each was. */
  readonly #worst = new Map<string, { readonly at: number; size: number; count: number; item: Diagnostic }>();
  /** Paths of meshes of which it is known that coordinates are missing. Importer and cook name the file differently. */
  readonly #withoutUvs = new Set<string>();

  add(item: Diagnostic): void {
    this.#add(item, null);
  }

  /** A mesh whose missing texture coordinates were reported, for the mesh or for its material: UC2012 would repeat that. */
  knowMissingUvs(path: string): void {
    this.#withoutUvs.add(path);
  }

  /** Of a mesh, or of the mesh that a subset belongs to. */
  #knowsMissingUvs(path: string): boolean {
    return this.#withoutUvs.has(path) || this.#withoutUvs.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  }

  #add(item: Diagnostic, once: string | null): void {
    if (item.code === 'UC1916') this.knowMissingUvs(item.path);
    if (item.code === 'UC2012' && this.#knowsMissingUvs(item.path)) return;
    const key = `${item.code}\0${item.file}\0${item.path}\0${item.message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#reported.push({ item, once });
  }

  report(code: Code, file: string, path: string, message: string, remedy?: string): void {
    this.add(diagnostic(code, file, path, message, remedy));
  }

  /** Adds the diagnostic unless one with this code and key has been added before. */
  once(key: string, code: Code, file: string, path: string, message: string, remedy?: string): void {
    this.#addOnce(key, diagnostic(code, file, path, message, remedy));
  }

  #addOnce(key: string, item: Diagnostic): void {
    const mark = `${item.code}\0once\0${key}`;
    if (this.#seen.has(mark)) return;
    this.#seen.add(mark);
    this.#add(item, key);
  }

  /**
   * Keeps one for each code and file: that of the greatest `size`, of equal ones the first, with the number of all. `noun`: what each
   * is about, as `group`.
   */
  worst(size: number, noun: string, code: Code, file: string, path: string, message: string): void {
    const key = `${code}\0${file}`;
    const known = this.#worst.get(key);
    const item = diagnostic(code, file, path, message);
    if (!known) {
      this.#worst.set(key, { at: this.#reported.length, size, count: 1, item });
      this.#reported.push({ item, once: null });
      return;
    }
    known.count++;
    if (size > known.size) Object.assign(known, { size, item });
    const worst = `${known.item.message}; of ${known.count} ${noun}s this is the worst`;
    this.#reported[known.at] = { item: { ...known.item, message: worst }, once: null };
  }

  /** Adds the diagnostics of another collection. */
  repeat(reported: readonly ReportedDiagnostic[]): void {
    for (const { item, once } of reported) {
      if (once === null) this.add(item);
      else this.#addOnce(once, item);
    }
  }

  /** In the order they were added. */
  get reported(): readonly ReportedDiagnostic[] {
    return this.#reported;
  }

  /** In the order they were added. */
  get list(): readonly Diagnostic[] {
    return this.#reported.map(({ item }) => item);
  }

  get hasErrors(): boolean {
    return this.#reported.some(({ item }) => item.severity === 'error');
  }

  /** Throws all collected diagnostics when at least one is an error. */
  throwIfErrors(): void {
    if (this.hasErrors) throw new SourceError(this.list);
  }
}

const collator = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A stable order for reports: file, then path, then code, then message, by code unit. */
export function sortDiagnostics(list: readonly Diagnostic[]): Diagnostic[] {
  return [...list].sort(
    (a, b) =>
      collator(a.file, b.file) ||
      collator(a.path, b.path) ||
      collator(a.code, b.code) ||
      collator(a.message, b.message),
  );
}
