// `untold inspect`: what is in a file, as JSON or in words.

import {
  type COMMAND_OPTIONS,
  type Diagnostic,
  inspect as inspectFile,
  inspectStage,
  type OptionsOf,
  SourceError,
  type Surrounded,
} from '../../index.ts';
import { print, SCHEMA_VERSION, versioned } from '../documents/documents.ts';
import { inspectLines } from '../documents/inspectLines.ts';
import { primLines, SHOWN_COMPONENTS } from '../documents/stageTree.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { textLog } from '../terminal/textLog.ts';
import { plural } from '../terminal/words.ts';

type Given = OptionsOf<typeof COMMAND_OPTIONS.inspect>;
type ReadOptions = Omit<Given, 'stage' | 'json' | 'verbose'> & Surrounded;

/** What is printed. */
interface Printed {
  readonly exitCode: number;
  readonly json: () => Iterable<string>;
  /** In words. */
  readonly text: () => Iterable<string>;
  readonly warnings: readonly Diagnostic[];
}

async function inspectContent(word: string, options: ReadOptions): Promise<Printed> {
  const { exitCode, document, diagnostics } = await inspectFile(word, options);
  if (!document) throw new SourceError(diagnostics);
  const text = () => [printedLines(inspectLines(document))];
  return { exitCode, json: () => [print(versioned(document))], text, warnings: diagnostics };
}

/** A part of a document as it is printed inside of others. */
function indented(part: unknown, indent: string): string {
  return print(part).trimEnd().replaceAll('\n', `\n${indent}`);
}

async function inspectPrims(word: string, options: ReadOptions, isJson: boolean): Promise<Printed> {
  // As text: rows hold far more memory.
  const prims: string[] = [];
  const { exitCode, document, diagnostics } = await inspectStage(
    word,
    (prim) => {
      if (isJson) prims.push(indented(prim, '    '));
      else prims.push(printedLines(primLines(prim)));
    },
    options,
    isJson ? undefined : SHOWN_COMPONENTS,
  );
  if (!document) throw new SourceError(diagnostics);
  const { source, kind } = document;
  // Text by text: a whole stage may be longer than one string can be.
  function* json() {
    yield `{\n  "schemaVersion": ${SCHEMA_VERSION},\n  "source": ${JSON.stringify(source)},\n  "kind": "${kind}",\n  "prims": [`;
    for (const [i, prim] of prims.entries()) yield `${i === 0 ? '' : ','}\n    ${prim}`;
    yield `${prims.length === 0 ? '' : '\n  '}],\n  "warnings": ${indented(diagnostics, '  ')}\n}\n`;
  }
  function* text() {
    yield printedLines([`${source}: ${kind}, ${plural(document?.prims ?? 0, 'prim')}`]);
    yield* prims;
  }
  return { exitCode, json, text, warnings: diagnostics };
}

/** Characters that are written at once. A call of the system for each line would take longer than making it. */
const WRITTEN_AT_ONCE = 2 ** 16;

/** The texts in order, joined to longer ones. */
function* joined(texts: Iterable<string>): Generator<string> {
  let text = '';
  for (const part of texts) {
    text += part;
    if (text.length < WRITTEN_AT_ONCE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const printedLines = (lines: readonly string[]): string => lines.map((line) => `${printable(line)}\n`).join('');

/** Describes one file on stdout and returns the exit code. Throws SourceError when it cannot be read. */
export async function inspect(word: string, given: Given, terminal: Terminal): Promise<number> {
  const { stage = false, json: isJson = false, verbose = false, ...own } = given;
  const options = { ...own, environment: terminal.host };
  const printed = await (stage ? inspectPrims(word, options, isJson) : inspectContent(word, options));
  const { exitCode, json, text, warnings } = printed;
  for (const part of joined(isJson ? json() : text())) terminal.answer(part);
  if (!isJson) {
    const log = textLog(terminal, { quiet: false, verbose });
    log.diagnostics(warnings);
  }
  return exitCode;
}
