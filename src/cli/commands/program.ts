// The commands, and what becomes of everything that they throw: the only file that turns errors into words and an exit
// code.

import { Command, type CommanderError, Option } from 'commander';
import {
  COMMAND_OPTIONS,
  type CommandOption,
  type Diagnostic,
  diagnostic,
  discardUnfinished,
  exitCodeOf,
  folderOfMessages,
  nearest,
  type OptionsOf,
  PRINT_GROUP,
  shownDiagnostic,
  stackLines,
  thrownDiagnostics,
  workingFolder,
  worstExitCode,
} from '../../index.ts';
import { failureDocument, print } from '../documents/documents.ts';
import { COMMAND_FLAGS, exporterHint } from '../exporter/exporterTable.ts';
import type { Clock, Host } from '../terminal/host.ts';
import type { Log } from '../terminal/log.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { textLog } from '../terminal/textLog.ts';
import { VERSION } from '../version.ts';
import { COMMANDS, type CommandSpec, GROUPS } from './commandTable.ts';
import { addOptions, givenOptions } from './flags.ts';
import { helpPage } from './helpPage.ts';

/** Runs a command: gets the words and the command, to read its options from; gives the exit code. */
type Action = (words: readonly string[], command: Command) => Promise<number>;

function commandActions(terminal: Terminal): Readonly<Record<CommandSpec['name'], Action>> {
  const given = <T extends readonly CommandOption[]>(command: Command, table: T): OptionsOf<T> =>
    givenOptions(command, table, workingFolder({ environment: terminal.host }));
  const of = COMMAND_OPTIONS;
  return {
    cook: async (words, command) => (await import('./cook.ts')).cook(words, given(command, of.cook), terminal),
    init: async ([folder], command) => (await import('./init.ts')).init(folder, given(command, of.init), terminal),
    merge: async (words, command) => (await import('./merge.ts')).merge(words, given(command, of.merge), terminal),
    pack: async ([source], command) => (await import('./pack.ts')).pack(source, given(command, of.pack), terminal),
    unpack: async ([file], command) => (await import('./pack.ts')).unpack(file, given(command, of.unpack), terminal),
    validate: async (words, command) =>
      (await import('./validate.ts')).validate(words, given(command, of.validate), terminal),
    verify: async ([folder], command) =>
      (await import('./verify.ts')).verify(folder, given(command, of.verify), terminal),
    check: async ([file], command) => (await import('./check.ts')).check(file, given(command, of.check), terminal),
    why: async ([file, name], command) => (await import('./why.ts')).why(file, name, given(command, of.why), terminal),
    advise: async ([file], command) => (await import('./advise.ts')).advise(file, given(command, of.advise), terminal),
    diff: async (words, command) => (await import('./diff.ts')).diff(words, given(command, of.diff), terminal),
    inspect: async ([file], command) =>
      (await import('./inspect.ts')).inspect(file, given(command, of.inspect), terminal),
    render: async ([file], command) => (await import('./render.ts')).render(file, given(command, of.render), terminal),
    view: async ([file], command) => (await import('./view.ts')).view(file, given(command, of.view), terminal),
    explain: async ([code], command) =>
      (await import('./explain.ts')).explain(code, command.opts().json === true, terminal),
    config: async (words, command) => (await import('./config.ts')).config(words, given(command, of.config), terminal),
    'cache info': async (_, command) =>
      (await import('./cache.ts')).cacheInfo(given(command, of['cache info']), terminal),
    'cache clear': async (_, command) =>
      (await import('./cache.ts')).cacheClear(given(command, of['cache clear']), terminal),
    'cache prune': async (_, command) =>
      (await import('./cache.ts')).cachePrune(given(command, of['cache prune']), terminal),
    clean: async ([folder], command) => (await import('./clean.ts')).clean(folder, given(command, of.clean), terminal),
    export: async (_, command) =>
      (await import('../exporter/exportScene.ts')).exportScene(given(command, COMMAND_FLAGS.export), terminal),
    'export-tiles': async (_, command) =>
      (await import('../exporter/exportTiles.ts')).exportTiles(given(command, COMMAND_FLAGS['export-tiles']), terminal),
    'bake-lods': async (_, command) =>
      (await import('../exporter/bakeLods.ts')).bakeLods(given(command, COMMAND_FLAGS['bake-lods']), terminal),
    texbake: async (_, command) =>
      (await import('../exporter/texbake.ts')).texbake(given(command, COMMAND_FLAGS.texbake), terminal),
    completion: async ([shell]) => (await import('../completion/completion.ts')).completion(shell, terminal),
  };
}

