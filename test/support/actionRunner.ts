// Runs action.yml as a runner of GitHub does: the steps with their conditions, expressions and files for outputs, and a shelf
// in the place of the cache of GitHub. It reads the few forms of YAML and of expressions that the file has.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment } from './process.ts';

type Texts = Readonly<Record<string, string>>;

export interface Step {
  readonly name: string;
  readonly id: string;
  readonly if: string;
  readonly uses: string;
  readonly run: string;
  readonly env: Texts;
  readonly with: Texts;
}

/** The lines of a mapping that are so many columns in, by key; a block text without its indentation. */
function mapping(text: string, indent: number): Map<string, string> {
  const found = new Map<string, string>();
  let key = '';
  const lines = text.split('\n');
  for (const line of lines) {
    const at = /^( *)([\w-]+):(?: (.*))?$/.exec(line);
    if (at && at[1].length === indent) {
      key = at[2];
      found.set(key, at[3] === '|' || at[3] === undefined ? '' : at[3]);
    } else if (key !== '') found.set(key, `${found.get(key)}${line.slice(indent + 2)}\n`);
  }
  return found;
}

const unquoted = (text: string): string => text.trim().replace(/^'(.*)'$/s, '$1');

const texts = (text: string | undefined, indent: number): Texts =>
  Object.fromEntries([...mapping(text ?? '', indent)].map(([key, value]) => [key, unquoted(value)]));

export interface Action {
  /** The defaults of the inputs, '' where there is none. */
  readonly inputs: Texts;
  /** The expressions of the outputs. */
  readonly outputs: Texts;
  readonly steps: readonly Step[];
}

export function readAction(path: string): Action {
  const top = mapping(readFileSync(path, 'utf8'), 0);
  const valuesOf = (section: string, key: string): Texts =>
    Object.fromEntries(
      [...mapping(top.get(section) ?? '', 0)].map(([name, text]) => [name, unquoted(mapping(text, 0).get(key) ?? '')]),
    );
  const steps = (mapping(top.get('runs') ?? '', 0).get('steps') ?? '').split(/^- /m).slice(1);
  return {
    inputs: valuesOf('inputs', 'default'),
    outputs: valuesOf('outputs', 'value'),
    steps: steps.map((text) => {
      const keys = mapping(`  ${text}`, 2);
      const of = (key: string) => keys.get(key) ?? '';
      return {
        name: of('name').trim(),
        id: of('id').trim(),
        if: of('if').trim(),
        uses: of('uses').trim(),
        run: of('run'),
        env: texts(keys.get('env'), 0),
        with: texts(keys.get('with'), 0),
      };
    }),
  };
}

/** The action at the top of the repository. */
export const ACTION = readAction(resolve(import.meta.dirname, '../../action.yml'));

interface Surroundings {
  readonly action: Action;
  /** The checkout of the action. */
  readonly actionPath: string;
  readonly workspace: string;
  /** The folder for temporary files, which is new for every job. */
  readonly temp: string;
  /** The folder that stands for the cache of GitHub. */
  readonly shelf: string;
  readonly branch: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface ActionRun {
  readonly ok: boolean;
  readonly outputs: Texts;
  /** The names of the steps that have run, in order. */
  readonly ran: readonly string[];
  /** What the steps have printed. */
  readonly log: string;
}

/** Values of which any that is not there is `absent`, as expressions have it. */
const withAbsent = <T>(values: Readonly<Record<string, T>>, absent: T): Readonly<Record<string, T>> =>
  new Proxy(values, { get: (all, name) => (typeof name === 'string' && name in all ? all[name] : absent) });

/** The value of an expression, which is JavaScript but for hyphens in names. */
function evaluate(expression: string, context: Readonly<Record<string, unknown>>): unknown {
  const script = expression.replace(/\.([a-z]+(?:-[a-z]+)+)/g, "['$1']");
  return new Function(...Object.keys(context), `return ${script};`)(...Object.values(context));
}

const filled = (text: string, context: Readonly<Record<string, unknown>>): string =>
  text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => String(evaluate(expression, context)));

