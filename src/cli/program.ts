// The commands, their help, and what becomes of everything that is thrown: the one place that turns errors into words
// and an exit code.

import { Command, type CommanderError, Option } from 'commander';
import { nearest } from '../config/nearest.ts';
import { shippedPresets } from '../config/presets.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { stackLines, thrownDiagnostics } from './bug.ts';
import { print, shownDiagnostic } from './documents.ts';
import { exitCodeOf, worst } from './exitCode.ts';
import { textLog } from './log.ts';
import {
  addOptions,
  COOK_OPTIONS,
  type CommandOption,
  EXPLAIN_OPTIONS,
  givenValues,
  INSPECT_OPTIONS,
  PRINT,
  VALIDATE_OPTIONS,
} from './options.ts';
import { flush, openTerminal, type Terminal } from './terminal.ts';
import { VERSION } from './version.ts';
import { table } from './words.ts';
import { folderOfMessages, workingFolder } from './workingFolder.ts';

const EXIT_CODES = `Exit codes:
  0 complete  1 the scene has errors  2 command line  3 input/output  4 a bug  5 a limit  130, 143 interrupted
`;

const TOP_HELP = `
Examples:
  untold cook town.glb --out tiles/           tiles/town.json and its tiles in tiles/town/
  untold cook chair.usdz --out chair.untold   one file
  untold validate tiles/                      every manifest and .untold file below
  untold inspect --json scene.usdz            what is in a source
  untold explain UC1203                       what a code means

${EXIT_CODES}`;

const cookHelp = () => `
Sources are files, folders (searched for .usd, .usda, .usdc, .usdz, .gltf and .glb) and patterns (*, **, ?, [a-z],
{a,b}). A folder's hidden files are passed over; every real file is cooked once. Outputs are named after the source:
DIR/<scene>.json and DIR/<scene>/, or DIR/<sub>/<scene>.json when --root is given.

Presets:
${table(
  shippedPresets().map(({ name, description }) => [`  ${name}`, description]),
  new Set(),
).join('\n')}
  A preset is a JSON object with the names of these options as keys; paths in it are relative to its own folder. What
  a preset turns on, --no-OPTION turns off.

Examples:
  untold cook town.glb --out tiles/
  untold cook art/ --root art --pipeline outdoor --out tiles/
  untold cook 'art/**/*.gltf' --root art --out tiles/ --depfile tiles.d
  untold cook chair.usdz --out chair.untold --strict --allow UC3104
  untold cook town.glb --out tiles/ --json > report.json
  untold cook car.usd --out tiles/ --variant /Car:paint=red --variant lod=high
  untold cook town.usd --out tiles/ --select /Town/Harbour --exclude /Town/Harbour/Ships

${EXIT_CODES}`;

const VALIDATE_HELP = `
Files are .untold files, manifests with all that they name, folders (searched for both) and patterns. An error is what
the engine refuses, crashes on or silently drops; a warning is what it shows differently from what the file says.

Examples:
  untold validate tiles/
  untold validate tiles/town.json --json
  untold validate --strict chair.untold

${EXIT_CODES}`;

const INSPECT_HELP = `
FILE is a source (USD, USDZ, glTF, GLB), a manifest or a .untold file; what it is follows from its content.

Examples:
  untold inspect scene.usdz
  untold inspect --json tiles/town.json
  untold inspect --scene Night town.glb
  untold inspect --stage town.usd                        every prim, what is authored, and the arcs it comes by
  untold inspect --stage --select /Town/Harbour town.usd

In the JSON of --stage vectors are arrays, matrices arrays of rows, quaternions (real, i, j, k); arrays of more than 64
elements are {length, first, last}; NaN, Infinity, -Infinity and whole numbers beyond 2^53 are texts.
`;

const EXPLAIN_HELP = `
Examples:
  untold explain UC1203
  untold explain            every code with its title
`;

/** Runs a command: gets the words and the command, to read its options from; gives the exit code. */
type Action = (words: readonly string[], command: Command) => Promise<number>;

