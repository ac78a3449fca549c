// The flags of the commands: the table of options for commander, and what was given, checked.

import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  type CommandOption,
  camelCase,
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

/** An option's help: what it does, its choices unless the placeholder lists them, and its default. */
function helpOf({ kind, placeholder = '', description, default: fallback }: CommandOption): string {
  const words = [description];
  const choices = 'choices' in kind ? kind.choices : undefined;
  if (choices && !placeholder.includes('|')) words.push(`: ${choices.join(', ')}`);
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
    const option = new Option(`--${spec.name}${isFlag ? '' : ` <${spec.placeholder}>`}`, helpOf(spec));
    if (spec.kind.type === 'flag' && spec.kind.on) {
      command.addOption(option.hideHelp()).addOption(new Option(shownFlag(spec), helpOf(spec)).helpGroup(spec.group));
      continue;
    }
    if (spec.kind.type === 'list') {
      option.argParser((given: string, before: readonly string[] | undefined) => [...(before ?? []), given]);
    }
    command.addOption(option.helpGroup(spec.group));
    if (negatable && isFlag) command.addOption(new Option(`--no-${spec.name}`).hideHelp());
  }
}

/** `--out -` is standard output; a folder of this name is `./-`. */
const isStandardStream = (name: string, text: string) => name === 'out' && text === STANDARD_STREAM;

/** The options that were given, checked; paths become absolute. Throws UC1003 for every value that is not allowed. */
export function givenOptions<T extends readonly CommandOption[]>(
  command: Command,
  table: T,
  cwd: string,
): OptionsOf<T> {
  const given = command.opts<Record<string, string | boolean | readonly string[]>>();
  const values: Record<string, OptionValue> = {};
  const faults: Diagnostic[] = [];
  for (const { name, kind } of table) {
    const key = camelCase(name);
    const raw = given[key];
    if (raw === undefined) continue;
    if (typeof raw === 'boolean') {
      values[key] = raw;
      continue;
    }
    const text = typeof raw === 'string' ? raw : raw.join(',');
    const value = parseText(kind, text);
    if (value instanceof Refusal) {
      faults.push(diagnostic('UC1003', '', `--${name}`, `"${text}" was given, but the option ${value.message}`));
    } else values[key] = kind.type === 'path' && !isStandardStream(name, text) ? resolve(cwd, text) : value;
  }
  if (faults.length > 0) throw new SourceError(faults);
  // Every value was read by its row of the table.
  return values as OptionsOf<T>;
}
