// Short ways to read usda text in tests.

import { type Diagnostic, Diagnostics, SourceError } from '../../../../src/diagnostics/diagnostic.ts';
import type { Layer, Value } from '../../../../src/importers/usd/layer.ts';
import { readUsda } from '../../../../src/importers/usd/text/readUsda.ts';

const encoder = new TextEncoder();

export interface Outcome {
  readonly layer: Layer;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads text that is a whole layer. */
export function readText(text: string | Uint8Array): Outcome {
  const diagnostics = new Diagnostics();
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  return { layer: readUsda(bytes, 'test.usda', diagnostics), diagnostics: diagnostics.list };
}

/** Reads the body of a layer, without its first line. */
export function readBody(body: string): Outcome {
  return readText(`#usda 1.0\n${body}\n`);
}

/** Reads statements inside `def "P" { … }`. */
export function readInPrim(statements: string): Outcome {
  return readBody(`def "P"\n{\n${statements}\n}`);
}

/** Fields of a spec as plain data, without those that every attribute has; undefined when there is no such spec. */
export function fields(outcome: Outcome, path: string): Record<string, Value> | undefined {
  const spec = outcome.layer.specs.get(path);
  return spec && Object.fromEntries(spec.fieldNames().map((name) => [name, spec.get(name) as Value]));
}

/** The value of one field, undefined when absent. */
export function field(outcome: Outcome, path: string, name: string): unknown {
  return outcome.layer.specs.get(path)?.get(name)?.value;
}

/** The first diagnostic of the error that the text ends in; undefined when it is read. */
export function errorOf(text: string | Uint8Array): Diagnostic | undefined {
  try {
    readText(text);
    return undefined;
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics[0];
    throw error;
  }
}

/** The same for the body of a layer. */
export function errorOfBody(body: string): Diagnostic | undefined {
  return errorOf(`#usda 1.0\n${body}\n`);
}

/** The same for statements inside a prim. */
export function errorInPrim(statements: string): Diagnostic | undefined {
  return errorOfBody(`def "P"\n{\n${statements}\n}`);
}

/** Codes of the warnings, in order. */
export function codes(outcome: Outcome): string[] {
  return outcome.diagnostics.map((item) => item.code);
}
