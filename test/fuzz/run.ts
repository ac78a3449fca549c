// npm run fuzz -- --seconds N [--reader NAME]... [--seed S] [--keep FOLDER], or --case FILE to run one kept input again.
// Prints a line a reader, and ends with 1 if a case failed.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { READERS } from './readers.ts';
import { runOne, runSession } from './session.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    cases: { type: 'string' },
    reader: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    keep: { type: 'string', default: 'fuzz-faults' },
    case: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const USAGE = `npm run fuzz -- --seconds N [--reader NAME]... [--seed S] [--cases N] [--keep FOLDER]
npm run fuzz -- --case FILE [--reader NAME]

  --seconds N     how long all readers together run; each gets the same share
  --cases N       how many cases each reader runs
  --reader NAME   only this reader: ${READERS.map(({ name }) => name).join(', ')}
  --seed S        a whole number; equal seeds give equal cases (1)
  --keep FOLDER   where inputs of failed cases go (fuzz-faults)
  --case FILE     run a kept input again`;

async function again(file: string): Promise<number> {
  const about = `${file}.json`;
  const kept = existsSync(about) ? JSON.parse(readFileSync(about, 'utf8')) : {};
  const reader = values.reader?.[0] ?? kept.reader;
  if (typeof reader !== 'string') {
    print(`${about} does not say the reader: give --reader`);
    return 2;
  }
  const bytes = new Uint8Array(readFileSync(file));
  const reason = await runOne(reader, { bytes, seedName: kept.seedName ?? '', number: kept.number ?? 0 });
  print(reason ?? 'within the limits');
  return reason === null ? 0 : 1;
}

async function all(): Promise<number> {
  const names = values.reader ?? READERS.map(({ name }) => name);
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const seconds = number(values.seconds);
  const cases = number(values.cases);
  const seed = Number(values.seed);
  const isUsable = [seconds, cases].some((one) => one !== undefined);
  if (values.help || !isUsable || [seconds ?? 1, cases ?? 1].some((one) => !(one > 0)) || !Number.isSafeInteger(seed)) {
    print(USAGE);
    return values.help ? 0 : 2;
  }
  let total = 0;
  let failed = 0;
  print('reader          cases   a second   worst s   growth MB   faults   outcomes');
  for (const reader of names) {
    const begun = Date.now();
    const share = seconds === undefined ? {} : { seconds: seconds / names.length };
    const outcome = await runSession({
      reader,
      seed,
      ...share,
      ...(cases === undefined ? {} : { cases }),
      keep: resolve(values.keep),
    });
    const took = (Date.now() - begun) / 1000;
    const { codes, faults } = outcome;
    const max = Object.entries(codes).sort(([, a], [, b]) => b - a);
    const words = max.slice(0, 4).map(([code, count]) => `${code} ${count}`);
    print(
      [
        reader.padEnd(14),
        String(outcome.cases).padStart(7),
        (outcome.cases / took).toFixed(0).padStart(10),
        outcome.worstSeconds.toFixed(2).padStart(9),
        (outcome.largestBytes / 2 ** 20).toFixed(0).padStart(11),
        String(faults.length).padStart(8),
        `  ${words.join(', ')}${max.length > 4 ? `, ${max.length - 4} more` : ''}`,
      ].join(' '),
    );
    for (const name of outcome.unsound) print(`  refused a sound input: ${name}`);
    for (const { number: at, reason, file } of faults)
      print(`  case ${at}: ${reason.split('\n').slice(0, 4).join('\n    ')}\n    ${file}`);
    total += outcome.cases;
    failed += faults.length + outcome.unsound.length;
  }
  print(`${total} cases, ${failed} faults`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = values.case === undefined ? await all() : await again(values.case);