/** The long options of a command, without those that are hidden. */
function optionNames(command: Command): string[] {
  const names = command.options.filter((option) => !option.hidden).map((option) => option.long ?? '');
  return [...names, '--help'];
}

/** `untold`, `untold cook`, `untold cache info`. */
function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
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
  const hint = code === 'UC1001' && command.name() === 'cook' ? exporterHint(name) : null;
  if (hint !== null) return diagnostic(code, '', '', `${message}, which is one of UntoldEngine's exporter`, hint);
  const near = code === 'UC1000' || code === 'UC1001' ? nearest(name, names) : null;
  const help = `${fullName(command)} --help`;
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

function configure(command: Command, terminal: Terminal, isBrief: boolean): void {
  command
    .exitOverride((error) => {
      throw new CommandLineError(error, command);
    })
    .configureOutput({
      writeOut: (text) => terminal.answer(text),
      writeErr: (text) => terminal.say(text.trimEnd()),
      getOutHelpWidth: () => terminal.columns.out,
      getErrHelpWidth: () => terminal.columns.err,
      getOutHasColors: () => terminal.colored.out,
      getErrHasColors: () => terminal.colored.err,
      // We report it ourselves, with a code.
      outputError: () => {},
    })
    .showSuggestionAfterError(false)
    .configureHelp({ formatHelp: (of, helper) => helpPage(of, helper, isBrief) })
    .addHelpOption(
      new Option('-h, --help', '-h: the common options; --help: everything').helpGroup(
        command.parent ? PRINT_GROUP : 'Options:',
      ),
    );
}

/** `args`: the command line. `isBrief`: help shows what fits a screen. */
function buildProgram(
  args: readonly string[],
  terminal: Terminal,
  isBrief: boolean,
  finish: (code: number) => void,
): Command {
  const program = new Command('untold')
    .description('Cooks USD, USDZ and glTF scenes into the .untold tiles of UntoldEngine.')
    .version(VERSION, '-V, --version', 'the version')
    .helpCommand('help [command]', 'help for a command');
  configure(program, terminal, isBrief);
  const groups = new Map<string, Command>();
  const groupOf = (name: string): Command => {
    const known = groups.get(name);
    if (known) return known;
    const group = program
      .command(name)
      .description(GROUPS[name] ?? '')
      .helpCommand(false);
    configure(group, terminal, isBrief);
    groups.set(name, group);
    return group;
  };
  const actions = commandActions(terminal);
  for (const plan of COMMANDS) {
    const parts = plan.name.split(' ');
    const [first, second] = parts;
    const command = second === undefined ? program.command(first) : groupOf(first).command(second);
    command.description(plan.description);
    if (plan.heading !== undefined) command.helpGroup(plan.heading);
    // Help goes with the last argument of several.
    const [...names] = plan.argument?.split(' ') ?? [];
    for (const [i, name] of names.entries()) command.argument(name, i === names.length - 1 ? plan.argumentHelp : '');
    // No other command is run, and none shows the options of another.
    if (parts.every((part) => args.includes(part))) addOptions(command, plan.options, plan.negatable);
    configure(command, terminal, isBrief);
    command.action(async () => {
      const words = (command.processedArgs as unknown[]).flat() as string[];
      finish(await actions[plan.name](words, command));
    });
  }
  return program;
}