interface CommandPlan {
  readonly name: string;
  readonly argument: string;
  readonly argumentHelp: string;
  readonly description: string;
  readonly options: readonly CommandOption[];
  /** Presets may set flags, so that the command line needs a way to clear them. */
  readonly negatable: boolean;
  readonly help: () => string;
  readonly action: Action;
}

function commandPlans(terminal: Terminal): readonly CommandPlan[] {
  return [
    {
      name: 'cook',
      argument: '<sources...>',
      argumentHelp: 'files, folders and patterns',
      description: 'cook scenes into .untold tiles, or into one .untold file',
      options: COOK_OPTIONS,
      negatable: true,
      help: cookHelp,
      action: async (words, command) =>
        (await import('./cook.ts')).cook(words, givenValues(command, COOK_OPTIONS, workingFolder()), terminal),
    },
    {
      name: 'validate',
      argument: '<files...>',
      argumentHelp: '.untold files, manifests, folders and patterns',
      description: 'check .untold files and manifests against the format and the engine',
      options: VALIDATE_OPTIONS,
      negatable: false,
      help: () => VALIDATE_HELP,
      action: async (words, command) =>
        (await import('./validate.ts')).validate(
          words,
          givenValues(command, VALIDATE_OPTIONS, workingFolder()),
          terminal,
        ),
    },
    {
      name: 'inspect',
      argument: '<file>',
      argumentHelp: 'a source, a manifest or a .untold file',
      description: 'tell what is in a file',
      options: INSPECT_OPTIONS,
      negatable: false,
      help: () => INSPECT_HELP,
      action: async ([file], command) =>
        (await import('./inspect.ts')).inspect(file, givenValues(command, INSPECT_OPTIONS, workingFolder()), terminal),
    },
    {
      name: 'explain',
      argument: '[code]',
      argumentHelp: 'a code as messages show it; all of them when left out',
      description: 'tell what a code means and what to do about it',
      options: EXPLAIN_OPTIONS,
      negatable: false,
      help: () => EXPLAIN_HELP,
      action: async ([code], command) =>
        (await import('./explain.ts')).explain(code, command.opts().json === true, terminal),
    },
  ];
}

/** The long options of a command, without those that are hidden. */
function optionNames(command: Command): string[] {
  const names = command.options.filter((option) => !option.hidden).map((option) => option.long ?? '');
  return [...names, '--help'];
}

const COMMANDER_CODES = {
  'commander.unknownOption': 'UC1001',
  'commander.unknownCommand': 'UC1000',
  'commander.missingArgument': 'UC1002',
  'commander.optionMissingArgument': 'UC1002',
  'commander.excessArguments': 'UC1013',
} as const;

/** What commander refuses, as a diagnostic with a hint; null for what is no error (help was asked for). */
function commandLineDiagnostic(error: CommanderError, command: Command): Diagnostic | null {
  const code = (COMMANDER_CODES as Record<string, (typeof COMMANDER_CODES)[keyof typeof COMMANDER_CODES]>)[error.code];
  if (code === undefined) return null;
  const message = error.message.replace(/^error: /, '');
  const word = /'([^']*)'/.exec(message)?.[1] ?? '';
  const names = code === 'UC1000' ? command.commands.map((sub) => sub.name()) : optionNames(command);
  const name = word.replace(/=.*/s, '');
  if (code === 'UC1001' && names.includes(name)) {
    return diagnostic('UC1003', '', name, `"${word}" was given`, 'the option takes no value');
  }
  const near = code === 'UC1000' || code === 'UC1001' ? nearest(name, names) : null;
  const help = code === 'UC1000' ? 'untold --help' : `${command.parent ? 'untold ' : ''}${command.name()} --help`;
  const remedy = near === null ? `see \`${help}\`` : `did you mean ${near}? See \`${help}\``;
  return diagnostic(code, '', '', message, remedy);
}

/** Errors thrown by commander, with the command that threw them. */
class CommandLineError extends Error {
  constructor(
    readonly error: CommanderError,
    readonly command: Command,
  ) {
    super(error.message);
  }
}

