// What can stand at each place of a command line, from the tables of commands and options: the scripts of all shells are made of
// it.

import { type CommandOption, explain, type FileCommand, fileExtensions, shippedPresets } from '../../index.ts';
import { COMMANDS, type CommandSpec, GROUPS, SHELLS } from '../commands/commandTable.ts';

/** What a value or an argument may be. With nothing set it is free text. */
export interface Candidates {
  readonly words: readonly string[];
  /** Several words may be given, separated by commas. */
  readonly isList: boolean;
  /** Endings of files without the dot, besides which folders are offered; 'all': any file; 'folders': only those; null: no files. */
  readonly files: readonly string[] | 'all' | 'folders' | null;
}

export interface CompletedOption {
  /** As they are typed: `--out`, `-o`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** May be given again. */
  readonly isRepeatable: boolean;
  /** The name of the value, as the help shows it; null for a flag. */
  readonly placeholder: string | null;
  readonly value: Candidates;
}

export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** Null: it takes none. */
  readonly argument: Candidates | null;
}

const NOTHING: Candidates = { words: [], isList: false, files: null };
const codes = (): readonly string[] => explain().map(({ code }) => code);

/** A script with a variable for the list of codes, which many options take: `use` in its place, and `define` before the first line of code. */
export function withCodes(script: string, use: string, define: (words: string) => string): string {
  const words = codes().join(' ');
  const end = script.indexOf('\n\n');
  return `${script.slice(0, end)}\n\n${define(words)}${script.slice(end).replaceAll(words, use)}`;
}

/** Values that the kind of an option does not tell. */
const VALUES: Readonly<Record<string, () => Partial<Candidates>>> = {
  pipeline: () => ({ words: shippedPresets().map(({ name }) => name), files: ['json'] }),
  config: () => ({ files: ['json'] }),
  report: () => ({ files: ['sarif', 'xml', 'json'] }),
  camera: () => ({ words: ['orbit', 'overview'] }),
  sheet: () => ({ words: ['worst'] }),
};

const endings = (extensions: readonly string[]): readonly string[] => extensions.map((extension) => extension.slice(1));

function filesOf(placeholder: string): Candidates['files'] {
  if (placeholder === 'DIR') return 'folders';
  const ending = /FILE\.(\w+)/.exec(placeholder)?.[1];
  return ending === undefined ? 'all' : [ending];
}

function candidatesOf({ name, kind, placeholder = '', files }: CommandOption): Candidates {
  if (Object.hasOwn(VALUES, name)) return { ...NOTHING, ...VALUES[name]() };
  const isList = kind.type === 'list';
  if ((kind.type === 'choice' || kind.type === 'list') && kind.choices) {
    return { ...NOTHING, words: kind.choices, isList };
  }
  if (kind.type === 'text' && kind.offers) return { ...NOTHING, words: kind.offers };
  if (files) return { ...NOTHING, files: endings(files) };
  if (placeholder === 'CODE') return { ...NOTHING, words: codes(), isList };
  if (kind.type === 'ratio' || kind.type === 'ratios') return { ...NOTHING, words: ['auto', 'none'] };
  return kind.type === 'path' || (isList && kind.paths === 'items')
    ? { ...NOTHING, files: filesOf(placeholder) }
    : NOTHING;
}

/** What fits beside a flag. */
function short(text: string): string {
  const line = text.split('; ')[0];
  return line.length > 72 ? `${line.slice(0, line.lastIndexOf(' ', 70))} …` : line;
}

function completedOptions({ options }: CommandSpec): CompletedOption[] {
  const all = options.map((spec): CompletedOption => {
    const { name, kind, description } = spec;
    const isOn = kind.type === 'flag' && kind.on === true;
    return {
      flags: [isOn ? `--no-${name}` : `--${name}`, ...(spec.short === undefined ? [] : [`-${spec.short}`])],
      description: short(description),
      isRepeatable: kind.type === 'list',
      placeholder: kind.type === 'flag' ? null : (spec.placeholder ?? name),
      value: kind.type === 'flag' ? NOTHING : candidatesOf(spec),
    };
  });
  const flag = (flags: readonly string[], description: string): CompletedOption => {
    return { flags, description, isRepeatable: false, placeholder: null, value: NOTHING };
  };
  const searched = options
    .filter(({ kind }) => kind.type === 'path' && kind.searched === true)
    .map(({ name }) => flag([`--no-${name}`], `without --${name}`));
  return [...all, ...searched, flag(['--help', '-h'], 'help')];
}

function argumentOf({ name, argument }: CommandSpec): Candidates | null {
  if (argument === null) return null;
  if (name === 'explain') return { ...NOTHING, words: codes() };
  if (name === 'completion') return { ...NOTHING, words: SHELLS };
  if (name === 'clean' || name === 'merge' || name === 'init') return { ...NOTHING, files: 'folders' };
  return { ...NOTHING, files: endings(fileExtensions(name === 'config' ? 'cook' : (name as FileCommand))) };
}

export function completedCommands(): readonly CompletedCommand[] {
  return COMMANDS.map((spec) => ({
    name: spec.name,
    description: spec.description,
    options: completedOptions(spec),
    argument: argumentOf(spec),
  }));
}

/** The words that may come first, or after a group of commands, with what they are for. */
export function firstWords(group: string | null): readonly (readonly [word: string, description: string])[] {
  if (group !== null) {
    const inGroup = COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
    return inGroup.map(({ name, description }) => [name.slice(group.length + 1), description] as const);
  }
  const words = new Map(
    COMMANDS.map(({ name, description }) => {
      const [first, second] = name.split(' ');
      return [first, second === undefined ? description : GROUPS[first]] as const;
    }),
  );
  return [...words, ['help', 'help for a command']];
}

export const groupNames = (): readonly string[] => Object.keys(GROUPS);