const isVerbose = (args: readonly string[]): boolean =>
  args.some((word) => word === '--verbose' || /^-[a-z]*v/.test(word));

/** The log that a command line asks for, which may not even be one that can be parsed. */
async function logOf(args: readonly string[], terminal: Terminal): Promise<Log> {
  const options = { quiet: false, brief: false, verbose: isVerbose(args) };
  const isJson = args.some(
    (word, i) => word === '--log-format=json' || (word === 'json' && args[i - 1] === '--log-format'),
  );
  return isJson ? (await import('../terminal/jsonLog.ts')).jsonLog(terminal, options) : textLog(terminal, options);
}

/** Logs what was thrown and returns its exit code. */
function report(
  error: unknown,
  args: readonly string[],
  terminal: Terminal,
  log: Log = textLog(terminal, { quiet: false, verbose: isVerbose(args) }),
): number {
  terminal.status('');
  if (error instanceof CommandLineError) {
    const item = commandLineDiagnostic(error.error, error.command);
    // Help that was asked for ends with 0; help that is shown because there is no command is an error.
    if (item === null) return error.error.exitCode === 0 ? 0 : 2;
    log.diagnostic(item);
    return exitCodeOf([item]);
  }
  const items = thrownDiagnostics(error, '');
  for (const item of items) log.diagnostic(shownDiagnostic(item, folderOfMessages({ environment: terminal.host })));
  for (const line of stackLines(error)) log.detail(line, {});
  return exitCodeOf(items);
}

async function parseAndRun(args: readonly string[], terminal: Terminal): Promise<number> {
  let code = 0;
  try {
    const isBrief = args[0] !== 'help' && !args.includes('--help');
    await buildProgram(args, terminal, isBrief, (given) => {
      code = given;
    }).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    const end = report(error, args, terminal, await logOf(args, terminal));
    if (args.includes('--json') && end !== 0)
      terminal.answer(print(failureDocument(args[0], failures(error, terminal))));
    return end;
  }
}

/** What was thrown, as a document shows it. */
function failures(error: unknown, { host: environment }: Terminal): Diagnostic[] {
  const refused = error instanceof CommandLineError ? commandLineDiagnostic(error.error, error.command) : null;
  const list = refused ? [refused] : thrownDiagnostics(error, '');
  return list.map((item) => shownDiagnostic(item, folderOfMessages({ environment })));
}

/**
 * Runs a command line and gives its exit code: 3 when its answer could not be written. After a signal or an exception of a
 * callback the work may still go on: then the process has to end, and its end removes what is unfinished.
 */
export async function runCommand(args: readonly string[], host: Host, clock: Clock): Promise<number> {
  let end = (_: number) => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const terminal = openTerminal(host, clock, end);
  // Thrown outside of every promise, by a callback of a package for example.
  const onUncaught = (error: unknown) => end(report(error, args, terminal));
  // Node ends with 0 when nothing is left to wait for, even while a promise is open: that is no success.
  const onExit = (code: number) => {
    if (code === 0) host.exitCode = report(new Error('the command ended before its work was done'), args, terminal);
  };
  // Whatever ends the process, cooks that are not finished leave nothing behind.
  host.on('exit', discardUnfinished);
  host.on('uncaughtException', onUncaught);
  host.on('exit', onExit);
  const work = parseAndRun(args, terminal);
  void work.then(() => host.removeListener('exit', discardUnfinished));
  const code = await Promise.race([work, ended]);
  await terminal.flush();
  const { failure } = terminal;
  if (failure !== null) {
    const item = diagnostic('UC4000', '', '', `the answer is not whole: ${failure}`, 'check what the output goes to');
    textLog(terminal, { quiet: false, verbose: false }).diagnostic(item);
    await terminal.flush();
  }
  host.removeListener('exit', onExit);
  host.removeListener('uncaughtException', onUncaught);
  terminal.close();
  return worstExitCode([code, failure === null ? 0 : 3]);
}
