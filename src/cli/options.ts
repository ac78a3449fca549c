// The options of the commands as data, on top of the settings: what they are called, what they take, how they reach
// commander and come back checked.

import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { nearest } from '../config/nearest.ts';
import {
  IMPORT_OPTIONS,
  isRefusal,
  type OptionSpec,
  type OptionValue,
  parseValue,
  SETTING_OPTIONS,
} from '../config/settings.ts';
import { CODES } from '../diagnostics/codes.ts';
import { type Diagnostic, diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import type { SeverityPolicy } from '../diagnostics/policy.ts';
import type { LogOptions } from './log.ts';

export interface CommandOption extends OptionSpec {
  /** Heading in the help. */
  readonly group: string;
}

const JUDGE = 'What counts as an error:';
export const PRINT = 'What is printed:';

const STRICT: CommandOption = {
  group: JUDGE,
  name: 'strict',
  kind: { type: 'flag' },
  description: 'every warning',
};
const DENY: CommandOption = {
  group: JUDGE,
  name: 'deny',
  kind: { type: 'list' },
  placeholder: 'CODE',
  description: 'these warnings and notes; again for more, or separated by commas',
};
const ALLOW: CommandOption = {
  group: JUDGE,
  name: 'allow',
  kind: { type: 'list' },
  placeholder: 'CODE',
  description: 'never these warnings, whatever --strict says',
};
const JSON_DOCUMENT: CommandOption = {
  group: PRINT,
  name: 'json',
  kind: { type: 'flag' },
  description: 'one JSON document on stdout; everything else goes to stderr',
};
const QUIET: CommandOption = {
  group: PRINT,
  name: 'quiet',
  kind: { type: 'flag' },
  description: 'errors only',
};
const VERBOSE: CommandOption = {
  group: PRINT,
  name: 'verbose',
  kind: { type: 'flag' },
  description: 'also notes and stages, and the stack of a bug',
};
const LOG_FORMAT: CommandOption = {
  group: PRINT,
  name: 'log-format',
  kind: { type: 'choice', choices: ['text', 'json'] },
  placeholder: 'text|json',
  description: 'stderr as text, or as one JSON object a line',
  default: 'text',
};
const ROOT: CommandOption = {
  group: 'Files:',
  name: 'root',
  kind: { type: 'path' },
  placeholder: 'DIR',
  description:
    'asset root: files outside are refused; otherwise the nearest folder above a source that holds .git, if any',
};

const inGroup = (specs: readonly OptionSpec[], group: string) =>
  specs.map((spec): CommandOption => ({ ...spec, group }));
const reading = inGroup(IMPORT_OPTIONS, 'What is read of a source:');
const settings = inGroup(
  SETTING_OPTIONS.filter((spec) => !IMPORT_OPTIONS.some(({ name }) => name === spec.name)),
  'Settings:',
);

/** What `untold cook` takes and a preset may hold. */
export const PRESET_OPTIONS: readonly CommandOption[] = [
  {
    group: 'Files:',
    name: 'out',
    kind: { type: 'path' },
    placeholder: 'DIR|FILE.untold',
    description: 'where to: a folder for a manifest and its tiles, or one file (exactly when it ends in .untold)',
  },
  { ...ROOT, description: `${ROOT.description}. When given, the folders below it are kept in the output` },
  {
    group: 'Files:',
    name: 'depfile',
    kind: { type: 'path' },
    placeholder: 'FILE.d',
    description: 'write a Make rule for each source with every file that was read',
  },
  {
    group: 'Files:',
    name: 'force',
    kind: { type: 'flag' },
    description: 'replace files that no earlier cook lists',
  },
  {
    group: 'Files:',
    name: 'fail-fast',
    kind: { type: 'flag' },
    description: 'stop at the first source that fails; otherwise the others are still cooked',
  },
  ...reading,
  ...settings,
  STRICT,
  DENY,
  ALLOW,
  JSON_DOCUMENT,
  QUIET,
  VERBOSE,
  LOG_FORMAT,
];

const PIPELINE: CommandOption = {
  group: 'Settings:',
  name: 'pipeline',
  kind: { type: 'text' },
  placeholder: 'NAME|FILE',
  description: 'a preset: JSON whose keys are these options; options given here are stronger',
};

const DRY_RUN: CommandOption = {
  group: 'Files:',
  name: 'dry-run',
  kind: { type: 'flag' },
  description: 'print the plan (tiles, triangles, bytes expected, radii) and write nothing; --out is not needed',
};

const JOBS: CommandOption = {
  group: 'Files:',
  name: 'jobs',
  kind: { type: 'number', minimum: 1, maximum: 256, integer: true },
  placeholder: 'N',
  description: 'threads that cook tiles; otherwise one for each core. No byte of the output depends on it',
};

const ONLY: CommandOption = {
  group: 'Files:',
  name: 'only',
  kind: { type: 'text' },
  placeholder: 'TILE',
  description: 'cook this tile alone and leave the others as the cook before wrote them; --dry-run lists the names',
};

export const COOK_OPTIONS: readonly CommandOption[] = [
  ...PRESET_OPTIONS.filter((spec) => spec.group === 'Files:'),
  DRY_RUN,
  ONLY,
  JOBS,
  PIPELINE,
  ...PRESET_OPTIONS.filter((spec) => spec.group !== 'Files:'),
];
export const VALIDATE_OPTIONS: readonly CommandOption[] = [
  STRICT,
  DENY,
  ALLOW,
  JSON_DOCUMENT,
  QUIET,
  VERBOSE,
  LOG_FORMAT,
];
export const INSPECT_OPTIONS: readonly CommandOption[] = [
  ROOT,
  ...reading,
  {
    group: PRINT,
    name: 'stage',
    kind: { type: 'flag' },
    description: 'USD: the composed stage, prim by prim, instead of what would be cooked',
  },
  JSON_DOCUMENT,
  VERBOSE,
];
export const EXPLAIN_OPTIONS: readonly CommandOption[] = [JSON_DOCUMENT];

/** Tells commander about the options. `negatable` adds a hidden --no-FLAG for each flag, to turn off what a preset sets. */
export function addOptions(command: Command, specs: readonly CommandOption[], negatable: boolean): void {
  for (const spec of specs) {
    const value = spec.kind.type === 'flag' ? '' : ` <${spec.placeholder}>`;
    const words = [spec.description];
    const choices = spec.kind.type === 'choice' || spec.kind.type === 'list' ? spec.kind.choices : undefined;
    if (choices && !spec.placeholder?.includes('|')) words.push(`: ${choices.join(', ')}`);
    if (spec.default !== undefined) words.push(` (default: ${spec.default})`);
    const option = new Option(`--${spec.name}${value}`, words.join('')).helpGroup(spec.group);
    if (spec.kind.type === 'list') {
      option.argParser((given: string, before: readonly string[] | undefined) => [...(before ?? []), given]);
    }
    command.addOption(option);
    if (negatable && spec.kind.type === 'flag') command.addOption(new Option(`--no-${spec.name}`).hideHelp());
  }
}

/** The options that were given, checked; paths become absolute. Throws UC1003 for every value that is not allowed. */
export function givenValues(command: Command, specs: readonly CommandOption[], cwd: string): Map<string, OptionValue> {
  const given = command.opts<Record<string, string | boolean | readonly string[]>>();
  const values = new Map<string, OptionValue>();
  const faults: Diagnostic[] = [];
  for (const spec of specs) {
    const raw = given[new Option(`--${spec.name}`).attributeName()];
    if (raw === undefined) continue;
    const text = typeof raw === 'object' ? raw.join(',') : String(raw);
    const value = typeof raw === 'boolean' ? raw : parseValue(spec.kind, text);
    if (isRefusal(value)) {
      faults.push(diagnostic('UC1003', '', `--${spec.name}`, `"${text}" was given, but the option ${value.refused}`));
    } else values.set(spec.name, spec.kind.type === 'path' ? resolve(cwd, value as string) : value);
  }
  if (faults.length > 0) throw new SourceError(faults);
  return values;
}

/** How to log. Throws UC1012 when both --quiet and --verbose apply. */
export function logOptions(values: ReadonlyMap<string, OptionValue>): LogOptions {
  const quiet = values.get('quiet') === true;
  const verbose = values.get('verbose') === true;
  if (quiet && verbose) throw new SourceError(diagnostic('UC1012', '', '--quiet', 'given together with --verbose'));
  return { quiet, verbose, format: (values.get('log-format') ?? 'text') as LogOptions['format'] };
}

/** Throws UC1010 with the nearest known code. */
export function knownCode(text: string, option: string): keyof typeof CODES {
  const code = text.toUpperCase();
  if (Object.hasOwn(CODES, code)) return code as keyof typeof CODES;
  const near = nearest(code, Object.keys(CODES));
  const remedy = near === null ? undefined : `did you mean ${near}? \`untold explain\` lists all codes`;
  throw new SourceError(diagnostic('UC1010', '', option, `there is no code "${text}"`, remedy));
}

/** Which diagnostics count. Throws UC1010, UC1012 for a code both denied and allowed, UC1003 for an error allowed. */
export function severityPolicy(values: ReadonlyMap<string, OptionValue>): SeverityPolicy {
  const codes = (name: string) =>
    new Set<string>(((values.get(name) ?? []) as readonly string[]).map((code) => knownCode(code, `--${name}`)));
  const deny = codes('deny');
  const allow = codes('allow');
  for (const code of allow) {
    if (deny.has(code)) throw new SourceError(diagnostic('UC1012', '', '--allow', `${code} is also given to --deny`));
    if (CODES[code as keyof typeof CODES].severity === 'error') {
      const message = `${code} is an error; only warnings and notes can be allowed`;
      throw new SourceError(diagnostic('UC1003', '', '--allow', message));
    }
  }
  return { strict: values.get('strict') === true, deny, allow };
}