function configure(command: Command, terminal: Terminal): void {
  command
    .exitOverride((error) => {
      throw new CommandLineError(error, command);
    })
    .configureOutput({
      writeOut: (text) => terminal.answer(text),
      writeErr: (text) => terminal.say(text.trimEnd()),
      // Said by us, with a code.
      outputError: () => {},
    })
    .showSuggestionAfterError(false)
    .addHelpOption(new Option('-h, --help', 'this help').helpGroup(command.parent ? PRINT : 'Options:'));
}

function buildProgram(terminal: Terminal, finish: (code: number) => void): Command {
  const program = new Command('untold')
    .description('Cooks USD, USDZ and glTF scenes into the .untold tiles that UntoldEngine streams.')
    .version(VERSION, '-V, --version', 'the version')
    .helpCommand('help [command]', 'help for a command')
    .addHelpText('after', TOP_HELP);
  configure(program, terminal);
  for (const plan of commandPlans(terminal)) {
    const command = program.command(plan.name).description(plan.description);
    command.argument(plan.argument, plan.argumentHelp).addHelpText('after', plan.help);
    addOptions(command, plan.options, plan.negatable);
    configure(command, terminal);
    command.action(async () => {
      const [first] = command.processedArgs as unknown[];
      const words = Array.isArray(first) ? (first as string[]) : [first as string];
      finish(await plan.action(words, command));
    });
  }
  return program;
}

/** Prints what was thrown and returns its exit code. */
function report(error: unknown, args: readonly string[], terminal: Terminal): number {
  const verbose = args.includes('--verbose');
  const log = textLog(terminal, { quiet: false, verbose });
  terminal.status('');
  if (error instanceof CommandLineError) {
    const item = commandLineDiagnostic(error.error, error.command);
    // Help that was asked for ends with 0; help that is shown because there is no command is an error.
    if (item === null) return error.error.exitCode === 0 ? 0 : 2;
    log.diagnostic(item);
    return exitCodeOf([item]);
  }
  const items = thrownDiagnostics(error, '');
  for (const item of items) log.diagnostic(shownDiagnostic(item, folderOfMessages()));
  for (const line of stackLines(error)) log.detail(line, {});
  return exitCodeOf(items);
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = 0;
  try {
    await buildProgram(terminal, (given) => {
      code = given;
    }).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    const end = report(error, args, terminal);
    if (args.includes('--json') && end !== 0) terminal.answer(print(failureDocument(args[0], error)));
    return end;
  }
}

/**
 * The document of a command that ended before it had one: whoever reads `results` or `files` finds them, empty, and
 * what went wrong beside them.
 */
function failureDocument(command: string, error: unknown): unknown {
  const refused = error instanceof CommandLineError ? commandLineDiagnostic(error.error, error.command) : null;
  const list = refused ? [refused] : thrownDiagnostics(error, '');
  const diagnostics = list.map((item) => shownDiagnostic(item, folderOfMessages()));
  if (command === 'cook') return { version: VERSION, results: [], diagnostics };
  return command === 'validate' ? { files: [], diagnostics } : { diagnostics };
}

/** Runs the command line and ends the process: with 3 when what it had to say could not be written. */
export async function main(args: readonly string[]): Promise<void> {
  const terminal = openTerminal();
  // Thrown where nobody waits, by a library's callback for example.
  process.on('uncaughtException', (error) => process.exit(report(error, args, terminal)));
  let isOver = false;
  // Node ends with 0 when nothing is left to wait for, even while a promise is open: that is no success.
  process.on('exit', (code) => {
    if (isOver || code !== 0) return;
    process.exitCode = report(new Error('the command ended before its work was done'), args, terminal);
  });
  const code = await run(args, terminal);
  await flush();
  const { failure } = terminal;
  if (failure !== null) {
    const item = diagnostic('UC4000', '', '', `the answer is not whole: ${failure}`, 'check what the output goes to');
    textLog(terminal, { quiet: false, verbose: false }).diagnostic(item);
    await flush();
  }
  isOver = true;
  process.exit(worst([code, failure === null ? 0 : 3]));
}
