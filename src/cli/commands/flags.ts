// The flags of the commands: the table of options for commander, and what was given, checked.

import { type Command, Option } from 'commander';
import {
  absoluteValue,
  type CommandOption,
  camelCase,
  checkValue,
  type Diagnostic,
  diagnostic,
  type OptionsOf,
  type OptionValue,
  parseText,
  Refusal,
  SourceError,
  shownFlag,
  writtenValue,
} from '../../index.ts';
import { STANDARD_STREAM } from '../terminal/standardStreams.ts';

/** An option's help: what it does, its choices in brackets unless the placeholder lists them, and its default. */
function helpOf({ kind, placeholder = '', description, default: fallback }: CommandOption): string {
  const words = [description];
  const choices = 'choices' in kind ? kind.choices : undefined;
  if (choices && !placeholder.includes('|')) words.push(` [${choices.join('|')}]`);
  if (kind.type === 'text' && kind.offers) words.push(` [${kind.offers.join('|')}|…]`);
  if (fallback !== undefined) words.push(` (default: ${writtenValue(kind, fallback)})`);
  return words.join('');
}

/**
 * Tells commander about the options. `negatable` adds a hidden --no-FLAG for each flag, to turn off what a preset sets. Of
 * flags that are on, --no-FLAG is what the help shows.
 */
export function addOptions(command: Command, table: readonly CommandOption[], negatable: boolean): void {
  for (const spec of table) {
    const isFlag = spec.kind.type === 'flag';
    const flags = spec.short === undefined ? `--${spec.name}` : `-${spec.short}, --${spec.name}`;
    const option = new Option(`${flags}${isFlag ? '' : ` <${spec.placeholder}>`}`, helpOf(spec));
    if (spec.kind.type === 'flag' && spec.kind.on) {
      command.addOption(option.hideHelp()).addOption(new Option(shownFlag(spec), helpOf(spec)).helpGroup(spec.group));
      continue;
    }
    if (spec.kind.type === 'list') {
      option.argParser((given: string, before: readonly string[] | undefined) => [...(before ?? []), given]);
    }
    command.addOption(option.helpGroup(spec.group));
    const isSearched = spec.kind.type === 'path' && spec.kind.searched;
    if (isSearched || (negatable && isFlag)) command.addOption(new Option(`--no-${spec.name}`).hideHelp());
  }
}

/** `--out -` is standard output; a folder of this name is `./-`. */
const isStandardStream = (name: string, text: string) => name === 'out' && text === STANDARD_STREAM;

/**
 * Whether a value is rather the next option: `--out --dry-run`. Negative numbers and `-` alone are values, and so is what was
 * written as one word with its option.
 */
function isSwallowed(text: string, name: string, short: string | undefined, command: Command): boolean {
  if (!/^-[^\d.]/.test(text)) return false;
  let root = command;
  while (root.parent) root = root.parent;
  // rawArgs is documented by commander, but left out of its types.
  const { rawArgs } = root as unknown as { readonly rawArgs: readonly string[] };
  return !rawArgs.some((word) => word === `--${name}=${text}` || (short !== undefined && word === `-${short}${text}`));
}

/** The options that were given, checked; paths become absolute. Throws UC1003 for every value that is not allowed. */
export function givenOptions<T extends readonly CommandOption[]>(
  command: Command,
  table: T,
  cwd: string,
): OptionsOf<T> {
  const given = command.opts<Record<string, string | boolean | readonly string[]>>();
  const values: Record<string, OptionValue> = {};
  const faults: Diagnostic[] = [];
  for (const { name, short, kind } of table as readonly CommandOption[]) {
    const key = camelCase(name);
    const raw = given[key];
    if (raw === undefined) continue;
    if (typeof raw === 'boolean') {
      values[key] = raw;
      continue;
    }
    const swallowed = [raw].flat().find((text) => isSwallowed(text, name, short, command));
    if (swallowed !== undefined) {
      const remedy = `give the option a value; one that begins with - is written --${name}=${swallowed}`;
      faults.push(
        diagnostic('UC1040', '', `--${name}`, `"${swallowed}" follows it where its value is expected`, remedy),
      );
      continue;
    }
    const text = typeof raw === 'string' ? raw : raw.join(',');
    const isWhole = kind.type === 'list' && kind.keepsCommas === true;
    const value = isWhole ? checkValue(kind, raw) : parseText(kind, text);
    if (value instanceof Refusal) {
      faults.push(diagnostic('UC1003', '', `--${name}`, `"${text}" was given, but the option ${value.message}`));
    } else values[key] = isStandardStream(name, text) ? text : absoluteValue(kind, value, cwd);
  }
  if (faults.length > 0) throw new SourceError(faults);
  // Every value was read by its row of the table.
  return values as OptionsOf<T>;
}
