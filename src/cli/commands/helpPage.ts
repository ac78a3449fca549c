// The text of -h and --help: usage, commands or options under their headings, notes and examples, wrapped at words.

import type { Command, Help, Option } from 'commander';
import { styled } from '../terminal/terminal.ts';
import { wrapped } from '../terminal/words.ts';
import { EXIT_CODES, HELP_TEXTS, type HelpText, TOP_HELP } from './help.ts';

/** Longer lines are hard to read. */
const WIDEST = 120;

/** A term wider than this has its description below it. */
const TERM = 28;

type Row = readonly [term: string, description: string];

const heading = (title: string): string => styled('bold', title);

/** Terms with their descriptions beside them, or below where the page is narrow or the term is long. */
function rows(list: readonly Row[], width: number): string[] {
  const longest = list.reduce((max, [term]) => (term.length <= TERM ? Math.max(max, term.length) : max), 0);
  const column = longest + 4;
  const isBeside = width - column >= 30;
  const indent = ' '.repeat(isBeside ? column : 6);
  return list.flatMap(([term, description]) => {
    const shown = `  ${styled('cyan', term)}`;
    if (description === '') return [shown];
    if (isBeside && term.length <= longest) {
      const [first, ...others] = wrapped(description, width, indent);
      return [`${shown}${' '.repeat(column - 2 - term.length)}${first}`, ...others];
    }
    const [first, ...others] = wrapped(description, width, indent);
    return [shown, indent + first, ...others];
  });
}

/** Command lines with what they do, each on lines of its own where both do not fit. */
function examples(list: HelpText['examples'], width: number): string[] {
  const described = list.filter(([, what]) => what !== undefined);
  const column = described.reduce((max, [command]) => Math.max(max, command.length), 0) + 4;
  return list.flatMap(([command, what]) => {
    const lines = wrapped(command, width, '      ', 2);
    const [first, ...others] = [`  ${lines[0]}`, ...lines.slice(1)];
    if (what === undefined) return [first, ...others];
    const isBeside = others.length === 0 && column + what.length <= width;
    return isBeside
      ? [`${first.padEnd(column)}${styled('dim', what)}`]
      : [first, ...others, `      ${styled('dim', what)}`];
  });
}

function optionGroups(options: readonly Option[]): Map<string, Option[]> {
  const groups = new Map<string, Option[]>();
  for (const option of options) {
    const title = option.helpGroupHeading ?? 'Options:';
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return groups;
}

const COMMANDS_TITLE = 'Commands:';

function commandGroups(commands: readonly Command[]): Map<string, Command[]> {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    const title = command.helpGroup() || COMMANDS_TITLE;
    groups.set(title, [...(groups.get(title) ?? []), command]);
  }
  return groups;
}

/** The common options in the order of the table, then the help itself. */
function commonOptions(options: readonly Option[], common: Readonly<Record<string, string>>): Row[] {
  return options.flatMap((option): Row[] => {
    const name = option.long?.replace(/^--/, '') ?? '';
    if (name === 'help') return [[option.flags, option.description]];
    return name in common ? [[option.flags, common[name]]] : [];
  });
}

/** The options of the program, as its short help has them. */
const TOP_OPTIONS = 'untold COMMAND -h: its common options; --help: every command and option; -V: the version';
/** Commands for which a screen has no room: whoever sets up a shell or several machines, or compares outputs, reads more. */
const BEYOND_A_SCREEN: readonly string[] = ['help', 'completion', 'merge', 'config', 'diff', 'why', 'advise'];

/** The help of a command. `isBrief`: what fits one screen. */
export function helpPage(command: Command, helper: Help, isBrief: boolean): string {
  const width = Math.min(helper.helpWidth ?? 80, WIDEST);
  const isTop = command.parent === null;
  const group = command.parent?.parent ? command.parent.name() : command.name();
  const text: HelpText = isTop ? TOP_HELP : (HELP_TEXTS[group] ?? { examples: [] });
  const brief = isBrief && (isTop || text.common !== undefined);
  const sections: string[][] = [
    [...wrapped(`Usage: ${helper.commandUsage(command)}`, width, '       ', 0)],
    wrapped(helper.commandDescription(command), width),
  ];
  sections[0][0] = sections[0][0].replace('Usage:', heading('Usage:'));
  const add = (title: string, lines: readonly string[]) => {
    if (lines.length > 0) sections.push([heading(title), ...lines]);
  };
  const given = brief ? text.examples.slice(0, text.few) : text.examples;
  if (brief) add('Examples:', examples(given, width));
  const args = helper.visibleArguments(command).map((arg): Row => [helper.argumentTerm(arg), arg.description]);
  if (!brief) add('Arguments:', rows(args, width));
  const commands = helper.visibleCommands(command).filter((sub) => !brief || !BEYOND_A_SCREEN.includes(sub.name()));
  for (const [title, list] of commandGroups(commands)) {
    const subs = list.map((sub): Row => [sub.name(), helper.subcommandDescription(sub)]);
    // A screen has no room for what scripts of the engine call.
    if (!brief || title === COMMANDS_TITLE) add(title, rows(subs, width));
  }
  const options = helper.visibleOptions(command);
  if (brief && isTop) sections.push(wrapped(TOP_OPTIONS, width));
  else if (brief && text.common) add('Common options:', rows(commonOptions(options, text.common), width));
  else {
    for (const [title, list] of optionGroups(options)) {
      add(
        title,
        rows(
          list.map((option): Row => [option.flags, option.description]),
          width,
        ),
      );
    }
  }
  if (!brief) {
    if (text.presets) add('Presets:', rows(text.presets(), width));
    for (const note of text.notes ?? []) sections.push(wrapped(note, width));
    add('Examples:', examples(given, width));
    if (text.exitCodes)
      add(
        'Exit codes:',
        wrapped(EXIT_CODES, width, '  ').map((line, i) => (i === 0 ? `  ${line}` : line)),
      );
  }
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