/** The values of a file of outputs: `name=value` a line. */
function outputsIn(path: string): Texts {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Restores from the shelf: the key itself, else the newest that begins with a key. */
function restore({ path, key, 'restore-keys': more = '' }: Texts, shelf: string): Texts {
  const kept = readdirSync(shelf).sort();
  for (const wanted of [key, ...more.split('\n').filter(Boolean)].map(encodeURIComponent)) {
    const found = kept.includes(wanted) ? wanted : kept.filter((name) => name.startsWith(wanted)).at(-1);
    if (found === undefined) continue;
    cpSync(join(shelf, found), path, { recursive: true });
    return { 'cache-matched-key': decodeURIComponent(found) };
  }
  return {};
}

function save({ path, key }: Texts, shelf: string): Texts {
  const place = join(shelf, encodeURIComponent(key));
  // A key is written once.
  if (!existsSync(place)) cpSync(path, place, { recursive: true });
  return {};
}

/** Runs a script as the runner does. Other tests go on meanwhile. */
function shell(script: string, cwd: string, variables: Texts): Promise<{ status: number | null; text: string }> {
  const words = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script];
  const child = spawn('bash', words, { cwd, env: environment(variables), stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data));
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (status) => done({ status, text }));
  });
}

/** Runs all steps with inputs, as a job of its own. */
export async function runAction(inputs: Texts, surroundings: Surroundings): Promise<ActionRun> {
  const { action, workspace, temp, shelf } = surroundings;
  for (const folder of [workspace, temp, shelf]) mkdirSync(folder, { recursive: true });
  const steps: Record<string, { outputs: Texts; outcome: string }> = {};
  let ok = true;
  let log = '';
  const ran: string[] = [];
  const context = {
    inputs: { ...action.inputs, ...inputs },
    runner: { temp, os: 'Linux' },
    github: { ref_name: surroundings.branch, action_path: surroundings.actionPath, token: 'token' },
    steps: withAbsent(steps, { outputs: withAbsent({}, ''), outcome: '' }),
    cancelled: () => false,
    startsWith: (text: string, start: string) => text.startsWith(start),
    endsWith: (text: string, end: string) => text.endsWith(end),
  };
  for (const [i, step] of action.steps.entries()) {
    const expression = /^\$\{\{ (.*) \}\}$/.exec(step.if)?.[1] ?? '';
    // A condition that does not ask for the state of the job holds only where nothing has failed.
    const isMet =
      (ok || expression.includes('cancelled()')) && (expression === '' || Boolean(evaluate(expression, context)));
    if (!isMet) continue;
    ran.push(step.name);
    const fill = (values: Texts): Texts =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, filled(value, context)]));
    let outputs: Texts = {};
    let isDone = true;
    if (step.uses.startsWith('actions/cache/restore@')) outputs = restore(fill(step.with), shelf);
    else if (step.uses.startsWith('actions/cache/save@')) outputs = save(fill(step.with), shelf);
    else {
      const file = join(temp, `output-${i}`);
      writeFileSync(file, '');
      const ran = await shell(step.run, workspace, {
        GITHUB_WORKSPACE: workspace,
        GITHUB_REPOSITORY: 'owner/content',
        RUNNER_TEMP: temp,
        ...surroundings.variables,
        ...fill(step.env),
        GITHUB_OUTPUT: file,
      });
      log += ran.text;
      isDone = ran.status === 0;
      outputs = outputsIn(file);
    }
    ok &&= isDone;
    if (step.id !== '') steps[step.id] = { outputs: withAbsent(outputs, ''), outcome: isDone ? 'success' : 'failure' };
  }
  return {
    ok,
    outputs: Object.fromEntries(Object.entries(action.outputs).map(([key, value]) => [key, filled(value, context)])),
    ran,
    log,
  };
}
