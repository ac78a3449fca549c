// What a case ended in: no codes where it was read, else the codes of its errors.

import { type Diagnostic, SourceError } from '../../src/diagnostics/diagnostic.ts';

export const errorsOf = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);

/** The codes of a coded error; throws all else. */
export async function codesOf(read: () => Promise<readonly string[]> | readonly string[]): Promise<readonly string[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics.map(({ code }) => code);
  }
}
