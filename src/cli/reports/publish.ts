// Writes the reports of a call and prints its annotations: once, whether the call ends well, fails or is refused.

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import {
  type Diagnostic,
  diagnostic,
  type Environment,
  exitCodeOf,
  folderOfMessages,
  type PageWriter,
  pageWriter,
  reportWriter,
  SourceError,
  shownDiagnostic,
  showPath,
  stackLines,
  thrownDiagnostics,
} from '../../index.ts';
import { failureDocument, print } from '../documents/documents.ts';
import type { LogOptions } from '../terminal/log.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { VERSION } from '../version.ts';
import { annotations } from './annotations.ts';
import { codeQuality } from './codeQuality.ts';
import { junit } from './junit.ts';
import type { Outcome } from './outcome.ts';
import { sarif } from './sarif.ts';

interface Format {
  /** In lower case; the first that fits counts. */
  readonly endings: readonly string[];
  /** How every such report begins: a file that begins otherwise is none of ours and is not replaced. */
  readonly beginning: RegExp;
  readonly text: (outcome: Outcome, cwd: string, env: Environment['env']) => string;
}

/** How pages begin. */
const PAGE_BEGINNING = /^<!doctype html>\n<!-- report of untold -->/;
const PAGE_ENDING = '.html';

const FORMATS: readonly Format[] = [
  {
    endings: ['.sarif', '.sarif.json'],
    beginning: /^\{\s*"\$schema": "https:\/\/json\.schemastore\.org\/sarif-2\.1\.0\.json"/,
    text: (outcome, cwd, env) => print(sarif(outcome, cwd, env)),
  },
  { endings: ['.junit.xml'], beginning: /^<\?xml [^>]*>\s*<testsuites/, text: junit },
  {
    endings: ['.codequality.json'],
    beginning: /^\[\s*(?:\]|\{\s*"description")/,
    text: (outcome, cwd, env) => print(codeQuality(outcome, cwd, env)),
  },
  { endings: ['.json'], beginning: /^\{\s*"schemaVersion"/, text: ({ document }) => print(document()) },
];

/** The outcome as a page for people. */
const pageText =
  ({ page }: PageWriter) =>
  ({ command, exitCode, cases, diagnostics, run, sums }: Outcome): string =>
    page({ command, version: VERSION, exitCode, cases, diagnostics, run, sums });

/** What the log shows. */
interface ShownOptions {
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly hide?: readonly string[] | undefined;
  readonly logFormat?: LogOptions['format'] | undefined;
}

/** The options that decide where an outcome is reported. */
interface ReportOptions extends ShownOptions {
  readonly report?: readonly string[] | undefined;
  readonly annotations?: boolean | undefined;
}

interface OpenReport {
  readonly path: string;
  readonly format: Format;
}

/** The first bytes of a file as text; '' where there is none, or none that can be read: writing tells why. Null for no file. */
function beginningOf(path: string): string | null {
  try {
    // A pipe would be waited for.
    if (!statSync(path).isFile()) return null;
    const fd = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(256);
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}

/** UC4001 for a file that is no report of this format, and for what is no file. */
function inTheWay({ path, format }: OpenReport, cwd: string): Diagnostic | null {
  const beginning = beginningOf(path);
  if (beginning !== null && (beginning === '' || format.beginning.test(beginning))) return null;
  const message = beginning === null ? 'it is no file' : 'it is no report of this kind';
  const remedy = 'give --report another path, or move away what is there';
  return diagnostic('UC4001', showPath(path, cwd), '', message, remedy);
}

/** Throws UC1003 for an ending that stands for no format. */
function openReport(path: string, formats: readonly Format[], cwd: string): OpenReport {
  const format = formats.find(({ endings }) => endings.some((ending) => path.toLowerCase().endsWith(ending)));
  if (format) return { path, format };
  const shown = showPath(path, cwd);
  const known = [...FORMATS.flatMap(({ endings }) => endings), PAGE_ENDING];
  const allowed = `${known.slice(0, -1).join(', ')} or ${known[known.length - 1]}`;
  throw new SourceError(
    diagnostic('UC1003', '', '--report', `"${shown}" was given, but the option takes a file that ends in ${allowed}`),
  );
}

export interface Publisher {
  /** What pages are written with; null: none is asked for. */
  readonly pages: PageWriter | null;
  /** Gives what kept a report from being written. Later calls do nothing. `shown`: with those of a preset; absent: as given. */
  publish(outcome: Outcome, shown?: ShownOptions): readonly Diagnostic[];
}

/** Throws UC1003 for a name that stands for no format, UC4001 for a file that is no report. */
async function openPublisher(options: ReportOptions, terminal: Terminal): Promise<Publisher> {
  const { host: environment } = terminal;
  const cwd = folderOfMessages({ environment });
  const paths = [...new Set(options.report)];
  const pages = paths.some((path) => path.toLowerCase().endsWith(PAGE_ENDING)) ? await pageWriter() : null;
  const formats = pages
    ? [...FORMATS, { endings: [PAGE_ENDING], beginning: PAGE_BEGINNING, text: pageText(pages) }]
    : FORMATS;
  const reports = paths.map((path) => openReport(path, formats, cwd));
  const blocked = reports.flatMap((one) => inTheWay(one, cwd) ?? []);
  if (blocked.length > 0) throw new SourceError(blocked);
  const write = reports.length > 0 ? await reportWriter() : () => {};
  const isAnnotated = environment.env.GITHUB_ACTIONS === 'true' && options.annotations !== false;
  let isPublished = false;
  return {
    pages,
    publish(outcome, shown = options) {
      if (isPublished) return [];
      isPublished = true;
      const faults = reports.flatMap((one): readonly Diagnostic[] => {
        // A cook may have written an output there.
        const fault = inTheWay(one, cwd);
        if (fault) return [fault];
        try {
          write(one.path, one.format.text(outcome, cwd, environment.env));
          return [];
        } catch (error) {
          return thrownDiagnostics(error, one.path).map((item) => shownDiagnostic(item, cwd));
        }
      });
      const { quiet = false, verbose = false, hide = [], logFormat = 'text' } = shown;
      // Each line of a JSON log is an object.
      if (isAnnotated && logFormat === 'text') {
        const isShown = ({ severity, code }: Diagnostic) =>
          severity === 'error' || (!quiet && !hide.includes(code) && (severity === 'warning' || verbose));
        terminal.status('');
        const whole = { ...outcome, diagnostics: [...outcome.diagnostics, ...faults] };
        for (const line of annotations(whole, cwd, environment.env, isShown)) terminal.say(line);
      }
      return faults;
    },
  };
}

/**
 * Runs a command that publishes its outcome. If it throws before it has one, what it throws is the outcome. Throws UC1003 and
 * UC4001 for reports that cannot be.
 */
export async function published(
  command: Outcome['command'],
  options: ReportOptions,
  terminal: Terminal,
  run: (publisher: Publisher) => Promise<number>,
): Promise<number> {
  const publisher = await openPublisher(options, terminal);
  try {
    return await run(publisher);
  } catch (error) {
    const cwd = folderOfMessages({ environment: terminal.host });
    const diagnostics = thrownDiagnostics(error, '').map((item) => shownDiagnostic(item, cwd));
    const document = () => failureDocument(command, diagnostics);
    const faults = publisher.publish({ command, exitCode: exitCodeOf(diagnostics), cases: [], diagnostics, document });
    // A bug keeps its stack.
    if (faults.length === 0 || stackLines(error).length > 0) throw error;
    throw new SourceError([...diagnostics, ...faults]);
  }
}
