// The source `-` and the output `-`: standard input is read whole, and a file for standard output is cooked in a temporary
// folder, checked as any other, and passed on.

import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Diagnostic, diagnostic, SourceError, type SourceResult, targetExtension } from '../../index.ts';
import type { Terminal } from './terminal.ts';

/** The name of both streams among the words and as --out. */
export const STANDARD_STREAM = '-';

/** More does not fit one buffer of every Node that is supported. */
const MAX_BYTES = 2 ** 31 - 1;

/** All of standard input. Throws UC1060 where there is none, UC1207 for too much, UC1200 where it cannot be read. */
export async function readStdin({ host: { stdin } }: Terminal): Promise<Uint8Array> {
  const refuse = (message: string) => new SourceError(diagnostic('UC1060', '', STANDARD_STREAM, message));
  if (stdin.isTTY) throw refuse('standard input is a terminal');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stdin as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BYTES) break;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SourceError(
      diagnostic('UC1200', '', STANDARD_STREAM, `standard input cannot be read (${code ?? message})`),
    );
  }
  if (size > MAX_BYTES) {
    throw new SourceError(diagnostic('UC1207', '', STANDARD_STREAM, 'standard input holds more than 2 GiB'));
  }
  // A buffer of its own, so that views align.
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** A file that is cooked for standard output. */
export interface StdoutFile {
  /** Where it is cooked: absolute. */
  readonly path: string;
  /** Writes the file to stdout if it stands alone; gives UC1061 otherwise, and writes nothing. */
  pass(results: readonly SourceResult[]): readonly Diagnostic[];
  /** Removes the temporary folder. */
  close(): void;
}

/** The options of a cook that decide what else it writes on standard output, or names its output. */
interface OutputOptions {
  readonly json: boolean;
  readonly dryRun?: boolean | undefined;
  readonly depfile?: string | undefined;
  readonly target?: Parameters<typeof targetExtension>[0]['target'];
}

/** Throws UC1061 where standard output cannot take one file. */
export function openStdoutFile({ json, dryRun, depfile, target }: OutputOptions, terminal: Terminal): StdoutFile {
  const { host } = terminal;
  const refuse = (message: string) => new SourceError(diagnostic('UC1061', '', '--out', message));
  if (json) throw refuse('--json writes its document there');
  if (dryRun) throw refuse('--dry-run writes its plan there');
  if (depfile !== undefined) throw refuse('a depfile has to name a file as its target');
  if (target === 'urho3d') throw refuse('a model of Urho3D has its materials and their list beside it');
  if (host.stdout.isTTY) throw refuse('standard output is a terminal');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold-')));
  const path = join(folder, `stdout${targetExtension({ target })}`);
  const close = () => rmSync(folder, { recursive: true, force: true });
  // Whatever ends the process.
  host.on('exit', close);
  return {
    path,
    pass(results) {
      const [result] = results;
      if (result?.status !== 'ok') return [];
      const beside = result.outputs.length - 1;
      if (beside > 0) {
        const message = `the scene has ${beside} texture ${beside === 1 ? 'file' : 'files'}, which need a folder`;
        return [diagnostic('UC1061', result.source, '--out', message)];
      }
      terminal.answer(readFileSync(path));
      return [];
    },
    close() {
      host.removeListener('exit', close);
      close();
    },
  };
}
