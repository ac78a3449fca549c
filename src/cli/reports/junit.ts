// A report as JUnit XML: a test case for each source, as CI servers show it. There is no standard; the elements are those that
// Jenkins (junit-10.xsd of its xunit plugin), GitLab and GitHub actions read.

import { type Diagnostic, exitCodeOf } from '../../index.ts';
import { printable } from '../terminal/terminal.ts';
import { type Case, type Outcome, sentence } from './outcome.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text of one line. XML 1.0 has no control characters, halves of surrogate pairs, U+FFFE and U+FFFF, in any spelling. */
function escaped(text: string): string {
  const plain = printable(text).replace(/\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd');
  return plain.replace(/[&<>"]/g, (c) => ENTITIES[c]);
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

function lines(list: readonly Diagnostic[]): string {
  const texts = list.map((item) => {
    const file = item.file === '' ? '' : ` ${item.file}`;
    return `${escaped(`${item.severity} ${item.code}${file}: ${sentence(item)}`)}\n  ${escaped(item.remedy)}`;
  });
  return `\n${texts.join('\n')}\n`;
}

type Verdict = 'ok' | 'failure' | 'error' | 'skipped';

/** 'error' is what keeps the work from being done (disk, memory, a bug); 'failure' what is wrong with the source. */
function verdictOf({ status, diagnostics }: Case): Verdict {
  if (status !== 'failed') return status;
  return [3, 4].includes(exitCodeOf(diagnostics)) ? 'error' : 'failure';
}

function caseLines(one: Case, classname: string, isFile: boolean): string[] {
  const { name, diagnostics } = one;
  const verdict = verdictOf(one);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = verdict === 'skipped' ? diagnostics : errors;
  const others = diagnostics.filter((item) => item.severity !== 'error' && item !== first);
  const message = first === undefined ? verdict : `${first.code}: ${sentence(first)}`;
  const inside: string[] = [];
  if (verdict === 'skipped') inside.push(`<skipped${attributes({ message })}/>`);
  else if (verdict !== 'ok') {
    const head = `${verdict}${attributes({ message, type: first?.code ?? 'failed' })}`;
    inside.push(`<${head}>${lines(errors)}</${verdict}>`);
  }
  if (others.length > 0) inside.push(`<system-out>${lines(others)}</system-out>`);
  const head = `testcase${attributes({ name, classname, ...(isFile ? { file: name } : {}) })}`;
  if (inside.length === 0) return [`    <${head}/>`];
  return [`    <${head}>`, ...inside.map((line) => `      ${line}`), '    </testcase>'];
}

/** Times are left out: reports of equal runs are equal. What concerns the call as a whole is a test case of its own. */
export function junit({ command, cases, diagnostics }: Outcome): string {
  const suite = `untold ${command}`;
  const classname = `untold.${command}`;
  const isRefused = diagnostics.some(({ severity }) => severity === 'error');
  const whole: Case = { name: suite, status: isRefused ? 'failed' : 'ok', diagnostics };
  const all = diagnostics.length > 0 ? [...cases, whole] : cases;
  const having = (verdict: Verdict) => all.filter((one) => verdictOf(one) === verdict).length;
  const counts = attributes({
    name: suite,
    tests: all.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${counts}>`,
    `  <testsuite${counts}>`,
    ...all.flatMap((one) => caseLines(one, classname, one !== whole && one.isFile !== false)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
